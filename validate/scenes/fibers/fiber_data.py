"""Fibers of a saved run, read from its cache (docs/cache.md) without the library. A super helix is rebuilt from its own state,

    R(s) = R exp(s hat(u)),   r(s) = r + R int_0^s exp(sigma hat(u)) e_x dsigma      (u: twist, k1, k2 of an element)

and cut into chords that leave it by at most SAGITTA of its radius and are no longer than the radius; a nodal fiber is the polygon
of its saved vertices, cut the same way. Velocities are differences of places a little before and after along the rates of the
state."""
import collections
import json
import os

import h5py
import numpy as np

SAGITTA = 1e-3  # of the contact radius
STRIDES = {"discrete-rod": 4, "corde": 6, "springs": 3}  # numbers per node in the state of a nodal fiber, its place first
CURVE, DISK, OUTLINE, PLANE, HOLLOW, MESH = range(6)

Curve = collections.namedtuple("Curve", "name key points s radius closed")  # key: number of the body; radius per chord
Item = collections.namedtuple("Item", "name owner id kind position radius")


def hat(u):
    zero = np.zeros(u.shape[:-1])
    return np.stack([np.stack([zero, -u[..., 2], u[..., 1]], -1), np.stack([u[..., 2], zero, -u[..., 0]], -1),
                     np.stack([-u[..., 1], u[..., 0], zero], -1)], -2)


def turn_and_way(u, s):
    """exp(s hat(u)) and int_0^s exp(sigma hat(u)) e_x dsigma, for arrays of u (..., 3) and s (...)."""
    w = np.linalg.norm(u, axis=-1)
    a = w * s
    small = np.abs(a) < 0.05
    safe = np.where(small, 1, a)
    sinc, versine = np.sinc(a / np.pi), 0.5 * np.sinc(0.5 * a / np.pi)**2
    third = np.where(small, 1 / 6 - a**2 / 120 + a**4 / 5040, (safe - np.sin(safe)) / safe**3)
    U = hat(u) * s[..., None, None]
    U2 = U @ U
    one = np.eye(3)
    R = one + sinc[..., None, None] * U + versine[..., None, None] * U2
    way = s[..., None] * (one + versine[..., None, None] * U + third[..., None, None] * U2)[..., 0]
    return R, way


def rebuild(position, frame, u, element, count):
    """Places along a super helix, `count` chords per element: (elements count + 1, 3)."""
    s = element * np.arange(count + 1) / count
    R, way = turn_and_way(np.repeat(u[:, None], count + 1, 1), np.repeat(s[None], len(u), 0))
    places = [position[None]]
    for i in range(len(u)):
        places.append(position + way[i, 1:] @ frame.T)
        position, frame = places[-1][-1], frame @ R[i, -1]
    return np.concatenate(places)


def refine(points, step):
    """Straight pieces cut so that none is longer than the step; which piece each comes from."""
    length = np.linalg.norm(np.diff(points, axis=0), axis=1)
    count = np.maximum(np.ceil(length / step - 1e-9).astype(int), 1)
    piece = np.repeat(np.arange(len(count)), count)
    share = (np.arange(len(piece)) - np.repeat(np.cumsum(count) - count, count)) / count[piece]
    places = points[piece] + share[:, None] * (points[piece + 1] - points[piece])
    return np.vstack([places, points[-1:]]), piece


class Run:
    def __init__(self, directory):
        self.directory = directory
        path = directory if directory.endswith(".h5") else os.path.join(directory, "cache.h5")
        self.cache = h5py.File(path, "r")
        text = self.cache["scene/effective"][()]
        self.scene = json.loads(text)
        self.names = {0: self.cache["names/bodies"].asstr()[:], 1: self.cache["names/obstacles"].asstr()[:]}
        self.times = self.cache["frames/time"][:]
        self.items = {name: self.cache["items/" + name][:] for name in
                      ("owner", "id", "drawn_as", "closed", "first_vertex", "vertices", "first_state", "states")}
        self.listed = {fiber["name"]: fiber for fiber in self.scene.get("fibers", []) if "name" in fiber}
        self.made = {generator["name"]: generator["of"]["fiber"] for generator in self.scene.get("generators", [])
                     if "fiber" in generator.get("of", {})}

    def fiber(self, number):
        """The description in the scene of a body, or None if it is no fiber."""
        name, fibers = self.names[0][number - 1], self.scene.get("fibers", [])
        if not name:
            return fibers[number - 1] if number <= len(fibers) else None  # fibers are numbered first
        return self.listed.get(name) or self.made.get(name.rpartition("_")[0])

    def steps(self, *names):
        return [self.cache["steps"][name][()] for name in names]

    def probe(self, name):
        """Columns of a probe by their names without units."""
        with open(os.path.join(self.directory, "probes", name + ".csv"), encoding="utf-8") as file:
            header = [column.split(" [")[0] for column in file.readline().strip().split(",")]
            values = np.loadtxt(file, delimiter=",", ndmin=2)
        return dict(zip(header, values.T))

    def rows(self, frame):
        first = int(self.cache["frames/first_item"][frame])
        return range(first, first + int(self.cache["frames/items"][frame]))

    def look(self, frame):
        """All items of a frame as they are drawn."""
        found = []
        for row in self.rows(frame):
            owner, number, kind, _, start, count, _, _ = (int(self.items[name][row]) for name in self.items)
            part = slice(start, start + count)
            name = self.names[owner][number - 1] or "%s %d" % (("body", "obstacle")[owner], number)
            vertices = (self.cache["vertices/" + column][part] for column in ("position", "radius"))
            found.append(Item(name, owner, number, kind, *vertices))
        return found

    def state(self, row):
        first, count = int(self.items["first_state"][row]), int(self.items["states"][row])
        return self.cache["states/value"][first:first + count]

    def fiber_rows(self, frame):
        """(row, name, description) of the fibers in a frame."""
        for row in self.rows(frame):
            if self.items["owner"][row] == 0 and self.items["drawn_as"][row] == CURVE:
                number = int(self.items["id"][row])
                description = self.fiber(number)
                if description is not None:
                    yield row, self.names[0][number - 1] or "body %d" % number, description

    def curves(self, frame, step=1.0, sagitta=SAGITTA):
        """Every fiber of a frame as a polygon with chords of at most `step` radii that leave it by at most `sagitta` radii."""
        return [self.curve(row, name, description, step, sagitta) for row, name, description in self.fiber_rows(frame)]

    def curve(self, row, name, description, step, sagitta):
        start, count = int(self.items["first_vertex"][row]), int(self.items["vertices"][row])
        drawn, radius = self.cache["vertices/position"][start:start + count], self.cache["vertices/radius"][start:start + count]
        closed, key = bool(self.items["closed"][row]), int(self.items["id"][row])
        least = float(radius.min())
        helix = self.helix(row, description)
        if helix is not None:
            position, frame, u, element = helix[:4]
            bend = max(float(np.hypot(u[:, 1], u[:, 2]).max()), 1e-12)
            cut = int(np.ceil(element / min(step * least, np.sqrt(8 * sagitta * least / bend))))
            points = rebuild(position, frame, u, element, cut)
            samples = max((count - (0 if closed else 1)) // len(u), 1)
            radii = np.repeat(radius[samples // 2::samples][:len(u)], cut)
        else:
            if closed:
                drawn = np.vstack([drawn, drawn[:1]])
            points, piece = refine(drawn, step * least)
            radii = radius[piece]
        s = np.append(0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1)))
        return Curve(name, key, points, s, radii, closed)

    def helix(self, row, description):
        """Position, frame, u, length of an element, then their rates, of a super helix; None for other models."""
        if description.get("model", "super-helix") != "super-helix":
            return None
        state = self.state(row)
        n = (len(state) - 18) // 6
        if 6 * n + 18 != len(state) or description.get("elements", n) != n:
            raise ValueError("%s: the state does not fit a super helix" % description.get("name", "fiber"))
        u = state[12:12 + 3 * n].reshape(n, 3)
        element = self.length(description) / n if self.listed.get(description.get("name")) is description else self.drawn_element(row, u)
        return (state[:3], state[3:12].reshape(3, 3), u, element, state[12 + 3 * n:15 + 3 * n], state[15 + 3 * n:18 + 3 * n], state[18 + 3 * n:].reshape(n, 3))

    def drawn_element(self, row, u):
        """Length of an element of a super helix from its drawn vertices: what a generator makes has lengths of its own. The h for which chords of helices over h are
        as long as those drawn, by a fixed point; each pass leaves about (h |u|)^2 / 8 of the error."""
        start, count = int(self.items["first_vertex"][row]), int(self.items["vertices"][row])
        drawn = np.linalg.norm(np.diff(self.cache["vertices/position"][start:start + count], axis=0), axis=1).sum()
        samples = (count - 1) // len(u)
        h = drawn / (samples * len(u))
        for _ in range(30):
            h *= drawn / (samples * np.linalg.norm(turn_and_way(u, np.full(len(u), h))[1], axis=1).sum())
        return h * samples

    @staticmethod
    def length(description):
        if "length" in description:
            return float(description["length"])
        return float(np.linalg.norm(np.diff(np.asarray(description["points"], float), axis=0), axis=1).sum())

    def motion(self, row, description, cut=8):
        """Places and velocities: of equally spaced points along a super helix, (elements cut + 1, 3) each, or of nodes."""
        helix = self.helix(row, description)
        if helix is None:
            state, stride = self.state(row), STRIDES[description["model"]]
            edges = int(description.get("elements", len(description.get("points", [])) - 1))
            total = edges * stride + (0 if self.items["closed"][row] else 3)
            q, v = (np.append(state[k * total:(k + 1) * total], np.zeros(-total % stride)).reshape(-1, stride) for k in range(2))
            return q[:, :3], v[:, :3]
        position, frame, u, element, velocity, turn, rate = helix
        fastest = max(np.abs(velocity).max(), np.abs(turn).max() * element * len(u),
                      np.abs(rate).max() * (element * len(u))**2, 1e-300)
        h = 1e-5 * element * len(u) / fastest
        places = []
        for sign in (-1, 1):
            turned = turn_and_way(turn, np.asarray(sign * h))[0] @ frame
            places.append(rebuild(position + sign * h * velocity, turned, u + sign * h * rate, element, cut))
        return rebuild(position, frame, u, element, cut), (places[1] - places[0]) / (2 * h)

    def spins(self, row, description):
        """Turning rate about its tangent of every element; None for models that do not tell it (CORDE) or have none (springs)."""
        helix = self.helix(row, description)
        if helix is None:
            if description["model"] != "discrete-rod":
                return None
            state, edges = self.state(row), int(description.get("elements", len(description.get("points", [])) - 1))
            total = edges * 4 + (0 if self.items["closed"][row] else 3)
            return state[total:2 * total][3::4][:edges]
        _, frame, u, element, _, turn, rate = helix
        h = 1e-6 / max(np.abs(turn).max(), np.abs(rate).max() * element * len(u), 1e-300)
        frames = []
        for sign in (-1, 1):
            now = turn_and_way(turn, np.asarray(sign * h))[0] @ frame
            chain = []
            for k in u + sign * h * rate:
                chain.append(now @ turn_and_way(k, np.asarray(0.5 * element))[0])
                now = now @ turn_and_way(k, np.asarray(element))[0]
            frames.append(np.array(chain))
        change = (frames[1] - frames[0]) / (2 * h)
        middle = 0.5 * (frames[0] + frames[1])
        omega = np.einsum("nij,nkj->nik", change, middle)  # hat of the turning rate
        rate_of = np.stack([omega[:, 2, 1], omega[:, 0, 2], omega[:, 1, 0]], axis=1)
        return np.einsum("ni,ni->n", rate_of, middle[:, :, 0])
