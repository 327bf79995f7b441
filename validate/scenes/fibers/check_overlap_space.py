#!/usr/bin/env python3
"""Do fibers of a run lie in each other, in themselves or in what stands around? An answer that shares no code with the library:
validate/scenes/fibers/check_overlap_space.py RUN.run [--limit 0.01] [--every 1] [--csv FILE] [--list 10]

Fibers are rebuilt as polygons (fiber_data.py). Of all chords near each other (a k-d tree of their middles) the distance is
computed; the overlap is r_a + r_b - distance, divided by the smaller radius. Chords of one fiber count if they are farther
than pi r apart along it: a fiber that bends no sharper than its own radius cannot touch itself sooner (Schur).

Obstacles and rigid bodies: planes, balls and capsules as they are drawn in each frame; box and cylinder by their exact
distance, with sizes from the scene and the motion that takes their drawn corners of the first frame to those of this one;
meshes by their triangles (distance of points of the centreline, and chords that pierce a triangle).

--links: also, for each pair of fibers, how often they wind around each other (Gauss's double sum over chords). It jumps by 1
if one passes through the other and is continuous otherwise; a jump of more than 0.7 between frames is a fault. It costs more.

Exit 1 if an overlap is above the limit, a chord pierces a mesh, or a link jumps.
"""
import argparse
import csv
import sys

import numpy as np
from scipy.spatial import cKDTree

from fiber_data import CURVE, DISK, MESH, PLANE, Run, turn_and_way

LEAST_JUMP = 0.7


def dot(a, b):
    return np.einsum("ij,ij->i", a, b)


def chord_distance(a, b, c, d):
    """Distance of the chords ab and cd, row by row: each end against the other chord, and the inner minimum if there is one."""
    u, v, w = b - a, d - c, a - c
    uu, vv, uv, uw, vw = dot(u, u), dot(v, v), dot(u, v), dot(u, w), dot(v, w)
    best = np.full(len(a), np.inf)

    def keep(s, t):
        nonlocal best
        gap = w + s[:, None] * u - t[:, None] * v
        best = np.minimum(best, dot(gap, gap))

    for s in (np.zeros(len(a)), np.ones(len(a))):
        keep(s, np.clip((vw + s * uv) / vv, 0, 1))
    for t in (np.zeros(len(a)), np.ones(len(a))):
        keep(np.clip((t * uv - uw) / uu, 0, 1), t)
    area = uu * vv - uv * uv
    safe = np.where(area > 1e-14 * uu * vv, area, np.inf)
    s, t = (uv * vw - vv * uw) / safe, (uu * vw - uv * uw) / safe
    inside = (area > 1e-14 * uu * vv) & (s > 0) & (s < 1) & (t > 0) & (t < 1)
    keep(np.where(inside, s, 0), np.where(inside, t, np.clip(vw / vv, 0, 1)))
    return np.sqrt(best)


def between_fibers(curves):
    """(depth over the smaller radius, name, name, place) of the deepest overlap of fibers, or None."""
    start = np.concatenate([curve.points[:-1] for curve in curves])
    end = np.concatenate([curve.points[1:] for curve in curves])
    radius = np.concatenate([curve.radius for curve in curves])
    owner = np.repeat(np.arange(len(curves)), [len(curve.radius) for curve in curves])
    low, high = (np.concatenate([curve.s[part] for curve in curves]) for part in (slice(None, -1), slice(1, None)))
    total = np.array([curve.s[-1] if curve.closed else np.inf for curve in curves])
    reach = 2 * radius.max() + np.linalg.norm(end - start, axis=1).max()
    a, b = cKDTree((start + end) / 2).query_pairs(reach, output_type="ndarray").T
    a, b = np.minimum(a, b), np.maximum(a, b)
    between = np.minimum(low[b] - high[a], low[a] + total[owner[a]] - high[b])
    keep = (owner[a] != owner[b]) | (between > np.pi * np.maximum(radius[a], radius[b]))
    a, b = a[keep], b[keep]
    if not len(a):
        return None
    depth = (radius[a] + radius[b] - chord_distance(start[a], end[a], start[b], end[b])) / np.minimum(radius[a], radius[b])
    worst = int(np.argmax(depth))
    return (float(depth[worst]), curves[owner[a[worst]]].name, curves[owner[b[worst]]].name, tuple(start[a[worst]]))


# ------------------------------------------------------------------------------------------------------------------- solids


def to_chord(points, a, b):
    """Distance of points to one chord, or each to its own."""
    way = b - a
    t = np.clip(((points - a) * way).sum(axis=1) / np.maximum((way * way).sum(axis=-1), 1e-300), 0, 1)
    return np.linalg.norm(points - a - t[:, None] * way, axis=1)


def to_box(points, half):
    """Signed distance of points to a box about the origin."""
    beyond = np.abs(points) - half
    return np.linalg.norm(np.maximum(beyond, 0), axis=1) + np.minimum(beyond.max(axis=1), 0)


def to_cylinder(points, radius, half):
    beyond = np.column_stack([np.hypot(points[:, 0], points[:, 1]) - radius, np.abs(points[:, 2]) - half])
    return np.linalg.norm(np.maximum(beyond, 0), axis=1) + np.minimum(beyond.max(axis=1), 0)


def rotation_of(vector):
    if isinstance(vector, dict):
        axis = np.asarray(vector["axis"], float)
        vector = axis / np.linalg.norm(axis) * angle_of(vector["angle"])
    return turn_and_way(np.asarray(vector, float), np.asarray(1.0))[0]


def angle_of(value):
    if isinstance(value, str):
        return np.deg2rad(float(value.replace("deg", ""))) if value.endswith("deg") else float(value)
    return float(value)


def frame_along(direction):
    z = np.asarray(direction, float) / np.linalg.norm(direction)
    x = np.cross(np.eye(3)[np.argmin(np.abs(z))], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def moved(before, now):
    """Rotation and translation that take points to points (Kabsch)."""
    a, b = before.mean(axis=0), now.mean(axis=0)
    U, _, V = np.linalg.svd((before - a).T @ (now - b))
    flip = np.diag([1, 1, np.sign(np.linalg.det(U @ V))])
    R = (U @ flip @ V).T
    return R, b - R @ a


class Solids:
    """What is no fiber, by its name in the scene."""

    def __init__(self, run):
        self.run = run
        self.first = {(item.owner, item.id): item for item in run.look(0)}
        self.described = {}
        for owner, part in ((0, "rigid_bodies"), (1, "obstacles")):
            for thing in run.scene.get(part, []):
                if "name" in thing:
                    self.described[owner, thing["name"]] = thing
        for generator in run.scene.get("generators", []):
            if "rigid_body" in generator.get("of", {}):
                self.described[0, generator["name"]] = generator["of"]["rigid_body"]

    def describe(self, item):
        found = self.described.get((item.owner, item.name))
        if found is None and item.owner == 0:
            found = self.described.get((0, item.name.rpartition("_")[0]))
        if found is None and item.owner == 1:  # without a name: by its number
            things = self.run.scene.get("obstacles", [])
            found = things[item.id - 1] if item.id <= len(things) else None
        return found or {}

    def distance(self, item, points, reach):
        """Signed distance of points to the surface of an item; np.inf where it is beyond reach."""
        thing = self.describe(item)
        if item.kind == PLANE:
            normal = item.position[1] - item.position[0]
            return (points - item.position[0]) @ normal / np.linalg.norm(normal)
        if item.kind == DISK:
            return np.linalg.norm(points - item.position[0], axis=1) - item.radius[0]
        if item.kind == CURVE:
            return np.min([to_chord(points, item.position[i], item.position[i + 1]) - item.radius[i]
                           for i in range(len(item.position) - 1)], axis=0)
        shape = thing.get("shape")
        if shape in ("box", "cylinder"):
            R, shift = moved(self.first[item.owner, item.id].position, item.position)
            frame, centre = self.placed(thing, item)
            own = (((points - shift) @ R) - centre) @ frame
            rounding = thing.get("rounding", 0)
            if shape == "box":
                return to_box(own, np.asarray(thing["edges"], float) / 2) - rounding
            length = thing.get("length")
            if "ends" in thing:
                length = np.linalg.norm(np.subtract(*map(np.asarray, thing["ends"])))
            return to_cylinder(own, thing["radius"], length / 2) - rounding
        if item.kind == MESH:
            return self.to_mesh(item, points, reach) - thing.get("rounding", 0)
        raise ValueError("%s: what is it?" % item.name)

    def placed(self, thing, item):
        """Axes and centre in the first frame. Of a rigid body that a generator made, the centre is that of its corners."""
        if "ends" in thing:
            a, b = np.asarray(thing["ends"], float)
            return frame_along(b - a), (a + b) / 2
        frame = frame_along(thing["direction"]) if "direction" in thing else rotation_of(thing.get("rotation", [0, 0, 0]))
        if item.owner == 0:
            return frame, self.first[0, item.id].position.mean(axis=0)
        return frame, np.asarray(thing.get("position", [0, 0, 0]), float)

    def triangles(self, item):
        cache = self.run.cache
        row = next(r for r in self.run.rows(0) if self.run.items["owner"][r] == item.owner and self.run.items["id"][r] == item.id)
        first, count = int(cache["items/first_triangle"][row]), int(cache["items/triangles"][row])
        return cache["triangles/corner"][first:first + count]

    def to_mesh(self, item, points, reach):
        """Distance to the nearest triangle, never negative."""
        corner = item.position[self.triangles(item)]
        result = np.full(len(points), np.inf)
        for triangle, point in near_pairs(corner, points, reach):
            np.minimum.at(result, point, to_triangle(points[point], *np.moveaxis(corner[triangle], 1, 0)))
        return result

    def pierced(self, item, curves):
        """How many chords of fibers pierce triangles of a mesh."""
        corner = item.position[self.triangles(item)]
        start = np.concatenate([curve.points[:-1] for curve in curves])
        end = np.concatenate([curve.points[1:] for curve in curves])
        reach = np.linalg.norm(end - start, axis=1).max() / 2
        return sum(int(np.sum(pierces(start[chord], end[chord], *np.moveaxis(corner[triangle], 1, 0))))
                   for triangle, chord in near_pairs(corner, (start + end) / 2, reach))


def near_pairs(corner, points, reach, at_once=200_000):
    """Arrays (triangle, point) of all pairs that may be within reach of each other, so many at a time."""
    centre = corner.mean(axis=1)
    size = np.linalg.norm(corner - centre[:, None], axis=2).max(axis=1)
    near = cKDTree(points).query_ball_point(centre, reach + size)
    triangle = np.repeat(np.arange(len(corner)), [len(rows) for rows in near])
    point = np.fromiter((row for rows in near for row in rows), int, len(triangle))
    for first in range(0, len(triangle), at_once):
        yield triangle[first:first + at_once], point[first:first + at_once]


def pierces(a, b, p, q, r):
    """Do chords from a to b go through triangles p, q, r? Row by row."""
    normal, way = np.cross(q - p, r - p), b - a
    above, below = dot(a - p, normal), dot(b - p, normal)
    sides = np.stack([dot(way, np.cross(x - a, y - a)) for x, y in ((p, q), (q, r), (r, p))])
    return ((above > 0) != (below > 0)) & (np.all(sides > 0, axis=0) | np.all(sides < 0, axis=0))


def to_triangle(points, p, q, r):
    """Distance of points to triangles p, q, r. Row by row."""
    normal = np.cross(q - p, r - p)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    flat = size[:, 0] > 0
    normal = normal / np.where(size > 0, size, 1)
    edges = np.min([to_chord(points, x, y) for x, y in ((p, q), (q, r), (r, p))], axis=0)
    inside = np.all([dot(np.cross(y - x, points - x), normal) >= 0 for x, y in ((p, q), (q, r), (r, p))], axis=0)
    return np.where(inside & flat, np.abs(dot(points - p, normal)), edges)


def deepest_of_chords(distance, points, radius, owner, depth):
    """Places and depths with those moved that are near a convex solid: to where the chord behind them is deepest, by thirds."""
    near = np.flatnonzero((np.maximum(depth[:-1], depth[1:]) > -1) & (owner[:-1] == owner[1:]))
    if not len(near):
        return points, depth
    start, way = points[near], points[near + 1] - points[near]
    low, high = np.zeros(len(near)), np.ones(len(near))
    for _ in range(40):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        first = distance(start + a[:, None] * way) < distance(start + b[:, None] * way)
        low, high = np.where(first, low, a), np.where(first, b, high)
    found = start + ((low + high) / 2)[:, None] * way
    deeper = (radius[near] - distance(found)) / radius[near]
    better = deeper > depth[near]
    points, depth = points.copy(), depth.copy()
    points[near[better]], depth[near[better]] = found[better], deeper[better]
    return points, depth


def in_solids(solids, curves, frame):
    """(depth over the radius, fiber, solid, place) of the deepest, and chords that pierce meshes."""
    worst, pierced = None, 0
    points = np.concatenate([curve.points for curve in curves])
    radius = np.concatenate([np.maximum(np.append(curve.radius, 0), np.append(0, curve.radius)) for curve in curves])
    owner = np.repeat(np.arange(len(curves)), [len(curve.points) for curve in curves])
    fibers = {curve.key for curve in curves}
    for item in solids.run.look(frame):
        if (item.owner == 0 and item.id in fibers) or solids.describe(item).get("collides") is False:
            continue
        place = points
        depth = (radius - solids.distance(item, place, 2 * radius.max())) / radius
        if item.kind in (DISK, CURVE) or solids.describe(item).get("shape") in ("box", "cylinder"):
            place, depth = deepest_of_chords(lambda x: solids.distance(item, x, 0), points, radius, owner, depth)
        k = int(np.argmax(depth))
        if worst is None or depth[k] > worst[0]:
            worst = (float(depth[k]), curves[owner[k]].name, item.name, tuple(place[k]))
        if solids.describe(item).get("shape") == "mesh":
            pierced += solids.pierced(item, curves)
    return worst, pierced


# -------------------------------------------------------------------------------------------------------------------- links


def links(curves):
    """Gauss's double sum of each pair of polygons: (fibers, fibers)."""
    total = np.zeros((len(curves), len(curves)))
    for i, one in enumerate(curves):
        others = curves[i + 1:]
        if not others:
            continue
        c = np.concatenate([other.points[:-1] for other in others])
        d = np.concatenate([other.points[1:] for other in others])
        owner = np.repeat(np.arange(i + 1, len(curves)), [len(other.points) - 1 for other in others])
        for a, b in zip(one.points[:-1], one.points[1:]):
            faces = [np.cross(c - a, d - a), np.cross(d - a, d - b), np.cross(d - b, c - b), np.cross(c - b, c - a)]
            for face in faces:
                size = np.linalg.norm(face, axis=1, keepdims=True)
                face /= np.where(size > 0, size, 1)
            angle = sum(np.arcsin(np.clip(dot(faces[k], faces[(k + 1) % 4]), -1, 1)) for k in range(4))
            sign = np.sign(dot(np.cross(d - c, np.broadcast_to(b - a, c.shape)), c - a))
            total[i] += np.bincount(owner, angle * sign, len(curves))
    return total / (4 * np.pi)


def survey(run, every=1, with_links=False):
    """Rows (frame, time, deepest, what, what, x, y, z, chords that pierce meshes, largest jump of a link)."""
    solids, table, before = Solids(run), [], None
    for frame in range(0, len(run.times), every):
        curves = run.curves(frame)
        found = [between_fibers(curves)]
        solid, pierced = in_solids(solids, curves, frame)
        deepest = max((one for one in found + [solid] if one is not None), default=(-np.inf, "", "", (0, 0, 0)))
        jump = 0.0
        if with_links:
            now = links(run.curves(frame, step=8.0, sagitta=0.05))
            if before is not None and now.shape == before.shape:
                jump = float(np.abs(now - before).max())
            before = now
        table.append((frame, float(run.times[frame]), *deepest[:3], *deepest[3], pierced, jump))
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--limit", type=float, default=0.01, help="overlap that is accepted, in the smaller contact radius")
    parser.add_argument("--every", type=int, default=1, help="look at every n-th frame")
    parser.add_argument("--csv", help="to write: a row per frame")
    parser.add_argument("--list", type=int, default=10, help="how many of the deepest to list")
    parser.add_argument("--links", action="store_true", help="also look for fibers that passed through each other")
    given = parser.parse_args()
    table = survey(Run(given.run), given.every, given.links)
    for frame, time, depth, a, b, x, y, z, _, _ in sorted(table, key=lambda row: -row[2])[:given.list]:
        if depth > given.limit:
            print("frame %d (%.4g s): %s in %s by %.4f of the radius at (%.4f, %.4f, %.4f)" % (
                frame, time, a, "itself" if a == b else b, depth, x, y, z))
    worst, pierced = max(table, key=lambda row: row[2]), sum(row[8] for row in table)
    jumps = sum(row[9] > LEAST_JUMP for row in table)
    print("%d frames: deepest overlap %.5f of the radius (%s, %s at %.4g s; limit %g), %d chords through meshes%s" % (
        len(table), worst[2], worst[3], worst[4], worst[1], given.limit, pierced,
        ", largest jump of a link %.3f" % max(row[9] for row in table) if given.links else ""))
    if given.csv:
        with open(given.csv, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("frame", "time_s", "deepest_over_radius", "of", "in", "x_m", "y_m", "z_m", "pierced",
                                         "link_jump")] + table)
    return int(worst[2] > given.limit or pierced > 0 or jumps > 0)


if __name__ == "__main__":
    sys.exit(main())
