"""libcapstan-core.a holds friction, rods, bodies, worlds and scenes without HDF5, zlib or cairo: nothing of them is called or linked."""
import os
import re
import subprocess
import unittest

BUILD = os.path.dirname(os.environ["CAPSTAN_COMMAND"])
CORE = os.path.join(BUILD, "libcapstan-core.a")
WHOLE = os.path.join(BUILD, "libcapstan.a")
EXAMPLES = [os.path.join(BUILD, "tests", "core_" + name) for name in ("brick", "slide")]
# Entry points of HDF5, cairo and zlib.
FOREIGN = re.compile(r"H5\w+|cairo_\w+|png_\w+|(?:in|de)flate\w*|compress\w*|uncompress\w*|crc32\w*|adler32\w*")


def names(*command):
    out = subprocess.run(["nm", *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True, check=True).stdout
    return {line.split()[-1] for line in out.splitlines() if re.match(r"^[0-9a-f ]+ [A-Za-z] \S+$", line)}


class CoreLibrary(unittest.TestCase):
    def test_it_needs_only_the_c_library_openmp_and_amd(self):
        missing = names("-u", CORE) - names("--defined-only", CORE)
        self.assertEqual(sorted(name for name in missing if FOREIGN.fullmatch(name)), [])
        self.assertEqual(sorted(name for name in missing if name.startswith("cst_")), [], "parts of Capstan that are not in the core")
        self.assertIn("amd_l2", missing, "nm was not understood")

    def test_the_check_can_fail(self):
        self.assertTrue([name for name in names("-u", WHOLE) if FOREIGN.fullmatch(name)])

    def test_programs_link_none_of_them(self):
        for program in EXAMPLES:
            linked = subprocess.run(["ldd", program], stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout
            self.assertIn("libc.so", linked)
            self.assertEqual(re.findall(r"\S*(?:hdf5|libz\.|cairo)\S*", linked), [], program)


if __name__ == "__main__":
    unittest.main()
