"""Scenes in which soft planar rods burst or gained energy: free flight, drops, random worlds. None may gain, all must be explained."""
import csv
import glob
import os
import subprocess
import tempfile
import unittest

import run_fixture

CAPSTAN = os.environ["CAPSTAN_COMMAND"]
SCENES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "scenes", "review")


class SoftRods(unittest.TestCase):
    def test_energy(self):
        scenes = sorted(glob.glob(os.path.join(SCENES, "*.json")))
        self.assertGreaterEqual(len(scenes), 8)
        for scene in scenes[::4] if run_fixture.sanitized() else scenes:  # they are long, and take the same ways through the code
            with self.subTest(os.path.basename(scene)), tempfile.TemporaryDirectory() as folder:
                out = os.path.join(folder, "out")
                done = subprocess.run([CAPSTAN, "run", scene, "--out", out], capture_output=True, text=True, timeout=600)
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(os.path.join(out, "probes", "e.csv"), encoding="utf-8", newline="") as file:
                    rows = [{key.split(" ")[0]: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
                self.assertGreater(len(rows), 30)
                energy = [row["kinetic"] + row["elastic"] + row["gravity"] for row in rows]
                size = max(abs(energy[0]), max(row["kinetic"] for row in rows))
                self.assertLessEqual(max(energy) - energy[0], 1e-3 * size)
                self.assertLessEqual(max(abs(row["unexplained"]) for row in rows), 1e-9 * size)


if __name__ == "__main__":
    unittest.main()
