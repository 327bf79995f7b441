"""`capstan-bench fibers` at its quickest: every line within its bound by the table it writes, and a wrong theory is seen."""
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
WITHIN = {"bend-twist boundary": 0.01, "lateral buckling": 0.01, "Euler loads": 0.01, "Michell ring": 0.01, "twist and tension": 0.01,
          "localised helix": 0.01, "helical spring": 0.01, "capstan helix": 0.02}
RIGID = {"block on an incline", "ball on an incline", "spinning ball", "puck", "Coulomb oscillator"}
CHARTS = ("fibers_cantilever", "fibers_bend_twist", "fibers_lateral", "fibers_twist", "fibers_capstan")


def bench(*arguments, data=VALIDATE):
    return subprocess.run([BENCH, "fibers", "--quick", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False, env={**os.environ, "CAPSTAN_BENCH_DATA": data})


class Fibers(unittest.TestCase):
    def test_theory(self):
        with tempfile.TemporaryDirectory() as folder:
            done = bench("--out", folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertNotIn("MISSED", done.stdout)
            for chart in CHARTS:
                root = xml.etree.ElementTree.parse(os.path.join(folder, chart + ".svg")).getroot()
                self.assertTrue(root.tag.endswith("svg"))
            with open(os.path.join(folder, "fibers.csv"), encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual({row["line"] for row in rows}, {"cantilever", *WITHIN, *RIGID})
        for row in rows:  # the bounds, from the table and not from the command's own verdict
            bound = WITHIN.get(row["line"])
            if bound:
                self.assertLess(abs(float(row["measured"]) / float(row["theory"]) - 1), bound, row)
        for line in ("cantilever", "Michell ring", "localised helix"):
            self.assertEqual({row["model"] for row in rows if row["line"] == line}, {"super helix", "discrete rod", "CORDE"})
        orders = [float(row["order"]) for row in rows if row["line"] == "cantilever" and row["order"]]
        self.assertEqual(len(orders), 3)
        for order in orders:
            self.assertAlmostEqual(order, 2, delta=0.1)

    def test_wrong_theory_is_seen(self):
        """The first part alone: a load that is not where the planar state is lost stops it."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(os.path.join(VALIDATE, "reference"), os.path.join(folder, "reference"))
            path = os.path.join(folder, "reference", "bend_twist_boundary.csv")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace("5.5765453", "7.5765453"))
            done = bench(data=folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no loss of stability", done.stderr)


if __name__ == "__main__":
    unittest.main()
