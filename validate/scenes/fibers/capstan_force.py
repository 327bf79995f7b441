#!/usr/bin/env python3
"""What holds a rope around a post? validate/scenes/fibers/capstan_force.py RUN.run [--mu 0.2] [--angle 720] [--limit 0.02]

A run of scenes/fibers/capstan.json: one end is pulled by a guide, the other by a load T. The rope slides; friction acts at its surface, a
radius r from the centreline, on a post of radius R:  guide = T exp(mu angle R / (R + r))  for the friction and the angle claimed.
The mean of the guide's force from 0.5 s on must be within the limit (it swings: the rope is elastic). Exit 1 otherwise."""
import argparse
import sys

import numpy as np

from fiber_data import Run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--mu", type=float, default=0.2)
    parser.add_argument("--angle", type=float, default=720, help="degrees")
    parser.add_argument("--limit", type=float, default=0.02)
    given = parser.parse_args()
    run = Run(given.run)
    post, rope = run.scene["obstacles"][0]["radius"], run.scene["fibers"][0]["radius"]
    load = np.linalg.norm(run.scene["loads"][0]["force"])
    expected = load * np.exp(given.mu * np.radians(given.angle) * post / (post + rope))
    guide = run.probe("guide")
    found = float(np.mean(-guide["fy"][guide["time"] >= 0.5]))
    print("the guide pulls with %.3f N where exp(mu angle R / (R + r)) says %.3f N: off by %.2f %% (limit %g %%)" % (
        found, expected, 100 * abs(found / expected - 1), 100 * given.limit))
    return int(not abs(found / expected - 1) < given.limit)


if __name__ == "__main__":
    sys.exit(main())
