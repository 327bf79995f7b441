#!/usr/bin/env python3
"""Does every check of the papers' scenes fail when its claim is false?

    validate/scenes/sabotage.py [--quick] [--long] [--runs DIR] [--out DIR] [--command build/capstan] [--csv FILE] [SCENE ...]

Each scene of `make planar` and `make fibers` runs as it is and once more with one thing changed in the scene, as --set of `capstan run`: friction,
stiffness, the step, a contact left out; or one thing is changed in a copy of the saved run: a body is put elsewhere. The same check judges both. It
must pass the first and fail the second. Prints scene, claim, verdict, what was changed, verdict and the first finding that was missed; exit 1
unless all true runs pass and all sabotaged ones fail.

--quick: scenes whose two runs take a few seconds together (a test does that). Without --long the scenes that take many minutes are left out,
unless --runs has their true run. --runs DIR: true runs are taken from DIR/planar and DIR/fibers where they are (build, after make planar and
make fibers), all of the scene. Scenes marked "short" run in a shorter version, true and sabotaged alike, unless a whole run is there.
A sabotaged run that breaks off counts as noticed, and is said; one that cannot be begun does not.
"""
import argparse
import collections
import csv
import importlib
import json
import os
import shutil
import subprocess
import sys

import h5py
import numpy as np

import fibers
from planar import ROOT

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "planar"))

QUICK, USUAL, LONG = range(3)
# what: the change in words; change: --set of the sabotaged run, or a change of a copy of the saved run (MOVED);
# short: --set of both; beside: scenes whose runs the check compares with
Case = collections.namedtuple("Case", "family scene cost what change short beside", defaults=((), ()))

MOVED = "moved"
NO_TOUCH = 'friction={"default": %s, "pairs": [{"between": ["%s", "%s"], "touch": false}]}'
NARROW = ("generators.shell.columns=4", "obstacles.right.position=[0.161, 0]")
HEAP = ("generators.spaghetti.count=10", "duration=3")

CASES = [
    Case("planar", "archery", USUAL, "damping of the bow x 100", ("rods.bow.damping_time=0.02",)),
    Case("planar", "bicycle", USUAL, "friction 0.5 -> 0.03", ("friction=0.03",)),
    Case("planar", "bicycle_slippery", USUAL, "friction 0 -> 0.01", ("friction=0.01",)),
    Case("planar", "book", USUAL, "contact of two neighbours left out", (NO_TOUCH % (0.4, "sheet_2", "sheet_3"),), ("generators.sheet.count=4",)),
    Case("planar", "cantilever", QUICK, "stiffness x 1.1", ("rods.beam.bending_stiffness=0.10791",)),
    Case("planar", "capstan", USUAL, "friction of one post x 1.1", ("obstacles.post_slips_10.friction=0.11",)),
    Case("planar", "confined_elastica", USUAL, "stiffness x 1.1", ("rods.strip.bending_stiffness=1.1",)),
    Case("planar", "confined_elastica_friction", LONG, "friction 0.3 -> 0", ("friction.default=0",), (), ("confined_elastica",)),
    Case("planar", "pushed_rod", USUAL, "friction of one rod x 1.1", ("rods.mu_10.friction=0.11",)),
    Case("planar", "rings", LONG, "saved run: one ring moved by 5 mm in a frame", MOVED),
    Case("planar", "shells", LONG, "friction 0.2 -> 0", ("friction=0",), NARROW),
    Case("planar", "shells_100", LONG, "friction 0.2 -> 0", ("friction=0",), NARROW),
    Case("planar", "snap_fit", USUAL, "friction x 1.1", ("friction.default=0.22",)),
    Case("planar", "three_point", USUAL, "friction x 1.1", ("friction.default=0.33",)),
    Case("planar", "vibration", QUICK, "stiffness of one rod x 1.1", ("rods.short.bending_stiffness=1.11375",)),
    Case("fibers", "fall", USUAL, "friction 0.4 -> 0", ("friction=0",)),
    Case("fibers", "spaghetti_7", USUAL, "friction 0.3 -> 0", ("friction=0",)),
    Case("fibers", "spaghetti_7_frictionless", USUAL, "friction 0 -> 0.3", ("friction=0.3",)),
    Case("fibers", "spaghetti_31", USUAL, "friction 0.3 -> 0", ("friction=0",), HEAP),
    Case("fibers", "spaghetti_31_parallel", LONG, "friction 0.3 -> 0", ("friction=0",), (), ("spaghetti_31_parallel_plate",)),
    Case("fibers", "spaghetti_31_parallel_plate", LONG, "friction everywhere", ("friction=0.3",), (), ("spaghetti_31_parallel_frictionless",)),
    Case("fibers", "spaghetti_31_parallel_frictionless", LONG, "friction 0 -> 0.3", ("friction=0.3",)),
    Case("fibers", "spaghetti_76", USUAL, "friction 0.3 -> 0", ("friction=0",), HEAP),
    Case("fibers", "spaghetti_76_16", USUAL, "friction 0.3 -> 0", ("friction=0",), HEAP),
    Case("fibers", "spaghetti_76_plate", USUAL, "friction everywhere", ("friction=0.3",), HEAP, ("spaghetti_76_frictionless",)),
    Case("fibers", "spaghetti_76_frictionless", USUAL, "friction 0 -> 0.3", ("friction=0.3",), HEAP),
    Case("fibers", "overhand_knot", LONG, "contact with itself left out", ("contact.self_contact=false",)),
    Case("fibers", "overhand_knot_friction", LONG, "friction 0.3 -> 0", ("friction=0",)),
    Case("fibers", "figure_of_eight", LONG, "contact with itself left out", ("contact.self_contact=false",)),
    Case("fibers", "figure_of_eight_friction", LONG, "friction 0.3 -> 0", ("friction=0",)),
    Case("fibers", "plectoneme", LONG, "contact with itself left out", ("contact.self_contact=false",)),
    Case("fibers", "plectoneme_friction", LONG, "friction 0.3 -> 0", ("friction=0",)),
    Case("fibers", "clove_hitch", LONG, "friction 0.3 -> 0.15", ("friction=0.15",)),
    Case("fibers", "wavy_hair", LONG, "friction 0.3 -> 0", ("friction=0",), (), ("wavy_hair_frictionless",)),
    Case("fibers", "wavy_hair_frictionless", LONG, "saved run: one wisp moved by 5 mm in a frame", MOVED),
    Case("fibers", "self_stacking", LONG, "contact with itself left out", ("contact.self_contact=false",)),
    Case("fibers", "self_stacking_page", LONG, "contact with itself left out", ("contact.self_contact=false",)),
    Case("fibers", "overhand_knot_paper", USUAL, "contact with itself left out", ("contact.self_contact=false",)),
    Case("fibers", "plectoneme_paper", USUAL, "contact with itself left out", ("contact.self_contact=false",)),
    Case("fibers", "strand_on_sphere", USUAL, "friction 1 -> 0.05", ("friction=0.05",)),
    Case("fibers", "strand_sweep", USUAL, "friction of the first ball 0 -> 0.05", ("obstacles.ball_0.friction=0.05",)),
    Case("fibers", "double_loop", QUICK, "friction 0.5 -> 0.1", ("friction.default=0.1",)),
    Case("fibers", "double_loop_11ms", QUICK, "theta 1/2 -> 1", ("time_step.theta=1",)),
    Case("fibers", "capstan_weights", LONG, "friction 0.25 -> 0.1", ("friction.default=0.1",)),
    Case("fibers", "capstan", USUAL, "friction x 1.1", ("friction=0.22",)),
    Case("fibers", "rope_over_bar", USUAL, "friction 0.3 -> 0.1", ("friction=0.1",)),
    Case("fibers", "ropes_on_hills", USUAL, "adaptive -> fixed step", ("time_step.adaptive=false",)),
    Case("fibers", "heap_of_10", USUAL, "saved run: one fiber moved by 5 mm in a frame", MOVED),
]

Verdict = collections.namedtuple("Verdict", "passed why")


def findings(case, place):
    """(whether the check passes, the first finding that was missed)."""
    if case.family == "planar":
        module = importlib.import_module("check_" + case.scene)
        missed = [f"{what}: {value:.4g}, bound {bound if isinstance(bound, str) else format(bound, '.4g')}"
                  for what, value, bound, ok in module.check(place) if not ok]
    else:
        missed = [f"{program}: {next((line for line in text.splitlines() if 'FAIL' in line or 'FAULT' in line), text.splitlines()[-1]).strip()}"
                  for program, text, ok in fibers.run_checks(fibers.SCENES[case.scene], place) if not ok]
    return Verdict(not missed, missed[0] if missed else "")


def simulate(command, case, scene, place, sets):
    """A text that says how the run ended; empty if it finished. Exit 1 of the command: steps missed their tolerance, which is for the check."""
    path = os.path.join(ROOT, "scenes", case.family, scene + ".json")
    arguments = [word for text in sets for word in ("--set", text)]
    done = subprocess.run([command, "run", path, "--out", place, "--force", *arguments], capture_output=True, text=True, check=False)
    outcome = {"state": "not begun", "reason": done.stderr.strip()}
    if os.path.exists(os.path.join(place, "outcome.json")):
        with open(os.path.join(place, "outcome.json"), encoding="utf-8") as file:
            outcome = json.load(file)
    return "" if outcome["state"] == "finished" else f"the run {outcome['state']}: {outcome['reason']}"


def move_a_body(place, by=0.005):
    """In a frame in the middle of a saved run the body with most contacts is put elsewhere: its state and what is drawn of it."""
    with h5py.File(os.path.join(place, "cache.h5"), "r+") as cache:
        frame = len(cache["frames/time"]) // 2
        first, count = int(cache["frames/first_contact"][frame]), int(cache["frames/contacts"][frame])
        body = int(np.argmax(np.bincount(cache["contacts/body_a"][first:first + count])))
        for row in range(int(cache["frames/first_item"][frame]), int(cache["frames/first_item"][frame]) + int(cache["frames/items"][frame])):
            if cache["items/owner"][row] == 0 and cache["items/id"][row] == body:
                vertex, vertices = int(cache["items/first_vertex"][row]), int(cache["items/vertices"][row])
                cache["vertices/position"][vertex:vertex + vertices, 0] += by
                cache["states/value"][int(cache["items/first_state"][row])] += by


def link_beside(command, case, true_place, out, runs):
    """The runs that the check compares with, beside the run that is judged."""
    for other in case.beside:
        place = os.path.join(out, other + ".run")
        known = os.path.join(runs, case.family, other + ".run") if runs else ""
        if os.path.exists(place) or true_place == place:
            continue
        if known and os.path.exists(os.path.join(known, "cache.h5")):
            os.symlink(os.path.abspath(known), place)
        else:
            simulate(command, case, other, place, case.short)


def judge(command, case, place, sets):
    broken = simulate(command, case, case.scene, place, sets)
    if broken.startswith("the run not begun"):
        raise SystemExit(f"{case.family}/{case.scene}: {broken}")
    return Verdict(False, broken) if broken else judge_saved(case, place)


def judge_saved(case, place):
    try:
        return findings(case, place)
    except Exception as fault:  # pylint: disable=broad-except
        return Verdict(False, f"the check broke off: {type(fault).__name__}: {fault}")


def run_case(command, case, out, runs):
    """(verdict on the true run, on the sabotaged one, whether the short version was run)."""
    known = os.path.join(runs, case.family, case.scene + ".run") if runs else ""
    whole = bool(known) and os.path.exists(os.path.join(known, "outcome.json"))
    true_dir, false_dir = (os.path.join(out, case.family, case.scene, name) for name in ("true", "sabotaged"))
    for each in (true_dir, false_dir):
        shutil.rmtree(each, ignore_errors=True)
        os.makedirs(each)
    short = () if whole else case.short
    short_case = case._replace(short=short)
    place = os.path.join(true_dir, case.scene + ".run")
    link_beside(command, short_case, place, true_dir, runs)
    if whole:
        os.symlink(os.path.abspath(known), place)
        true = judge_saved(case, place)
    else:
        true = judge(command, case, place, short)
    for other in case.beside:
        os.symlink(os.path.join(true_dir, other + ".run"), os.path.join(false_dir, other + ".run"))
    other_place = os.path.join(false_dir, case.scene + ".run")
    if case.change == MOVED:
        shutil.copytree(place, other_place)
        move_a_body(other_place)
        false = judge_saved(case, other_place)
    else:
        false = judge(command, case, other_place, (*short, *case.change))
    return true, false, bool(short)


def claim_of(case):
    return fibers.SCENES[case.scene].what if case.family == "fibers" else importlib.import_module("check_" + case.scene).WHAT


def chosen(asked):
    cases = [case for case in CASES if not asked.scene or case.scene in asked.scene or f"{case.family}/{case.scene}" in asked.scene]
    if asked.scene:
        return cases, []
    if asked.quick:
        return [case for case in cases if case.cost == QUICK], []
    there = lambda case: asked.runs and os.path.exists(os.path.join(asked.runs, case.family, case.scene + ".run", "outcome.json"))
    left = [case for case in cases if case.cost == LONG and not asked.long and not there(case)]
    return [case for case in cases if case not in left], left


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", nargs="*", metavar="SCENE", help="as capstan or fibers/capstan; without: all")
    parser.add_argument("--quick", action="store_true", help="only what takes seconds")
    parser.add_argument("--long", action="store_true", help="also what takes many minutes")
    parser.add_argument("--runs", help="a directory with planar/NAME.run and fibers/NAME.run that are there already")
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "sabotage"))
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    parser.add_argument("--csv", help="to write: the table")
    asked = parser.parse_args()
    names = {(family, name) for family, listed in (("fibers", fibers.SCENES), ("planar", importlib.import_module("planar").names())) for name in listed}
    known = {(case.family, case.scene) for case in CASES}
    if names != known:
        print("scenes without a sabotage: %s; sabotages without a scene: %s" % (sorted(names - known), sorted(known - names)))
        return 1
    cases, left = chosen(asked)
    if not cases:
        parser.error("no such scene")
    rows, good = [("scene", "claim", "true run", "sabotage", "sabotaged run", "what the check missed in it", "version")], True
    for case in cases:
        true, false, short = run_case(asked.command, case, asked.out, asked.runs)
        fine = true.passed and not false.passed
        good &= fine
        version = "short: " + ", ".join(case.short) if short else "whole"
        rows.append((f"{case.family}/{case.scene}", claim_of(case), "passes" if true.passed else "FAILS", case.what,
                     "PASSES" if false.passed else "fails", false.why, version))
        print("%-6s %-43s true: %-6s  %-40s: %-6s  %s%s" % ("ok" if fine else "WRONG", rows[-1][0], rows[-1][2], case.what, rows[-1][4],
                                                          true.why if not true.passed else false.why[:160], " (short)" if short else ""))
        sys.stdout.flush()
    if left:
        print("left out (--long, or --runs with their true run): " + ", ".join(f"{case.family}/{case.scene}" for case in left))
    print("%d scenes: %s" % (len(cases), "every check passes the true run and fails the sabotaged one" if good else "NOT ALL RIGHT"))
    if asked.csv:
        with open(asked.csv, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
