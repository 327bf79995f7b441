"""Hair on a head: the same bits by one thread and two, and after a SIGKILL and a resumption; at rest from the start with --from."""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import h5py
except ImportError:
    print("h5py is missing")
    sys.exit(77)

import run_fixture as fixture
from kill_resume import compare_runs

WISP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../scenes/hair/wisp.json")
# Forty hairs; more checkpoints than the scene asks for.
OPTIONS = ["--duration", "0.08", "--progress", "none", "--set", "generators.hair.count=40", "--set", "obstacles.head.detail=5", "--set", "obstacles.bust.detail=4",
           "--set", "output.checkpoint_interval=0.01", "--set", "output.frames_per_second=100"]


class Hair(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.whole = os.path.join(cls.holder.name, "whole.run")
        done = fixture.run(WISP, "--out", cls.whole, "--threads", 1, *OPTIONS)
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def setUp(self):
        self.other = os.path.join(self.holder.name, self.id())

    def test_threads(self):
        self.assertEqual(fixture.run(WISP, "--out", self.other, "--threads", 2, *OPTIONS).returncode, 0)
        self.assertEqual(compare_runs(self.whole, self.other), [])
        with h5py.File(os.path.join(self.whole, "cache.h5"), "r") as cache:
            self.assertGreater((cache["steps/sticking"][()] + cache["steps/sliding"][()]).max(), 20)
            self.assertLessEqual(cache["steps/error"][()].max(), 1e-4)

    def test_kill_and_resume(self):
        """Killed once there is a checkpoint to go on from. A run that ended before is begun anew elsewhere and killed sooner: at last at once,
        with seven of its eight checkpoints before it."""
        for wait in (0.3, 0.1, 0.03, 0.0, 0.0, 0.0):
            self.other += "+"
            process = subprocess.Popen([fixture.COMMAND, "run", WISP, "--out", self.other, *OPTIONS], stdout=subprocess.DEVNULL)
            while not os.path.exists(os.path.join(self.other, "checkpoint.bin")) and process.poll() is None:
                time.sleep(0.002)
            time.sleep(wait)
            process.kill()
            process.wait()
            if fixture.outcome(self.other)["state"] == "running":
                break
        self.assertEqual(fixture.outcome(self.other)["state"], "running")
        self.assertEqual(fixture.run(WISP, "--out", self.other, "--resume", *OPTIONS).returncode, 0)
        self.assertEqual(compare_runs(self.whole, self.other), [])

    def groom(self, **lists):
        """The lines that `capstan groom` writes for a scene in 3D."""
        path = self.other + ".json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"capstan": 1, "dim": 3, "duration": 1, "time_step": {"dt": 0.01}, **lists}, file)
        out = self.other + ".obj"
        done = subprocess.run([fixture.COMMAND, "groom", path, "--samples", "2", "--out", out], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            with open(out, encoding="utf-8") as file:
                return [line for line in file if line.startswith("l ")]
        self.assertIn("the scene has no fibers", done.stderr)
        return []

    def test_groom_writes_no_rigid_bodies(self):
        """A rigid capsule is drawn as a curve, but it is no fiber."""
        fiber = {"name": "hair", "elements": 3, "length": 0.3, "radius": 0.002, "mass_per_length": 6.6e-3, "bending_stiffness": 8e-6}
        capsule = {"name": "pin", "shape": "capsule", "length": 0.1, "radius": 0.01, "density": 1000, "position": [0, 0, 1]}
        self.assertEqual(len(self.groom(fibers=[fiber], rigid_bodies=[capsule])), 1)
        self.assertEqual(self.groom(rigid_bodies=[capsule]), [])

    def test_from_rest(self):
        """Hair that came to rest in another run, with contacts that press, stays where it is; hair as it is laid does not."""
        few = ["--progress", "none", "--set", "generators.hair.count=12", "--set", 'obstacles.head.motion.keys=[{"time": 0}]', "--set", "solver.tolerance=1e-6"]
        rest = self.other + ".rest"
        done = fixture.run(WISP, "--out", rest, *few, "--duration", 4, "--set", "until_rest=1e-4", "--set", "generators.hair.of.fiber.drag=0.05")
        self.assertEqual(done.returncode, 0, done.stderr)
        way = {}
        for name, more in (("laid", []), ("rested", ["--from", rest])):
            place = self.other + "." + name
            done = fixture.run(WISP, "--out", place, *few, "--duration", 0.08, *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(os.path.join(place, "cache.h5"), "r") as cache:
                hair = [list(cache["items/first_vertex"][()][cache["items/owner"][()] == 0])[k] for k in (0, -12)]
                points = cache["vertices/position"][()]
                count = len(points) - hair[1]  # the hairs of a frame follow each other, and those of the last frame are the last of all
                way[name] = abs(points[hair[1]:] - points[hair[0]:hair[0] + count]).max()
                pushing = int(cache["steps/sticking"][0] + cache["steps/sliding"][0])
        self.assertGreater(pushing, 5)
        self.assertIn("began", done.stdout)
        self.assertGreater(way["laid"], 5e-3)
        self.assertLess(way["rested"], 1e-3 * way["laid"])
        other = fixture.run(WISP, "--out", self.other, *few, "--set", "generators.hair.count=11", "--from", rest)
        self.assertEqual(other.returncode, 2)
        self.assertIn("another number of bodies", other.stderr)
        self.assertFalse(os.path.exists(self.other))
        done = fixture.run(WISP, "--out", self.other + ".rested", *few, "--duration", 0.1, "--resume")
        self.assertEqual(done.returncode, 2, "its bodies would begin elsewhere than those of its checkpoint did")
        self.assertIn("--from, or by a version of Capstan that builds other bodies", done.stderr)


if __name__ == "__main__":
    unittest.main()
