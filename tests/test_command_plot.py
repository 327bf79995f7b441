"""`capstan plot`: pictures of a real run, and what is said where there is none."""
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

import run_fixture

COMMAND = run_fixture.COMMAND


def plot(*arguments):
    return subprocess.run([COMMAND, "plot", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False)


def can_png():
    """A build without cairo says so and still writes SVG."""
    with tempfile.TemporaryDirectory() as folder:
        done = plot(Plot.fall, "--out", os.path.join(folder, "x.png"))
        return "without cairo" not in done.stderr


def png_size_and_ink(path):
    """Width, height, and the share of bytes that are not white."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    width, height, depth, colour = struct.unpack(">IIBB", data[16:26])
    assert (depth, colour) == (8, 2), path
    pixels, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            pixels += data[at + 8:at + 8 + length]
        at += 12 + length
    # A filter byte begins each row; white rows are coded as zeros after the first, or as 255.
    rows = zlib.decompress(pixels)
    assert len(rows) == height * (1 + 3 * width), path
    ink = sum(1 for byte in rows if byte not in (0, 255))
    return width, height, ink / len(rows)


def texts(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    assert root.tag.endswith("svg"), path
    return ["".join(node.itertext()) for node in root.iter() if node.tag.endswith("text")]


class Plot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.fall = os.path.join(cls.folder, "fall.run")
        scene = run_fixture.write_scene(cls.folder, duration=0.2)
        done = run_fixture.run(scene, "--out", cls.fall, "--progress", "none")
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def mistake(self, arguments, *expected):
        done = plot(*arguments)
        self.assertEqual(done.returncode, 2, (arguments, done.stderr))
        self.assertEqual(done.stdout, "")
        for text in expected:
            self.assertIn(text, done.stderr)

    def test_everything(self):
        done = plot(self.fall)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        plots = os.path.join(self.fall, "plots")
        names = ["energies", "contacts", "residual", "iterations", "dt", "overview", "probe_tip", "probe_tip_path", "probe_ground",
                 "probe_pivot", "probe_energy"]
        pixels = can_png()
        for name in names:
            self.assertIn(os.path.join(plots, name), done.stdout)
            found = texts(os.path.join(plots, name + ".svg"))
            self.assertTrue(any(text.startswith("a little of everything") for text in found), (name, found))
            self.assertFalse(any("nan" in text.lower().split() for text in found), (name, found))
            if pixels:
                width, height, ink = png_size_and_ink(os.path.join(plots, name + ".png"))
                self.assertTrue(width == 1640 and height >= 600, (name, width, height))
                self.assertTrue(0.001 < ink < 0.5, (name, ink))
        self.assertIn("tolerance", texts(os.path.join(plots, "residual.svg")))
        self.assertIn("friction", texts(os.path.join(plots, "energies.svg")))
        self.assertIn("x (m)", texts(os.path.join(plots, "probe_tip_path.svg")))
        self.assertNotIn("z", texts(os.path.join(plots, "probe_tip.svg")))  # the plane has none

    def test_one_picture(self):
        path = os.path.join(self.folder, "two.svg")
        done = plot(self.fall, "--only", "contacts,dt", "--out", path, "--from", 0.1, "--to", 0.15)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, f"wrote {path}\n")
        found = texts(path)
        self.assertIn("Contacts", found)
        self.assertIn("Time step", found)
        self.assertNotIn("Energies", found)
        self.assertIn("0.10", found)  # the axis is the span asked for
        self.assertNotIn("0.05", found)
        if can_png():
            path = os.path.join(self.folder, "two.png")
            self.assertEqual(plot(self.fall, "--only", "contacts,dt", "--out", path, "--size", "1200x800").returncode, 0)
            self.assertEqual(png_size_and_ink(path)[:2], (1200, 800))

    def test_directory(self):
        out = os.path.join(self.folder, "deep", "pictures")
        done = plot(self.fall, "--only", "residual", "--out", out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual({name.split(".")[0] for name in os.listdir(out)}, {"residual"})

    def test_several_runs(self):
        """One chart for each quantity, a curve for each run, which its name tells; probes that all of them have."""
        other, out = os.path.join(self.folder, "rough.run"), os.path.join(self.folder, "compared")
        scene = run_fixture.write_scene(self.folder, duration=0.1, friction=0.9)
        self.assertEqual(run_fixture.run(scene, "--out", other, "--progress", "none").returncode, 0)
        os.remove(os.path.join(other, "probes", "pivot.csv"))
        done = plot(self.fall, other, "--out", out)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual({name.split(".")[0] for name in os.listdir(out)},
                         {"energies", "contacts", "residual", "iterations", "dt", "penetration", "probe_tip", "probe_ground", "probe_energy"})
        for name in ("energies", "contacts", "probe_tip"):
            found = texts(os.path.join(out, name + ".svg"))
            self.assertTrue("fall" in found and "rough" in found, found)
        self.assertIn("vx (m/s)", texts(os.path.join(out, "probe_tip.svg")))
        self.assertIn("0.20", texts(os.path.join(out, "contacts.svg")))  # the axis is that of the longer run

    def test_no_memory_for_a_curve(self):
        """The arrays of a curve are as long as the run; allocations of this size fail, from each one on in turn."""
        source, library = os.path.join(self.folder, "full.c"), os.path.join(self.folder, "full.so")
        with open(source, "w", encoding="utf-8") as file:
            file.write("#include <stdlib.h>\nextern void *__libc_malloc(size_t);\nvoid *malloc(size_t size)\n{\n    static int calls;\n"
                       "    return size == %d && calls++ >= atoi(getenv(\"CAPSTAN_FAIL_FROM\")) ? NULL : __libc_malloc(size);\n}\n" %
                       (8 * run_fixture.outcome(self.fall)["steps"]))
        if run_fixture.sanitized() or subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=False).returncode != 0:
            self.skipTest("no C compiler, or a sanitizer with a malloc of its own")
        said = []
        for number in range(20):
            done = subprocess.run([run_fixture.COMMAND, "plot", self.fall, self.fall, "--only", "residual", "--out", os.path.join(self.folder, "full")],
                                  capture_output=True, text=True, check=False,
                                  env=dict(os.environ, LD_PRELOAD=library, CAPSTAN_FAIL_FROM=str(number)))
            if done.returncode == 0:
                break
            self.assertRegex(done.stderr, r"^capstan plot: \S.*\n$", number)
            said.append(done.stderr)
        self.assertEqual(done.returncode, 0)
        self.assertIn("capstan plot: out of memory\n", said)

    def test_lone_curve(self):
        """A panel with one curve has no legend: its axis says which column it is."""
        plot(self.fall, "--only", "probes")
        self.assertIn("angle: angle (rad)", texts(os.path.join(self.fall, "plots", "probe_tip.svg")))

    def test_mistakes(self):
        self.mistake([], "name the directory of a run")
        self.mistake([self.fall, os.path.join(self.folder, "nowhere")], "nowhere: there is no such directory")
        self.mistake([self.fall, self.fall, "--out", os.path.join(self.folder, "x.svg")], "need a directory")
        self.mistake([self.fall, self.fall, "--from", 5], "no time from 5 s")
        self.mistake([os.path.join(self.folder, "nowhere")], "nowhere: there is no such directory", "capstan run")
        self.mistake([os.path.abspath(__file__)], "is a file; give the directory that capstan run made")
        scene = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../scenes/planar/incline.json")
        self.mistake([scene], "is a file, probably a scene; run it first (capstan run ")
        self.mistake([self.folder], "cache.h5")
        self.mistake([self.fall, "--only", "energys"], '"energys"', "energies, contacts")
        self.mistake([self.fall, "--size", "big"], "WIDTHxHEIGHT")
        self.mistake([self.fall, "--size", "10x10"], "300x200")
        self.mistake([self.fall, "--from", 2, "--to", 1], "no time from 2 s to 1 s")
        self.mistake([self.fall, "--from", 5], "no time from 5 s")
        self.mistake([self.fall, "--out", os.path.join(self.folder, "absent", "x.svg")], "absent/x.svg")

    def test_damaged(self):
        torn = os.path.join(self.folder, "torn.run")
        shutil.copytree(self.fall, torn)
        cache = os.path.join(torn, "cache.h5")
        with open(cache, "r+b") as file:
            file.truncate(os.path.getsize(cache) // 2)
        done = plot(torn)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("cache.h5", done.stderr)
        with open(cache, "wb"):
            pass
        self.mistake([torn], "cache.h5")

    def test_probe_in_disorder(self):
        odd = os.path.join(self.folder, "odd.run")
        shutil.copytree(self.fall, odd)
        os.remove(os.path.join(odd, "probes", "checksums.txt"))  # which would tell first that it was changed
        for text, mistake in (("when,x [m]\n0,1\n", 'tip.csv: there is no column "time [s]"'),
                              ("time [s],x [m]\n0,1\n1,2,3\n", "tip.csv: line 3 has 3 fields, not 2"),
                              ("time [s],x [m]\n0,1\n1\n", "tip.csv: line 3 has 1 fields, not 2")):
            with open(os.path.join(odd, "probes", "tip.csv"), "w", encoding="utf-8") as file:
                file.write(text)
            done = plot(odd, "--only", "probes")
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(mistake, done.stderr)


if __name__ == "__main__":
    unittest.main()
