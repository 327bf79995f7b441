"""Scenes (docs/scene.md): read from a file, a text or a dict, checked, made into worlds, run to files."""
from __future__ import annotations

import json
import os
import threading
from typing import Any, Callable, Mapping, Optional, Union

from capstan import _interrupt
from capstan._lib import Message, ffi, lib, text, to_dataclass
from capstan._progress import bar
from capstan.errors import CapstanError, Fault, RunError, SceneError
from capstan.results import RunResult
from capstan.world import World, _report

__all__ = ["Scene"]

_ENDS = {"CST_RUN_FINISHED": "finished", "CST_RUN_ALREADY": "already", "CST_RUN_INTERRUPTED": "interrupted"}


class Scene:
    """A scene without mistakes. SceneError lists all of them otherwise.

    source: a path of a file; a dict with the keys of docs/scene.md; or a JSON text (something with a brace in it). overrides: {"rods.rope.radius":
    0.01}, as `capstan run --set`. folder: from which a dict or a text takes relative paths of meshes and scenes that it extends.
    """

    def __init__(self, source: Union[str, os.PathLike[str], Mapping[str, Any]], overrides: Optional[Mapping[str, Any]] = None, *,
                 folder: Union[str, os.PathLike[str], None] = None) -> None:
        changed = [ffi.new("char[]", f"{key}={_json(value, key)}".encode()) for key, value in (overrides or {}).items()]
        override = ffi.new("char *[]", changed) if changed else ffi.NULL
        if isinstance(source, Mapping):
            source = _json(source, "scene")
        written = isinstance(source, str) and "{" in source
        if written:
            data = str(source).encode()
            name = os.path.join(os.fspath(folder) if folder is not None else ".", "<scene>")
            pointer = lib.cst_scene_read_text(data, len(data), os.fsencode(name), override, len(changed), ffi.NULL)
        else:
            path = os.fsencode(source)
            if b"\0" in path:
                raise CapstanError("a path cannot hold a zero byte")
            pointer = lib.cst_scene_read_file(path, override, len(changed), ffi.NULL)
        if pointer == ffi.NULL:
            raise MemoryError("scene")
        self._pointer = ffi.gc(pointer, lib.cst_scene_free)
        faults = ffi.new("cst_scene_fault **")
        count = lib.cst_scene_faults(pointer, faults)
        if count > 0:
            raise SceneError([Fault(text(f.file), f.line, f.column, text(f.key), text(f.message)) for f in faults[0][0:count]])

    @property
    def title(self) -> str:
        return text(lib.cst_scene_title(self._pointer))

    @property
    def duration(self) -> float:
        """s"""
        return float(lib.cst_scene_run_settings(self._pointer).duration)

    @property
    def text(self) -> str:
        """The scene as it is run: files and overrides merged, JSON."""
        return text(lib.cst_scene_text(self._pointer))

    def to_dict(self) -> dict[str, Any]:
        """The same as a dict."""
        out: dict[str, Any] = json.loads(self.text)
        return out

    @property
    def warnings(self) -> list[str]:
        """What is suspicious though no value is a mistake (docs/check.md): overlaps, units, time steps. The world is built to find out."""
        message, machine, findings = Message(), ffi.new("cst_machine *"), ffi.new("cst_finding **")
        pointer = lib.cst_examine(self._pointer, machine, message.room, message.size)
        if pointer == ffi.NULL:
            raise message.error()
        try:
            count = lib.cst_examination_findings(pointer, findings)
            return [text(finding.text) for finding in findings[0][0:count]]
        finally:
            lib.cst_examination_free(pointer)

    def world(self, *, threads: int = 0, equilibrium: bool = True) -> World:
        """A fresh world each time. equilibrium: bodies begin in equilibrium if the scene says so, as in a run."""
        message = Message()
        pointer = lib.cst_scene_world(self._pointer, int(threads), message.room, message.size)
        if pointer == ffi.NULL:
            raise message.error()
        world = World._of(pointer)
        if equilibrium and lib.cst_scene_run_settings(self._pointer).equilibrium_first:
            world.find_equilibrium()
        return world

    def run(self, directory: Union[str, os.PathLike[str]], *, duration: Optional[float] = None, threads: int = 0, resume: bool = False,
            force: bool = False, begin_from: Union[str, os.PathLike[str], None] = None, probe_each_step: bool = False, progress: Optional[bool] = None,
            callback: Optional[Callable[[Any], Any]] = None, before_step: Optional[Callable[[World], Any]] = None) -> RunResult:
        """Runs the scene and keeps the results in `directory`, as `capstan run` does (docs/running.md).

        duration: s, other than the scene's. resume: go on from the last checkpoint. force: a run that is there is removed. begin_from: the directory of another
        run of this scene; bodies begin as it ended. progress None: a bar if there is a terminal or a notebook. callback(StepReport) is called after each step; False stops, saved and resumable. before_step(world) is called before each
        step and may change the world. Ctrl-C stops and saves, then raises KeyboardInterrupt. RunError: refused, or failed."""
        settings = ffi.new("cst_run_settings *", lib.cst_run_settings_default())
        keep = [ffi.new("char[]", os.fsencode(directory))]
        settings.directory = keep[0]
        settings.duration = 0.0 if duration is None else float(duration)
        settings.threads, settings.resume, settings.force, settings.probe_each_step = int(threads), resume, force, probe_each_step
        if begin_from is not None:
            keep.append(ffi.new("char[]", os.fsencode(begin_from)))
            setattr(settings, "from", keep[-1])
        warned = [ffi.new("char[]", warning.encode()) for warning in self.warnings] if not resume else []
        keep.append(ffi.new("const char *[]", warned or [ffi.NULL]))
        settings.warning, settings.warnings = keep[-1], len(warned)
        result = ffi.new("cst_run_result *")
        with bar(settings.duration or self.duration, progress) as shown:
            calls = _RunCalls(shown.show, callback, before_step)
            settings.progress, settings.before_step = lib.capstan_py_progress, lib.capstan_py_before_step
            settings.user = calls.kept.pointer
            end = lib.cst_run(self._pointer, settings, result)
        calls.finish()
        if end in (lib.CST_RUN_FAILED, lib.CST_RUN_REFUSED):
            raise RunError(text(result.message), resumable=end == lib.CST_RUN_FAILED)
        name = ffi.typeof("cst_run_end").elements[end]
        return to_dataclass(RunResult, result, directory=os.fspath(directory), end=_ENDS[name])


class _RunCalls:
    """What a run calls: the bar, the caller's functions, and a look for Ctrl-C."""

    def __init__(self, show: Callable[[float, float, int], None], callback: Optional[Callable[[Any], Any]],
                 before_step: Optional[Callable[[World], Any]]) -> None:
        self.show, self.callback, self.change = show, callback, before_step
        self.interrupt = ffi.new("capstan_interrupt *")
        self.kept = _interrupt.Progress(self.before, self.after)
        self.lent: Optional[_Lent] = None

    def before(self, pointer: Any) -> bool:
        if self.lent is None:
            lib.cst_world_on_iteration(pointer, _interrupt.LOOK, self.interrupt)
            self.lent = _Lent(pointer)
        return self.change is None or self.change(self.lent) is not False

    def after(self, now: Any) -> bool:
        report = now.report
        self.show(report.time, report.residual.error, report.contacts)
        return self.callback is None or self.callback(_report(report)) is not False

    def finish(self) -> None:
        """Behind the run: its world is gone, and what was raised in it is raised."""
        if self.lent is not None:
            self.lent._handle = None
        self.kept.reraise()
        if self.interrupt.stopped:
            raise KeyboardInterrupt


class _Lent(World):
    """The world of a run, for the time of its callbacks. Arrays of it are copies: the run frees its world."""

    def __init__(self, pointer: Any) -> None:
        self._handle = _Borrowed(pointer)  # type: ignore[assignment]
        self._lock = threading.RLock()
        self._stepping = True
        self._callback_handle = None

    def _bulk(self, update: Any, *shape: int) -> Any:
        return super()._bulk(update, *shape).copy()

    def _vertices(self, world: Any) -> Any:
        count, first = super()._vertices(world)
        return count, first.copy()

    @property
    def contacts(self) -> Any:
        return super().contacts.copy()


class _Borrowed:
    def __init__(self, pointer: Any) -> None:
        self.pointer = pointer


def _json(value: Any, what: str) -> str:
    try:
        return json.dumps(value, allow_nan=True, default=_plain)
    except (TypeError, ValueError) as error:
        raise CapstanError(f"{what}: {error}") from None


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy, paths."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"{value!r} cannot be part of a scene")
