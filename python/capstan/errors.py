"""Exceptions. Their text is what the C library says: what is wrong, where, and what to do."""
from __future__ import annotations

from dataclasses import dataclass


class CapstanError(Exception):
    """A call was refused or failed; nothing was changed by it."""


class StepError(CapstanError):
    """A step failed; the world is as it was. `status` is a name such as "no solution"."""

    def __init__(self, message: str, status: str) -> None:
        super().__init__(message)
        self.status = status


class RunError(CapstanError):
    """A run was refused, or failed after it had begun (`resumable`)."""

    def __init__(self, message: str, resumable: bool) -> None:
        super().__init__(message)
        self.resumable = resumable


@dataclass(frozen=True)
class Fault:
    """One mistake in a scene."""

    file: str
    line: int  #: from 1; 0: the file as a whole, or an override
    column: int
    key: str  #: path of the offending key: "rods[0].radius"
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line > 0 else self.file
        return f"{place}: {self.key}: {self.message}" if self.key else f"{place}: {self.message}"


class SceneError(CapstanError):
    """A scene has mistakes: `faults` are all of them, in the order of the text."""

    def __init__(self, faults: list[Fault]) -> None:
        count = "1 mistake" if len(faults) == 1 else f"{len(faults)} mistakes"
        super().__init__("\n".join([f"{count} in the scene"] + [str(fault) for fault in faults]))
        self.faults = faults
