#!/usr/bin/env python3
"""Stack of open shells (scenes/planar/shells.json, shells_100.json), dropped and compressed, for several frictions:
validate/scenes/shells.py [--out build/shells] [--command build/capstan] [--gamma 10,100] [--mu 0,0.2,0.5] [--reuse]

Runs each variant and reports: how well the Coulomb law was met (steps with E > 1e-6 are listed), steps, contacts, time; overlaps
of all saved frames (validate/scenes/check_overlap.py); for each cycle of the lid the work it did, the area of the loop, where the energy
went and how much of it is unexplained (validate/scenes/hysteresis.py). DIR gets the runs, shells.csv (a row per cycle), shells_missed.csv
(steps with E > 1e-6), and figures: shells_loops_GAMMA.png, shells_dissipated.png. --reuse: runs that are there are kept.

Without friction there is dissipation too: viscosity of the shells (much when one snaps past another), drag, impacts, and the
damping of the time stepping.

Exit 1 if a bound is missed: E <= 1e-6 on 99.9 % of steps; overlap <= 0.2 of the contact radius, no crossing, no missed contact;
energy unexplained <= 1 % of the work of the lid, in each cycle; dissipation of each cycle grows with mu.
"""
import argparse
import csv
import json
import os
import subprocess
import sys

import h5py
import numpy as np

from check_overlap import worst_of
from hysteresis import TAKEN, Hysteresis, print_budget

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCENES = {10: "shells.json", 100: "shells_100.json"}
FLOOR = -0.023  # of both scenes
COLOURS = ["#2166ac", "#1b7837", "#b2182b", "#762a83", "#555555"]


def finished(place):
    try:
        with open(os.path.join(place, "outcome.json"), encoding="utf-8") as file:
            return json.load(file)["state"] == "finished"
    except OSError:
        return False


class Variant:
    """One run and what it is judged by."""

    def __init__(self, gamma, mu, asked):
        self.gamma, self.mu = gamma, mu
        self.place = os.path.join(asked.out, "shells_%g_mu%g.run" % (gamma, mu))
        if not (asked.reuse and finished(self.place)):
            scene = os.path.join(ROOT, "scenes", "planar", SCENES[gamma])
            subprocess.run([asked.command, "run", scene, "--out", self.place, "--force", "--set", "friction=%g" % mu,
                            "--probe-each-step", "--progress", "none"], check=False, stdout=subprocess.DEVNULL)
            if not finished(self.place):
                raise SystemExit("Gamma = %g, mu = %g did not finish" % (gamma, mu))
        self.loops = Hysteresis(self.place)
        self.budgets = [self.loops.budget(*cycle) for cycle in self.loops.cycles()]
        self.share, self.missed_steps = self.loops.residuals(1e-6)
        self.deepest, self.crossings, self.missed_contacts = worst_of(self.place)
        with h5py.File(os.path.join(self.place, "cache.h5"), "r") as cache:
            self.seconds = cache["timings/seconds_total"][()].sum()
            self.bodies = len(cache["names/bodies"])
        self.sunk = self.loops.steps["penetration"].max() / self.loops.scene["generators"][0]["of"]["rod"]["radius"]

    def report(self):
        steps = self.loops.steps
        print("\nGamma = %g, mu = %g: %d steps in %.0f s, %.0f contacts (at most %d), %.0f iterations of friction per step" % (
            self.gamma, self.mu, len(steps["time"]), self.seconds, steps["contacts"].mean(), steps["contacts"].max(),
            steps["iterations"].mean()))
        print("  E <= 1e-6 on %.3f %% of steps, largest %.1e" % (100 * self.share, steps["error"].max()))
        print("  deepest overlap in saved frames %.3f of the contact radius, %d crossings, %d missed contacts; by the reports of "
              "all steps %.3f" % (self.deepest, self.crossings, self.missed_contacts, self.sunk))
        for step in self.missed_steps:
            print("  E above 1e-6: t = %.6g s, dt = %.3g s, E = %.2e, %d contacts" % step)
        for number, budget in enumerate(self.budgets):
            print_budget("cycle %d" % (number + 1), budget)

    def height(self):
        """Of the lid above the floor, m."""
        lid = next(o for o in self.loops.scene["obstacles"] if o["name"] == "lid")
        return lid["position"][1] + self.loops.lids[0].place[:, 1] - FLOOR

    def findings(self):
        yield "E <= 1e-6 on 99.9 % of steps", self.share >= 0.999
        yield "overlap <= 0.2 of the contact radius", self.deepest <= 0.2
        yield "no crossing, no missed contact", not self.crossings and not self.missed_contacts
        yield "unexplained <= 1 % of the lid's work", bool(self.budgets) and all(b["closure"] <= 0.01 for b in self.budgets)


def figures(variants, out):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    for gamma in sorted({v.gamma for v in variants}):
        figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), gridspec_kw={"width_ratios": [3, 2]})
        shown = [v for v in variants if v.gamma == gamma]
        parts = ["elastic", "gravity"] + [name for name in TAKEN if any(v.budgets[0][name] for v in shown)] + ["unexplained"]
        for number, (variant, colour) in enumerate(zip(shown, COLOURS)):
            for k, (first, last) in enumerate(variant.loops.cycles()):
                rows = slice(first, last + 1)
                left.plot(1e3 * variant.height()[rows], variant.loops.lids[0].resistance()[rows], color=colour,
                          lw=1.3 if k == 0 else 0.8, ls="-" if k == 0 else "--",
                          label="mu = %g%s" % (variant.mu, "" if k == 0 else ", second cycle"))
            budget = variant.budgets[0]
            width = 0.8 / len(shown)
            right.barh(np.arange(len(parts)) + (number - (len(shown) - 1) / 2) * width, [1e3 * budget[p] for p in parts],
                       height=width, color=colour)
        left.invert_xaxis()
        left.set(xlabel="height of the lid above the floor (mm)", ylabel="force on the lid (N)",
                 title="%d shells, Gamma = %g" % (shown[0].bodies, gamma))
        left.legend(frameon=False)
        right.set_yticks(np.arange(len(parts)), parts)
        right.invert_yaxis()
        right.axvline(0, color="black", lw=0.5)
        right.set(xlabel="energy (mJ)", title="first cycle: where the lid's work went")
        figure.tight_layout()
        figure.savefig(os.path.join(out, "shells_loops_%g.png" % gamma), dpi=110)
        plt.close(figure)

    figure, axes = plt.subplots(figsize=(6, 4))
    for gamma, colour in zip(sorted({v.gamma for v in variants}), COLOURS):
        shown = [v for v in variants if v.gamma == gamma]
        for k in range(min(len(v.budgets) for v in shown)):
            axes.plot([v.mu for v in shown], [1e3 * v.budgets[k]["dissipated"] for v in shown], "os"[k % 2] + "-", color=colour,
                      label="Gamma = %g, cycle %d: all" % (gamma, k + 1), alpha=1 - 0.4 * k)
            axes.plot([v.mu for v in shown], [1e3 * v.budgets[k]["friction"] for v in shown], "os"[k % 2] + ":", color=colour,
                      label="by friction alone", alpha=1 - 0.4 * k, mfc="none")
    axes.set(xlabel="mu", ylabel="dissipated per cycle (mJ)", ylim=(0, None))
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(os.path.join(out, "shells_dissipated.png"), dpi=110)
    plt.close(figure)


def write_tables(variants, out):
    with open(os.path.join(out, "shells.csv"), "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        keys = list(variants[0].budgets[0])
        table.writerow(["gamma", "mu", "cycle"] + keys + [
            "steps", "seconds", "contacts_mean", "contacts_most", "iterations_mean", "worst_E", "share_E_1e-6",
            "deepest_over_radius", "crossings", "missed_contacts", "reported_penetration_over_radius"])
        for v in variants:
            steps = v.loops.steps
            for k, budget in enumerate(v.budgets):
                table.writerow([v.gamma, v.mu, k + 1] + ["%.8g" % budget[key] for key in keys] + [
                    len(steps["time"]), "%.1f" % v.seconds, "%.1f" % steps["contacts"].mean(), steps["contacts"].max(),
                    "%.1f" % steps["iterations"].mean(), "%.3g" % steps["error"].max(), v.share, "%.4f" % v.deepest, v.crossings,
                    v.missed_contacts, "%.4f" % v.sunk])
    with open(os.path.join(out, "shells_missed.csv"), "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("gamma", "mu", "time_s", "dt_s", "E", "contacts")]
                                   + [(v.gamma, v.mu, *step) for v in variants for step in v.missed_steps])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "shells"))
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    parser.add_argument("--gamma", default="10,100", help="of 10, 100")
    parser.add_argument("--mu", default="0,0.2,0.5", help="coefficients of friction, increasing")
    parser.add_argument("--reuse", action="store_true")
    asked = parser.parse_args()
    os.makedirs(asked.out, exist_ok=True)

    variants, judged = [], []
    for gamma in map(int, asked.gamma.split(",")):
        same = []
        for mu in map(float, asked.mu.split(",")):
            same.append(Variant(gamma, mu, asked))
            same[-1].report()
            sys.stdout.flush()
            judged += [("Gamma = %g, mu = %g: %s" % (gamma, mu, what), good) for what, good in same[-1].findings()]
        for k in range(min(len(v.budgets) for v in same)):
            lost = [v.budgets[k]["dissipated"] for v in same]
            judged.append(("Gamma = %g, cycle %d: dissipation grows with mu (%s mJ)" % (
                gamma, k + 1, ", ".join("%.4g" % (1e3 * value) for value in lost)), all(a < b for a, b in zip(lost, lost[1:]))))
        variants += same
    write_tables(variants, asked.out)
    figures(variants, asked.out)
    print()
    for what, good in judged:
        print("%-6s  %s" % ("met" if good else "MISSED", what))
    return int(not all(good for _, good in judged))


if __name__ == "__main__":
    sys.exit(main())
