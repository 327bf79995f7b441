"""Writes scenes/fibers/plate.obj: a soup plate as an open sheet, flat to 0.11 m, its rim rising to 0.04 m at 0.16 m.

    python3 validate/scenes/fibers/make_plate.py
"""

import math
from pathlib import Path

RADII = [0.05, 0.09, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16]  # m
AROUND = 48


def height(r):
    return 0.0 if r <= 0.11 else 0.04 * ((r - 0.11) / 0.05) ** 1.5


def main():
    lines = ["# A soup plate, by validate/scenes/fibers/make_plate.py.", "v 0 0 0"]
    for r in RADII:
        for k in range(AROUND):
            angle = 2 * math.pi * k / AROUND
            lines.append(f"v {r * math.cos(angle):.9g} {r * math.sin(angle):.9g} {height(r):.9g}")

    def at(ring, k):
        return 2 + ring * AROUND + k % AROUND

    lines += [f"f 1 {at(0, k)} {at(0, k + 1)}" for k in range(AROUND)]
    for ring in range(len(RADII) - 1):
        lines += [f"f {at(ring, k)} {at(ring + 1, k)} {at(ring + 1, k + 1)} {at(ring, k + 1)}" for k in range(AROUND)]
    path = Path(__file__).resolve().parents[3] / "scenes" / "fibers" / "plate.obj"
    path.write_text("\n".join(lines) + "\n")


main()
