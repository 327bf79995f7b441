"""The independent check for crossings (validate/scenes/crossings.py) finds them: triangles that cross, a sheet that goes through itself, a ball, a plane or another sheet; and
says nothing where there is none. A folding ribbon keeps its step (docs/cloth.md) and does not cross itself."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "validate", "scenes"))
COMMAND = os.environ.get("CAPSTAN_COMMAND", os.path.join(HERE, "../build/capstan"))

try:
    import numpy as np
    import crossings
    from finished_run import Run
except ImportError:
    sys.exit(77)


def square(cells, height):
    """A square of side 1 in the plane of x and y, its height a function of x and y."""
    side = np.linspace(0, 1, cells + 1)
    x, y = (a.ravel() for a in np.meshgrid(side, side))
    vertices = np.stack([x, y, height(x, y)], axis=1)
    corner = [(i * (cells + 1) + j + d) for i in range(cells) for j in range(cells) for d in ((0, 1, cells + 2), (0, cells + 2, cells + 1)) for d in d]
    return vertices, np.array(corner).reshape(-1, 3)


def folded(cells, gap):
    """A square folded along x = 0.5, its halves 0.02 apart beside the fold and `gap` at their ends; negative: they go through each other."""
    v, t = square(cells, lambda x, y: 0 * x)
    over = v[:, 0] > 0.5
    beyond = v[over, 0] - 0.5
    v[over] = np.stack([0.503 - beyond, v[over, 1] + 0.013, 0.02 + 2 * beyond * (gap - 0.02)], axis=1)
    return v, t


class FakeRun:
    """Frames as the check reads them."""

    def __init__(self, things, obstacles):
        self.scene = {"obstacles": obstacles}
        self.items = {"owner": [o for o, _, _, _ in things], "id": [1 if o == 0 else k for k, (o, _, _, _) in enumerate(things)]}
        self.things = things
        self.position = np.concatenate([v for _, v, _, _ in things])
        self.radius = np.concatenate([np.full(len(v), r) for _, v, _, r in things])

    def items_of(self, frame):
        return range(len(self.things))

    def vertices_of(self, item):
        start = sum(len(v) for _, v, _, _ in self.things[:item])
        return slice(start, start + len(self.things[item][1]))

    def triangles_of(self, item):
        return self.things[item][2]


NONE = np.empty((0, 3), int)


class Crossings(unittest.TestCase):
    def test_two_sheets(self):
        flat, t = square(8, lambda x, y: 0 * x)
        wave, _ = square(8, lambda x, y: 0.05 * np.sin(7 * x + 0.3))
        above, _ = square(8, lambda x, y: 0.06 + 0.05 * np.sin(7 * x + 0.3))
        self.assertGreater(crossings.triangles_crossing(flat, t, wave, t), 0)
        self.assertEqual(crossings.triangles_crossing(flat, t, above, t), 0)

    def test_itself(self):
        v, t = folded(8, 0.05)
        self.assertEqual(crossings.triangles_crossing(v, t), 0)
        v, t = folded(8, -0.05)
        self.assertGreater(crossings.triangles_crossing(v, t), 0)

    def test_one_corner_through_one_triangle(self):
        flat, t = square(8, lambda x, y: 0 * x)
        tip = np.array([[0.51, 0.53, 1e-4], [0.52, 0.53, 0.3], [0.5, 0.55, 0.3]])
        one = np.array([[0, 1, 2]])
        self.assertEqual(crossings.triangles_crossing(flat, t, tip, one), 0)
        tip[0, 2] = -1e-4
        self.assertGreater(crossings.triangles_crossing(flat, t, tip, one), 0)

    def test_obstacles(self):
        v, t = square(8, lambda x, y: 0.1 + 0 * x)
        plane, ball, bar = ({"shape": s} for s in ("plane", "sphere", "capsule"))

        def count(obstacle, ends, radius):
            return crossings.count(FakeRun([(0, v, t, 0.001), (1, np.array(ends, float), NONE, radius)], [obstacle]), 0, [1])

        self.assertEqual(count(plane, [[0, 0, 0], [0, 0, 1]], 0), 0)
        self.assertGreater(count(plane, [[0, 0, 0.2], [0, 0, 1.2]], 0), 0)
        self.assertEqual(count(ball, [[0.51, 0.52, 0]], 0.099), 0)
        self.assertGreater(count(ball, [[0.51, 0.52, 0]], 0.101), 0)
        self.assertEqual(count(bar, [[0.51, -1, 0], [0.51, 2, 0]], 0.099), 0)
        self.assertGreater(count(bar, [[0.51, -1, 0], [0.51, 2, 0]], 0.101), 0)


class Folding(unittest.TestCase):
    def test_keeps_its_step(self):
        scene = {"capstan": 1, "dim": 3, "duration": 0.3, "time_step": 0.002, "friction": 0.3,
                 "fabrics": [{"name": "cloth", "density": 0.2, "thickness": 0.001, "stretching": [200, 0, 200, 100], "bend": 1e-6, "damping_time": 0.002}],
                 "sheets": [{"name": "ribbon", "shape": "rectangle", "width": 0.2, "height": 0.03, "edge": 0.01, "fabric": "cloth",
                             "position": [0, 0, 0.01], "rotation": {"axis": [0, 1, 0], "angle": "-86deg"}, "velocity": [0, 0, -1]}],
                 "obstacles": [{"name": "ground", "shape": "plane"}], "output": {"frame_interval": 0.01}}
        with tempfile.TemporaryDirectory() as directory:
            path, out = os.path.join(directory, "ribbon.json"), os.path.join(directory, "ribbon.run")
            with open(path, "w") as file:
                json.dump(scene, file)
            done = subprocess.run([COMMAND, "run", path, "--out", out, "--progress", "none"], stdout=subprocess.DEVNULL, check=False)
            self.assertEqual(done.returncode, 0)
            run = Run(out)
            frames = range(len(run.frames["time"]))
            inside = [f for f in frames if crossings.count(run, f, [1])]
            touching = run.steps["contacts"].max()
            ribbon = run.position[run.vertices_of(next(i for i in run.items_of(frames[-1]) if run.items["owner"][i] == 0))]
            run.cache.close()
        self.assertEqual(inside, [])
        self.assertGreater(touching, 30)
        self.assertLess(np.ptp(ribbon[:, 2]), 0.1, "it has folded")
        self.assertEqual(len(run.steps["time"]), 150, "0.3 s in steps of 2 ms")


if __name__ == "__main__":
    unittest.main()
