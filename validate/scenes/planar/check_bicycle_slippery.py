"""The bicycle without friction: the same checks, which see for themselves that there is none."""
from check_bicycle import check  # noqa: F401, pylint: disable=unused-import

WHAT = "Without friction the rear wheel spins by the rider's moment alone, the front wheel not at all, and no height is gained."
