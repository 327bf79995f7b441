"""`capstan run --resume`: after kills at random moments, after Ctrl-C, after damage; the same bits as if nothing had happened."""
import os
import random
import shutil
import signal
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
from kill_resume import compare_runs, kill_and_resume

KILLS = 5
FINE = ["--set", "time_step.dt=2.5e-4"]  # long enough for kills to hit


class Resume(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = cls.holder.name
        cls.scene = fixture.write_scene(cls.folder, duration=0.32)
        cls.whole = os.path.join(cls.folder, "whole.run")
        begun = time.monotonic()
        done = fixture.run(cls.scene, "--out", cls.whole, *FINE)
        assert done.returncode == 0, done.stderr
        cls.took = time.monotonic() - begun

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def setUp(self):
        self.place = os.path.join(self.folder, "a.run")
        shutil.rmtree(self.place, ignore_errors=True)

    def resume(self, *more):
        return fixture.run(self.scene, "--out", self.place, "--resume", *FINE, *more)

    def same(self):
        self.assertEqual(compare_runs(self.whole, self.place), [])
        left, right = fixture.outcome(self.whole), fixture.outcome(self.place)
        for timing in ("wall_seconds", "threads"):
            left.pop(timing), right.pop(timing)
        self.assertEqual(left, right)

    def stop(self, number, after):
        """Started, and a signal sent once the run is under way for so long, or for less if it had ended by then. Returns the finished
        process."""
        while True:
            process = subprocess.Popen([fixture.COMMAND, "run", self.scene, "--out", self.place, "--progress", "none", *FINE],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            while not os.path.exists(os.path.join(self.place, "checkpoint.bin")) and process.poll() is None:
                time.sleep(0.002)
            time.sleep(after)
            process.send_signal(number)
            process.message = process.communicate()[1]
            if process.returncode != 0:
                return process
            shutil.rmtree(self.place)
            after *= 0.5

    def test_kills_at_random_moments(self):
        rng = random.Random(7)
        duration, hit = 0.6 * self.took, 0
        while hit < 2:  # again where the machine was busier when the whole run was timed: the kills came after the end
            shutil.rmtree(self.place, ignore_errors=True)
            hit = kill_and_resume(fixture.COMMAND, self.scene, FINE, self.place, KILLS, duration, rng)
            self.same()
            duration *= 0.5

    def test_killed_runs_are_recognised(self):
        self.stop(signal.SIGKILL, 0.3 * self.took)
        self.assertEqual(fixture.outcome(self.place)["state"], "running")
        self.assertTrue(os.path.exists(os.path.join(self.place, "cache.h5")))
        plain = fixture.run(self.scene, "--out", self.place, *FINE)
        self.assertEqual(plain.returncode, 2)
        self.assertIn("--resume", plain.stderr)
        self.assertEqual(self.resume().returncode, 0)
        self.same()

    def test_killed_while_an_old_run_was_cleared(self):
        """What cst_run_directory_clear leaves, a lock and a scene, is no obstacle; somebody's scene without a lock is."""
        os.mkdir(self.place)
        shutil.copy(self.scene, os.path.join(self.place, "scene.json"))
        refused = fixture.run(self.scene, "--out", self.place, *FINE)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("holds no run", refused.stderr)
        with open(os.path.join(self.place, ".lock"), "w", encoding="utf-8"):
            pass
        self.assertEqual(fixture.run(self.scene, "--out", self.place, *FINE).returncode, 0)
        self.same()

    def test_interrupts(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            shutil.rmtree(self.place, ignore_errors=True)
            process = self.stop(number, 0.2 * self.took)
            self.assertEqual(process.returncode, 130, process.message)
            outcome = fixture.outcome(self.place)
            self.assertEqual(outcome["state"], "interrupted")
            self.assertEqual(outcome["saved_time"], outcome["time"])
            self.assertIn("--resume", process.message)
            with h5py.File(os.path.join(self.place, "cache.h5"), "r") as cache:
                self.assertEqual(cache["steps/time"][-1], outcome["time"])
            self.assertEqual(self.resume("--threads", 2).returncode, 0)
            self.same()

    def test_finished_runs_say_so(self):
        done = fixture.run(self.scene, "--out", self.whole, "--resume", *FINE)
        self.assertEqual(done.returncode, 0)
        self.assertIn("already finished", done.stdout)

    def test_longer(self):
        self.assertEqual(fixture.run(self.scene, "--out", self.place, "--duration", 0.15, *FINE).returncode, 0)
        self.assertEqual(self.resume("--duration", 0.1).returncode, 0)  # there is nothing to do
        self.assertEqual(self.resume().returncode, 0)  # the scene's own duration
        self.same()

    def test_another_scene_is_refused(self):
        self.assertEqual(fixture.run(self.scene, "--out", self.place, "--duration", 0.05, *FINE).returncode, 0)
        done = self.resume("--set", "rods[0].radius=0.005")
        self.assertEqual(done.returncode, 2)
        for words in ("another scene", '"radius": 0.004', '"radius": 0.005', '"rods"'):
            self.assertIn(words, done.stderr)
        done = self.resume("--set", "time_step.theta=0.5")  # a key that is the last of its object, or one more
        self.assertEqual(done.returncode, 2)
        self.assertIn('"theta": 0.5', done.stderr)
        done = self.resume("--probe-each-step")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--probe-each-step", done.stderr)
        self.assertEqual(self.resume().returncode, 0)
        self.same()

    def test_damaged_checkpoints(self):
        self.assertEqual(self.stop(signal.SIGINT, 0.3 * self.took).returncode, 130)
        last, previous = (os.path.join(self.place, name) for name in ("checkpoint.bin", "checkpoint.previous.bin"))
        kept = self.place + ".kept"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(self.place, kept)
        with open(last, "r+b") as file:
            file.seek(os.path.getsize(last) // 2)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))
        done = self.resume()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("went on from the one before", done.stderr)
        self.same()
        shutil.rmtree(self.place)
        shutil.move(kept, self.place)
        for path in (last, previous):
            os.truncate(path, os.path.getsize(path) - 5)
        done = self.resume()
        self.assertEqual(done.returncode, 2)
        self.assertIn("checkpoint.bin: is damaged", done.stderr)

    def test_without_any_checkpoint_it_begins_again(self):
        self.stop(signal.SIGKILL, 0.1 * self.took)
        for name in ("checkpoint.bin", "checkpoint.previous.bin"):
            path = os.path.join(self.place, name)
            if os.path.exists(path):
                os.remove(path)
        done = self.resume()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("began again", done.stderr)
        self.same()

    def test_results_that_were_changed_are_noticed(self):
        self.assertEqual(self.stop(signal.SIGINT, 0.2 * self.took).returncode, 130)
        probe = os.path.join(self.place, "probes", "tip.csv")
        os.truncate(probe, 100)
        done = self.resume()
        self.assertEqual(done.returncode, 2)
        self.assertIn("tip.csv", done.stderr)


if __name__ == "__main__":
    unittest.main()
