"""Figures of runs (matplotlib). Each function draws on `ax`, or on a new figure, and returns the axes."""
from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np

from capstan.cache import Cache
from capstan.errors import CapstanError
from capstan.theory import cantilever_master_curve

__all__ = ["convergence", "curves", "energies", "master_curve", "stick_slide"]

# columns of cache.steps, how they are called and drawn
_ENERGIES = (("energy_kinetic", "kinetic", "#d1495b"), ("energy_elastic", "elastic", "#2e6f95"), ("energy_gravity", "gravity", "#6b705c"),
             ("work_friction", "work of friction", "#e09f3e"), ("work_normal", "work of normal forces", "#9c6644"),
             ("work_loads", "work of loads", "#5b8e7d"), ("work_constraints", "work of prescribed motions", "#8e5b8a"),
             ("work_viscosity", "work of viscosity", "#84a59d"), ("work_drag", "work of drag", "#a3b18a"),
             ("work_scheme", "work of the time scheme", "#bcb8b1"), ("work_forgotten", "forgotten by quasi-static steps", "#dda15e"),
             ("energy_unexplained", "unexplained", "#222222"))
_CASES = (("sticks", 1, "#2e6f95"), ("slides", 2, "#e09f3e"), ("open", 0, "#c9c9c9"))


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise CapstanError("figures need matplotlib: pip install capstan[plot]") from None
    return pyplot.subplots(figsize=(6.4, 4.2), layout="constrained")[1]


def _cache(run: Union[Cache, str]) -> Cache:
    return run if isinstance(run, Cache) else Cache(run)


def energies(run: Union[Cache, str], ax: Any = None) -> Any:
    """Energies now and all works since the start, over time: energies - their start - works = unexplained."""
    ax, cache = _axes(ax), _cache(run)
    time = cache.steps["time"]
    for column, label, colour in _ENERGIES:
        value = cache.steps[column]
        if np.any(value != 0.0):
            ax.plot(time, value, color=colour, label=label, linewidth=1.2, linestyle=":" if label == "unexplained" else "-")
    ax.set_xlabel("time (s)")
    ax.set_ylabel("energy (J)")
    ax.legend(frameon=False, fontsize="small")
    return ax


def convergence(run: Union[Cache, str], ax: Any = None) -> Any:
    """E of each step and the tolerance it was to meet; steps without contact have no E."""
    ax, cache = _axes(ax), _cache(run)
    error = cache.steps["error"]
    seen = error > 0.0
    ax.semilogy(cache.steps["time"][seen], error[seen], ".", markersize=3, color="#2e6f95", label="E of each step")
    ax.axhline(cache.tolerance, color="#d1495b", linewidth=1.0, label=f"tolerance {cache.tolerance:g}")
    ax.set_xlabel("time (s)")
    ax.set_ylabel("E, residual of the Coulomb law")
    ax.legend(frameon=False, fontsize="small")
    return ax


def stick_slide(run: Union[Cache, str], body: Union[str, int, None] = None, ax: Any = None) -> Any:
    """Where along a body it sticks and slides, over time: one mark per contact and frame at the arc length of the contact. body None: all of them."""
    ax, cache = _axes(ax), _cache(run)
    number = None if body is None else body if isinstance(body, int) else _body_number(cache, body)
    where: dict[int, list[np.ndarray]] = {case: [] for _, case, _ in _CASES}
    for frame in cache:
        for side, along in (("a", "s_a"), ("b", "s_b")):
            rows = frame.contacts[(frame.contacts[side]["body"] == number) if number is not None else (frame.contacts[side]["body"] > 0)]
            for case, marks in where.items():
                s = rows[along][rows["contact_case"] == case]
                marks.append(np.column_stack([np.full(len(s), frame.time), s]))
    for label, case, colour in reversed(_CASES):
        dots = np.concatenate([np.zeros((0, 2)), *where[case]])
        ax.plot(dots[:, 0], dots[:, 1], "s", markersize=2.5, markeredgewidth=0, color=colour, label=f"{label} ({len(dots)})")
    ax.set_xlabel("time (s)")
    ax.set_ylabel("arc length of the contact (m)")
    ax.legend(frameon=False, fontsize="small", markerscale=3, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return ax


def _body_number(cache: Cache, name: str) -> int:
    if name not in cache.bodies:
        raise CapstanError(f"{cache.path}: there is no body {name!r}")
    return cache.bodies.index(name) + 1


def master_curve(gamma: Any, ratio: Any, ax: Any = None, label: Optional[str] = "Capstan") -> Any:
    """H / W of cantilevers under their own weight against Gamma = m g L^3 / EI, on the curve that all of them share (Romero et al. 2021)."""
    ax = _axes(ax)
    exact = cantilever_master_curve()
    ax.loglog(*exact, color="#222222", linewidth=1.0, label="elastica")
    ax.loglog(np.asarray(gamma), np.asarray(ratio), "o", markersize=5, color="#d1495b", label=label)
    ax.set_xlim(0.5 * np.min(gamma), 2.0 * np.max(gamma))
    ax.set_ylim(0.5 * np.min(ratio), 2.0 * np.max(ratio))
    ax.set_xlabel(r"$\Gamma = m g L^3 / EI$")
    ax.set_ylabel("drop / reach of the tip")
    ax.legend(frameon=False)
    return ax


def curves(source: Any, ax: Any = None, *, azimuth: float = -90.0, elevation: float = 20.0, colour: str = "#e09f3e") -> Any:
    """The bodies of a World, or of a Frame of a Cache, with their true radius: as they lie in the plane; in space seen from `azimuth` (degrees, from x
    towards y) and `elevation`, what is near in front of what is far."""
    from capstan.world import World

    if isinstance(source, World):
        parts = [source.centreline(body, 12) for body in range(1, source.bodies + 1)]
    else:
        parts = [(item.positions, item.radii) for item in source.items if item.owner == "body"]
    parts = [(x, r) for x, r in parts if len(x) > 1]
    ax = _axes(ax)
    if not parts:
        return ax
    space = any(np.ptp(x[:, 2]) > 0.0 for x, _ in parts)
    right, up, near = _camera(azimuth, elevation) if space else np.eye(3)
    line, depth, radius, shade = [], [], [], []
    for x, r in parts:
        seen = np.column_stack([x @ right, x @ up])
        far = x @ near
        line.append(np.stack([seen[:-1], seen[1:]], axis=1))
        depth.append(0.5 * (far[:-1] + far[1:]))
        radius.append(0.5 * (r[:-1] + r[1:]))
        shade.append(np.abs(np.diff(far)) / np.maximum(np.linalg.norm(np.diff(x, axis=0), axis=1), 1e-300))
    _draw_tubes(ax, np.concatenate(line), np.concatenate(depth), np.concatenate(radius), np.concatenate(shade), colour, space)
    return ax


def _camera(azimuth: float, elevation: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    a, e = np.radians(azimuth), np.radians(elevation)
    near = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    return right, np.cross(near, right), near


def _draw_tubes(ax: Any, line: np.ndarray, depth: np.ndarray, radius: np.ndarray, shade: np.ndarray, colour: str, space: bool) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgb

    low, high = line.min(axis=(0, 1)), line.max(axis=(0, 1))
    room = 0.06 * float((high - low).max()) + float(radius.max())
    ax.set_xlim(low[0] - room, high[0] + room)
    ax.set_ylim(low[1] - room, high[1] + room)
    ax.set_aspect("equal")
    ax.set_xlabel("" if space else "x (m)")
    ax.set_ylabel("" if space else "y (m)")
    if space:
        ax.tick_params(left=False, labelleft=False)
        ax.set_xlabel("m, across the view")
    ax.figure.canvas.draw()  # where the axes are is known from here on
    unit = float(np.abs(ax.transData.transform((1.0, 0.0)) - ax.transData.transform((0.0, 0.0)))[0]) * 72.0 / ax.figure.dpi
    order = np.argsort(depth, kind="stable")
    width = np.maximum(0.7, 2.0 * radius[order] * unit)
    rgb = np.array(to_rgb(colour)) * (1.0 - 0.45 * shade[order, None])
    # each segment with its dark rim, from far to near: crossings are seen. Both overlap their neighbours, the rim less: no gap, no seam
    middle = line[order].mean(axis=1, keepdims=True)
    both = np.empty((2 * len(order), 2, 2))
    both[0::2], both[1::2] = middle + 1.3 * (line[order] - middle), middle + 1.5 * (line[order] - middle)
    colours = np.zeros((2 * len(order), 3))
    colours[0::2], colours[1::2] = 0.15, rgb
    widths = np.empty(2 * len(order))
    widths[0::2], widths[1::2] = width + 1.6, width
    if not space:
        both, colours, widths = line[order], colours[1::2], widths[1::2]
    ax.add_collection(LineCollection(list(both), linewidths=widths, colors=colours, capstyle="butt" if space else "round"))
