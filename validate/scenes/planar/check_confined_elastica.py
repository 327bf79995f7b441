"""A strip between two walls: forces against the closed forms up to the first fold, then a cascade of folds."""
import csv
import os

import numpy as np

from run_data import finding, law_met, probe

WHAT = "Forces on the wall and along the strip are those of the elastica up to the first fold; each fold lets the wall's force fall."

SPAN, FIRST_HEIGHT, RADIUS, ELEMENTS = 0.9, 0.2, 1e-3, 80


def folds(force):
    """Frames before which the force falls by a third or more from its last maximum."""
    found, top = [], 0
    for k, value in enumerate(force):
        if value > force[top]:
            top = k
        elif value < 0.67 * force[top] and force[top] > 50:
            found.append(top)
            top = k
    return found


def forces(run):
    wall, clamp = probe(run, "wall"), probe(run, "clamp")
    return FIRST_HEIGHT - RADIUS - 0.105e-3 * wall["time"], wall["fy"], -clamp["fx"]


def check(run):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "reference", "confined_elastica_curves.csv")
    with open(path, encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if float(row["X_over_L"]) == SPAN]
    heights = np.array([float(row["Y_over_L"]) for row in rows])[::-1]
    on_wall = np.array([float(row["wall_force_top_L2_over_B"]) for row in rows])[::-1]
    along = np.array([float(row["H_L2_over_B"]) for row in rows])[::-1]
    height, v, h = forces(run)
    events = folds(v)
    first = events[0]
    judged = np.arange(len(height))[:first + 1][height[:first + 1] < 0.98 * heights[-1]]
    # The relative error of n elements is near 100 / n^2 for V, whatever the regime (capstan-bench confined).
    bound = 150 / ELEMENTS ** 2
    return [
        law_met(run),
        finding("force on the wall up to the first fold, off the closed form, rms relative",
                np.sqrt(np.mean((v[judged] / np.interp(height[judged], heights, on_wall) - 1) ** 2)), bound),
        finding("force along the strip, likewise",
                np.sqrt(np.mean((h[judged] / np.interp(height[judged], heights, along) - 1) ** 2)), bound),
        finding("height of the first fold (bounds: three equal flat parts, one on top)", height[first], 0.1388,
                0.095 < height[first] < 0.1388),
        finding("folds in all, at least 2", len(events), 2, len(events) >= 2),
    ]
