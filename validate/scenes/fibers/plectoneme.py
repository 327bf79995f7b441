#!/usr/bin/env python3
"""Twist, writhe and link of a rod that is twisted at its end until it winds around itself.

    validate/scenes/fibers/plectoneme.py RUN.run [--limit 0.01] [--csv FILE] [--plot FILE.png]

In each saved frame, from the states alone:
    link    the turns that the clamped end was given, in the scene;
    twist   of the material frame about the centreline: of nodes, the angle between frames of neighbouring edges, the one carried to
            the other by the least rotation, summed; of a super helix, its twist integrated;
    writhe  of the centreline as a polygon (knot.py), its ends continued straight along their tangents, far away, and joined there.
Calugareanu, White: twist + writhe = link, less what they were at first. The ends keep their tangents, so the part that closes
the curve adds the same in every frame, up to the ratio of sizes. It would be off by two if a strand passed through another.
Exit 1 if it is off by more than the limit (in turns), if E was above 1e-8, if the energy left over is above 1 %, or if with --more-twist-than
the twist left at the end is not more than in that run: coils grow by strands that slide along each other, which friction hinders.
"""
import argparse
import csv
import sys

import numpy as np

from budget import energy
from fiber_data import Run
from knot import writhe

FAR = 1e3  # of the length, where the curve is closed: what is left out falls with it


def material_frames(run, row, description):
    """Tangents and first directors of the edges of a discrete rod."""
    state, edges = run.state(row), int(description["elements"])
    total = 4 * edges + 3
    q = np.append(state[:total], 0).reshape(-1, 4)
    carried = state[2 * total:2 * total + 4 * edges].reshape(-1, 4)[:, :3]
    chords = np.diff(q[:, :3], axis=0)
    tangent = chords / np.linalg.norm(chords, axis=1, keepdims=True)
    angle = q[:-1, 3:]
    return q[:, :3], tangent, np.cos(angle) * carried + np.sin(angle) * np.cross(tangent, carried)


def twist_of_edges(tangent, director):
    """Sum of the angles from each director, carried to the next edge by the least rotation, to that of this edge; in turns."""
    t, s, d = tangent[:-1], tangent[1:], director[:-1]
    b, c = np.cross(t, s), np.einsum("ij,ij->i", t, s)[:, None]
    carried = c * d + np.cross(b, d) + b * np.einsum("ij,ij->i", b, d)[:, None] / (1 + c)
    other = director[1:]
    angle = np.arctan2(np.einsum("ij,ij->i", np.cross(carried, other), s), np.einsum("ij,ij->i", carried, other))
    return angle.sum() / (2 * np.pi)


def closed_writhe(points):
    """Of a curve whose ends are continued along x and joined far away, in a plane that holds x."""
    size = FAR * np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    way = np.linspace(0, np.pi, 33)[:, None]
    arc = 0.5 * (points[0] + points[-1]) + size * (np.cos(way) * np.array([1.0, 0, 0]) + np.sin(way) * np.array([0, 0, -1.0]))
    arc[0, 1:], arc[-1, 1:] = points[-1, 1:], points[0, 1:]
    ring = np.vstack([points, arc, points[:1]])
    return writhe(ring, closed=True)


def imposed(run, time):
    """Turns given to the end by the scene."""
    motion = next(c for c in run.scene["constraints"] if c["name"] == "turned")["motion"]
    times, angles = [], []
    for key in motion["keys"]:
        turn = key.get("rotation", {"angle": 0})
        angle = turn["angle"]
        times.append(key["time"])
        angles.append(np.deg2rad(float(angle[:-3])) if isinstance(angle, str) else float(angle))
    return float(np.interp(time, times, angles)) / (2 * np.pi)


def follow(run):
    """Rows (time, link, twist, writhe), of all frames."""
    rows = []
    for frame, time in enumerate(run.times):
        row, name, description = next(run.fiber_rows(frame))
        helix = run.helix(row, description)
        if helix is None:
            points, tangent, director = material_frames(run, row, description)
            twist = twist_of_edges(tangent, director)
        else:
            points = run.curve(row, name, description, 2.0, 0.02).points
            twist = float(helix[2][:, 0].sum()) * helix[3] / (2 * np.pi)
        rows.append((float(time), imposed(run, time), twist, closed_writhe(points)))
    return np.array(rows)


def plot(path, rows, off):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, (one, two) = plt.subplots(2, 1, figsize=(7, 6), sharex=True, constrained_layout=True, height_ratios=(3, 1))
    for k, label in ((1, "link"), (2, "twist"), (3, "writhe")):
        one.plot(rows[:, 0], rows[:, k] - rows[0, k], label=label)
    one.set(ylabel="turns")
    one.legend()
    two.semilogy(rows[:, 0], np.maximum(np.abs(off), 1e-16))
    two.set(xlabel="time (s)", ylabel="|twist + writhe - link|")
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--limit", type=float, default=0.01, help="by which the sum may be off, in turns")
    parser.add_argument("--more-twist-than", metavar="RUN", help="the same without friction: this one must keep more twist")
    parser.add_argument("--csv", help="to write: a row per frame")
    parser.add_argument("--plot", help="to write: a picture")
    given = parser.parse_args()
    run = Run(given.run)
    rows = follow(run)
    off = rows[:, 2] + rows[:, 3] - rows[:, 1]
    off -= off[0]
    (error,) = run.steps("error")
    _, left, terms, scale = energy(run)
    budget = float(np.abs(left).max()) / scale
    twist = rows[-1, 2] - rows[0, 2]
    faults = [np.abs(off).max() > given.limit, error.max() > 1e-8 or budget > 0.01]
    print("link %.3f turns = twist %.3f + writhe %.3f at the end; the sum off by %.1e at most in %d frames (limit %g)%s" % (
        rows[-1, 1], twist, rows[-1, 3] - rows[0, 3], np.abs(off).max(), len(rows), given.limit, "   FAULT" if faults[0] else ""))
    print("E at worst %.1e (limit 1e-8); budget: %.1e of %.3g J left over (limit 0.01), the scheme took %.1e%s" % (
        error.max(), budget, scale, float(np.abs(terms["work_scheme"]).max()) / scale, "   FAULT" if faults[1] else ""))
    if given.more_twist_than:
        other = follow(Run(given.more_twist_than))
        faults.append(not twist > other[-1, 2] - other[0, 2])
        print("twist left at the end %.3f, of the other run %.3f (more is asked)%s" % (
            twist, other[-1, 2] - other[0, 2], "   FAULT" if faults[2] else ""))
    if given.csv:
        with open(given.csv, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("time_s", "link", "twist", "writhe")] + [["%.9g" % x for x in row] for row in rows])
    if given.plot:
        plot(given.plot, rows, off)
    return int(any(faults))


if __name__ == "__main__":
    sys.exit(main())
