"""Bodies that touch clamped or pinned material: the support is rigid, every step is solved, what rests on it stays above it."""
import glob
import json
import os
import subprocess
import tempfile
import unittest

CAPSTAN = os.environ["CAPSTAN_COMMAND"]
SCENES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "scenes", "supports")
# Scenes that begin within their support, m: nothing can move out, so nothing may go deeper.
DEEP_AT_FIRST = {"pinned_ball": 0.0105, "pinnedrod_ground": 1e-4, "clampedrod_ground": 1e-4, "clamped_obst_corde": 0.01}


class Supports(unittest.TestCase):
    def test_every_step_is_solved(self):
        scenes = sorted(glob.glob(os.path.join(SCENES, "*.json")))
        self.assertEqual(len(scenes), 10)
        for scene in scenes:
            name = os.path.splitext(os.path.basename(scene))[0]
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "out")
                done = subprocess.run([CAPSTAN, "run", scene, "--out", out], capture_output=True, text=True, timeout=600)
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(os.path.join(out, "outcome.json"), encoding="utf-8") as file:
                    outcome = json.load(file)
                self.assertEqual(outcome["steps_over_tolerance"], 0)
                self.assertLessEqual(outcome["worst_error"], 1e-8)
                self.assertLessEqual(outcome["deepest_penetration"], 1.001 * DEEP_AT_FIRST.get(name, 0) + 1e-5)


if __name__ == "__main__":
    unittest.main()
