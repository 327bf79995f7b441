"""A made-up run in space with one of everything that is drawn there, written by docs/cache.md and without any of Capstan's code.

    space_run.py DIR [knot|pile]

knot: a fiber tied in an overhand knot and twisted, a capsule, a ball that rolls, a box that tumbles, on a plane, beside a sheet
that waves (its triangles stay, its vertices move). pile: 76 fibers of 22 elements, 4 vertices each, in a bowl. No physics."""
import os
import sys

import h5py
import numpy as np

CURVE, DISK, OUTLINE, HALF_PLANE, HOLLOW_DISK, MESH = range(6)
STEP_REALS = ("time dt error error_fischer_burmeister cone_violation approach complementarity momentum velocity_scale penetration "
              "constraint_error motion energy_kinetic energy_elastic energy_gravity work_loads work_constraints work_normal "
              "work_friction work_viscosity work_drag work_scheme work_forgotten energy_unexplained").split()
STEP_WHOLES = ("status retries contacts new_contacts sticking sliding islands iterations newton_iterations solver form "
               "worst_contact").split()


class Run:
    """Frames are added, then the file is written."""

    def __init__(self, title, bodies, obstacles):
        self.title, self.bodies, self.obstacles = title, bodies, obstacles
        self.frames, self.items, self.contacts = [], [], []
        self.vertices, self.triangles = [], []
        self.vertex_count = self.triangle_count = 0
        self.meshes = {}

    def frame(self, time, items, contacts=()):
        """items: (owner, id, drawn as, closed, vertices (n x 8: position, radius, curvature, director), triangles or None)"""
        self.frames.append((time, len(self.frames), len(self.frames), len(self.items), len(items), len(self.contacts), len(contacts)))
        for owner, number, drawn_as, closed, vertex, triangle in items:
            first = 0
            if triangle is not None and (owner, number) not in self.meshes:
                self.meshes[owner, number] = self.triangle_count
                self.triangles.append(triangle)
                self.triangle_count += len(triangle)
            if triangle is not None:
                first = self.meshes[owner, number]
            self.items.append((owner, number, drawn_as, closed, self.vertex_count, len(vertex), 0, 0, first,
                               0 if triangle is None else len(triangle)))
            self.vertices.append(vertex)
            self.vertex_count += len(vertex)
        self.contacts.extend(contacts)

    def write(self, directory):
        os.makedirs(directory, exist_ok=True)
        with h5py.File(os.path.join(directory, "cache.h5"), "w") as file:
            for name, value in (("format", "capstan cache"), ("version", "made up"), ("title", self.title)):
                file.attrs[name] = np.bytes_(value)
            for name, value in (("format_version", 2), ("dim", 3)):
                file.attrs[name] = np.int32(value)
            for name, value in (("dt", 0.02), ("frame_interval", 0.02), ("tolerance", 1e-8)):
                file.attrs[name] = np.float64(value)
            for name in ("effective", "source"):
                file["scene/" + name] = np.bytes_("{}")
            for name, values in (("bodies", self.bodies), ("obstacles", self.obstacles), ("constraints", [])):
                file["names/" + name] = np.array(values, "S16")
            self.put(file, "frames", self.frames, ("time:d", "step:q", "whole_step:q", "first_item:q", "items:q", "first_contact:q",
                                                   "contacts:q"))
            self.put(file, "items", self.items, ("owner:i", "id:i", "drawn_as:i", "closed:b", "first_vertex:q", "vertices:q",
                                                 "first_state:q", "states:q", "first_triangle:q", "triangles:q"))
            vertex = np.concatenate(self.vertices)
            file["vertices/position"], file["vertices/director"] = vertex[:, :3], vertex[:, 5:]
            file["vertices/radius"], file["vertices/curvature"] = vertex[:, 3], vertex[:, 4]
            file["states/value"] = np.zeros(0)
            file["triangles/corner"] = np.concatenate(self.triangles + [np.zeros((0, 3))]).astype("i4")
            self.put_contacts(file)
            count = len(self.frames)
            for name in STEP_REALS:
                file["steps/" + name] = np.zeros(count)
            for name in STEP_WHOLES:
                file["steps/" + name] = np.zeros(count, "i4")
            file["steps/time"][:] = [frame[0] for frame in self.frames]
            file["steps/dt"][:], file["steps/error"][:] = 0.02, 1e-10
            file["steps/contacts"][:] = [frame[6] for frame in self.frames]
            file["steps/step"] = np.arange(1, count + 1)
            for name in "assemble detect contact total".split():
                file["timings/seconds_" + name] = np.full(count, 1e-3)

    @staticmethod
    def put(file, group, rows, columns):
        for k, column in enumerate(columns):
            name, kind = column.split(":")
            file[f"{group}/{name}"] = np.array([row[k] for row in rows], {"b": "u1"}.get(kind, kind))

    def put_contacts(self, file):
        n = len(self.contacts)
        columns = {"id": np.arange(1, n + 1, dtype="u8"), "gap": np.zeros(n), "mu": np.full(n, 0.3), "error": np.zeros(n)}
        for k, name in enumerate(("body_a", "body_b", "obstacle_b")):
            columns[name] = np.array([c["who"][k] for c in self.contacts], "i4")
        for name in ("s_a", "s_b"):
            columns[name] = np.array([c.get(name, 0.0) for c in self.contacts], "f8")
        for name in ("position", "normal", "force"):
            columns[name] = np.array([c[name] for c in self.contacts], "f8").reshape(n, 3)
        for name in ("velocity", "impulse", "relative_velocity"):
            columns[name] = np.zeros((n, 3))
        columns["case"] = np.array([c["case"] for c in self.contacts], "i4")
        for name, values in columns.items():
            file["contacts/" + name] = values


def rows(position, radius=0.0, curvature=0.0, director=None):
    position = np.asarray(position, float)
    out = np.zeros((len(position), 8))
    out[:, :3], out[:, 3], out[:, 4] = position, radius, curvature
    if director is not None:
        out[:, 5:] = director
    return out


def directors(x, turns):
    """Carried along without twist, then turned evenly by so many turns."""
    t = np.gradient(x, axis=0)
    t /= np.linalg.norm(t, axis=1)[:, None]
    d = np.cross(t[0], [0.0, 0.0, 1.0] if abs(t[0, 2]) < 0.9 else [1.0, 0.0, 0.0])
    out = []
    for k, tangent in enumerate(t):
        d = d - tangent * (d @ tangent)
        d /= np.linalg.norm(d)
        angle = 2 * np.pi * turns * k / (len(x) - 1)
        out.append(np.cos(angle) * d + np.sin(angle) * np.cross(tangent, d))
    return np.array(out)


def overhand(size, ends, count, lift):
    """A trefoil cut open: half the plane curve of a trefoil, its ends drawn out along x."""
    s = np.linspace(0.0, 2 * np.pi, count) + np.pi / 6 + np.pi
    a = np.stack([np.sin(s) + 2 * np.sin(2 * s), np.cos(s) - 2 * np.cos(2 * s), -1.1 * np.sin(3 * s)], 1) * size / 3
    open_ = np.linspace(0.0, 1.0, count)
    pull = ends * (np.maximum(0, open_ - 0.88) / 0.12) ** 2 - ends * (np.maximum(0, 0.12 - open_) / 0.12) ** 2
    a[:, 0] += pull
    a[:, 2] += lift
    return a


BOX = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
BOX_FACES = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
                      [1, 5, 7], [1, 7, 3]])


def turning(axis, angle):
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def grid_of(across, along):
    corner = np.arange(across * along).reshape(across, along)
    a, b, c, d = corner[:-1, :-1].ravel(), corner[1:, :-1].ravel(), corner[:-1, 1:].ravel(), corner[1:, 1:].ravel()
    return np.concatenate([np.stack([a, b, c], 1), np.stack([c, b, d], 1)])


def knot_run(frames=24):
    run = Run("One of everything in space, made up", ["fiber", "capsule", "ball", "box"], ["ground", "sheet", "post"])
    u, v = np.meshgrid(np.linspace(-0.1, 0.1, 30), np.linspace(-0.06, 0.06, 20), indexing="ij")
    sheet = grid_of(30, 20)
    around = np.linspace(0, 2 * np.pi, 25)[:-1]
    post = np.concatenate([[[0.2 + 0.02 * np.cos(a), 0.07 + 0.02 * np.sin(a), z] for a in around] for z in (0.0, 0.08)]
                          + [[[0.2, 0.07, 0.0], [0.2, 0.07, 0.08]]])
    k, n = np.arange(24), (np.arange(24) + 1) % 24
    post_faces = np.concatenate([np.stack([k, n, k + 24], 1), np.stack([n, n + 24, k + 24], 1), np.stack([n, k, k * 0 + 48], 1),
                                 np.stack([k + 24, n + 24, k * 0 + 49], 1)])
    for number in range(frames):
        time = 0.02 * number
        x = overhand(0.1 - 0.02 * time, 0.12, 220, 0.06)
        away = 0.3 * time
        ball, radius = np.array([-0.2 + away, -0.15, 0.03]), 0.03
        turn = turning([0, 1, 0], away / radius)
        wave = np.stack([u - 0.02, v + 0.2, 0.05 + 0.015 * np.sin(40 * u + 12 * time)], -1).reshape(-1, 3)
        box = BOX * [0.03, 0.02, 0.015] @ turning([1, 1, 0.3], 3 * time).T + [0.12, -0.14, 0.05]
        items = [
            (1, 1, HALF_PLANE, 0, rows([[0, 0, 0], [0, 0, 1]]), None),
            (1, 2, MESH, 0, rows(wave), sheet),
            (1, 3, MESH, 0, rows(post), post_faces),
            (0, 1, CURVE, 0, rows(x, 0.006, 12.0, directors(x, 6)), None),
            (0, 2, CURVE, 0, rows([[-0.22, 0.1, 0.012], [-0.14, 0.13, 0.012]], 0.012), None),
            (0, 3, DISK, 0, rows([ball, ball + radius * turn[:, 0], ball + radius * turn[:, 1]], radius), None),
            (0, 4, MESH, 0, rows(box), BOX_FACES),
        ]
        contacts = [{"who": (3, 0, 1), "position": ball - [0, 0, radius], "normal": [0, 0, 1], "force": [0.2, 0, 1], "case": 1},
                    {"who": (1, 1, 0), "s_a": 0.1, "s_b": 0.3, "position": x[50], "normal": [0, 0, 1], "force": [0.1, 0.1, 0.8],
                     "case": 2}]
        run.frame(time, items, contacts)
    return run


def pile_run(frames=20, fibers=76, vertices=22 * 4 + 1):
    run = Run("Fibers in a bowl, made up", [""] * fibers, ["plate"])
    random = np.random.default_rng(1)
    r, a = np.meshgrid(np.linspace(0, 0.15, 16), np.linspace(0, 2 * np.pi, 49), indexing="ij")
    plate = np.stack([r * np.cos(a), r * np.sin(a), 1.2 * r * r], -1).reshape(-1, 3)
    shape = [(random.uniform(-0.05, 0.05, 2), random.uniform(0, np.pi), random.normal(0, 8), 0.004 + 0.0009 * k) for k in range(fibers)]
    for number in range(frames):
        time = 0.02 * number
        items = [(1, 1, MESH, 0, rows(plate), grid_of(16, 49))]
        for k, (center, angle, bend, height) in enumerate(shape):
            s = np.linspace(-0.08, 0.08, vertices)
            turn = angle + bend * s
            x = np.stack([np.cos(turn), np.sin(turn)], 1).cumsum(0) * (s[1] - s[0])
            x += center - x.mean(0)
            z = 1.2 * (x ** 2).sum(1) + height + 0.02 * (1 - number / frames) * np.sin(k)
            x = np.column_stack([x, np.maximum(z, 1.2 * (x ** 2).sum(1) + 0.001)])
            items.append((0, k + 1, CURVE, 0, rows(x, 0.001, abs(bend), directors(x, 0.5)), None))
        run.frame(time, items)
    return run


if __name__ == "__main__":
    {"knot": knot_run, "pile": pile_run}[sys.argv[2] if len(sys.argv) > 2 else "knot"]().write(sys.argv[1])
