"""Places on bodies, and prescribed motions."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Sequence, Union

import numpy as np

from capstan._lib import ffi, real_array
from capstan.errors import CapstanError

Vector = Union[Sequence[float], np.ndarray]


@dataclass(frozen=True)
class Place:
    """A material point. Of a rod or fiber: `s` (m from its start) or "end". Of a rigid body: `point` (m, in its frame, from its centre of
    mass). body 0: a point of the world."""

    body: int = 0
    s: Union[float, str] = 0.0
    point: Vector = (0.0, 0.0, 0.0)

    def _struct(self) -> Any:
        out = ffi.new("cst_place *")
        if isinstance(self.body, bool) or not isinstance(self.body, (int, np.integer)) or not 0 <= self.body < 2**32:
            raise CapstanError(f"place: a body is a whole number from 0, not {self.body!r}")
        out.body = int(self.body)
        if isinstance(self.s, str):
            if self.s not in ("start", "end"):
                raise CapstanError(f'place: s is a length in m, "start" or "end", not {self.s!r}')
            out.at_end = self.s == "end"
        else:
            out.s = float(self.s)
        point = real_array(self.point, "place: point", (None,))
        if len(point) not in (2, 3):
            raise CapstanError("place: a point has 2 or 3 components")
        for k, value in enumerate(point):
            out.point[k] = value
        return out


@dataclass(frozen=True)
class Motion:
    """A prescribed rigid motion from keys (time s, translation m, rotation rad), linear in between, or `smooth`; it repeats with a `period` (s) > 0.
    A rotation is an angle in the plane and a rotation vector in space, about the reference point + `about` (m)."""

    times: Vector
    translations: Any  #: (keys, 2 or 3) m
    rotations: Any = None  #: (keys,) rad in the plane, (keys, 3) in space; None: no rotation
    smooth: bool = False
    period: float = 0.0
    about: Vector = field(default=(0.0, 0.0, 0.0))

    def _fill(self, out: Any, keep: list[Any]) -> None:
        times = real_array(self.times, "motion: times", (None,))
        n = len(times)
        moved = _padded(self.translations, n, "motion: translations")
        turned = np.zeros((n, 3))
        if self.rotations is not None:
            if np.ndim(self.rotations) == 1:
                turned[:, 2] = real_array(self.rotations, "motion: rotations", (n,))
            else:
                turned = real_array(self.rotations, "motion: rotations", (n, 3))
        keys = ffi.new("cst_key[]", max(n, 1))
        for k in range(n):
            keys[k].time = times[k]
            for c in range(3):
                keys[k].translation[c] = moved[k, c]
                keys[k].rotation[c] = turned[k, c]
        keep.append(keys)
        out.key, out.keys, out.smooth, out.period = keys, n, bool(self.smooth), float(self.period)
        about = _padded([self.about], 1, "motion: about")[0]
        for c in range(3):
            out.about[c] = about[c]


def _padded(value: Any, rows: int, what: str) -> np.ndarray:
    array = real_array(value, what, (rows, None))
    if array.shape[1] not in (2, 3):
        raise CapstanError(f"{what}: expected {rows} x 2 or {rows} x 3 numbers")
    return np.hstack([array, np.zeros((rows, 3 - array.shape[1]))])


def as_place(value: Union[Place, int]) -> Place:
    """A body alone is its start, or its centre of mass."""
    return value if isinstance(value, Place) else Place(body=value)
