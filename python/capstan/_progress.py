"""A bar of simulated seconds: tqdm's, in terminals and notebooks."""
from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager
from typing import Any, Iterator, Optional


class Bar:
    """Shows nothing."""

    def show(self, seconds: float, error: float, contacts: int) -> None:
        pass


class _Tqdm(Bar):
    def __init__(self, shown: Any) -> None:
        self.shown = shown

    def show(self, seconds: float, error: float, contacts: int) -> None:
        self.shown.set_postfix_str(f"E {error:.0e}, {contacts} contacts", refresh=False)
        self.shown.update(max(0.0, min(seconds, self.shown.total) - self.shown.n))


def in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"


@contextmanager
def bar(seconds: float, wanted: Optional[bool]) -> Iterator[Bar]:
    """wanted None: a bar where somebody can see it."""
    if wanted is False or (wanted is None and not (sys.stderr.isatty() or in_notebook())):
        yield Bar()
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tqdm warns if a notebook has no widgets, and draws with letters then
        from tqdm.auto import tqdm
    with tqdm(total=seconds, bar_format="{percentage:3.0f}%|{bar}| {n:.3g}/{total:.3g} s simulated [{elapsed}<{remaining}{postfix}]") as shown:
        yield _Tqdm(shown)
