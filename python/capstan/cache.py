"""The results of a run (docs/cache.md), read when they are asked for."""
from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Iterator, Union, overload

import numpy as np

from capstan._lib import Message, ffi, lib, struct_dtype, text
from capstan.errors import CapstanError
from capstan.world import CONTACT

__all__ = ["Cache", "Frame", "Item", "Track"]

VERTEX = struct_dtype("cst_vertex_row")
TRIANGLE = struct_dtype("cst_triangle_row")
_DRAWN = {0: "curve", 1: "disk", 2: "outline", 3: "half_plane", 4: "hollow_disk", 5: "mesh"}


@dataclass(frozen=True)
class Item:
    """A body or an obstacle in a frame."""

    owner: str  #: "body" or "obstacle"
    id: int
    name: str
    drawn_as: str  #: "curve", "disk", "outline", "half_plane", "hollow_disk", "mesh"
    closed: bool
    positions: np.ndarray  #: (vertices, 3) m
    radii: np.ndarray  #: (vertices,) m
    curvatures: np.ndarray  #: (vertices,) 1/m
    directors: np.ndarray  #: (vertices, 3): d1 of a fiber's section; 0 elsewhere
    triangles: np.ndarray  #: (triangles, 3) of a mesh
    state: np.ndarray  #: of a body (docs/cache.md)


class Frame:
    """One saved moment. Arrays are its own."""

    def __init__(self, cache: "Cache", frame: Any) -> None:
        self.time = float(frame.time)  #: s
        self.step = int(frame.step)  #: accepted steps so far
        self.contacts = _rows(frame.contact, frame.contacts, CONTACT)  #: as World.contacts
        self.items = [_item(cache, frame.item[k]) for k in range(frame.items)]

    @property
    def bodies(self) -> dict[str, Item]:
        """By name, or "body 3" where there is none."""
        return {item.name or f"body {item.id}": item for item in self.items if item.owner == "body"}

    @property
    def positions(self) -> np.ndarray:
        """(vertices of all bodies, 3) m"""
        own = [item.positions for item in self.items if item.owner == "body"]
        return np.concatenate(own) if own else np.zeros((0, 3))


def _rows(pointer: Any, count: int, dtype: np.dtype) -> np.ndarray:
    return np.frombuffer(bytes(ffi.buffer(pointer, count * dtype.itemsize)), dtype) if count > 0 else np.zeros(0, dtype)


def _item(cache: "Cache", item: Any) -> Item:
    rows = _rows(item.vertex, item.vertices, VERTEX)
    body = item.owner == lib.CST_ITEM_BODY
    return Item("body" if body else "obstacle", int(item.id), cache._name(body, item.id), _DRAWN[_as(item)], bool(item.closed), rows["position"], rows["radius"], rows["curvature"], rows["director"],
                _rows(item.triangle, item.triangles, TRIANGLE)["corner"], _rows(item.state, item.states, np.dtype("f8")))


def _as(item: Any) -> int:
    """The field `as`, which is a word of Python."""
    return int(getattr(item, "as"))


class Steps(Mapping[str, np.ndarray]):
    """One array for each column of /steps and /timings, one value per step: steps["error"], steps["time"]."""

    def __init__(self, cache: "Cache") -> None:
        self._cache = cache
        self._read: dict[str, np.ndarray] = {}
        self.units: dict[str, str] = {}
        unit = ffi.new("char **")
        index = 0
        while (name := lib.cst_cache_step_column_name(index, unit)) != ffi.NULL:
            self.units[text(name)] = text(unit[0])
            index += 1

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.units:
            raise KeyError(name)
        if name not in self._read:
            self._read[name] = self._cache._column(name)
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.units)

    def __len__(self) -> int:
        return len(self.units)


class Track:
    """The vertices of one body over all frames, (frames, vertices, 3) m, read when indexed: track[-1], track[::10], track[:, 0]. np.asarray(track) reads all.
    A body whose number of vertices changes has no such array: ask frames one by one."""

    def __init__(self, cache: "Cache", index: int, vertices: int) -> None:
        self._cache, self._index = cache, index
        self.shape = (len(cache), vertices, 3)
        self.dtype = np.dtype("f8")

    def __len__(self) -> int:
        return self.shape[0]

    def _frame(self, number: int) -> np.ndarray:
        positions = self._cache[number].items[self._index].positions
        if len(positions) != self.shape[1]:
            raise CapstanError(f"frame {number} has {len(positions)} vertices of this body, not {self.shape[1]}: read it frame by frame")
        return positions

    def __getitem__(self, key: Any) -> np.ndarray:
        first, rest = (key[0], key[1:]) if isinstance(key, tuple) else (key, ())
        if isinstance(first, (int, np.integer)):
            return self._frame(int(first))[rest] if rest else self._frame(int(first))
        numbers = np.arange(len(self))[first]
        return np.array([self._frame(int(n))[rest] if rest else self._frame(int(n)) for n in numbers])

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self[:], dtype=dtype)


class Cache(Sequence[Frame]):
    """A run that has ended, was killed or is still going on: what its last checkpoint has.

    cache[k] is frame k, read when asked for; cache.times (s) of all frames; cache.steps["error"] of all steps; cache.track("rope") the centreline of a body
    over time. A context manager; closed by itself otherwise.
    """

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        message = Message()
        name = os.fsencode(path)
        if b"\0" in name:
            raise CapstanError("a path cannot hold a zero byte")
        pointer = lib.cst_cache_open(name, message.room, message.size)
        if pointer == ffi.NULL:
            raise message.error()
        self._pointer: Any = ffi.gc(pointer, lib.cst_cache_close)
        self._lock = threading.Lock()
        self.path = os.fspath(path)
        about = lib.cst_cache_about(pointer)
        self.dim, self.dt = int(about.dim), float(about.dt)
        self.frame_interval, self.tolerance = float(about.frame_interval), float(about.tolerance)
        self.title, self.version, self.scene = text(about.title), text(about.version), text(about.scene)
        self._frames, self._steps = int(about.frames), int(about.steps)
        self._names = {True: [text(lib.cst_cache_body_name(pointer, k + 1)) for k in range(about.bodies)],
                       False: [text(lib.cst_cache_obstacle_name(pointer, k + 1)) for k in range(about.obstacles)]}
        self.steps = Steps(self)

    def _open(self) -> Any:
        if self._pointer is None:
            raise CapstanError(f"{self.path}: the cache is closed")
        return self._pointer

    def close(self) -> None:
        with self._lock:
            if self._pointer is not None:
                ffi.release(self._pointer)
                self._pointer = None

    def __enter__(self) -> "Cache":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<capstan.Cache {self.path}: {self._frames} frames, {self._steps} steps>"

    def _name(self, body: bool, number: int) -> str:
        names = self._names[body]
        return names[number - 1] if 1 <= number <= len(names) else ""

    @property
    def bodies(self) -> list[str]:
        """Names; "" where there is none."""
        return list(self._names[True])

    @property
    def obstacles(self) -> list[str]:
        return list(self._names[False])

    def _column(self, name: str) -> np.ndarray:
        out = np.zeros(self._steps)
        with self._lock:
            if not lib.cst_cache_step_column(self._open(), name.encode(), ffi.cast("double *", out.ctypes.data)):
                raise CapstanError(text(lib.cst_cache_message(self._pointer)))
        return out

    @property
    def times(self) -> np.ndarray:
        """(frames,) s"""
        out = np.zeros(self._frames)
        with self._lock:
            if not lib.cst_cache_frame_times(self._open(), ffi.cast("double *", out.ctypes.data)):
                raise CapstanError(text(lib.cst_cache_message(self._pointer)))
        return out

    def __len__(self) -> int:
        return self._frames

    @overload
    def __getitem__(self, index: int) -> Frame: ...

    @overload
    def __getitem__(self, index: slice) -> list[Frame]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Frame, list[Frame]]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(self._frames))]
        number = int(index) + (self._frames if index < 0 else 0)
        if not 0 <= number < self._frames:
            raise IndexError(f"{self.path}: has {self._frames} frames, none is number {index}")
        frame = ffi.new("cst_cache_frame *")
        with self._lock:
            if not lib.cst_cache_frame_read(self._open(), number, frame):
                raise CapstanError(text(lib.cst_cache_message(self._pointer)))
            return Frame(self, frame)

    def track(self, body: Union[str, int]) -> Track:
        """The centreline or vertices of a body, by name or id, over all frames."""
        for index, item in enumerate(self[0].items if self._frames > 0 else []):
            if item.owner == "body" and body in (item.id, item.name or None):
                return Track(self, index, len(item.positions))
        raise CapstanError(f"{self.path}: there is no body {body!r}")

    @property
    def probes(self) -> dict[str, np.ndarray]:
        """The probes of the run as structured arrays, columns as the CSV files name them, without units: probes["tip"]["x"]."""
        folder = os.path.join(self.path if os.path.isdir(self.path) else os.path.dirname(self.path), "probes")
        out: dict[str, np.ndarray] = {}
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if name.endswith(".csv"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    columns = [column.split(" [")[0].strip() for column in file.readline().split(",")]
                    out[name[:-4]] = np.atleast_1d(np.genfromtxt(file, delimiter=",", names=columns))
        return out
