#!/usr/bin/env python3
"""Does a fiber stay the knot it was? validate/scenes/fibers/knot.py RUN.run [--fiber NAME] [--every 1] [--csv FILE]

In each saved frame, of the centreline as fiber_data.py rebuilds it:
  - writhe, the double sum over pairs of chords of the signed solid angle under which one is crossed by the other (Klenin and
    Langowski 2000, their method 1a; exact for a polygon). It jumps by 2 if a strand passes through another, else it is
    continuous: a jump of more than 1 between frames is a fault;
  - Alexander's polynomial of the closed curve. The ends of an open fiber are continued straight away from its middle, far
    beyond it, and joined by an arc there. At each crossing of a projection, with the arc i above, j before and k behind it
    below,
        (1 - t) a_i + t a_j - a_k = 0  (right-handed),   (1 - t) a_i - a_j + t a_k = 0  (left-handed);
    the determinant without one row and column is the polynomial up to a sign and a power of t. It is computed without rounding:
    values modulo a prime that is larger than twice any coefficient can be (4^crossings), interpolated.
Two projections, the simplest of several at random, must agree. Exit 1 if they do not, if the type changes or the writhe jumps.
"""
import argparse
import csv
import sys

import numpy as np

from fiber_data import Run

NAMES = {(1,): "unknot", (1, -1, 1): "trefoil", (-1, 3, -1): "figure-eight", (1, -1, 1, -1, 1): "5_1", (2, -3, 2): "5_2",
         (1, -1, 1, -1, 1, -1, 1): "7_1", (1, -3, 5, -3, 1): "6_3", (-2, 5, -2): "6_1", (-1, 3, -3, 3, -1): "6_2"}
PRIMES = [2**p - 1 for p in (61, 127, 521, 1279, 2203, 4423)]
DIRECTIONS = 6
STEP, LEAVES = 4.0, 0.05  # in radii: chords, and how far they leave the centreline; strands are two radii apart

LEVEL = 1e-11  # volume of two chords over their lengths and their distance, below which they count as lying in a plane


def writhe(points, closed=False, block=400):
    """Of a polygon; of a closed one, its last point is its first."""
    start, end = points[:-1], points[1:]
    n, total = len(start), 0.0
    for first in range(0, n, block):
        i, j = np.meshgrid(np.arange(first, min(first + block, n)), np.arange(n), indexing="ij")
        keep = j > i + 1
        if closed:
            keep &= ~((i == 0) & (j == n - 1))
        i, j = i[keep], j[keep]
        r13, r14, r23, r24 = (start[j] - start[i], end[j] - start[i], start[j] - end[i], end[j] - end[i])
        faces = [np.cross(r13, r14), np.cross(r14, r24), np.cross(r24, r23), np.cross(r23, r13)]
        for face in faces:
            size = np.linalg.norm(face, axis=1, keepdims=True)
            face /= np.where(size > 0, size, 1)
        angle = sum(np.arcsin(np.clip(np.einsum("ij,ij->i", faces[k], faces[(k + 1) % 4]), -1, 1)) for k in range(4))
        a, b = end[i] - start[i], end[j] - start[j]
        volume = np.einsum("ij,ij->i", np.cross(b, a), r13)
        # chords in one plane do not cross; of those in one line, as a rod under tension has them, the faces are noise
        spans = np.abs(volume) > LEVEL * np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1) * np.linalg.norm(r13, axis=1)
        total += float(np.sum(angle * np.sign(volume) * spans))
    return total / (2 * np.pi)


def close(points):
    """A closed polygon, last point = first, from an open curve."""
    middle = points.mean(axis=0)
    size = np.linalg.norm(points - middle, axis=1).max()
    ways = []
    for end in (points[-1], points[0]):
        away = end - middle
        length = np.linalg.norm(away)
        ways.append(away / length if length > 1e-9 * size else np.array([1.0, 0, 0]))
    a, b = ways
    across = b - (a @ b) * a
    if np.linalg.norm(across) < 1e-6:
        across = np.cross(a, np.eye(3)[np.argmin(np.abs(a))])
    across /= np.linalg.norm(across)
    angle = np.arctan2(b @ across, a @ b)
    turn = np.linspace(0, angle, 13)[:, None]
    arc = middle + 20 * size * (np.cos(turn) * a + np.sin(turn) * across)
    return np.vstack([points, arc, points[:1]])


def crossings(points, direction):
    """Of a closed polygon seen along a direction: rows (place of the upper strand, of the lower one, sign), by the second."""
    side = np.cross(direction, np.eye(3)[np.argmin(np.abs(direction))])
    side /= np.linalg.norm(side)
    flat = points @ np.stack([side, np.cross(direction, side), direction], axis=1)
    start, way, n = flat[:-1], np.diff(flat, axis=0), len(flat) - 1
    i, j = np.triu_indices(n, 2)
    low, high = np.minimum(flat[:-1, :2], flat[1:, :2]), np.maximum(flat[:-1, :2], flat[1:, :2])
    keep = np.all((low[i] <= high[j]) & (low[j] <= high[i]), axis=1) & ~((i == 0) & (j == n - 1))
    i, j = i[keep], j[keep]
    u, v, w = way[i], way[j], start[j] - start[i]
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (w[:, 0] * v[:, 1] - w[:, 1] * v[:, 0]) / area
        t = (w[:, 0] * u[:, 1] - w[:, 1] * u[:, 0]) / area
    keep = (s >= 0) & (s < 1) & (t >= 0) & (t < 1)
    i, j, s, t, area = i[keep], j[keep], s[keep], t[keep], area[keep]
    above = start[i, 2] + s * way[i, 2] > start[j, 2] + t * way[j, 2]
    # seen against the direction; right-handed if the upper strand turns counter-clockwise onto the lower one
    upper, lower = np.where(above, i + s, j + t), np.where(above, j + t, i + s)
    found = np.column_stack([upper, lower, np.where(above, 1, -1) * np.sign(area)])
    return found[np.argsort(found[:, 1])]


def determinant(matrix, prime):
    rows, result = [list(row) for row in matrix], 1
    n = len(rows)
    for k in range(n):
        pivot = next((r for r in range(k, n) if rows[r][k]), None)
        if pivot is None:
            return 0
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            result = -result
        result = result * rows[k][k] % prime
        inverse = pow(rows[k][k], -1, prime)
        for r in range(k + 1, n):
            if rows[r][k]:
                share = rows[r][k] * inverse % prime
                rows[r] = [(x - share * y) % prime if y else x for x, y in zip(rows[r], rows[k])]
    return result % prime


def interpolate(values, prime):
    """Coefficients, lowest first, of the polynomial with these values at 0, 1, 2, ... (Newton's differences)."""
    n = len(values)
    table = list(values)
    for order in range(1, n):
        inverse = pow(order, -1, prime)
        for k in range(n - 1, order - 1, -1):
            table[k] = (table[k] - table[k - 1]) * inverse % prime
    result = [0] * n
    for k in range(n - 1, -1, -1):  # Horner: result * (t - k) + table[k]
        shifted = [0] + result[:-1]
        result = [(a - k * b) % prime for a, b in zip(shifted, result)]
        result[0] = (result[0] + table[k]) % prime
    return result


def alexander(found):
    """Coefficients of Alexander's polynomial of a diagram, from the rows of crossings(), so that their sum is 1."""
    n = len(found)
    if n < 3:
        return (1,)
    under = found[:, 1]
    prime = next(p for p in PRIMES if p > 2 * 4**n)
    over = np.searchsorted(under, found[:, 0]) % n  # arc k comes from crossing k - 1 and ends at crossing k
    values = []
    for t in range(n):
        matrix = [[0] * n for _ in range(n)]
        for row in range(n):
            before, behind = row, (row + 1) % n
            matrix[row][over[row]] += 1 - t
            matrix[row][before] += t if found[row, 2] > 0 else -1
            matrix[row][behind] += -1 if found[row, 2] > 0 else t
        values.append(determinant([[x % prime for x in row[:-1]] for row in matrix[:-1]], prime))
    polynomial = [x - prime if x > prime // 2 else x for x in interpolate(values, prime)]
    while polynomial and polynomial[-1] == 0:
        polynomial.pop()
    while polynomial and polynomial[0] == 0:
        polynomial.pop(0)
    sign = sum(polynomial)
    if abs(sign) != 1:
        raise ValueError("the polynomial of a knot has the value 1 or -1 at t = 1, not %d" % sign)
    return tuple(sign * x for x in polynomial)


def polynomials(points, closed=False, seed=1):
    """Of two projections, the ones with fewest crossings, and the number of their crossings."""
    ring = points if closed else close(points)
    rng = np.random.default_rng(seed)
    ways = rng.normal(size=(DIRECTIONS, 3))
    diagrams = sorted((crossings(ring, way / np.linalg.norm(way)) for way in ways), key=len)[:2]
    return [alexander(found) for found in diagrams], len(diagrams[0])


def knot_name(polynomial):
    return NAMES.get(polynomial, "polynomial " + " ".join(map(str, polynomial)))


def follow(run, name=None, every=1):
    """Rows (frame, time, fiber, writhe, type, crossings seen, agreed)."""
    rows = []
    for frame in range(0, len(run.times), every):
        for curve in run.curves(frame, step=STEP, sagitta=LEAVES):
            if name in (None, curve.name):
                both, count = polynomials(curve.points, curve.closed, seed=frame + 1)
                rows.append((frame, float(run.times[frame]), curve.name, writhe(curve.points, curve.closed), knot_name(both[0]),
                             count, both[0] == both[1]))
    return rows


def judge(rows):
    """Faults as text; the largest jump of writhe and the types by fiber."""
    faults, summary, last = [], {}, {}
    for frame, time, fiber, value, kind, _, agreed in rows:
        known = summary.setdefault(fiber, {"types": [], "jump": 0.0, "first": value, "last": value})
        if not agreed:
            faults.append("frame %d (%.4g s): two projections of %s give different polynomials" % (frame, time, fiber))
        if fiber in last:
            jump = abs(value - last[fiber][0])
            known["jump"] = max(known["jump"], jump)
            if jump > 1:
                faults.append("frame %d (%.4g s): writhe of %s jumps from %.3f to %.3f" % (
                    frame, time, fiber, last[fiber][0], value))
            if kind != last[fiber][1]:
                faults.append("frame %d (%.4g s): %s was a %s and is a %s" % (frame, time, fiber, last[fiber][1], kind))
        if kind not in known["types"]:
            known["types"].append(kind)
        known["last"] = value
        last[fiber] = (value, kind)
    return faults, summary


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--fiber", help="only this one")
    parser.add_argument("--every", type=int, default=1, help="look at every n-th frame")
    parser.add_argument("--csv", help="to write: a row per fiber and frame")
    parser.add_argument("--expect", help="the type it must have, as trefoil")
    given = parser.parse_args()
    rows = follow(Run(given.run), given.fiber, given.every)
    faults, summary = judge(rows)
    for fiber, known in summary.items():
        print("%s: %s in %d frames; writhe from %.3f to %.3f, largest jump between frames %.3f" % (
            fiber, ", ".join(known["types"]), sum(row[2] == fiber for row in rows), known["first"], known["last"], known["jump"]))
        if given.expect and known["types"] != [given.expect]:
            faults.append("%s is not a %s throughout" % (fiber, given.expect))
    if not summary:
        faults.append("no such fiber")
    for fault in faults[:20]:
        print("FAULT:", fault)
    if given.csv:
        with open(given.csv, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("frame", "time_s", "fiber", "writhe", "type", "crossings", "projections_agree")] + rows)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
