#!/usr/bin/env bash
# Builds and tests each preset in turn and ends with one line, "N passed, N failed": tools/run_tests.sh [STAGE...]
#
#   release  -O3, warnings as errors, every test (the layer check among them)
#   asan     the same tests but a few long ones under AddressSanitizer and UndefinedBehaviorSanitizer
#   tsan     the tests named test_threads_*, under ThreadSanitizer
#   fuzz     a short, repeatable run of every fuzz target
#
# A stage that fails does not stop the next: all that is wrong is seen in one go. A build that fails counts as one failure.
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(release asan tsan fuzz)

passed=0
failed=0
summary=()

build() { # preset, target, cmake options
    local preset=$1 target=$2
    shift 2
    tools/configure.sh "$preset" -DCAPSTAN_WERROR=ON "$@" || return 1
    local log=build/build-$preset.log
    if ! cmake --build --preset "$preset" -j "$jobs" --target "$target" -- -k 0 >"$log" 2>&1; then
        grep -v '^\[[0-9/]*\] \(Building\|Linking\|Creating\|Re-\)' "$log"
        return 1
    fi
}

stage() { # preset, target, cmake options
    local preset=$1 start=$SECONDS
    echo "== $preset"
    if ! build "$@"; then
        echo "== $preset: the build failed"
        failed=$((failed + 1))
        summary+=("$(printf '%-8s build failed' "$preset")")
        return
    fi
    local log=build/ctest-$preset.log launcher=()
    # One test more than processors: some wait for a browser, for pip or for a process that they are about to kill.
    # ThreadSanitizer's fixed memory layout does not fit a kernel that randomises more bits than it expects.
    if [ "$preset" = tsan ] && setarch "$(uname -m)" -R true 2>/dev/null; then
        launcher=(setarch "$(uname -m)" -R)
    fi
    ${launcher[@]+"${launcher[@]}"} ctest --preset "$preset" -j $((jobs + 1)) --no-tests=error 2>&1 | tee "$log"
    local status=${PIPESTATUS[0]} counts bad=0 total=0 skipped
    # "90% tests passed, 1 tests failed out of 10"
    counts=$(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\).*/\1 \2/p' "$log")
    [ -z "$counts" ] || read -r bad total <<<"$counts"
    skipped=$(grep -c '\*\*\*Skipped' "$log")
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then # no tests at all, or ctest itself broke
        bad=1
        total=$((total + 1))
    fi
    passed=$((passed + total - bad - skipped))
    failed=$((failed + bad))
    summary+=("$(printf '%-8s %3d passed, %d failed, %d skipped, %4d s' "$preset" $((total - bad - skipped)) "$bad" "$skipped" \
        $((SECONDS - start)))")
    [ "$bad" -eq 0 ] || summary+=("$(grep -E '^[[:space:]]+[0-9]+ - |^No tests were found' "$log")")
}

# Parts of a test that were skipped for want of data still pass in ctest: they are named here.
skipped_parts() {
    local log=build/Testing/Temporary/LastTest.log
    [ -f "$log" ] || return 0
    sed -n 's/^\[  SKIPPED \] \([a-z_0-9]*\)$/\1/p' "$log" | sort -u
}

for name in "${stages[@]}"; do
    case $name in
        release) stage release all -DCAPSTAN_TESTS=ON ;;
        asan) stage asan all -DCAPSTAN_TESTS=ON ;;
        tsan) stage tsan threaded_tests -DCAPSTAN_TESTS=ON ;;
        fuzz) stage fuzz fuzz_targets ;;
        *) echo "run_tests: no stage $name (release asan tsan fuzz)" >&2; exit 2 ;;
    esac
done

echo
if [[ " ${stages[*]} " == *" release "* ]]; then
    parts=$(skipped_parts)
    [ -z "$parts" ] || printf 'skipped for want of data (see tests/):\n%s\n' "$(sed 's/^/  /' <<<"$parts")"
fi
printf '%s\n' "${summary[@]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
