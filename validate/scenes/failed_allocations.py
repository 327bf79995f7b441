#!/usr/bin/env python3
"""Lets allocations of a run fail, one at a time, and looks at what becomes of it:
validate/scenes/failed_allocations.py [--failures 1000] [--seed 1] [--command build/capstan] [--threads 1]

A library in front of malloc (LD_PRELOAD; needs a C compiler) fails allocation number n, or every one from n on, whoever asks for it:
Capstan, HDF5, the C library. Half of the failures hit `run`, half `run --resume`. Each must end
    refused: exit 2 and "memory" in the message, and going on afterwards without failures gives the same bits as a run left alone, or
    not noticed: exit 0 and the same bits.
Anything else is bad: signal, exit (any other status), WRONG (other bits, then or after going on), misnamed (no word of memory).
Exit 0 if nothing bad was seen.
"""
import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

from damage import HALF, SCENE
from kill_resume import ROOT, compare_runs

LIBRARY = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static atomic_long counted;
static long fail_at = -1, fail_on;

static int fails(void)
{
    if (fail_at < 0) {
        const char *at = getenv("CAPSTAN_FAIL_AT"), *on = getenv("CAPSTAN_FAIL_ON");
        fail_on = on && *on == '1';
        fail_at = at ? atol(at) : 0;
    }
    const long number = ++counted;
    if (fail_at == 0 || number < fail_at || (number > fail_at && !fail_on))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return fails() ? NULL : __libc_calloc(count, bytes); }
void *realloc(void *old, size_t bytes) { return fails() ? NULL : __libc_realloc(old, bytes); }

__attribute__((destructor)) static void tell(void)
{
    const char *name = getenv("CAPSTAN_FAIL_COUNT");
    FILE *to = name ? fopen(name, "w") : NULL;
    if (to) {
        fprintf(to, "%ld\n", counted);
        fclose(to);
    }
}
"""
BAD = ("signal", "exit", "WRONG", "misnamed")


class Campaign:
    def __init__(self, command, folder, threads):
        self.command, self.folder, self.threads = command, folder, threads
        self.library = os.path.join(folder, "failing.so")
        source = os.path.join(folder, "failing.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(LIBRARY)
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self.library, source], check=True)
        self.scene = os.path.join(folder, "scene.json")
        with open(self.scene, "w", encoding="utf-8") as file:
            json.dump(SCENE, file)
        self.whole, self.half, self.place = (os.path.join(folder, name) for name in ("whole.run", "half.run", "a.run"))
        self.total = {"run": self.count(self.whole), "--resume": 0}
        done = self.go(self.half, "--duration", str(HALF))
        assert done.returncode == 0, done.stderr
        shutil.copytree(self.half, self.place)
        self.total["--resume"] = self.count(self.place, "--resume")

    def go(self, directory, *more, **environment):
        return subprocess.run([self.command, "run", self.scene, "--out", directory, "--progress", "none", "--threads", str(self.threads),
                               *more], capture_output=True, text=True, timeout=300, check=False, errors="replace",
                              env=dict(os.environ, **environment))

    def count(self, directory, *more):
        """Allocations of a run in which none fails."""
        number = os.path.join(self.folder, "count")
        done = self.go(directory, *more, LD_PRELOAD=self.library, CAPSTAN_FAIL_COUNT=number)
        assert done.returncode == 0, done.stderr
        with open(number, encoding="ascii") as file:
            return int(file.read())

    def one(self, how, number, on):
        """The verdict, and what was said."""
        shutil.rmtree(self.place, ignore_errors=True)
        if how == "--resume":
            shutil.copytree(self.half, self.place)
        more = [how] if how == "--resume" else []
        done = self.go(self.place, *more, LD_PRELOAD=self.library, CAPSTAN_FAIL_AT=str(number), CAPSTAN_FAIL_ON=on)
        said = done.stderr.strip()
        if done.returncode < 0:
            return "signal", "%d: %s" % (-done.returncode, said)
        if done.returncode == 0:
            differences = compare_runs(self.whole, self.place)
            return ("WRONG" if differences else "not noticed"), "; ".join(differences)
        if done.returncode != 2:
            return "exit", "%d: %s" % (done.returncode, said)
        if "memory" not in said:
            return "misnamed", said
        begun = os.path.exists(os.path.join(self.place, "outcome.json"))
        again = self.go(self.place, *(["--resume"] if begun else []))
        if again.returncode != 0:
            return "WRONG", "cannot be gone on with: " + again.stderr.strip()
        differences = compare_runs(self.whole, self.place)
        return ("WRONG" if differences else "refused"), "; ".join(differences)


def campaign(command, failures, seed, threads=1, report=print):
    rng = random.Random(seed)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="capstan-memory-") as folder:
        trial = Campaign(command, folder, threads)
        report("allocations: %d in run, %d in --resume" % (trial.total["run"], trial.total["--resume"]))
        for number in range(failures):
            how = ("run", "--resume")[number % 2]
            at, on = rng.randint(1, trial.total[how]), rng.choice("01")
            verdict, said = trial.one(how, at, on)
            counts[how, "from then on" if on == "1" else "once", verdict] += 1
            if verdict in BAD:
                report("%s, allocation %d fails%s: %s: %s" % (how, at, " and all after it" if on == "1" else "", verdict, said))
    return counts


def table(counts, report=print):
    verdicts = ["refused", "not noticed", *BAD]
    report("%-9s %-13s %s" % ("command", "fails", "  ".join(verdicts)))
    for how, on in sorted({key[:2] for key in counts}):
        report("%-9s %-13s %s" % (how, on, "  ".join("%*d" % (len(verdict), counts[how, on, verdict]) for verdict in verdicts)))
    bad = sum(count for key, count in counts.items() if key[2] in BAD)
    report("%d failed allocations, %d bad" % (sum(counts.values()), bad))
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--failures", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    arguments = parser.parse_args()
    return 1 if table(campaign(os.path.abspath(arguments.command), arguments.failures, arguments.seed, arguments.threads)) else 0


if __name__ == "__main__":
    sys.exit(main())
