#!/usr/bin/env python3
"""What the tuned constants do at half and at twice their value: validate/constants.py [NAME ...] [--scratch DIRECTORY] [--csv FILE].

Copies the sources to a scratch directory, changes one constant in one file, builds the command there and runs the scenes below, one after
the other, one thread each. Prints a row for each value and scene: steps, steps begun again, iterations of friction, deepest penetration,
largest E, energy that the budget does not explain, processor seconds. docs/constants.md is written from its table. About a minute of processor
time for each constant (ccache helps); all but the seconds are the same on every machine with the same compiler.
"""
import argparse
import csv
import json
import os
import re
import resource
import shutil
import subprocess
import sys

# file, name, kinds of scenes that can see it
CONSTANTS = [
    ("src/world/shapes_plane.c", "MARGIN", "plane"),
    ("src/world/shapes_plane.c", "MOTION_SAFETY", "plane"),
    ("src/world/shapes_space.c", "MARGIN", "fibers"),
    ("src/collide/space_motion.h", "CST_COME_NEAR", "fibers"),
    ("src/world/geometry_space.c", "SLANT", "fibers"),
    ("src/world/detection.c", "ROUNDNESS", "plane fibers"),
    ("src/world/detection.c", "HARDLY", "plane fibers"),
    ("src/world/detection.c", "FASTER", "plane fibers"),
    ("src/world/contact_track.c", "WEIGHT", "plane fibers"),
    ("src/world/contact_track.c", "NEAR", "plane fibers"),
    ("src/world/contact_rows.c", "RECOVERY", "plane fibers"),
    ("src/world/contact_rows.c", "SHARP_RECOVERY", "rigid"),
    ("src/world/step.c", "CROSSED", "rigid"),
    ("src/collide/detect_features.c", "MARGIN", "rigid"),
    ("src/collide/detect_features.c", "DEPTH", "rigid"),
    ("src/collide/feature_touch.c", "TILT", "rigid"),
    ("src/collide/feature_touch.c", "WEDGE", "rigid"),
    ("src/friction/accelerate.c", "LAP_SWEEPS", "plane fibers rigid"),
    ("src/friction/accelerate.c", "STALL", "plane fibers rigid"),
    ("src/friction/accelerate.c", "WARM", "fibers rigid"),
    ("src/friction/automatic.c", "FIRST_GO", "fibers rigid"),
    ("src/friction/automatic.c", "LEAD_SWEEPS", "rigid"),
    ("src/world/shapes_plane.c", "SOLID_DEPTH", "plane"),
    ("src/world/detection.c", "SAME_SIDE", "plane fibers"),
    ("src/world/geometry_space.c", "SLANT_IN_STEP", "fibers"),
    ("src/world/time_step.h", "CST_STEP_DEEPER", "plane fibers rigid"),
    ("src/world/time_step.h", "CST_STEP_CROSSING_HALVINGS", "rigid"),
    ("src/world/time_step.h", "CST_STEP_SUNK_DEPTH", "plane fibers"),
    ("src/collide/strand_sweep.h", "CST_STRAND_PASSING", "plane fibers"),
    ("src/collide/strand_sweep.c", "AIM", "plane fibers"),
    ("src/world/dynamics.c", "WOUND", "plane fibers"),
    ("src/world/attempt.c", "DETECTIONS", "plane fibers"),
    ("src/world/attempt.c", "STAGNATES", "plane fibers"),
    ("src/world/attempt.c", "SLOW", "plane fibers"),
    ("src/world/fixed_point.h", "CST_FIXED_POINT_DEPTH", "plane fibers"),
    ("src/friction/accelerate.c", "NEWTON_STEPS", "fibers rigid"),
    ("src/friction/accelerate.c", "NEWTON_TURN", "fibers rigid"),
    ("src/friction/accelerate.c", "PLANAR_SWEEPS", "plane"),
    ("src/friction/accelerate.c", "PLANAR_STEPS", "plane"),
    ("src/friction/accelerate.c", "PLANAR_GIVE_UP", "plane"),
    ("src/friction/accelerate.c", "WARM_SWEEPS", "fibers rigid"),
    ("src/friction/accelerate.c", "WARM_GIVE_UP", "fibers rigid"),
    ("src/friction/automatic.c", "LONGER", "fibers rigid"),
    ("src/friction/automatic.c", "NEWTON_LEAST", "fibers rigid"),
    ("src/friction/automatic.c", "NEWTON_TURN", "fibers rigid"),
    ("src/friction/automatic.c", "NEWTON_SHARE", "fibers rigid"),
    ("src/friction/laps.c", "SHARE", "plane fibers rigid"),
    ("src/friction/laps.c", "REDUCTION", "plane fibers rigid"),
    ("src/friction/growth.c", "WINDOW", "plane fibers rigid"),
    ("src/friction/growth.c", "LARGE_ERROR", "plane fibers rigid"),
    ("src/friction/interior_point.c", "RHO", "rigid"),
    ("src/friction/interior_point.c", "SOLVED", "rigid"),
    ("src/friction/interior_point.c", "FAILED", "rigid"),
    ("src/friction/interior_point.c", "INNER", "rigid"),
]
# name, kind, scene, duration in s, keys
SCENES = [
    ("shells", "plane", "scenes/planar/shells.json", 0.2, []),
    ("rings", "plane", "scenes/planar/ring_drop.json", 0.5, []),
    ("spaghetti", "fibers", "scenes/fibers/spaghetti_7.json", 0.2, []),
    ("hair", "fibers", "scenes/fibers/wavy_hair.json", 0.3, []),
    ("house falls", "rigid", "scenes/rigid/card_house_4.json", 0.3, ["friction=0.15"]),
    ("arch", "rigid", "scenes/rigid/arch_25.json", 0.2, []),
    ("hills", "rigid", "scenes/rigid/box_on_hills.json", 1.0, []),
]


def build(tree):
    flags = ["cmake", "-S", tree, "-B", os.path.join(tree, "build"), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCAPSTAN_TESTS=OFF"]
    if not os.path.exists(os.path.join(tree, "build", "build.ninja")):
        subprocess.run(flags, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", os.path.join(tree, "build"), "--target", "capstan"], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(tree, "build", "capstan")


def run(command, scene, directory):
    name, _, path, duration, keys = scene
    out = os.path.join(directory, "constants.run")
    call = [command, "run", path, "--out", out, "--force", "--progress", "none", "--threads", "1", "--duration", str(duration)]
    for key in keys:
        call += ["--set", key]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        status = subprocess.run(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300).returncode
    except subprocess.TimeoutExpired:
        return dict(scene=name, state="stopped after 300 s")
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    with open(os.path.join(out, "outcome.json")) as file:
        outcome = json.load(file)
    return dict(scene=name, state="ok" if status == 0 else outcome["state"] if status != 1 else "missed %d" % outcome["steps_over_tolerance"],
                steps=outcome["steps"], retries=outcome["retries"], iterations=outcome["iterations"],
                deepest=outcome["deepest_penetration"], E=outcome["worst_error"], unexplained=outcome["energy"]["unexplained"],
                seconds=seconds)


def changed(text, name, factor):
    """The sources with another value, the value before and after. Whole numbers stay whole."""
    found = re.search(r"\b%s(?: =|) ([0-9.e+-]+)" % name, text)
    old = found.group(1)
    value = float(old) * factor
    new = str(max(1, int(value))) if re.fullmatch(r"[0-9]+", old) else "%.6g" % value
    if "." not in new and "e" not in new and not re.fullmatch(r"[0-9]+", old):
        new += ".0"
    return text[:found.start(1)] + new + text[found.end(1):], old, new


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", help="NAME or file:NAME; all if none is given")
    parser.add_argument("--scratch", default="build/constants")
    parser.add_argument("--csv", default="build/constants.csv")
    options = parser.parse_args()
    wanted = [c for c in CONSTANTS if not options.names or c[1] in options.names or "%s:%s" % c[:2] in options.names]
    tree = os.path.abspath(os.path.join(options.scratch, "tree"))
    shutil.rmtree(tree, ignore_errors=True)
    files = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True).stdout.split("\n")
    for file in files:
        if file and not file.startswith("docs/"):
            os.makedirs(os.path.dirname(os.path.join(tree, file)), exist_ok=True)
            shutil.copy2(file, os.path.join(tree, file))
    command, rows = build(tree), []

    def measure(file, name, value, kinds):
        for scene in SCENES:
            if scene[1] in kinds.split():
                rows.append(dict(file=file, constant=name, value=value, **run(command, scene, options.scratch)))
                print("  ".join("%.3g" % v if isinstance(v, float) else str(v) for v in rows[-1].values()), flush=True)

    measure("", "as it is", "", " ".join(sorted({kind for c in wanted for kind in c[2].split()})))
    for file, name, kinds in wanted:
        place = os.path.join(tree, file)
        with open(place) as source:
            text = source.read()
        for factor in (0.5, 2.0):
            other, _, value = changed(text, name, factor)
            with open(place, "w") as source:
                source.write(other)
            build(tree)
            measure(file, name, value, kinds)
        with open(place, "w") as source:
            source.write(text)
    with open(options.csv, "w", newline="") as out:
        table = csv.DictWriter(out, rows[0].keys(), restval="")
        table.writeheader()
        table.writerows(rows)
    return 0


sys.exit(main())
