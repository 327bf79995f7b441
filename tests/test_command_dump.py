"""`capstan dump` from outside: the files hold one problem in two forms, and the answer of one is that of the other."""
import glob
import json
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

COMMAND = os.environ.get("CAPSTAN_COMMAND", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../build/capstan"))

# Two layers of fibers that cross, clamped at their starts: they sag, press on each other and slide.
SCENE = """{
  "capstan": 1, "title": "mat", "dim": 3, "duration": 0.02, "time_step": {"dt": 1e-3}, "friction": 0.3,
  "fibers": [%s]
}"""
FIBER = ('{"name": "f%d", "elements": 3, "length": 0.3, "radius": 5e-4, "mass_per_length": 8e-3, "bending_stiffness": 5e-6, '
         '"damping_time": 0.05, "clamped": true, "position": [%g, %g, %g], "direction": [%g, %g, 0]}')


def scene_text():
    fibers = []
    for layer in (0, 1):
        for k in range(4):
            at = 0.04 + 0.05 * k
            place = (0.0, at, 1e-3, 1.0, 0.05) if layer else (at, 0.0, 0.0, 0.05, 1.0)
            fibers.append(FIBER % ((len(fibers),) + place))
    return SCENE % ", ".join(fibers)


def matrix(group):
    rows, columns = int(group["m"][0]), int(group["n"][0])
    out, start = np.zeros((rows, columns)), group["p"][:]
    for i in range(rows):
        for k in range(start[i], start[i + 1]):
            out[i, group["i"][k]] += group["x"][k]
    return out


class Dump(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.scene = os.path.join(self.place.name, "mat.json")
        self.out = os.path.join(self.place.name, "problems")
        with open(self.scene, "w", encoding="utf-8") as file:
            file.write(scene_text())

    def tearDown(self):
        self.place.cleanup()

    def run_command(self, *arguments, code=0):
        done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def dump(self, *arguments):
        return self.run_command("dump", self.scene, "--out", self.out, *arguments)

    def test_two_forms_are_one_problem(self):
        self.dump("--every", "4", "--form", "both")
        pairs = sorted(glob.glob(os.path.join(self.out, "*.global.hdf5")))
        self.assertEqual([os.path.basename(p) for p in pairs][:2], ["mat_000004.global.hdf5", "mat_000008.global.hdf5"])
        self.assertEqual(len(pairs), 5)
        warm = 0
        for path in pairs:
            with h5py.File(path) as one, h5py.File(path.replace(".global", ".local")) as other:
                m, h = matrix(one["fclib_global/M"]), matrix(one["fclib_global/H"])
                f, w = one["fclib_global/vectors/f"][:], one["fclib_global/vectors/w"][:]
                big, q = matrix(other["fclib_local/W"]), other["fclib_local/vectors/q"][:]
                self.assertGreaterEqual(len(q), 3 * 8)
                self.assertLess(abs(h.T @ np.linalg.solve(m, h) - big).max(), 1e-9 * abs(big).max())
                self.assertLess(abs(h.T @ np.linalg.solve(m, f) + w - q).max(), 1e-9 * abs(q).max())
                np.testing.assert_array_equal(one["fclib_global/vectors/mu"][:], other["fclib_local/vectors/mu"][:])
                np.testing.assert_array_equal(one["guesses/1/r"][:], other["guesses/1/r"][:])
                warm += np.count_nonzero(one["guesses/1/r"][:])
        self.assertGreater(warm, 0)  # impulses of the step before

    def test_the_problems_are_solved_and_alike(self):
        self.dump("--every", "5", "--form", "both")
        answers = os.path.join(self.place.name, "answers")
        done = self.run_command("solve", self.out, "--guess", "file", "--tol", "1e-9", "--json", "--out", answers)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(records), 8)
        self.assertTrue(all(r["status"] == "solved" for r in records))
        for path in glob.glob(os.path.join(answers, "*.global.hdf5")):
            with h5py.File(path) as one, h5py.File(path.replace(".global", ".local")) as other:
                u = one["solution/u"][:]
                self.assertLess(abs(u - other["solution/u"][:]).max(), 1e-7 * max(abs(u).max(), 1.0))

    def test_least_and_every(self):
        self.assertIn("0 problems of 20 steps", self.dump("--least", "1000").stdout)
        self.assertEqual(glob.glob(os.path.join(self.out, "*")), [])
        self.assertIn("2 problems of 10 steps", self.dump("--every", "5", "--duration", "0.01").stdout)

    def test_mistakes(self):
        self.assertIn("no scene", self.run_command("dump", code=2).stderr)
        self.assertIn("one scene", self.run_command("dump", self.scene, self.scene, code=2).stderr)
        self.assertIn("duration", self.run_command("dump", self.scene, "--set", "duration=-1", code=2).stderr)
        blocked = os.path.join(self.place.name, "file")
        with open(blocked, "w", encoding="utf-8") as file:
            file.write("x")
        self.assertNotEqual(self.run_command("dump", self.scene, "--out", blocked, code=2).stderr, "")


if __name__ == "__main__":
    unittest.main()
