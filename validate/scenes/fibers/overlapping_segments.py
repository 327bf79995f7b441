#!/usr/bin/env python3
"""Contacts of hair as pairs of short segments: validate/scenes/fibers/overlapping_segments.py RUN.run [--segments 10 15 30] [--gaps 0 0.01 0.05 0.1]

Daviet, Bertails-Descoubes and Boissieux 2011 (section 7.1) cut each strand into straight segments inside cylinders; a contact is a pair of cylinders of
two strands that overlap. The number of segments and the thickness of the cylinders are not published. For saved frames of a run, this script counts the
pairs of segments of different hairs whose gap is at most a share of the contact radius, beside Capstan's contacts with an impulse. All hairs must have
the same contact radius."""
import argparse

import numpy as np
from scipy.spatial import cKDTree

from fiber_data import CURVE, Run


def distances(p, d, q, e):
    """Distances of the segments p to p + d from the segments q to q + e (arrays of rows)."""
    apart = p - q
    dd, de, ee = (d * d).sum(1), (d * e).sum(1), (e * e).sum(1)
    dr, er = (d * apart).sum(1), (e * apart).sum(1)
    determinant = dd * ee - de * de
    s = np.where(determinant > 1e-12 * dd * ee, (de * er - ee * dr) / np.maximum(determinant, 1e-300), 0.0)
    t = np.clip((de * np.clip(s, 0, 1) + er) / ee, 0, 1)
    s = np.clip((de * t - dr) / dd, 0, 1)
    t = np.clip((de * s + er) / ee, 0, 1)
    return np.linalg.norm(apart + s[:, None] * d - t[:, None] * e, axis=1)


def near_pairs(strands, radius, segments, most):
    """Gaps of all pairs of segments of different strands, up to `most`, in contact radii."""
    ends = [strand[np.linspace(0, len(strand) - 1, segments + 1).round().astype(int)] for strand in strands]
    p, step = np.concatenate([end[:-1] for end in ends]), np.concatenate([np.diff(end, axis=0) for end in ends])
    strand = np.repeat(np.arange(len(ends)), segments)
    reach = np.linalg.norm(step, axis=1).max() + (2 + most) * radius
    pairs = cKDTree(p + 0.5 * step).query_pairs(reach, output_type="ndarray")
    a, b = pairs[strand[pairs[:, 0]] != strand[pairs[:, 1]]].T
    return distances(p[a], step[a], p[b], step[b]) / radius - 2.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--segments", type=int, nargs="+", default=[10, 15, 30])
    parser.add_argument("--gaps", type=float, nargs="+", default=[0, 0.01, 0.05, 0.1], help="in contact radii")
    asked = parser.parse_args()
    run = Run(asked.run)
    print("time, s  contacts with an impulse  segments  pairs with a gap of at most " + ", ".join(f"{gap:g}" for gap in asked.gaps) + " radii")
    for frame in range(1, len(run.times)):
        strands = [item for item in run.look(frame) if item.owner == 0 and item.kind == CURVE]
        radius = strands[0].radius.mean()
        first, count = (run.cache["frames/" + name][frame] for name in ("first_contact", "contacts"))
        pushing = int((run.cache["contacts/impulse"][first:first + count] ** 2).sum(axis=1).astype(bool).sum())
        for segments in asked.segments:
            gaps = near_pairs([item.position for item in strands], radius, segments, max(asked.gaps))
            print(f"{run.times[frame]:7.3f}  {pushing:24d}  {segments:8d}  " + "  ".join(f"{np.count_nonzero(gaps <= gap):7d}" for gap in asked.gaps))


if __name__ == "__main__":
    main()
