# A bare Debian or Ubuntu in a directory, thrown away afterwards; sourced by try_fresh.sh and try_deb.sh, which set `suite`.
#
# Needs root and debootstrap. The system is made in $FRESH (/tmp/fresh-SUITE) and removed on exit unless KEEP=1. Mounts are made in a
# namespace of their own and vanish with it. The archive is the one this machine's apt uses for its own system; for the other system, or to
# use another archive, set MIRROR.
root=${FRESH:-/tmp/fresh-$suite}
certificates=

give_up() { # why
    echo "${0##*/}: $1" >&2
    exit 1
}

inside() { # a command in the system, from the directory $inside_directory
    unshare --mount --pid --fork bash -c 'mount -t proc proc "$1/proc" && exec chroot "$1" /usr/bin/env -i HOME=/root TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 $3 sh -c "cd $4 && $2"' - "$root" "$1" \
        "$certificates" "${inside_directory:-/root}"
}

make_fresh_system() {
    local components=main mirror file trust=() script=()
    [ "$suite" != noble ] || components=main,universe
    mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" | grep -v security | head -n 1)}
    [ -n "$mirror" ] || give_up "set MIRROR to a package archive"
    [ "$(id -u)" = 0 ] || give_up "needs root, for chroot"
    command -v debootstrap >/dev/null || give_up "apt-get install debootstrap"
    [ ! -e "$root" ] || give_up "$root exists; remove it first"
    [ -n "${KEEP:-}" ] || trap 'rm -rf --one-file-system "$root"' EXIT
    # Without the archive's key (Ubuntu's, on Debian) packages are taken unchecked: this system is thrown away.
    [ "$suite" != noble ] || [ -f /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || trust=(--no-check-gpg)
    # An older debootstrap does not know the newest Ubuntu by name; all of them share one script.
    [ "$suite" != noble ] || [ -e /usr/share/debootstrap/scripts/noble ] || script=(/usr/share/debootstrap/scripts/gutsy)
    debootstrap --variant=minbase ${trust[@]+"${trust[@]}"} --components=$components "$suite" "$root" "$mirror" \
        ${script[@]+"${script[@]}"} >/tmp/try_fresh.log 2>&1 || { tail -n 20 /tmp/try_fresh.log; exit 1; }
    cp /etc/resolv.conf "$root/etc/"
    for file in /etc/apt/apt.conf.d/*; do # how this machine reaches its mirror
        if grep -q '^ *Acquire' "$file"; then cp "$file" "$root/etc/apt/apt.conf.d/"; fi
    done
    if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then # how it reaches npm's
        cp "$NODE_EXTRA_CA_CERTS" "$root/root/certificates.crt"
        certificates=NODE_EXTRA_CA_CERTS=/root/certificates.crt
    fi
    inside 'apt-get update' >/tmp/try_fresh.log 2>&1 || { tail -n 20 /tmp/try_fresh.log; exit 1; }
}
