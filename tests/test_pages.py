"""The tutorials and the C guide: every command and program on the pages is run, in order, as a reader would (tools/run_page.py)."""
import os
import shutil
import sys
import tempfile

import test_python_package as package

sys.path.insert(0, os.path.join(package.ROOT, "tools"))
import run_page  # noqa: E402

PAGES = ["tutorial_mechanics", "tutorial_animation", "tutorial_solvers", "c_guide"]


def main():
    if not shutil.which("cc"):
        package.skip("there is no C compiler")
    python, environment = package.prepare()
    environment["PATH"] = os.path.dirname(python) + os.pathsep + environment["PATH"]
    for page in PAGES:
        with tempfile.TemporaryDirectory() as place:
            for name in ("scenes", "examples", "include"):  # a page is read in the root of a clone
                os.symlink(os.path.join(package.ROOT, name), os.path.join(place, name))
            os.symlink(package.BUILD, os.path.join(place, "build"))
            lines = run_page.run_page(os.path.join(package.ROOT, "docs", page + ".md"), place, environment)
            assert lines > 5, page
    return 0


if __name__ == "__main__":
    sys.exit(main())
