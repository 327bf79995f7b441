#!/usr/bin/env python3
"""Do rods in a plate stack, slide or lie still? validate/scenes/fibers/stack.py RUN.run [--still | --slides] [--higher-than RUN] [--slower-than RUN] [--nu FROM TO]

Over the last fifth of the run:
  height  mean height of the centrelines over the lowest point of any of them, in radii;
  rate    root mean square of the speed of all vertices, from frame to frame, in radii per second.
--still: the rate must be below 1e-6, the limit of still.py. --slides: above a thousand times that, so that nothing is both and what creeps by a
tolerance is neither. --higher-than RUN: the height must be above that of the other run, --slower-than RUN: the rate below its. --nu FROM TO: the
largest nu of a step (contact unknowns over velocities) must lie between these. Besides E <= 1e-6 in every step. Exit 1 if one is missed."""
import argparse
import sys

import numpy as np

from fiber_data import CURVE, Run

STILL = 1e-6  # radii per second
SLIDES = 1e3 * STILL


def shapes(run, frame):
    return [item for item in run.look(frame) if item.owner == 0 and item.kind == CURVE]


def measure(run):
    late = np.flatnonzero(run.times >= 0.8 * run.times[-1])
    before, heights, squares, count = None, [], 0.0, 0
    for frame in late:
        now = shapes(run, frame)
        radius = now[0].radius[0]
        places = np.concatenate([item.position for item in now])
        heights.append((places[:, 2].mean() - places[:, 2].min()) / radius)
        if before is not None:
            squares += float(((places - before)**2).sum()) / ((run.times[frame] - run.times[frame - 1]) * radius)**2
            count += len(places)
        before = places
    return float(np.mean(heights)), float(np.sqrt(squares / count))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--still", action="store_true")
    parser.add_argument("--slides", action="store_true")
    parser.add_argument("--higher-than", metavar="RUN")
    parser.add_argument("--slower-than", metavar="RUN")
    parser.add_argument("--nu", type=float, nargs=2, metavar=("FROM", "TO"))
    given = parser.parse_args()
    run, faults = Run(given.run), []
    height, rate = measure(run)
    contacts, error = run.steps("contacts", "error")
    nu = float(run.steps("nu")[0].max())
    text = "height %.2f radii, rate %.2e radii/s; at most %d contacts, nu %.2f; E at worst %.1e" % (height, rate, contacts.max(), nu, error.max())
    if given.still and not rate < STILL:
        faults.append("not still (limit %g)" % STILL)
    if given.slides and not rate > SLIDES:
        faults.append("does not slide (more than %g)" % SLIDES)
    for path, what in ((given.higher_than, "higher"), (given.slower_than, "slower")):
        if path:
            other = measure(Run(path))
            text += "; the other: height %.2f, rate %.2e" % other
            if not (height > other[0] if what == "higher" else rate < other[1]):
                faults.append("not %s than the other" % what)
    if given.nu and not given.nu[0] <= nu <= given.nu[1]:
        faults.append("nu is not between %g and %g" % tuple(given.nu))
    if error.max() > 1e-6:
        faults.append("E above 1e-6")
    print(text + "".join("; FAULT: " + fault for fault in faults))
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
