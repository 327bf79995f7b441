"""Stack of softer shells: the same checks."""
from check_shells import check  # noqa: F401, pylint: disable=unused-import

WHAT = "The stack of shells at Gamma = 100: they lie flat under the weight of the others, and slide along their whole length."
