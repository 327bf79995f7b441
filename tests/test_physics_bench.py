"""The validation benchmarks at their quickest: bounds met, tables and pictures written. Times are not judged here."""
import csv
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.environ.get("CAPSTAN_BENCH", os.path.join(HERE, "../build/capstan-bench"))
ENVIRONMENT = {**os.environ, "CAPSTAN_BENCH_DATA": os.path.join(HERE, os.pardir, "validate")}


def bench(*arguments, **changes):
    return subprocess.run([BENCH, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False, env={**ENVIRONMENT, **changes})


def rows(folder, name):
    with open(os.path.join(folder, name + ".csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Physics(unittest.TestCase):
    def study(self, name, charts):
        """Runs it in a folder of its own, which is gone with the test."""
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        done = bench(name, "--quick", "--out", holder.name)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertNotIn("MISSED", done.stdout)
        self.assertIn("measured", done.stdout)
        for chart in charts:
            root = xml.etree.ElementTree.parse(os.path.join(holder.name, chart + ".svg")).getroot()
            self.assertTrue(root.tag.endswith("svg"))
            self.assertNotIn("nan", " ".join("".join(node.itertext()) for node in root.iter()).lower().split())
        return holder.name

    def test_cantilever(self):
        folder = self.study("cantilever", ("cantilever_error", "cantilever_time", "cantilever_master", "cantilever_curved"))
        found = rows(folder, "cantilever")
        self.assertEqual({row["formulation"] for row in found}, {"chained", "mixed"})
        judged = [row for row in found if row["tip_error_over_table"]]
        self.assertGreater(len(judged), 10)
        for row in judged:  # the bound, from the table and not from the command's own verdict
            self.assertLess(abs(float(row["tip_error_over_table"]) - 1), 0.1, row)
        self.assertGreater(len({row["kappa0_L"] for row in found}), 5)

    def test_vibration(self):
        folder = self.study("vibration", ("vibration_space", "vibration_time"))
        for row in rows(folder, "vibration"):
            space, time = float(row["space_part"]), float(row["time_part"])
            self.assertAlmostEqual(float(row["omega"]) / float(row["omega_beam"]), (1 + space) * (1 + time),
                                   delta=0.02 * max(abs(space), abs(time)))

    def test_slide(self):
        folder = self.study("slide", ("slide_incline", "drop_unexplained", "drop_energies"))
        found = rows(folder, "slide")
        self.assertTrue(any(float(row["exact"]) > 0 for row in found) and any(float(row["exact"]) == 0 for row in found))
        for row in found:
            if float(row["exact"]) > 0:
                self.assertLess(abs(float(row["acceleration"]) - float(row["exact"])) / 9.81, 1e-6, row)
        for row in rows(folder, "drop"):
            if row["fall"] == "gentle":
                self.assertLessEqual(float(row["E"]), 1e-8, row)
                self.assertLess(float(row["work_friction"]), 0, row)

    def test_three_point(self):
        folder = self.study("three-point", ("three_point_error", "three_point_smooth", "three_point_friction"))
        found = rows(folder, "three_point")
        self.assertEqual({float(row["kappa0_a"]) for row in found}, {-0.3, -0.2, 0.0, 0.1, 0.2, 0.3})
        for row in found:
            self.assertLessEqual(float(row["E"]), 1e-8, row)
            if row["n"] == "20":  # twice the tabulated error of the discretisation, from the table and not from the command's verdict
                self.assertLess(abs(float(row["Fmax"]) / float(row["Fmax_exact"]) - 1), 2 * 2.07e-3, row)

    def test_snap_fit(self):
        folder = self.study("snap-fit", ("snap_fit_error", "snap_fit_smaller", "snap_fit_larger"))
        found = rows(folder, "snap_fit")
        self.assertTrue(any(float(row["Rs_over_R"]) < 1 for row in found) and any(float(row["Rs_over_R"]) > 1 for row in found))
        for row in found:
            self.assertLessEqual(float(row["E"]), 1e-8, row)
            if row["n"] == "16":
                self.assertLess(float(row["assembly_error"]), 2 * 8.03e-4, row)
                self.assertLess(float(row["retention_error"]), 2 * 8.03e-4, row)

    def test_rod_steps(self):
        folder = self.study("rod-steps", ("rod_steps",))
        found = rows(folder, "rod_steps")
        self.assertTrue({"chained", "mixed"} <= {row["series"] for row in found})
        self.assertTrue(all(float(row["y"]) > 0 for row in found))

    def test_mistakes(self):
        for arguments in (("cantilever", "more"), ("vibration", "--out", BENCH), ("slide", "--quik")):
            self.assertEqual(bench(*arguments).returncode, 2, arguments)
        done = bench("cantilever", CAPSTAN_BENCH_DATA="/nonexistent")
        self.assertEqual(done.returncode, 2)
        self.assertIn("validate/reference/cantilever_k0_0.csv is missing", done.stderr)

    def test_a_wrong_reference_is_noticed(self):
        """The bounds bite: with a table of errors half as large the verdict is MISSED and the exit code 1."""
        with tempfile.TemporaryDirectory() as folder:
            reference = os.path.join(folder, "reference")
            os.mkdir(reference)
            source = os.path.join(HERE, os.pardir, "validate", "reference")
            for name in ("cantilever_k0_0.csv", "cantilever_natural_curvature.csv", "convergence_discrete.csv"):
                with open(os.path.join(source, name), encoding="utf-8") as file:
                    table = list(csv.reader(file))
                if name == "convergence_discrete.csv":
                    column = table[0].index("abs_err_tip_over_L")
                    for row in table[1:]:
                        row[column] = str(float(row[column]) / 2)
                with open(os.path.join(reference, name), "w", encoding="utf-8", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerows(table)
            done = bench("cantilever", "--quick", CAPSTAN_BENCH_DATA=folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("MISSED", done.stdout)


if __name__ == "__main__":
    unittest.main()
