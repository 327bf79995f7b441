"""Which triangles of sheets cross each other or an obstacle in a frame: code of its own, which knows nothing of how the library looks for contacts.

Two triangles cross if an edge of one goes through the inside of the other. A sheet crosses a ball or a capsule if its middle surface is nearer to the axis than the
radius, a half-space if a vertex is below it, and anything drawn with triangles if the triangles cross. Triangles that share a vertex are not asked."""
import numpy as np
from scipy.spatial import cKDTree

EDGES = ((0, 1), (1, 2), (2, 0))


def edges_of(triangles):
    return np.unique(np.sort(np.concatenate([triangles[:, e] for e in EDGES]), axis=1), axis=0)


def near(a, radius_a, b, radius_b):
    """Pairs (i, j) of balls that overlap."""
    if len(a) == 0 or len(b) == 0:
        return np.empty((0, 2), int)
    found = cKDTree(a).query_ball_tree(cKDTree(b), radius_a.max() + radius_b.max())
    pairs = np.array([(i, j) for i, row in enumerate(found) for j in row], int).reshape(-1, 2)
    gap = np.linalg.norm(a[pairs[:, 0]] - b[pairs[:, 1]], axis=1) - radius_a[pairs[:, 0]] - radius_b[pairs[:, 1]]
    return pairs[gap <= 0]


def edge_through_triangle(p, q, a, b, c):
    """Rows of points: does the segment pq go through the inside of abc?"""
    n = np.cross(b - a, c - a)
    hp, hq = ((p - a) * n).sum(1), ((q - a) * n).sum(1)
    through = hp * hq < 0
    share = hp / np.where(through, hp - hq, 1)
    x = p + share[:, None] * (q - p)
    for i, j in ((a, b), (b, c), (c, a)):
        through &= (np.cross(j - i, x - i) * n).sum(1) > 0
    return through


def edges_through(vertices, edges, others, triangles, same):
    """Pairs (edge, triangle) that cross; `same`: both are of one mesh."""
    middle = (vertices[edges[:, 0]] + vertices[edges[:, 1]]) / 2
    half = np.linalg.norm(vertices[edges[:, 1]] - vertices[edges[:, 0]], axis=1) / 2
    centre = others[triangles].mean(axis=1)
    radius = np.linalg.norm(others[triangles] - centre[:, None], axis=2).max(axis=1)
    pairs = near(middle, half, centre, radius)
    e, t = edges[pairs[:, 0]], triangles[pairs[:, 1]]
    if same:
        apart = ~(e[:, :, None] == t[:, None, :]).any(axis=(1, 2))
        pairs, e, t = pairs[apart], e[apart], t[apart]
    crosses = edge_through_triangle(vertices[e[:, 0]], vertices[e[:, 1]], others[t[:, 0]], others[t[:, 1]], others[t[:, 2]])
    return pairs[crosses]


def triangles_crossing(vertices, triangles, others=None, other_triangles=None):
    """How many pairs of an edge and a triangle cross: of one mesh with itself, or of two."""
    if others is None:
        return len(edges_through(vertices, edges_of(triangles), vertices, triangles, True))
    return (len(edges_through(vertices, edges_of(triangles), others, other_triangles, False)) +
            len(edges_through(others, edges_of(other_triangles), vertices, triangles, False)))


def point_segments(p, a, b):
    way = b - a
    share = np.clip(((p - a) * way).sum(1) / np.maximum((way * way).sum(1), 1e-300), 0, 1)
    return np.linalg.norm(p - a - share[:, None] * way, axis=1)


def segment_segments(p, q, a, b):
    """Distance of the segment pq from each segment ab: where the lines are nearest if that is within both, or at an end."""
    ends = np.minimum(np.minimum(point_segments(p, a, b), point_segments(q, a, b)),
                      np.minimum(point_segments(a, p + 0 * a, q + 0 * a), point_segments(b, p + 0 * a, q + 0 * a)))
    u, v, w = q - p, b - a, a - p
    n = np.cross(u + 0 * v, v)
    square = np.maximum((n * n).sum(1), 1e-300)
    s, t = (np.cross(w, v) * n).sum(1) / square, (np.cross(w, u + 0 * v) * n).sum(1) / square
    across = np.abs((w * n).sum(1)) / np.sqrt(square)
    return np.where((s > 0) & (s < 1) & (t > 0) & (t < 1), across, ends)


def point_triangles(p, a, b, c):
    n = np.cross(b - a, c - a)
    over = np.ones(len(a), bool)
    for i, j in ((a, b), (b, c), (c, a)):
        over &= (np.cross(j - i, p - i) * n).sum(1) > 0
    height = np.abs(((p - a) * n).sum(1)) / np.maximum(np.linalg.norm(n, axis=1), 1e-300)
    beside = np.minimum(np.minimum(point_segments(p, a, b), point_segments(p, b, c)), point_segments(p, c, a))
    return np.where(over, height, beside)


def distance_to_axis(vertices, triangles, ends):
    """Of each triangle from a point or a segment (1 or 2 rows)."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    least = np.minimum.reduce([point_triangles(e, a, b, c) for e in ends])
    if len(ends) == 2:
        for i, j in ((a, b), (b, c), (c, a)):
            least = np.minimum(least, segment_segments(ends[0], ends[1], i, j))
        p, q = ends[0] + 0 * a, ends[1] + 0 * a
        least[edge_through_triangle(p, q, a, b, c)] = 0
    return least


def count(run, frame, sheets):
    """Crossings of the sheets (numbers of bodies) of a frame: with themselves, with each other and with everything else that is no fiber."""
    cloth, rest = [], []
    for i in run.items_of(frame):
        at = run.vertices_of(i)
        thing = (run.items["owner"][i], run.items["id"][i], run.position[at], run.triangles_of(i), run.radius[at])
        (cloth if thing[0] == 0 and thing[1] in sheets else rest).append(thing)
    crossed = 0
    for k, (_, _, v, t, _) in enumerate(cloth):
        crossed += triangles_crossing(v, t)
        low, high = v.min(axis=0), v.max(axis=0)
        for _, _, w, s, _ in cloth[k + 1:]:
            if (w.min(axis=0) <= high).all() and (w.max(axis=0) >= low).all():
                crossed += triangles_crossing(v, t, w, s)
        for owner, number, w, s, radius in rest:
            if owner == 1 and run.scene["obstacles"][number - 1]["shape"] == "plane":
                n = w[1] - w[0]
                crossed += int(((v - w[0]) @ n < 0).sum())
            elif len(s):
                crossed += triangles_crossing(v, t, w, s)
            elif len(w) <= 2:
                crossed += int((distance_to_axis(v, t, w) < radius.max()).sum())
    return crossed
