"""Two cards that lean against each other at 70 degrees: each foot pushes out with W / (2 tan 70) and carries W, so they stand if mu > tan(20 degrees) / 2 = 0.182, whatever the friction
between them. 4 % above they stand, and do not drift; 6 % below they slide down."""
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
    from finished_run import Run
except ImportError:
    sys.exit(77)


def card(name, x, angle):
    return {"name": name, "shape": "rectangle", "width": 0.2, "height": 0.1, "edge": 0.05, "cut": "crossed", "fabric": "card", "position": [x, 0, 0.0005],
            "rotation": {"axis": [0, 1, 0], "angle": "%gdeg" % -angle}}


def lean_to(friction):
    """The cards over time: (frames, vertices, 3) of the first."""
    apart = 2 * 0.2 * np.cos(np.radians(70)) + 0.001
    scene = {"capstan": 1, "dim": 3, "duration": 1, "time_step": {"dt": 0.002, "adaptive": False}, "friction": friction,
             "fabrics": [{"name": "card", "density": 0.1, "thickness": 0.001, "stretching": [5000, 0, 5000, 5000], "bend": 0.2, "damping_time": 0.02}],
             "sheets": [card("left", 0, 70), card("right", apart, 110)], "obstacles": [{"name": "floor", "shape": "plane"}], "output": {"frame_interval": 0.1}}
    with tempfile.TemporaryDirectory() as directory:
        path, out = os.path.join(directory, "cards.json"), os.path.join(directory, "cards.run")
        with open(path, "w") as file:
            json.dump(scene, file)
        subprocess.run([COMMAND, "run", path, "--out", out, "--progress", "none"], stdout=subprocess.DEVNULL, check=True)
        run = Run(out)
        items = [next(i for i in run.items_of(f) if run.items["owner"][i] == 0) for f in range(len(run.frames["time"]))]
        places = np.array([run.position[run.vertices_of(i)] for i in items])
        run.cache.close()
    return places


class LeanTo(unittest.TestCase):
    THRESHOLD = np.tan(np.radians(20)) / 2

    def test_stands(self):
        x = lean_to(1.04 * self.THRESHOLD)
        self.assertLess(np.abs(x[-1] - x[0]).max(), 1e-3, "settles by less than its thickness")
        self.assertLess(np.abs(x[-1] - x[5]).max(), 1e-7, "and rests")

    def test_falls(self):
        x = lean_to(0.94 * self.THRESHOLD)
        self.assertGreater(x[0, :, 2].max() - x[-1, :, 2].max(), 0.02)


if __name__ == "__main__":
    unittest.main()
