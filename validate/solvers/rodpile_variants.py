#!/usr/bin/python3
"""Hair-like piles harder than the usual ones, over several seeds: what each solver does on them.

    validate/solvers/rodpile_variants.py RODPILE.PY DIR [--capstan build/capstan] [--seeds 5] [--rods 144]

Makes the problems with rodpile.py in DIR (kept: a second run only solves) and prints, per variant and solver, how many seeds
were solved to FB <= 1e-6 (velocity scale max |w_i|), the median and largest iterations and seconds, one thread.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

REST = ["--rest", "1", "--vel", "0.005", "--jit", "0"]
VARIANTS = {
    "moving": [],
    "settled": REST,
    "stiff moving (ea 880)": ["--ea", "880"],
    "stiff settled (ea 880)": ["--ea", "880"] + REST,
    "no slack": ["--slack", "0"],
    "few nodes settled (5)": ["--nodes", "5"] + REST,
    "dense, stiff, no slack, few nodes": ["--ea", "880", "--slack", "0", "--nodes", "5", "--margin", "6e-4"],
    "the same settled": ["--ea", "880", "--slack", "0", "--nodes", "5", "--margin", "6e-4"] + REST,
}
SOLVERS = ["auto", "gauss-seidel", "projected-gradient", "projected-gauss-seidel", "cadoux"]


def make(rodpile, directory, name, seed, rods, options):
    stem = os.path.join(directory, "".join(c if c.isalnum() else "_" for c in name) + "_s%d" % seed)
    if not os.path.exists(stem + "_local.hdf5"):
        subprocess.run([sys.executable, rodpile, "--rods", str(rods), "--seed", str(seed), "--out", stem] + options,
                       check=True, stdout=subprocess.DEVNULL)
    return stem + "_local.hdf5"


def solve(capstan, solver, files, limit):
    run = subprocess.run([capstan, "solve", "--json", "--measure", "fb", "--tol", "1e-6", "--solver", solver, "--time-limit",
                          str(limit)] + files, stdout=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1):
        sys.exit("capstan solve failed with %d" % run.returncode)
    return [json.loads(line) for line in run.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rodpile")
    parser.add_argument("directory")
    parser.add_argument("--capstan", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/capstan"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rods", type=int, default=144)
    parser.add_argument("--limit", type=float, default=10.0, help="seconds per problem")
    options = parser.parse_args()
    os.makedirs(options.directory, exist_ok=True)
    print("%-34s %-9s %-23s %-7s %-17s %s" % ("variant", "contacts", "solver", "solved", "its med (max)", "ms median (max)"))
    for name, arguments in VARIANTS.items():
        files = [make(options.rodpile, options.directory, name, seed, options.rods, arguments)
                 for seed in range(1, options.seeds + 1)]
        for solver in SOLVERS:
            rows = solve(options.capstan, solver, files, options.limit)
            solved = sum(row["status"] == "solved" for row in rows)
            its = [row["iterations"] for row in rows]
            ms = [1e3 * row["seconds"] for row in rows]
            contacts = "%d-%d" % (min(row["contacts"] for row in rows), max(row["contacts"] for row in rows))
            print("%-34s %-9s %-23s %d/%-5d %-17s %.1f (%.1f)" % (name, contacts, solver, solved, len(rows),
                  "%d (%d)" % (statistics.median(its), max(its)), statistics.median(ms), max(ms)), flush=True)


if __name__ == "__main__":
    main()
