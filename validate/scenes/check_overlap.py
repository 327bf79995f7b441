#!/usr/bin/env python3
"""Do the bodies of a run lie in each other? An answer that shares no code with the library:
validate/scenes/check_overlap.py RUN.run [--limit 0.2] [--every 1] [--frames CSV] [--list 20]

Each rod of each saved frame is rebuilt from its own state in the cache (place and direction of the root, curvature of every
element; docs/cache.md), element by element,
    theta(s) = theta_i + kappa_i s,    z(s) = z_i + int_0^s e^(i theta),
and cut into chords so short that a chord leaves its arc by at most `SAGITTA` of the contact radius. Of all chords that are near
each other (a k-d tree of their middles) the distance is computed; the overlap is r_a + r_b - distance. Looked at are
  - different rods, and rods with chains, arcs, polygons (their drawn vertices);
  - a rod with itself, farther than pi r along it: a rod that bends no sharper than its own radius r cannot come within 2 r of
    itself sooner (Schur's theorem: a half circle of radius r is the quickest way back);
  - rods and rigid disks with half-planes and disks, hollow ones too; bodies that a constraint joins do not touch each other;
  - crossings: chords of different bodies (or of a rod with itself) that intersect.
All overlaps are divided by the smaller contact radius of the two.

The limit: scenes of many soft bodies accept 0.1 of the radius in a step (`penetration_limit`), a little more where smaller
steps do not help; 0.2 is twice that, a tenth of the thickness. A contact that is missed does not stop there: bodies sink into
each other by a whole radius, and cross at two. A MISSED contact is a place where two bodies overlap by more than `NOTICED` of the
radius while the cache has no contact of the two along the overlapping stretch.

Exit 1 if any overlap is above the limit, or anything crosses, or a contact was missed.
"""
import argparse
import collections
import csv
import json
import os
import sys

import h5py
import numpy as np
from scipy.spatial import cKDTree

SAGITTA = 1e-3  # of the contact radius: how far a chord may leave its arc
NOTICED = 0.02  # of the contact radius: an overlap that must have a contact; ten times what the chords of both sides explain

CURVE, DISK, OUTLINE, HALF_PLANE, HOLLOW = range(5)

Shape = collections.namedtuple("Shape", "key kind points s radius closed")  # key: (owner, id); s: arc length at the points
Overlap = collections.namedtuple("Overlap", "depth a b place missed crossing")


def rods_of(scene):
    """The rods of a scene by a function from the name of a body to its description, None if it is no rod."""
    single = {rod["name"]: rod for rod in scene.get("rods", [])}
    made = {generator["name"]: generator["of"]["rod"] for generator in scene.get("generators", []) if "rod" in generator["of"]}
    return lambda name: single.get(name) or made.get(name.rpartition("_")[0])


def rebuild(root, kappa, length, radius):
    """Points, arc lengths and radii along a rod; the chords of element i leave it by SAGITTA radius[i] at most."""
    points, arcs, radii = [], [], []
    z, theta, s = complex(root[0], root[1]), root[2], 0.0
    for k, l, r in zip(kappa, length, radius):
        chord = min(r, np.sqrt(8 * SAGITTA * r / max(abs(k), 1e-9 / l)))
        t = np.linspace(0, l, int(np.ceil(l / chord)) + 1)
        half = k * t / 2
        along = z + t * np.sinc(half / np.pi) * np.exp(1j * (theta + half))  # a chord has the direction of its arc's middle
        points.append(along[:-1])
        arcs.append(s + t[:-1])
        radii.append(np.full(len(t) - 1, r))
        z, theta, s = along[-1], theta + k * l, s + l
    points = np.append(np.concatenate(points), z)
    return (np.column_stack([points.real, points.imag]), np.append(np.concatenate(arcs), s),
            np.append(np.concatenate(radii), radii[-1][-1]))


def along(points):
    return np.append(0, np.cumsum(np.hypot(*np.diff(points, axis=0).T)))


class Run:
    def __init__(self, directory):
        self.cache = h5py.File(os.path.join(directory, "cache.h5"), "r")
        self.scene = json.loads(self.cache["scene/effective"][()])
        self.names = {0: self.cache["names/bodies"].asstr()[:], 1: self.cache["names/obstacles"].asstr()[:]}
        self.times = self.cache["frames/time"][:]
        self.rod = rods_of(self.scene)
        self.items = {name: self.cache["items/" + name][:] for name in
                      ("owner", "id", "drawn_as", "closed", "first_vertex", "vertices", "first_state", "states")}
        self.positions, self.radii = self.cache["vertices/position"][:, :2], self.cache["vertices/radius"][:]
        self.states = self.cache["states/value"][:]
        self.joined = set()
        number = {name: i + 1 for i, name in enumerate(self.names[0])}
        for constraint in self.scene.get("constraints", []):
            if isinstance(constraint.get("to"), dict):
                self.joined.add(frozenset((0, number[body]) for body in (constraint["body"], constraint["to"]["body"])))

    def name(self, key):
        return self.names[key[0]][key[1] - 1] or "%s %d" % (("body", "obstacle")[key[0]], key[1])

    def shapes(self, frame):
        first = self.cache["frames/first_item"][frame]
        return [self.shape(item) for item in range(first, first + self.cache["frames/items"][frame])]

    def shape(self, item):
        owner, number, kind, closed, start, count, first, states = (int(self.items[name][item]) for name in self.items)
        key, vertices = (owner, number), slice(start, start + count)
        position, radius = self.positions[vertices], self.radii[vertices]
        if owner == 0 and kind == CURVE:
            rod, elements = self.rod(self.names[0][number - 1]), states // 2 - 3
            if rod is None or rod["elements"] != elements or states % 2:
                raise ValueError("%s: its state does not fit the scene" % self.name(key))
            length = np.atleast_1d(np.asarray(rod["length"], float))
            length = length if len(length) == elements else np.full(elements, length[0] / elements)
            state = self.states[first:first + states]
            samples = (count - (0 if closed else 1)) // elements
            points, s, radii = rebuild(state[:3], state[3:3 + elements], length, radius[samples // 2::samples][:elements])
            return Shape(key, kind, points, s, radii, bool(closed))
        if closed and kind in (CURVE, OUTLINE):
            position, radius = np.vstack([position, position[:1]]), np.append(radius, radius[0])
        if kind in (CURVE, OUTLINE):  # a straight side is cut like a rod: the tree is of middles
            step = max(radius.max(), 0.02 * along(position)[-1])
            position, radius = refine(position, radius, step)
        return Shape(key, kind, position, along(position), radius, bool(closed))

    def contacts(self, frame):
        """Places of the contacts by the pair of their owners."""
        first, count = self.cache["frames/first_contact"][frame], self.cache["frames/contacts"][frame]
        rows = slice(first, first + count)
        columns = (self.cache["contacts/" + name][rows] for name in ("body_a", "body_b", "obstacle_b"))
        found = collections.defaultdict(list)
        for a, b, obstacle, place in zip(*columns, self.cache["contacts/position"][rows, :2]):
            found[frozenset([(0, int(a)), (1, int(obstacle)) if obstacle else (0, int(b))])].append(place)
        return found


def refine(points, radius, step):
    places, radii = [], []
    for i in range(len(points) - 1):
        t = np.linspace(0, 1, int(np.ceil(np.hypot(*(points[i + 1] - points[i])) / step)) + 1)[:-1]
        places.append(points[i] + t[:, None] * (points[i + 1] - points[i]))
        radii.append(np.full(len(t), radius[i]))
    return np.vstack(places + [points[-1:]]), np.append(np.concatenate(radii), radius[-1])


def cross(u, v):
    return u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]


def point_to_chord(p, a, b):
    d = b - a
    t = np.clip(np.einsum("ij,ij->i", p - a, d) / np.maximum(np.einsum("ij,ij->i", d, d), 1e-300), 0, 1)
    return np.hypot(*(p - a - t[:, None] * d).T)


def chord_to_chord(a, b, c, d):
    """Distance of the chords ab and cd, row by row, and whether they intersect."""
    distance = np.minimum(np.minimum(point_to_chord(a, c, d), point_to_chord(b, c, d)),
                          np.minimum(point_to_chord(c, a, b), point_to_chord(d, a, b)))
    crossing = (cross(b - a, c - a) * cross(b - a, d - a) <= 0) & (cross(d - c, a - c) * cross(d - c, b - c) <= 0) \
        & (cross(b - a, d - c) != 0)
    return np.where(crossing, 0, distance), crossing


def near_chords(curves):
    """Overlapping pairs of chords of all curves: rows (curve, chord, curve, chord), depth over the smaller radius, crossing."""
    start = np.vstack([curve.points[:-1] for curve in curves])
    end = np.vstack([curve.points[1:] for curve in curves])
    radius = np.concatenate([np.maximum(curve.radius[:-1], curve.radius[1:]) for curve in curves])
    owner = np.concatenate([np.full(len(curve.s) - 1, i) for i, curve in enumerate(curves)])
    middle = np.concatenate([(curve.s[:-1] + curve.s[1:]) / 2 for curve in curves])
    place = np.concatenate([np.arange(len(curve.s) - 1) for curve in curves])
    total = np.array([curve.s[-1] if curve.closed else np.inf for curve in curves])
    body = np.array([curve.key[0] == 0 for curve in curves])

    reach = 2 * radius.max() + np.hypot(*(end - start).T).max()
    a, b = cKDTree((start + end) / 2).query_pairs(reach, output_type="ndarray").T
    apart = np.abs(middle[a] - middle[b])
    apart = np.minimum(apart, total[owner[a]] - apart)
    neighbours = (owner[a] == owner[b]) & (apart <= np.pi * np.maximum(radius[a], radius[b]))
    keep = ~neighbours & (body[owner[a]] | body[owner[b]]) & ~((owner[a] == owner[b]) & ~body[owner[a]])
    a, b = a[keep], b[keep]
    distance, crossing = chord_to_chord(start[a], end[a], start[b], end[b])
    depth = (radius[a] + radius[b] - distance) / np.where(np.minimum(radius[a], radius[b]) > 0, np.minimum(radius[a], radius[b]),
                                                          np.maximum(radius[a], radius[b]))
    keep = (depth > 0) | crossing
    a, b = a[keep], b[keep]
    return np.column_stack([owner[a], place[a], owner[b], place[b]]), depth[keep], crossing[keep], (start[a] + end[b]) / 2


def against_round(shape, obstacle):
    """Depth of each point of a shape in a half-plane or a disk, over the contact radius."""
    if obstacle.kind == HALF_PLANE:
        normal = obstacle.points[1] - obstacle.points[0]
        distance = (shape.points - obstacle.points[0]) @ normal / np.hypot(*normal)
    else:
        away = np.hypot(*(shape.points - obstacle.points[0]).T)
        distance = obstacle.radius[0] - away if obstacle.kind == HOLLOW else away - obstacle.radius[0]
    return (shape.radius - distance) / np.where(shape.radius > 0, shape.radius, 1)


def stretches(index, gap=2):
    """Runs of consecutive numbers, as arrays of positions in index."""
    order = np.argsort(index, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(index[order]) > gap) + 1)


def overlaps_of_frame(run, frame):
    """One Overlap per stretch along which two bodies lie in each other."""
    shapes, contacts, found = run.shapes(frame), run.contacts(frame), []

    def judge(a, b, depth, places, crossing, reach):
        worst = int(np.argmax(depth))
        there = contacts.get(frozenset([a.key, b.key]), [])
        known = len(there) and np.min(np.hypot(*(np.asarray(there)[:, None, :] - places[None]).transpose(2, 0, 1))) <= reach
        found.append(Overlap(float(depth[worst]), a.key, b.key, tuple(places[worst]), depth[worst] > NOTICED and not known,
                             bool(np.any(crossing))))

    curves = [shape for shape in shapes if shape.kind in (CURVE, OUTLINE)]
    if curves:
        pairs, depth, crossing, places = near_chords(curves)
        code = pairs[:, 0] * len(curves) + pairs[:, 2]
        for group in np.split(np.argsort(code, kind="stable"), np.flatnonzero(np.diff(np.sort(code))) + 1) if len(code) else ():
            a, b = curves[pairs[group[0], 0]], curves[pairs[group[0], 2]]
            if frozenset([a.key, b.key]) in run.joined:
                continue
            for part in stretches(pairs[group, 1]):
                rows = group[part]
                judge(a, b, depth[rows], places[rows], crossing[rows], 3 * max(a.radius.max(), b.radius.max()))
    for obstacle in (shape for shape in shapes if shape.kind in (DISK, HALF_PLANE, HOLLOW)):
        for shape in shapes:
            disks = obstacle.kind == DISK and shape.kind == DISK
            if shape is obstacle or shape.kind in (HALF_PLANE, HOLLOW) or obstacle.key[0] == shape.key[0] == 1 \
                    or (disks and obstacle.key < shape.key) or frozenset([shape.key, obstacle.key]) in run.joined:
                continue
            one = shape._replace(points=shape.points[:1], radius=shape.radius[:1]) if shape.kind == DISK else shape
            depth = against_round(one, obstacle)
            inside = np.flatnonzero(depth > 0)
            for part in stretches(inside) if len(inside) else []:
                judge(shape, obstacle, depth[inside[part]], one.points[inside[part]], [0], 3 * max(one.radius.max(), 1e-12))
    return found


def survey(run, every=1, limit=0.2):
    """A row per frame: (time, deepest, overlaps, crossings, missed contacts); and all that is bad: (frame, Overlap)."""
    table, bad = [], []
    for frame in range(0, len(run.times), every):
        found = overlaps_of_frame(run, frame)
        table.append((run.times[frame], max([o.depth for o in found], default=0.0), len(found), sum(o.crossing for o in found),
                      sum(o.missed for o in found)))
        bad += [(frame, o) for o in found if o.depth > limit or o.crossing or o.missed]
    return table, bad


def worst_of(directory):
    """Over all frames: the deepest overlap in contact radii, and how many crossings and missed contacts there were."""
    table, _ = survey(Run(directory))
    return max(row[1] for row in table), sum(row[3] for row in table), sum(row[4] for row in table)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--limit", type=float, default=0.2, help="overlap that is accepted, in the smaller contact radius")
    parser.add_argument("--every", type=int, default=1, help="look at every n-th frame")
    parser.add_argument("--frames", help="CSV to write: a row per frame")
    parser.add_argument("--list", type=int, default=20, help="how many bad places to list")
    given = parser.parse_args()

    run = Run(given.run)
    table, bad = survey(run, given.every, given.limit)
    for frame, o in sorted(bad, key=lambda row: -row[1].depth)[:given.list]:
        print("frame %d (%.4g s): %s in %s by %.3f of the radius at (%.4f, %.4f)%s%s" % (
            frame, run.times[frame], run.name(o.a), "itself" if o.a == o.b else run.name(o.b), o.depth, *o.place,
            ", crossing" if o.crossing else "", ", no contact there" if o.missed else ""))
    worst, crossings, missed = max(table, key=lambda row: row[1]), sum(row[3] for row in table), sum(row[4] for row in table)
    print("%d frames: deepest overlap %.4f of the radius (at %.4g s; limit %g), %d crossings, %d missed contacts" % (
        len(table), worst[1], worst[0], given.limit, crossings, missed))
    if given.frames:
        with open(given.frames, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("time_s", "deepest_over_radius", "overlaps", "crossings", "missed")] + table)
    return int(worst[1] > given.limit or crossings > 0 or missed > 0)


if __name__ == "__main__":
    sys.exit(main())
