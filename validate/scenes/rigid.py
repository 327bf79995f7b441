#!/usr/bin/env python3
"""Runs the scenes of rigid bodies (scenes/rigid) and checks them with code of its own: validate/scenes/rigid.py [--only NAME ...]
[--runs DIRECTORY] [--reuse]. Writes build/rigid/rigid.csv and a table.

  stands    the scene as it is. No step over the tolerance (E <= 1e-8), at rest in the end (no vertex faster than 1e-8 m/s over the last
            frame), nothing has moved by more than 1e-6 m.
  falls     the same with less friction: something comes down by a tenth of the height of the whole.
  moves     a scene in which things strike, tumble or rock.

In every frame of every run bodies must not be within each other, or within an obstacle, by more than LIMIT of the thickness of the thinner
one. Bodies are convex here: two of them overlap by the least overlap along any normal of a face of either, or across an edge of one and an
edge of the other (separating axes). A sheet of triangles is within a body if a triangle, cut by the planes of the body moved inwards by the
limit, is not empty. A cylinder is known by its support function.
"""
import argparse
import csv
import json
import os
import resource
import subprocess
import sys

import h5py
import numpy as np

LIMIT = 0.05
STANDS = ["card_house_4", "card_house_5", "card_house_10", "arch_25", "arch_101", "stack_on_slope"]
FALLS = {"card_house_4": 0.15, "card_house_5": 0.15, "card_house_10": 0.15, "arch_25": 0.2, "arch_101": 0.2}
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


class Run:
    def __init__(self, directory):
        self.cache = h5py.File(os.path.join(directory, "cache.h5"), "r")
        self.scene = json.loads(self.cache["scene/effective"][()])
        self.items = {k: v[:] for k, v in self.cache["items"].items()}
        self.frames = {k: v[:] for k, v in self.cache["frames"].items()}
        self.position = self.cache["vertices/position"][:]
        self.corner = self.cache["triangles/corner"][:]
        self.steps = {k: v[:] for k, v in self.cache["steps"].items()}

    def shapes(self, frame):
        first, count = self.frames["first_item"][frame], self.frames["items"][frame]
        for i in range(first, first + count):
            start, vertices = self.items["first_vertex"][i], self.items["vertices"][i]
            triangle, triangles = self.items["first_triangle"][i], self.items["triangles"][i]
            yield (self.items["owner"][i], self.items["id"][i], self.position[start:start + vertices],
                   self.corner[triangle:triangle + triangles])

    def bodies(self, frame):
        return np.concatenate([v for owner, _, v, _ in self.shapes(frame) if owner == 0])


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


def check(name, kind, directory, seconds):
    run = Run(directory)
    first, last, before = run.bodies(0), run.bodies(-1 + len(run.frames["time"])), run.bodies(-2 + len(run.frames["time"]))
    interval = run.frames["time"][-1] - run.frames["time"][-2]
    steps = len(run.steps["time"])
    row = dict(scene=name, kind=kind, bodies=int((run.items["owner"][:run.frames["items"][0]] == 0).sum()),
               contacts=int(run.steps["contacts"].max()), steps=steps, missed=int((run.steps["status"] != 0).sum()),
               error=run.steps["error"].max(), overlap=deepest(run),
               speed=np.linalg.norm(last - before, axis=1).max() / interval, moved=np.linalg.norm(last - first, axis=1).max(),
               fallen=(first[:, 2] - last[:, 2]).max() / np.ptp(first[:, 2]), unexplained=abs(run.steps["energy_unexplained"]).max(),
               ms_per_step=1e3 * seconds / steps if seconds else float("nan"))
    faults = []
    if row["missed"] or row["error"] > 1e-8:
        faults.append("E")
    if row["overlap"] > LIMIT:
        faults.append("overlap")
    if kind == "stands" and row["speed"] > 1e-8:
        faults.append("speed")
    if kind == "stands" and row["moved"] > 1e-6:
        faults.append("moved")
    if kind == "falls" and row["fallen"] < 0.1:
        faults.append("stands")
    if name == "box_on_hills" and row["speed"] > 1e-8:
        faults.append("speed")
    row["faults"] = " ".join(faults)
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--runs", default="build/rigid")
    parser.add_argument("--reuse", action="store_true", help="check the runs that are there")
    options = parser.parse_args()
    jobs = [(name, "stands", []) for name in STANDS] + [(name, "moves", []) for name in MOVES]
    jobs += [(name, "falls", ["--set", "friction=%g" % mu, "--duration", "2"]) for name, mu in FALLS.items()]
    os.makedirs(options.runs, exist_ok=True)
    rows = []
    for name, kind, extra in jobs:
        if options.only and name not in options.only:
            continue
        directory = os.path.join(options.runs, "%s_%s.run" % (name, kind))
        seconds = None
        if not (options.reuse and os.path.exists(directory)):
            _, seconds = start(name, directory, extra)
        rows.append(check(name, kind, directory, seconds))
        print("  ".join("%s %s" % (k, "%.3g" % v if isinstance(v, float) else v) for k, v in rows[-1].items()), flush=True)
    with open(os.path.join(options.runs, "rigid.csv"), "w", newline="") as out:
        table = csv.DictWriter(out, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
    return 1 if any(row["faults"] for row in rows) else 0


sys.exit(main())
