#!/usr/bin/env python3
"""Draws the paths of the dragged cloth's centroid with the exact cone and with four sides, beside the research code's if ../shared has it (drag_centroid.csv):
validate/scenes/cloth_drag.py RUN_CONE RUN_FOUR_SIDES PICTURE. Needs matplotlib. The runs are those of cloth.py: drag_cone.run and drag_four_sides.run."""
import os
import sys

import matplotlib
import numpy as np

import cloth_contact
from finished_run import Run

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


def main():
    cone, four, picture = sys.argv[1:4]
    figure, axes = pyplot.subplots(figsize=(6, 6))
    paths = [("exact cone", "#1f6fb4", "-") + cloth_contact.path(Run(cone)), ("four sides", "#d9822b", "-") + cloth_contact.path(Run(four))]
    reference = os.path.join(cloth_contact.SHARED, "drag_centroid.csv")
    if os.path.exists(reference):
        theirs = np.genfromtxt(reference, delimiter=",", names=True)
        paths.append(("research code, exact cone, adaptive mesh", "#777777", "--", theirs["t"], np.stack([theirs["cx"], theirs["cy"]], axis=1)))
    for name, colour, style, t, x in paths:
        steady = (t >= cloth_contact.STEADY[0]) & (t <= cloth_contact.STEADY[1])
        axes.plot(x[t >= 1, 0], x[t >= 1, 1], style, color=colour, label="%s: roundness %.1f %%" % (name, 100 * cloth_contact.roundness(x[steady])[0]))
    angle = np.linspace(0, 2 * np.pi, 200)
    axes.plot(0.5 * np.cos(angle), 0.5 * np.sin(angle), ":", color="#bbbbbb", label="the corner's circle")
    axes.set_aspect("equal")
    axes.set_xlabel("x, m")
    axes.set_ylabel("y, m")
    axes.set_title("Centroid of the dragged cloth from 1 s on")
    axes.legend(loc="center", fontsize=8)
    figure.savefig(picture, dpi=110, bbox_inches="tight")


if __name__ == "__main__":
    main()
