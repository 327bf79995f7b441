#!/usr/bin/env python3
"""Does the rod coil as it should? validate/scenes/fibers/self_stacking.py RUN.run

From the last frame of a run of scenes/fibers/self_stacking*.json:
  - radius of the coils: of circles through points a quarter of 2 pi l apart along the part that lies (all below 8 l), median, against
    l = (B / (rho A g))^(1/3), the only length of a heavy rod on a plane at slow feed. Limit: between l/3 and 3 l (an order);
  - coils: by how much the tangent's level part turns from end to end, one way less the other, / 2 pi; at least 3 (folds to and fro turn by nothing);
  - it stacks: contacts of the rod with itself that press, and points higher than two diameters over the plane;
  - the plane carries the weight: mean vertical force over the last 0.2 s within 1 %.
Whether it rests: validate/scenes/fibers/still.py.
"""
import sys

import numpy as np

from fiber_data import Run

G = 9.81


def main():
    run = Run(sys.argv[1])
    frame = len(run.times) - 1
    fiber = run.scene["fibers"][0]
    radius = fiber["radius"]
    weight = fiber["density"] * np.pi * radius**2 * G
    length = (fiber["bending_stiffness"] / weight) ** (1 / 3)
    curve = run.curves(frame)[0]
    points, s = curve.points, curve.s
    step = 0.5 * np.pi * length
    at = np.arange(step, s[-1] - step, 0.1 * length)
    place = lambda x: np.stack([np.interp(x, s, points[:, k]) for k in range(3)], axis=-1)
    a, b, c = place(at - step), place(at), place(at + step)
    lies = c[:, 2] < 8 * length
    ab, bc, ac = (np.linalg.norm(p - q, axis=1)[lies] for p, q in ((a, b), (b, c), (a, c)))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)[lies]
    circle = float(np.median(ab * bc * ac / (4 * np.maximum(area, 1e-12))))
    tangent = np.diff(points, axis=0)[:, :2]
    level = np.linalg.norm(tangent, axis=1) > 0.5 * np.linalg.norm(np.diff(points, axis=0), axis=1)
    angle = np.unwrap(np.arctan2(tangent[level, 1], tangent[level, 0]))
    coils = float(abs(angle[-1] - angle[0]) / (2 * np.pi))
    cache = run.cache
    first, count = int(cache["frames/first_contact"][frame]), int(cache["frames/contacts"][frame])
    rows = slice(first, first + count)
    pressed = np.linalg.norm(cache["contacts/force"][rows], axis=1) > 0
    own = int((pressed & (cache["contacts/obstacle_b"][rows] == 0)).sum())
    heap = float(points[:, 2].max())
    force = np.genfromtxt(run.directory + "/probes/ground.csv", delimiter=",", names=True)
    late = force[force.dtype.names[0]] > run.times[-1] - 0.2
    carried = abs(float(np.mean(force[force.dtype.names[3]][late]))) / (weight * fiber["length"])
    met = (length / 3 < circle < 3 * length, coils >= 3 and heap > 4 * radius, own > 10 and abs(carried - 1) < 0.01)
    said, good = ["" if fine else "   FAILS" for fine in met], all(met)
    print("l = %.1f mm; radius of the coils %.1f mm = %.2f l (limit 1/3 to 3)%s" % (1e3 * length, 1e3 * circle, circle / length, said[0]))
    print("coils %.1f (at least 3); heap %.1f mm = %.1f diameters high (more than 2)%s" % (coils, 1e3 * heap, heap / (2 * radius), said[1]))
    print("contacts with itself that press %d (more than 10); the plane carries %.4f of the weight (1 %%)%s" % (own, carried, said[2]))
    print("passed" if good else "FAILED")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
