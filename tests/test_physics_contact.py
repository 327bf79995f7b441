"""The validation benchmarks of rods in contact at their quickest: bounds met, tables and pictures written, and bounds that bite."""
import csv
import os
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.environ.get("CAPSTAN_BENCH", os.path.join(HERE, "../build/capstan-bench"))
VALIDATE = os.path.join(HERE, os.pardir, "validate")


def bench(*arguments, data=VALIDATE):
    return subprocess.run([BENCH, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False, env={**os.environ, "CAPSTAN_BENCH_DATA": data})


class ContactPhysics(unittest.TestCase):
    def study(self, name, table, charts):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        done = bench(name, "--quick", "--out", holder.name)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertNotIn("MISSED", done.stdout)
        for chart in charts:
            root = xml.etree.ElementTree.parse(os.path.join(holder.name, chart + ".svg")).getroot()
            self.assertTrue(root.tag.endswith("svg"))
        with open(os.path.join(holder.name, table + ".csv"), encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_stick_slip(self):
        found = self.study("stick-slip", "stick_slip", ("stick_slip_boundary", "stick_slip_error"))
        judged = [row for row in found if row["error_over_table"]]
        self.assertGreater(len(judged), 4)
        for row in judged:  # the bound of the task, from the table and not from the command's own verdict
            self.assertLess(abs(float(row["error_over_table"])), 2, row)
        for row in found:
            self.assertLess(float(row["creep"]), 1e-9, row)

    def test_capstan(self):
        found = self.study("capstan", "capstan", ("capstan_ratio", "capstan_error"))
        self.assertEqual({float(row["r_over_R"]) for row in found}, {0, 0.05, 0.1})
        for row in found:
            if int(row["n_on_pi"]) >= 16:
                self.assertLess(abs(float(row["ratio"]) / float(row["theory"]) - 1), 0.01, row)

    def test_confined(self):
        found = self.study("confined", "confined", ("confined_along", "confined_wall", "confined_error"))
        free = [row for row in found if row["n"] == "40" and float(row["Y_over_L"]) > 0.1405]
        self.assertTrue(free)
        for row in free:  # nothing touches: the buckled arch
            self.assertAlmostEqual(float(row["H"]), 40.494, delta=0.1)
            self.assertEqual(float(row["V"]), 0)

    def test_a_wrong_reference_is_noticed(self):
        """With onsets that are off by a thousandth the verdict is MISSED and the exit code 1."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(VALIDATE, "reference"), os.path.join(folder, "reference"))
            for name, column in (("stick_slip_convergence", "eps_c_exact"), ("stick_slip_onset", "eps_c")):
                path = os.path.join(folder, "reference", name + ".csv")
                with open(path, encoding="utf-8") as file:
                    table = list(csv.DictReader(file))
                for row in table:
                    row[column] = str(float(row[column]) * 1.001)
                with open(path, "w", encoding="utf-8", newline="") as file:
                    writer = csv.DictWriter(file, table[0].keys(), lineterminator="\n")
                    writer.writeheader()
                    writer.writerows(table)
            done = bench("stick-slip", "--quick", data=folder)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertIn("MISSED", done.stdout)


if __name__ == "__main__":
    unittest.main()
