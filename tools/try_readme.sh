#!/usr/bin/env bash
# A stranger's path: every command of the README, and of its table of numbers, in a fresh clone of the committed tree, each with its time.
#
#   tools/try_readme.sh [DIR]     DIR (a new directory under /tmp) keeps the clone; removed at the end if it was not given
#
# The clone knows nothing of this directory: no build, no venv, no files beside it. Packages of the system are those of this machine;
# `tools/try_fresh.sh bookworm "apt-get install -y python3 git && tools/run_page.py README.md --in ."` does the same on a bare Debian 12.
set -euo pipefail
cd "$(dirname "$0")/.."
place=${1:-$(mktemp -d /tmp/capstan-readme.XXXXXX)}
[ -n "${1:-}" ] || trap 'rm -rf "$place"' EXIT
git clone -q . "$place/capstan"
cd "$place/capstan"
env -u CAPSTAN_COMMAND -u CAPSTAN_PROBLEMS -u PYTHONPATH tools/run_page.py README.md --in . --table "Five numbers to check yourself"
