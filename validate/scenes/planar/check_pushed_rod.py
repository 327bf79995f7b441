"""Rods pushed on a table: how oblique they lean while they stick, when they slip, against the elastica."""
import csv
import os

import numpy as np

from run_data import finding, law_met, probe

WHAT = "A tip slips when the force of the clamped and hinged elastica above it leaves the cone of friction."

LENGTH, STIFFNESS, RADIUS = 0.3, 1e-3, 1e-3
RODS = {"05": 0.05, "10": 0.1, "20": 0.2, "30": 0.3}


def boundary():
    """mu_c over eps, of a rod without weight."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "reference", "stick_slip_boundary.csv")
    with open(path, encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if float(row["Gamma"]) == 0]
    return (np.array([0] + [float(row["eps=vertical_displacement/L"]) for row in rows]),
            np.array([0] + [float(row["mu_c=|Fx|/Fy"]) for row in rows]))


def check(run):
    eps_table, mu_table = boundary()
    obliqueness, crept, found = 0.0, 0.0, []
    for tag, mu in RODS.items():
        tip, top, force = probe(run, "tip_" + tag), probe(run, "top_" + tag), probe(run, "force_" + tag)
        eps = 1 - (top["y"] - RADIUS) / LENGTH
        x = (tip["x"] - top["x"]) / LENGTH
        pushed = -force["fy"] * LENGTH ** 2 / STIFFNESS
        ratio = np.abs(force["fx"]) / np.maximum(-force["fy"], 1e-12)
        slipped = int(np.argmax(ratio > mu * (1 - 1e-6)))  # the first saved frame on the cone
        # Before the top moves and right after, the rod still swings.
        stuck = np.arange(len(eps))[:slipped][eps[:slipped] > 0.005]
        if len(stuck):
            obliqueness = max(obliqueness, np.abs(ratio[stuck] / np.sqrt(np.interp(eps[stuck], eps_table, mu_table ** 2)) - 1).max())
            crept = max(crept, np.abs(x[stuck]).max())
        onset = np.interp(mu, mu_table, eps_table)
        step = eps[slipped] - eps[slipped - 1]
        found.append(finding(f"mu = {mu}: eps of slip, elastica {onset:.4f}, found in the frame before", eps[slipped], onset + 1.5 * step,
                             onset - 0.5 * step < eps[slipped] < onset + 1.5 * step))
        pressing = pushed > 1e-3 * pushed.max()
        found.append(finding(f"mu = {mu}: largest |Fx| / (mu Fy) - 1", (ratio[pressing] / mu).max() - 1, 1e-6))
        found.append(finding(f"mu = {mu}: force after over before the slip", np.median(pushed[slipped + 15:slipped + 25]) /
                             pushed[slipped - 1], 0.3))
    return [
        law_met(run),
        finding("|Fx| / Fy while they stick, off the elastica, relative", obliqueness, 0.005),
        finding("way of the tips while they stick over the length", crept, 1e-6),
    ] + found
