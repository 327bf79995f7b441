#!/usr/bin/env python3
"""A pile of capsules by Capstan and by MuJoCo, the same bodies, the same dt, one process each on one thread of the same machine:
validate/peers/mujoco_pile.py [--capsules 120] [--seconds 2] [--command build/capstan]

MuJoCo (pip install mujoco) is no part of Capstan: without it the script says so and ends with 77, as a test that is skipped. Its contacts are soft, of a reference acceleration and an
impedance; its friction is a regularised cone. So beside the processor time of a step stand what each leaves at the end:
  overlap   deepest of two capsules, or of a capsule and the box, over the radius (distances of segments by fibers/check_overlap_space.py);
  creep     fastest way of a centre over the last half second, radii per second;
  back      what kinetic + potential energy rises above its least value so far, over what has fallen: what contacts that are springs (MuJoCo) had stored."""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, os.pardir, os.pardir)
sys.path.insert(0, os.path.join(HERE, os.pardir, "scenes", "fibers"))

import check_overlap_space as overlap  # noqa: E402
from fiber_data import Run  # noqa: E402

RADIUS, LENGTH, HALF_BOX, DENSITY, MU, DT, LAST = 0.006, 0.08, 0.08, 1000.0, 0.5, 2e-3, 0.5


def capsules(count):
    """Centres and axes: layers of parallel capsules, turned by a random angle from layer to layer, with jitter."""
    rng = np.random.default_rng(1)
    across = int((2 * HALF_BOX - LENGTH) / (2.5 * RADIUS))
    places, axes = [], []
    for layer in range(-(-count // across)):
        angle = rng.uniform(0, np.pi)
        along, side = np.array([np.cos(angle), np.sin(angle), 0]), np.array([-np.sin(angle), np.cos(angle), 0])
        for k in range(across):
            places.append((k - (across - 1) / 2) * 2.5 * RADIUS * side + [0, 0, (2 + 3 * layer) * RADIUS] + rng.uniform(-1, 1, 3) * 0.05 * RADIUS)
            axes.append(along)
    return np.array(places[:count]), np.array(axes[:count])


def measure(centre, axis, before, fallen, energy):
    """Overlap over the radius, creep in radii per second, rise of the energy over what has fallen."""
    start, end = centre - axis * LENGTH / 2, centre + axis * LENGTH / 2
    a, b = np.triu_indices(len(centre), 1)
    deepest = 2 * RADIUS - overlap.chord_distance(start[a], end[a], start[b], end[b]).min()
    ends = np.concatenate([start, end])
    deepest = max(deepest, RADIUS - ends[:, 2].min(), RADIUS - (HALF_BOX - np.abs(ends[:, :2])).min())
    creep = np.linalg.norm(centre - before, axis=1).max() / LAST
    return deepest / RADIUS, creep / RADIUS, float((energy - np.minimum.accumulate(energy)).max() / fallen)


def with_capstan(command, centre, axis, seconds):
    scene = {"capstan": 1, "title": "Capsules in a box", "dim": 3, "duration": seconds, "time_step": {"dt": DT, "adaptive": True}, "solver": {"tolerance": 1e-6}, "friction": MU,
             "rigid_bodies": [{"name": "c%d" % k, "shape": "capsule", "radius": RADIUS, "length": LENGTH, "density": DENSITY, "position": list(centre[k]),
                               "direction": list(axis[k])} for k in range(len(centre))],
             "obstacles": [{"name": "floor", "shape": "plane"}] + [{"name": "wall_%d" % k, "shape": "plane", "position": [-HALF_BOX * x, -HALF_BOX * y, 0], "normal": [x, y, 0]}
                                                                    for k, (x, y) in enumerate([(1, 0), (-1, 0), (0, 1), (0, -1)])],
             "output": {"frames_per_second": 10, "detail": "full"}}
    with tempfile.TemporaryDirectory() as folder:
        path, place = os.path.join(folder, "pile.json"), os.path.join(folder, "pile.run")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(scene, file)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([command, "run", path, "--out", place, "--threads", "1", "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used
        run = Run(place)

        def states(frame):
            return np.array([run.state(row) for row in run.rows(frame) if run.items["owner"][row] == 0])

        last, then = states(len(run.times) - 1), states(int(np.argmin(np.abs(run.times - run.times[-1] + LAST))))
        energy, gravity = sum(run.steps("energy_kinetic", "energy_gravity")), run.steps("energy_gravity")[0]
        version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
        contacts, error, steps = run.steps("contacts")[0], run.steps("error")[0], len(run.steps("time")[0])
        figures = measure(last[:, :3], last[:, 3:12].reshape(-1, 3, 3)[:, :, 2], then[:, :3], gravity.max() - gravity.min(), energy)
    return (version + ", auto, E <= 1e-6 (largest %.1e)" % error.max(), steps, 1e3 * used / steps, int(contacts[-1]), *figures)


def with_mujoco(mujoco, centre, axis, seconds, label, option):
    def text(values):
        return " ".join("%.17g" % v for v in values)

    bodies = "".join('<body pos="%s" zaxis="%s"><freejoint/><geom type="capsule" size="%g %g" density="%g"/></body>' % (text(c), text(a), RADIUS, LENGTH / 2, DENSITY)
                     for c, a in zip(centre, axis))
    walls = "".join('<geom type="plane" size="0 0 1" pos="%g %g 0" zaxis="%g %g 0"/>' % (-HALF_BOX * x, -HALF_BOX * y, x, y) for x, y in [(1, 0), (-1, 0), (0, 1), (0, -1)])
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><option timestep="%g" gravity="0 0 -9.81" %s><flag energy="enable"/></option><size memory="500M"/><default><geom friction="%g 0 0" condim="3"/></default>'
        '<worldbody><geom type="plane" size="0 0 1"/>%s%s</worldbody></mujoco>' % (DT, option, MU, walls, bodies))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    steps, energy, highest, before = int(round(seconds / DT)), [], None, None
    begun = time.process_time()
    for k in range(steps):
        if k == steps - int(round(LAST / DT)):
            before = data.xpos[1:].copy()
        mujoco.mj_step(model, data)
        energy.append(data.energy.sum())
        highest = data.energy[0] if highest is None else max(highest, data.energy[0])
    used = time.process_time() - begun
    figures = measure(data.xpos[1:].copy(), data.xmat[1:].reshape(-1, 3, 3)[:, :, 2].copy(), before, highest - data.energy[0], np.array(energy))
    return ("MuJoCo %s, %s" % (mujoco.__version__, label), steps, 1e3 * used / steps, int(data.ncon), *figures)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--capsules", type=int, default=120)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    given = parser.parse_args()
    try:
        import mujoco
    except ImportError:
        print("skipped: MuJoCo is not installed (pip install mujoco)")
        return 77
    centre, axis = capsules(given.capsules)
    rows = [with_capstan(given.command, centre, axis, given.seconds)]
    for label, option in (("as installed (Newton, pyramid)", ""), ("Newton, elliptic cone, impratio 10", 'cone="elliptic" impratio="10"'),
                          ("Newton, elliptic cone, impratio 10, noslip 50", 'cone="elliptic" impratio="10" noslip_iterations="50"')):
        rows.append(with_mujoco(mujoco, centre, axis, given.seconds, label, option))
    print("%d capsules, %g s, dt %g s, mu %g\n" % (given.capsules, given.seconds, DT, MU))
    print("| | steps | ms a step (processor) | contacts at the end | overlap, radii | creep, radii/s | energy that comes back, of what fell |\n|---|---|---|---|---|---|---|")
    for row in rows:
        print("| %s | %d | %.3g | %d | %.2g | %.2g | %.2g |" % row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
