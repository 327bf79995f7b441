"""Hair on a head: the same bits by one thread and two, and after a SIGKILL and a resumption."""
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


if __name__ == "__main__":
    unittest.main()
