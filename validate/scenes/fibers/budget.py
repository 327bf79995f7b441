#!/usr/bin/env python3
"""Do energy and momentum of a run add up? validate/scenes/fibers/budget.py RUN.run [--limit 0.01] [--csv FILE]

Energy, from the reports of the steps: what the bodies have (kinetic, elastic, in gravity) against all works that were done on
them, since the first step; what is left over, relative to the largest of all those terms. Kinetic energy and energy in
gravity are besides computed from the saved states of the fibers alone (fiber_data.py) and held against the reports; the
spinning of round sections about the tangent is counted for discrete rods and super helices.

Momentum, from the saved states: its change between frames against weight and the forces of obstacles,

    p(t+) - p(t) = M g dt + sum of contact forces dt,      L(t+) - L(t) = (weight and contact forces about the origin) dt

relative to the sum of the impulses, or what moves to and fro at a time if that is more, taken with their sizes. Contacts are
known of the last step before each frame: so frames must follow step by step, or nothing may touch obstacles; and nothing may
hold or pull the fibers (loads, constraints with the world, clamps). Otherwise that part is said to be left out. Exit 1 if a
part is above the limit.
"""
import argparse
import csv
import sys

import numpy as np

from fiber_data import Run

ENERGIES = ("energy_kinetic", "energy_elastic", "energy_gravity")
WORKS = ("work_loads", "work_constraints", "work_normal", "work_friction", "work_viscosity", "work_drag", "work_scheme",
         "work_forgotten")


def energy(run):
    """Times, what is left over, the terms by name (each relative to the first step), the scale."""
    time, *columns = run.steps("time", *ENERGIES, *WORKS)
    terms = {name: column - column[0] for name, column in zip(ENERGIES + WORKS, columns)}
    left = sum(terms[name] for name in ENERGIES) - sum(terms[name] for name in WORKS)
    return time, left, terms, max(float(np.ptp(term)) for term in terms.values())


def mass_per_length(description):
    if "mass_per_length" in description:
        return float(description["mass_per_length"])
    half = description.get("section") or [description["radius"], description["radius"]]
    return float(description["density"]) * np.pi * half[0] * half[1]


def shares(count, nodal, closed):
    """Of the mass at equally spaced places: of nodes, half at the ends; along a super helix by Simpson's rule (an even number of
    steps)."""
    w = np.ones(count)
    if nodal and not closed:
        w[0] = w[-1] = 0.5
    elif not nodal:
        w[1:-1:2], w[2:-1:2] = 4, 2
    return w[:, None] / w.sum()


def moments(run, frame):
    """Mass, momentum, angular momentum, kinetic energy, mass x centre of all fibers, and the sums of the sizes of momentum and
    angular momentum along them; None if there are other bodies."""
    total = [0.0, np.zeros(3), np.zeros(3), 0.0, np.zeros(3), 0.0, 0.0]
    known = set()
    for row, _, description in run.fiber_rows(frame):
        place, velocity = run.motion(row, description)
        nodal = description.get("model", "super-helix") != "super-helix"
        mass = mass_per_length(description) * run.length(description) * shares(len(place), nodal, bool(run.items["closed"][row]))
        total[0] += float(mass.sum())
        total[1] += (mass * velocity).sum(axis=0)
        total[2] += np.cross(place, mass * velocity).sum(axis=0)
        total[3] += 0.5 * float((mass * velocity**2).sum())
        spins = run.spins(row, description)
        if spins is not None:
            inertia = mass_per_length(description) * run.length(description) / len(spins) * 0.5 * float(description["radius"])**2
            total[3] += 0.5 * inertia * float((spins**2).sum())
        total[4] += (mass * place).sum(axis=0)
        total[5] += float(np.linalg.norm(mass * velocity, axis=1).sum())
        total[6] += float(np.linalg.norm(np.cross(place, mass * velocity), axis=1).sum())
        known.add(int(run.items["id"][row]))
    for row in run.rows(frame):
        if run.items["owner"][row] == 0 and int(run.items["id"][row]) not in known:
            return None
    return total


def held(run):
    """What besides weight and contacts acts on the fibers, or an empty text."""
    scene = run.scene
    found = [what for what in ("loads", "constraints") if scene.get(what)]
    everyone = list(scene.get("fibers", [])) + list(run.made.values())
    if any(fiber.get("clamped") for fiber in everyone):
        found.append("clamps")
    if any(fiber.get("drag") for fiber in everyone):
        found.append("drag")
    return ", ".join(found)


def contact_impulse(run, frame, dt):
    """Of the obstacles on the bodies in the last step before a frame: impulse, about the origin, sum of sizes."""
    first, count = int(run.cache["frames/first_contact"][frame]), int(run.cache["frames/contacts"][frame])
    rows = slice(first, first + count)
    outside = run.cache["contacts/obstacle_b"][rows] != 0
    force, place = run.cache["contacts/force"][rows][outside], run.cache["contacts/position"][rows][outside]
    return dt * force.sum(axis=0), dt * np.cross(place, force).sum(axis=0), dt * np.linalg.norm(force, axis=1).sum()


def momentum(run):
    """(left over relative to the scale, of momentum and of angular momentum), or a text that says why not."""
    reason = held(run)
    if reason:
        return "there are " + reason
    gravity = np.asarray(run.scene.get("gravity", [0, 0, -9.81]), float)
    step = run.cache["frames/step"][:]
    touched = run.steps("contacts")[0]
    if not np.all(np.diff(step) == 1) and touched.any():
        return "contacts between frames are not known: save every step"
    first = moments(run, 0)
    if first is None:
        return "there are bodies other than fibers"
    before, expected, sizes, worst, most = first, [first[1], first[2]], [0.0, 0.0], [0.0, 0.0], [first[5], first[6]]
    for frame in range(1, len(run.times)):
        now, dt = moments(run, frame), run.times[frame] - run.times[frame - 1]
        impulse, about, size = contact_impulse(run, frame, dt) if touched.any() else (0.0, 0.0, 0.0)
        weight, turning = now[0] * gravity * dt, np.cross(0.5 * (now[4] + before[4]), gravity) * dt
        expected = [expected[0] + weight + impulse, expected[1] + turning + about]
        sizes = [sizes[0] + np.linalg.norm(weight) + size, sizes[1] + np.linalg.norm(turning) + np.linalg.norm(about)]
        worst = [max(worst[0], np.linalg.norm(now[1] - expected[0])), max(worst[1], np.linalg.norm(now[2] - expected[1]))]
        most = [max(most[0], now[5]), max(most[1], now[6])]
        before = now
    return tuple(worst[k] / max(sizes[k], most[k], 1e-300) for k in range(2))


def states_against_reports(run):
    """Largest differences of kinetic energy and of energy in gravity, from the states and from the reports, over the scale."""
    kinetic, potential = run.steps("energy_kinetic", "energy_gravity")
    gravity = np.asarray(run.scene.get("gravity", [0, 0, -9.81]), float)
    scale = energy(run)[3]
    worst, zero = [0.0, 0.0], None
    for frame in range(len(run.times)):
        at = int(run.cache["frames/step"][frame]) - 1
        if at < 0:
            continue
        now = moments(run, frame)
        if now is None:
            return None
        height = -float(now[4] @ gravity) - potential[at]
        zero = height if zero is None else zero
        worst = [max(worst[0], abs(now[3] - kinetic[at])), max(worst[1], abs(height - zero))]
    return [w / scale if scale > 0 else 0.0 for w in worst]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--limit", type=float, default=0.01, help="what may be left over, as a share")
    parser.add_argument("--csv", help="to write: the budget of energy, a row per step")
    given = parser.parse_args()
    run = Run(given.run)
    time, left, terms, scale = energy(run)
    worst = float(np.abs(left).max()) / scale if scale > 0 else 0.0
    print("energy: %.2e of %.4g J left over in %d steps (limit %g)" % (worst, scale, len(time), given.limit))
    for name, term in terms.items():
        if np.ptp(term) > 1e-12 * scale:
            print("    %-17s ends at %11.4e J, within [%.3e, %.3e]" % (name, term[-1], term.min(), term.max()))
    faults = worst > given.limit
    compared = states_against_reports(run)
    if compared is None:
        print("energies from states: left out, there are bodies other than fibers")
    else:
        print("energies from states: kinetic off by %.2e, in gravity by %.2e of the same" % tuple(compared))
        faults = faults or max(compared) > given.limit
    closed = momentum(run)
    if isinstance(closed, str):
        print("momentum: left out, %s" % closed)
    else:
        print("momentum: %.2e left over, angular momentum %.2e (limit %g)" % (*closed, given.limit))
        faults = faults or max(closed) > given.limit
    if given.csv:
        with open(given.csv, "w", newline="", encoding="utf-8") as file:
            rows = zip(time, *terms.values(), left)
            csv.writer(file).writerows([("time_s", *(name + "_J" for name in terms), "left_over_J")] + list(rows))
    return int(faults)


if __name__ == "__main__":
    sys.exit(main())
