"""Exceptions on their way through C: a function of Python that C calls keeps what it raised, and the call into C raises it again."""
from __future__ import annotations

from typing import Any, Callable, Optional

from capstan._lib import ffi, lib

LOOK = ffi.addressof(lib, "capstan_look_for_signals")


class Guard:
    """Ctrl-C during one call into C."""

    def __init__(self, state: Any) -> None:
        self.state = state
        state.stopped = False

    def reraise(self) -> None:
        if self.state.stopped:
            self.state.stopped = False
            raise KeyboardInterrupt


class Kept:
    """An exception of a callback. `pointer` is what C hands back to it."""

    def __init__(self) -> None:
        self.raised: Optional[BaseException] = None
        self.pointer = ffi.new_handle(self)

    def reraise(self) -> None:
        raised, self.raised = self.raised, None
        if raised is not None:
            raise raised


class BeforeStep(Kept):
    def __init__(self, function: Callable[[Any], Any], world: Any) -> None:
        super().__init__()
        self.function, self.world = function, world


class Progress(Kept):
    """Callbacks of a run: before_step(pointer of the world) and after_step(struct) return False to stop."""

    def __init__(self, before_step: Callable[[Any], bool], after_step: Callable[[Any], bool]) -> None:
        super().__init__()
        self.before_step, self.after_step = before_step, after_step


def _keep(kind: Any, raised: BaseException, trace: Any) -> None:
    """A signal may come before the first line of a callback, or behind its last: cffi tells of it here."""
    user = trace.tb_frame.f_locals.get("user") if trace is not None else None
    if user is None:
        raise raised  # nobody to tell: cffi prints it
    ffi.from_handle(user).raised = raised


@ffi.def_extern(error=False, onerror=_keep)  # type: ignore[untyped-decorator]
def capstan_py_before_step(user: Any, pointer: Any) -> bool:
    kept = ffi.from_handle(user)
    try:
        if isinstance(kept, Progress):
            return bool(kept.before_step(pointer))
        kept.function(kept.world)
        return True
    except BaseException as raised:  # noqa: BLE001 - KeyboardInterrupt too: it is raised again behind the call into C
        kept.raised = raised
        return False


@ffi.def_extern(error=False, onerror=_keep)  # type: ignore[untyped-decorator]
def capstan_py_progress(user: Any, now: Any) -> bool:
    kept = ffi.from_handle(user)
    try:
        return bool(kept.after_step(now))
    except BaseException as raised:  # noqa: BLE001
        kept.raised = raised
        return False
