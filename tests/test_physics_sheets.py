"""capstan-bench sheets at its quickest: bounds met, both meshes and the fabric in the tables."""
import os
import subprocess
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.environ.get("CAPSTAN_BENCH", os.path.join(HERE, "../build/capstan-bench"))
ENVIRONMENT = {**os.environ, "CAPSTAN_BENCH_DATA": os.path.join(HERE, os.pardir, "validate")}


class Sheets(unittest.TestCase):
    def test_bounds(self):
        done = subprocess.run([BENCH, "sheets", "--quick"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                              check=False, env=ENVIRONMENT)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertNotIn("MISSED", done.stdout)
        for word in ("diagonal", "staggered", "crossed", "quadratic", "gray-interlock"):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stdout.count("  met"), 9, done.stdout)


if __name__ == "__main__":
    unittest.main()
