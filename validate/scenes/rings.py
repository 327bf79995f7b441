#!/usr/bin/env python3
"""Closed rings under compression (scenes/planar/rings.json), by friction: hysteresis, energy budget, onset of rigidity.

    validate/scenes/rings.py [--mu 0,0.2,0.5] [--out DIR] [--command build/capstan] [--keep] [--set KEY=VALUE]...

Runs the scene once per mu (--keep: reads the runs that are there), judges each
  - E <= 1e-6 on 99.9 % of steps, the others listed;
  - no overlap and no missed contact in any saved frame (validate/scenes/check_overlap.py, which shares no code with the library);
  - the energy budget of the cycle, closed to 1 % of the work of the walls (validate/scenes/hysteresis.py), also with what friction takes by
    the forces and velocities of the saved contacts;
  - elastic energy of the world = 1/2 sum EI l (kappa - 1/R)^2 over the saved shapes;
and writes rings.csv, rings_loops.svg, rings_onset.svg and pictures to DIR (build/rings). Exit 1 if a bound is missed.

Packing fraction: area within the outlines of all rings at rest over that of the box, phi = sum pi (R_i + r)^2 / (W H); above 1
rings must be flattened. Pressure: mean over the two moving walls of force over length, in EI / R^3, R the mean radius. Onset of
rigidity: where the line through the first rise of the pressure (RISE) meets zero. Contacts per ring: rings and walls that it
exchanges a force with; rings with fewer than two are left out (rattlers).
"""
import argparse
import csv
import os
import subprocess
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

from hysteresis import STORED, TAKEN, Hysteresis, plot, print_budget  # noqa: E402

RISE = (0.1, 0.8)  # EI / R^3: pressures through which the line of the onset is laid
CLOSED = 0.01  # of the work of the walls


class Packing(Hysteresis):
    """A run of the scene: phi and pressure at the rows of the probes."""

    def __init__(self, run):
        super().__init__(run)
        rods = {g["name"]: (g["of"]["rod"], g["columns"] * g["rows"]) for g in self.scene["generators"]}
        self.count = sum(n for _, n in rods.values())
        self.rod_of = lambda name: rods[name.rpartition("_")[0]][0]
        any_rod = next(iter(rods.values()))[0]
        self.bending = any_rod["young"] * any_rod["width"] * any_rod["thickness"] ** 3 / 12
        self.contact_radius = any_rod["thickness"] / 2
        radii = np.concatenate([np.full(n, rod["length"] / (2 * np.pi)) for rod, n in rods.values()])
        self.unit = self.bending / radii.mean() ** 3
        lids = {lid.name: lid for lid in self.lids}
        place = {o["name"]: o.get("position", [0, 0]) for o in self.scene["obstacles"]}
        self.width = place["right"][0] + lids["right"].place[:, 0]
        self.height = place["lid"][1] + lids["lid"].place[:, 1]
        self.phi = np.sum(np.pi * (radii + self.contact_radius) ** 2) / (self.width * self.height)
        self.pressure = (lids["right"].resistance() / self.height + lids["lid"].resistance() / self.width) / 2 / self.unit
        self.top = int(np.argmax(self.phi))

    def onset(self, unloading=False):
        """(row, phi) where the line through the first rise of the pressure meets zero: below, rings that are pushed about give a
        pressure that depends on the speed of the walls."""
        rows = np.arange(self.top, len(self.phi)) if unloading else np.arange(self.top, -1, -1)
        pressure = self.pressure[rows]
        # from the top down: past the last (nearest to the onset) time that it is above the rise, up to the first below it
        low = int(np.argmax(pressure < RISE[0]))
        high = int(np.max(np.nonzero(pressure[:low] > RISE[1])[0])) + 1
        slope, level = np.polyfit(self.phi[rows[high:low]], pressure[high:low], 1)
        phi = -level / slope
        return int(rows[np.argmin(np.abs(self.phi[rows] - phi))]), float(phi)

    def frames(self):
        """(time, phi, pressure, contacts per ring, share of rattlers, elastic energy from the shape) of each frame."""
        import h5py
        out = []
        with h5py.File(os.path.join(self.run, "cache.h5"), "r") as cache:
            names = cache["names/bodies"].asstr()[()]
            rods = [self.rod_of(name) for name in names]
            data = {key: cache["contacts"][key][()] for key in ("body_a", "body_b", "obstacle_b", "force")}
            pushes = np.hypot(data["force"][:, 0], data["force"][:, 1])
            frames = {key: cache["frames"][key][()] for key in cache["frames"]}
            items = {key: cache["items"][key][()] for key in ("owner", "id", "first_state", "states")}
            states = cache["states/value"]
            for k, now in enumerate(frames["time"]):
                rows = np.arange(frames["first_contact"][k], frames["first_contact"][k] + frames["contacts"][k])
                rows = rows[pushes[rows] > 0]
                pairs = {(int(data["body_a"][i]), int(data["body_b"][i]), int(data["obstacle_b"][i])) for i in rows
                         if data["body_a"][i] != data["body_b"][i]}
                touching = np.zeros(len(names) + 1, dtype=int)
                for a, b, wall in pairs:
                    touching[a] += 1
                    touching[b if wall == 0 else 0] += 1
                touching = touching[1:]
                held = touching[touching >= 2]
                energy = 0.0
                for i in range(frames["first_item"][k], frames["first_item"][k] + frames["items"][k]):
                    if items["owner"][i] == 0:
                        rod = rods[items["id"][i] - 1]
                        n = rod["elements"]
                        first = items["first_state"][i]
                        kappa = states[first + 3:first + 3 + n]
                        energy += 0.5 * self.bending * rod["length"] / n * np.sum((kappa - 2 * np.pi / rod["length"]) ** 2)
                row = self.at(now)
                out.append((now, self.phi[row], self.pressure[row], held.mean() if len(held) else 0.0,
                            1 - len(held) / len(touching), energy))
        return np.array(out)

    def elastic_error(self, frames):
        """Energy from the shapes against the world's, relative to the largest."""
        rows = [self.at(t) for t in frames[1:, 0]]
        return np.max(np.abs(frames[1:, 5] - self.column("energy_elastic")[rows])) / frames[:, 5].max()


def run_scene(command, mu, place, settings):
    scene = os.path.join(ROOT, "scenes", "planar", "rings.json")
    call = [command, "run", scene, "--out", place, "--force", "--probe-each-step", "--progress", "none",
            "--set", "friction=%g" % mu]
    for setting in settings:
        call += ["--set", setting]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit("%s\n%s%s" % (" ".join(call), done.stdout, done.stderr))


def overlaps(place):
    """What validate/scenes/check_overlap.py says of a run: its last line, and whether it found nothing."""
    done = subprocess.run([sys.executable, os.path.join(HERE, "check_overlap.py"), place], capture_output=True, text=True,
                          check=False)
    lines = done.stdout.strip().splitlines() or [done.stderr.strip()]
    return lines[-1], done.returncode == 0


def plot_onset(packings, labels, path):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5))
    for packing, label in zip(packings, labels):
        frames = packing.frames()
        way_in = slice(0, packing.top + 1)
        line = left.semilogy(packing.phi[way_in], np.maximum(packing.pressure[way_in], 1e-5), lw=1, label=label)[0]
        _, phi = packing.onset()
        left.axvline(phi, color=line.get_color(), lw=0.5)
        inward = frames[:, 0] <= packing.time[packing.top]
        right.plot(frames[inward, 1], frames[inward, 3], "-", color=line.get_color(), label=label)
        right.plot(frames[~inward, 1], frames[~inward, 3], "--", color=line.get_color(), lw=0.8)
        right.axvline(phi, color=line.get_color(), lw=0.5)
    left.set_xlim(0.7, None)
    left.set_ylim(1e-4, None)
    left.set_xlabel("packing fraction")
    left.set_ylabel("pressure, EI / R³, on the way in")
    left.legend(frameon=False)
    left.set_title("onset of rigidity")
    right.set_xlim(0.7, None)
    right.set_xlabel("packing fraction")
    right.set_ylabel("rings and walls that a ring touches")
    right.set_title("contacts per ring: in (full), out (dashed)")
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    plt.close(figure)


def pictures(command, packing, place, label):
    """Before, at the onset, fully compressed."""
    for name, when in (("before", 0.0), ("onset", packing.time[packing.onset()[0]]), ("full", packing.time[packing.top])):
        row = packing.at(when)
        width, height = packing.width[row], packing.height[row]
        subprocess.run([command, "render", packing.run, "--at", "%.9g" % when,
                        "--out", os.path.join(place, "rings_%s_%s.png" % (label, name)),
                        "--camera", "%g,%g,%g" % (width / 2, height / 2, height * 1.06), "--size", "720x600", "--plain",
                        "--colour", "curvature"], check=False, capture_output=True)


def judge(mu, packing):
    """Prints what was found; a row for the table, and what was missed."""
    missed = []
    share, bad = packing.residuals()
    steps = packing.steps
    print("\nmu = %g: %d steps (%d begun again), at most %d contacts, %d touching; E <= 1e-6 on %.3f %%, largest %.1e"
          % (mu, len(steps["time"]), steps["retries"].sum(), steps["contacts"].max(),
             (steps["sticking"] + steps["sliding"]).max(), 100 * share, steps["error"].max()))
    for step in bad:
        print("  E above 1e-6: t = %.6g s, dt = %.3g s, E = %.2e, %d contacts" % step)
    if share < 0.999:
        missed.append("E")
    print("  deepest penetration %.4f of the contact radius, rings closed to %.1e m"
          % (steps["penetration"].max() / packing.contact_radius, steps["constraint_error"].max()))
    text, none = overlaps(packing.run)
    print("  overlap check: " + text)
    if not none:
        missed.append("overlap")
    first, last = packing.cycles()[0]
    budget = packing.budget(first, last)
    print_budget("  cycle", budget)
    if budget["closure"] > CLOSED:
        missed.append("budget")
    by_contacts = packing.taken_by_saved_contacts(first, last)
    print("  by the contacts of the saved frames friction took %.4g J; with it the budget is closed to %.2f %%" % (
        by_contacts[0], 100 * (budget["closure"] + abs(by_contacts[0] - budget["friction"]) / budget["work_in"])))
    if abs(by_contacts[0] - budget["friction"]) > CLOSED * budget["work_in"]:
        missed.append("friction by saved contacts")
    frames = packing.frames()
    error = packing.elastic_error(frames)
    print("  elastic energy against that of the saved shapes: %.1e relative" % error)
    if not error < 1e-9:
        missed.append("elastic energy")
    row, phi = packing.onset()
    at = int(np.argmin(np.abs(frames[:, 0] - packing.time[row])))
    print("  rigid from phi = %.4f on, back to %.4f; there a ring touches %.2f others and walls, %.0f %% are loose; at phi = "
          "%.3f %.2f, pressure %.3g EI/R^3" % (phi, packing.onset(True)[1], frames[at, 3], 100 * frames[at, 4],
                                          packing.phi[packing.top], frames[np.argmax(frames[:, 1]), 3],
                                          packing.pressure[packing.top]))
    row = {"mu": mu, "steps": len(steps["time"]), "share_E_1e-6": share, "largest_E": steps["error"].max(), "phi_onset": phi,
           "phi_back": packing.onset(True)[1], "contacts_onset": frames[at, 3], "rattlers_onset": frames[at, 4],
           "contacts_full": frames[np.argmax(frames[:, 1]), 3], "pressure_full": packing.pressure[packing.top],
           "work_in_J": budget["work_in"], "loop_J": budget["work"], "closure": budget["closure"]}
    row.update({name + "_J": budget[name] for name in STORED + TAKEN + ["unexplained"]})
    return row, missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mu", default="0,0.2,0.5")
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "rings"))
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--set", action="append", default=[], dest="settings")
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    packings, labels, table, wrong = [], [], [], []
    for mu in (float(x) for x in arguments.mu.split(",")):
        place = os.path.join(arguments.out, "mu%g.run" % mu)
        before = os.times()
        begun = time.monotonic()
        if not arguments.keep or not os.path.exists(os.path.join(place, "outcome.json")):
            run_scene(arguments.command, mu, place, arguments.settings)
        after = os.times()
        packing = Packing(place)
        row, missed = judge(mu, packing)
        cpu = after.children_user - before.children_user
        if cpu > 1:
            print("  %.0f s of CPU, %.0f s in all; %.1f ms of CPU per step"
                  % (cpu, time.monotonic() - begun, 1e3 * cpu / row["steps"]))
        row["cpu_s"] = cpu
        packings.append(packing)
        labels.append("μ = %g" % mu)
        table.append(row)
        wrong += ["mu = %g: %s" % (mu, what) for what in missed]
        pictures(arguments.command, packing, arguments.out, "mu%g" % mu)
    with open(os.path.join(arguments.out, "rings.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, table[0].keys())
        writer.writeheader()
        writer.writerows(table)
    plot(packings, os.path.join(arguments.out, "rings_loops.svg"), labels, x=lambda p: p.phi, y=lambda p: p.pressure,
         x_label="packing fraction", y_label="pressure on the walls, EI / R³", title="in and out")
    plot_onset(packings, labels, os.path.join(arguments.out, "rings_onset.svg"))
    print("\n" + ("MISSED: " + "; ".join(wrong) if wrong else "all bounds met"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
