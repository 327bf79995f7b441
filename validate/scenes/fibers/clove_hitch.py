#!/usr/bin/env python3
"""Does the hitch hold? validate/scenes/fibers/clove_hitch.py RUN.run [RUN.run ...]

Runs of scenes/fibers/clove_hitch.json, in which the load is fully on from 0.8 s. It holds if from 1.3 s to the end the loaded end moves by less
than a thousandth of the rope's radius per second; it slips if it moves by more than its radius in that time. mu = 0 must slip, mu >= 0.3
must hold. Exit 1 otherwise.
"""
import sys

import numpy as np

from fiber_data import Run

SETTLED = 1.3  # s
HELD = 1e-3  # radii per second


def main():
    good = True
    for path in sys.argv[1:]:
        run = Run(path)
        mu = float(run.scene["friction"] if not isinstance(run.scene["friction"], dict) else run.scene["friction"]["default"])
        radius = float(run.scene["fibers"][0]["radius"])
        rows = np.genfromtxt(f"{run.directory}/probes/load_end.csv", delimiter=",", skip_header=1)
        late = rows[rows[:, 0] >= SETTLED - 1e-9]
        way = np.linalg.norm(late[-1, 1:4] - late[0, 1:4]) / radius
        speed = way / (late[-1, 0] - late[0, 0])
        holds, slips = speed < HELD, way > 1
        fine = slips if mu == 0 else holds if mu >= 0.3 else True
        good &= bool(fine)
        print(f"mu = {mu:g}: the loaded end moves by {speed:.3g} radii per second from {SETTLED} s on (held: below {HELD:g}): "
              f"{'holds' if holds else 'slips' if slips else 'creeps'}{'' if fine else '   FAILS'}")
    print("passed" if good else "FAILED")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
