#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages a task needs: tools/setup.sh build|test|lint|bench|deb|python|docs
# Says nothing and takes a few milliseconds when nothing is missing. As root it runs apt itself, otherwise through sudo;
# with neither it prints the line to run and fails. CAPSTAN_SKIP_SETUP=1 skips it (tools from elsewhere, other systems).
set -euo pipefail

# cairo and a font for pictures (without cairo: SVG only), npm for the page of `capstan view` (without it: no page).
build=(gcc libc6-dev make cmake ninja-build pkg-config libhdf5-dev libsuitesparse-dev zlib1g-dev libcairo2-dev fonts-dejavu-core npm)
# llvm has the symbolizer: without it a race or a crash is reported as bare addresses.
# chromium looks at the page, ffmpeg makes a video.
test=(libcmocka-dev clang libclang-rt-dev libomp-dev llvm python3 python3-dev python3-venv python3-numpy python3-scipy python3-h5py chromium ffmpeg)
lint=(clang-tidy clang-format libomp-dev libcmocka-dev python3)
deb=(dpkg-dev file)
bench=(python3 python3-numpy python3-scipy python3-h5py python3-matplotlib ffmpeg)
# What pip cannot bring: headers and a venv of the system's Python. The rest comes by name from the index that pip is set up for.
python=(python3 python3-dev python3-venv git)
docs=(python3 python3-venv)

case "${1:-}" in
    build) wanted=("${build[@]}") ;;
    test) wanted=("${build[@]}" "${test[@]}") ;;
    lint) wanted=("${build[@]}" "${lint[@]}") ;;
    bench) wanted=("${build[@]}" "${bench[@]}") ;;
    deb) wanted=("${build[@]}" "${deb[@]}") ;;
    python) wanted=("${build[@]}" "${python[@]}") ;;
    docs) wanted=("${docs[@]}") ;;
    *) echo "usage: tools/setup.sh build|test|lint|bench|deb|python|docs" >&2; exit 2 ;;
esac
[ -z "${CAPSTAN_SKIP_SETUP:-}" ] || exit 0

if ! command -v dpkg-query >/dev/null; then
    echo "setup: not a Debian-like system; this needs the equivalents of: ${wanted[*]}" >&2
    exit 0
fi

# A package counts when it, or one that provides its name (pkgconf for pkg-config), is installed.
installed=" $(dpkg-query -W -f='${db:Status-Status} ${Package}, ${Provides}\n' | sed -n 's/^installed //p' |
    sed 's/([^)]*)//g; s/,/ /g' | tr '\n' ' ') "
missing=()
for package in "${wanted[@]}"; do
    [[ $installed == *" $package "* ]] && continue
    [ "$package" = npm ] && command -v npm >/dev/null && continue # from elsewhere, with a node of its own
    missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

install="apt-get install -y --no-install-recommends ${missing[*]}"
if [ "$(id -u)" = 0 ]; then
    as_root=(env DEBIAN_FRONTEND=noninteractive)
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=(sudo env DEBIAN_FRONTEND=noninteractive)
else
    echo "setup: missing packages, and neither root nor sudo to install them. Run this as root, then try again:" >&2
    echo "    apt-get update && $install" >&2
    exit 1
fi

echo "setup: installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Package lists may be absent (containers) or stale: refresh them before installing.
if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" $install; } >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "setup: apt failed (above). The line was: apt-get update && $install" >&2
    exit 1
fi
