"""Checks of scenes that cannot fail are worth nothing: some of them on scenes that are sabotaged (validate/scenes/sabotage.py has all)."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
PROGRAM = os.path.join(ROOT, "validate", "scenes", "sabotage.py")


class Sabotage(unittest.TestCase):
    def test_quick_scenes(self):
        with tempfile.TemporaryDirectory() as out:
            done = subprocess.run([sys.executable, PROGRAM, "--quick", "--out", out, "--command", os.environ["CAPSTAN_COMMAND"]],
                                  capture_output=True, text=True, check=False)
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(sum(line.startswith("ok ") for line in done.stdout.splitlines()), 4)

    def test_a_sabotage_that_does_nothing_is_seen(self):
        """If a change of the scene does not break the claim, the program must not say that all is well."""
        sys.path.insert(0, os.path.dirname(PROGRAM))
        import sabotage  # pylint: disable=import-outside-toplevel
        case = next(case for case in sabotage.CASES if case.scene == "cantilever")
        with tempfile.TemporaryDirectory() as out:
            true, false, _ = sabotage.run_case(os.environ["CAPSTAN_COMMAND"], case._replace(change=("duration=0.45",)), out, None)
        self.assertTrue(true.passed)
        self.assertTrue(false.passed)


if __name__ == "__main__":
    try:
        import h5py  # noqa: F401, pylint: disable=unused-import
        import scipy  # noqa: F401, pylint: disable=unused-import
    except ImportError:
        sys.exit(77)
    unittest.main()
