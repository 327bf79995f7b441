"""The bicycle without friction: the same checks, which see for themselves that there is none."""
from check_bicycle import check  # noqa: F401

WHAT = "Without friction the rear wheel spins by the rider's moment alone, the front wheel does not, and the bicycle gains no height."
