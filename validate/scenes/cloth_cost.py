#!/usr/bin/env python3
"""Cost of assembly and contact solve of cloth scenes beside that of the research code Argus: validate/scenes/cloth_cost.py [--only SCENE ...]

Each scene is that of the research code with a mesh of fixed edges. It runs with one thread, with about as many vertices as the research code has on average, at E <= 1e-6.
The numbers of contacts follow from the scenes; both are printed. Ours: mean processor time of a step with contacts for assembly,
free motion, contact rows and friction (set-up, solve, judge); the phases are measured on the wall clock and multiplied by processor time / wall clock of the run. Theirs: columns
assemble_s and contact_solve_s of ../shared/cloth/ARGUS.csv, measured on another run of another machine. Bound: a third of theirs. Without that file nothing is compared.
Exits with 1 if a bound is missed. Needs build/capstan, h5py and numpy."""
import argparse
import csv
import os
import resource
import subprocess
import sys
import time

import numpy as np

from cloth_sheet import Sheet, sheets_of
from finished_run import Run

REFERENCE = "../shared/cloth/ARGUS.csv"
PHASES = ("assemble", "free_motion", "rows", "friction_setup", "friction_solve", "friction_judge")
LARGEST_E = 1e-6

# Scene of the research code, ours, settings
JOBS = [
    ("inclined_plane", "inclined_plane", []),
    ("drag_cloth", "drag", ["sheets[0].edge=0.0715"]),
    ("cards_low_friction", "house_of_cards", ["friction=0.2", "duration=1"] + ["sheets[%d].edge=0.1" % k for k in range(15)]),
    ("cards_high_friction", "house_of_cards", ["duration=1.75"]),
    ("box_and_cone", "box_and_cone", ["duration=0.53"]),
    ("belt_high_tension", "belt", []),
]


def read_reference():
    if not os.path.exists(REFERENCE):
        return None
    with open(REFERENCE, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["scene"]: {k: float(v.split("*")[0].split("(")[0]) for k, v in row.items() if k not in ("scene", "")} for row in rows}


def cost(scene, settings, directory):
    command = ["build/capstan", "run", "scenes/cloth/%s.json" % scene, "--out", directory, "--force", "--progress", "none", "--threads", "1", "--set", "solver.tolerance=1e-6"]
    for setting in settings:
        command += ["--set", setting]
    used, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    share = min(1.0, (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime) / (time.time() - begun))
    run = Run(directory)
    touching = run.steps["contacts"] > 0
    phases = {k: share * run.timings["seconds_" + k][touching].mean() for k in PHASES}
    return dict(status=status, vertices=sum(len(Sheet(run, n).weight) for n in sheets_of(run)), contacts=run.steps["contacts"][touching].mean(),
                iterations=run.steps["iterations"][touching].mean(), error=run.steps["error"].max(), seconds=sum(phases.values()), processor_share=share, **phases)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", help="scenes of the research code")
    parser.add_argument("--runs", default="build/cloth_cost")
    asked = parser.parse_args()
    reference, faults = read_reference(), 0
    if not reference:
        print("%s is not there: our cost alone" % REFERENCE)
    os.makedirs(asked.runs, exist_ok=True)
    print("%-20s %9s %9s %11s %9s %10s %10s %8s  %s" % ("scene", "vertices", "contacts", "iterations", "E", "ours, ms", "bound, ms", "", "theirs: vertices, contacts"))
    for theirs, ours, settings in JOBS:
        if asked.only and theirs not in asked.only:
            continue
        found = cost(ours, settings, os.path.join(asked.runs, theirs + ".run"))
        text = "%-20s %9d %9.1f %11.1f %9.1e %10.3f" % (theirs, found["vertices"], found["contacts"], found["iterations"], found["error"], 1e3 * found["seconds"])
        good = found["status"] == 0 and found["error"] <= LARGEST_E
        if reference:
            row = reference[theirs]
            bound = (row["assemble_s"] + row["contact_solve_s"]) / 3
            good = good and found["seconds"] <= bound
            text += " %10.3f %8s  %g, %g" % (1e3 * bound, "met" if good else "missed", row["nodes_mean"], row["contacts_mean"])
        faults += not good
        print(text, flush=True)
        print("    " + ", ".join("%s %.3f" % (k, 1e3 * found[k]) for k in PHASES) + " ms; processor / wall %.2f" % found["processor_share"], flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
