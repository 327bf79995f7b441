"""`capstan export` from outside: files hold what the cache holds, are whole or not there, and mistakes are told in plain words.

Other readers than ours are in test_export_readers.py."""
import csv
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

try:
    import h5py  # noqa: F401
    import numpy as np
except ImportError:
    print("numpy or h5py is missing")
    sys.exit(77)

import export_fixture as exports
import run_fixture as fixture
import space_run
from test_command_full_disk import mount


def read_pc2(path):
    with open(path, "rb") as file:
        data = file.read()
    magic, version, points, start, step, samples = struct.unpack("<12siiffi", data[:32])
    assert (magic, version, start, step) == (b"POINTCACHE2\0", 1, 0.0, 1.0), path
    values = np.frombuffer(data, "<f4", offset=32)
    return values.reshape(samples, points, 3)


def read_obj(path):
    points, lines, faces = [], [], []
    with open(path, encoding="ascii") as file:
        for row in file:
            key, *rest = row.split()
            if key == "v":
                points.append([float(value) for value in rest])
            elif key in "lf":
                (lines if key == "l" else faces).append([int(value) for value in rest])
    return np.array(points), lines, faces


def setUpModule():
    """One run in the plane, one in space, one of 101 rods, one made up with other numbers of points in each frame."""
    holder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(holder.cleanup)
    Runs.folder = holder.name
    Runs.plane = exports.make_run(holder.name, "plane", duration=0.2)
    Runs.space = exports.make_run(holder.name, "space", exports.SPACE)
    Runs.many = exports.make_run(holder.name, "many", exports.many_rods(101))
    Runs.changing = exports.made_up(os.path.join(holder.name, "changing.run"))


class Runs(unittest.TestCase):
    folder = plane = space = many = changing = None

    def out(self, name):
        return os.path.join(self.folder, name)

    def export(self, place, name, form, *more):
        done = exports.export(place, "--format", form, "--out", self.out(name), *more)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return self.out(name)

    def refuses(self, *arguments, words):
        done = exports.export(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)


class Npz(Runs):
    def check(self, place):
        frames = exports.truth(place)
        with np.load(self.export(place, os.path.basename(place) + ".npz", "npz"), allow_pickle=False) as data:
            data = dict(data)
        np.testing.assert_array_equal(data["time"], [frame["time"] for frame in frames])
        first = frames[0]["items"]
        self.assertEqual([name.decode() for name in data["item_name"]], [item["name"] for item in first])
        np.testing.assert_array_equal(data["item_owner"], [item["owner"] for item in first])
        np.testing.assert_array_equal(data["item_id"], [item["id"] for item in first])
        np.testing.assert_array_equal(data["item_kind"], [item["as"] for item in first])
        np.testing.assert_array_equal(data["item_closed"], [item["closed"] for item in first])
        self.assertEqual(data["item_start"].shape, (len(frames), len(first) + 1))
        self.assertEqual(data["vertex_start"][-1], len(data["position"]))
        compared = contacts = triangles = 0
        for k, frame in enumerate(frames):
            start = data["item_start"][k]
            self.assertEqual(start[0], data["vertex_start"][k])
            for i, item in enumerate(frame["items"]):
                rows = slice(start[i], start[i + 1])
                np.testing.assert_array_equal(data["position"][rows], item["position"])
                np.testing.assert_array_equal(data["radius"][rows], item["radius"])
                np.testing.assert_array_equal(data["director"][rows], item["director"])
                compared += len(item["position"])
                corner = data["triangle"][data["triangle_first"][k]:data["triangle_first"][k] + data["triangle_count"][k]]
                np.testing.assert_array_equal(corner[corner[:, 0] == i, 1:], item["triangles"])
                triangles += len(item["triangles"])
            rows = slice(data["contact_start"][k], data["contact_start"][k + 1])
            truth = frame["contacts"]
            for name, own in (("id", "id"), ("position", "position"), ("normal", "normal"), ("force", "force"), ("velocity", "velocity"),
                              ("impulse", "impulse"), ("relative_velocity", "relative_velocity"), ("gap", "gap"), ("mu", "mu"),
                              ("error", "error"), ("state", "case"), ("obstacle", "obstacle_b")):
                np.testing.assert_array_equal(data["contact_" + name][rows], truth[own], name)
            np.testing.assert_array_equal(data["contact_body"][rows], np.stack([truth["body_a"], truth["body_b"]], 1))
            np.testing.assert_array_equal(data["contact_s"][rows], np.stack([truth["s_a"], truth["s_b"]], 1))
            contacts += len(truth["id"])
        return compared, contacts, triangles

    def test_plane(self):
        compared, contacts, _ = self.check(self.plane)
        self.assertTrue(compared > 500 and contacts > 5, (compared, contacts))

    def test_space(self):
        compared, contacts, triangles = self.check(self.space)
        self.assertTrue(compared > 50 and contacts > 10 and triangles > 50, (compared, contacts, triangles))

    def test_changing(self):
        self.check(self.changing)

    def test_archive(self):
        path = self.export(self.plane, "whole.npz", "npz")
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())  # sums match
            self.assertEqual({entry.compress_type for entry in archive.infolist()}, {zipfile.ZIP_STORED})
        again = self.export(self.plane, "again.npz", "npz")
        with open(path, "rb") as one, open(again, "rb") as other:
            self.assertEqual(one.read(), other.read())


class Csv(Runs):
    def test_tables(self):
        for place in (self.plane, self.changing):
            frames = exports.truth(place)
            out = self.export(place, "csv_" + os.path.basename(place), "csv")
            with open(os.path.join(out, "positions.csv"), newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            wanted = [(k, frame["time"], item, v) for k, frame in enumerate(frames) for item in frame["items"] for v in range(len(item["position"]))]
            self.assertEqual(len(rows), len(wanted))
            for row, (k, when, item, v) in zip(rows, wanted):
                self.assertEqual((int(row["frame"]), float(row["time"]), row["owner"], int(row["id"]), row["name"], int(row["vertex"])),
                                 (k, when, ("body", "obstacle")[item["owner"]], item["id"], item["name"], v))
                self.assertEqual([float(row[axis]) for axis in "xyz"], item["position"][v].tolist())
                self.assertEqual(float(row["radius"]), item["radius"][v])
            with open(os.path.join(out, "contacts.csv"), newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            force = np.concatenate([frame["contacts"]["force"] for frame in frames])
            state = np.concatenate([frame["contacts"]["case"] for frame in frames])
            np.testing.assert_array_equal([[float(row["f" + axis]) for axis in "xyz"] for row in rows], force)
            np.testing.assert_array_equal([int(row["state"]) for row in rows], state)
            self.assertGreater(len(rows), 2)


class Pc2(Runs):
    def test_points_in_time(self):
        frames = exports.truth(self.space)
        out = self.export(self.space, "pc2", "pc2")
        for i, name in ((2, "strand_1"), (3, "box")):
            points = read_pc2(os.path.join(out, name + ".pc2"))
            np.testing.assert_array_equal(points, np.array([frame["items"][i]["position"] for frame in frames], "f4"))
            base, lines, faces = read_obj(os.path.join(out, name + ".obj"))
            np.testing.assert_allclose(base, frames[0]["items"][i]["position"], rtol=0, atol=1e-9)
            if name == "box":
                np.testing.assert_array_equal(np.array(faces) - 1, frames[0]["items"][i]["triangles"])
            else:
                self.assertEqual(lines, [list(range(1, len(base) + 1))])
        # a ball is drawn: all its points at its radius from its centre, which moves
        points = read_pc2(os.path.join(out, "marble.pc2"))
        for k, frame in enumerate(frames):
            ball = frame["items"][4]
            distance = np.linalg.norm(points[k] - ball["position"][0], axis=1)
            np.testing.assert_allclose(distance, ball["radius"][0], rtol=1e-4)
        self.assertGreater(abs(points[-1] - points[0]).max(), 0.005)

    def test_many_are_one(self):
        frames = exports.truth(self.many)
        out = self.export(self.many, "pc2_many", "pc2")
        self.assertEqual(sorted(os.listdir(out)), ["export.json", "fibers.obj", "fibers.pc2", "ground.obj", "ground.pc2"])
        wanted = [np.concatenate([item["position"] for item in frame["items"] if item["owner"] == 0]) for frame in frames]
        np.testing.assert_array_equal(read_pc2(os.path.join(out, "fibers.pc2")), np.array(wanted, "f4"))
        lines = read_obj(os.path.join(out, "fibers.obj"))[1]
        self.assertEqual((len(lines), sum(map(len, lines))), (101, len(wanted[0])))
        thin = self.export(self.many, "pc2_thin", "pc2", "--every-fiber", 50)
        self.assertEqual(sorted(name for name in os.listdir(thin) if name.endswith(".pc2")), ["ground.pc2", "rod_0.pc2", "rod_100.pc2", "rod_50.pc2"])

    def test_changing_is_refused(self):
        self.refuses(self.changing, "--format", "pc2", "--out", self.out("never"), words=["fiber", "6 points at 0.02 s and 5", "PC2", "usd"])
        self.assertFalse(os.path.exists(self.out("never")))


class Sequences(Runs):
    def test_choice_of_frames(self):
        frames = exports.truth(self.plane)
        out = self.export(self.plane, "obj_some", "obj", "--from", 0.02, "--to", 0.08, "--every", 3)
        with open(os.path.join(out, "export.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        self.assertEqual([entry["frame"] for entry in manifest["frames"]], [4, 7, 10, 13, 16])
        self.assertEqual([entry["time"] for entry in manifest["frames"]], [frames[k]["time"] for k in (4, 7, 10, 13, 16)])
        self.assertEqual(sorted(name for name in os.listdir(out) if name.endswith(".obj")), ["frame_%05d.obj" % k for k in range(5)])
        self.assertEqual([entry["name"] for entry in manifest["objects"]], ["ground", "drum", "bar", "strip", "held", "coin"])
        for number, entry in enumerate(manifest["frames"]):
            points = read_obj(os.path.join(out, "frame_%05d.obj" % number))[0]
            strip = frames[entry["frame"]]["items"][3]["position"]
            at = 2 + 64 + len(frames[0]["items"][2]["position"])
            np.testing.assert_allclose(points[at:at + len(strip)], strip, rtol=0, atol=1e-9)

    def test_names(self):
        """Names are made what every format takes, and no two objects share one."""
        out = self.export(self.changing, "names", "obj")
        with open(os.path.join(out, "export.json"), encoding="utf-8") as file:
            names = [entry["name"] for entry in json.load(file)["objects"]]
        self.assertEqual(names, ["fiber", "fiber_body_1", "_1st_sheet", "body_3", "_1st_sheet_body_4"])

    def test_half_plane_is_where_it_should_be(self):
        """A square in the plane of the obstacle, wide enough for the bodies."""
        out = self.export(self.changing, "tilted", "obj")
        square = read_obj(os.path.join(out, "frame_00000.obj"))[0][:4]
        normal = np.array([0, 0.6, 0.8])
        np.testing.assert_allclose((square - [0, 0, -0.2]) @ normal, 0, atol=1e-8)  # 9 digits
        self.assertGreater(np.linalg.norm(square[0] - square[2]), 2)


class Places(Runs):
    def test_says_where(self):
        done = exports.export(self.plane, "--format", "usd")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"^wrote .*plane\.run/export\.usda: 41 frames, 6 objects, 1 file, \d+\.\d MB, \d+\.\d s\n$")
        done = exports.export(self.plane, "--format", "ply")
        self.assertRegex(done.stdout, r"^wrote .*plane\.run/export_ply: 41 frames, 6 objects, 42 files, ")
        self.assertEqual([name for name in os.listdir(self.plane) if "part" in name or "XXX" in name], [])

    def test_never_overwrites(self):
        for form in exports.FORMATS:
            path = self.out("kept_" + form)
            with open(path, "w", encoding="utf-8") as file:
                file.write("mine")
            self.refuses(self.plane, "--format", form, "--out", path, words=["exists", "--force"])
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "mine")

    def test_force(self):
        path = self.export(self.plane, "twice.usda", "usd")
        size = os.path.getsize(path)
        self.export(self.plane, "twice.usda", "usd", "--force", "--every", 10)
        self.assertLess(os.path.getsize(path), size)
        path = self.export(self.plane, "again_obj", "obj")
        self.export(self.plane, "again_obj", "obj", "--force", "--every", 10)
        self.assertEqual(len(os.listdir(path)), 6)
        # files of others are not removed
        with open(os.path.join(path, "export.json"), encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)["frames"]), 5)
        for name in ("mine.obj", ".mine", "frames", "frame_0"):
            mine = os.path.join(path, name)
            with open(mine, "w", encoding="utf-8") as file:
                file.write("mine")
            self.refuses(self.plane, "--format", "obj", "--out", path, "--force", words=["contains " + name, "is not replaced"])
            self.assertEqual(len(os.listdir(path)), 7)
            os.remove(mine)
        os.mkdir(os.path.join(path, "mine"))
        self.refuses(self.plane, "--format", "obj", "--out", path, "--force", words=["contains mine", "is not replaced"])
        self.assertEqual(len(os.listdir(path)), 7)
        os.rmdir(os.path.join(path, "mine"))
        os.remove(os.path.join(path, "export.json"))
        self.refuses(self.plane, "--format", "obj", "--out", path, "--force", words=["no export.json", "is not replaced"])
        self.assertEqual(len(os.listdir(path)), 5)
        strange = self.out("strange")
        os.mkdir(strange)
        self.refuses(self.plane, "--format", "obj", "--out", strange, "--force", words=["is not replaced"])
        self.refuses(self.plane, "--format", "usd", "--out", strange, "--force", words=["is no file"])

    def test_mistakes(self):
        self.refuses(words=["name the directory of one run"])
        self.refuses(self.plane, words=["--format usd, obj"])
        self.refuses(self.plane, "--format", "abc", words=["abc", "usd, obj, pc2"])
        self.refuses(self.plane, "--format", "usd", "--every", "0", words=["--every"])
        self.refuses(self.plane, "--format", "usd", "--every-fiber", "0", words=["--every-fiber"])
        self.refuses(self.plane, "--format", "usd", "--from", "7", "--out", self.out("no.usda"), words=["no frame between 7 s"])
        self.refuses("/nonexistent", "--format", "usd", words=["/nonexistent", "no such directory"])
        self.refuses(self.plane, "--format", "usd", "--out", "/nonexistent/a.usda", words=["/nonexistent/a.usda", "No such file"])
        self.refuses(self.plane, "--format", "obj", "--out", "/nonexistent/a", words=["/nonexistent/a", "No such file"])

    def test_not_finite(self):
        place = exports.made_up(self.out("nan.run"), nan_at=2)
        for form in set(exports.FORMATS) - {"pc2"}:
            self.refuses(place, "--format", form, "--out", self.out("nan_" + form), words=["0.04 s", "fiber", "not finite", "--to"])
            self.assertFalse(os.path.exists(self.out("nan_" + form)))
        self.export(place, "before_nan", "npz", "--to", 0.03)

    def test_bodies_that_leave(self):
        place = exports.made_up(self.out("leaves.run"), body_leaves=True)
        self.refuses(place, "--format", "usd", "--out", self.out("leaves.usda"), words=["0.04 s", "other bodies", "--from"])

    def test_usd_refuses_widths_that_become_uneven(self):
        """USD has one interpolation of the widths for all times: one width for all points, or one for each."""
        place = exports.made_up(self.out("uneven.run"), uneven_at=2)
        self.refuses(place, "--format", "usd", "--out", self.out("uneven.usda"), words=["0.04 s", "differ in radius", "--from"])
        path = self.export(place, "uneven_later.usda", "usd", "--from", 0.04)
        with open(path, encoding="ascii") as file:
            self.assertRegex(file.read().split('"body_3"')[1], r'float\[\] widths = \[[^]]*, [^]]*\] \(\s*interpolation = "vertex"')

    def test_damaged_cache(self):
        """Bytes turned over in a cache without checksums (format 2): files or a message, never a crash."""
        with open(os.path.join(self.changing, "cache.h5"), "rb") as file:
            good = file.read()
        broken = self.out("broken.run")
        os.mkdir(broken)
        generator = np.random.default_rng(5)
        outcomes = set()
        for trial in range(28):
            data = bytearray(good)
            for at in generator.integers(0, len(data), 12):
                data[at] ^= 1 << int(generator.integers(8))
            with open(os.path.join(broken, "cache.h5"), "wb") as file:
                file.write(data)
            # HDF5 itself loses memory on its way out of damaged files: not ours to find here.
            done = exports.export(broken, "--format", exports.FORMATS[trial % 7], "--out", self.out("from_broken"),
                                  env={**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"})
            self.assertIn(done.returncode, (0, 2), done.stderr)
            self.assertEqual(done.returncode == 0, os.path.exists(self.out("from_broken")))
            if done.returncode == 0:
                os.rename(self.out("from_broken"), self.out("from_broken_%d" % trial))
            outcomes.add(done.returncode)
        self.assertEqual(outcomes, {0, 2})

    def test_interrupted(self):
        """Ctrl-C in the middle: exit 130, nothing left."""
        place = exports.made_up(self.out("long.run"), count=600)
        for form in ("usd", "obj", "npz", "csv"):
            folder = self.out("stopped_" + form)
            for after in (0.02, 0.01, 0.005, 0.0, 0.0, 0.0):
                shutil.rmtree(folder, ignore_errors=True)
                os.mkdir(folder)
                process = subprocess.Popen([fixture.COMMAND, "export", place, "--format", form, "--out", os.path.join(folder, "out")],
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                while not os.listdir(folder) and process.poll() is None:
                    time.sleep(0.002)
                time.sleep(after)
                process.send_signal(signal.SIGINT)
                _, said = process.communicate(timeout=600)
                if process.returncode != 0:  # otherwise it was done before the signal: this process was kept waiting by others
                    break
            self.assertEqual(process.returncode, 130, said)
            self.assertRegex(said, "stopped")
            self.assertEqual(os.listdir(folder), [])

    def test_full_disk(self):
        disk = self.out("disk")
        os.mkdir(disk)
        if not mount(disk, 1 << 20):
            self.skipTest("no small disk can be mounted (needs root)")
        try:
            for form in exports.FORMATS:
                for kilobytes in (8, 32, 64):
                    subprocess.run(["mount", "-o", "remount,size=%d" % (kilobytes << 10), disk], check=True)
                    done = exports.export(self.plane, "--format", form, "--out", os.path.join(disk, "out"))
                    self.assertEqual(done.returncode, 2, (form, kilobytes, done.stdout))
                    self.assertIn("No space left on device", done.stderr, (form, kilobytes))
                    self.assertEqual(os.listdir(disk), [], (form, kilobytes))
        finally:
            subprocess.run(["umount", disk], check=True)


class Text(Runs):
    def test_usd_text(self):
        """What a reader of our own can see; usd-core reads the rest in test_export_readers.py."""
        with open(self.export(self.space, "text.usda", "usd", "--fps", 24), encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("#usda 1.0\n"))
        self.assertIn('doc = "a \\"quoted\\" title \\\\ with a backslash"', text)
        for line in ("metersPerUnit = 1", "timeCodesPerSecond = 24", "endTimeCode = 1.44", 'upAxis = "Z"', 'def BasisCurves "strand_1"',
                     'def Mesh "box"', 'def Points "contacts"'):
            self.assertIn(line, text)
        self.assertNotIn("normals", text)
        with open(self.export(self.plane, "some.usda", "usd", "--from", 0.02, "--every", 3), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("startTimeCode = 1\n", text)  # 0.02 s is 1.33 of the 0.015 s between frames
        points = text[text.index("points.timeSamples", text.index('"strip"')):]
        self.assertEqual(re.findall(r"^            ([\d.]+): ", points[:points.index("}")], re.M), [str(k) for k in range(1, 14)])
        with open(self.export(self.space, "normals.usda", "usd", "--normals"), encoding="utf-8") as file:
            self.assertIn("normal3f[] normals", file.read())

    def test_contact_with_itself(self):
        """A point of a fiber that touches itself gets the force of the contact once, as the points of two fibers would."""
        place = os.path.join(self.folder, "itself.run")
        run = space_run.Run("itself", ["fiber"], [])
        line = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
        contact = {"who": (1, 1, 0), "position": [1, 0, 0], "normal": [0, 0, 1], "force": [0, 0, 2.0], "case": 2}
        run.frame(0, [(0, 1, space_run.CURVE, 0, space_run.rows(line, 0.01, 0.0, space_run.directors(np.array(line, float), 1)), None)],
                  [contact])
        run.write(place)
        with open(self.export(place, "itself.usda", "usd"), encoding="utf-8") as file:
            text = file.read()
        force = re.search(r"primvars:contactForce[^\[]*\[([^\]]*)\]", text)
        self.assertEqual([float(value) for value in force.group(1).split(",")], [0.0, 2.0, 0.0], text)

    def test_help(self):
        done = exports.export("--help")
        self.assertEqual(done.returncode, 0)
        for option in ("--format", "--out", "--from", "--to", "--every", "--every-fiber", "--fps", "--normals", "--force"):
            self.assertRegex(done.stdout, re.escape(option) + r"\b")


if __name__ == "__main__":
    unittest.main()
