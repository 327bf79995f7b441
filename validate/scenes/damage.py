#!/usr/bin/env python3
"""Damages the files of a run in many random ways and looks at what becomes of it:
validate/scenes/damage.py [--damages 1000] [--seed 1] [--command build/capstan]

A small run is stopped half-way. For each damage a copy of it gets one file changed: bits flipped, the end cut off, two blocks swapped, a
block filled with zeros or with noise; in cache.h5, a probe, a checkpoint (or both). Then a reader (plot or view) looks at it and
`run --resume` goes on with it. Every time each of the two must
    refuse, with words that name the damage and a file of the run, or
    give what it gives without the damage, bit by bit (harmless, or repaired from the checkpoint before).
Anything else is bad: SILENTLY WRONG (exit 0 or 1 and other results), misnamed (refused for another reason), crash (a signal, or a
report of a sanitizer). Exit 0 if nothing bad was seen.
"""
import argparse
import collections
import filecmp
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from kill_resume import ROOT, compare_runs

SCENE = {
    "capstan": 1, "title": "damage", "duration": 0.12, "time_step": {"dt": 1e-3}, "friction": 0.4,
    "output": {"frame_interval": 5e-3, "checkpoint_interval": 1e-2, "samples": 2},
    "rods": [{"name": "strip", "elements": 6, "length": 0.4, "radius": 0.004, "mass_per_length": 0.05, "bending_stiffness": 2e-4,
              "damping_time": 5e-3, "position": [-0.2, 0.03], "angle": 0.05}],
    "rigid_bodies": [{"name": "coin", "shape": "disk", "radius": 0.03, "mass": 0.05, "position": [0.3, 0.035], "velocity": [0.3, 0]}],
    "obstacles": [{"name": "ground", "shape": "half_plane", "normal": [0, 1]}],
    "probes": [{"name": "tip", "type": "position", "body": "strip", "at": "end"},
               {"name": "energy", "type": "energy"}]}
HALF = 0.06
BAD = ("SILENTLY WRONG", "misnamed", "crash")


# Of a build with sanitizers: leaks of fontconfig and the like, which the tests do not count either.
LEAKS = {"LSAN_OPTIONS": "suppressions=%s:print_suppressions=0" % os.path.join(ROOT, "tests", "leaks_of_others.txt")}


def run(command, *arguments):
    return subprocess.run([command, *arguments], capture_output=True, text=True, timeout=300, check=False, errors="replace",
                          env={**LEAKS, **os.environ})


# ---------------------------------------------------------------------------------------------------------------------- damages

def flip(data, rng):
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        bit = rng.randrange(8 * len(data))
        data[bit // 8] ^= 1 << bit % 8


def cut(data, rng):
    del data[rng.randrange(len(data)):]


def swap(data, rng):
    size = min(rng.choice((16, 64, 512, 4096)), len(data) // 2)
    one, other = rng.sample(range(len(data) // size), 2)
    a, b = slice(one * size, (one + 1) * size), slice(other * size, (other + 1) * size)
    data[a], data[b] = data[b], data[a]


def zeros(data, rng):
    size = min(rng.choice((1, 8, 64, 512, 4096)), len(data))
    at = rng.randrange(len(data) - size + 1)
    data[at:at + size] = bytes(size)


def noise(data, rng):
    size = min(rng.choice((1, 8, 64, 512, 4096)), len(data))
    at = rng.randrange(len(data) - size + 1)
    data[at:at + size] = rng.randbytes(size)


DAMAGES = {"flipped bits": flip, "cut short": cut, "swapped blocks": swap, "zeros": zeros, "noise": noise}


def choose(rng):
    """Files of the run that are damaged, as a word and a list."""
    what = rng.choices(("cache", "probes", "checkpoint", "both checkpoints"), (50, 25, 15, 10))[0]
    files = {"cache": ["cache.h5"],
             "probes": [os.path.join("probes", rng.choice(("tip.csv", "energy.csv", "checksums.txt")))],
             "checkpoint": ["checkpoint.bin"], "both checkpoints": ["checkpoint.bin", "checkpoint.previous.bin"]}[what]
    return what, files


def damage(directory, files, rng):
    """Returns the name of the damage. Every file is changed: zeros in place of zeros are no damage."""
    kind = rng.choice(sorted(DAMAGES))
    for name in files:
        path = os.path.join(directory, name)
        with open(path, "rb") as file:
            before = file.read()
        after = bytearray(before)
        while bytes(after) == before:
            DAMAGES[kind](after, rng)
        with open(path, "wb") as file:
            file.write(after)
    return kind


# --------------------------------------------------------------------------------------------------------------------- verdicts

def judge(done, same):
    """same: called if the command was content; whether its results are those without the damage."""
    if done.returncode < 0 or done.returncode > 2 or "Sanitizer" in done.stderr or "runtime error" in done.stderr:
        return "crash"
    if done.returncode == 2:
        fitting = "damaged" in done.stderr and "memory" not in done.stderr
        return "refused" if fitting else "misnamed"
    if not same():
        return "SILENTLY WRONG"
    return "repaired, same bits" if "went on from the one before" in done.stderr else "harmless, same bits"


def read(command, directory, how, out):
    return run(command, how, directory, "--out", out)


class Campaign:
    def __init__(self, command, folder):
        self.command, self.folder = command, folder
        self.scene = os.path.join(folder, "scene.json")
        with open(self.scene, "w", encoding="utf-8") as file:
            json.dump(SCENE, file)
        self.whole, self.half, self.hurt = (os.path.join(folder, name, "a.run") for name in ("whole", "half", "hurt"))
        for directory in (self.whole, self.half, self.hurt):
            os.makedirs(os.path.dirname(directory))
        self.go(self.whole)
        self.go(self.half, "--duration", str(HALF))
        self.shown = {"plot": os.path.join(folder, "shown.charts"), "view": os.path.join(folder, "shown.html")}
        shutil.copytree(self.half, self.hurt)  # pictures name the directory
        for how, out in self.shown.items():
            done = read(command, self.hurt, how, out)
            assert done.returncode == 0, done.stderr

    def go(self, directory, *more):
        done = run(self.command, "run", self.scene, "--out", directory, "--progress", "none", *more)
        assert done.returncode == 0, done.stderr
        return done

    def same_picture(self, how, out):
        if how == "view":
            return filecmp.cmp(self.shown[how], out, shallow=False)
        names = sorted(os.listdir(self.shown[how]))
        return names == sorted(os.listdir(out)) and filecmp.cmpfiles(self.shown[how], out, names, shallow=False)[0] == names

    def one(self, rng):
        """What was damaged, how, and the verdicts of a reader and of --resume, each with what was said."""
        shutil.rmtree(self.hurt)
        shutil.copytree(self.half, self.hurt)
        what, files = choose(rng)
        kind = damage(self.hurt, files, rng)
        how = rng.choice(sorted(self.shown))
        out = os.path.join(self.folder, "hurt" + os.path.splitext(self.shown[how])[1])
        if os.path.isdir(out):
            shutil.rmtree(out)
        elif os.path.exists(out):
            os.remove(out)
        looked = read(self.command, self.hurt, how, out)
        resumed = run(self.command, "run", self.scene, "--out", self.hurt, "--progress", "none", "--resume")
        return what, kind, (how, judge(looked, lambda: self.same_picture(how, out)), looked.stderr.strip()), (
            "--resume", judge(resumed, lambda: not compare_runs(self.whole, self.hurt)), resumed.stderr.strip())


def campaign(command, damages, seed, report=print):
    """Returns a count of (what was damaged, who looked, verdict)."""
    rng = random.Random(seed)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="capstan-damage-") as folder:
        trial = Campaign(command, folder)
        for number in range(damages):
            what, kind, *judged = trial.one(rng)
            for who, verdict, said in judged:
                counts[what, "--resume" if who == "--resume" else "plot, view", verdict] += 1
                if verdict in BAD:
                    report("damage %d: %s of %s, %s: %s: %s" % (number, kind, what, who, verdict, said))
    return counts


def table(counts, report=print):
    verdicts = ["refused", "repaired, same bits", "harmless, same bits", *BAD]
    report("%-18s %-11s %s" % ("damaged", "who looks", "  ".join("%s" % verdict for verdict in verdicts)))
    for what, who in sorted({key[:2] for key in counts}):
        report("%-18s %-11s %s" % (what, who, "  ".join("%*d" % (len(verdict), counts[what, who, verdict]) for verdict in verdicts)))
    bad = sum(count for key, count in counts.items() if key[2] in BAD)
    report("%d damages, %d verdicts, %d bad" % (sum(counts.values()) // 2, sum(counts.values()), bad))
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--damages", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    arguments = parser.parse_args()
    return 1 if table(campaign(os.path.abspath(arguments.command), arguments.damages, arguments.seed)) else 0


if __name__ == "__main__":
    sys.exit(main())
