#!/usr/bin/env python3
"""Super-helices against discrete rods where contacts are many: validate/scenes/fibers/winding.py [--command build/capstan] [--repeat 3]

Runs scenes/fibers/rope_over_bar.json and heap_of_10.json with both models, alternately, and prints for each run: processor time (user, the
least of the repeats), iterations of friction, contacts, the largest E, steps that missed E <= 1e-8. Exit 1 if a step was missed, or if
super-helices take more than three times the processor time of discrete rods. What it needs to know about contacts comes from the caches alone.
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile

import h5py

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SCENES = {"rope_over_bar": "fibers[0].model", "heap_of_10": "generators[0].of.fiber.model"}
MODELS = ("super-helix", "discrete-rod")
TOLERANCE, RATIO = 1e-8, 3.0


def run(command, scene, key, model, place):
    """Processor time of one run; its results are in `place`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([command, "run", os.path.join(ROOT, "scenes", "fibers", scene + ".json"), "--out", place, "--force",
                           "--progress", "none", "--set", f"{key}={model}"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stdout)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    bad = False
    print(f"{'scene':<14} {'model':<13} {'user s':>7} {'steps':>6} {'iterations':>10} {'contacts':>8} {'largest E':>10} {'missed':>6}")
    with tempfile.TemporaryDirectory() as where:
        for scene, key in SCENES.items():
            seconds = dict.fromkeys(MODELS, float("inf"))
            for _ in range(options.repeat):
                for model in MODELS:
                    place = os.path.join(where, scene + "_" + model)
                    seconds[model] = min(seconds[model], run(options.command, scene, key, model, place))
            for model in MODELS:
                with h5py.File(os.path.join(where, scene + "_" + model, "cache.h5")) as cache:
                    steps = cache["steps"]
                    error = steps["error"][:]
                    missed = int((error > TOLERANCE).sum())
                    print(f"{scene:<14} {model:<13} {seconds[model]:>7.2f} {len(error):>6} {steps['iterations_total'][:].sum():>10}"
                          f" {steps['contacts'][:].max():>8} {error.max():>10.1e} {missed:>6}")
                    bad |= missed > 0
            ratio = seconds[MODELS[0]] / seconds[MODELS[1]]
            print(f"{scene:<14} ratio {ratio:.2f}{'' if ratio <= RATIO else ', more than %g' % RATIO}")
            bad |= ratio > RATIO
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
