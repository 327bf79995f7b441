#!/usr/bin/env python3
"""Hysteresis of something that a moving wall compresses: force against displacement, work per cycle, and where that work went.

    validate/scenes/hysteresis.py RUN... [--lid PROBE]... [--from T] [--to T] [--out FIGURE] [--labels a,b,c]

RUN is the directory of a run made with --probe-each-step of a scene with an obstacle_force probe of each moving obstacle
(--lid: only these probes; otherwise all whose obstacle moves). Prints one budget per cycle, and one of the whole window.

The force of a step and the displacement of the obstacle in it give the work of the wall on the bodies,

    W = - sum F_k . (d_k - d_(k-1)),          F the force of the contacts on the wall,

which owes nothing to the energies that the world keeps. These (docs/world.md, "Energy") close the budget:

    W + loads + constraints = change of kinetic, elastic and gravity energy
        + taken by friction, viscosity, drag, contacts (along their normals), scheme, forgotten - unexplained

"contacts" is what normal forces take where surfaces are not at relative rest along the normal: impacts (positive) and the undoing
of penetrations (negative). It is what is left of `work_normal` after the work of the wall along its normal, "friction" what is
left of `work_friction` after the work of the wall along its surface. `closure` is |unexplained| over the work of the wall on the
way in.
"""
import argparse
import csv
import json
import math
import os
import sys

import h5py
import numpy as np

STORED = ["kinetic", "elastic", "gravity"]
TAKEN = ["friction", "viscosity", "drag", "contacts", "scheme", "forgotten"]


def read_csv(path):
    """Columns of a probe by name, units dropped."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    names = [name.split()[0].split("[")[0].split("(")[0] for name in rows[0]]
    values = np.array([[float(x) for x in row] for row in rows[1:]])
    return {name: values[:, i] for i, name in enumerate(names)}


def angle_of(value):
    return math.radians(float(value[:-3])) if isinstance(value, str) else float(value)


def normal_of(obstacle):
    """Of the surface of a half-plane; of anything else None: its work is not split into normal and tangential."""
    if obstacle["shape"] != "half_plane":
        return None
    if "normal" in obstacle:
        n = np.array(obstacle["normal"][:2], dtype=float)
        return n / np.hypot(*n)
    angle = angle_of(obstacle.get("angle", 0))
    return np.array([-math.sin(angle), math.cos(angle)])


def turns(obstacle):
    return any(angle_of(key.get("rotation", 0)) != 0 for key in obstacle.get("motion", {}).get("keys", []))


class Lid:
    """One moving obstacle: force on it, displacement, and the running work it has done on the bodies."""

    def __init__(self, name, obstacle, columns, each_step):
        self.name = name
        self.force = np.stack([columns["fx"], columns["fy"]], axis=1)
        self.place = np.stack([columns["dx"], columns["dy"]], axis=1)
        if turns(obstacle):
            raise ValueError("%s: the obstacle turns; its work is not force times displacement" % name)
        step = np.diff(self.place, axis=0)
        # A row of every step holds the mean force over the step; rows of frames only are joined by trapezia.
        force = self.force[1:] if each_step else (self.force[1:] + self.force[:-1]) / 2
        self.normal = normal_of(obstacle)
        if self.normal is None:
            along = -np.sum(force * step, axis=1)
            across = np.zeros_like(along)
        else:
            along = -(force @ self.normal) * (step @ self.normal)
            across = -np.sum(force * step, axis=1) - along
        self.work_normal = np.concatenate([[0], np.cumsum(along)])
        self.work_tangential = np.concatenate([[0], np.cumsum(across)])
        far = self.place[np.argmax(np.hypot(*self.place.T))]
        self.direction = far / np.hypot(*far)

    def displacement(self):
        return self.place @ self.direction

    def resistance(self):
        """Force against the motion: positive while the bodies push back against a lid on its way in."""
        return -self.force @ self.direction


class Hysteresis:
    """All of one run: time, lids, energies and works at the rows of the probes."""

    def __init__(self, run, lids=None):
        with h5py.File(os.path.join(run, "cache.h5"), "r") as cache:
            scene = json.loads(cache["scene/effective"].asstr()[()])
            steps = {name: cache["steps"][name][()] for name in cache["steps"]}
            self.tolerance = float(np.ravel(cache.attrs["tolerance"])[0])
        self.run = run
        self.scene = scene
        self.steps = steps
        obstacles = {o["name"]: o for o in scene["obstacles"]}
        self.lids = []
        for probe in scene.get("probes", []):
            if probe["type"] != "obstacle_force" or (lids and probe["name"] not in lids):
                continue
            columns = read_csv(os.path.join(run, "probes", probe["name"] + ".csv"))
            if np.ptp(columns["dx"]) == 0 and np.ptp(columns["dy"]) == 0:
                continue
            self.each_step = len(columns["time"]) >= len(steps["time"])
            self.time = columns["time"]
            self.lids.append(Lid(probe["name"], obstacles[probe["obstacle"]], columns, self.each_step))
        if not self.lids:
            raise ValueError("%s: no obstacle_force probe of a moving obstacle" % run)
        # Rows of the probes, placed among the rows of the steps. Row -1 is the start: all works are zero there.
        self.row = np.searchsorted(steps["time"], self.time * (1 + 1e-12) + 1e-12, side="right") - 1

    def column(self, name):
        values = self.steps[name][np.maximum(self.row, 0)]
        return np.where(self.row < 0, 0, values) if name.startswith(("work", "energy_un")) else values

    def work(self):
        """Of all lids on the bodies, since the start."""
        return sum(lid.work_normal + lid.work_tangential for lid in self.lids)

    def at(self, time):
        return int(np.clip(np.searchsorted(self.time, time - 1e-12), 0, len(self.time) - 1))

    def cycles(self):
        """(first, last) rows of each time that the first lid goes in and comes back, by its own displacement: between the two
        rows where it is at the same place, so that a loop is closed."""
        s = self.lids[0].displacement()
        step = np.sign(np.where(np.abs(np.diff(s)) > 1e-9 * np.ptp(s), np.diff(s), 0))
        found, k = [], 0
        while k < len(step):
            if step[k] > 0:
                first = k
                while k < len(step) and step[k] >= 0:
                    k += 1
                while k < len(step) and step[k] <= 0:
                    k += 1
                if k <= len(step) and np.any(step[first:k] < 0):
                    last = first + int(np.max(np.nonzero(step[first:k] < 0)[0])) + 1
                    top = first + int(np.argmax(s[first:last + 1]))
                    if s[last] > s[first]:
                        first += int(np.argmax(s[first:top + 1] >= s[last] - 1e-9 * np.ptp(s)))
                    else:
                        last = top + int(np.argmax(s[top:last + 1] <= s[first] + 1e-9 * np.ptp(s)))
                    found.append((first, last))
            else:
                k += 1
        return found

    def budget(self, first, last):
        """Where the work of the lids between two rows went, in J. Keys: work (of the lids), work_in (on the way in, the largest
        it was meanwhile), loads, constraints, then STORED, TAKEN and unexplained; closure, and energy_error: the same relative
        to what was dissipated."""
        change = {name: self.column(name)[last] - self.column(name)[first] for name in self.steps
                  if name.startswith(("work_", "energy_"))}
        if self.row[first] < 0:
            # Energies at the start are not among the steps: what the budget of the first step says they changed by, as elastic.
            change["energy_elastic"] += sum(v[0] for k, v in self.steps.items() if k.startswith(("work_", "energy_unexplained")))
        work = self.work()
        normal = sum(lid.work_normal[last] - lid.work_normal[first] for lid in self.lids)
        tangential = sum(lid.work_tangential[last] - lid.work_tangential[first] for lid in self.lids)
        out = {"from": self.time[first], "to": self.time[last], "work": work[last] - work[first],
               "work_in": np.max(work[first:last + 1]) - work[first],
               "loads": change["work_loads"], "constraints": change["work_constraints"]}
        for name in STORED:
            out[name] = change["energy_" + name]
        for name in TAKEN:
            if name == "friction":
                out[name] = tangential - change["work_friction"]
            elif name == "contacts":
                out[name] = normal - change["work_normal"]
            else:
                out[name] = -change["work_" + name]
        out["unexplained"] = change["energy_unexplained"]
        out["dissipated"] = sum(out[name] for name in TAKEN)
        out["closure"] = abs(out["unexplained"]) / max(abs(out["work_in"]), 1e-300)
        out["energy_error"] = abs(out["unexplained"]) / max(abs(out["dissipated"]), 1e-300)
        # The sum over again, as a check of this file and of the cache: zero to rounding.
        out["sum"] = (out["work"] + out["loads"] + out["constraints"] + out["unexplained"]
                      - sum(out[n] for n in STORED) - out["dissipated"])
        return out

    def taken_by_saved_contacts(self, first, last):
        """(friction, contacts) between two rows, by the forces and relative velocities of the contacts of the saved frames,
        joined by trapezia: as good as frames are close, and without the works that the world adds up."""
        with h5py.File(os.path.join(self.run, "cache.h5"), "r") as cache:
            frames = {name: cache["frames"][name][()] for name in ("time", "first_contact", "contacts")}
            force, velocity, normal = (cache["contacts"][name][()] for name in ("force", "velocity", "normal"))
        all_of_it = np.sum(force * velocity, axis=1)
        along = np.sum(force * normal, axis=1) * np.sum(velocity * normal, axis=1)
        use = np.nonzero((frames["time"] >= self.time[first] - 1e-9) & (frames["time"] <= self.time[last] + 1e-9))[0]
        rows = [slice(frames["first_contact"][k], frames["first_contact"][k] + frames["contacts"][k]) for k in use]
        step = np.diff(frames["time"][use])
        taken = []
        for power in (along - all_of_it, -along):
            each = np.array([power[row].sum() for row in rows])
            taken.append(float(np.sum((each[1:] + each[:-1]) / 2 * step)))
        return tuple(taken)

    def residuals(self, bound=1e-6):
        """Share of steps with E <= bound, and the others as (time, dt, error, contacts)."""
        error = self.steps["error"]
        bad = np.nonzero(~(error <= bound))[0]
        return 1 - len(bad) / len(error), [(self.steps["time"][i], self.steps["dt"][i], error[i], int(self.steps["contacts"][i]))
                                           for i in bad]


def print_budget(name, budget, out=sys.stdout):
    w = max(abs(budget["work_in"]), 1e-300)
    print("%s: %.4g s to %.4g s" % (name, budget["from"], budget["to"]), file=out)
    print("  work of the lid on the way in %.6g J, net (area of the loop) %.6g J = %.2f %%"
          % (budget["work_in"], budget["work"], 100 * budget["work"] / w), file=out)
    for key in ["loads", "constraints"] + STORED + TAKEN + ["unexplained"]:
        if budget[key] != 0:
            print("  %-12s %12.4g J %9.3f %%" % (key, budget[key], 100 * budget[key] / w), file=out)
    print("  closed to %.3f %% of the work on the way in (%.3f %% of what was dissipated)"
          % (100 * budget["closure"], 100 * budget["energy_error"]), file=out)


def plot(runs, path, labels=None, colours=None, x=None, y=None, x_label="displacement (m)", y_label="force on the lid (N)",
         title=""):
    """Loops of several runs (Hysteresis) on the left, their budgets on the right, as shares of the work on the way in.
    x(run), y(run): other abscissae and ordinates than displacement and force of the first lid."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    labels = labels or [os.path.basename(os.path.normpath(h.run)) for h in runs]
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), gridspec_kw={"width_ratios": [3, 2]})
    colours = colours or plt.rcParams["axes.prop_cycle"].by_key()["color"]
    for run, label, colour in zip(runs, labels, colours):
        abscissa = run.lids[0].displacement() if x is None else x(run)
        ordinate = run.lids[0].resistance() if y is None else y(run)
        for k, (first, last) in enumerate(run.cycles()):
            left.plot(abscissa[first:last + 1], ordinate[first:last + 1], color=colour, lw=1.2, alpha=1 - 0.5 * (k > 0),
                      label=label if k == 0 else None)
    left.set_xlabel(x_label)
    left.set_ylabel(y_label)
    left.legend(frameon=False)
    left.set_title(title)
    shown = STORED + TAKEN + ["unexplained"]
    place = np.arange(len(shown))
    for k, (run, label, colour) in enumerate(zip(runs, labels, colours)):
        cycle = run.cycles()
        budget = run.budget(cycle[0][0], cycle[0][1]) if cycle else run.budget(0, len(run.time) - 1)
        right.barh(place + (k - (len(runs) - 1) / 2) * 0.8 / len(runs), [100 * budget[n] / budget["work_in"] for n in shown],
                   height=0.8 / len(runs), color=colour)
    right.set_yticks(place, shown)
    right.invert_yaxis()
    right.axvline(0, color="black", lw=0.5)
    right.set_xlabel("share of the work on the way in (%)")
    right.set_title("first cycle: where it went")
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--lid", action="append", help="name of a probe; all moving obstacles otherwise")
    parser.add_argument("--from", dest="start", type=float, help="s; from here on, one budget")
    parser.add_argument("--to", dest="end", type=float, help="s")
    parser.add_argument("--out", help="figure of all runs, .svg or .png")
    parser.add_argument("--labels", help="of the runs in the figure, with commas between")
    arguments = parser.parse_args()
    runs = []
    for directory in arguments.runs:
        run = Hysteresis(directory, arguments.lid)
        runs.append(run)
        share, bad = run.residuals()
        note = "" if run.each_step else "; probes of frames only, works are approximate (--probe-each-step)"
        print("%s: %d steps, E <= 1e-6 on %.3f %%, largest %.1e%s" % (directory, len(run.steps["time"]), 100 * share,
              run.steps["error"].max(), note))
        for step in bad:
            print("  E above 1e-6: t = %.6g s, dt = %.3g s, E = %.2e, %d contacts" % step)
        if arguments.start is None and arguments.end is None:
            for k, (first, last) in enumerate(run.cycles()):
                print_budget("cycle %d" % (k + 1), run.budget(first, last))
            print_budget("all", run.budget(0, len(run.time) - 1))
        else:
            first = run.at(arguments.start or 0)
            last = run.at(arguments.end) if arguments.end is not None else len(run.time) - 1
            print_budget("window", run.budget(first, last))
    if arguments.out:
        plot(runs, arguments.out, arguments.labels.split(",") if arguments.labels else None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
