#!/usr/bin/env bash
# The Python package, as a user gets it: tools/python_package.sh [pytest options]
#
#   build/python/wheel   the wheel that pip makes from the working tree
#   build/python/venv    a fresh venv with the wheel and the versions of python/requirements-test.txt
#
# then types (mypy) and all tests of python/tests, the notebook and the guide among them.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
[ -x "$python" ] || python=python3
here=build/python
mkdir -p "$here"
rm -rf "$here/venv" "$here/wheel"
"$python" -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet --upgrade pip
"$here/venv/bin/pip" wheel --quiet --no-deps --wheel-dir "$here/wheel" -C "build-dir=$here/cmake" .
ls "$here"/wheel/capstan-*-abi3-*.whl
"$here/venv/bin/pip" install --quiet -r python/requirements-test.txt "$here"/wheel/capstan-*.whl
"$here/venv/bin/mypy" python/capstan
exec "$here/venv/bin/python" -m pytest -q -p no:cacheprovider "$@" python/tests
