#!/usr/bin/env python3
"""At which twist a straight rod, clamped at both ends, under tension or pushed, begins to writhe.

    validate/scenes/fibers/twist_buckling.py CAPSTAN [--model discrete-rod] [--elements 64] [--limit 0.01]

A straight rod of length 1 and stiffness B = C = 1 starts twisted evenly. It is clamped at its start; the other clamp may move along the
rod, turns no more and carries the tension T. A small force across its middle is taken away after a while; in much drag the deflection
then decays or grows as exp(rate t), and the rate goes through nought where the twisting moment is critical: by secants from 0.8 and 1.2
times the expected value, until 1e-4. Expected: clamped-clamped column of validate/reference/twist_tension_critical.csv,

    2 r (cos m - cos r) + T sin r = 0,   m = M / 2,   r = sqrt(m^2 - T)       (B y'''' - i M y''' - T y'' = 0, y = y' = 0 at both ends).

Clamps of nodal rods are in the middle of an edge. Exit 1 if one is off by more than the limit.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "reference", "twist_tension_critical.csv")
TENSIONS = (-5, 0, 10, 50)
DRAG, DT, RELEASE, START, END = 1000.0, 0.02, 1.0, 6.0, 10.0
SMALL = 0.01  # of the length: deflections below it are looked at


def scene(model, n, tension, moment):
    nodal = model != "super-helix"
    length = (n - 0.5) / (n - 1) if nodal else 1.0  # the first clamp is in the middle of an edge, and so is the second
    at = 1.0 if nodal else "end"
    fiber = {"name": "rod", "model": model, "elements": n, "length": length, "radius": 0.01, "mass_per_length": 1.0,
             "bending_stiffness": 1.0, "twisting_stiffness": 1.0, "drag": DRAG, "clamped": True, "curvature": [moment, 0, 0]}
    return {"capstan": 1, "dim": 3, "gravity": [0, 0, 0], "duration": END, "time_step": DT, "fibers": [fiber],
            "contact": {"self_contact": False},
            "constraints": [{"name": "clamp", "type": "guided", "body": "rod", "at": at, "direction": [1, 0, 0]}],
            "loads": [{"name": "tension", "body": "rod", "at": at, "force": [tension, 0, 0]},
                      {"name": "nudge", "body": "rod", "at": 0.45, "force": [0, 1e-3, 0],
                       "factor": [[0, 1], [RELEASE, 1], [RELEASE + DT, 0]]}],
            "output": {"frame_interval": 0.1}, "probes": [{"name": "middle", "type": "position", "body": "rod", "at": 0.5}]}


def rate(command, model, n, tension, moment):
    """At which the deflection grows, in 1/s."""
    with tempfile.TemporaryDirectory() as place:
        path, out = os.path.join(place, "rod.json"), os.path.join(place, "rod.run")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(scene(model, n, tension, moment), file)
        done = subprocess.run([command, "run", path, "--out", out, "--progress", "none"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stdout + done.stderr)
        with open(os.path.join(out, "probes", "middle.csv"), encoding="utf-8") as file:
            rows = np.array([[float(x) for x in row[:4]] for row in list(csv.reader(file))[1:]])
    size = np.hypot(rows[:, 2], rows[:, 3])
    large = np.flatnonzero(size > SMALL)
    last = large[0] if len(large) else len(rows)  # what grows fast ends as a large deflection, and grows no more
    first = min(int(np.argmax(rows[:, 0] >= START)), last - 10)
    return float(np.polyfit(rows[first:last, 0], np.log(size[first:last]), 1)[0])


def critical(command, model, n, tension, expected):
    """Twisting moment at which the rate is nought, and the number of runs."""
    a, b = 0.8 * expected, 1.2 * expected
    at_a, at_b, runs = rate(command, model, n, tension, a), rate(command, model, n, tension, b), 2
    if not at_a < 0 < at_b:
        raise RuntimeError("no change from decay (%.3g) to growth (%.3g) within 20 %%" % (at_a, at_b))
    while True:
        c = a - at_a * (b - a) / (at_b - at_a)
        c = min(max(c, a + 0.05 * (b - a)), b - 0.05 * (b - a))
        at_c, runs = rate(command, model, n, tension, c), runs + 1
        a, at_a, b, at_b = (c, at_c, b, at_b) if at_c < 0 else (a, at_a, c, at_c)
        if b - a < 1e-4 * expected or abs(at_c) < 1e-6 or runs > 14:
            return c, runs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--model", default="discrete-rod")
    parser.add_argument("--elements", type=int, default=64)
    parser.add_argument("--limit", type=float, default=0.01)
    given = parser.parse_args()
    with open(TABLE, encoding="utf-8") as file:
        expected = {float(row[0]): float(row[2]) for row in list(csv.reader(file))[1:]}
    worst = 0.0
    for tension in TENSIONS:
        found, runs = critical(given.command, given.model, given.elements, tension, expected[tension])
        off = found / expected[tension] - 1
        worst = max(worst, abs(off))
        print("T L2/B = %3g: M L/B = %.4f, expected %.4f, off by %+.2e (%d runs)" % (tension, found, expected[tension], off, runs),
              flush=True)
    print("%s, %d elements: off by %.1e at worst (limit %g)" % (given.model, given.elements, worst, given.limit))
    return int(worst > given.limit)


if __name__ == "__main__":
    sys.exit(main())
