"""Stack of softer shells: the same checks."""
from check_shells import check  # noqa: F401, pylint: disable=unused-import

WHAT = "The stack of shells at Gamma = 100: shells lie flat under the weight of the others, and friction takes most of the lid's work."
