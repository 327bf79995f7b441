#!/usr/bin/env python3
"""Writes the meshes of scenes/cloth that no shape of the scene language gives: validate/scenes/cloth_meshes.py [DIRECTORY] (scenes/cloth/meshes). Texture coordinates are the
material in m.

  towel_*.obj  a strip of 40 mm over a bar of radius 30 mm along y: half-way round it, down to both sides. Its middle surface is BAR from the axis. The short side is SHORT
             long, the long one 0.97 or 1.03 times what that just holds with mu = 0.3 (towel_balance)."""
import math
import os
import sys

BAR, WIDTH, SHORT, MU, EDGE = 0.0305, 0.04, 0.08, 0.3, 0.008


def towel_balance(mu, short, radius):
    """The longest hanging side that the short one holds, of a strip that is all weight and no stiffness.

    On the bar, at the angle f from the short side: T' = mu (T + w R sin f) + w R cos f, whose solution is T = (T0 + c) exp(mu f) - c cos f + a sin f with
    c = 2 mu w R / (1 + mu^2); at f = pi: T = (T0 + c) exp(mu pi) + c."""
    c = 2 * mu * radius / (1 + mu * mu)
    return (short + c) * math.exp(mu * math.pi) + c


def towel(long):
    """Rows across, from the end of the short side to that of the long one."""
    length = SHORT + math.pi * BAR + long
    rows, columns = round(length / EDGE), round(WIDTH / EDGE)
    outside = BAR / math.cos(0.5 * length / rows / BAR)  # of the vertices: edges touch the bar in their middles
    lines = ["# a towel over a bar: validate/scenes/cloth_meshes.py"]
    for i in range(rows + 1):
        s = length * i / rows
        f = (s - SHORT) / BAR
        if f < 0:
            x, z = -outside, s - SHORT
        elif f <= math.pi:
            x, z = -outside * math.cos(f), outside * math.sin(f)
        else:
            x, z = outside, -(s - SHORT - math.pi * BAR)
        for j in range(columns + 1):
            y = WIDTH * j / columns
            lines += ["v %.9g %.9g %.9g" % (x, y - WIDTH / 2, z), "vt %.9g %.9g" % (s, y)]
    for i in range(rows):
        for j in range(columns):
            a = i * (columns + 1) + j + 1
            b, c, d = a + columns + 1, a + columns + 2, a + 1
            for t in ((a, b, c), (a, c, d)) if (i + j) % 2 else ((a, b, d), (b, c, d)):
                lines.append("f " + " ".join("%d/%d" % (k, k) for k in t))
    return "\n".join(lines) + "\n"


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else "scenes/cloth/meshes"
    os.makedirs(directory, exist_ok=True)
    best = towel_balance(MU, SHORT, BAR)
    for name, share in (("towel_holds", 0.97), ("towel_slips", 1.03)):
        with open(os.path.join(directory, name + ".obj"), "w") as out:
            out.write(towel(share * best))
    print("the long side that just holds: %.6g m" % best)


if __name__ == "__main__":
    main()
