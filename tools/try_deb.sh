#!/usr/bin/env bash
# Does the package of `make deb` install on a bare Debian 12 and work there? tools/try_deb.sh [FILE.deb]
#
# The command runs from PATH, a scene is run and exported, the C examples are linked shared, static and wholly static. Needs what
# tools/fresh_system.sh says.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=bookworm
package=${1:-$(ls -t build/deb/capstan_*.deb 2>/dev/null | head -n 1)}
. tools/fresh_system.sh
[ -f "$package" ] || give_up "no package; make deb"

make_fresh_system
cp "$package" "$root/root/"
step() { # what, command
    echo "== $1"
    inside "$2" || give_up "failed: $1"
}
quiet='quiet() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >/root/apt.log 2>&1 ||
    { tail /root/apt.log; exit 1; }; }; quiet'
step "install ${package##*/}" "$quiet ./${package##*/}"
step "the command" "capstan version && capstan check /usr/share/capstan/scenes/planar/demo.json"
step "a scene" "capstan run /usr/share/capstan/scenes/planar/demo.json --duration 0.1 --out demo.run --progress none | tail -n 2"
step "an export and a picture" "capstan export demo.run --format usd && capstan render demo.run"
step "a C program, shared" "$quiet gcc libc6-dev pkg-config && cp /usr/share/capstan/examples/*.c . &&
    for name in brick slide; do cc \$name.c \$(pkg-config --cflags --libs capstan) -o \$name && ./\$name | tail -n 1; done"
step "static" "$quiet libhdf5-dev libsuitesparse-dev zlib1g-dev &&
    cc slide.c \$(pkg-config --cflags --libs capstan-static) -o slide && ./slide | tail -n 1 && ! ldd slide | grep libcapstan"
step "wholly static" "cc -static slide.c \$(pkg-config --cflags --libs capstan-core) -o slide 2>/dev/null && ./slide | tail -n 1"
step "removal" "apt-get remove -y capstan >/dev/null 2>&1 && ! command -v capstan"
echo "all steps went well"
