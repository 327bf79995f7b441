#!/usr/bin/env python3
"""How far does a ball that turns to and fro carry a strand? validate/scenes/fibers/strand_orbit.py RUN.run --of end:0.07:0.09 [--of ...]

For each probe (a position) with the bounds FROM and TO in metres: extent of the orbit in the last period (the longest side of its box). Without
friction nothing pulls the strand along: its extent is 0, for the ball turns about its centre. With friction the strand is carried until it slips;
the more friction, the farther. Exit 1 if an extent is out of its bounds, if the extents given do not rise, if an orbit is not closed (last two
periods differ by more than 1e-3 of the largest extent) or if E is above 1e-8 in a step."""
import argparse
import sys

import numpy as np

from fiber_data import Run


def extent(run, name, period):
    """(longest side of the orbit's box in the last period, distance from the period before)."""
    probe = run.probe(name)
    time, place = probe["time"], np.stack([probe[c] for c in "xyz"], 1)
    late = np.flatnonzero(time > time[-1] - period + 1e-9)
    return float(np.ptp(place[late], axis=0).max()), float(np.linalg.norm(place[late] - place[late - len(late)], axis=1).max())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--of", action="append", required=True, metavar="PROBE:FROM:TO")
    parser.add_argument("--period", type=float, default=1.0, help="s")
    given = parser.parse_args()
    run = Run(given.run)
    good, before, said = True, -1.0, []
    asked = [text.split(":") for text in given.of]
    largest = max(extent(run, name, given.period)[0] for name, _, _ in asked)
    for name, low, high in asked:
        size, drift = extent(run, name, given.period)
        fine = float(low) <= size <= float(high) and size > before and drift <= 1e-3 * largest
        good, before = good and fine, size
        said.append("%s %.1f mm (%g to %g; periods differ by %.1e m)%s" % (
            name, 1e3 * size, 1e3 * float(low), 1e3 * float(high), drift, "" if fine else " FAILS"))
    worst = float(run.steps("error")[0].max())
    print("extent of orbits: " + ", ".join(said) + "; E at worst %.1e" % worst)
    return int(not (good and worst <= 1e-8))


if __name__ == "__main__":
    sys.exit(main())
