"""A Python with the readers of other projects, made by pip under the build directory and kept there."""
import os
import subprocess
import sys

PACKAGES = ["numpy==2.2.6", "usd-core==26.11", "vtk==9.7.1", "trimesh==5.2.0", "plyfile==1.1"]


def interpreter():
    """Its path. Exits with 77 (skipped) and the reason where pip cannot get the packages."""
    build = os.path.dirname(os.path.abspath(os.environ.get("CAPSTAN_COMMAND", "build/capstan")))
    place = os.path.join(build, "export-readers")
    python, mark = os.path.join(place, "bin", "python"), os.path.join(place, "packages.txt")
    wanted = " ".join(PACKAGES)
    if os.path.exists(mark):
        with open(mark, encoding="ascii") as file:
            if file.read() == wanted:
                return python
    for command in ([sys.executable, "-m", "venv", "--clear", place],
                    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", "--retries", "1", "--timeout", "15",
                     "--only-binary", ":all:",
                     *PACKAGES]):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, check=False)
        if done.returncode != 0:
            lines = done.stdout.strip().splitlines() or ["no reason given"]
            print("the readers cannot be installed (%s): %s" % (" ".join(command[1:4]), lines[-1]))
            sys.exit(77)
    with open(mark, "w", encoding="ascii") as file:
        file.write(wanted)
    return python
