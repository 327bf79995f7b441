"""`capstan run` on a disk that fills up, at every stage: a clear message, nothing corrupted, resumable once there is room."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
except ImportError:
    print("h5py is missing")
    sys.exit(77)

import run_fixture as fixture
from kill_resume import compare_runs

OPTIONS = ["--probe-each-step", "--progress", "none"]


def mount(folder, size):
    return subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%d" % size, "tmpfs", folder], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


class FullDisk(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.disk = os.path.join(cls.holder.name, "disk")
        os.mkdir(cls.disk)
        if not mount(cls.disk, 1 << 20):
            raise unittest.SkipTest("no small disk can be mounted (needs root)")
        cls.addClassCleanup(subprocess.run, ["umount", cls.disk], check=False)
        cls.scene = fixture.write_scene(cls.holder.name, duration=0.4)
        cls.whole = os.path.join(cls.holder.name, "whole.run")
        assert fixture.run(cls.scene, "--out", cls.whole, *OPTIONS).returncode == 0

    def resize(self, size):
        subprocess.run(["mount", "-o", "remount,size=%d" % size, self.disk], check=True)

    def fill(self, size):
        """A run on a disk of that size, then again with more room. Returns the reason of the first failure, or None."""
        place = os.path.join(self.disk, "a.run")
        shutil.rmtree(place, ignore_errors=True)
        self.resize(size)
        done = fixture.run(self.scene, "--out", place, *OPTIONS)
        if done.returncode == 0:
            return None
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("No space left on device", done.stderr)
        said = [line for line in done.stderr.splitlines() if ": warning: " not in line or not line.endswith("[disk]")]
        self.assertEqual(len(said), 2, done.stderr)  # what, and what to do
        reason = said[0].split("a.run/")[-1]
        if os.path.exists(os.path.join(place, "outcome.json")):
            outcome = fixture.outcome(place)
            self.assertEqual(outcome["state"], "failed")
            self.assertIn("No space left", outcome["reason"])
            self.assertLessEqual(outcome["saved_time"], outcome["time"])
        if os.path.exists(os.path.join(place, "checkpoint.bin")):
            with h5py.File(os.path.join(place, "cache.h5"), "r") as cache:
                self.assertEqual(cache["steps/time"].shape, cache["steps/error"].shape)
            again = fixture.run(self.scene, "--out", place, "--resume", *OPTIONS)  # still no room
            self.assertIn(again.returncode, (0, 2))
        self.resize(64 << 20)
        resumed = "--resume" if os.path.exists(os.path.join(place, "outcome.json")) else "--force"
        again = fixture.run(self.scene, "--out", place, resumed, *OPTIONS)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(compare_runs(self.whole, place), [])
        return reason

    def test_every_stage(self):
        reasons = {}
        sizes = list(range(8, 100, 16)) + list(range(100, 1100, 90))
        for size in sizes[:6] + sizes[6::4] + sizes[-1:] if fixture.sanitized() else sizes:
            reason = self.fill(size << 10)
            reasons.setdefault(reason.split(":")[0] if reason else None, []).append(size)
        self.assertIn(None, reasons)  # the last sizes are large enough
        self.assertIn("cache.h5", reasons)
        self.assertGreater(len(reasons), 3, reasons)


if __name__ == "__main__":
    unittest.main()
