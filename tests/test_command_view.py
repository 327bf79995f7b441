"""`capstan view` from outside: the page holds what the cache holds, and says no in plain words."""
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy as np
except ImportError:
    print("numpy or h5py is missing")
    sys.exit(77)

import page_fixture as pages
import run_fixture as fixture


def view(*arguments, **options):
    return subprocess.run([fixture.COMMAND, "view", *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False,
                          **options)


def has_viewer():
    return "built without the viewer" not in view("/nonexistent").stderr


@unittest.skipUnless(has_viewer(), "capstan was built without its viewer")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        title = "</script><script>alert(1)</script> & <b>Łódź</b> \u2028"
        scene = fixture.write_scene(cls.folder.name, title=title, duration=0.2, camera={"center": [0.1, 0.2], "height": 0.7})
        cls.title = title
        cls.place = os.path.join(cls.folder.name, "scene.run")
        done = fixture.run(scene, cwd=cls.folder.name)
        assert done.returncode == 0, done.stderr
        cls.done = view(cls.place)
        cls.path = os.path.join(cls.place, "view.html")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_says_where(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""))
        self.assertRegex(self.done.stdout, r"^wrote .*scene\.run/view\.html: 41 frames, \d+\.\d MB, \d+\.\d s\n$")
        self.assertEqual([name for name in os.listdir(self.place) if name.endswith(".part")], [])

    def test_header(self):
        _, header = pages.elements(self.path)
        run, = header["runs"]
        self.assertEqual(run["title"], self.title)
        self.assertEqual(run["name"], "scene.run")
        self.assertEqual(run["bodies"], ["strip", "held", "coin"])
        self.assertEqual(run["obstacles"], ["ground", "drum", "bar"])
        self.assertEqual(run["camera"]["center"][:2], [0.1, 0.2])
        self.assertEqual(run["camera"]["height"], 0.7)
        self.assertEqual(run["dim"], 2)
        self.assertEqual([table["name"] for table in run["tables"]], ["steps", "energy", "ground", "pivot", "tip"])
        with h5py.File(os.path.join(self.place, "cache.h5")) as cache:
            np.testing.assert_array_equal(run["times"], cache["frames/time"][:])
            self.assertEqual(run["summary"]["steps"], len(cache["steps/time"]))
            self.assertEqual(run["summary"]["worst_error"], cache["steps/error"][:].max())
            self.assertEqual(run["summary"]["most_contacts"], cache["steps/contacts"][:].max())

    def test_one_file_without_network(self):
        with open(self.path, encoding="utf-8") as file:
            text = file.read()
        for word in ("<script src", "<link rel=\"stylesheet\"", "@import", "alert(1)</script>"):
            self.assertNotIn(word, text)
        self.assertIn("three.js authors", text)  # their licence asks for it
        self.assertTrue(text.rstrip().endswith("</html>"))

    def test_frames(self):
        found, header = pages.elements(self.path)
        with h5py.File(os.path.join(self.place, "cache.h5")) as cache:
            item = {name: cache["items/" + name][:] for name in ("first_vertex", "vertices", "drawn_as", "owner", "id")}
            position, radius = cache["vertices/position"][:], cache["vertices/radius"][:]
            compared = contacts = 0
            for number, frame in enumerate(pages.frames(found, header, 0)):
                first, count = cache["frames/first_item"][number], cache["frames/items"][number]
                traced = shape = 0
                for k in range(count):
                    row = first + k
                    self.assertEqual((frame["kind"][k], frame["id"][k], frame["obstacle"][k]),
                                     (item["drawn_as"][row], item["id"][row], item["owner"][row] == 1))
                    at = slice(item["first_vertex"][row], item["first_vertex"][row] + item["vertices"][row])
                    n = item["vertices"][row]
                    if item["drawn_as"][row] == 0:
                        error = np.abs(frame["position"][traced:traced + n] - position[at]).max()
                        self.assertLessEqual(error, 0.5001 * frame["quantum"])
                        self.assertLess(frame["quantum"], 1e-6)
                        np.testing.assert_array_equal(frame["radius"][traced:traced + n], radius[at].astype(np.float32))
                        traced += n
                        compared += n
                    else:
                        np.testing.assert_array_equal(frame["shape"][shape:shape + n, :3], position[at].astype(np.float32))
                        shape += n
                own = slice(cache["frames/first_contact"][number], cache["frames/first_contact"][number] + cache["frames/contacts"][number])
                np.testing.assert_array_equal(frame["force"], cache["contacts/force"][own].astype(np.float32))
                np.testing.assert_array_equal(frame["case"], cache["contacts/case"][own])
                np.testing.assert_array_equal(frame["ids"][2], cache["contacts/obstacle_b"][own])
                contacts += len(frame["case"])
            self.assertEqual(number + 1, 41)
            self.assertGreater(compared, 1000)
            self.assertGreater(contacts, 20)

    def test_tables(self):
        found, header = pages.elements(self.path)
        steps = pages.table(found, header, 0, 0)
        with h5py.File(os.path.join(self.place, "cache.h5")) as cache:
            for name in ("time", "dt", "error", "energy_kinetic", "work_friction"):
                np.testing.assert_array_equal(steps[name], cache["steps/" + name][:])
        tip = pages.table(found, header, 0, 4)
        rows = np.genfromtxt(os.path.join(self.place, "probes", "tip.csv"), delimiter=",", names=True, deletechars="")
        np.testing.assert_array_equal(tip["time"], rows[rows.dtype.names[0]])
        np.testing.assert_array_equal(tip["x"], rows[rows.dtype.names[1]])
        units = {column["name"]: column["unit"] for column in header["runs"][0]["tables"][4]["columns"]}
        self.assertEqual((units["time"], units["x"], units["angle"]), ("s", "m", "rad"))

    def test_choice(self):
        out = os.path.join(self.folder.name, "thin.html")
        done = view(self.place, "--from", "0.05", "--to", "0.15", "--every", "4", "--out", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        found, header = pages.elements(out)
        np.testing.assert_allclose(header["runs"][0]["times"], [0.05, 0.07, 0.09, 0.11, 0.13, 0.15], atol=1e-12)
        times = pages.table(found, header, 0, 0)["time"]
        self.assertTrue(times.min() >= 0.05 and times.max() <= 0.15)
        self.assertEqual(len(list(pages.frames(found, header, 0))), 6)

    def test_two_runs(self):
        done = view(self.place, self.place + "/")
        self.assertEqual(done.returncode, 0, done.stderr)
        found, header = pages.elements(os.path.join(self.place, "view_scene.run.html"))
        self.assertEqual(len(header["runs"]), 2)
        for one, other in zip(pages.frames(found, header, 0), pages.frames(found, header, 1)):
            np.testing.assert_array_equal(one["position"], other["position"])

    def test_mistakes(self):
        def refuses(*arguments, words):
            done = view(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            for word in words:
                self.assertIn(word, done.stderr)
        refuses(words=["one run, or of two"])
        refuses(self.place, self.place, self.place, words=["one run, or of two"])
        refuses("/nonexistent", words=["/nonexistent", "no such directory"])
        refuses(self.folder.name, words=[self.folder.name])
        refuses(self.place, "--from", "7", words=["no frame between 7 s"])
        refuses(self.place, "--every", "0", words=["--every"])
        refuses(self.place, "--out", "/nonexistent/page.html", words=["/nonexistent/page.html", "No such file"])

    def test_keeps_the_old_page(self):
        """A page that cannot be written leaves what was there."""
        out = os.path.join(self.folder.name, "kept.html")
        with open(out, "w", encoding="utf-8") as file:
            file.write("old")
        self.assertEqual(view(self.place, "--from", "7", "--out", out).returncode, 2)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")
        self.assertNotIn("kept.html.part", os.listdir(self.folder.name))

    def test_damaged_cache(self):
        """Bytes turned over here and there: a page or a message, never a crash."""
        with open(os.path.join(self.place, "cache.h5"), "rb") as file:
            good = file.read()
        broken = os.path.join(self.folder.name, "broken")
        os.makedirs(broken, exist_ok=True)
        generator = np.random.default_rng(3)
        for _ in range(12):
            data = bytearray(good)
            for at in generator.integers(0, len(data), 40):
                data[at] ^= 255
            with open(os.path.join(broken, "cache.h5"), "wb") as file:
                file.write(data)
            # HDF5 itself loses memory on its way out of damaged files: not ours to find here.
            done = view(broken, env={**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"})
            self.assertIn(done.returncode, (0, 2), done.stderr)
            if done.returncode == 2:
                self.assertTrue(done.stderr.startswith("capstan view: "), done.stderr)


class Help(unittest.TestCase):
    def test_help(self):
        done = view("--help")
        self.assertEqual(done.returncode, 0)
        for option in ("--out", "--open", "--from", "--to", "--every"):
            self.assertIn(option, done.stdout)

    def test_without_viewer(self):
        """Whether or not it was built in, the command is there and exits as it should."""
        done = view("/nonexistent")
        self.assertEqual(done.returncode, 2)
        self.assertTrue("no such directory" in done.stderr or "npm" in done.stderr)


if __name__ == "__main__":
    unittest.main()
