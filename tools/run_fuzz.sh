#!/usr/bin/env bash
# One fuzz target: tools/run_fuzz.sh short|SECONDS TARGET [SEEDS]
# short: a fixed number of inputs from a fixed seed, the same each time (cut at 60 s on a slow machine).
# SECONDS: for that long, keeping what it learns in corpus/ beside the target. A crash leaves its input in findings/.
set -euo pipefail
mode=$1
target=$2
seeds=${3:-}
name=$(basename "$target")
here=$(dirname "$target")
findings=$here/findings
mkdir -p "$findings"

# A reader that asks for more than this for a small file was told to by the file.
limits=(-timeout=10 -rss_limit_mb=2048 -malloc_limit_mb=256 -artifact_prefix="$findings/$name-" -print_final_stats=1)
if [ "$mode" = short ]; then
    corpus=$(mktemp -d)
    trap 'rm -rf "$corpus"' EXIT
    # An input of fclib is a whole HDF5 file: 5 ms each, where the others take 0.02 to 0.1 ms.
    runs=20000
    [ "$name" != fuzz_fclib ] || runs=2500
    limits+=(-runs="${FUZZ_RUNS:-$runs}" -seed=1 -max_total_time=60)
else
    corpus=$here/corpus/$name
    mkdir -p "$corpus"
    limits+=(-max_total_time="$mode")
fi
directories=("$corpus")
[ -z "$seeds" ] || [ ! -d "$seeds" ] || directories+=("$seeds")

if ! "$target" "${limits[@]}" "${directories[@]}"; then
    echo "run_fuzz: $name failed. To see it again: $target $findings/$name-<crash above>" >&2
    exit 1
fi
