#!/usr/bin/env python3
"""Writes the scenes of rigid bodies that come from a formula: tools/make_rigid_scenes.py [DIRECTORY] (scenes/rigid).

Arches: a half circle of n stones of mean radius R = 1 m, thickness 0.2 R (the thinnest half circle that stands has 0.1074 R) and width
0.3 m. All stones of an arch are one mesh; a ring generator puts them in place. They stand on two blocks that do not move.
Terrain: hills z = h sin(kx x) sin(ky y) of triangles, an open sheet. A tilted plate: a level sheet of many triangles.
"""
import math
import os
import sys

RADIUS, THICK, WIDTH = 1.0, 0.2, 0.3


def write_obj(path, vertices, triangles):
    with open(path, "w") as out:
        out.writelines("v %.17g %.17g %.17g\n" % tuple(v) for v in vertices)
        out.writelines("f %d %d %d\n" % tuple(i + 1 for i in t) for t in triangles)


def stone(stones):
    """The stone at the top: corners (side, inner or outer, front or back) and its triangles, counter-clockwise from outside."""
    half = math.pi / stones / 2
    vertices = [(r * math.sin(a), y, r * math.cos(a)) for a in (-half, half)
                for r in (RADIUS - THICK / 2, RADIUS + THICK / 2) for y in (-WIDTH / 2, WIDTH / 2)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return vertices, [t for a, b, c, d in quads for t in ((c, b, a), (d, c, a))]


def centre_height(stones):
    """Height of the centre of mass of the top stone, a trapezoid, above the arch's centre."""
    half = math.pi / stones / 2
    a, b = RADIUS - THICK / 2, RADIUS + THICK / 2  # proportional to both parallel sides
    return (a + (b - a) * (a + 2 * b) / (3 * (a + b))) * math.cos(half)


def arch(stones):
    first = -math.pi / 2 + math.pi / stones / 2
    z = centre_height(stones)
    return """// An arch of %(n)d stones without mortar stands by friction on two blocks, for as long as anybody waits.
//
// Half circle, thickness 0.2 of the mean radius: twice what the thinnest half circle needs that does not fold into a mechanism of four
// hinges (0.1074; Milankovitch 1907, Heyman 1969). Stones begin to slide below a friction of 0.309 (Cocchetti and Rizzi 2020): with 1.01 of
// that it holds, with 0.99 it falls.
// Look for: no motion at all (probe energy), E below 1e-8 in every step. Written by tools/make_rigid_scenes.py.
{
  "capstan": 1,
  "title": "Arch of %(n)d stones",
  "dim": 3,
  "duration": 10,
  "time_step": {"dt": 2e-3, "adaptive": true, "halvings": 4},
  "friction": 0.7,
  "generators": [
    {
      "name": "stone",
      "type": "ring",
      "count": %(n)d,
      "axis": [0, 1, 0],
      "step": %(step).17g,
      "of": {
        "rigid_body": {
          "shape": "mesh",
          "file": "stone_%(n)d.obj",
          "density": 2400,
          "position": [%(x).17g, 0, %(z).17g],
          "rotation": [0, %(first).17g, 0],
        },
      },
    },
  ],
  "obstacles": [
    {"name": "left", "shape": "box", "edges": [0.4, 0.6, 0.2], "position": [-1, 0, -0.1]},
    {"name": "right", "shape": "box", "edges": [0.4, 0.6, 0.2], "position": [1, 0, -0.1]},
  ],
  "probes": [{"name": "energy", "type": "energy"}, {"name": "left", "type": "obstacle_force", "obstacle": "left"}],
  "output": {"frames_per_second": 10},
  "camera": {"center": [0, 0, 0.45], "height": 1.9, "azimuth": "-75deg", "elevation": "12deg"},
}
""" % dict(n=stones, step=math.pi / stones, x=z * math.sin(first), z=z * math.cos(first), first=first)


def sheet(size, cells, height):
    """A square of triangles with heights height(x, y)."""
    n = cells + 1
    at = [-size / 2 + size * i / cells for i in range(n)]
    vertices = [(x, y, height(x, y)) for x in at for y in at]
    triangles = []
    for i in range(cells):
        for j in range(cells):
            a, b = i * n + j, (i + 1) * n + j
            triangles += [(a, b, b + 1), (a, b + 1, a + 1)] if (i + j) % 2 else [(a, b, a + 1), (b, b + 1, a + 1)]
    return vertices, triangles


def main():
    where = sys.argv[1] if len(sys.argv) > 1 else "scenes/rigid"
    os.makedirs(where, exist_ok=True)
    for stones in (25, 101):
        write_obj(os.path.join(where, "stone_%d.obj" % stones), *stone(stones))
        with open(os.path.join(where, "arch_%d.json" % stones), "w") as out:
            out.write(arch(stones))
    write_obj(os.path.join(where, "hills.obj"), *sheet(4, 24, lambda x, y: 0.15 * math.sin(2.5 * x) * math.sin(2.1 * y)))
    write_obj(os.path.join(where, "plate.obj"), *sheet(2, 12, lambda x, y: 0.0))


main()
