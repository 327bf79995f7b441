"""The bicycle without friction (check_bicycle.py has the equations)."""
from check_bicycle import check_slippery as check  # noqa: F401, pylint: disable=unused-import

WHAT = "Without friction the rear wheel spins by the rider's moment alone, the front wheel not at all, and no height is gained."
