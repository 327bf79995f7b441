"""Energy that the budget leaves unexplained: named in the summary, in outcome.json and on the terminal, and an error with --strict."""
import json
import os
import subprocess
import tempfile
import unittest

CAPSTAN = os.environ["CAPSTAN_COMMAND"]

# A plate that spins fast between elastic walls: with long steps it turns far in the step of an impact, which the budget cannot explain.
WALLS = (([0, 0, 0], [0, 0, 1]), ([0, 0, 1], [0, 0, -1]), ([1, 0, 0], [-1, 0, 0]), ([-1, 0, 0], [1, 0, 0]))
SCENE = {"capstan": 1, "dim": 3, "duration": 0.5, "gravity": [0, 0, 0], "friction": {"default": 0, "restitution": 1},
         "rigid_bodies": [{"name": "plate", "shape": "box", "edges": [0.02, 0.15, 0.1], "density": 1000, "position": [0.1, 0, 0.3],
                           "velocity": [5, 0, -5], "angular_velocity": [60, 40, 30]}],
         "obstacles": [{"name": "wall%d" % k, "shape": "plane", "position": at, "normal": normal} for k, (at, normal) in enumerate(WALLS)]}


class Unexplained(unittest.TestCase):
    def run_with(self, dt, *options):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        scene, out = os.path.join(holder.name, "scene.json"), os.path.join(holder.name, "out")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump({**SCENE, "time_step": dt}, file)
        done = subprocess.run([CAPSTAN, "run", scene, "--out", out, *options], capture_output=True, text=True, timeout=600)
        with open(os.path.join(out, "outcome.json"), encoding="utf-8") as file:
            return done, json.load(file)["energy"]

    def test_long_steps(self):
        done, energy = self.run_with(8e-3, "--progress", "none")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIs(energy["explained"], False)
        self.assertGreater(energy["unexplained_most"], 0.01 * energy["moved"])
        self.assertGreaterEqual(energy["unexplained_most"], abs(energy["unexplained"]))
        self.assertGreater(energy["unexplained_in_step"], 0)
        self.assertRegex(done.stdout, r"J unexplained beside .* J that moved; most in step %d, at" % energy["unexplained_step"])
        done, energy = self.run_with(8e-3, "--strict", "--progress", "json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("J of energy unexplained beside", done.stderr)
        end = json.loads(done.stdout.splitlines()[-1])
        self.assertIs(end["energy_explained"], False)
        self.assertEqual(end["energy_moved"], energy["moved"])

    def test_short_steps(self):
        done, energy = self.run_with(1e-4, "--strict", "--progress", "none")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIs(energy["explained"], True)
        self.assertLess(energy["unexplained_most"], 0.01 * energy["moved"])
        self.assertAlmostEqual(energy["moved"], energy["kinetic"], delta=0.1 * energy["kinetic"])
        self.assertNotIn("that moved", done.stdout)


if __name__ == "__main__":
    unittest.main()
