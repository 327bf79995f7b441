"""A world: bodies, obstacles, constraints and loads that step together. SI units; positions and forces have 3 components (z = 0 in the plane)."""
from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, Union

import numpy as np

from capstan import _build, _interrupt
from capstan._lib import Message, array_view, ffi, lib, real_array, struct_dtype, text, to_dataclass
from capstan.errors import CapstanError, StepError
from capstan.place import Motion, Place, Vector, as_place
from capstan.results import Energies, StepReport

__all__ = ["World", "CASES"]

CONTACT = struct_dtype("cst_contact_view")
#: names of contacts["contact_case"]
CASES = ("take-off", "stick", "slide", "bilateral")


class _Handle:
    """The C world. Arrays that look into it hold on to it: it is freed with the last of them."""

    def __init__(self, pointer: Any) -> None:
        self.pointer = ffi.gc(pointer, lib.cst_world_free)
        self.interrupt = ffi.new("capstan_interrupt *")
        lib.cst_world_on_iteration(self.pointer, _interrupt.LOOK, self.interrupt)


class World(_build.Builder):
    """A world of 2 or 3 dimensions. Ids of bodies, obstacles, constraints and loads are whole numbers from 1.

    dt: s, the largest step. gravity: m/s2, default 9.81 downwards (-y in the plane, -z in space). friction: coefficient where nobody else says
    another. tolerance: of E in each step. adaptive: steps are halved on fast motion, penetration or a missed tolerance. quasi_static: every step ends in
    equilibrium. theta: 1 implicit Euler, 0.5 no numerical damping. solver: a name as of docs/solvers.md.
    """

    def __init__(self, dim: int = 2, *, dt: float = 1e-3, gravity: Optional[Vector] = None, friction: float = 0.3, restitution: float = 0.0,
                 tolerance: float = 1e-8, adaptive: bool = False, quasi_static: bool = False, theta: float = 1.0,
                 iterations: Optional[int] = None, threads: int = 1, solver: str = "auto", self_contact: bool = True) -> None:
        if dim not in (2, 3):
            raise CapstanError(f"world: dim must be 2 or 3, not {dim!r}")
        self._open(_build.new_world(dim, dt=dt, gravity=gravity, friction=friction, restitution=restitution, tolerance=tolerance,
                                    adaptive=adaptive, quasi_static=quasi_static, theta=theta, iterations=iterations, threads=threads,
                                    solver=solver, self_contact=self_contact))

    @classmethod
    def _of(cls, pointer: Any) -> "World":
        world = cls.__new__(cls)
        world._open(pointer)
        return world

    def _open(self, pointer: Any) -> None:
        self._handle: Optional[_Handle] = _Handle(pointer)
        self._lock = threading.RLock()
        self._stepping = False
        self._callback_handle: Any = None

    # ------------------------------------------------------------------------------------------------------------- handling

    @contextmanager
    def _use(self, stepping: bool = False) -> Iterator[Any]:
        """The C world for the time of one call: of one thread at a time, and not of a world that was closed."""
        if not self._lock.acquire(blocking=False):
            raise CapstanError("the world is in use by another thread")
        try:
            if self._handle is None:
                raise CapstanError("the world is closed")
            if stepping and self._stepping:
                raise CapstanError("the world is in the middle of a step: a function that it calls cannot step, load or close it")
            yield self._handle.pointer
        finally:
            self._lock.release()

    def close(self) -> None:
        """Lets go of the world. Arrays that were given stay readable."""
        if self._handle is not None:
            with self._use(stepping=True):
                self._handle = None

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is None:
            return "<capstan.World, closed>"
        return f"<capstan.World of {self.dim} dimensions: {self.bodies} bodies, {self.obstacles} obstacles, t = {self.time:.6g} s>"

    # ------------------------------------------------------------------------------------------------------------- stepping

    def step(self, steps: int = 1) -> StepReport:
        """Takes accepted steps (each dt or a part of it) and returns the report of the last. StepError: a step failed, the world is as it
        was before it. Ctrl-C ends a step that takes long; the world is then as it was before it too."""
        if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or steps < 1:
            raise CapstanError(f"step: expected a whole number of steps from 1, not {steps!r}")
        report = ffi.new("cst_step_report *")
        with self._use(stepping=True) as world:
            self._stepping = True
            try:
                for _ in range(steps):
                    self._step_once(world, report)
            finally:
                self._stepping = False
        return _report(report)

    def _step_once(self, world: Any, report: Any) -> None:
        assert self._handle is not None
        guard = _interrupt.Guard(self._handle.interrupt)
        status = lib.cst_world_step(world, report)
        if self._callback_handle is not None:
            self._callback_handle.reraise()
        guard.reraise()
        if status > lib.CST_TOLERANCE_MISSED:
            name = text(lib.cst_status_name(status))
            raise StepError(f"step {report.step + 1} at {report.time:.9g} s failed ({name}): {text(report.message)}", name)

    def run(self, duration: float, *, progress: Union[bool, None] = None, callback: Optional[Callable[["World", StepReport], Any]] = None) -> StepReport:
        """Steps until `duration` (s) has passed, with a bar of tqdm in terminals and notebooks (progress None: if there is one). callback(world,
        report) is called after each step; False ends the run. Returns the last report."""
        from capstan._progress import bar

        duration = float(duration)
        if not (duration > 0.0 and np.isfinite(duration)):
            raise CapstanError(f"run: the duration must be positive and finite, not {duration!r} s")
        end = self.time + duration * (1.0 - 1e-12)
        with bar(duration, progress) as shown:
            while True:
                report = self.step()
                shown.show(report.time - (end - duration * (1.0 - 1e-12)), report.residual.error, report.contacts)
                if (callback is not None and callback(self, report) is False) or report.time >= end:
                    return report

    def on_step(self, function: Optional[Callable[["World"], Any]]) -> None:
        """From now on function(world) is called at the start of each step: it may look at the world and change it (forces, gravity, ...), and
        stops the step with an exception, which `step` raises. None: no longer."""
        with self._use(stepping=True) as world:
            if function is None:
                lib.cst_world_on_step(world, ffi.NULL, ffi.NULL)
                self._callback_handle = None
                return
            self._callback_handle = _interrupt.BeforeStep(function, self)
            lib.cst_world_on_step(world, lib.capstan_py_before_step, self._callback_handle.pointer)

    def find_equilibrium(self, tolerance: float = 1e-10) -> int:
        """Moves the bodies to an equilibrium under gravity and loads; returns the iterations that it took."""
        message, iterations = Message(), ffi.new("int *")
        with self._use(stepping=True) as world:
            if not lib.cst_world_find_equilibrium(world, float(tolerance), iterations, message.room, message.size):
                raise message.error()
        return int(iterations[0])

    # ---------------------------------------------------------------------------------------------------------------- looking

    @property
    def dim(self) -> int:
        with self._use() as world:
            return int(lib.cst_world_definition(world).dim)

    @property
    def time(self) -> float:
        """s"""
        with self._use() as world:
            return float(lib.cst_world_time(world))

    @property
    def steps(self) -> int:
        """Accepted steps so far."""
        with self._use() as world:
            return int(lib.cst_world_steps(world))

    @property
    def bodies(self) -> int:
        with self._use() as world:
            return int(lib.cst_world_bodies(world))

    @property
    def obstacles(self) -> int:
        with self._use() as world:
            return int(lib.cst_world_obstacles(world))

    @property
    def constraints(self) -> int:
        with self._use() as world:
            return int(lib.cst_world_constraints(world))

    def body(self, name: str) -> int:
        """The id of the body with this name."""
        with self._use() as world:
            for body in range(1, lib.cst_world_bodies(world) + 1):
                if text(lib.cst_world_body_name(world, body)) == name:
                    return body
        raise CapstanError(f"there is no body with the name {name!r}")

    def obstacle(self, name: str) -> int:
        """The id of the obstacle with this name."""
        with self._use() as world:
            for obstacle in range(1, lib.cst_world_obstacles(world) + 1):
                if text(lib.cst_world_obstacle_name(world, obstacle)) == name:
                    return obstacle
        raise CapstanError(f"there is no obstacle with the name {name!r}")

    @property
    def energies(self) -> Energies:
        out = ffi.new("cst_energies *")
        with self._use() as world:
            lib.cst_world_energies(world, out)
        return to_dataclass(Energies, out)

    @property
    def offsets(self) -> np.ndarray:
        """(bodies + 1): body k has the vertices offsets[k - 1] to offsets[k] - 1 of the arrays below. Vertices are the ends of the elements of a rod
        or fiber, nodes, the centre of mass of a rigid body. A view, without a copy."""
        with self._use() as world:
            return self._vertices(world)[1]

    def _vertices(self, world: Any) -> tuple[int, np.ndarray]:
        out = ffi.new("cst_vertices *")
        if not lib.cst_world_vertices(world, out):
            raise MemoryError("vertices of the world")
        return int(out.count), array_view(out.first, (out.bodies + 1,), "i8", self._handle)

    def _bulk(self, update: Any, *shape: int) -> np.ndarray:
        with self._use() as world:
            count = self._vertices(world)[0]
            pointer = update(world)
            if pointer == ffi.NULL:
                raise MemoryError("arrays of the world")
            return array_view(pointer, (count, *shape), "f8", self._handle)

    @property
    def positions(self) -> np.ndarray:
        """(vertices, 3) m. The world's own memory, without a copy: it is brought up to date each time `positions` is asked for, and so is every
        array that was given before. `.copy()` what is to stay."""
        return self._bulk(lib.cst_world_positions, 3)

    @property
    def velocities(self) -> np.ndarray:
        """(vertices, 3) m/s, as `positions`."""
        return self._bulk(lib.cst_world_velocities, 3)

    @property
    def frames(self) -> np.ndarray:
        """(vertices, 3, 3) rotations, as `positions`: columns t, d1, d2 of a fiber; about z in the plane."""
        return self._bulk(lib.cst_world_frames, 3, 3)

    @property
    def radii(self) -> np.ndarray:
        """(vertices,) m, of contact, as `positions`."""
        return self._bulk(lib.cst_world_radii)

    def vertices(self, body: int) -> slice:
        """Which rows of `positions`, ... are a body's: world.positions[world.vertices(rod)]."""
        offsets = self.offsets
        if isinstance(body, bool) or not isinstance(body, (int, np.integer)) or not 1 <= body < len(offsets):
            raise CapstanError(f"there is no body {body!r}: there are {len(offsets) - 1}")
        return slice(int(offsets[body - 1]), int(offsets[body]))

    def centreline(self, body: int, samples: int = 8) -> tuple[np.ndarray, np.ndarray]:
        """How a body is drawn now: vertices (n, 3) m and radii (n,) m, `samples` per element along the curve of a rod or fiber. A copy."""
        with self._use() as world:
            number = _id(body, lib.cst_world_bodies(world), "body")
            count = lib.cst_world_draw_body(world, number, _whole(samples, "samples"), ffi.NULL, ffi.NULL, ffi.NULL).vertices
            position, radius = np.zeros((count, 3)), np.zeros(count)
            drawn = lib.cst_world_draw_body(world, number, samples, _pointer(position), _pointer(radius), ffi.NULL)
        return (np.vstack([position, position[:1]]), np.append(radius, radius[0])) if drawn.closed else (position, radius)

    @property
    def contacts(self) -> np.ndarray:
        """The contacts of the last step, a structured array without a copy: fields id, a and b (body, obstacle), s_a, s_b (m), position (m),
        normal (from b to a), force (N, of b on a), velocity (m/s), r and u (impulse N s and velocity m/s, normal first), gap (m), mu, error,
        contact_case (number of capstan.CASES). The next step writes it anew."""
        out = ffi.new("cst_contact_view **")
        with self._use() as world:
            count = lib.cst_world_contacts(world, out)
            return array_view(out[0], (count,), CONTACT, self._handle)

    def place(self, place: Union[Place, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Position (3) m, frame (3, 3) and velocity (3) m/s of a material point now."""
        at = as_place(place)._struct()
        position, frame, velocity = np.zeros(3), np.zeros(9), np.zeros(3)
        angle = ffi.new("double *")
        with self._use() as world:
            there = lib.cst_world_place_space(world, at, _pointer(position), _pointer(frame), _pointer(velocity), ffi.NULL)
            if there and lib.cst_world_definition(world).dim == 2:
                lib.cst_world_place(world, at, ffi.NULL, angle, ffi.NULL)
                c, s = np.cos(angle[0]), np.sin(angle[0])
                frame[:] = [c, -s, 0, s, c, 0, 0, 0, 1]
        if not there:
            raise CapstanError(f"there is no such place: {place!r}")
        return position, frame.reshape(3, 3), velocity

    def obstacle_force(self, obstacle: int) -> np.ndarray:
        """(3) N: of all contacts on an obstacle, in the last step."""
        force = np.zeros(3)
        with self._use() as world:
            lib.cst_world_obstacle_force(world, _id(obstacle, lib.cst_world_obstacles(world), "obstacle"), _pointer(force))
        return force

    def constraint_force(self, constraint: int) -> tuple[np.ndarray, np.ndarray]:
        """Force (3) N and moment (3) N m of a constraint on its body, in the last step."""
        force, moment = np.zeros(3), np.zeros(3)
        with self._use() as world:
            number = _id(constraint, lib.cst_world_constraints(world), "constraint")
            lib.cst_world_constraint_force(world, number, _pointer(force), _pointer(moment))
        return force, moment

    def root_force(self, body: int) -> tuple[np.ndarray, np.ndarray]:
        """Force (3) N and moment (3) N m of the clamp on the start of a clamped rod or fiber, in the last step."""
        force, moment = np.zeros(3), np.zeros(3)
        with self._use() as world:
            if not lib.cst_world_root_force(world, _id(body, lib.cst_world_bodies(world), "body"), _pointer(force), _pointer(moment)):
                raise CapstanError(f"body {body} has no clamped start")
        return force, moment

    # ----------------------------------------------------------------------------------------------- changes while it runs

    @property
    def gravity(self) -> np.ndarray:
        """(3) m/s2. May be set."""
        with self._use() as world:
            return np.array(list(lib.cst_world_definition(world).gravity))

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        self._set(lib.cst_world_set_gravity, _vector(value, "gravity"))

    def state(self, body: int) -> np.ndarray:
        """The generalised coordinates of a body, then its velocities (docs/cache.md), as a copy."""
        with self._use() as world:
            number = _id(body, lib.cst_world_bodies(world), "body")
            out = np.zeros(lib.cst_world_body_state(world, number, ffi.NULL))
            lib.cst_world_body_state(world, number, _pointer(out))
        return out

    def set_state(self, body: int, state: Any) -> None:
        """Puts a body in another state, given as `state` gives it."""
        values = real_array(state, "state", (None,))
        with self._use() as world:
            number = _id(body, lib.cst_world_bodies(world), "body")
        self._set(lib.cst_world_set_body_state, number, _pointer(values), len(values))

    @property
    def friction(self) -> float:
        """The coefficient where nobody says another. May be set."""
        with self._use() as world:
            return float(lib.cst_world_definition(world).friction_coefficient)

    @friction.setter
    def friction(self, value: float) -> None:
        with self._use() as world:
            restitution = lib.cst_world_definition(world).restitution
        self._set(lib.cst_world_set_friction, _real(value, "friction"), restitution)

    def set_surface(self, *, body: int = 0, obstacle: int = 0, friction: Optional[float] = None, restitution: Optional[float] = None,
                    material: int = 0) -> None:
        """Another surface of a body or an obstacle; None: it says nothing, and its material or the world does."""
        surface = ffi.new("cst_surface *")
        surface.friction = -1.0 if friction is None else _real(friction, "friction")
        surface.restitution = -1.0 if restitution is None else _real(restitution, "restitution")
        surface.material = _whole(material, "material")
        party = ffi.new("cst_party *")
        party.body, party.obstacle = _whole(body, "body"), _whole(obstacle, "obstacle")
        self._set(lib.cst_world_set_surface, party[0], surface)

    def set_material(self, material: int, *, friction: Optional[float] = None, restitution: Optional[float] = None) -> None:
        """Other coefficients of a material; None: it says nothing."""
        self._set(lib.cst_world_set_material, _whole(material, "material"), -1.0 if friction is None else _real(friction, "friction"),
                  -1.0 if restitution is None else _real(restitution, "restitution"))

    def set_load(self, load: int, force: Vector = (0.0, 0.0, 0.0), moment: Vector = (0.0, 0.0, 0.0)) -> None:
        """Another force (3) N and moment (3) N m of a load."""
        self._set(lib.cst_world_set_load, _whole(load, "load"), _vector(force, "force"), _vector(moment, "moment"))

    def set_motion(self, motion: Motion, *, body: int = 0, obstacle: int = 0, constraint: int = 0) -> None:
        """Another prescribed motion of the clamped start of a body, of an obstacle, or of what a constraint holds to. It must go on from where the old
        one is now: `displacement` says where that is."""
        keep: list[Any] = []
        out = ffi.new("cst_motion *")
        motion._fill(out, keep)
        which = [(lib.cst_world_set_root_motion, body), (lib.cst_world_set_obstacle_motion, obstacle),
                 (lib.cst_world_set_constraint_motion, constraint)]
        call, number = _one_of(which)
        self._set(call, number, out)

    def displacement(self, *, body: int = 0, obstacle: int = 0, constraint: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """How far its prescribed motion has taken it by now: translation (3) m and rotation (3) rad."""
        translation, rotation = np.zeros(3), np.zeros(3)
        which = [(lib.cst_world_root_displacement, body), (lib.cst_world_obstacle_displacement, obstacle),
                 (lib.cst_world_constraint_displacement, constraint)]
        call, number = _one_of(which)
        with self._use() as world:
            call(world, number, _pointer(translation), _pointer(rotation))
        return translation, rotation

    def set_forces(self, forces: Any) -> None:
        """Forces (vertices, 3) N on all vertices, constant over each step until they are set again. None: none."""
        if forces is None:
            self._set(lib.cst_world_set_forces, ffi.NULL, 0)
            return
        values = real_array(forces, "forces", (None, 3))
        self._set(lib.cst_world_set_forces, _pointer(values), len(values))

    def _set(self, call: Any, *arguments: Any) -> None:
        message = Message()
        with self._use() as world:
            if not call(world, *arguments, message.room, message.size):
                raise message.error()

    # ----------------------------------------------------------------------------------------------------------- checkpoints

    def save(self) -> bytes:
        """All that the future depends on. A world that was built in the same way and loads it goes on with the same bits."""
        with self._use() as world:
            size = lib.cst_world_save(world, ffi.NULL, 0)
            room = ffi.new("double[]", (size + 7) // 8)
            lib.cst_world_save(world, room, size)
            return bytes(ffi.buffer(room, size))

    def load(self, checkpoint: bytes) -> None:
        """Back to where `save` was called. What was changed since (gravity, friction, motions, forces) is not part of it."""
        data = bytes(checkpoint)
        message = Message()
        with self._use(stepping=True) as world:
            if not lib.cst_world_load(world, ffi.from_buffer(data), len(data), message.room, message.size):
                raise message.error()


def _report(report: Any) -> StepReport:
    return to_dataclass(StepReport, report, status=text(lib.cst_status_name(report.status)), solver=text(lib.cst_solver_name(report.solver)),
                        form=text(lib.cst_form_name(report.form)))


def _pointer(array: np.ndarray) -> Any:
    """A pointer to an array that the caller holds."""
    return ffi.cast("double *", array.ctypes.data)


def _real(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise CapstanError(f"{what}: expected a number, not {value!r}") from None


def _whole(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value < 2**32:
        raise CapstanError(f"{what}: expected a whole number from 0, not {value!r}")
    return int(value)


def _id(value: Any, count: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 1 <= value <= count:
        raise CapstanError(f"there is no {what} {value!r}: there are {count}")
    return int(value)


def _one_of(which: list[tuple[Any, Any]]) -> tuple[Any, int]:
    given = [(call, _whole(number, "id")) for call, number in which if number != 0]
    if len(given) != 1:
        raise CapstanError("expected one of body, obstacle and constraint")
    return given[0]


def _vector(value: Any, what: str) -> Any:
    array = real_array(value, what, (None,))
    if len(array) not in (2, 3):
        raise CapstanError(f"{what}: expected 2 or 3 components, not {len(array)}")
    return ffi.new("double[3]", array.tolist() + [0.0] * (3 - len(array)))
