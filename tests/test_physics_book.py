"""A book of four sheets, bent and let go: what friction takes in the cycle follows the law of sheets that slide at their surfaces."""
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "validate", "scenes", "planar"))
try:
    import check_book
except ImportError:
    print("numpy or h5py is missing")
    sys.exit(77)
from run_fixture import outcome, run  # noqa: E402

SCENE = os.path.join(HERE, os.pardir, "scenes", "planar", "book.json")


class Book(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def bend(self, mu, *settings, sheets=4):
        place = os.path.join(self.holder.name, "-".join([str(sheets), str(mu), *settings]).replace(".", "_") + ".run")
        if not os.path.exists(place):
            sets = [x for setting in (f"generators.sheet.count={sheets}", f"friction.default={mu}", *settings) for x in ("--set", setting)]
            done = run(SCENE, "--out", place, "--progress", "none", *sets)
            self.assertEqual(outcome(place)["state"], "finished", done.stdout + done.stderr)
            self.assertLess(check_book.steps(place, "error")[0].max(), 1e-6)
        return place

    def test_first_order_in_mu(self):
        """mu times the normal forces times the sliding, both of the book without friction."""
        slope = check_book.first_order(self.bend(0))
        self.assertEqual(check_book.friction_work(self.bend(0)), 0)
        for mu in (0.05, 0.1):
            self.assertAlmostEqual(check_book.friction_work(self.bend(mu)) / (mu * slope), 1, delta=2e-3)

    def test_law(self):
        for what, value, bound, good in check_book.check(self.bend(0.1)):
            self.assertTrue(good, f"{what}: {value} is not within {bound}")

    def test_pairs_of_sheets(self):
        """n(n - 1): four sheets take six times what two take, not four times as n^2 says, nor three times as their interfaces."""
        ratio = check_book.friction_work(self.bend(0.1)) / check_book.friction_work(self.bend(0.1, sheets=2))
        self.assertAlmostEqual(ratio, 6, delta=0.06)

    def test_nothing_slides_on_the_centreline(self):
        """Sheets without thickness: points that face each other move alike, and friction finds nothing to do."""
        taken = check_book.friction_work(self.bend(0.1, "contact.at_centreline=true"))
        self.assertLess(abs(taken), 0.01 * check_book.friction_work(self.bend(0.1)))


if __name__ == "__main__":
    unittest.main()
