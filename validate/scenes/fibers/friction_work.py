#!/usr/bin/env python3
"""How much did friction take? validate/scenes/fibers/friction_work.py RUN.run [--at-least X] [--at-most X] [--between T0 T1]

What friction took in the run, or between two times, over what loads, prescribed motions and gravity put in then (sums of positive changes between
steps).
Exit 1 if that share is not within the bounds."""
import argparse
import sys

import numpy as np

from fiber_data import Run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--at-least", type=float, default=-np.inf)
    parser.add_argument("--at-most", type=float, default=np.inf)
    parser.add_argument("--between", type=float, nargs=2, default=(0.0, np.inf), metavar=("T0", "T1"), help="s")
    given = parser.parse_args()
    time, loads, constraints, gravity, friction = Run(given.run).steps("time", "work_loads", "work_constraints", "energy_gravity", "work_friction")
    asked = (time >= given.between[0]) & (time <= given.between[1])
    put_in = float(np.maximum(np.diff(loads + constraints - gravity, prepend=0 - gravity[0]), 0)[asked].sum())
    took = -float(np.diff(friction, prepend=0)[asked].sum())
    share = took / put_in
    print("friction took %.4g J, %.4g of the %.4g J put in (from %g to %g is asked)" % (took, share, put_in, given.at_least, given.at_most))
    return int(not given.at_least <= share <= given.at_most)


if __name__ == "__main__":
    sys.exit(main())
