#!/usr/bin/env python3
"""Does every check of the papers' scenes fail when its claim is false?

    validate/scenes/sabotage.py [--quick] [--long] [--runs DIR] [--out DIR] [--command build/capstan] [--csv FILE] [SCENE ...]

Each scene of `make planar` and `make fibers` runs as it is and once more with one thing changed in the scene, as --set of `capstan run`: friction,
stiffness, the step, a contact left out; or one thing is changed in a copy of the saved run: a body is put elsewhere. The same check judges both. It
must pass the first and fail the second. Prints scene, claim, verdict, what was changed, verdict and the first finding that was missed, beside what
the true run has there; exit 1 unless all true runs pass and all sabotaged ones fail.

--quick: scenes whose two runs take a few seconds together (a test does that). Without --long the scenes that take many minutes are left out,
unless --runs has their true run. --runs DIR: runs of the same scenes are taken from DIR/planar and DIR/fibers (build, after make planar and make fibers). Scenes marked "short" run in a shorter version, true and sabotaged alike, unless a whole run is there.
"until": the sabotaged run is shorter; the check that fails there is a worst value over all frames or one at an earlier time.
A sabotaged run that breaks off counts as noticed, and is said; one that cannot be begun does not.

Runs are kept in OUT/pool under a key made of the scene as it is run (`capstan check --text`, less its title) and the version of the command, and
used again, as those of --runs are: a knot with its friction set to 0 is the knot without friction. --csv FILE: rows are added as they come, those of the same scene replaced.
"""
import argparse
import collections
import csv
import hashlib
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
# short: --set of both; beside: scenes whose runs the check compares with; until: duration of the sabotaged run in s, if shorter
Case = collections.namedtuple("Case", "family scene cost what change short beside until", defaults=((), (), None))

MOVED = "moved"
NO_TOUCH = 'friction={"default": %s, "pairs": [{"between": ["%s", "%s"], "touch": false}]}'
NARROW = ("generators.shell.columns=4", "obstacles.right.position=[0.161, 0]")
PARALLEL = ("generators.spaghetti.count=12",)  # one layer: friction with the plate alone holds it, so not for that scene
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
    Case("fibers", "spaghetti_31_parallel", LONG, "friction 0.3 -> 0", ("friction=0",), PARALLEL, ("spaghetti_31_parallel_plate",)),
    Case("fibers", "spaghetti_31_parallel_plate", LONG, "friction of the plate 0.3 -> 0", ("obstacles.plate.friction=0",), (),
         ("spaghetti_31_parallel_frictionless",)),
    Case("fibers", "spaghetti_31_parallel_frictionless", LONG, "friction 0 -> 0.3", ("friction=0.3",), PARALLEL),
    Case("fibers", "spaghetti_76", USUAL, "friction 0.3 -> 0", ("friction=0",), HEAP),
    Case("fibers", "spaghetti_76_16", USUAL, "friction 0.3 -> 0", ("friction=0",), HEAP),
    Case("fibers", "spaghetti_76_plate", USUAL, "friction everywhere", ("friction=0.3",), HEAP, ("spaghetti_76_frictionless",)),
    Case("fibers", "spaghetti_76_frictionless", USUAL, "friction 0 -> 0.3", ("friction=0.3",), HEAP),
    Case("fibers", "overhand_knot", LONG, "contact with itself left out", ("contact.self_contact=false",)),
    Case("fibers", "overhand_knot_friction", LONG, "friction 0.3 -> 0", ("friction=0",)),
    Case("fibers", "figure_of_eight", LONG, "contact with itself left out", ("contact.self_contact=false",)),
    Case("fibers", "figure_of_eight_friction", LONG, "friction 0.3 -> 0", ("friction=0",)),
    Case("fibers", "plectoneme", LONG, "contact with itself left out", ("contact.self_contact=false",)),
    Case("fibers", "plectoneme_friction", LONG, "friction 0.3 -> 0", ("friction=0",), (), ("plectoneme",)),
    Case("fibers", "clove_hitch", LONG, "friction 0.3 -> 0.15", ("friction=0.15",)),
    Case("fibers", "wavy_hair", LONG, "friction 0.3 -> 0", ("friction=0",), (), ("wavy_hair_frictionless",), 8.8),
    Case("fibers", "wavy_hair_frictionless", LONG, "friction 0 -> 0.3", ("friction=0.3",)),
    Case("fibers", "self_stacking", LONG, "contact with itself left out", ("contact.self_contact=false",), until=1),
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

Verdict = collections.namedtuple("Verdict", "passed why said", defaults=([],))  # said: (check, its lines, met) of every check


def findings(case, place):
    """Every finding as (check, lines of text, met), one after the other."""
    if case.family == "planar":
        module = importlib.import_module("check_" + case.scene)
        for what, value, bound, ok in module.check(place):
            yield "check_" + case.scene, [f"{what}: {value:.4g}, bound {bound if isinstance(bound, str) else format(bound, '.4g')}"], ok
        return
    for program, text, ok in fibers.run_checks(fibers.SCENES[case.scene], place):
        yield program, (["the check broke off: " + text.splitlines()[-1]] if "Traceback" in text else text.splitlines()) or ["no output"], ok


def line_of(lines):
    """The line that tells the fault: the first that says FAIL or FAULT with a number, or the last."""
    return next((k for k, line in enumerate(lines) if "FAIL" in line.replace("FAILED", "") or "FAULT" in line), len(lines) - 1)


def judge_saved(case, place):
    """Up to the first fault: one is enough."""
    said = []
    try:
        for check, lines, ok in findings(case, place):
            said.append((check, lines, ok))
            if not ok:
                return Verdict(False, f"{check}: {lines[line_of(lines)].strip()}", said)
    except Exception as fault:  # pylint: disable=broad-except
        return Verdict(False, f"the check broke off: {type(fault).__name__}: {fault}")
    return Verdict(True, "", said)


def true_value(true, false):
    """What the true run has where the sabotaged one has its first fault."""
    for (_, lines, ok), (_, other, _) in zip(false.said, true.said):
        if not ok:
            line = lines[line_of(lines)]
            return max(reversed(other), key=lambda each: len(os.path.commonprefix([each, line]))).strip()
    return ""


class Pool:
    """Runs by what is run: one that is there and finished is not made again, an interrupted one goes on."""

    def __init__(self, command, out, runs=None):
        self.command, self.place, self.used = command, os.path.join(out, "pool"), set()
        self.version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
        self.known = []  # (scene as it was run, less title and duration; until when; directory; version) of what --runs holds
        for family in ("planar", "fibers") if runs else ():
            place = os.path.join(runs, family)
            for name in sorted(os.listdir(place)) if os.path.isdir(place) else ():
                run = os.path.abspath(os.path.join(place, name))
                if self.state(run)["state"] == "finished":
                    with h5py.File(os.path.join(run, "cache.h5"), "r") as cache:
                        text = cache["scene/effective"].asstr()[()]
                        self.known.append((self.essence(text)[0], float(cache["steps/time"][-1]), run, cache.attrs["version"].decode()))

    @staticmethod
    def essence(text):
        scene = json.loads(text)
        scene.pop("title", None)
        duration = scene.pop("duration")
        return json.dumps(scene, sort_keys=True), duration

    def text(self, family, scene, sets):
        """The scene as it would be run, what --set is for it."""
        path = os.path.join(ROOT, "scenes", family, scene + ".json")
        arguments = [word for text in sets for word in ("--set", text)]
        asked = subprocess.run([self.command, "check", "--text", path, *arguments], capture_output=True, text=True, check=False)
        if asked.returncode:
            raise SystemExit(f"{family}/{scene}: {asked.stderr.strip()}")
        return path, arguments, *self.essence(asked.stdout)

    def find(self, family, scene, sets=()):
        """A run that --runs holds, or an empty text."""
        _, _, essence, duration = self.text(family, scene, sets)
        return next(((run, version) for known, end, run, version in self.known if known == essence and abs(end - duration) < 1e-6 * duration), ("", ""))

    def run(self, family, scene, sets):
        """(directory, a text that says how the run ended; empty if it finished)."""
        found, version = self.find(family, scene, sets)
        if found:
            self.used.add(version)
            return found, ""
        path, arguments, essence, duration = self.text(family, scene, sets)
        key = hashlib.sha256(f"{self.version} {duration} {essence}".encode()).hexdigest()[:12]
        os.makedirs(self.place, exist_ok=True)
        place = os.path.join(self.place, next((name for name in os.listdir(self.place) if name.endswith(key + ".run")), f"{scene}_{key}.run"))
        if self.state(place)["state"] not in ("finished", "failed"):
            again = "--resume" if os.path.exists(os.path.join(place, "checkpoint.bin")) else "--force"
            # exit 1: steps missed their tolerance, which is for the check
            done = subprocess.run([self.command, "run", path, "--out", place, again, *arguments], capture_output=True, text=True, check=False)
            if self.state(place)["state"] not in ("finished", "failed"):
                raise SystemExit(f"{family}/{scene}: the run was not begun or not ended: {done.stderr.strip()}")
        outcome = self.state(place)
        return place, "" if outcome["state"] == "finished" else f"the run {outcome['state']}: {outcome['reason']}"

    @staticmethod
    def state(place):
        try:
            with open(os.path.join(place, "outcome.json"), encoding="utf-8") as file:
                return json.load(file)
        except OSError:
            return {"state": "not begun", "reason": ""}


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


def run_case(command, case, out, runs):
    """(verdict on the true run, on the sabotaged one, a text that says which version of the scene was run)."""
    pool = Pool(command, out, runs)
    short = case.short if case.short and not pool.find(case.family, case.scene)[0] else ()
    true_dir, false_dir = (os.path.join(out, case.family, case.scene, name) for name in ("true", "sabotaged"))
    for each in (true_dir, false_dir):
        shutil.rmtree(each, ignore_errors=True)
        os.makedirs(each)
    for other in case.beside:
        place = pool.run(case.family, other, short)[0]
        for each in (true_dir, false_dir):
            os.symlink(os.path.abspath(place), os.path.join(each, other + ".run"))

    def judge(directory, sets):
        place, broken = pool.run(case.family, case.scene, sets)
        name = os.path.join(directory, case.scene + ".run")
        os.symlink(os.path.abspath(place), name)
        return Verdict(False, broken) if broken else judge_saved(case, name)

    true = judge(true_dir, short)
    if case.change == MOVED:
        place = os.path.join(false_dir, case.scene + ".run")
        shutil.copytree(os.path.join(true_dir, case.scene + ".run"), place)
        move_a_body(place)
        false = judge_saved(case, place)
    else:
        false = judge(false_dir, (*short, *case.change, *((f"duration={case.until:g}",) if case.until else ())))
    said = ["short: " + ", ".join(case.short) if short else "whole"]
    said += [f"sabotaged until {case.until:g} s"] if case.until else []
    said += [f"runs of version {version}" for version in sorted(pool.used - {pool.version})]
    return true, false, "; ".join(said)


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
    parser.add_argument("--csv", help="to write, a row when it is there: the table")
    asked = parser.parse_args()
    names = {(family, name) for family, listed in (("fibers", fibers.SCENES), ("planar", importlib.import_module("planar").names())) for name in listed}
    known = {(case.family, case.scene) for case in CASES}
    if names != known:
        print("scenes without a sabotage: %s; sabotages without a scene: %s" % (sorted(names - known), sorted(known - names)))
        return 1
    cases, left = chosen(asked)
    if not cases:
        parser.error("no such scene")
    good = True
    for case in cases:
        true, false, version = run_case(asked.command, case, asked.out, asked.runs)
        fine = true.passed and not false.passed
        good &= fine
        row = (f"{case.family}/{case.scene}", claim_of(case), "passes" if true.passed else "FAILS", case.what,
               "PASSES" if false.passed else "fails", false.why, true_value(true, false), version)
        print("%-6s %-43s true: %-6s  %-40s: %-6s  %s%s" % ("ok" if fine else "WRONG", row[0], row[2], case.what, row[4],
                                                          true.why if not true.passed else false.why[:160], " (short)" if version.startswith("short") else ""))
        sys.stdout.flush()
        if asked.csv:
            add_row(asked.csv, row)
    if left:
        print("left out (--long, or --runs with their true run): " + ", ".join(f"{case.family}/{case.scene}" for case in left))
    print("%d scenes: %s" % (len(cases), "every check passes the true run and fails the sabotaged one" if good else "NOT ALL RIGHT"))
    return 0 if good else 1


HEAD = ("scene", "claim", "true run", "sabotage", "sabotaged run", "what the check missed in it", "there in the true run", "version")


def add_row(path, row):
    rows = []
    if os.path.exists(path):
        with open(path, newline="", encoding="utf-8") as file:
            rows = [tuple(each) for each in csv.reader(file)][1:]
    order = {f"{case.family}/{case.scene}": k for k, case in enumerate(CASES)}
    rows = sorted([each for each in rows if each[0] != row[0]] + [row], key=lambda each: order.get(each[0], -1))
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([HEAD] + rows)


if __name__ == "__main__":
    sys.exit(main())
