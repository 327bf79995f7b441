"""`capstan solve` from outside: problems made and answers judged here, with numpy alone."""
import json
import os
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

COMMAND = fixture.COMMAND


def make_problem(contacts, seed, mu=0.5, dim=3, bodies=None):
    """Rigid points that touch each other and the ground: M v = H r + f, u = H^T v + w, and W = H^T M^-1 H."""
    rng = np.random.default_rng(seed)
    bodies = bodies or max(2, contacts // 2)
    size = 6
    mass = np.zeros((size * bodies, size * bodies))
    for b in range(bodies):
        root = rng.normal(size=(size, size))
        mass[size * b:size * (b + 1), size * b:size * (b + 1)] = root @ root.T + size * np.eye(size)
    h = np.zeros((size * bodies, dim * contacts))
    for i in range(contacts):
        a, b = rng.choice(bodies, 2, replace=False)
        h[size * a:size * (a + 1), dim * i:dim * (i + 1)] = rng.normal(size=(size, dim))
        if i % 3:
            h[size * b:size * (b + 1), dim * i:dim * (i + 1)] = rng.normal(size=(size, dim))
    # Some v moves every contact strictly apart, more than mu times as fast as it slides: a solution exists.
    v = rng.normal(size=size * bodies)
    w = -(h.T @ v).reshape(contacts, dim)
    w[:, 0] += 1.0
    force = rng.normal(size=size * bodies) * 3
    return {"dim": dim, "M": mass, "H": h, "f": force, "w": w.ravel(), "mu": np.full(contacts, mu),
            "W": h.T @ np.linalg.solve(mass, h), "q": h.T @ np.linalg.solve(mass, force) + w.ravel()}


def write_matrix(group, name, matrix):
    rows, columns = np.nonzero(matrix)
    to = group.create_group(name)
    for key, value in (("m", matrix.shape[0]), ("n", matrix.shape[1]), ("nz", len(rows)), ("nzmax", len(rows))):
        to[key] = np.array([value], dtype=np.int32)
    to["i"], to["p"], to["x"] = rows.astype(np.int32), columns.astype(np.int32), matrix[rows, columns]


def write_local(path, problem, guess=None):
    with h5py.File(path, "w") as file:
        group = file.create_group("fclib_local")
        group["spacedim"] = np.array([problem["dim"]], dtype=np.int32)
        write_matrix(group, "W", problem["W"])
        group["vectors/q"], group["vectors/mu"] = problem["q"], problem["mu"]
        if guess is not None:
            file["guesses/number_of_guesses"] = np.array([1], dtype=np.int32)
            file["guesses/1/r"], file["guesses/1/u"] = guess, np.zeros_like(guess)


def write_global(path, problem):
    with h5py.File(path, "w") as file:
        group = file.create_group("fclib_global")
        group["spacedim"] = np.array([problem["dim"]], dtype=np.int32)
        write_matrix(group, "M", problem["M"])
        write_matrix(group, "H", problem["H"])
        group["vectors/f"], group["vectors/w"], group["vectors/mu"] = problem["f"], problem["w"], problem["mu"]


def error(problem, r):
    """E from its definition: the largest Alart-Curnier residual of the scaled impulses and velocities."""
    n, dim = len(problem["mu"]), problem["dim"]
    u, q = (problem["W"] @ r + problem["q"]).reshape(n, dim), problem["q"].reshape(n, dim)
    scale = max(np.maximum(0, -q[:, 0]).max(), 1e-6 * np.linalg.norm(q, axis=1).max())
    compliance = np.diag(problem["W"]).reshape(n, dim).mean(axis=1)
    worst = 0.0
    for i in range(n):
        ri, ui, mu = compliance[i] * r.reshape(n, dim)[i] / scale, u[i] / scale, problem["mu"][i]
        normal = max(0, ri[0] - ui[0]) - ri[0]
        y, disc = ri[1:] - ui[1:], max(0, mu * ri[0])
        length = np.linalg.norm(y)
        tangent = (y if length <= disc else disc * y / length) - ri[1:]
        worst = max(worst, np.hypot(normal, np.linalg.norm(tangent)))
    return worst


def run(*arguments, expect=None, cwd=None):
    done = subprocess.run([COMMAND, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                          cwd=cwd, check=False)
    if expect is not None and done.returncode != expect:
        raise AssertionError(f"exit {done.returncode}, not {expect}: {arguments}\n{done.stdout}\n{done.stderr}")
    return done


def records(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


class Solve(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, *parts):
        return os.path.join(self.folder.name, *parts)

    def local(self, name="one.hdf5", contacts=12, seed=1, **more):
        problem = make_problem(contacts, seed, **more)
        write_local(self.path(name), problem)
        return self.path(name), problem

    def answer(self, *parts):
        with h5py.File(self.path(*parts), "r") as file:
            return file["solution/r"][:], file["solution/u"][:]

    def test_answer_is_a_solution(self):
        for dim in (3, 2):
            path, problem = self.local(f"d{dim}.hdf5", dim=dim)
            done = run("solve", path, "--tol", 1e-10, "--out", self.path("out"), "--json", expect=0)
            record = records(done)[0]
            r, u = self.answer("out", f"d{dim}.hdf5")
            self.assertLess(np.abs(u - problem["W"] @ r - problem["q"]).max(), 1e-12 * np.abs(problem["q"]).max())
            self.assertLessEqual(error(problem, r), 1.01e-10)
            self.assertAlmostEqual(error(problem, r), record["residual"], delta=1e-3 * 1e-10)
            self.assertGreater(error(problem, np.zeros_like(r)), 0.99)

    def test_json_fields(self):
        path, problem = self.local()
        record = records(run("solve", path, "--json", "--threads", 2, "--local", "mfb+direct", "--solver", "gauss-seidel",
                             "--max-iterations", 20000))[0]
        kinds = {"name": str, "dim": int, "contacts": int, "solver": str, "local": str, "status": str, "residual": float,
                 "iterations": int, "seconds": float, "setup_seconds": float, "threads": int, "fallbacks": int,
                 "local_failures": int, "fischer_burmeister": float, "newton_iterations": int, "form": str, "symmetrised": bool,
                 "asymmetry": float, "memory_bytes": int, "blamed": list}
        for name, kind in kinds.items():
            self.assertIn(name, record)
            self.assertIsInstance(record[name], (int, float) if kind is float else kind, name)
        self.assertIn("message", record)
        self.assertEqual((record["name"], record["dim"], record["contacts"]), ("one", 3, 12))
        self.assertEqual((record["solver"], record["local"], record["threads"]), ("gauss-seidel", "mfb+direct", 2))
        self.assertLess(record["asymmetry"], 1e-14)

    def test_global_file_in_every_form(self):
        problem = make_problem(14, 3)
        write_global(self.path("bodies.hdf5"), problem)
        for form in ("auto", "explicit", "product"):
            out = self.path("out-" + form)
            record = records(run("solve", self.path("bodies.hdf5"), "--form", form, "--tol", 1e-9, "--out", out, "--json", expect=0))[0]
            if form != "auto":
                self.assertEqual(record["form"], form)
            with h5py.File(os.path.join(out, "bodies.hdf5"), "r") as file:
                r, u, v = (file["solution/" + name][:] for name in "ruv")
            self.assertLessEqual(error(problem, r), 1.01e-9)
            self.assertLess(np.abs(problem["M"] @ v - problem["H"] @ r - problem["f"]).max(), 1e-9)
            self.assertLess(np.abs(problem["H"].T @ v + problem["w"] - u).max(), 1e-9)

    def test_form_that_a_file_has_not(self):
        path, _ = self.local()
        done = run("solve", path, "--form", "product", expect=2)
        self.assertIn("W only", done.stderr)

    def test_asymmetric_mass_is_condensed(self):
        problem = make_problem(8, 5)
        problem["M"] += 0.05 * np.triu(np.abs(problem["M"]) > 0, 1)
        inverse = np.linalg.inv(problem["M"])
        problem["W"] = problem["H"].T @ inverse @ problem["H"]
        problem["q"] = problem["H"].T @ inverse @ problem["f"] + problem["w"]
        write_global(self.path("skew.hdf5"), problem)
        record = records(run("solve", self.path("skew.hdf5"), "--tol", 1e-8, "--out", self.path("out"), "--json", expect=0))[0]
        self.assertEqual(record["form"], "explicit")
        self.assertGreater(record["asymmetry"], 1e-5)
        self.assertLessEqual(error(problem, self.answer("out", "skew.hdf5")[0]), 1.01e-8)

    def test_symmetrise_solves_another_problem(self):
        problem = make_problem(8, 6)
        skew = np.random.default_rng(0).normal(size=problem["W"].shape)
        problem["W"] = problem["W"] + 1e-3 * (skew - skew.T) * (np.abs(problem["W"]) > 0)
        write_local(self.path("skew.hdf5"), problem)
        run("solve", self.path("skew.hdf5"), "--tol", 1e-9, "--out", self.path("given"), expect=0)
        run("solve", self.path("skew.hdf5"), "--tol", 1e-9, "--out", self.path("other"), "--symmetrise", expect=0)
        symmetric = dict(problem, W=(problem["W"] + problem["W"].T) / 2)
        self.assertLessEqual(error(problem, self.answer("given", "skew.hdf5")[0]), 1.01e-9)
        self.assertLessEqual(error(symmetric, self.answer("other", "skew.hdf5")[0]), 1.01e-9)
        self.assertGreater(error(problem, self.answer("other", "skew.hdf5")[0]), 1e-6)

    def test_guess_from_the_file_is_used(self):
        path, problem = self.local(contacts=20, seed=7)
        run("solve", path, "--tol", 1e-12, "--out", self.path("out"))
        write_local(self.path("warm.hdf5"), problem, guess=self.answer("out", "one.hdf5")[0])
        cold = records(run("solve", self.path("warm.hdf5"), "--tol", 1e-8, "--json", expect=0))[0]
        warm = records(run("solve", self.path("warm.hdf5"), "--tol", 1e-8, "--json", "--guess", "file", expect=0))[0]
        self.assertLess(warm["iterations"], cold["iterations"])

    def test_published_measure(self):
        path, problem = self.local(contacts=20, seed=8)
        strict = records(run("solve", path, "--tol", 1e-8, "--json", expect=0))[0]
        lax = records(run("solve", path, "--tol", 1e-8, "--measure", "fb", "--json", expect=0))[0]
        largest = np.linalg.norm(problem["q"].reshape(-1, 3), axis=1).max()
        self.assertAlmostEqual(lax["velocity_scale"], largest, delta=1e-12 * largest)
        self.assertLessEqual(lax["fischer_burmeister"], 1e-8)
        self.assertNotEqual(strict["velocity_scale"], lax["velocity_scale"])

    def test_tolerance_missed(self):
        path, _ = self.local(contacts=30, seed=2)
        done = run("solve", path, "--solver", "gauss-seidel", "--max-iterations", 2, "--tol", 1e-12, expect=1)
        self.assertIn("tolerance missed", done.stdout)
        self.assertIn("0 of 1 solved", done.stdout)

    def test_time_limit(self):
        path, _ = self.local(contacts=30, seed=2)
        done = run("solve", path, "--solver", "gauss-seidel", "--max-iterations", 2000000000, "--tol", 0, "--time-limit", 0.2, "--json",
                   expect=1)
        record = records(done)[0]
        self.assertEqual(record["status"], "tolerance missed")
        self.assertIn("time limit", record["message"])

    def test_bad_files_do_not_stop_the_others(self):
        good, _ = self.local()
        with open(self.path("bad.hdf5"), "wb") as file:
            file.write(b"\x89HDF\r\n\x1a\n" + bytes(200))
        done = run("solve", self.path("bad.hdf5"), self.path("absent.hdf5"), good, "--json", expect=2)
        states = {record["name"]: record["status"] for record in records(done)}
        self.assertEqual(states["one"], "solved")
        self.assertEqual(states["bad"], "bad problem")
        self.assertIn("absent.hdf5", done.stderr)

    def test_worst_code_wins(self):
        path, _ = self.local(contacts=30, seed=2)
        missed = ("--solver", "gauss-seidel", "--max-iterations", 2, "--tol", 1e-12)
        run("solve", path, *missed, expect=1)
        run("solve", self.path("absent.hdf5"), path, *missed, expect=2)
        run("solve", path, self.path("absent.hdf5"), *missed, expect=2)

    def test_directory(self):
        os.mkdir(self.path("many"))
        for name in ("b.hdf5", "a.hdf5", "c.h5"):
            self.local("many/" + name, contacts=4)
        with open(self.path("many", "notes.txt"), "w", encoding="utf-8") as file:
            file.write("not a problem")
        names = [record["name"] for record in records(run("solve", self.path("many"), "--json", expect=0))]
        self.assertEqual(names, ["a", "b", "c"])
        os.mkdir(self.path("none"))
        self.assertIn("no problem files", run("solve", self.path("none"), expect=2).stderr)

    def test_answers_are_kept_apart(self):
        path, _ = self.local()
        os.mkdir(self.path("other"))
        second, _ = self.local("other/one.hdf5", seed=9)
        self.assertIn("both", run("solve", path, second, "--out", self.path("out"), expect=2).stderr)
        with open(path, "rb") as file:
            before = file.read()
        self.assertIn("replace", run("solve", path, "--out", self.folder.name, expect=2).stderr)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_unwritable_out(self):
        path, _ = self.local()
        with open(self.path("file"), "w", encoding="utf-8"):
            pass
        self.assertIn("cannot be written", run("solve", path, "--out", self.path("file"), expect=2).stderr)
        self.assertIn("cannot be written", run("solve", path, "--out", self.path("file", "below"), expect=2).stderr)
        os.makedirs(self.path("out", "one.hdf5"))  # a directory where the answer should go
        done = run("solve", path, "--out", self.path("out"), "--json", expect=2)
        self.assertEqual(records(done)[0]["status"], "solved")
        self.assertIn("one.hdf5", done.stderr)
        self.assertEqual(os.listdir(self.path("out")), ["one.hdf5"])

    def test_full_disk_is_not_success(self):
        path, _ = self.local()
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([COMMAND, "solve", path, "--json"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)

    def test_same_bits_on_any_number_of_threads(self):
        path, _ = self.local(contacts=60, seed=4)
        answers = []
        for threads in (1, 2, 3):
            run("solve", path, "--threads", threads, "--out", self.path(f"t{threads}"), expect=0)
            answers.append(self.answer(f"t{threads}", "one.hdf5")[0].tobytes())
        self.assertEqual(len(set(answers)), 1)

    def test_interrupt(self):
        quick, _ = self.local("a.hdf5", contacts=2)
        slow, problem = self.local("b.hdf5", contacts=30, seed=2)
        # A tolerance of zero is never reached on the second, and the third is never begun.
        third, _ = self.local("c.hdf5")
        process = subprocess.Popen([COMMAND, "solve", quick, slow, third, "--json", "--out", self.path("out"), "--tol", "0", "--solver",
                                    "gauss-seidel", "--max-iterations", "2000000000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   universal_newlines=True)
        while not fixture.catches(process, signal.SIGINT):
            time.sleep(0.005)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        said, complained = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 130, complained)
        lines = [json.loads(line) for line in said.splitlines()]
        self.assertEqual(lines[-1]["status"], "interrupted")
        self.assertNotIn("c", [line["name"] for line in lines])
        self.assertIn("interrupted", complained)
        if lines[-1]["name"] == "b":  # the best iterate is written
            self.assertLess(error(problem, self.answer("out", "b.hdf5")[0]), 1)

    def test_table_is_plain_when_piped(self):
        path, _ = self.local()
        done = run("solve", path, expect=0)
        self.assertNotIn("\033", done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        head, _, row, summary = done.stdout.splitlines()[:4]
        self.assertEqual(head.split(), ["problem", "dim", "contacts", "form", "solver", "status", "E", "FB", "iterations", "time"])
        self.assertTrue(row.startswith("one "))
        self.assertIn("1 of 1 solved", summary)


if __name__ == "__main__":
    unittest.main()
