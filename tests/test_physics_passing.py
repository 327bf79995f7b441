"""Nothing passes through anything with the paper's fixed steps of 11 ms: the knot stays a trefoil, the plectoneme keeps its link."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
COMMAND = os.environ.get("CAPSTAN_COMMAND", os.path.join(HERE, "../build/capstan"))
SCENES = os.path.join(HERE, os.pardir, "scenes", "fibers")
CHECKS = os.path.join(HERE, os.pardir, "validate", "scenes", "fibers")


def run(scene, folder):
    path = os.path.join(folder, scene + ".run")
    return path, subprocess.run([COMMAND, "run", os.path.join(SCENES, scene + ".json"), "--set", "time_step.adaptive=false", "--out",
                                 path, "--progress", "none"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                                check=False)


def check(script, path):
    return subprocess.run([sys.executable, os.path.join(CHECKS, script), path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, check=False)


class Passing(unittest.TestCase):
    def test_fixed_steps_of_the_paper(self):
        for scene, script in (("overhand_knot_paper", "knot.py"), ("plectoneme_paper", "plectoneme.py")):
            with tempfile.TemporaryDirectory() as folder:
                path, done = run(scene, folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("begun again", done.stdout)  # steps were cut although the scene is not adaptive
                found = check(script, path)
                self.assertEqual(found.returncode, 0, found.stdout)


if __name__ == "__main__":
    unittest.main()
