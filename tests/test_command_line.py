"""The command from outside: help, mistakes and their exit codes, the benchmarks at their smallest."""
import csv
import os
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

COMMAND = os.environ.get("CAPSTAN_COMMAND", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../build/capstan"))
BENCH = os.environ.get("CAPSTAN_BENCH", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../build/capstan-bench"))
COMMANDS = ("run", "check", "dump", "solve", "plot", "view", "render", "export", "completion", "version", "help")


def program(path, *arguments):
    return subprocess.run([path, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                          check=False)


def run(*arguments):
    return program(COMMAND, *arguments)


def bench(*arguments):
    return program(BENCH, *arguments)


class Line(unittest.TestCase):
    def mistake(self, arguments, *expected, program=run):
        done = program(*arguments)
        self.assertEqual(done.returncode, 2, (arguments, done.stderr))
        self.assertEqual(done.stdout, "")
        for text in expected:
            self.assertIn(text, done.stderr)

    def test_help(self):
        for arguments in (["help"], ["--help"], ["-h"]):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for name in COMMANDS:
                self.assertIn(name, done.stdout)
        for arguments in (["solve", "--help"], ["help", "solve"], ["solve", "nothing.hdf5", "-h"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 0)
            for option in ("--solver", "--local", "--form", "--symmetrise", "--tol", "--max-iterations", "--time-limit", "--threads",
                           "--guess", "--json", "--out"):
                self.assertIn(option, done.stdout)
        self.assertEqual(bench("list").stdout, bench("--help").stdout)
        names = re.findall(r"^  ([a-z0-9-]+) ", bench("list").stdout, re.M)  # rows of scenes have a / in their names
        self.assertGreater(len(names), 20)
        for name in names:
            done = bench(name, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Usage: capstan-bench " + name, done.stdout)

    def test_version(self):
        for arguments in (["version"], ["--version"]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stdout, r"^capstan \d+\.\d+")

    def test_mistakes(self):
        self.mistake([], "Usage")
        self.mistake(["bench"], "capstan-bench")
        self.mistake([], "Usage", program=bench)
        self.mistake(["sovle", "x"], 'unknown command "sovle"', "did you mean solve?")
        self.mistake(["xyzzy"], "unknown command")
        self.mistake(["famlies"], "did you mean families?", program=bench)
        self.mistake(["solve"], "no files")
        self.mistake(["solve", "--slover", "auto", "x"], "--slover", "did you mean --solver?")
        self.mistake(["solve", "-x", "x"], "unknown option -x")
        self.mistake(["solve", "--solver", "gaus-seidel", "x"], "gauss-seidel", "newton-ac")
        self.mistake(["solve", "--solver=", "x"], "--solver")
        self.mistake(["solve", "--local", "mfb+drect", "x"], "mfb+direct")
        self.mistake(["solve", "x", "--tol"], "--tol needs a value")
        self.mistake(["solve", "x", "--tol", "small"], "needs a number", "small")
        self.mistake(["solve", "x", "--tol", "-1"], "between 0 and 1")
        self.mistake(["solve", "x", "--tol", "nan"], "needs a number")
        self.mistake(["solve", "x", "--threads", "1.5"], "whole number")
        self.mistake(["solve", "x", "--threads", "0"], "between 1 and")
        self.mistake(["solve", "x", "--max-iterations", "99999999999"], "at least 1")
        self.mistake(["solve", "x", "--json=yes"], "takes no value")
        self.mistake(["families", "--seeds", "many"], "whole number", program=bench)
        self.mistake(["peers", "/nonexistent"], "/nonexistent", program=bench)

    def test_end_of_options(self):
        done = run("solve", "--", "--json")  # a file of that name, which is not there
        self.assertEqual(done.returncode, 2)
        self.assertIn("capstan solve: --json: ", done.stderr)

    def test_recipe_for_missing_problems(self):
        done = bench("rodpile", "/nonexistent")
        self.assertEqual(done.returncode, 2)
        self.assertIn("rodpile.py --rods", done.stdout)


class Bench(unittest.TestCase):
    def test_families(self):
        with tempfile.TemporaryDirectory() as folder:
            table = os.path.join(folder, "families.csv")
            done = bench("families", "rods", "discs", "--seeds", 2, "--tol", 1e-6, "--csv", table)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(table, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual([row["family"] for row in rows], ["rods", "rods", "discs", "discs"])
            self.assertEqual({row["status"] for row in rows}, {"solved"})
            self.assertTrue(all(float(row["error"]) <= 1e-6 for row in rows))
        self.assertEqual(bench("families", "nonesuch").returncode, 2)

    def test_dumped_problems(self):
        scene = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../scenes/hair/wisp.json")
        with tempfile.TemporaryDirectory() as folder:
            problems, out = os.path.join(folder, "problems"), os.path.join(folder, "out")
            done = run("dump", scene, "--set", "generators[0].count=30", "--duration", 0.06, "--every", 15, "--out", problems)
            self.assertEqual(done.returncode, 0, done.stderr)
            count = len(os.listdir(problems))
            self.assertGreaterEqual(count, 2)
            done = bench("table2", problems, "--sweeps", 200, "--max-iterations", 2000, "--out", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"mfb\+direct +MFB\+Enum .* 312\n")  # the paper's milliseconds end the row
            self.assertRegex(done.stdout, r"four-sided cone +\d+ ")
            with open(os.path.join(out, "table2.csv"), encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(len(rows), (15 + 11) * count)
            best = [float(row["error"]) for row in rows if row["row"] == "auto"]
            self.assertEqual(len(best), count)
            self.assertLessEqual(max(best), 1e-6)
            for name in ("unsolved_local", "unsolved_by_time", "unsolved_by_iterations", "equal_time"):
                xml.etree.ElementTree.parse(os.path.join(out, name + ".svg"))
            done = bench("steps", problems, "--max-iterations", 2000)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(re.findall(r"^auto, (?:auto|explicit|product) +1e-0[46] +0 ", done.stdout, re.M)), 6)
            self.assertIn("%d of them from the impulses of the step before" % count, done.stdout)
            for name in ("table2", "steps"):
                for arguments, text in (([], "no problems"), ([folder], "no problem files"), ([os.path.join(folder, "none.hdf5")], "none.hdf5")):
                    done = bench(name, *arguments)
                    self.assertEqual(done.returncode, 2)
                    self.assertIn(text, done.stderr)

    def test_solvers(self):
        with tempfile.TemporaryDirectory() as folder:
            table, plots = os.path.join(folder, "solvers.csv"), os.path.join(folder, "plots")
            done = bench("solvers", "--problems", 3, "--sweeps", 100, "--max-iterations", 300, "--assembly", 200, "--no-siconos",
                       "--time-limit", 1, "--csv", table, "--plots", plots)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(table, encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            labels = {row["row"] for row in rows}
            self.assertTrue({"direct", "mfb", "mfb+direct", "pyramid+direct", "auto", "cadoux"} <= labels, labels)
            for row in rows:
                self.assertEqual(row["status"] == "solved", float(row["error"]) <= float(row["tolerance"]), row)
            for name in ("unsolved_local", "unsolved_by_iterations", "unsolved_by_time", "assembly"):
                root = xml.etree.ElementTree.parse(os.path.join(plots, name + ".svg")).getroot()
                self.assertTrue(root.tag.endswith("svg"))
                with open(os.path.join(plots, name + ".csv"), encoding="utf-8") as file:
                    self.assertGreater(len(list(csv.DictReader(file))), 3)
            self.assertEqual(bench("solvers", "--problems", 1, "--plots", table).returncode, 2)

    def test_threads(self):
        done = bench("threads", "--contacts", 100, "--repeat", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("same", done.stdout)
        self.assertNotIn("DIFFERENT", done.stdout)


if __name__ == "__main__":
    unittest.main()
