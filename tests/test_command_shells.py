"""The stack of shells in small: six of them in a narrow bin, dropped and pressed once, held to the checks of the scene."""
import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "validate", "scenes", "planar"))
try:
    import check_shells
except ImportError:
    print("numpy, scipy or h5py is missing")
    sys.exit(77)

import run_fixture as fixture

SCENE = os.path.join(HERE, os.pardir, "scenes", "planar", "shells.json")


class Shells(unittest.TestCase):
    def press(self, folder, friction):
        place = os.path.join(folder, "few%g.run" % friction)
        keys = [{"time": 0.0}, {"time": 0.5, "translation": [0, -0.33]}, {"time": 0.9, "translation": [0, -0.4]},
                {"time": 1.3, "translation": [0, -0.33]}]
        changes = {"generators.shell.columns": 3, "generators.shell.rows": 2, "obstacles.right.position": [0.115, 0],
                   "obstacles.lid.motion.keys": keys, "duration": 1.3, "friction": friction, "output.frame_interval": 0.01}
        done = fixture.run(SCENE, "--out", place, "--probe-each-step", *[
            word for key, value in changes.items() for word in ("--set", "%s=%s" % (key, json.dumps(value)))])
        self.assertEqual(done.returncode, 0, done.stderr)
        return place

    def test_pressed(self):
        with tempfile.TemporaryDirectory() as folder:
            for friction in (0.2, 0.6):
                place = self.press(folder, friction)
                for what, value, bound, good in check_shells.check(place, friction_share=0):  # that of few is asked for below
                    self.assertTrue(good, "mu = %g: %s: %s, bound %s" % (friction, what, value, bound))
                loops = check_shells.Hysteresis(place)
                spent = loops.budget(*loops.cycles()[0])
                self.assertGreater(spent["friction"], 0.05 * spent["work_in"])
                self.assertLess(abs(spent["sum"]), 1e-9 * spent["work_in"])


if __name__ == "__main__":
    unittest.main()
