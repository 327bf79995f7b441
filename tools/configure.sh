#!/usr/bin/env bash
# cmake --preset NAME [options], silent unless it fails. Configures again only if this preset was never configured or options
# are given: the build itself notices changed CMake files and new sources.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
directory=build
[ "$preset" = release ] || directory=build/$preset
if [ $# -eq 0 ] && [ -f "$directory/build.ninja" ]; then
    exit 0
fi
mkdir -p build
if ! cmake --preset "$preset" "$@" >"build/configure-$preset.log" 2>&1; then
    cat "build/configure-$preset.log" >&2
    exit 1
fi
