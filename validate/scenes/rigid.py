#!/usr/bin/env python3
"""Runs the scenes of rigid bodies (scenes/rigid) and checks them with code of its own: validate/scenes/rigid.py [--only NAME ...]
[--runs DIRECTORY] [--reuse]. Writes build/rigid/rigid.csv and a table.

  stands    the scene as it is. No step over the tolerance (E <= 1e-8), at rest in the end (no vertex faster than 1e-8 m/s over the last
            frame), nothing has moved by more than 1e-6 m.
  holds     the same for a short time with 1.01 of the least friction that statics allows (least_friction.py: a linear program that shares
            nothing with the library): nothing moves.
  gives_way with 0.99 of that friction: something moves by more than 1e-5 m, and faster than 1 mm/s in the end. It is the begin of a fall, before
            anything strikes: steps are not halved. 155 cards are given 10 ms: from then on friction misses its tolerance (E 1e-8 to 4e-8), with
            1e5 iterations in a step.
  slides    the stack on its slope, with 0.99 of tan 15 degrees: a closed form of how far.
  falls     with far less friction, until all lies: something comes down by half of the height of the whole.
  moves     a scene in which things strike, tumble or rock; at rest in the end where friction ends the motion, a closed form where not.

No step of any run may fail, and E <= 1e-8 in all steps but those of a collapse (gives_way, falls): what missed the tolerance there stands
in the column `missed`.

In every frame of every run bodies must not be within each other, or within an obstacle, by more than LIMIT of the thickness of the thinner
one. Bodies are convex here: two of them overlap by the least overlap along any normal of a face of either, or across an edge of one and an
edge of the other (separating axes). A sheet of triangles is within a body if a triangle, cut by the planes of the body moved inwards by the
limit, is not empty. A cylinder is known by its support function.

In every run the budget of energies closes: what it does not explain is below CLOSED of the energy that gravity gave, or of rounding.
"""
import argparse
import csv
import math
import os
import resource
import subprocess
import sys

import numpy as np

from finished_run import Run
from least_friction import least_friction

LIMIT = 0.05
CLOSED, ROUNDING = 1e-3, 1e-12  # of the energy that gravity gave; of all gravitational energy, for each step
SLOPE, DT, GRAVITY = math.radians(15), 2e-3, 9.81
STANDS = ["card_house_4", "card_house_5", "card_house_10", "arch_25", "arch_101", "stack_on_slope"]
THRESHOLDS = {"card_house_4": 0.1, "card_house_5": 0.1, "card_house_10": 0.01, "arch_25": 0.6, "arch_101": 0.6}  # s
FALLS = {"card_house_4": 0.15, "card_house_5": 0.15, "arch_25": 0.2}
MOVES = ["box_on_hills", "box_on_cylinder"]


class Solid:
    """A convex body: vertices, unit normals of its faces and directions of its edges, each once."""

    def __init__(self, vertices, triangles):
        self.vertices = vertices
        a, b, c = (vertices[triangles[:, k]] for k in range(3))
        normals = np.cross(b - a, c - a)
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        self.normals = self.unlike(normals, False)
        edges = {}
        for triangle, normal in zip(triangles, normals):
            for i, j in ((0, 1), (1, 2), (2, 0)):
                edges.setdefault(frozenset((triangle[i], triangle[j])), []).append(normal)
        sharp = [vertices[list(e)[1]] - vertices[list(e)[0]] for e, n in edges.items() if n[0] @ n[-1] < 1 - 1e-9]
        sharp = np.array(sharp)
        self.edges = self.unlike(sharp / np.linalg.norm(sharp, axis=1)[:, None], True)
        self.planes = (self.normals @ vertices.T).max(axis=1)
        self.low, self.high = vertices.min(axis=0), vertices.max(axis=0)
        self.thickness = (self.planes + (-self.normals @ vertices.T).max(axis=1)).min()

    @staticmethod
    def unlike(vectors, both_ways):
        kept = []
        for v in vectors:
            if not any((abs(v @ k) if both_ways else v @ k) > 1 - 1e-9 for k in kept):
                kept.append(v)
        return np.array(kept)


def axes_of(a, b):
    crossed = np.cross(a.edges[:, None, :], b.edges[None, :, :]).reshape(-1, 3)
    length = np.linalg.norm(crossed, axis=1)
    crossed = crossed[length > 1e-6] / length[length > 1e-6][:, None]
    return np.concatenate([a.normals, b.normals, crossed])


def overlap(a, b):
    axes = axes_of(a, b)
    p, q = axes @ a.vertices.T, axes @ b.vertices.T
    return np.minimum(p.max(axis=1) - q.min(axis=1), q.max(axis=1) - p.min(axis=1)).min()


def overlap_with_cylinder(a, centre, axis, half, radius):
    across = np.linalg.svd(axis[None, :])[2][1:]
    angle = np.linspace(0, 2 * np.pi, 7201)[:-1]
    axes = np.concatenate([a.normals, [axis, -axis], np.cos(angle)[:, None] * across[0] + np.sin(angle)[:, None] * across[1],
                           np.cross(a.edges, axis) / np.linalg.norm(np.cross(a.edges, axis) + 1e-30, axis=1)[:, None]])
    along = axes @ axis
    support = np.abs(along) * half + radius * np.sqrt(np.maximum(0, 1 - along ** 2))
    p = axes @ (a.vertices - centre).T
    return np.minimum(p.max(axis=1) + support, support - p.min(axis=1)).min()


def sheet_within(solid, vertices, triangles, by):
    """Is any triangle inside the solid by more than `by`?"""
    low, high = vertices[triangles].min(axis=1), vertices[triangles].max(axis=1)
    for i in np.flatnonzero(((low <= solid.high) & (high >= solid.low)).all(axis=1)):
        polygon = list(vertices[triangles[i]])
        for n, d in zip(solid.normals, solid.planes - by):
            kept = []
            for p, q in zip(polygon, polygon[1:] + polygon[:1]):
                hp, hq = n @ p - d, n @ q - d
                if hp <= 0:
                    kept.append(p)
                if hp * hq < 0:
                    kept.append(p + hp / (hp - hq) * (q - p))
            polygon = kept
            if not polygon:
                break
        if polygon:
            return True
    return False


def bodies(run, frame):
    return np.concatenate([v for owner, _, v, _ in run.shapes(frame) if owner == 0])


def deepest(run):
    """The largest overlap of any frame, in thicknesses of the thinner; of a sheet: LIMIT or twice that."""
    worst = 0.0
    for frame in range(len(run.frames["time"])):
        bodies = [Solid(v, t) for owner, _, v, t in run.shapes(frame) if owner == 0]
        obstacles = [(run.scene["obstacles"][i - 1], v, t) for owner, i, v, t in run.shapes(frame) if owner == 1]
        low, high = np.array([b.low for b in bodies]), np.array([b.high for b in bodies])
        for i, a in enumerate(bodies):
            near = np.flatnonzero(((low <= a.high) & (high >= a.low)).all(axis=1))
            for j in near[near > i]:
                worst = max(worst, overlap(a, bodies[j]) / min(a.thickness, bodies[j].thickness))
            for made, v, t in obstacles:
                if made["shape"] == "plane":
                    n = v[1] - v[0]
                    worst = max(worst, -((a.vertices - v[0]) @ n).min() / np.linalg.norm(n) / a.thickness)
                elif made["shape"] == "box":
                    worst = max(worst, overlap(a, Solid(v, t)) / a.thickness)
                elif made["shape"] == "cylinder":
                    axis, centre = np.array(made.get("direction", [0, 0, 1]), float), np.array(made.get("position", [0, 0, 0]), float)
                    worst = max(worst, overlap_with_cylinder(a, centre, axis / np.linalg.norm(axis), made["length"] / 2,
                                                             made["radius"]) / a.thickness)
                elif sheet_within(a, v, t, LIMIT * a.thickness):
                    worst = max(worst, 2 * LIMIT)
    return worst


def start(scene, directory, extra):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = ["build/capstan", "run", "scenes/rigid/%s.json" % scene, "--out", directory, "--force", "--progress", "none"] + extra
    status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    return status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def slide_along_slope(steps, mu):
    """How far a body has come from rest down the slope: its acceleration is constant, steps are implicit."""
    return GRAVITY * (math.sin(SLOPE) - mu * math.cos(SLOPE)) * DT ** 2 * steps * (steps + 1) / 2


def rocking_error(directory, radius=0.3, width=0.6, height=0.1):
    """How much longer the box rocks on the cylinder than it should, as a share, mean over all swings from level to level.

    A box of height 2 h that rolls on a cylinder of radius R by the angle a has its centre at ((R + h) sin a - R a cos a,
    (R + h) cos a + R a sin a), so that I = k^2 + h^2 + R^2 a^2 per mass, and a swing of amplitude A takes
    2 int_0^A sqrt(I(a) / (2 g (z(A) - z(a)))) da (here with a = A sin s, which takes the singularity away)."""
    h, inertia = height / 2, (width ** 2 + height ** 2) / 12 + height ** 2 / 4

    def swing(amplitude):
        s = (np.arange(400) + 0.5) / 400 * math.pi / 2
        a = amplitude * np.sin(s)
        rise = [(radius + h) * np.cos(x) + radius * x * np.sin(x) for x in (amplitude, a)]
        speed = np.sqrt(2 * GRAVITY * (rise[0] - rise[1]) / (inertia + radius ** 2 * a ** 2))
        return 2 * (amplitude * np.cos(s) / speed).mean() * math.pi / 2

    with open(os.path.join(directory, "probes", "rocker.csv")) as probe:
        rows = list(csv.DictReader(probe))
    time, tilt = (np.array([float(r[key]) for r in rows]) for key in ("time [s]", "ry [rad]"))
    at = np.flatnonzero(tilt[:-1] * tilt[1:] < 0)
    crossing = time[at] + (time[at + 1] - time[at]) * tilt[at] / (tilt[at] - tilt[at + 1])
    expected = sum(swing(np.abs(tilt[i:j + 1]).max()) for i, j in zip(at[:-1], at[1:]))
    return (crossing[-1] - crossing[0]) / expected - 1


def faults_of(row, run, directory, mu):
    kind, faults = row["kind"], []
    if kind not in ("gives_way", "falls") and (row["missed"] or row["error"] > 1e-8):
        faults.append("E")
    if row["overlap"] > LIMIT:
        faults.append("overlap")
    if row["unexplained"] > CLOSED * row["gravity_gave"] + ROUNDING * row["steps"] * abs(run.steps["energy_gravity"]).max():
        faults.append("energy")
    if (kind == "stands" or row["scene"] == "box_on_hills") and row["speed"] > 1e-8:
        faults.append("speed")
    if kind in ("stands", "holds") and row["moved"] > 1e-6:
        faults.append("moved")
    if kind == "falls" and row["fallen"] < 0.5:
        faults.append("stands")
    if kind == "gives_way" and (row["moved"] < 1e-5 or row["speed"] < 1e-3):
        faults.append("stands")
    if kind == "slides" and abs(row["moved"] / slide_along_slope(row["steps"], mu) - 1) > 1e-6:
        faults.append("slide")
    if row["scene"] == "box_on_cylinder":
        if abs(rocking_error(directory)) > 0.002:
            faults.append("period")
        last, before = list(run.shapes(-1 + len(run.frames["time"]))), list(run.shapes(-2 + len(run.frames["time"])))
        if np.abs(last[1][2] - before[1][2]).max() > 1e-8 / 50:  # the box on the post
            faults.append("speed")
    return faults


def check(name, kind, mu, directory, seconds):
    run = Run(directory)
    first, last, before = bodies(run, 0), bodies(run, -1 + len(run.frames["time"])), bodies(run, -2 + len(run.frames["time"]))
    interval = run.frames["time"][-1] - run.frames["time"][-2]
    steps = len(run.steps["time"])
    row = dict(scene=name, kind=kind, mu=mu, bodies=int((run.items["owner"][:run.frames["items"][0]] == 0).sum()),
               contacts=int(run.steps["contacts"].max()), seconds=float(run.frames["time"][-1]), steps=steps,
               retries=int(run.steps["retries"].sum()), missed=int((run.steps["status"] != 0).sum()),
               error=run.steps["error"].max(), overlap=deepest(run),
               speed=np.linalg.norm(last - before, axis=1).max() / interval, moved=np.linalg.norm(last - first, axis=1).max(),
               fallen=(first[:, 2] - last[:, 2]).max() / np.ptp(first[:, 2]), gravity_gave=np.ptp(run.steps["energy_gravity"]),
               unexplained=abs(run.steps["energy_unexplained"]).max(),
               ms_per_step=1e3 * seconds / steps if seconds else float("nan"))
    row["faults"] = " ".join(faults_of(row, run, directory, mu))
    return row


def jobs():
    """Name, kind, friction (None: the scene's own), duration."""
    for name in STANDS:
        yield name, "stands", None, None
    for name in MOVES:
        yield name, "moves", None, None
    for name, duration in THRESHOLDS.items():
        least = least_friction(name)
        yield name, "holds", 1.01 * least, 1
        yield name, "gives_way", 0.99 * least, duration
    yield "stack_on_slope", "slides", 0.99 * math.tan(SLOPE), 1
    for name, mu in FALLS.items():
        yield name, "falls", mu, 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--kinds", nargs="*", help="stands, moves, holds, gives_way, slides, falls")
    parser.add_argument("--runs", default="build/rigid")
    parser.add_argument("--reuse", action="store_true", help="check the runs that are there")
    options = parser.parse_args()
    os.makedirs(options.runs, exist_ok=True)
    rows = []
    for name, kind, mu, duration in jobs():
        if (options.only and name not in options.only) or (options.kinds and kind not in options.kinds):
            continue
        directory = os.path.join(options.runs, "%s_%s.run" % (name, kind))
        extra = ([] if mu is None else ["--set", "friction=%.12g" % mu]) + ([] if duration is None else ["--duration", str(duration)])
        if kind == "gives_way":
            extra += ["--set", "time_step.adaptive=false", "--set", "output.frames_per_second=100"]
        seconds = None
        if not (options.reuse and os.path.exists(directory)):
            _, seconds = start(name, directory, extra)
        rows.append(check(name, kind, mu, directory, seconds))
        print("  ".join("%s %s" % (k, "%.3g" % v if isinstance(v, float) else v) for k, v in rows[-1].items()), flush=True)
    with open(os.path.join(options.runs, "rigid.csv"), "w", newline="") as out:
        table = csv.DictWriter(out, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
    return 1 if any(row["faults"] for row in rows) else 0


sys.exit(main())
