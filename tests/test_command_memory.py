"""`capstan run --memory SIZE`: a run that needs more memory stops with a message and exit status 2, at whatever allocation it happens, and goes on with more."""
import os
import shutil
import sys
import tempfile
import unittest

try:
    import h5py  # noqa: F401, for compare_runs
except ImportError:
    print("h5py is missing")
    sys.exit(77)

import run_fixture as fixture
from kill_resume import compare_runs

# Two layers of fibers: the second falls on the first, and the contacts take memory long after the scene has been built.
SCENE = """{
  "capstan": 1, "dim": 3, "duration": 0.048, "time_step": 2e-3,
  "obstacles": [{"name": "floor", "shape": "plane"}],
  "fibers": [%s],
  "output": {"frame_interval": 0.004, "checkpoint_interval": 0.004},
}"""
ROD = """{"name": "%s%d", "model": "super-helix", "elements": 6, "length": 0.5, "radius": 0.002, "mass_per_length": 0.02, "bending_stiffness": 1e-4,
  "twisting_stiffness": 1e-4, "direction": [%s], "position": [%g, %g, %g]}"""


def layers(count):
    along_x = [ROD % ("x", k, "1, 0, 0", 0.0, 0.02 * k + 0.01, 0.003) for k in range(count)]
    along_y = [ROD % ("y", k, "0, 1, 0", 0.02 * k + 0.01, 0.0, 0.012) for k in range(count)]
    return SCENE % ",\n".join(along_x + along_y)


class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if fixture.sanitized():
            raise unittest.SkipTest("sanitizers map memory of their own")
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.scene = os.path.join(cls.holder.name, "layers.json")
        with open(cls.scene, "w", encoding="utf-8") as file:
            file.write(layers(12))
        cls.whole = os.path.join(cls.holder.name, "whole.run")
        done = fixture.run(cls.scene, "--out", cls.whole, "--progress", "none")
        assert done.returncode == 0, done.stderr

    def with_memory(self, size):
        """Returns the simulated time up to which a run with that limit (kB) was saved, None: the scene could not be built, or "end"."""
        place = os.path.join(self.holder.name, "a.run")
        shutil.rmtree(place, ignore_errors=True)
        done = fixture.run(self.scene, "--out", place, "--progress", "none", "--memory", "%dK" % size)
        if done.returncode == 0:
            self.assertEqual(compare_runs(self.whole, place), [])
            return "end"
        self.assertEqual(done.returncode, 2, "%d kB: %s" % (size, done.stderr))
        self.assertIn("memory", done.stderr)
        if not os.path.exists(os.path.join(place, "outcome.json")):
            return None
        outcome = fixture.outcome(place)
        self.assertEqual(outcome["state"], "failed")
        self.assertIn("by --memory", done.stderr)
        again = fixture.run(self.scene, "--out", place, "--resume", "--progress", "none")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(compare_runs(self.whole, place), [])
        return outcome["saved_time"]

    def test_every_size(self):
        reached = [self.with_memory(size) for size in (4000, 9000, 15000, 17000, 20000, 22000, 100000)]
        self.assertIn("end", reached)
        self.assertTrue(any(time not in (None, 0, "end") for time in reached), reached)  # in the middle of the run
        self.assertEqual(reached[-1], "end", reached)

    def test_not_a_size(self):
        for size in ("20X", "-1G", "0", "1GB"):
            done = fixture.run(self.scene, "--out", os.path.join(self.holder.name, "b.run"), "--memory", size)
            self.assertEqual(done.returncode, 2)
            self.assertIn("is not a size", done.stderr)


if __name__ == "__main__":
    unittest.main()
