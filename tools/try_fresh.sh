#!/usr/bin/env bash
# What a stranger sees: a bare Debian or Ubuntu, a clone of the committed tree, `make demo`, `make test`, with times.
#
#   tools/try_fresh.sh [SUITE [COMMAND...]]     SUITE bookworm (default) or noble; COMMAND instead of the two make lines
#
# tools/fresh_system.sh says what it needs (root, debootstrap) and what can be set (FRESH, KEEP, MIRROR).
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${1:-bookworm}
shift || true
. tools/fresh_system.sh

seconds=()
timed() { # label, command...
    local label=$1 start=$SECONDS status=0
    shift
    "$@" || status=$?
    seconds+=("$(printf '%-12s %5d s, exit %d' "$label" $((SECONDS - start)) "$status")")
    return "$status"
}

timed debootstrap make_fresh_system
git clone -q . "$root/root/capstan"
inside_directory=/root/capstan
inside 'apt-get install -y --no-install-recommends make' >/tmp/try_fresh.log 2>&1 || { tail -n 20 /tmp/try_fresh.log; exit 1; }
failed=0
if [ $# -gt 0 ]; then
    timed command inside "$*" || failed=1
else
    timed 'make demo' inside 'make demo' || failed=1
    timed 'make test' inside 'make test' || failed=1
fi
printf '%s\n' "${seconds[@]}"
exit $failed
