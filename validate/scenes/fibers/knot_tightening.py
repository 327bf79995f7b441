#!/usr/bin/env python3
"""Traction against the size of the loop of an overhand knot that is pulled tight slowly.

    validate/scenes/fibers/knot_tightening.py RUN.run ... [--csv FILE] [--plot FILE.png]

Runs of scenes/fibers/overhand_knot.json, with any friction and number of crossings. In each saved frame: the end shortening
e = length - distance of the ends, the radius R of the loop (arc length over turning of the middle of the fiber, over a sixth of e, which
is about 60 degrees of a round loop), the traction F as the mean of both ends, the kinetic energy over the elastic one. Beside them

    elastic part         F h^2 / B = eps^4 / 2,   eps = sqrt(h / R)     (energy pi B / R of a round loop, e = 2 pi R)
    weak friction        F h^2 / B = eps^4 / 2 + mu sigma eps^3, sigma = 0.492      (Audoly, Clauvelin and Neukirch 2007)
    dominant friction    n^2 h / e against n^2 F h^2 / (mu B)                       (Jawed et al. 2015: knot_master_curve.csv)

The constants of both published laws are unconfirmed: they are drawn, nothing is judged by them. Judged are: E <= 1e-8 in every step,
the energy budget (left over <= 1 %), and without friction the elastic part: a + c eps is fitted to F over B / 2 R^2 where eps < 0.15
(braids are longer than loops for thicker rods: l^2 is about 100 h R), and a must be 1 within 10 %: overhand_knot_thin.json. Knot type and overlap: knot.py, check_overlap_space.py. Exit 1 if one fails.
"""
import argparse
import csv
import os
import sys

import numpy as np

from budget import energy
from fiber_data import Run

MASTER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "reference", "knot_master_curve.csv")
SIGMA = 0.492
LOOSE = 0.15  # eps below which laws for loose knots are looked at


def probe(directory, name):
    with open(os.path.join(directory, "probes", name + ".csv"), encoding="utf-8") as file:
        rows = list(csv.reader(file))
    values = np.array([[float(x) for x in row] for row in rows[1:]])
    return {column.split(" [")[0]: values[:, k] for k, column in enumerate(rows[0])}


def loop_radius(points, shortening):
    """Of the middle of a polygon: arc length over turning."""
    chords = np.diff(points, axis=0)
    length = np.linalg.norm(chords, axis=1)
    s = np.cumsum(length)[:-1]  # of the joints
    cosine = np.einsum("ij,ij->i", chords[1:], chords[:-1]) / (length[1:] * length[:-1])
    angle = np.arccos(np.clip(cosine, -1, 1))
    share = 0.5 * (length[1:] + length[:-1])
    near = np.abs(s - 0.5 * length.sum()) <= max(shortening / 12, 1.01 * length.max())
    return share[near].sum() / angle[near].sum()


def follow(run):
    """What is known of the run, and rows (time, e, R, F, kinetic over elastic), one per frame after the first."""
    fiber = run.scene["fibers"][0]
    shape, h, B = fiber["shape"], fiber["radius"], fiber["bending_stiffness"]
    friction = run.scene.get("friction", 0)
    known = {"h": h, "B": B, "mu": friction if isinstance(friction, (int, float)) else friction.get("default", 0),
             "n": (shape.get("crossings", 3) - 1) // 2}
    left, right, work = (probe(run.directory, name) for name in ("left", "right", "energy"))
    rows = []
    for frame in range(1, len(run.times)):
        row, _, description = next(run.fiber_rows(frame))
        points = run.motion(row, description)[0]
        e = run.length(description) - np.linalg.norm(points[-1] - points[0])
        # rows of probes are those of frames; the first is before any step
        k = int(np.argmin(np.abs(right["time"] - run.times[frame])))
        j = int(np.argmin(np.abs(work["time"] - run.times[frame])))
        rows.append((float(run.times[frame]), e, loop_radius(points, e), 0.5 * (right["fx"][k] - left["fx"][k]),
                     work["kinetic"][j] / work["elastic"][j]))
    return known, np.array(rows)


def elastic_limit(known, rows):
    """Fit of F / (B / 2 R^2) = a + c eps where the loop is large: a, c; None if it never was."""
    loose = (np.sqrt(known["h"] / rows[:, 2]) < LOOSE) & (rows[:, 0] > 0.15 * rows[-1, 0])
    if loose.sum() < 20:
        return None
    eps = np.sqrt(known["h"] / rows[loose, 2])
    c, a = np.polyfit(eps, rows[loose, 3] * 2 * rows[loose, 2]**2 / known["B"], 1)
    return a, c


def judge(directory):
    """Rows of the run, and whether all is well."""
    run = Run(directory)
    known, rows = follow(run)
    (error,) = run.steps("error")
    _, left, terms, scale = energy(run)
    budget, scheme = float(np.abs(left).max()) / scale, float(np.abs(terms["work_scheme"]).max()) / scale
    good = error.max() <= 1e-8 and budget <= 0.01
    calm = rows[:, 0] > 0.15 * rows[-1, 0]  # the shape at first is in no equilibrium
    print("%s: mu = %g, n = %d; e from %.0f h to %.1f h, F h2/B from %.2e to %.3g" % (
        directory, known["mu"], known["n"], rows[0, 1] / known["h"], rows[-1, 1] / known["h"],
        rows[calm, 3][0] * known["h"]**2 / known["B"], rows[-1, 3] * known["h"]**2 / known["B"]))
    print("    kinetic over elastic energy: at most %.1e, median %.1e (after the start)" % (
        rows[calm, 4].max(), np.median(rows[calm, 4])))
    print("    E at worst %.1e (limit 1e-8); budget: %.1e left over (limit 0.01), the scheme took %.1e" % (error.max(), budget, scheme))
    limit = elastic_limit(known, rows)
    if known["mu"] == 0 and limit:
        good = good and abs(limit[0] - 1) <= 0.1
        print("    F / (B/2R^2) = %.3f + %.2f eps for eps < %g (bound: 1 within 0.1)" % (*limit, LOOSE))
    elif known["mu"] > 0:
        ratio = rows[calm, 3] * known["h"]**2 / known["B"]
        eps = np.sqrt(known["h"] / rows[calm, 2])
        sigma = (ratio - 0.5 * eps**4) / (known["mu"] * eps**3)
        print("    (F h2/B - eps^4/2) / (mu eps^3) = %.2f at eps = %.3f; median %.2f; published for eps -> 0: 0.492, unconfirmed" % (
            np.median(sigma[:10]), np.median(eps[:10]), np.median(sigma)))
    print("    %s" % ("good" if good else "FAULT"))
    return known, rows, good


def plot(path, found):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, (one, two) = plt.subplots(1, 2, figsize=(12, 5), constrained_layout=True)
    eps = np.geomspace(0.06, 0.7, 50)
    one.loglog(eps, 0.5 * eps**4, "k-", lw=1, label="elastic part B/2R²")
    for mu in sorted({known["mu"] for known, _ in found if known["mu"] > 0}):
        one.loglog(eps, 0.5 * eps**4 + mu * SIGMA * eps**3, "k--", lw=1, label="Audoly et al. 2007, mu = %g (unconfirmed)" % mu)
    for (known, rows), colour in zip(found, ("tab:blue", "tab:red", "tab:cyan", "tab:orange", "tab:green", "tab:purple")):
        calm = rows[rows[:, 0] > 0.1 * rows[-1, 0]]
        h, B, n = known["h"], known["B"], known["n"]
        label = "mu = %g, %d crossings, h = %g mm" % (known["mu"], 2 * known["n"] + 1, 1e3 * h)
        force = calm[:, 3] * h**2 / B
        one.loglog(np.sqrt(h / calm[:, 2]), force, ".", ms=4, color=colour, label=label)
        if known["mu"] > 0:
            two.loglog(n**2 * h / calm[:, 1], n**2 * force / known["mu"], ".", ms=4, color=colour, label=label)
            part = n**2 * (force - 0.5 * (h / calm[:, 2])**2) / known["mu"]
            two.loglog(n**2 * h / calm[:, 1], part, "x", ms=3, color=colour, alpha=0.5, label="the same less the elastic part")
    with open(MASTER, encoding="utf-8") as file:
        curve = np.array([[float(x) for x in row] for row in list(csv.reader(file))[1:]])
    two.loglog(curve[:, 3], curve[:, 4], "k-", lw=1, label="Jawed et al. 2015 as transcribed (unconfirmed)")
    two.loglog(curve[:, 5], curve[:, 6], "k--", lw=1, label="braid of least energy instead")
    one.set(xlabel="eps = sqrt(h / R)", ylabel="F h² / B", title="Traction against loop size", ylim=(5e-6, 1e3))
    two.set(xlabel="n² h / e", ylabel="n² F h² / (mu B)", title="With friction, against end shortening", xlim=(5e-4, 0.3),
            ylim=(1e-4, 1e3))
    for axes in (one, two):
        axes.grid(alpha=0.3, which="both", lw=0.4)
        axes.legend(fontsize=8)
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", nargs="+")
    parser.add_argument("--csv", help="to write: a row per run and frame")
    parser.add_argument("--plot", help="to write: a picture")
    given = parser.parse_args()
    found, good = [], True
    for directory in given.run:
        known, rows, well = judge(directory)
        found.append((known, rows))
        good = good and well
    if given.csv:
        with open(given.csv, "w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(("mu", "crossings", "time_s", "e_m", "R_m", "F_N", "elastic_part_B_over_2R2_N", "eps", "F_h2_over_B",
                            "kinetic_over_elastic"))
            for known, rows in found:
                for time, e, R, F, share in rows:
                    table.writerow((known["mu"], 2 * known["n"] + 1) + tuple("%.6g" % x for x in (
                        time, e, R, F, known["B"] / (2 * R**2), np.sqrt(known["h"] / R), F * known["h"]**2 / known["B"], share)))
    if given.plot:
        plot(given.plot, found)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
