#!/usr/bin/env python3
"""Writes the C source of the module capstan._capstan: make_binding.py INCLUDE OUT.c

The public headers are the only description of the library: they are read here without comments and preprocessor lines and given to cffi
(API mode: the compiler checks every declaration against the headers themselves).
"""
import re
import sys
from pathlib import Path

import cffi

HEADERS = ["version.h", "friction.h", "capstan.h", "scene.h", "run.h", "cache.h"]

# Functions of Python that C calls, and functions of C that Python gives to C.
CALLBACKS = """
extern "Python" bool capstan_py_before_step(void *user, cst_world *world);
extern "Python" bool capstan_py_progress(void *user, const cst_run_progress *now);
typedef struct capstan_interrupt { bool stopped; double looked; ...; } capstan_interrupt;
bool capstan_look_for_signals(void *user, const cst_friction_progress *now);
"""

# Between iterations of a solver Python is asked, 20 times a second at most, whether a signal (Ctrl-C) has arrived. Only the main thread is ever
# told so by Python; it is one of the threads that iterate.
SOURCE = """
#include <time.h>
#include <capstan/version.h>
#include <capstan/cache.h>
#include <capstan/run.h>

typedef struct capstan_interrupt {
    bool stopped;  /* a signal raised an exception: the call is to end */
    double looked; /* s, when */
} capstan_interrupt;

static bool capstan_look_for_signals(void *user, const cst_friction_progress *now)
{
    capstan_interrupt *state = user;
    struct timespec clock;
    (void)now;
    if (state->stopped)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    const double seconds = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
    if (seconds - state->looked < 0.05)
        return true;
    state->looked = seconds;
    PyGILState_STATE held = PyGILState_Ensure();
    if (PyErr_CheckSignals() != 0) {
        PyErr_Clear();
        state->stopped = true;
    }
    PyGILState_Release(held);
    return !state->stopped;
}
"""


def declarations(include, name, seen):
    """The text of a header with those that it includes, each once, without comments and preprocessor lines."""
    if name in seen:
        return ""
    seen.add(name)
    text = re.sub(r"/\*.*?\*/", " ", (include / "capstan" / name).read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    out = []
    for line in text.splitlines():
        found = re.match(r'#include "capstan/(\w+\.h)"', line)
        if found:
            out.append(declarations(include, found.group(1), seen))
        elif not line.startswith("#"):
            out.append(line)
    return "\n".join(out)


def main():
    include, out = Path(sys.argv[1]), sys.argv[2]
    seen = set()
    ffi = cffi.FFI()
    ffi.cdef("".join(declarations(include, name, seen) for name in HEADERS) + CALLBACKS)
    ffi.set_source("capstan._capstan", SOURCE, py_limited_api=True)
    ffi.emit_c_code(out)


if __name__ == "__main__":
    main()
