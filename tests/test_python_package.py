"""The Python package on the library of this build, in short: its module is made from the public headers and linked to libcapstan.so, then python/tests
run, but for those that draw or start notebooks (`make python` runs all of them on a wheel).

cffi, pytest and tqdm come from the index of pip, by name; without it the test is skipped and says so.
"""
import os
import shutil
import subprocess
import sys
import sysconfig

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.dirname(os.environ["CAPSTAN_COMMAND"])
HERE = os.path.join(BUILD, "python-quick")
PACKAGE = os.path.join(HERE, "package", "capstan")
SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def venv():
    """A Python with what the tests need; numpy and scipy are the system's."""
    python = os.path.join(HERE, "venv", "bin", "python")
    wanted = os.path.join(ROOT, "python", "requirements-quick.txt")
    stamp = os.path.join(HERE, "installed.txt")
    with open(wanted, encoding="utf-8") as stream:
        text = stream.read()
    if os.path.exists(stamp) and os.path.exists(python):
        with open(stamp, encoding="utf-8") as stream:
            if stream.read() == text:
                return python
    os.makedirs(HERE, exist_ok=True)
    if subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "--clear", os.path.join(HERE, "venv")]).returncode != 0:
        skip("there is no venv (python3-venv)")
    if subprocess.run([python, "-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "15", "-r", wanted]).returncode != 0:
        skip("pip cannot bring cffi, pytest and tqdm: is there a network, or an index of packages?")
    with open(stamp, "w", encoding="utf-8") as stream:
        stream.write(text)
    return python


def prepare():
    """The package on the library of this build: a Python for it, and the environment in which that finds it."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        skip("there is no numpy (python3-numpy)")
    headers = sysconfig.get_path("include")
    if not os.path.exists(os.path.join(headers, "Python.h")):
        skip("there is no Python.h (python3-dev)")
    python = venv()
    shutil.rmtree(os.path.dirname(PACKAGE), ignore_errors=True)
    shutil.copytree(os.path.join(ROOT, "python", "capstan"), PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    source = os.path.join(HERE, "_capstan.c")
    include = os.path.join(ROOT, "include")
    subprocess.run([python, os.path.join(ROOT, "python", "make_binding.py"), include, source], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([os.environ.get("CC", "cc"), "-O1", "-w", "-shared", "-fPIC", "-DPy_LIMITED_API=0x03090000", "-I", headers, "-I", include, source,
                    "-L", BUILD, "-lcapstan", "-Wl,-rpath," + BUILD, "-o", os.path.join(PACKAGE, "_capstan.abi3.so")], check=True)
    return python, {**os.environ, "PYTHONPATH": os.path.dirname(PACKAGE), "OMP_NUM_THREADS": "2"}


def main():
    python, environment = prepare()
    done = subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.path.join(ROOT, "pyproject.toml"), "--rootdir", ROOT,
                           os.path.join(ROOT, "python", "tests"), "-k", "not notebook and not script"], env=environment)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
