"""validate/scenes/check_overlap.py finds overlaps of known depth, crossings and missed contacts that are planted, and nothing else."""
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy as np
    import scipy.spatial  # noqa: F401, pylint: disable=unused-import
except ImportError:
    print("numpy, scipy or h5py is missing")
    sys.exit(77)

import run_fixture as fixture
import check_overlap

RADIUS, BEND = 1e-3, 0.02  # of contact, of the curved rods


def rod(name, position, angle=0.0, curvature=0.0, length=0.06, **more):
    return {"name": name, "elements": 8, "length": length, "radius": RADIUS, "mass_per_length": 0.02, "bending_stiffness": 1e-4,
            "natural_curvature": curvature, "position": position, "angle": angle, **more}


def arc(name, centre, bend, turn=math.pi):
    """From the right, to the left around the centre."""
    return rod(name, [centre[0] + bend, centre[1]], math.pi / 2, 1 / bend, bend * turn)


class CheckOverlap(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def simulate(self, **scene):
        """Bodies that stay where they are: no gravity, and overlaps are not undone."""
        path = fixture.write_scene(self.folder, **{
            "gravity": [0, 0], "duration": 2e-3, "time_step": 1e-3, "friction": 0, "contact": {"stabilisation": 0},
            "output": {"frame_interval": 1e-3}, "rigid_bodies": [], "obstacles": [], "constraints": [], "probes": [], **scene})
        done = fixture.run(path, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return os.path.join(self.folder, "scene.run")

    def look(self, run, frame=-1):
        one = check_overlap.Run(run)
        return [(one.name(o.a), one.name(o.b), o.depth, o.crossing, bool(o.missed))
                for o in check_overlap.overlaps_of_frame(one, frame % len(one.times))]

    def verdict(self, run, *options):
        return subprocess.run([sys.executable, check_overlap.__file__, run, *options], capture_output=True, text=True,
                              check=False)

    def assert_overlap(self, found, names, depth):
        self.assertEqual(len(found), 1, found)
        self.assertEqual(set(found[0][:2]), set(names))
        self.assertAlmostEqual(found[0][2], depth, delta=3 * check_overlap.SAGITTA)

    def test_nested_arcs(self):
        run = self.simulate(rods=[arc("inner", [0, 0], BEND), arc("outer", [0, 0], BEND + 1.7 * RADIUS)])
        self.assert_overlap(self.look(run, 0), ("inner", "outer"), 0.3)
        self.assertTrue(self.look(run, 0)[0][4], "the first frame has no contacts yet")
        self.assert_overlap(self.look(run), ("inner", "outer"), 0.3)
        self.assertFalse(self.look(run)[0][4], "the contacts of the two are in the cache")
        self.assertEqual(self.verdict(run).returncode, 1)

    def test_nothing(self):
        run = self.simulate(rods=[arc("inner", [0, 0.1], BEND), arc("outer", [0, 0.1], BEND + 2.01 * RADIUS),
                                  arc("tight", [0.2, 0.1], 2 * RADIUS, 4.5),  # its ends are 0.5 r farther than 2 r apart
                                  rod("beside", [0.1, 0.00101])],
                            obstacles=[{"name": "ground", "shape": "half_plane", "position": [0, 0]},
                                       {"name": "post", "shape": "disk", "position": [0.1, 0.01203], "radius": 0.01},
                                       {"name": "bowl", "shape": "disk", "position": [0.1, 0], "radius": 0.5, "hollow": True}])
        self.assertEqual([self.look(run, frame) for frame in (0, 1, 2)], [[]] * 3)
        done = self.verdict(run)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("3 frames: deepest overlap 0.0000", done.stdout)

    def test_obstacles_and_disks(self):
        run = self.simulate(rods=[rod("low", [0, 0.7 * RADIUS]), rod("high", [0.2, 0.1]), rod("far", [-0.06, 0.2])],
                            rigid_bodies=[{"name": "coin", "shape": "disk", "radius": 0.01, "mass": 0.1,
                                           "position": [0.1, 0.009]}],
                            obstacles=[{"name": "ground", "shape": "half_plane", "position": [0, 0]},
                                       {"name": "post", "shape": "disk", "position": [0.23, 0.1105], "radius": 0.01},
                                       {"name": "bowl", "shape": "disk", "position": [0.1, 0], "hollow": True,
                                        "radius": math.hypot(0.16, 0.2) - 0.0002}])
        depth = {frozenset(row[:2]): row[2] for row in self.look(run)}
        expected = {("low", "ground"): 0.3, ("coin", "ground"): 0.1, ("high", "post"): 0.5, ("far", "bowl"): 1.2}
        self.assertEqual(set(depth), {frozenset(pair) for pair in expected})
        for pair, known in expected.items():
            self.assertAlmostEqual(depth[frozenset(pair)], known, delta=0.01)

    def test_itself(self):
        apart = 1.5 * RADIUS  # of the ends of the arc
        run = self.simulate(rods=[arc("c", [0, 0], BEND, 2 * math.pi - 2 * math.asin(apart / 2 / BEND))])
        self.assert_overlap(self.look(run, 0), ("c", "c"), 0.5)
        ring = self.simulate_again(title="ring", rods=[rod("ring", [0, 0], closed=True, natural_curvature=2 * math.pi / 0.06)])
        self.assertEqual(self.look(ring, 0), [])

    def simulate_again(self, **scene):
        shutil.rmtree(os.path.join(self.folder, "scene.run"))
        return self.simulate(**scene)

    def test_crossing(self):
        run = self.simulate(rods=[rod("level", [-0.03, 0]), rod("upright", [0.01, -0.03], math.pi / 2),
                                  rod("free", [-0.03, 0.01], length=0.03)])
        found = self.look(run, 0)
        self.assert_overlap(found, ("level", "upright"), 2)
        self.assertTrue(found[0][3])
        done = self.verdict(run, "--limit", "5")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("crossing", done.stdout)

    def test_missed_contact(self):
        run = self.simulate(rods=[rod("below", [0, 0]), rod("above", [0, 1.95 * RADIUS])])
        self.assert_overlap(self.look(run), ("below", "above"), 0.05)
        self.assertFalse(self.look(run)[0][4])
        with h5py.File(os.path.join(run, "cache.h5"), "r+") as cache:  # as if nothing had seen them
            cache["frames/contacts"][...] = np.zeros_like(cache["frames/contacts"][()])
        self.assertTrue(self.look(run)[0][4])
        self.assertEqual(self.verdict(run).returncode, 1)


if __name__ == "__main__":
    unittest.main()
