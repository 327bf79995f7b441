#!/usr/bin/env python3
"""Writes the meshes of scenes/cloth that no shape of the scene language gives: validate/scenes/cloth_meshes.py [DIRECTORY] (scenes/cloth/meshes). Texture coordinates are the
material in m.

  towel_*.obj  a strip of 40 mm over a bar of radius 30 mm along y: half-way round it, down to both sides. Its middle surface is BAR from the axis. The short side is SHORT
             long, the long one 0.97 or 1.03 times what that just holds with mu = 0.3 (towel_balance).
  belt.obj   a closed band around two cylinders of radius 0.2 m at x = -0.55 and 1.5 m (belt.json has a third one between them), 8 mm from them. Its material is 4.125 m long and
             0.4125 m wide, and stretched along by a third. The seam is row 0 of its vertices.
  belt_braked.obj  the same band cut open where the seam is, on the three cylinders of belt_braked.json.
  belt_pole.csv  the angle of the two outer cylinders: one turn and back, as the research code interpolates its keys (cubic in the components of the quaternion).
  cone.obj   a closed cone of 10 sides, base radius 0.3 m, from its tip at z = 0.3 to z = -0.3 m.
  plate.obj, saucer.obj, glass.obj  closed, 16 sides, upright on z = 0; pull_fast.csv, pull_slow.csv: how the edge of the tablecloth is pulled."""
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


def cone(radius=0.3, top=0.3, bottom=-0.3, sides=10):
    lines = ["# a cone: validate/scenes/cloth_meshes.py", "v 0 0 %.9g" % top, "v 0 0 %.9g" % bottom]
    for k in range(sides):
        angle = 2 * math.pi * k / sides
        lines.append("v %.9g %.9g %.9g" % (radius * math.cos(angle), radius * math.sin(angle), bottom))
    for k in range(sides):
        here, there = 3 + k, 3 + (k + 1) % sides
        lines += ["f 1 %d %d" % (here, there), "f 2 %d %d" % (there, here)]
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------------------------------------- belts

POLE, CLEAR = 0.2, 0.008  # m: radius of the cylinders, and from them to the middle surface
POLES = ((-0.55, 0.0), (1.5, 0.0))
RAISED = ((-0.55, 0.0), (0.5, 1.0), (1.5, 0.0))
BELT_LENGTH, BELT_WIDTH, BELT_Y, BELT_CELLS = 4.125, 0.4125, 0.575, (90, 4)  # of the material; middle; along and across
BRAKED_CELLS = (180, 2)  # kinks of 10 degrees: where strands leave a cylinder, T2 / T1 of one that is not symmetric is off by mu times its square / 2


def round_poles(centres, radius):
    """The closed band around circles, clockwise seen along y from the first: pieces (length, function of the way along the piece -> (x, z))."""
    pieces = []
    for k, centre in enumerate(centres):
        before, after = centres[k - 1], centres[(k + 1) % len(centres)]
        turn = [math.atan2(b[1] - a[1], b[0] - a[0]) for a, b in ((before, centre), (centre, after))]
        angle = (turn[0] - turn[1]) % (2 * math.pi)
        start = turn[0] + math.pi / 2
        pieces.append((radius * angle, lambda s, c=centre, f=start: (c[0] + radius * math.cos(f - s / radius), c[1] + radius * math.sin(f - s / radius))))
        end = start - angle
        way = math.hypot(after[0] - centre[0], after[1] - centre[1])
        p = (centre[0] + radius * math.cos(end), centre[1] + radius * math.sin(end))
        d = ((after[0] - centre[0]) / way, (after[1] - centre[1]) / way)
        pieces.append((way, lambda s, p=p, d=d: (p[0] + s * d[0], p[1] + s * d[1])))
    return pieces


def along(pieces, s):
    for length, place in pieces:
        if s <= length:
            return place(s)
        s -= length
    return pieces[-1][1](pieces[-1][0])


def band(points, closed, columns, length, width):
    """A strip through the points (x, z), which are evenly spaced in the material."""
    rows = len(points) if closed else len(points) - 1
    lines = ["# a belt: validate/scenes/cloth_meshes.py"]
    for x, z in points:
        lines += ["v %.9g %.9g %.9g" % (x, BELT_Y + width * (j / columns - 0.5), z) for j in range(columns + 1)]
    for i in range(rows + 1):
        lines += ["vt %.9g %.9g" % (length * i / rows, width * j / columns) for j in range(columns + 1)]
    for i in range(rows):
        for j in range(columns):
            corner = [(i + di) * (columns + 1) + j + dj for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1))]
            name = ["%d/%d" % (c % (len(points) * (columns + 1)) + 1, c + 1) for c in corner]
            for t in ((0, 1, 2), (0, 2, 3)) if (i + j) % 2 else ((0, 1, 3), (1, 2, 3)):
                lines.append("f " + " ".join(name[k] for k in t))
    return "\n".join(lines) + "\n"


def belt():
    rows, radius = BELT_CELLS[0], POLE + CLEAR
    pieces = round_poles(POLES, radius / math.cos(math.pi / rows * 4))
    whole = sum(p[0] for p in pieces)
    first = pieces[0][0] / 2 + math.radians(75) * radius  # 15 degrees before the top of the left cylinder
    points = [along(pieces, (first + whole * i / rows) % whole) for i in range(rows)]
    return band(points, True, BELT_CELLS[1], BELT_LENGTH, BELT_WIDTH)


def braked_belt():
    """Open: from the middle of the lower strand around the left, the raised and the right cylinder and back, 0.1 m apart. It is as long as its path; its triangles are not stretched."""
    rows, radius = BRAKED_CELLS[0], POLE + CLEAR
    pieces = round_poles(RAISED, radius / math.cos(0.5 * 6.1 / rows / radius))
    lower = pieces[-1][0]  # from the right cylinder to the left one
    start, length = lower / 2 + 0.05, sum(p[0] for p in pieces) - 0.1
    turned = pieces[-1:] + pieces[:-1]
    turned = [(lower / 2 - 0.05, lambda s, place=turned[0][1]: place(s + start))] + turned[1:] + [(lower / 2 - 0.05, turned[0][1])]
    points = [along(turned, length * i / rows) for i in range(rows + 1)]
    return band(points, False, BRAKED_CELLS[1], length, BELT_WIDTH)


def pole_angle(t):
    """Turns the cylinder once and back between 0.5 and 1.4 s: Hermite in the components of the quaternion, tangents by central differences, 0 at both ends."""
    keys = [(0.5, 1, 0), (0.7, 0, 1), (0.9, -1, 0), (1.0, -1, 0), (1.2, 0, 1), (1.4, 1, 0)]
    if t <= keys[0][0] or t >= keys[-1][0]:
        return 0.0
    k = max(i for i in range(len(keys) - 1) if keys[i][0] <= t)

    def tangent(i, c):
        return 0.0 if i in (0, len(keys) - 1) else (keys[i + 1][c] - keys[i - 1][c]) / (keys[i + 1][0] - keys[i - 1][0])

    h = keys[k + 1][0] - keys[k][0]
    s = (t - keys[k][0]) / h
    weight = (2 * s ** 3 - 3 * s ** 2 + 1, -2 * s ** 3 + 3 * s ** 2, h * (s ** 3 - 2 * s ** 2 + s), h * (s ** 3 - s ** 2))
    q = [weight[0] * keys[k][c] + weight[1] * keys[k + 1][c] + weight[2] * tangent(k, c) + weight[3] * tangent(k + 1, c) for c in (1, 2)]
    return 2 * math.atan2(q[1], q[0]) % (2 * math.pi + 1e-9) if q[1] >= -1e-12 else 2 * (math.atan2(q[1], q[0]) + 2 * math.pi)


def pole_motion():
    lines = ["time,x,y,z,rx,ry,rz"]
    for i in range(91):
        t = 0.5 + 0.01 * i
        lines.append("%.2f,0,0,0,0,%.9g,0" % (t, pole_angle(t)))
    return "\n".join(lines) + "\n"


# --------------------------------------------------------------------------------------------------------------------- tablecloth

SIDES = 16


def vessel(foot, rim, height):
    """A cone without its tip."""
    lines = ["# crockery: validate/scenes/cloth_meshes.py"]
    for radius, z in ((foot, 0), (rim, height)):
        lines += ["v %.9g %.9g %.9g" % (radius * math.cos(2 * math.pi * k / SIDES), radius * math.sin(2 * math.pi * k / SIDES), z) for k in range(SIDES)]
    lines += ["v 0 0 0", "v 0 0 %.9g" % height]
    for k in range(SIDES):
        a, b = k + 1, (k + 1) % SIDES + 1
        lines += ["f %d %d %d" % (a, b, b + SIDES), "f %d %d %d" % (a, b + SIDES, a + SIDES), "f %d %d %d" % (b, a, 2 * SIDES + 1),
                  "f %d %d %d" % (a + SIDES, b + SIDES, 2 * SIDES + 2)]
    return "\n".join(lines) + "\n"


def pull(speed, start, reached, end):
    """From rest at `start`, evenly faster until `reached`, then at that speed until `end`."""
    lines = ["time,x,y,z"]
    for i in range(101):
        t = start + (reached - start) * i / 100
        lines.append("%.9g,%.9g,0,0" % (t, speed * (t - start) ** 2 / (2 * (reached - start))))
    lines.append("%.9g,%.9g,0,0" % (end, speed * (reached - start) / 2 + speed * (end - reached)))
    return "\n".join(lines) + "\n"


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else "scenes/cloth/meshes"
    os.makedirs(directory, exist_ok=True)
    best = towel_balance(MU, SHORT, BAR)
    for name, share in (("towel_holds", 0.97), ("towel_slips", 1.03)):
        with open(os.path.join(directory, name + ".obj"), "w") as out:
            out.write(towel(share * best))
    for name, text in (("belt.obj", belt()), ("belt_braked.obj", braked_belt()), ("belt_pole.csv", pole_motion()), ("cone.obj", cone()),
                       ("plate.obj", vessel(0.06, 0.09, 0.02)), ("saucer.obj", vessel(0.04, 0.06, 0.015)), ("glass.obj", vessel(0.028, 0.035, 0.1)),
                       ("pull_fast.csv", pull(5.0, 0.1, 0.15, 0.3)), ("pull_slow.csv", pull(0.3, 0.1, 0.4, 0.8))):
        with open(os.path.join(directory, name), "w") as out:
            out.write(text)
    print("the long side that just holds: %.6g m" % best)


if __name__ == "__main__":
    main()
