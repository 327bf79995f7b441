#!/usr/bin/env python3
"""A spinning ball on rails.

    validate/scenes/fibers/double_loop.py RUN.run --mu 0.5 [--tops 0.01] [--depth 0.01] [--iterations 5]
    validate/scenes/fibers/double_loop.py --capstan build/capstan --out DIR [--scene scenes/fibers/double_loop.json]

The first judges one run of the scene for the friction that it claims to have; the second runs it with mu = 0, 0.1, 0.2, 0.5 and 1, judges
each and draws speed and path (if matplotlib is there). Compared with a rigid ball on rigid rails. It touches both rails at the angle
alpha from the vertical, sin alpha = half distance of the rails / (sum of radii), and rolls with a = radius x cos alpha. From a spin w
without travel:
    sliding       acceleration mu g / cos alpha
    rolling from  v = a w k / (1 + k),  k = (2/5) (radius / a)^2    (angular momentum about the line through both contacts is kept)
    in the loop   (1 + k)(v_0^2 - v^2) / 2 = g (rise of the centre)
A ball that still slides at the loop is not predicted.
Limits, set before: sliding acceleration and rolling speed 0.5 %; slip in the loops 1e-3 of the speed (median over frames; the
largest is printed: a rail that swings unloads the other one for an instant); speed at the top of
each loop 1 %, after both 1 %; distance from the track 1 % of the rail's radius; unexplained energy 1 % of the first kinetic energy; with
mu >= 0.5 it passes both loops, with mu = 0 it travels less than 1 mm (rails sag and are not quite level), with 0.1 not through a loop.
--tops and --depth are the limits of the speeds and of the distance for steps that are too long for 1 %; --iterations: the mean number of
iterations of a friction problem with contacts must be below.
Exit 1 if one is missed.
"""
import argparse
import os
import subprocess
import sys

import numpy as np

from fiber_data import Run

G, COEFFICIENTS = 9.81, (0.0, 0.1, 0.2, 0.5, 1.0)


class Track:
    """Rail, ball and what a rigid ball does, from the scene that was run."""
    def __init__(self, scene):
        left, right = scene["fibers"][:2]
        ball = scene["rigid_bodies"][0]
        start, self.along = np.array(left["position"]), np.array(left["direction"], float)
        self.along /= np.linalg.norm(self.along)
        apart = start - np.array(right["position"])
        apart -= self.along * (apart @ self.along)
        self.ball, self.rail, self.first = ball["radius"], left["radius"], np.array(ball["position"])
        self.sine = 0.5 * np.linalg.norm(apart) / (self.ball + self.rail)
        self.cosine = np.sqrt(1 - self.sine**2)
        self.height, self.a = (self.ball + self.rail) * self.cosine, self.ball * self.cosine
        self.k = 0.4 / self.cosine**2
        self.spin = np.linalg.norm(ball["angular_velocity"])
        bend = max(np.hypot(u[1], u[2]) for u in left["natural_curvature"])
        twist = max(abs(u[0]) for u in left["natural_curvature"])
        self.loop = bend / (bend**2 + twist**2)  # radius of the helix of each rail
        self.rise = 2 * (self.loop - self.height)

    def rolling(self):
        return self.a * self.spin * self.k / (1 + self.k)


def measure(run, track):
    """What main() judges: speeds, slip, depth, budget, way."""
    ball = run.probe("ball")
    time, place = ball["time"], np.stack([ball[c] for c in ("x", "y", "z")], axis=1)
    speed = np.sqrt(ball["vx"]**2 + ball["vy"]**2 + ball["vz"]**2)
    kinetic, unexplained, depth = run.steps("energy_kinetic", "energy_unexplained", "penetration")
    found = {"way": (place[-1] - place[0]) @ track.along, "budget": np.abs(unexplained).max() / kinetic[0],
             "depth": depth.max() / track.rail, "time": time, "speed": speed, "place": place}
    arrival = np.flatnonzero(place[:, 0] > -0.02)
    before = np.arange(len(time)) < (arrival[0] if len(arrival) else len(time))
    still = before & (speed < 0.8 * track.rolling())
    found["acceleration"] = np.polyfit(time[still], speed[still], 1)[0] if still.sum() > 3 else 0.0
    found["rolling"] = speed[before].max()
    high = place[:, 2] > track.height + 0.98 * track.rise
    tops = np.split(np.flatnonzero(high), np.flatnonzero(np.diff(np.flatnonzero(high)) > 1) + 1) if high.any() else []
    found["tops"] = [(speed[t].min(), place[t[speed[t].argmin()], 2] - track.height) for t in tops]
    level = (place[:, 2] < 1.01 * track.height) & (place[:, 2] > 0.99 * track.height)
    found["after"] = speed[level][-1] if len(tops) == 2 and level.any() else np.nan
    found["slip"], found["slip_most"] = slips(run, speed, place, track)
    step_time, friction = run.steps("time", "work_friction")
    rolls = min(int(np.searchsorted(step_time, time[before][-1])), len(step_time) - 1)
    found["rubbed"] = abs(friction[-1] - friction[rolls]) / kinetic[rolls]
    return found


def slips(run, speed, place, track):
    """Slip of pressed contacts in the loops over the speed of the ball: median and largest."""
    cache, found = run.cache, [0.0]
    for frame, x in enumerate(place):
        if x[2] < 1.5 * track.height:
            continue
        first, count = int(cache["frames/first_contact"][frame]), int(cache["frames/contacts"][frame])
        rows = slice(first, first + count)
        velocity, normal = cache["contacts/velocity"][rows], cache["contacts/normal"][rows]
        pressed = np.linalg.norm(cache["contacts/force"][rows], axis=1) > 0
        tangential = velocity - np.sum(velocity * normal, axis=1, keepdims=True) * normal
        found.extend(np.linalg.norm(tangential, axis=1)[pressed] / speed[frame])
    return float(np.median(found)), max(found)


class Judge:
    """Prints what is found beside what is expected, and remembers whether all was met."""
    def __init__(self):
        self.good = True

    def __call__(self, name, value, expected, limit):
        fine = abs(value - expected) <= limit * max(abs(expected), 1e-300) if expected else abs(value) <= limit
        self.good &= bool(fine)
        print("  %-34s %10.5g  expected %8.5g  within %g%s" % (name, value, expected, limit, "" if fine else "   FAILS"))


def judge_run(run, mu, tops, depth, judge):
    track = Track(run.scene)
    found = measure(run, track)
    print("mu = %g: %d loops, way along the track %.3f m" % (mu, len(found["tops"]), found["way"]))
    if mu:
        judge("sliding acceleration [m/s2]", found["acceleration"], mu * G / track.cosine, 5e-3)
    judge("penetration / rail radius", found["depth"], 0, depth)
    judge("unexplained / first kinetic energy", found["budget"], 0, 1e-2)
    if mu >= 0.5:
        v = track.rolling()
        judge("rolling speed [m/s]", found["rolling"], v, 5e-3)
        judge("loops passed", len(found["tops"]), 2, 0)
        for top, rise in found["tops"]:
            judge("speed at a top [m/s]", top, np.sqrt(v * v - 2 * G * rise / (1 + track.k)), tops)
        judge("speed after both [m/s]", found["after"], v, tops)
        judge("slip in the loops / speed, median", found["slip"], 0, 1e-3)
        print("  not judged: largest slip %.2g of the speed; friction's work from the loops on %.2g of the energy there" % (
            found["slip_most"], found["rubbed"]))
    if mu == 0:
        judge("way [m]", found["way"], 0, 1e-3)
    if mu <= 0.1:
        judge("loops passed", len(found["tops"]), 0, 0)
    return track, found


def judge_iterations(run, below, judge):
    contacts, iterations, problems, error = run.steps("contacts", "iterations", "newton_iterations", "error")
    touching = contacts > 0
    per_problem = iterations[touching] / problems[touching]
    judge("iterations per friction problem", float(per_problem.mean()), 0, below)
    print("  below %g in %.0f %% of %d steps; median E %.1e, at worst %.1e" % (
        below, 100 * np.mean(per_problem < below), touching.sum(), np.median(error[touching]), error.max()))
    judge("E, at worst", error.max(), 0, 1e-8)


def plot(path, track, curves):
    try:
        import matplotlib
    except ImportError:
        print("no picture: matplotlib is not installed")
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(1, 2, figsize=(12, 4.2), constrained_layout=True)
    for mu, found in curves:
        axes[0].plot(found["time"], found["speed"], label="mu = %g" % mu)
        axes[1].plot(found["place"][:, 0], found["place"][:, 2], label="mu = %g" % mu)
    axes[0].axhline(track.rolling(), color="k", ls=":", lw=1, label="rolling, closed form")
    axes[0].set(xlabel="t [s]", ylabel="speed of the ball [m/s]")
    axes[1].set(xlabel="x [m]", ylabel="z [m]", aspect="equal", ylim=(-0.1, 0.35))
    axes[0].legend(fontsize=8)
    figure.savefig(path, dpi=110)


def sweep(given, judge):
    os.makedirs(given.out, exist_ok=True)
    curves = []
    for mu in COEFFICIENTS:
        directory = os.path.join(given.out, "double_loop_%g.run" % mu)
        command = [given.capstan, "run", given.scene, "--out", directory, "--force", "--set", "friction.default=%g" % mu]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        track, found = judge_run(Run(directory), mu, given.tops, given.depth, judge)
        curves.append((mu, found))
    plot(os.path.join(given.out, "double_loop.png"), track, curves)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="?")
    parser.add_argument("--mu", type=float, default=0.5, help="the friction that the run claims")
    parser.add_argument("--tops", type=float, default=1e-2, help="limit of the speeds in the loops and behind them")
    parser.add_argument("--depth", type=float, default=1e-2, help="limit of the penetration over the radius of a rail")
    parser.add_argument("--iterations", type=float, help="limit of the mean number of iterations of a friction problem")
    parser.add_argument("--capstan", help="run the sweep with this program")
    parser.add_argument("--out", help="where the runs of the sweep go")
    parser.add_argument("--scene", default="scenes/fibers/double_loop.json")
    given = parser.parse_args()
    judge = Judge()
    if given.run:
        run = Run(given.run)
        judge_run(run, given.mu, given.tops, given.depth, judge)
        if given.iterations:
            judge_iterations(run, given.iterations, judge)
    elif given.capstan and given.out:
        sweep(given, judge)
    else:
        parser.error("a run, or --capstan and --out")
    print("passed" if judge.good else "FAILED")
    return int(not judge.good)


if __name__ == "__main__":
    sys.exit(main())
