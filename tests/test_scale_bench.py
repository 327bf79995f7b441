"""`capstan-bench scale` at its quickest: every section measures, counts and bits are as they must be, files are written. No times."""
import csv
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
BENCH = os.environ.get("CAPSTAN_BENCH", os.path.join(HERE, "../build/capstan-bench"))
ENVIRONMENT = {**os.environ, "CAPSTAN_BENCH_DATA": os.path.join(HERE, os.pardir, "validate"), "OMP_WAIT_POLICY": "passive"}
SECTIONS = ["free", "contact", "galilean", "detection", "ties", "threads", "mixed", "sheets"]


def scale(*arguments):
    return subprocess.run([BENCH, "scale", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                          check=False, env=ENVIRONMENT)


def rows(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Scale(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.done = scale("--quick", "--out", cls.holder.name)
        cls.rows = rows(cls.holder.name, "scale.csv") if cls.done.returncode == 0 else []

    def setUp(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""), self.done.stdout)

    def of(self, section):
        return [row for row in self.rows if row["section"] == section]

    def test_every_section_measures(self):
        self.assertEqual(list(dict.fromkeys(row["section"] for row in self.rows)), SECTIONS)
        for row in self.rows:
            self.assertGreater(float(row["seconds"]), 0, row)
            self.assertLessEqual(float(row["E"]), 1e-6, row)
            self.assertGreater(int(row["steps"]), 0, row)

    def test_phases_sum_to_the_step(self):
        for row in self.of("detection"):  # means; of medians the sum is only near
            phases = sum(float(value) for key, value in row.items() if key.endswith("_s"))
            self.assertAlmostEqual(phases / float(row["seconds"]), 1, delta=1e-6)

    def test_worlds_are_what_they_should_be(self):
        self.assertEqual({float(row["contacts"]) for row in self.of("free")}, {0})
        self.assertTrue(all(int(row["islands"]) == 1 and float(row["contacts"]) > int(row["fibers"]) for row in self.of("contact")))
        alone, nodes, both = self.of("mixed")
        self.assertEqual(float(alone["contacts"]) + float(nodes["contacts"]), float(both["contacts"]))
        self.assertEqual(int(alone["islands"]) + int(nodes["islands"]), int(both["islands"]))
        self.assertEqual([int(row["threads"]) for row in self.of("threads")], [1, 2])
        self.assertTrue(all(float(row["contacts"]) > 10 for row in self.of("sheets")))
        turning = [row for row in self.of("galilean") if "turning" in row["scene"]]
        self.assertTrue(len(turning) == 2 and all(float(row["contacts"]) > 0 for row in turning))

    def test_memory_is_counted(self):
        small, large = [row for row in self.of("free") if row["scene"].startswith("same hair")]
        hairs = int(large["fibers"]) - int(small["fibers"])
        each = (float(large["bytes_held"]) - float(small["bytes_held"])) / hairs
        self.assertGreater(each, 15 * 15 * 8)  # at least the matrix of a hair
        self.assertGreater(float(large["peak_rss"]), float(large["bytes_held"]))

    def test_findings_and_charts(self):
        figures = [row["figure"] for row in rows(self.holder.name, "scale_findings.csv")]
        for section in ("free", "contact", "galilean", "ties", "threads", "mixed"):
            self.assertTrue(any(figure.startswith(section) for figure in figures), section)
        for chart in ("free_time", "free_phases", "free_memory", "contact_time", "contact_phases", "contact_iterations",
                      "ties_comb", "ties_mat"):
            root = xml.etree.ElementTree.parse(os.path.join(self.holder.name, f"scale_{chart}.svg")).getroot()
            self.assertTrue(root.tag.endswith("svg"))

    def test_one_section_alone(self):
        done = scale("--quick", "--only", "mixed")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("ties:", done.stdout)

    def test_unknown_section(self):
        done = scale("--only", "fre")
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean free?", done.stderr)


if __name__ == "__main__":
    unittest.main()
