#!/usr/bin/env python3
"""Does the hitch hold? validate/scenes/fibers/clove_hitch.py RUN.run [--slips]

Runs of scenes/fibers/clove_hitch.json, in which the load is fully on from 0.8 s. It holds if from 1.3 s to the end the loaded end moves by less
than a thousandth of the rope's radius per second; it slips if it moves by more than its radius in that time. It must hold, with --slips it
must slip. Exit 1 otherwise.
"""
import argparse
import sys

import numpy as np

from fiber_data import Run

SETTLED = 1.3  # s
HELD = 1e-3  # radii per second


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--slips", action="store_true", help="it must slip")
    given = parser.parse_args()
    run = Run(given.run)
    radius, end = float(run.scene["fibers"][0]["radius"]), run.probe("load_end")
    late = end["time"] >= SETTLED - 1e-9
    place = np.stack([end[c][late] for c in "xyz"], 1)
    way = np.linalg.norm(place[-1] - place[0]) / radius
    speed = way / (end["time"][late][-1] - end["time"][late][0])
    holds, slips = speed < HELD, way > 1
    good = slips if given.slips else holds
    print(f"the loaded end moves by {speed:.3g} radii per second from {SETTLED} s on (held: below {HELD:g}): "
          f"{'holds' if holds else 'slips' if slips else 'creeps'}, {'as' if good else 'not as'} it must")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
