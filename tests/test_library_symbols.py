"""What the built library shows the linker: only its own names, no state, nothing that prints or ends the process.

The layer check reads the sources; this reads the object code, so a macro or an include cannot hide a call.
"""
import os
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = os.path.join(HERE, os.pardir, "include", "capstan")
BUILD = os.path.dirname(os.environ["CAPSTAN_COMMAND"])
STATIC = os.path.join(BUILD, "libcapstan.a")
SHARED = os.path.join(BUILD, "libcapstan.so")


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout


def members():
    """(object file, symbol line) over the members of the static library."""
    member = None
    for line in run("objdump", "-t", STATIC).splitlines():
        found = re.match(r"(\S+):\s+file format", line)
        if found:
            member = found.group(1)
        elif re.match(r"[0-9a-f]{8,} ", line):
            yield member, line


class LibrarySymbols(unittest.TestCase):
    def test_every_external_name_is_prefixed(self):
        strangers = [name for name in re.findall(r"^[0-9a-f]+ [A-TV-Z] (\S+)$", run("nm", "-g", STATIC), re.M)
                     if not name.startswith("cst_")]
        self.assertEqual(strangers, [])

    def test_no_mutable_state(self):
        # .data.rel.ro is constant after loading: tables of function pointers.
        state = [(member, line.split()[-1]) for member, line in members()
                 if re.search(r" O (\.data(?!\.rel\.ro)|\.bss|\.tdata|\.tbss|\*COM\*)", line)]
        self.assertEqual(state, [])

    def test_never_prints_or_exits(self):
        forbidden = {"printf", "vprintf", "puts", "putchar", "perror", "exit", "_exit", "_Exit", "quick_exit", "abort",
                     "__printf_chk", "rand", "srand", "random", "stdout", "stderr"}
        called = {line.split()[-1] for line in run("nm", "-u", STATIC).splitlines() if line.strip()}
        self.assertEqual(sorted(called & forbidden), [])

    def test_shared_library_exports_the_public_header(self):
        exported = set(re.findall(r"^[0-9a-f]+ [A-Zi] (\S+)$", run("nm", "-D", "--defined-only", SHARED), re.M))
        declared = set()
        for name in os.listdir(HEADERS):
            with open(os.path.join(HEADERS, name), encoding="utf-8") as stream:
                text = re.sub(r"/\*.*?\*/", "", stream.read(), flags=re.S)
            declared |= set(re.findall(r"^\w[\w \*]*?\b(cst_\w+)\(", text, re.M))
        self.assertTrue(declared)
        self.assertEqual(sorted(declared - exported), [], "declared but missing from libcapstan.so")
        self.assertEqual(sorted(exported - declared), [], "exported but not declared")


if __name__ == "__main__":
    unittest.main() if os.path.exists(STATIC) else sys.exit(77)
