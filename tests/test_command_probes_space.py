"""Position probes of a scene in space: the rotation vector of a body that turns at a constant rate."""
import csv
import os
import tempfile
import unittest

import run_fixture as fixture


class SpaceProbes(unittest.TestCase):
    def test_rotation_vector(self):
        rate, duration = 2.0, 0.5
        scene = {
            "capstan": 1, "title": "a ball that turns", "dim": 3, "duration": duration, "gravity": [0, 0, 0],
            "time_step": {"dt": 1e-3}, "output": {"frame_interval": 0.1},
            "rigid_bodies": [{"name": "ball", "shape": "sphere", "radius": 0.05, "mass": 1, "position": [1, 2, 3],
                              "velocity": [0.5, 0, 0], "angular_velocity": [0, rate, 0]}],
            "probes": [{"name": "ball", "type": "position", "body": "ball"}]}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scene.json")
            with open(path, "w", encoding="utf-8") as file:
                fixture.json.dump(scene, file)
            done = fixture.run(path, "--out", os.path.join(folder, "out"), "--progress", "none")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(os.path.join(folder, "out", "probes", "ball.csv"), encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["time [s]", "x [m]", "y [m]", "z [m]", "rx [rad]", "ry [rad]", "rz [rad]", "vx [m/s]",
                                         "vy [m/s]", "vz [m/s]"])
        self.assertEqual(len(rows), 6)
        for row in rows:
            at = {name.split(" ")[0]: float(value) for name, value in row.items()}
            self.assertAlmostEqual(at["x"], 1 + 0.5 * at["time"], places=9)
            self.assertAlmostEqual(at["vx"], 0.5, places=9)
            self.assertAlmostEqual(at["ry"], rate * at["time"], places=6)
            self.assertLess(abs(at["rx"]) + abs(at["rz"]), 1e-9)


if __name__ == "__main__":
    unittest.main()
