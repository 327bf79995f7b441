#!/usr/bin/env python3
"""Which rope holds? validate/scenes/fibers/capstan_weights.py RUN.run [--mu 0.25]

A run of scenes/fibers/capstan_weights.json: weights m_1 > m_2 on ropes that go over a bar by an angle, m with what hangs of the rope on that
side. With f = exp(mu angle R / (R + r)), mu the friction it claims, and l = mass per length of the rope,
    f > m_1 / m_2    it holds: after the rope has gone taut (0.15 s) it goes over the bar with less than 5 mm/s on average, half the difference
                     of the speeds of its ends (both go down a little while tails that were laid along the helix swing upright), and
    f < m_1 / m_2    the weights run with a = g (m_1 - f m_2) / (m_1 + f m_2 + l R (f - 1) / mu), within 5 %.
The last term is the inertia of the rope on the bar: with what it takes, tension T (less l v^2, which the bar does not feel) follows
T' = mu T + l a R along the angle.
Limits set before looking. Exit 1 if one is missed.
"""
import argparse
import sys

import numpy as np

from fiber_data import Run

G, TAUT = 9.81, 0.15


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--mu", type=float, default=0.25)
    given = parser.parse_args()
    run = Run(given.run)
    scene, good = run.scene, True
    bar = scene["obstacles"][0]["radius"]
    weights = {body["name"]: body["mass"] for body in scene["rigid_bodies"]}
    for fiber in scene["fibers"]:
        name, turned = fiber["name"], float(fiber["shape"]["angle"].rstrip("deg"))
        f = np.exp(given.mu * np.radians(turned) * bar / (bar + fiber["radius"]))
        line = fiber["mass_per_length"]
        hangs = 0.5 * line * (fiber["length"] - np.radians(turned) * (bar + fiber["radius"]))
        heavy, light = weights["heavy_" + name] + hangs, weights["light_" + name] + hangs
        ratio = heavy / light
        speeds = []
        for which in ("heavy_", "light_"):
            body = run.probe(which + name)
            late = body["time"] >= TAUT
            speeds.append((np.polyfit(body["time"][late], body["z"][late], 1)[0], np.polyfit(body["time"][late], body["vz"][late], 1)[0]))
        if f > ratio:
            slip = 0.5 * (speeds[1][0] - speeds[0][0])
            fine = abs(slip) < 5e-3
            print("%-16s %4.0f degrees, f = %6.2f > %.2f: holds; slips by %.2g mm/s, weights move by %.2g and %.2g mm/s%s" % (
                name, turned, f, ratio, 1e3 * slip, 1e3 * speeds[0][0], 1e3 * speeds[1][0], "" if fine else "   FAILS"))
        else:
            on_bar = line * bar * (f - 1) / given.mu
            expected, found = G * (heavy - f * light) / (heavy + f * light + on_bar), 0.5 * (speeds[1][1] - speeds[0][1])
            fine = abs(found / expected - 1) < 0.05
            print("%-16s %4.0f degrees, f = %6.2f < %.2f: runs; acceleration %.3f m/s2, expected %.3f%s" % (
                name, turned, f, ratio, found, expected, "" if fine else "   FAILS"))
        good &= bool(fine)
    print("passed" if good else "FAILED")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
