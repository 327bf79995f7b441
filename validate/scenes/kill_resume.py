#!/usr/bin/env python3
"""Kills a run with SIGKILL at random moments, resumes it each time, and compares the result, bit by bit, with that of a run that
was left alone: validate/scenes/kill_resume.py SCENE [--kills 20] [--one-run] [--seed 1] [--command build/capstan] [-- options of run]

Each kill hits a run of its own, anywhere in it. --one-run: all of them the same run, again and again as it is resumed.

Exit 0 if all data but timings are identical.
"""
import argparse
import filecmp
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

import h5py

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir)


def datasets(file):
    found = {}
    file.visititems(lambda name, thing: found.update({name: thing}) if isinstance(thing, h5py.Dataset) else None)
    return found


def raw(dataset):
    """All its bits: -0.0 is not 0.0."""
    value = dataset[()]
    return value if isinstance(value, bytes) else value.tobytes()


def compare_caches(one, other):
    """What differs between two caches besides timings: a list of sentences, empty if nothing does."""
    differences = []
    with h5py.File(one, "r") as a, h5py.File(other, "r") as b:
        left, right = datasets(a), datasets(b)
        if left.keys() != right.keys():
            differences.append("datasets: %s" % sorted(left.keys() ^ right.keys()))
        for name in sorted(left.keys() & right.keys()):
            if left[name].shape != right[name].shape:
                differences.append("%s: %s and %s" % (name, left[name].shape, right[name].shape))
            elif not name.startswith("timings/") and raw(left[name]) != raw(right[name]):
                differences.append("%s: values" % name)
        for name in set(a.attrs) | set(b.attrs):
            if name not in a.attrs or name not in b.attrs or a.attrs[name] != b.attrs[name]:
                differences.append("attribute %s" % name)
    return differences


def compare_runs(one, other):
    differences = compare_caches(os.path.join(one, "cache.h5"), os.path.join(other, "cache.h5"))
    probes = [sorted(os.listdir(os.path.join(run, "probes"))) if os.path.isdir(os.path.join(run, "probes")) else []
              for run in (one, other)]
    if probes[0] != probes[1]:
        differences.append("probes: %s" % sorted(set(probes[0]) ^ set(probes[1])))
    for name in set(probes[0]) & set(probes[1]):
        if not filecmp.cmp(os.path.join(one, "probes", name), os.path.join(other, "probes", name), shallow=False):
            differences.append("probes/%s" % name)
    return differences


def time_reached(run):
    """Of the cache as a reader finds it after a kill; None if the run had not come that far, or was killed in the middle of a
    commit, when only capstan itself (with the journal) can read it."""
    try:
        with h5py.File(os.path.join(run, "cache.h5"), "r") as file:
            return file["steps/time"][-1] if len(file["steps/time"]) else 0.0
    except (OSError, KeyError):
        return None


def kill_and_resume(command, scene, options, run, kills, duration, rng, report=lambda text: None):
    """Until `kills` have hit a running process; then to the end. Returns how many did."""
    hit = 0
    while True:
        arguments = [command, "run", scene, "--out", run, "--progress", "none"] + options
        if os.path.exists(os.path.join(run, "outcome.json")):
            arguments.append("--resume")
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait = duration * rng.random() if hit < kills else None
        try:
            message = process.communicate(timeout=wait)[1]
            if process.returncode not in (0, 1):
                raise RuntimeError("exit %d: %s" % (process.returncode, message))
            return hit
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            hit += 1
            reached = time_reached(run)
            journal = os.path.exists(os.path.join(run, "cache.h5.journal"))
            report("kill %2d after %.3f s: saved up to %s%s" % (
                hit, wait, "-" if reached is None else "t = %.6g s" % reached, ", in the middle of a commit" if journal else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scene")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--one-run", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    own, _, rest = " ".join(sys.argv[1:]).partition(" -- ")  # what follows -- is for capstan run
    arguments = parser.parse_args(own.split())
    arguments.options = rest.split()
    rng = random.Random(arguments.seed)
    folder = tempfile.mkdtemp(prefix="capstan-kills-")
    try:
        whole, killed = os.path.join(folder, "whole.run"), os.path.join(folder, "killed.run")
        begun = time.monotonic()
        subprocess.run([arguments.command, "run", arguments.scene, "--out", whole, "--progress", "none"] + arguments.options,
                       stdout=subprocess.DEVNULL)
        took = time.monotonic() - begun
        print("left alone: %.2f s" % took)
        done = 0
        worst = []
        while done < arguments.kills:
            # A run that ends before its kills are used up is judged, and another one takes the rest.
            shutil.rmtree(killed, ignore_errors=True)
            kills, within = (arguments.kills - done, 0.4 * took) if arguments.one_run else (1, took)
            done += kill_and_resume(arguments.command, arguments.scene, arguments.options, killed, kills, within, rng, print)
            differences = compare_runs(whole, killed)
            print("finished: %s" % ("identical" if not differences else "DIFFERS: " + "; ".join(differences)))
            worst += differences
        print("%d kills, %s" % (done, "all resumed bit-identically" if not worst else "NOT identical"))
        return 1 if worst else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
