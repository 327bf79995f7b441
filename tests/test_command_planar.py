"""Throughput of the planar scenes at its smallest: both methods, both tolerances, from the same states."""
import csv
import os
import subprocess
import tempfile
import unittest

BENCH = os.environ["CAPSTAN_BENCH"]
HERE = os.path.dirname(os.path.abspath(__file__))


class Throughput(unittest.TestCase):
    def test_quick(self):
        environment = dict(os.environ, CAPSTAN_BENCH_DATA=os.path.join(HERE, os.pardir, "validate"))
        with tempfile.TemporaryDirectory() as out:
            done = subprocess.run([BENCH, "planar", "--quick", "--out", out], capture_output=True, text=True,
                                  env=environment, timeout=600)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(os.path.join(out, "planar_throughput.csv"), encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
            for ending in ("png", "svg"):
                self.assertGreater(os.path.getsize(os.path.join(out, "planar_steps." + ending)), 1000)
        by = {(row["scene"], float(row["tolerance"]), row["method"]): row for row in rows}
        for scene in ("rod_on_disk", "incline"):
            for tolerance in (1e-6, 1e-8):
                own = by[scene, tolerance, "auto"]
                other = by[scene, tolerance, "projected-gauss-seidel"]
                self.assertLessEqual(float(own["worst_E"]), tolerance)
                self.assertEqual(int(own["steps_over"]), 0)
                self.assertGreater(float(own["contacts_per_step"]), 5)
                self.assertGreater(float(own["steps_per_s"]), 0)
                if other["complete"] == "1":  # the same span; the last step may end beyond it
                    self.assertAlmostEqual(float(own["simulated_s"]), float(other["simulated_s"]), delta=2e-3)
                self.assertEqual(float(own["start_s"]), float(other["start_s"]))


if __name__ == "__main__":
    unittest.main()
