#!/usr/bin/env bash
# The docs as a site that opens from disk, build/site/index.html: tools/build_docs.sh. A broken link is an error.
# mkdocs and its theme come by name from the index that pip is set up for, once; afterwards nothing is fetched.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-/usr/bin/python3}
[ -x "$python" ] || python=python3
here=build/docs
mkdir -p "$here"
if ! cmp -s tools/requirements-docs.txt "$here/installed.txt"; then
    "$python" -m venv --clear "$here/venv"
    "$here/venv/bin/pip" install --quiet -r tools/requirements-docs.txt
    cp tools/requirements-docs.txt "$here/installed.txt"
fi
NO_MKDOCS_2_WARNING=1 "$here/venv/bin/mkdocs" build --strict --clean >build/docs/mkdocs.log 2>&1 || { grep -E "WARNING|ERROR|Aborted" build/docs/mkdocs.log >&2; exit 1; }
echo "build/site/index.html: $(find build/site -name '*.html' | wc -l) pages"
