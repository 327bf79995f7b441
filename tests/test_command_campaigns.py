"""Random damages and failed allocations, few of each: validate/scenes/damage.py and failed_allocations.py do a thousand."""
import sys
import unittest

try:
    import h5py  # noqa: F401
except ImportError:
    print("h5py is missing")
    sys.exit(77)

import run_fixture as fixture
import damage
import failed_allocations


class Campaigns(unittest.TestCase):
    def test_random_damages(self):
        said = []
        counts = damage.campaign(fixture.COMMAND, 24, 1, said.append)
        self.assertEqual(sum(counts[key] for key in counts if key[2] in damage.BAD), 0, said)
        self.assertGreater(sum(counts[key] for key in counts if key[2] == "refused"), 8)
        self.assertGreater(sum(counts[key] for key in counts if key[2] == "repaired, same bits"), 0)

    @unittest.skipIf(fixture.sanitized(), "a sanitizer has a malloc of its own")
    def test_failed_allocations(self):
        said = []
        counts = failed_allocations.campaign(fixture.COMMAND, 12, 7, report=said.append)
        self.assertEqual(sum(counts[key] for key in counts if key[2] in failed_allocations.BAD), 0, said)
        self.assertGreater(sum(counts[key] for key in counts if key[2] == "refused"), 8)


if __name__ == "__main__":
    unittest.main()
