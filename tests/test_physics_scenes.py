"""`capstan-bench scenes`: scenes whose outcome is known come out so, and a scene with other physics is a miss."""
import os
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.environ.get("CAPSTAN_BENCH", os.path.join(HERE, "../build/capstan-bench"))
ROOT = os.path.join(HERE, os.pardir)


def scenes(root):
    return subprocess.run([BENCH, "scenes", "--quick"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                          check=False, env={**os.environ, "CAPSTAN_BENCH_DATA": os.path.join(root, "validate")})


class Scenes(unittest.TestCase):
    def test_known_outcomes(self):
        done = scenes(ROOT)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertNotIn("MISSED", done.stdout)
        self.assertIn("planar/cantilever: tip x", done.stdout)

    def test_other_physics_is_seen(self):
        """A slope with mu = 0.201 in place of 0.2 is slower by 0.6 %."""
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(os.path.join(root, "validate"))
            shutil.copytree(os.path.join(ROOT, "scenes", "planar"), os.path.join(root, "scenes", "planar"))
            path = os.path.join(root, "scenes", "planar", "incline.json")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            self.assertIn('"friction": 0.2,', text)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace('"friction": 0.2,', '"friction": 0.201,'))
            done = scenes(root)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertEqual(done.stdout.count("MISSED"), 1, done.stdout)


if __name__ == "__main__":
    unittest.main()
