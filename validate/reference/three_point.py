"""Three-point bending of a naturally curved rod: the sliding branch of a cup, by shooting. Prints rows of three_point_curves.csv
(and, on standard error, of three_point_summary.csv) for one natural curvature: those of 0.2, which the files did not have.

    theta'' = Qx sin(theta) - Qy cos(theta),   theta(0) = 0;   at the contact: x = a, theta' = kappa0, Q = N n + mu N t

integrated from the contact of slope theta_c inwards, until theta = 0; N such that the contact is at x = a = 1."""
import sys

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize_scalar


def inwards(slope, kappa0, mu, normal):
    force = normal * (np.array([-np.sin(slope), np.cos(slope)]) + mu * np.array([np.cos(slope), np.sin(slope)]))

    def right(_, z):  # theta, theta', x, y over the way back
        return [-z[1], -(force[0] * np.sin(z[0]) - force[1] * np.cos(z[0])), -np.cos(z[0]), -np.sin(z[0])]

    def level(_, z):
        return z[0]
    level.terminal = True
    done = solve_ivp(right, (0, 20), [slope, kappa0, 0, 0], rtol=1e-12, atol=1e-13, method="DOP853", events=level)
    return done.t[-1], done.y[:, -1], force


def state(slope, kappa0, mu, support=0.0):
    """delta, F, N, T, s of the contact, curvature of the middle. support: radii of rod and disk (about (a, 0)) together."""
    reach = 1 - support * np.sin(slope)
    low, high = 1e-9, 0.01
    while -inwards(slope, kappa0, mu, high)[1][2] > reach:
        low, high = high, 1.5 * high
    normal = brentq(lambda n: -inwards(slope, kappa0, mu, n)[1][2] - reach, low, high, xtol=1e-14)
    way, end, force = inwards(slope, kappa0, mu, normal)
    first = np.arcsin(kappa0 / (1 + kappa0 * support))  # the natural circle touches the disk
    natural = 0 if kappa0 == 0 else (1 - np.cos(first)) / kappa0
    return -end[3] - natural + support * (np.cos(first) - np.cos(slope)), 2 * force[1], normal, mu * normal, way, end[1]


def main():
    kappa0 = float(sys.argv[1])
    for mu in (0.0, 0.1, 0.3, 0.5):
        first = np.arcsin(kappa0)
        print(f"{kappa0},{mu},0.0000000000,0.0000000000,0.0000000000,0.0000000000,{first:.10f},"
              f"{1.0 if kappa0 == 0 else first / kappa0:.10f},start,{kappa0:.10f}")
        for slope in np.concatenate([first + np.arange(1, 9) * 0.005, first + np.arange(3, 62) * 0.02]):
            if slope > 1.5:
                break
            row = state(slope, kappa0, mu)
            print(f"{kappa0},{mu}," + ",".join(f"{v:.10f}" for v in (*row[:4], slope, row[4])) + f",slide_in,{row[5]:.10f}")
        best = minimize_scalar(lambda t: -state(t, kappa0, mu)[1], bounds=(first + 0.1, 1.4), method="bounded",
                               options={"xatol": 1e-7})
        top = state(best.x, kappa0, mu)
        print(f"{kappa0},{mu},{top[0]:.8f},{top[1]:.8f}", file=sys.stderr)


if __name__ == "__main__":
    main()
