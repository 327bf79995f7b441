"""What the tests of `capstan export` share: runs of each kind, and what their caches hold, read with h5py."""
import json
import os
import subprocess

import h5py
import numpy as np

import run_fixture as fixture

FORMATS = ("usd", "obj", "pc2", "ply", "vtp", "csv", "npz")
ENDINGS = {"usd": ".usda", "npz": ".npz"}

# A fiber and a ball lie on a ball, a box on the ground: curves, balls, meshes and planes with contacts.
SPACE = {
    "capstan": 1, "title": 'a "quoted" title \\ with a backslash', "dim": 3, "duration": 0.06, "time_step": {"dt": 2e-3}, "friction": 0.3,
    "output": {"frame_interval": 1e-2, "samples": 3},
    "fibers": [{"name": "strand-1", "elements": 4, "length": 0.2, "radius": 0.003, "density": 1000, "young": 1e6,
                "position": [-0.1, 0, 0.0529], "direction": [1, 0, 0]}],
    "rigid_bodies": [
        {"name": "box", "shape": "box", "edges": [0.04, 0.04, 0.02], "mass": 0.05, "position": [0.2, 0, -0.0402]},
        {"name": "marble", "shape": "sphere", "radius": 0.01, "mass": 0.01, "position": [0.1, 0.1, -0.0402], "velocity": [0.2, 0, 0]}],
    "obstacles": [
        {"name": "ground", "shape": "plane", "normal": [0, 0, 1], "position": [0, 0, -0.05]},
        {"name": "ball", "shape": "sphere", "radius": 0.05, "position": [0, 0, 0]}]}


def many_rods(count):
    """More rods than have a prim of their own."""
    return {
        "capstan": 1, "title": "many", "duration": 0.02, "time_step": {"dt": 5e-3}, "friction": 0.3,
        "output": {"frame_interval": 1e-2, "samples": 1},
        "rods": [{"name": "rod-%d" % i, "elements": 3, "length": 0.02, "radius": 0.001, "mass_per_length": 0.01,
                  "bending_stiffness": 1e-6, "position": [0.03 * (i % 20), 0.01 + 0.01 * (i // 20)]} for i in range(count)],
        "obstacles": [{"name": "ground", "shape": "half_plane", "normal": [0, 1]}]}


def make_run(folder, name, scene=None, **changes):
    """Runs a scene (the one with a little of everything in the plane) and returns the directory."""
    path = os.path.join(folder, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene if scene else fixture.scene(**changes), file)
    place = os.path.join(folder, name + ".run")
    done = fixture.run(path, "--out", place, "--progress", "none")
    assert done.returncode == 0, done.stderr
    return place


def export(*arguments, **options):
    return subprocess.run([fixture.COMMAND, "export", *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False,
                          **options)


def truth(place):
    """The frames of a cache as h5py reads them: a list of {time, items, contacts}."""
    frames = []
    with h5py.File(os.path.join(place, "cache.h5"), "r") as cache:
        table = {group: {key: cache[group][key][()] for key in cache[group]} for group in ("frames", "items", "vertices", "triangles", "contacts")}
        names = [cache["names/bodies"].asstr()[()], cache["names/obstacles"].asstr()[()]]
    item = table["items"]
    for k, time in enumerate(table["frames"]["time"]):
        items = []
        for row in range(table["frames"]["first_item"][k], table["frames"]["first_item"][k] + table["frames"]["items"][k]):
            vertices = slice(item["first_vertex"][row], item["first_vertex"][row] + item["vertices"][row])
            triangles = slice(item["first_triangle"][row], item["first_triangle"][row] + item["triangles"][row])
            owner, number = int(item["owner"][row]), int(item["id"][row])
            items.append({"owner": owner, "id": number, "name": str(names[owner][number - 1]), "as": int(item["drawn_as"][row]),
                          "closed": bool(item["closed"][row]), "position": table["vertices"]["position"][vertices],
                          "radius": table["vertices"]["radius"][vertices], "director": table["vertices"]["director"][vertices],
                          "triangles": table["triangles"]["corner"][triangles]})
        first = table["frames"]["first_contact"][k]
        rows = slice(first, first + table["frames"]["contacts"][k])
        frames.append({"time": float(time), "items": items, "contacts": {key: value[rows] for key, value in table["contacts"].items()}})
    return frames


def force_on(frame, body):
    """Sum of the sizes of the contact forces that a body takes part in."""
    contacts = frame["contacts"]
    size = np.linalg.norm(contacts["force"], axis=1) if len(contacts["id"]) else np.zeros(0)
    return size[(contacts["body_a"] == body) | (contacts["body_b"] == body)].sum()


def made_up(place, count=4, nan_at=None, body_leaves=False, curves=True, uneven_at=None):
    """A cache of our own making: a fiber whose number of points changes, a sheet (a body of triangles that deforms), a ring, and
    names that no format takes as they are."""
    import space_run  # tests/space_run.py
    run = space_run.Run("changing", ["fiber", "1st-sheet", "", "1st_sheet"], ["fiber"])
    sheet = space_run.grid_of(4, 3)
    u, v = np.meshgrid(np.linspace(0, 0.3, 4), np.linspace(0, 0.2, 3), indexing="ij")
    angle = 2 * np.pi * np.arange(12) / 12
    for number in range(count):
        line = np.zeros((5 + number % 4, 3))
        line[:, 0] = np.linspace(0, 1, len(line))
        line[:, 2] = 0.1 * number
        if nan_at == number:
            line[2, 1] = np.nan
        wave = np.stack([u, v + 0.5, 0.1 * np.sin(5 * u + number)], -1).reshape(-1, 3)
        ring = np.stack([np.cos(angle), np.sin(angle), 0 * angle + number], 1)
        thick = np.linspace(0.005, 0.006, 12) if uneven_at == number else 0.005
        items = [(1, 1, space_run.HALF_PLANE, 0, space_run.rows([[0, 0, -0.2], [0, 0.6, 0.6]]), None),
                 (0, 1, space_run.CURVE, 0, space_run.rows(line, np.linspace(0.01, 0.02, len(line)), 0.0, space_run.directors(line, 1)), None),
                 (0, 2, space_run.MESH, 0, space_run.rows(wave, 0.001), sheet),
                 (0, 3, space_run.CURVE, 1, space_run.rows(ring, thick), None),
                 (0, 4, space_run.DISK, 0, space_run.rows([[0, 0, 1], [0.1, 0, 1], [0, 0.1, 1]], 0.1), None)]
        contacts = [{"who": (1, 2, 0), "position": [0.5, 0, 0.1 * number], "normal": [0, 0, 1], "force": [0, 0, 2.0], "case": 2}] * (number % 3)
        if not curves:
            items, contacts = [item for item in items if item[2] != space_run.CURVE], []
        run.frame(0.02 * number, items[:-1] if body_leaves and number == 2 else items, contacts)
    run.write(place)
    return place
