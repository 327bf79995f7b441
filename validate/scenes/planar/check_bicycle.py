"""Physical checks of scenes/planar/bicycle.json and bicycle_slippery.json, from the cache and the probes of a run.

With friction: the wheels roll. Rolling on the surface of a rope of radius r and curvature k (towards the wheel) at arc length s,
R dbeta = (1 - r k) ds, beta the place of the contact on the rim; friction is within its cone; the rider's work is the energy
gained plus what is dissipated. Without friction: the rear wheel obeys I omega' = -moment alone, the front wheel does not turn,
and the bicycle comes no higher than where it was let go.
"""
import json
import os

import h5py
import numpy as np

from run_data import finding, law_met, probe

WHAT = "wheels roll without slip by friction below mu N, and the rider's work is all accounted for"


def touches(cache, wheel, rope, centre):
    """Of each frame where the wheel touches: frame, s on the rope, angle of the contact from the hub, slip, share of the cone."""
    column = {key: cache["contacts"][key][()] for key in
              ("body_a", "body_b", "s_a", "s_b", "position", "force", "velocity", "normal", "mu")}
    found = []
    for frame, (first, count) in enumerate(zip(cache["frames/first_contact"][()], cache["frames/contacts"][()])):
        rows = np.arange(first, first + count)
        pair = [(column["body_a"][i], column["body_b"][i]) for i in rows]
        rows = rows[[set(p) == {wheel, rope} for p in pair]] if count else rows
        force, normal = column["force"][rows], column["normal"][rows]
        pressure = np.einsum("ij,ij->i", force, normal)
        if len(rows) == 0 or pressure.sum() <= 1e-6:
            continue
        s = np.where(column["body_a"][rows] == rope, column["s_a"][rows], column["s_b"][rows])
        weight = pressure / pressure.sum()
        arm = (weight[:, None] * column["position"][rows, :2]).sum(0) - centre[frame]
        tangent = np.stack([-normal[:, 1], normal[:, 0]], 1)
        slip = np.abs(np.einsum("ij,ij->i", column["velocity"][rows, :2], tangent))
        pushing = pressure > 1e-3 * pressure.max()
        share = np.abs(np.einsum("ij,ij->i", force[:, :2], tangent)) / np.maximum(column["mu"][rows] * pressure, 1e-30)
        found.append((frame, weight @ s, np.arctan2(arm[1], arm[0]), slip[pushing].max(), share[pushing].max()))
    return np.array(found)


def curvature_of(cache, item, length):
    """Curvature of the rope, as an item of a frame, over its arc length: constant along each element."""
    start, count = cache["items/first_vertex"][item], cache["items/vertices"][item]
    values = cache["vertices/curvature"][start:start + count]
    return lambda s: values[min(int(s / length * (count - 1)), count - 2)]


def rolling(cache, scene, run, name):
    names = list(cache["names/bodies"].asstr()[()])
    wheel, rope = names.index(name) + 1, names.index("rope") + 1
    motion = probe(run, name)
    found = touches(cache, wheel, rope, np.stack([motion["x"], motion["y"]], 1))
    body = next(each for each in scene["rigid_bodies"] if each["name"] == name)
    cable = next(each for each in scene["rods"] if each["name"] == "rope")
    frames = found[:, 0].astype(int)
    beta = np.unwrap(found[:, 2] - motion["angle"][frames])
    shrink = []
    for frame, s in zip(frames, found[:, 1]):
        first, count = cache["frames/first_item"][frame], cache["frames/items"][frame]
        item = next(i for i in range(first, first + count) if cache["items/owner"][i] == 0 and cache["items/id"][i] == rope)
        shrink.append(1 - cable["radius"] * curvature_of(cache, item, cable["length"])(s))
    shrink = np.array(shrink)
    on_rope = np.sum(np.abs(np.diff(found[:, 1])) * 0.5 * (shrink[1:] + shrink[:-1]))
    on_rim = body["radius"] * np.sum(np.abs(np.diff(beta)))
    return on_rope, on_rim, found[:, 3].max(), found[:, 4].max()


def budget(run):
    energy = probe(run, "energy")
    total = energy["kinetic"] + energy["elastic"] + energy["gravity"]
    gained = total[-1] - total[0]
    dissipated = -(energy["viscosity"][-1] + energy["drag"][-1] + energy["friction"][-1])
    return energy["loads"][-1], gained, dissipated


def check_rolling(cache, scene, run):
    rows = []
    speed = np.abs(probe(run, "frame")["vx"]).max()
    for name in ("rear", "front"):
        on_rope, on_rim, slip, share = rolling(cache, scene, run, name)
        rows += [finding(f"{name} wheel: way on the rim / on the rope ({on_rope:.2f} m) - 1", abs(on_rim / on_rope - 1), 0.01),
                 finding(f"{name} wheel: slip / speed of the bicycle", slip / speed, 1e-6),
                 finding(f"{name} wheel: friction / (mu N), largest", share, 1.0)]
    work, gained, dissipated = budget(run)
    rows.append(finding(f"|work of the rider ({work:.1f} J) - gained ({gained:.1f} J) - dissipated ({dissipated:.1f} J)| / work",
                        abs(work - gained - dissipated) / abs(work), 0.01))
    height = probe(run, "frame")["y"]
    rows.append(finding("height above the start that it climbs to (m): more than", height.max() - height[0], 0.05,
                        height.max() - height[0] > 0.05))
    return rows + [law_met(run)]


def check_slippery(run):
    with h5py.File(os.path.join(run, "cache.h5"), "r") as cache:
        scene = json.loads(cache["scene/effective"].asstr()[()])
    rear, front, frame = probe(run, "rear"), probe(run, "front"), probe(run, "frame")
    body = next(each for each in scene["rigid_bodies"] if each["name"] == "rear")
    load = next(each for each in scene["loads"] if each["name"] == "pedals")
    times, factors = np.array(load["factor"]).T
    fine = np.linspace(0, rear["time"][-1], 200001)
    moment = load["moment"] * np.interp(fine, times, factors)
    spin = np.concatenate([[0], np.cumsum(0.5 * (moment[1:] + moment[:-1]) * np.diff(fine))]) / body["inertia"]
    turned = np.sum(0.5 * (spin[1:] + spin[:-1]) * np.diff(fine))
    return [finding(f"rear wheel: angle against I omega' = moment ({abs(turned / (2 * np.pi)):.0f} turns), relative",
                    abs(rear["angle"][-1] / turned - 1), 1e-3),
            finding("front wheel: largest angle (rad)", np.abs(front["angle"]).max(), 1e-9),
            finding("height above the start that it comes to (m)", frame["y"].max() - frame["y"][0], 1e-3),
            law_met(run)]


def check(run):
    with h5py.File(os.path.join(run, "cache.h5"), "r") as cache:
        return check_rolling(cache, json.loads(cache["scene/effective"].asstr()[()]), run)
