#!/usr/bin/env bash
# What a stranger sees: a bare Debian or Ubuntu, a clone of the committed tree, `make demo`, `make test`, with times.
#
#   tools/try_fresh.sh [SUITE [COMMAND...]]     SUITE bookworm (default) or noble; COMMAND instead of the two make lines
#
# Needs root and debootstrap. The system is made in $FRESH (/tmp/fresh-SUITE) and removed afterwards unless KEEP=1. Mounts are
# made in a namespace of their own and vanish with it. The archive is the one this machine's apt uses for its own system; for the
# other system, or to use another archive, set MIRROR.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:-bookworm}
shift || true
root=${FRESH:-/tmp/fresh-$suite}
case $suite in
    noble) components=main,universe ;;
    *) components=main ;;
esac
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" | grep -v security | head -n 1)}
[ -n "$mirror" ] || { echo "try_fresh: set MIRROR to a package archive" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo "try_fresh: needs root, for chroot" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "try_fresh: apt-get install debootstrap" >&2; exit 1; }
[ ! -e "$root" ] || { echo "try_fresh: $root exists; remove it first" >&2; exit 1; }

certificates=
seconds=()
timed() { # label, command...
    local label=$1 start=$SECONDS status=0
    shift
    "$@" || status=$?
    seconds+=("$(printf '%-12s %5d s, exit %d' "$label" $((SECONDS - start)) "$status")")
    return "$status"
}
inside() { # a command in the system, from the clone
    unshare --mount --pid --fork bash -c 'mount -t proc proc "$1/proc" && exec chroot "$1" /usr/bin/env -i HOME=/root TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 $3 sh -c "cd /root/capstan && $2"' - "$root" "$1" \
        "$certificates"
}
[ -n "${KEEP:-}" ] || trap 'rm -rf --one-file-system "$root"' EXIT

# Without the archive's key (Ubuntu's, on Debian) packages are taken unchecked: this system is thrown away.
trust=()
[ "$suite" != noble ] || [ -f /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || trust=(--no-check-gpg)
# An older debootstrap does not know the newest Ubuntu by name; all of them share one script.
script=()
[ "$suite" != noble ] || [ -e /usr/share/debootstrap/scripts/noble ] || script=(/usr/share/debootstrap/scripts/gutsy)
timed debootstrap debootstrap --variant=minbase ${trust[@]+"${trust[@]}"} --components=$components "$suite" "$root" "$mirror" \
    ${script[@]+"${script[@]}"} >/tmp/try_fresh.log 2>&1 || { tail -n 20 /tmp/try_fresh.log; exit 1; }
cp /etc/resolv.conf "$root/etc/"
for file in /etc/apt/apt.conf.d/*; do # how this machine reaches its mirror
    if grep -q '^ *Acquire' "$file"; then cp "$file" "$root/etc/apt/apt.conf.d/"; fi
done
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then # how it reaches npm's
    cp "$NODE_EXTRA_CA_CERTS" "$root/root/certificates.crt"
    certificates=NODE_EXTRA_CA_CERTS=/root/certificates.crt
fi
git clone -q . "$root/root/capstan"

inside 'apt-get update && apt-get install -y --no-install-recommends make' >/tmp/try_fresh.log 2>&1 ||
    { tail -n 20 /tmp/try_fresh.log; exit 1; }
failed=0
if [ $# -gt 0 ]; then
    timed command inside "$*" || failed=1
else
    timed 'make demo' inside 'make demo' || failed=1
    timed 'make test' inside 'make test' || failed=1
fi
printf '%s\n' "${seconds[@]}"
exit $failed
