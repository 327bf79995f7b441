"""Arcs against chords at its quickest, and the two rides on contact alone: a bicycle that rolls, an arrow that is thrown."""
import csv
import math
import os
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
COMMAND = os.environ.get("CAPSTAN_COMMAND", os.path.join(HERE, "../build/capstan"))
BENCH = os.environ.get("CAPSTAN_BENCH", os.path.join(HERE, "../build/capstan-bench"))
SCENES = os.path.join(HERE, os.pardir, "scenes", "planar")


def rows(path):
    with open(path, encoding="utf-8") as file:
        table = csv.reader(file)
        names = [name.split(" [")[0] for name in next(table)]
        return [dict(zip(names, row)) for row in table]


class HighOrder(unittest.TestCase):
    def folder(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        return holder.name

    def program(self, path, *arguments):
        done = subprocess.run([path, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout

    def run_scene(self, name, *arguments):
        run = os.path.join(self.folder(), "run")
        self.program(COMMAND, "run", os.path.join(SCENES, name + ".json"), "--out", run, "--progress", "none", *arguments)
        return lambda probe: [{key: float(value) for key, value in row.items()}
                              for row in rows(os.path.join(run, "probes", probe + ".csv"))]

    def test_arcs_beat_chords(self):
        folder = self.folder()
        self.assertNotIn("MISSED", self.program(BENCH, "high-order", "--quick", "--out", folder))
        found = rows(os.path.join(folder, "high_order.csv"))
        error = {(row["scene"], row["contour"], int(row["n"])): row for row in found}
        self.assertEqual({row["scene"] for row in found}, {"roll", "rock", "draw"})
        for scene, contour, n in error:
            self.assertLessEqual(float(error[scene, contour, n]["largest_residual"]), 1e-8)
            for figure in ("force_error_over_weight", "trajectory_error_over_size"):
                arcs, chords = (float(error[scene, kind, n][figure]) for kind in ("arcs", "chords"))
                self.assertLess(3 * arcs, chords, (scene, n, figure))
        for name in ("high_order_force", "high_order_trajectory", "high_order_force_time", "high_order_trajectory_time",
                     "high_order_trace"):
            self.assertGreater(os.path.getsize(os.path.join(folder, name + ".svg")), 1000)

    def test_wheels_roll_by_friction_alone(self):
        coarse = ("--duration", 1.6, "--set", "time_step.dt=1e-3")
        probe = self.run_scene("bicycle", *coarse)
        for name in ("rear", "front"):
            wheel = probe(name)
            way = sum(math.dist((a["x"], a["y"]), (b["x"], b["y"])) for a, b in zip(wheel, wheel[1:]))
            self.assertGreater(way, 0.5)
            # the hub goes R + r for every radian relative to the rope where the rope is straight, and that turns by a few degrees
            self.assertAlmostEqual(-wheel[-1]["angle"] * 0.34 / way, 1, delta=0.05)
        probe = self.run_scene("bicycle_slippery", *coarse)
        self.assertEqual(max(abs(row["angle"]) for row in probe("front")) < 1e-9, True)
        rear = probe("rear")[-1]["angle"]
        self.assertAlmostEqual(rear / -(17 * (0.5 * 0.5 * 0.5 / 3 + 0.25 * 0.6 + 0.5 * 0.6**2) / 0.2), 1, delta=5e-3)

    def test_an_arrow_flies(self):
        probe = self.run_scene("archery", "--duration", 0.8, "--set", "time_step.dt=8e-5")
        arrow, energy = probe("arrow"), probe("energy")
        drawn = min(energy, key=lambda row: abs(row["time"] - 0.6))
        thrown = 0.5 * 0.05 * (arrow[-1]["vx"]**2 + arrow[-1]["vy"]**2)
        self.assertLess(thrown, drawn["elastic"])
        self.assertGreater(thrown, 0.7 * drawn["elastic"])
        self.assertLess(abs(energy[-1]["unexplained"]), 0.01 * drawn["elastic"])
        fall = [row for row in arrow if row["time"] > 0.7]
        for before, after in zip(fall, fall[1:]):
            self.assertEqual(before["vx"], after["vx"])
            self.assertAlmostEqual((after["vy"] - before["vy"]) / (after["time"] - before["time"]), -9.81, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
