#!/usr/bin/env python3
"""What friction does to hair: validate/scenes/fibers/hair_friction.py RUN.run --without FRICTIONLESS.run [--moving 1.5 3.4] [--obstacle shoulders]

Bertails-Descoubes et al. 2011, Figure 8: hair in motion "exhibits less volume than the frictionless case due to an enhanced coherence of motion",
and at rest "some hair wisps remain stuck over the shoulder ... whereas unnatural sliding occurs in the frictionless case". Measured in both runs:
  volume     of the convex hull of the hair, the largest of the time in which the head moves: how far the swing spreads it. (The mean of the
             volume of cells of 15 mm that hold a point of the hair is printed as well: wisps that lie apart fill as many cells as wisps that fly);
  coherence  of motion: mean over frames of the moving time and pairs of points of different wisps nearer than 12 mm, |v_a - v_b|, over the root mean
             square speed of the hair (less is more coherent);
  held       on the shoulder: wisps that press on it at the time --until and whose contact moved by less than a radius along it in the second before;
  sliding    mean speed of the contact points on the shoulder in that second, radii per second.
Exit 1 unless with friction the volume of the hull and relative motion are less, more wisps are held and they slide less."""
import argparse
import sys

import numpy as np
from scipy.spatial import ConvexHull, cKDTree

from fiber_data import CURVE, Run

CELL, NEAR = 0.015, 0.012  # m


def hair(run, frame):
    """Points of all wisps and the wisp each is of."""
    items = [item for item in run.look(frame) if item.owner == 0 and item.kind == CURVE]
    return np.concatenate([item.position for item in items]), np.repeat([item.id for item in items], [len(item.position) for item in items])


def occupied(run, frame, radius):
    """Litres that tubes of this radius around the hairs fill together; where two overlap they count once. Voxels of half a radius whose centres are in one; between its points a hair is straight."""
    points, wisp = hair(run, frame)
    own = np.diff(wisp) == 0
    step, start, voxel = np.diff(points, axis=0)[own], points[:-1][own], radius / 2
    parts = int(np.ceil(np.linalg.norm(step, axis=1).max() / (radius / 4)))
    dense = np.concatenate([start + k / parts * step for k in range(parts)])
    reach = np.arange(-3, 4)
    around = np.stack(np.meshgrid(reach, reach, reach), axis=-1).reshape(-1, 3)
    home = np.unique(np.floor(dense / voxel).astype(int), axis=0)
    near = np.unique((home[:, None] + around[np.linalg.norm(around, axis=1) < 3.5]).reshape(-1, 3), axis=0)
    return float((cKDTree(dense).query((near + 0.5) * voxel, distance_upper_bound=radius)[0] < radius).sum() * voxel**3 * 1e3)


def in_motion(run, begin, end):
    """(largest hull in litres, mean volume of cells in litres, mean relative speed of neighbours over the speed of all) from begin to end."""
    frames = np.flatnonzero((run.times >= begin) & (run.times <= end))
    hulls, volumes, relative = [], [], []
    for frame in frames[1:]:
        now, wisp = hair(run, frame)
        before, _ = hair(run, frame - 1)
        velocity = (now - before) / (run.times[frame] - run.times[frame - 1])
        hulls.append(ConvexHull(now).volume * 1e3)
        volumes.append(len(np.unique(np.floor(now / CELL).astype(int), axis=0)) * CELL**3 * 1e3)
        pairs = cKDTree(now).query_pairs(NEAR, output_type="ndarray")
        pairs = pairs[wisp[pairs[:, 0]] != wisp[pairs[:, 1]]]
        difference = np.linalg.norm(velocity[pairs[:, 0]] - velocity[pairs[:, 1]], axis=1)
        relative.append(difference.mean() / np.sqrt((velocity**2).sum(axis=1).mean()))
    return float(np.max(hulls)), float(np.mean(volumes)), float(np.mean(relative))


def on_obstacle(run, name, until, seconds):
    """(wisps that press and stay, mean speed of pressed contact points in radii per second), over so many seconds until a time."""
    cache, number = run.cache, list(run.names[1]).index(name) + 1
    frames = np.flatnonzero((run.times >= min(until, run.times[-1]) - seconds) & (run.times <= until))
    radius = min(item.radius.min() for item in run.look(0) if item.owner == 0 and item.kind == CURVE)
    first, last, speeds = {}, {}, []
    for frame in frames:
        start, count = int(cache["frames/first_contact"][frame]), int(cache["frames/contacts"][frame])
        rows = slice(start, start + count)
        on = (cache["contacts/obstacle_b"][rows] == number) & (np.linalg.norm(cache["contacts/force"][rows], axis=1) > 0)
        place, body = cache["contacts/position"][rows][on], cache["contacts/body_a"][rows][on]
        speeds.extend(np.linalg.norm(cache["contacts/velocity"][rows][on], axis=1) / radius)
        for at, which in zip(place, body):
            first.setdefault(int(which), at)
            last[int(which)] = (frame, at)
    held = [which for which, (frame, at) in last.items() if frame == frames[-1] and np.linalg.norm(at - first[which]) < radius]
    return len(held), float(np.mean(speeds)) if speeds else np.inf


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--without", required=True, help="the run without friction")
    parser.add_argument("--moving", type=float, nargs=2, default=(1.2, 3.1), help="s: from when to when the head moves")
    parser.add_argument("--obstacle", default="shoulders")
    parser.add_argument("--until", type=float, default=np.inf, help="s: when wisps on the shoulder are looked at (the end)")
    parser.add_argument("--last", type=float, default=1.0, help="s: for how long before")
    given = parser.parse_args()
    found = []
    for path in (given.run, given.without):
        run = Run(path)
        found.append((*in_motion(run, *given.moving), *on_obstacle(run, given.obstacle, given.until, given.last)))
    rows = (("largest hull in motion, litres", False), ("cells in motion, litres (not judged)", None), ("relative motion of neighbours", False), ("wisps held on the %s" % given.obstacle, True),
            ("sliding on it, radii/s", False))
    good = True
    for (name, more), one, other in zip(rows, *found):
        fine = more is None or (one > other if more else one < other)
        good &= fine
        print("%-37s with friction %9.4g  without %9.4g%s" % (name, one, other, "" if fine else "   FAILS"))
    print("passed" if good else "FAILED")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
