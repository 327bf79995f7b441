"""One ring squeezed between plates against its closed form, and the work of a moving wall against that of a pushed block."""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
COMMAND = os.environ.get("CAPSTAN_COMMAND", os.path.join(HERE, "../build/capstan"))
sys.path.insert(0, os.path.join(HERE, os.pardir, "validate", "scenes"))

from hysteresis import STORED, Hysteresis  # noqa: E402

RADIUS, BENDING, THICK = 0.01, 1e-5, 0.0007


class Compression(unittest.TestCase):
    def run_scene(self, scene):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        path = os.path.join(holder.name, "scene.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"capstan": 1, **scene}, file)
        place = os.path.join(holder.name, "run")
        done = subprocess.run([COMMAND, "run", path, "--out", place, "--probe-each-step", "--progress", "none"], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return Hysteresis(place)

    def squeeze(self, elements, depth, duration, keys, time_step, **rod):
        """A ring whose elements are touched in their middles."""
        turned = math.pi / elements
        return self.run_scene({
            "gravity": [0, 0], "duration": duration, "time_step": time_step, "friction": 0.3,
            "rods": [{"name": "ring", "closed": True, "elements": elements, "length": 2 * math.pi * RADIUS, "radius": THICK,
                      "bending_stiffness": BENDING, "angle": turned,
                      "position": [RADIUS * math.sin(turned), -RADIUS * math.cos(turned)], **rod}],
            "obstacles": [
                {"name": "ground", "shape": "half_plane", "position": [0, -RADIUS - THICK]},
                {"name": "lid", "shape": "half_plane", "position": [0, RADIUS + THICK], "normal": [0, -1],
                 "motion": {"smooth": len(keys) > 2, "keys": [{"time": t, "translation": [0, -depth * x]} for t, x in keys]}}],
            "probes": [{"name": "lid", "type": "obstacle_force", "obstacle": "lid"}]})

    def test_stiffness_of_a_ring(self):
        """Two opposite forces F bring the poles of a ring nearer by (pi/4 - 2/pi) F R^3 / EI (Castigliano). Order 2."""
        exact = BENDING / RADIUS ** 3 / (math.pi / 4 - 2 / math.pi)
        error = []
        for elements in (8, 16, 32):
            run = self.squeeze(elements, 0.05 * RADIUS, 0.2, ((0, 0), (0.2, 1)),
                               {"dt": 0.01, "quasi_static": True, "iterations": 30}, mass_per_length=1e-5)
            lid = run.lids[0]
            x, force = lid.displacement()[1:] / RADIUS, lid.resistance()[1:]
            secant = force / (x * RADIUS * exact)
            self.assertLess(secant[-1], secant[0])  # it softens
            error.append(np.polyfit(x, secant, 2)[-1] - 1)
        self.assertAlmostEqual(math.log2(error[0] / error[1]), 2, delta=0.25, msg=error)
        self.assertAlmostEqual(math.log2(error[1] / error[2]), 2, delta=0.12, msg=error)
        self.assertLess(abs((4 * error[2] - error[1]) / 3), 2e-3, error)

    def test_budget_of_a_ring(self):
        """Half its radius in and out: what the lid gives is in the ring, the budget closes, the loop is what viscosity took."""
        run = self.squeeze(12, 0.5 * RADIUS, 1.0, ((0, 0), (0.5, 1), (1, 0)), {"dt": 2e-3}, mass_per_length=0.01,
                           damping_time=5e-3)
        ((first, last),) = run.cycles()
        self.assertAlmostEqual(run.time[first], 0, delta=0.01)
        self.assertAlmostEqual(run.time[last], 1, delta=0.01)
        top = run.at(0.5)
        half = run.budget(first, top)
        self.assertGreater(half["elastic"], 0.9 * half["work"])
        whole = run.budget(first, last)
        self.assertLess(abs(whole["sum"]), 1e-9 * whole["work_in"])
        self.assertLess(whole["closure"], 1e-3)
        self.assertGreater(whole["viscosity"], 0.5 * whole["work"])
        self.assertGreater(whole["work"], 0)

    def test_work_of_a_pushed_block(self):
        """A wall pushes a block of mass m over a floor by d: W = mu m g d, all of it taken by friction."""
        mu, mass, way = 0.3, 0.5, 0.2
        run = self.run_scene({
            "gravity": [0, -10], "duration": 1.0, "time_step": 1e-3,
            "friction": {"default": 0, "pairs": [{"between": ["block", "floor"], "friction": mu}]},
            "rigid_bodies": [{"name": "block", "shape": "polygon", "mass": mass,
                              "corners": [[0, 0], [0.2, 0], [0.2, 0.05], [0, 0.05]], "position": [0.1, 0.025]}],
            "obstacles": [
                {"name": "floor", "shape": "half_plane"},
                {"name": "wall", "shape": "half_plane", "position": [0, 0], "normal": [1, 0],
                 "motion": {"smooth": True, "keys": [{"time": 0}, {"time": 1, "translation": [way, 0]}]}}],
            "probes": [{"name": "wall", "type": "obstacle_force", "obstacle": "wall"}]})
        budget = run.budget(0, len(run.time) - 1)
        exact = mu * mass * 10 * way
        self.assertAlmostEqual(budget["friction"] / exact, 1, delta=1e-4)
        self.assertAlmostEqual(budget["work"] / exact, 1, delta=2e-3)  # the last steps: it slides on by itself
        self.assertAlmostEqual(budget["work"] - budget["friction"], sum(budget[name] for name in STORED) + budget["scheme"]
                               + budget["contacts"], delta=1e-9 * exact)


if __name__ == "__main__":
    unittest.main()
