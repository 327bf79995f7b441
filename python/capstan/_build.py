"""How worlds are built in code: definitions of the C library from keyword arguments. Names, units and defaults are those of capstan.h."""
from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Optional, Sequence, Union

import numpy as np

from capstan._lib import Message, enum_value, ffi, fill, lib, real_array
from capstan.errors import CapstanError
from capstan.place import Motion, Place, Vector, as_place


def new_world(dim: int, **given: Any) -> Any:
    message, keep = Message(), []  # type: ignore[var-annotated]
    definition = ffi.new("cst_world_def *", lib.cst_world_def_default(dim))
    fill(definition, {"gravity": given["gravity"], "friction_coefficient": given["friction"], "restitution": given["restitution"]}, "world", keep)
    fill(definition.time_step, {name: given[name] for name in ("dt", "adaptive", "quasi_static", "theta", "iterations")}, "world", keep)
    fill(definition.contact, {"self_contact": given["self_contact"]}, "world", keep)
    fill(definition.friction, {"tolerance": given["tolerance"], "threads": given["threads"]}, "world", keep)
    solver = ffi.new("cst_solver *")
    if not lib.cst_solver_from_name(str(given["solver"]).encode(), solver):
        raise CapstanError(f"world: there is no solver {given['solver']!r}")
    definition.friction.solver = solver[0]
    pointer = lib.cst_world_new(definition, message.room, message.size)
    if pointer == ffi.NULL:
        raise message.error()
    return pointer


class _Definition:
    """A definition that is being filled, with all that it points to."""

    def __init__(self, kind_: str, **values: Any) -> None:
        self.what = kind_
        self.keep: list[Any] = []
        self.struct = ffi.new(f"cst_{kind_}_def *", getattr(lib, f"cst_{kind_}_def_default")())
        fill(self.struct, values, kind_, self.keep)

    def array(self, name: str, value: Any, shape: tuple[Optional[int], ...]) -> Optional[np.ndarray]:
        if value is None:
            return None
        array = real_array(value, f"{self.what}: {name}", shape)
        self.keep.append(array)
        setattr(self.struct, name, ffi.cast("double *", array.ctypes.data))
        return array

    def surface(self, friction: Optional[float], restitution: Optional[float], material: int) -> None:
        fill(self.struct.surface, {"friction": friction, "restitution": restitution, "material": material}, self.what, self.keep)

    def motion(self, name: str, motion: Optional[Motion]) -> None:
        if motion is not None:
            if not isinstance(motion, Motion):
                raise CapstanError(f"{self.what}: {name} is a capstan.Motion, not {motion!r}")
            motion._fill(getattr(self.struct, name), self.keep)

    def place(self, name: str, place: Union[Place, int]) -> None:
        setattr(self.struct, name, as_place(place)._struct()[0])

    def mesh(self, vertices: Any, triangles: Any, closed: bool) -> None:
        if vertices is None and triangles is None:
            return
        points = real_array(vertices, f"{self.what}: mesh_vertices", (None, 3))
        corners = np.ascontiguousarray(triangles)
        if corners.ndim != 2 or corners.shape[1] != 3 or not np.issubdtype(corners.dtype, np.integer):
            raise CapstanError(f"{self.what}: mesh_triangles: expected n x 3 whole numbers")
        if corners.size > 0 and (corners.min() < 0 or corners.max() >= len(points)):
            raise CapstanError(f"{self.what}: mesh_triangles: a corner is none of the {len(points)} vertices")
        corners = corners.astype(np.int32)
        self.keep += [points, corners]
        mesh = self.struct.mesh
        mesh.vertex, mesh.vertices = ffi.cast("double *", points.ctypes.data), len(points)
        mesh.triangle, mesh.triangles = ffi.cast("int32_t *", corners.ctypes.data), len(corners)
        mesh.closed = bool(closed)


class Builder:
    """The half of a World that adds things to it."""

    def _use(self, stepping: bool = False) -> AbstractContextManager[Any]:
        raise NotImplementedError

    def _add(self, definition: _Definition) -> int:
        message = Message()
        with self._use(stepping=True) as world:
            number = getattr(lib, f"cst_world_add_{definition.what}")(world, definition.struct, message.room, message.size)
        if number == 0:
            raise message.error()
        return int(number)

    def add_material(self, name: str = "", *, friction: Optional[float] = None, restitution: Optional[float] = None) -> int:
        """A material, whose coefficients hold where a body or obstacle made of it says nothing itself."""
        return self._add(_Definition("material", name=name, friction=friction, restitution=restitution))

    def add_rod(self, *, elements: int, length: float, radius: float, mass_per_length: float, bending_stiffness: float,
                name: Optional[str] = None, position: Vector = (0.0, 0.0), angle: float = 0.0, natural_curvature: float = 0.0,
                viscosity: float = 0.0, drag: float = 0.0, load: Optional[Vector] = None, velocity: Optional[Vector] = None,
                angular_velocity: float = 0.0, clamped: bool = False, closed: bool = False, root_motion: Optional[Motion] = None,
                curvature: Any = None, curvature_rate: Any = None, element_length: Any = None, element_radius: Any = None,
                element_bending_stiffness: Any = None, element_natural_curvature: Any = None, element_friction: Any = None,
                formulation: str = "auto", friction: Optional[float] = None, restitution: Optional[float] = None, material: int = 0) -> int:
        """A planar rod of `elements` arcs. length m, radius m (of contact), mass_per_length kg/m, bending_stiffness N m2 (EI), natural_curvature 1/m,
        viscosity N m2 s, drag kg/(m s), load N/m, position m and angle rad of its start, velocity m/s, angular_velocity rad/s. Arrays have one value
        per element. clamped: the start is held, or moved by root_motion. closed: a ring."""
        definition = _Definition("rod", name=name, elements=elements, length=length, radius=radius, mass_per_length=mass_per_length,
                                 bending_stiffness=bending_stiffness, natural_curvature=natural_curvature, viscosity=viscosity, drag=drag, load=load,
                                 position=position, angle=angle, velocity=velocity, angular_velocity=angular_velocity, clamped=clamped,
                                 closed=closed, formulation=formulation)
        n = definition.struct.elements
        for key, value in (("curvature", curvature), ("curvature_rate", curvature_rate), ("element_length", element_length),
                           ("element_radius", element_radius), ("element_bending_stiffness", element_bending_stiffness),
                           ("element_natural_curvature", element_natural_curvature), ("element_friction", element_friction)):
            definition.array(key, value, (n,))
        definition.motion("root_motion", root_motion)
        definition.surface(friction, restitution, material)
        return self._add(definition)

    def add_fiber(self, *, elements: int, length: float, radius: Optional[float] = None, model: str = "super_helix",
                  density: Optional[float] = None, young: Optional[float] = None, poisson: float = 0.5,
                  half_axes: Optional[tuple[float, float]] = None, mass_per_length: Optional[float] = None,
                  bending_stiffness: Union[float, Sequence[float], None] = None, twisting_stiffness: Optional[float] = None,
                  stretching_stiffness: Optional[float] = None, name: Optional[str] = None, position: Vector = (0.0, 0.0, 0.0),
                  frame: Any = None, natural_curvature: Optional[Vector] = None, viscosity: float = 0.0, drag: float = 0.0,
                  velocity: Optional[Vector] = None, angular_velocity: Optional[Vector] = None, points: Any = None, curvature: Any = None,
                  element_natural_curvature: Any = None, element_radius: Any = None, element_friction: Any = None, clamped: bool = False,
                  closed: bool = False, sag_free: bool = False, root_motion: Optional[Motion] = None, friction: Optional[float] = None,
                  restitution: Optional[float] = None, material: int = 0) -> int:
        """A fiber in space. model: "super_helix", "discrete_rod", "corde" or "springs". Either density kg/m3, young Pa and poisson of a round section
        (radius m) or an elliptic one (half_axes m along d1 and d2), or mass_per_length kg/m, bending_stiffness N m2 (one value, or about d1 and
        d2), twisting_stiffness N m2. stretching_stiffness N, of the nodal models. natural_curvature (twist, k1, k2) 1/m; viscosity s (damping time);
        drag kg/(m s). The start is at `position` (m) with `frame` (columns t, d1, d2), or the centreline goes through `points` (elements + 1, 3)."""
        if isinstance(bending_stiffness, (int, float)):
            bending_stiffness = (bending_stiffness, bending_stiffness)
        definition = _Definition("fiber", name=name, model=model, elements=elements, length=length, position=position, frame=frame,
                                 natural_curvature=natural_curvature, viscosity=viscosity, drag=drag, velocity=velocity,
                                 angular_velocity=angular_velocity, clamped=clamped, closed=closed, sag_free=sag_free)
        if young is not None or density is not None:
            self._section(definition, radius, half_axes, density, young, poisson)
        fill(definition.struct, {"radius": radius, "mass_per_length": mass_per_length, "bending_stiffness": bending_stiffness,
                                 "twisting_stiffness": twisting_stiffness, "stretching_stiffness": stretching_stiffness}, "fiber", definition.keep)
        n = definition.struct.elements
        definition.array("point", points, (n + 1, 3))
        for key, value, shape in (("curvature", curvature, (n, 3)), ("element_natural_curvature", element_natural_curvature, (n, 3)),
                                  ("element_radius", element_radius, (n,)), ("element_friction", element_friction, (n,))):
            definition.array(key, value, shape)
        definition.motion("root_motion", root_motion)
        definition.surface(friction, restitution, material)
        return self._add(definition)

    @staticmethod
    def _section(definition: _Definition, radius: Optional[float], half_axes: Optional[tuple[float, float]], density: Optional[float],
                 young: Optional[float], poisson: float) -> None:
        axes = half_axes if half_axes is not None else (radius, radius)
        if axes[0] is None or axes[1] is None or density is None or young is None:
            raise CapstanError("fiber: a section needs density, young and radius (or half_axes)")
        along = real_array(axes, "fiber: half_axes", (2,))
        lib.cst_fiber_section(definition.struct, along[0], along[1], float(density), float(young), float(young) / (2.0 * (1.0 + float(poisson))))

    def add_rigid(self, shape: str, *, mass: float, radius: Optional[float] = None, size: Optional[Vector] = None, corners: Any = None,
                  mesh_vertices: Any = None, mesh_triangles: Any = None, name: Optional[str] = None, position: Vector = (0.0, 0.0, 0.0),
                  angle: float = 0.0, frame: Any = None, velocity: Optional[Vector] = None, angular_velocity: float = 0.0,
                  spin: Optional[Vector] = None, inertia: Optional[float] = None, inertia_matrix: Any = None, drag: float = 0.0,
                  angular_drag: float = 0.0, collides: bool = True, friction: Optional[float] = None, restitution: Optional[float] = None,
                  material: int = 0) -> int:
        """A rigid body: "disk" or "polygon" (corners (n, 2) m) in the plane; "sphere", "capsule", "box" (half edges `size`) or "mesh" in space. mass
        kg, radius m (also of rounding), inertia kg m2 (None: homogeneous), position m of the centre of mass, angle rad or frame (3, 3), velocity
        m/s, angular_velocity rad/s in the plane, spin (3) rad/s in space."""
        definition = _Definition("rigid", name=name, shape=shape, mass=mass, radius=radius, position=position, angle=angle, frame=frame,
                                 velocity=velocity, angular_velocity=angular_velocity, spin=spin, inertia=inertia, inertia_matrix=inertia_matrix,
                                 drag=drag, angular_drag=angular_drag, collides=collides, size=_half_sizes(size))
        points = definition.array("corner", corners, (None, 2))
        if points is not None:
            definition.struct.corners = len(points)
        definition.mesh(mesh_vertices, mesh_triangles, closed=True)
        definition.surface(friction, restitution, material)
        return self._add(definition)

    def add_obstacle(self, shape: str, *, position: Vector = (0.0, 0.0, 0.0), normal: Optional[Vector] = None, radius: Optional[float] = None,
                     size: Optional[Vector] = None, rounding: Optional[float] = None, frame: Any = None, hollow: bool = False,
                     points: Any = None, closed: bool = False, solid: bool = False, angle: float = 0.0, curvature: float = 0.0,
                     length: Optional[float] = None, mesh_vertices: Any = None, mesh_triangles: Any = None, mesh_closed: bool = True,
                     motion: Optional[Motion] = None, name: Optional[str] = None, friction: Optional[float] = None,
                     restitution: Optional[float] = None, material: int = 0) -> int:
        """An obstacle: "half_plane", "disk", "chain" (points (n, 2) m) or "arc" in the plane; "plane", "sphere", "capsule", "box", "cylinder" or "mesh" in
        space. Lengths in m; `size` are half edges; moved by `motion` about `position`."""
        definition = _Definition("obstacle", name=name, shape=shape, position=position, normal=normal, radius=radius, size=_half_sizes(size),
                                 rounding=rounding, frame=frame, hollow=hollow, closed=closed, solid=solid, angle=angle, curvature=curvature,
                                 length=length)
        chain = definition.array("point", points, (None, 2))
        if chain is not None:
            definition.struct.points = len(chain)
        definition.mesh(mesh_vertices, mesh_triangles, mesh_closed)
        definition.motion("motion", motion)
        definition.surface(friction, restitution, material)
        return self._add(definition)

    def add_constraint(self, kind: str, a: Union[Place, int], b: Optional[Place] = None, *, direction: Optional[Vector] = None,
                       motion: Optional[Motion] = None, release_time: float = -1.0, name: Optional[str] = None) -> int:
        """Holds the place `a` of a body to `b`, or to the world where it is now (b None): "pinned", "clamped", "sliding" or "guided" along
        `direction`. motion moves what it holds to; it lets go at release_time (s)."""
        definition = _Definition("constraint", name=name, kind=kind, direction=direction, release_time=release_time)
        definition.place("a", a)
        if b is not None:
            definition.place("b", b)
            definition.struct.b_follows_a = False
        definition.motion("motion", motion)
        return self._add(definition)

    def add_load(self, at: Union[Place, int], force: Vector = (0.0, 0.0, 0.0), moment: Vector = (0.0, 0.0, 0.0), *, follower: bool = False,
                 times: Any = None, factors: Any = None, name: Optional[str] = None) -> int:
        """A force (N) and a moment (N m) on a place of a body, times a factor of time (linear between times); follower: turns with the body."""
        definition = _Definition("load", name=name, force=force, moment=moment, follower=follower)
        definition.place("at", at)
        if times is not None or factors is not None:
            when = definition.array("time", times, (None,))
            count = 0 if when is None else len(when)
            definition.array("factor", factors, (count,))
            definition.struct.times = count
        return self._add(definition)

    def set_pair(self, a: dict[str, int], b: dict[str, int], *, friction: Optional[float] = None, restitution: Optional[float] = None) -> None:
        """Coefficients between two of {"body": id}, {"obstacle": id}, {"material": id}; None: left to others."""
        message = Message()
        with self._use() as world:
            if not lib.cst_world_set_pair(world, _party(a), _party(b), -1.0 if friction is None else float(friction),
                                          -1.0 if restitution is None else float(restitution), message.room, message.size):
                raise message.error()

    def set_apart(self, a: dict[str, int], b: dict[str, int]) -> None:
        """Two bodies, or a body and an obstacle, that never touch."""
        message = Message()
        with self._use() as world:
            if not lib.cst_world_set_apart(world, _party(a), _party(b), message.room, message.size):
                raise message.error()


def _half_sizes(size: Optional[Vector]) -> Optional[list[float]]:
    if size is None:
        return None
    values = real_array(size, "size", (None,)).tolist() if np.ndim(size) else [float(size)]  # type: ignore[arg-type]
    return values + [0.0] * (3 - len(values))


def _party(who: dict[str, int]) -> Any:
    party = ffi.new("cst_party *")
    for kind, number in dict(who).items():
        if kind not in ("body", "obstacle", "material"):
            raise CapstanError(f"a party is a body, an obstacle or a material, not {kind!r}")
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not 0 <= number < 2**32:
            raise CapstanError(f"{kind}: expected an id, not {number!r}")
        setattr(party, kind, int(number))
    return party[0]
