#!/usr/bin/env python3
"""Does the hitch hold? bench/fibers/clove_hitch.py RUN.run [RUN.run ...]

Runs of scenes/fibers/clove_hitch.json. From 1 s on (the tail is pulled by T from 0.8 s on): the least and largest force of the guide
over T, and how much of the guide's way comes out at the tail. It holds if less than 20 % of the way comes out; it slips freely if the
force stays below 1.5 T. mu = 0 must slip freely, mu >= 0.3 must hold. Exit 1 otherwise.
"""
import sys

import numpy as np

from fiber_data import Run


def rows(run, name):
    return np.genfromtxt("%s/probes/%s.csv" % (run.directory, name), delimiter=",", skip_header=1)


def main():
    good = True
    for path in sys.argv[1:]:
        run = Run(path)
        mu = float(run.scene["friction"] if not isinstance(run.scene["friction"], dict) else run.scene["friction"]["default"])
        pull = float(np.linalg.norm(run.scene["loads"][0]["force"]))
        guide, start, end = (rows(run, name) for name in ("guide", "start", "end"))
        late = guide[:, 0] >= 1
        force = np.linalg.norm(guide[late, 1:4], axis=1) / pull
        out = (end[late, 2][-1] - end[late, 2][0]) / (start[late, 2][-1] - start[late, 2][0])
        holds, free = out < 0.2, force.max() < 1.5
        fine = free if mu == 0 else holds if mu >= 0.3 else True
        good &= bool(fine)
        print("mu = %g: force / T from %.3g to %.3g, %.0f %% of the way comes out at the tail: %s%s" % (
            mu, force.min(), force.max(), 100 * out, "holds" if holds else "slips freely" if free else "creeps",
            "" if fine else "   FAILS"))
    print("passed" if good else "FAILED")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
