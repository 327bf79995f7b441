"""`capstan run` from outside: what it writes, what it says, how it refuses."""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import h5py
    import numpy as np
except ImportError:
    print("numpy or h5py is missing")
    sys.exit(77)

import run_fixture as fixture
from kill_resume import compare_runs

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "docs")


class Run(unittest.TestCase):
    """One run, looked at from all sides."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.scene = fixture.write_scene(cls.folder.name)
        cls.place = os.path.join(cls.folder.name, "scene.run")
        cls.done = fixture.run(cls.scene, cwd=cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_ends_well(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertEqual(self.done.stderr, "")

    def test_json_lines_when_piped(self):
        lines = [json.loads(line) for line in self.done.stdout.splitlines()]
        self.assertEqual(lines[0]["event"], "progress")
        self.assertEqual(lines[-1]["event"], "end")
        self.assertEqual(lines[-1]["state"], "finished")
        self.assertLessEqual(lines[-1]["worst_error"], 1e-8)

    def test_outcome(self):
        outcome = fixture.outcome(self.place)
        self.assertEqual(outcome["state"], "finished")
        self.assertAlmostEqual(outcome["time"], 0.6, places=12)
        self.assertEqual(outcome["frames"], 121)
        self.assertGreater(outcome["contacts_max"], 3)
        self.assertGreater(outcome["nu_max"], 0)
        self.assertEqual(outcome["steps_over_tolerance"], 0)

    def test_imbalance_of_equilibria(self):
        self.assertEqual(fixture.outcome(self.place)["worst_imbalance"], 0)
        place = os.path.join(self.folder.name, "still.run")
        rod = {"name": "rod", "elements": 8, "length": 0.3, "radius": 0.004, "mass_per_length": 0.05, "bending_stiffness": 1e-3,
               "clamped": True}
        still = {"capstan": 1, "duration": 0.2, "time_step": {"dt": 0.1, "quasi_static": True}, "rods": [rod]}
        scene = os.path.join(self.folder.name, "still.json")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(still, file)
        done = fixture.run(scene, "--out", place)
        self.assertEqual(done.returncode, 0, done.stderr)
        weight = 0.05 * 0.3 * 9.81
        self.assertGreater(fixture.outcome(place)["worst_imbalance"], 0)
        self.assertLess(fixture.outcome(place)["worst_imbalance"], 1e-7 * weight)

    def test_no_warnings(self):
        self.assertEqual(fixture.outcome(self.place)["warnings"], [])

    def test_warnings(self):
        physics = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data/scenes/physics")
        place = os.path.join(self.folder.name, "warned.run")
        scene = ["physics/overlap_obstacle.json", "--out", place, "--duration", "0.005"]
        with open(os.path.join(physics, "overlap_obstacle.expected"), encoding="utf-8") as expected:
            line = expected.read()
        strict = fixture.run(*scene, "--strict", cwd=os.path.dirname(physics))
        self.assertEqual((strict.returncode, strict.stdout), (2, ""))
        self.assertEqual(strict.stderr, line + "capstan run: 1 warning, and --strict: not run\n")
        self.assertFalse(os.path.exists(place))
        done = fixture.run(*scene, cwd=os.path.dirname(physics))
        self.assertIn(done.returncode, (0, 1))
        self.assertEqual(done.stderr.count(line), 1)
        self.assertEqual(fixture.outcome(place)["warnings"], [line.rstrip("\n").replace(" warning:", "", 1)])

    def test_crossing_sheets_are_told(self):
        place = os.path.join(self.folder.name, "crossed.run")
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data/scenes")
        done = fixture.run("physics/sheet_crosses.json", "--out", place, cwd=folder)
        with open(os.path.join(folder, "physics/sheet_crosses.expected"), encoding="utf-8") as expected:
            self.assertTrue(done.stderr.startswith(expected.read()))
        outcome = fixture.outcome(place)
        self.assertEqual(done.returncode, 1)
        self.assertEqual((outcome["steps_over_tolerance"], outcome["steps_not_converged"]), (0, 0))
        self.assertEqual((outcome["steps"], outcome["steps_with_crossings"]), (20, 20))
        self.assertGreaterEqual(outcome["crossings_max"], 18)
        self.assertIn("flat) crosses body 2 (upright), first at (0.094", outcome["first_crossing"])
        self.assertIn("in 20 steps " + outcome["first_crossing"], done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["steps_with_crossings"], 20)

    def test_crossed_obstacle_is_named(self):
        scene = os.path.join(self.folder.name, "crossed_box.json")
        fabric = {"name": "cotton", "density": 0.2, "thickness": 0.0005, "stretching": [50, 10, 50, 20], "bend": 1e-5}
        sheet = {"name": "flat", "shape": "rectangle", "width": 0.4, "height": 0.4, "edge": 0.05, "fabric": "cotton"}
        blade = {"name": "blade", "shape": "box", "edges": [0.2, 0.004, 0.2], "position": [0.01, 0.007, 0]}
        with open(scene, "w", encoding="utf-8") as file:
            json.dump({"capstan": 1, "dim": 3, "duration": 0.002, "time_step": {"dt": 0.001, "adaptive": False},
                       "fabrics": [fabric], "sheets": [sheet], "obstacles": [blade]}, file)
        place = os.path.join(self.folder.name, "crossed_box.run")
        self.assertEqual(fixture.run(scene, "--out", place).returncode, 1)
        self.assertIn("body 1 (flat) crosses obstacle 1 (blade), first at", fixture.outcome(place)["first_crossing"])

    def test_files(self):
        self.assertEqual(sorted(os.listdir(self.place)), [".lock", "cache.h5", "checkpoint.bin", "checkpoint.previous.bin",
                                                         "outcome.json", "probes", "scene.json"])
        with open(self.scene, encoding="utf-8") as given, open(os.path.join(self.place, "scene.json"), encoding="utf-8") as kept:
            self.assertEqual(given.read(), kept.read())

    def test_cache_tables(self):
        with h5py.File(os.path.join(self.place, "cache.h5"), "r") as cache:
            self.assertEqual(cache.attrs["format"], b"capstan cache" if isinstance(cache.attrs["format"], bytes) else "capstan cache")
            self.assertEqual(cache.attrs["dim"], 2)
            self.assertEqual(json.loads(cache["scene/source"].asstr()[()])["title"], "a little of everything")
            self.assertEqual(json.loads(cache["scene/effective"].asstr()[()])["title"], "a little of everything")
            self.assertEqual(list(cache["names/bodies"].asstr()), ["strip", "held", "coin"])
            self.assertEqual(list(cache["names/obstacles"].asstr()), ["ground", "drum", "bar"])
            steps = len(cache["steps/time"])
            for group in ("steps", "timings"):
                self.assertEqual({len(column) for column in cache[group].values()}, {steps})
            self.assertEqual(steps, fixture.outcome(self.place)["steps"])
            np.testing.assert_array_equal(cache["steps/step"][()], np.arange(1, steps + 1))
            self.assertTrue(np.all(np.diff(cache["steps/time"][()]) > 0))
            # each frame's ranges are where the ones before end, or in the first frame
            first, count = cache["frames/first_item"][()], cache["frames/items"][()]
            np.testing.assert_array_equal(first[1:], np.cumsum(count)[:-1])
            self.assertEqual(count.sum(), len(cache["items/id"]))
            first, count = cache["frames/first_contact"][()], cache["frames/contacts"][()]
            np.testing.assert_array_equal(first[1:], np.cumsum(count)[:-1])
            self.assertEqual(count.sum(), len(cache["contacts/id"]))
            ends = cache["items/first_vertex"][()] + cache["items/vertices"][()]
            self.assertEqual(ends.max(), len(cache["vertices/radius"]))

    def test_frames_show_what_moves(self):
        with h5py.File(os.path.join(self.place, "cache.h5"), "r") as cache:
            def drawn(frame, owner, number):
                first = cache["frames/first_item"][frame]
                items = slice(first, first + cache["frames/items"][frame])
                index = first + int(np.flatnonzero((cache["items/owner"][items] == owner) & (cache["items/id"][items] == number))[0])
                start = cache["items/first_vertex"][index]
                return start, cache["vertices/position"][start:start + cache["items/vertices"][index]]
            last = len(cache["frames/time"]) - 1
            self.assertEqual(drawn(0, 1, 1)[0], drawn(last, 1, 1)[0])  # the ground is written once
            self.assertNotEqual(drawn(0, 1, 3)[0], drawn(last, 1, 3)[0])
            np.testing.assert_allclose(drawn(last, 1, 3)[1] - drawn(0, 1, 3)[1], [[-0.1, 0, 0]] * len(drawn(0, 1, 3)[1]), atol=1e-12)
            self.assertEqual(len(drawn(0, 0, 1)[1]), 17)  # 8 elements, 2 samples each, and the end
            np.testing.assert_allclose(drawn(0, 0, 1)[1][0], [-0.25, 0.24, 0], atol=1e-15)
            tip = np.loadtxt(os.path.join(self.place, "probes/tip.csv"), delimiter=",", skiprows=1)
            np.testing.assert_allclose(tip[-1, 1:4], drawn(last, 0, 1)[1][-1], atol=1e-12)

    def test_contacts_obey_the_law(self):
        with h5py.File(os.path.join(self.place, "cache.h5"), "r") as cache:
            impulse, mu, case = cache["contacts/impulse"][()], cache["contacts/mu"][()], cache["contacts/case"][()]
            self.assertEqual(set(np.unique(case)) - {0, 1, 2}, set())
            self.assertTrue({1, 2} <= set(np.unique(case)))
            scale = np.abs(impulse).max()
            self.assertTrue(np.all(np.abs(impulse[:, 1]) <= mu * impulse[:, 0] + 1e-7 * scale))
            self.assertTrue(np.all(cache["contacts/error"][()] <= 1e-8))
            normal, force = cache["contacts/normal"][()], cache["contacts/force"][()]
            self.assertTrue(np.all(np.einsum("ij,ij->i", normal, force) >= -1e-9 * np.abs(force).max()))

    def test_probes(self):
        expected = {"tip": (8, "time [s],x [m],y [m],z [m],angle [rad],vx [m/s],vy [m/s],vz [m/s]"),
                    "ground": (7, "time [s],fx [N],fy [N],fz [N],dx [m],dy [m],dz [m]"),
                    "pivot": (10, "time [s],fx [N],fy [N],fz [N],mx [N m],my [N m],mz [N m],dx [m],dy [m],dz [m]"), "energy": (13, None)}
        for name, (columns, header) in expected.items():
            path = os.path.join(self.place, "probes", name + ".csv")
            with open(path, encoding="utf-8") as file:
                first = file.readline().strip()
            if header:
                self.assertEqual(first, header)
            self.assertEqual(np.loadtxt(path, delimiter=",", skiprows=1).shape, (121, columns))

    def test_example_of_the_documentation_runs(self):
        with open(os.path.join(DOCS, "cache.md"), encoding="utf-8") as file:
            programs = re.findall(r"```python\n(.*?)```", file.read(), re.S)
        self.assertTrue(programs)
        for program in programs:
            done = subprocess.run([sys.executable, "-c", program], cwd=self.folder.name, capture_output=True, text=True, check=False,
                                  env=dict(os.environ, MPLBACKEND="Agg"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("0.600 s", done.stdout)

    def test_documentation_names_every_dataset(self):
        with open(os.path.join(DOCS, "cache.md"), encoding="utf-8") as file:
            text = file.read()
        with h5py.File(os.path.join(self.place, "cache.h5"), "r") as cache:
            for group, members in cache.items():
                section = text.split("## `/%s`" % group)[1].split("\n## ")[0]
                for name in members:
                    self.assertIn("`%s`" % name, section, group)

    def test_plots(self):
        done = subprocess.run([fixture.COMMAND, "plot", self.place], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


class Refusals(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = self.holder.name
        self.scene = fixture.write_scene(self.folder, duration=0.02)
        self.place = os.path.join(self.folder, "a.run")

    def tearDown(self):
        self.holder.cleanup()

    def refused(self, *arguments, says):
        done = fixture.run(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, 2, done.stdout)
        for words in says:
            self.assertIn(words, done.stderr)

    def test_a_run_is_not_overwritten(self):
        self.assertEqual(fixture.run(self.scene, "--out", self.place).returncode, 0)
        with open(os.path.join(self.place, "cache.h5"), "rb") as file:
            before = file.read()
        self.refused(self.scene, "--out", self.place, says=["--resume", "--force"])
        with open(os.path.join(self.place, "cache.h5"), "rb") as file:
            self.assertEqual(before, file.read())
        self.assertEqual(fixture.run(self.scene, "--out", self.place, "--force", "--duration", 0.01).returncode, 0)
        self.assertAlmostEqual(fixture.outcome(self.place)["time"], 0.01)

    def test_force_keeps_files_that_no_run_made(self):
        self.assertEqual(fixture.run(self.scene, "--out", self.place).returncode, 0)
        probes = os.path.join(self.place, "probes")
        made = sorted(os.listdir(probes))
        self.assertIn("tip.csv", made)
        mine = os.path.join(probes, "mine.csv")
        with open(mine, "w", encoding="utf-8") as file:
            file.write("time,x\n")
        with open(self.scene, encoding="utf-8") as file:
            scene = json.load(file)
        scene["probes"] = [probe for probe in scene["probes"] if probe["name"] != "tip"]
        with open(self.scene, "w", encoding="utf-8") as file:
            json.dump(scene, file)
        self.assertEqual(fixture.run(self.scene, "--out", self.place, "--force").returncode, 0)
        self.assertEqual(sorted(os.listdir(probes)), sorted(set(made) - {"tip.csv"} | {"mine.csv"}))
        with open(mine, encoding="utf-8") as file:
            self.assertEqual(file.read(), "time,x\n")

    def test_other_peoples_directories(self):
        os.mkdir(self.place)
        with open(os.path.join(self.place, "thesis.tex"), "w", encoding="utf-8"):
            pass
        self.refused(self.scene, "--out", self.place, says=["not empty"])
        self.refused(self.scene, "--out", self.place, "--force", says=["not empty"])
        self.refused(self.scene, "--out", self.place, "--resume", says=["no run"])
        self.assertEqual(os.listdir(self.place), ["thesis.tex"])

    def test_path_is_a_file(self):
        with open(self.place, "w", encoding="utf-8") as file:
            file.write("mine")
        self.refused(self.scene, "--out", self.place, says=["a.run", "Not a directory"])
        with open(self.place, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_unwritable_directory(self):
        os.mkdir(self.place, 0o555)
        self.refused(self.scene, "--out", self.place, says=["a.run", "Permission denied"])

    def test_unwritable_file_system(self):
        self.refused(self.scene, "--out", "/proc/a.run", says=["/proc/a.run", "cannot be written to"])

    def test_mistakes_in_the_scene(self):
        with open(self.scene, "w", encoding="utf-8") as file:
            file.write('{\n "capstan": 1,\n "duratoin": 1\n}\n')
        self.refused(self.scene, says=["scene.json:3:2:", "duratoin", "duration"])
        self.assertFalse(os.path.exists(os.path.join(self.folder, "scene.run")))

    def test_mistakes_in_arguments(self):
        self.refused(says=["no scene"])
        self.refused(self.scene, self.scene, says=["one scene"])
        self.refused(self.scene, "--resume", "--force", says=["exclude"])
        self.refused(self.scene, "--set", "duratoin=1", says=["duration"])
        self.refused("nothing.json", says=["nothing.json"])
        self.refused(self.scene, "--resume", says=["scene.run", "No such file"])

    def test_from_excludes_equilibrium_first(self):
        """The equilibrium would take the place of what the other run ended with."""
        self.assertEqual(fixture.run(self.scene, "--out", self.place).returncode, 0)
        other = os.path.join(self.folder, "b.run")
        self.refused(self.scene, "--out", other, "--from", self.place, "--set", "equilibrium_first=true", says=["equilibrium_first"])
        self.assertFalse(os.path.exists(other))

    def test_two_at_once(self):
        long = [fixture.COMMAND, "run", self.scene, "--out", self.place, "--duration", "1000", "--progress", "none"]
        with subprocess.Popen(long, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
            try:
                while not os.path.exists(os.path.join(self.place, "outcome.json")):
                    time.sleep(0.01)
                for option in ("--resume", "--force"):
                    self.refused(self.scene, "--out", self.place, option, says=["another process"])
                self.assertEqual(fixture.outcome(self.place)["state"], "running")
            finally:
                first.kill()

    def test_overrides_and_results(self):
        done = fixture.run(self.scene, "--out", self.place, "--set", "output.frame_interval=0.01", "--set", "rods[0].radius=0.005",
                           "--probe-each-step", "--progress", "none")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("capstan view %s, capstan plot %s" % (self.place, self.place), done.stdout)
        with h5py.File(os.path.join(self.place, "cache.h5"), "r") as cache:
            np.testing.assert_allclose(cache["frames/time"], [0, 0.01, 0.02], rtol=1e-12)
            self.assertEqual(json.loads(cache["scene/effective"].asstr()[()])["rods"][0]["radius"], 0.005)
            rows = np.loadtxt(os.path.join(self.place, "probes/tip.csv"), delimiter=",", skiprows=1)
            np.testing.assert_array_equal(rows[1:, 0], cache["steps/time"][()])

    def test_small_runs_are_small(self):
        self.assertEqual(fixture.run(self.scene, "--out", self.place).returncode, 0)
        self.assertLess(os.path.getsize(os.path.join(self.place, "cache.h5")), 150e3)


class Same(unittest.TestCase):
    def test_threads(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = fixture.write_scene(folder)
            runs = [os.path.join(folder, "%d.run" % threads) for threads in (1, 2)]
            for threads, run in zip((1, 2), runs):
                self.assertEqual(fixture.run(scene, "--out", run, "--threads", threads).returncode, 0)
            self.assertEqual(compare_runs(*runs), [])

    def test_comparison_can_fail(self):
        with tempfile.TemporaryDirectory() as folder:
            runs = [os.path.join(folder, "%d.run" % k) for k in (1, 2)]
            scene = fixture.write_scene(folder, duration=0.3)
            for run, friction in zip(runs, ("0.4", "0.4000000000000001")):
                self.assertEqual(fixture.run(scene, "--out", run, "--set", "friction=" + friction).returncode, 0)
            self.assertTrue(any(what.startswith("vertices/position") for what in compare_runs(*runs)))


class AtRest(unittest.TestCase):
    def test_stops_when_nothing_moves(self):
        with tempfile.TemporaryDirectory() as folder:
            block = {"name": "block", "shape": "polygon", "corners": [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]], "mass": 1,
                     "position": [0, 0.1], "velocity": [0.5, 0]}
            scene = fixture.write_scene(folder, duration=100, until_rest=1e-4, rods=[], constraints=[], probes=[], rigid_bodies=[block],
                                        obstacles=[{"name": "ground", "shape": "half_plane"}], time_step=1e-3)
            run = os.path.join(folder, "a.run")
            done = fixture.run(scene, "--out", run)
            self.assertEqual(done.returncode, 0, done.stderr)
            outcome = fixture.outcome(run)
            self.assertEqual(outcome["reason"], "everything is at rest")
            # 0.5 m/s against mu g: 0.127 s to stop, and it is noticed within two frames
            self.assertGreater(outcome["time"], 0.5 / (0.4 * 9.81))
            self.assertLess(outcome["time"], 0.5 / (0.4 * 9.81) + 2.5 * 5e-3)
            again = fixture.run(scene, "--out", run, "--resume")
            self.assertEqual(again.returncode, 0)
            self.assertIn("already finished", again.stdout)


class Terminal(unittest.TestCase):
    """The live line, through a pseudo-terminal."""

    def show(self, columns):
        with tempfile.TemporaryDirectory() as folder:
            scene = fixture.write_scene(folder, duration=1000)
            try:
                main, side = pty.openpty()
            except OSError as why: # a system without /dev/pts
                self.skipTest(str(why))
            environment = dict(os.environ, TERM="xterm", LANG="C.UTF-8", LC_ALL="C.UTF-8", COLUMNS=str(columns))
            with subprocess.Popen([fixture.COMMAND, "run", scene], cwd=folder, stdout=side, stderr=side, env=environment) as process:
                os.close(side)
                text, begun = b"", time.monotonic()
                while text.count(b"\r\x1b[K") < 4 and time.monotonic() - begun < 60:
                    if select.select([main], [], [], 1)[0]:
                        text += os.read(main, 65536)
                process.send_signal(signal.SIGINT)
                try:
                    while select.select([main], [], [], 60)[0]:
                        text += os.read(main, 65536)
                except OSError:
                    pass  # the other end is closed
                self.assertEqual(process.wait(60), 130)
            os.close(main)
            self.assertEqual(fixture.outcome(os.path.join(folder, "scene.run"))["state"], "interrupted")
            self.assertIn("stops after the step under way and saves", text.decode())
            return text.decode()

    def test_wide_and_narrow(self):
        for columns in (120, 60, 30):
            text = self.show(columns)
            lines = [re.sub(r"\x1b\[[0-9;]*m", "", piece) for piece in text.split("\r\x1b[K")[1:4]]
            for line in lines:
                self.assertLess(len(line), columns)
                self.assertRegex(line, r"\d%")
            self.assertRegex(lines[-1], r"/1000 s" if columns >= 60 else r"%")
            if columns == 120:
                for words in ("ETA", "contact", "steps/s", "iteration", "E "):
                    self.assertIn(words, lines[-1])
            self.assertIn("stopped and saved", text)
            self.assertIn("--resume", text)


if __name__ == "__main__":
    unittest.main()
