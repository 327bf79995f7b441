#!/usr/bin/env python3
"""Energy that friction takes in a cycle of bending a book, against mu and the number of sheets, and the law of weak friction.

    validate/scenes/book.py [--out DIR] [--command build/capstan] [--sheets 2,5,10,20,30,50] [--mu 0.01,...] [--quick] [--keep]

Runs scenes/planar/book.json without friction and with each mu (books above 20 sheets: with 0.1 and 0.4 only; --quick: up to 10 sheets).
Two measures of the same energy (docs/planar/book.md),

    work    what the contacts between the sheets took, as the world accounts for it
    loop    area between force and displacement of the pin, by trapezia: owes nothing to the accounts of the world

against three predictions of weak friction:

    law     9/4 mu h n(n - 1) B delta^2 / a^4, of thin books and small slopes
    corrected   the same with the leading effects of thickness, slope, elements and the round pin
    first   mu sum N |sliding| over all contacts and steps of the run without friction: exact to first order in mu

DIR (build/book) gets a run for each book, book.csv, book_mu.svg, book_sheets.svg, book_loops.svg. Runs that are there are kept
with --keep. Exit 1 if a bound is missed.
"""
import argparse
import csv
import json
import os
import subprocess
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "planar"))
from check_book import corrected, first_order, friction_work, loop, set_up, weak_friction  # noqa: E402
from run_data import probe, steps  # noqa: E402

# What is asked of the figures: E of every step; slopes and exponents of weak friction.
LARGEST_E, SLOPE_TO_FIRST, SLOPE_TO_CORRECTED, SLOPE_TO_LAW = 1e-6, 0.005, 0.01, 0.05
EXPONENT_MU, EXPONENT_PAIRS, LOOP_TO_WORK = 0.01, 0.02, 0.02
THICK, THICK_MU = 20, (0.1, 0.4)


def finished(place):
    try:
        with open(os.path.join(place, "outcome.json"), encoding="utf-8") as file:
            return json.load(file)["state"] == "finished"
    except OSError:
        return False


def run_scene(command, place, n, mu, keep):
    """Seconds of CPU of the run, 0 if it was there."""
    if keep and finished(place):
        return 0.0
    before = os.times().children_user
    call = [command, "run", os.path.join(ROOT, "scenes", "planar", "book.json"), "--out", place, "--force", "--progress", "none",
            "--set", f"generators.sheet.count={n}", "--set", f"friction.default={mu:g}"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(call)}\n{done.stdout}{done.stderr}")
    return os.times().children_user - before


def measure(place, n, mu, cpu):
    there = set_up(place)
    if (there["n"], there["mu"]) != (n, mu):
        raise SystemExit(f"{place} is not the run of {n} sheets and mu = {mu:g}")
    error, status, contacts = steps(place, "error", "status", "contacts")
    return {"n": n, "mu": mu, "work_J": friction_work(place), "loop_J": loop(place), "law_J": weak_friction(there),
            "corrected_J": corrected(there), "elastic_J": steps(place, "energy_elastic")[0].max(),
            "thickness": n * there["h"] / there["a"], "largest_E": error.max(), "missed_steps": int(np.sum(status != 0)),
            "contacts": int(contacts.max()), "cpu_s": round(cpu, 1)}


def slope_at_zero(mu, work):
    """Of work = mu (S + T mu): S, from the smallest values of mu (all, if there are only two)."""
    order = np.argsort(mu)[:4]
    x, y = np.array(mu)[order], np.array(work)[order]
    return float(np.polyfit(x, y / x, min(1, len(x) - 1))[-1])


def exponent(x, y):
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def judge(rows, first):
    """Prints the findings, says which are missed."""
    missed = []

    def bound(what, value, limit):
        good = abs(value) <= limit
        print(f"  {what:<74} {value:+10.2e}  {limit:.0e}  {'' if good else 'MISSED'}")
        if not good:
            missed.append(what)

    print(f"\n  {'':<74} {'measured':>10}  bound")
    bound("largest E of all steps of all runs", max(row["largest_E"] for row in rows), LARGEST_E)
    bound("steps whose iteration did not converge, share", np.mean([row["missed_steps"] for row in rows]) / 60, 1e-2)
    slopes = {}
    for n in sorted(first):
        some = [row for row in rows if row["n"] == n and row["mu"] > 0]
        slopes[n] = slope_at_zero([row["mu"] for row in some], [row["work_J"] for row in some])
        bound(f"{n:2} sheets: slope dE_d/dmu at 0 against the exact first order, - 1", slopes[n] / first[n] - 1, SLOPE_TO_FIRST)
        bound(f"{n:2} sheets: the same against the corrected law, - 1",
              slopes[n] / (some[0]["corrected_J"] / some[0]["mu"]) - 1, SLOPE_TO_CORRECTED)
        bound(f"{n:2} sheets: the same against the law, - 1", slopes[n] / (some[0]["law_J"] / some[0]["mu"]) - 1, SLOPE_TO_LAW)
        weak = [row for row in some if row["mu"] <= 0.1]
        if len(weak) > 1:
            bound(f"{n:2} sheets: exponent of mu (mu <= 0.1), - 1",
                  exponent([row["mu"] for row in weak], [row["work_J"] for row in weak]) - 1, EXPONENT_MU)
    sheets = np.array(sorted(slopes))
    pairs = sheets * (sheets - 1)
    if len(sheets) > 2:
        found = np.array([slopes[n] for n in sheets])
        bound("exponent of n(n - 1) in the slope, - 1", exponent(pairs, found) - 1, EXPONENT_PAIRS)
        many = sheets >= 10
        if many.sum() > 1:
            print(f"  exponent of n from {sheets[many][0]} to {sheets[-1]} sheets: {exponent(sheets[many], found[many]):.3f}; "
                  f"n(n - 1) itself: {exponent(sheets[many], pairs[many]):.3f}; 2 in the limit")
    bound("loop of force and displacement against the work of friction, - 1, worst",
          max((row["loop_J"] / row["work_J"] - 1 for row in rows if row["mu"] > 0), key=abs), LOOP_TO_WORK)
    return missed, slopes


def plot(rows, first, out, keep_runs):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    sheets = sorted({row["n"] for row in rows})
    colour = dict(zip(sheets, plt.cm.viridis(np.linspace(0, 0.9, len(sheets)))))

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5))
    for n in sheets:
        some = sorted((row for row in rows if row["n"] == n and row["mu"] > 0), key=lambda row: row["mu"])
        mu = np.array([row["mu"] for row in some])
        left.loglog(mu, [row["work_J"] for row in some], "o", color=colour[n], label=f"{n} sheets")
        left.loglog(mu, [row["loop_J"] for row in some], "+", color=colour[n], ms=9)
        line = np.array([0.008, 0.5])
        left.loglog(line, line * some[0]["law_J"] / some[0]["mu"], "-", color=colour[n], lw=0.8)
        right.semilogx(mu, [row["work_J"] / (row["mu"] * first[n]) for row in some], "o-", color=colour[n], ms=4, lw=0.8,
                       label=f"{n} sheets")
        right.semilogx(mu, [row["loop_J"] / (row["mu"] * first[n]) for row in some], "+", color=colour[n], ms=9)
    left.set_xlabel("μ")
    left.set_ylabel("energy dissipated per cycle (J)")
    left.set_title("work of friction (o), loop of the pin (+), law (lines)")
    left.legend(frameon=False, fontsize=8)
    right.axhline(1, color="black", lw=0.5)
    right.set_xlabel("μ")
    right.set_ylabel("energy / first order in μ of the same book")
    right.set_ylim(0.95, 1.02)
    right.set_title("what is beyond first order")
    figure.tight_layout()
    figure.savefig(os.path.join(out, "book_mu.svg"))
    plt.close(figure)

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5))
    n = np.array(sheets)
    law = np.array([next(row["law_J"] / row["mu"] for row in rows if row["n"] == k and row["mu"] > 0) for k in sheets])
    dense = np.linspace(2, 60, 200)
    left.loglog(dense, law[0] / 2 * dense * (dense - 1), "-", color="black", lw=0.8, label="law: ∝ n(n - 1)")
    left.loglog(dense, law[0] / 2 * dense**2, ":", color="grey", lw=0.8, label="n²")
    for mu, mark in ((0.1, "o"), (0.4, "x")):
        some = sorted((row for row in rows if row["mu"] == mu), key=lambda row: row["n"])
        if some:
            left.loglog([row["n"] for row in some], [row["work_J"] / mu for row in some], mark, label=f"work of friction / μ, μ = {mu:g}")
            right.plot([row["thickness"] for row in some], [row["work_J"] / row["law_J"] for row in some], mark, label=f"μ = {mu:g}")
    right.plot([next(row["thickness"] for row in rows if row["n"] == k) for k in sheets], [first[k] for k in sheets] / law, "k+", ms=9,
               label="exact first order")
    weak = [next(row for row in rows if row["n"] == k and row["mu"] > 0) for k in sheets]
    right.plot([row["thickness"] for row in weak], [row["corrected_J"] / row["law_J"] for row in weak], "-", color="black", lw=0.8,
               label="corrected law: thickness, slope, elements")
    right.axhline(1, color="black", lw=0.5)
    left.set_xticks(sheets, [str(k) for k in sheets])
    left.minorticks_off()
    left.set_xlabel("sheets n")
    left.set_ylabel("energy per cycle / μ (J)")
    left.legend(frameon=False, fontsize=8)
    left.set_title("against the number of sheets")
    right.set_xlabel("thickness of the book n h / a")
    right.set_ylabel("energy / law")
    right.legend(frameon=False, fontsize=8)
    right.set_title("what the law of thin books leaves out")
    figure.tight_layout()
    figure.savefig(os.path.join(out, "book_sheets.svg"))
    plt.close(figure)

    figure, axis = plt.subplots(figsize=(6.5, 4.5))
    n = 20 if 20 in sheets else sheets[-1]
    for row in sorted((row for row in rows if row["n"] == n), key=lambda row: row["mu"]):
        if row["mu"] in (0, 0.1, 0.2, 0.4):
            pin = probe(keep_runs[n, row["mu"]], "pin")
            # Loops are slim: shown is the force over that of frictionless thin beams of m elements each.
            there = set_up(keep_runs[n, row["mu"]])
            moved = -pin["dy"][1:-1]
            beams = 3 * n * there["B"] * moved / there["a"]**3 / (1 - 1 / (4 * there["m"]**2))
            axis.plot(moved / there["a"], pin["fy"][1:-1] / beams, ".-", ms=3, lw=0.9, label=f"μ = {row['mu']:g}")
            beta = 0.75 * row["mu"] * (n - 1) * there["h"] / there["a"]
            for sign in (1, -1):
                axis.axhline(1 / (1 - sign * beta), color="black", lw=0.4, ls=":")
    axis.set_xlabel("displacement of the pin / a")
    axis.set_ylabel("force / that of n frictionless beams")
    axis.set_title(f"{n} sheets: down (above) and up (below); dotted 1 / (1 ∓ β)")
    axis.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(os.path.join(out, "book_loops.svg"))
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "book"))
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    parser.add_argument("--sheets", default="2,5,10,20,30,50")
    parser.add_argument("--mu", default="0.01,0.02,0.05,0.1,0.2,0.4")
    parser.add_argument("--quick", action="store_true", help="2 to 10 sheets")
    parser.add_argument("--keep", action="store_true", help="runs that are there are not made again")
    asked = parser.parse_args()
    os.makedirs(asked.out, exist_ok=True)
    coefficients = [float(x) for x in asked.mu.split(",")]
    rows, first, runs = [], {}, {}
    print(f"{'sheets':>6} {'mu':>5} {'work (J)':>11} {'loop (J)':>11} {'law (J)':>11} {'work/law':>9} {'largest E':>9} {'contacts':>8} {'CPU s':>6}")
    for n in (int(x) for x in ("2,5,10" if asked.quick else asked.sheets).split(",")):
        for mu in [0.0] + [mu for mu in coefficients if n <= THICK or mu in THICK_MU]:
            place = os.path.join(asked.out, f"n{n}_mu{mu:g}.run")
            row = measure(place, n, mu, run_scene(asked.command, place, n, mu, asked.keep))
            if mu == 0:
                first[n] = first_order(place)
            runs[n, mu] = place
            rows.append(row)
            ratio = f"{row['work_J'] / row['law_J']:9.4f}" if mu else " " * 9
            print(f"{n:6} {mu:5.2f} {row['work_J']:11.4e} {row['loop_J']:11.4e} {row['law_J']:11.4e} {ratio} {row['largest_E']:9.1e} "
                  f"{row['contacts']:8} {row['cpu_s']:6.1f}", flush=True)
    for row in rows:
        row["first_order_J"] = row["mu"] * first[row["n"]]
    with open(os.path.join(asked.out, "book.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    missed, _ = judge(rows, first)
    plot(rows, first, asked.out, runs)
    print("\n" + ("MISSED: " + "; ".join(missed) if missed else "all bounds met"))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
