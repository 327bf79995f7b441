"""capstan-bench random: a few worlds go right, and worlds that go wrong are told from them."""
import csv
import json
import os
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.environ.get("CAPSTAN_BENCH", os.path.join(HERE, "../build/capstan-bench"))

ROD = {"elements": 4, "length": 0.2, "radius": 0.005, "density": 1000, "young": 1e7}
PLATE = {"name": "plate", "shape": "box", "edges": [0.5, 0.5, 0.002], "position": [0, 0, 0]}


def bench(*arguments):
    return subprocess.run([BENCH, "random", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False)


class Worlds(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def judge(self, **scene):
        """What is said of a scene, in which everything passes through everything if pairs say so."""
        with open(self.path("scene.json"), "w", encoding="utf-8") as file:
            json.dump({"capstan": 1, "duration": 0.2, **scene}, file)
        return bench("--scene", self.path("scene.json"))

    def test_seven_worlds(self):
        done = bench("--seeds", "6:12", "--out", self.folder, "--csv", self.path("worlds.csv"))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        with open(self.path("worlds.csv"), encoding="utf-8") as file:
            rows = sorted(csv.DictReader(file), key=lambda row: int(row["seed"]))
        self.assertEqual([int(row["seed"]) for row in rows], list(range(6, 13)))
        self.assertEqual([row["faults"] for row in rows], [""] * 7)
        self.assertTrue(all(int(row["steps"]) > 100 for row in rows))
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("seed_")], [])

    def test_worlds_that_went_wrong(self):
        """A fiber wound around another, whose contacts took each other's sides; a disk jammed in a corner, which was to come out by 1e-12 m; a
        limp rod of three edges that folds onto itself; a limp clamped rod that folds at its root; rigid bodies that are wedged;
        a stretched end of a curved fiber that comes down on the ground; a bent CORDE rod set spinning about its axis; a limp rod
        that whips on a pin; a large ball beside a small octahedron, below whose far faces it is; limp rings of few edges that crumple: with edges pressed
        together and stretched (479, 923, 965), folded where curves go on (1341), with corners that seemed to roll (959, 895), and rods in the plane that did (1410, 1506); a stiff rod that
        vibrates and strikes with e = 1 (860); disks jammed in a wedge that were to fly off both its sides (1360, 1544); soft CORDE rods
        whose edges a blow presses to nothing (683, 1871); a rod crushed to a hairpin (1583)."""
        for seed, duration in ((43, 0.22), (72, 1.8), (59, 1.1), (297, 0.5), (999, 1.4), (1579, 1.4), (753, 0.6), (1668, 0.2),
                               (1315, 0.2), (1713, 0.8), (479, 0.8), (923, 0.95), (965, 0.43), (1341, 0.8), (959, 1.0), (895, 0.6),
                               (1410, 0.4), (1506, 0.75), (860, 0.32), (1360, 1.17), (1544, 0.6), (683, 0.55), (1871, 0.2),
                               (1583, 0.6)):
            done = bench("--seeds", seed, "--set", f"duration={duration}", "--limit", 20, "--out", self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_strands_that_pass_through_each_other(self):
        for dim, gravity in ((2, [0, 0]), (3, [0, 0, 0])):
            bodies = [{**ROD, "name": "a", "position": [-0.1, 0, 0.05][:dim], "velocity": [0, 0.5, -1][:dim]},
                      {**ROD, "name": "b", "position": [0.05, -0.05, 0.0][:dim]}]
            bodies[1].update({"angle": "90deg"} if dim == 2 else {"direction": [0, 1, 0]})
            bodies[0].update({"position": [-0.05, -0.2], "velocity": [0, 2], "angle": "30deg"} if dim == 2 else {})
            scene = {"dim": dim, "gravity": gravity, "rods" if dim == 2 else "fibers": bodies}
            done = self.judge(**scene)
            self.assertEqual(done.returncode, 0, done.stdout)
            done = self.judge(**scene, friction={"pairs": [{"between": ["a", "b"], "touch": False}]})
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertRegex(done.stdout, "passes through: a and b")

    def test_what_passes_through_a_thin_plate(self):
        apart = {"pairs": [{"between": ["a", "plate"], "touch": False}]}
        for bodies in ({"fibers": [{**ROD, "name": "a", "position": [0, 0, 0.05], "direction": [1, 0, 0.1]}]},
                       {"rigid_bodies": [{"name": "a", "shape": "sphere", "radius": 0.01, "density": 1000, "position": [0, 0, 0.05],
                                          "velocity": [0, 0, -30]}]}):  # a step takes the ball to the other side
            done = self.judge(dim=3, obstacles=[PLATE], **bodies)
            self.assertEqual(done.returncode, 0, done.stdout)
            done = self.judge(dim=3, obstacles=[PLATE], friction=apart, **bodies)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertRegex(done.stdout, "passes through: a and plate")

    def test_energy_that_nobody_accounts_for(self):
        """An obstacle that turns: what it gives is no work of a way, and so counts as gained."""
        spin = {"keys": [{"time": 0}, {"time": 0.2, "rotation": {"axis": [0, 0, 1], "angle": "90deg"}}]}
        done = self.judge(dim=3, gravity=[0, 0, 0], obstacles=[{"name": "bat", "shape": "box", "edges": [1, 0.02, 0.2], "motion": spin}],
                          rigid_bodies=[{"name": "ball", "shape": "sphere", "radius": 0.02, "density": 1000,
                                         "position": [0.3, 0.1, 0]}])
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, "scene.json: gains .* J of .* J put in at")

    def test_scenes_that_cannot_be_run(self):
        done = self.judge(dim=3, fibers=[{"name": "a"}])
        self.assertEqual(done.returncode, 1)
        self.assertIn("stopped fibers[0]", done.stdout)
        for seeds in ("5:2", "one", "-3:2", "1:2:3"):
            self.assertEqual(bench("--seeds", seeds, "--out", self.folder).returncode, 2, seeds)


if __name__ == "__main__":
    unittest.main()
