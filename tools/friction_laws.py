#!/usr/bin/env python3
"""One scene, three friction laws, one picture: tools/friction_laws.py [--out FILE.png] [--command build/capstan] [--run DIR]

scenes/rigid/kicked_blocks.json: sixteen blocks on a slope, kicked in all directions. Where is each after 10 s?

  right     capstan run: 16 boxes, four contacts each, the exact law
  left      a friction cone with four sides: |r_x| <= mu r_N and |r_y| <= mu r_N along fixed axes
  middle    a smoothed law: friction mu r_N v / max(|v|, EPS), EPS = 1 cm/s

Left and middle are not other simulators. They are point masses integrated here, in steps of 0.1 ms, with the law named: what the law itself does, with
nothing else wrong. Many engines have one of the two, with axes and EPS of their own. The dashed line is the exact law for a point mass, the same way.
Prints how far each law is from it.
"""
import argparse
import csv
import math
import os
import subprocess
import sys

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRAVITY, NORMAL, MU, SPEED, START, END = np.array([0.0, -1.9239]), 9.6194, 0.4, 1.0, 0.12, 10.0
EPS, STEP, COUNT = 0.01, 1e-4, 16
INK, BLUE, ORANGE, GREY = "#1c2330", "#2f6fb3", "#c8642a", "#8a94a3"


def exact(v, dt):
    """Largest impulse mu N dt against the motion that gravity would make; at rest if that is enough."""
    free = v + GRAVITY * dt
    speed = np.linalg.norm(free, axis=1, keepdims=True)
    return free * np.maximum(0.0, 1 - MU * NORMAL * dt / np.maximum(speed, 1e-300))


def pyramid(v, dt):
    """Each axis for itself: as much as mu N dt along x, as much along y."""
    free = v + GRAVITY * dt
    return np.sign(free) * np.maximum(0.0, np.abs(free) - MU * NORMAL * dt)


def smoothed(v, dt):
    """Implicit in v, so that the step does not ring: v+ = v + g dt - mu N dt v+ / max(|v+|, EPS)."""
    free = v + GRAVITY * dt
    speed = np.linalg.norm(free, axis=1, keepdims=True)
    fast = free * (1 - MU * NORMAL * dt / np.maximum(speed, 1e-300))
    slow = free / (1 + MU * NORMAL * dt / EPS)
    return np.where(speed - MU * NORMAL * dt > EPS, fast, slow)


def integrate(law, count=COUNT):
    angle = 2 * math.pi * np.arange(count) / count
    out = np.column_stack([np.cos(angle), np.sin(angle)])
    x, v, path = START * out, SPEED * out, [START * out]
    for step in range(int(round(END / STEP))):
        v = law(v, STEP)
        x = x + STEP * v
        if step % 200 == 199:
            path.append(x.copy())
    return np.array(path), np.linalg.norm(v, axis=1).max()


def simulate(command, run):
    """Centres of the blocks in each frame, and the largest speed over the last second, of the run that is there or is made here."""
    if not os.path.exists(os.path.join(run, "outcome.json")):
        subprocess.run([command, "run", os.path.join(ROOT, "scenes", "rigid", "kicked_blocks.json"), "--out", run, "--progress", "none"], check=True)
    table = run + "_csv"
    subprocess.run([command, "export", run, "--format", "csv", "--out", table, "--force"], check=True, stdout=subprocess.DEVNULL)
    places = {}
    with open(os.path.join(table, "positions.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["owner"] in ("0", "body"):
                places.setdefault(int(row["frame"]), {}).setdefault(int(row["id"]), []).append((float(row["x"]), float(row["y"])))
    path = np.array([[np.mean(places[frame][body], axis=0) for body in sorted(places[frame])] for frame in sorted(places)])
    return path, np.linalg.norm(path[-1] - path[-26], axis=1).max()


def draw(panels, limit, path):
    import matplotlib
    matplotlib.use("agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 11, "text.color": INK})
    figure, axes = plt.subplots(1, 3, figsize=(12, 4.9))
    for ax, (title, note, way, colour) in zip(axes, panels):
        ax.fill(limit[:, 0], limit[:, 1], facecolor="#f2f4f7", edgecolor=GREY, linestyle=(0, (4, 3)), linewidth=1)
        for body in range(way.shape[1]):
            ax.plot(way[:, body, 0], way[:, body, 1], color=colour, linewidth=1.3, alpha=0.75)
        ax.scatter(way[0, :, 0], way[0, :, 1], s=9, color=GREY, zorder=3)
        ax.scatter(way[-1, :, 0], way[-1, :, 1], s=58, marker="s", color=colour, edgecolor=INK, linewidth=0.7, zorder=4)
        ax.set_title(title, fontsize=13, fontweight="bold", loc="left")
        ax.text(0, -0.03, note, transform=ax.transAxes, va="top", fontsize=10.5)
        ax.set_aspect("equal")
        ax.set_xlim(-0.33, 0.33)
        ax.set_ylim(-0.46, 0.24)
        ax.set_axis_off()
    axes[0].annotate("", xy=(-0.31, 0.09), xytext=(-0.31, 0.21), arrowprops={"arrowstyle": "-|>", "color": GREY})
    axes[0].text(-0.295, 0.15, "downhill", color=GREY, va="center", fontsize=10)
    figure.subplots_adjust(left=0.01, right=0.99, top=0.93, bottom=0.13, wspace=0.02)
    figure.savefig(path, dpi=110, facecolor="white")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(ROOT, "docs", "images", "friction_laws.png"))
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    parser.add_argument("--run", default=os.path.join(ROOT, "build", "kicked_blocks.run"))
    asked = parser.parse_args()
    limit, _ = integrate(exact, 96)
    four, four_speed = integrate(pyramid)
    soft, soft_speed = integrate(smoothed)
    ours, ours_moved = simulate(asked.command, asked.run)
    true = integrate(exact)[0][-1]
    off = [1e3 * np.linalg.norm(way[-1] - true, axis=1).max() for way in (four, soft, ours)]
    print(f"{'law':<24}{'farthest from the exact place':>32}{'still moving at':>20}")
    for name, distance, speed in (("four-sided cone", off[0], four_speed), ("smoothed, 1 cm/s", off[1], soft_speed), ("exact, capstan run", off[2], ours_moved)):
        print(f"{name:<24}{distance:>29.2f} mm{speed:>17.2g} m/s")
    draw([("Pyramid", f"stops up to {off[0]:.0f} mm from the right place", four, ORANGE),
          ("Smoothed (penalty)", f"never stops: creeps downhill at {1e3 * soft_speed:.0f} mm/s", soft, ORANGE),
          ("Exact (Capstan)", f"stops within {off[2]:.1f} mm, and stays", ours, BLUE)], limit[-1], asked.out)
    return 0 if off[2] < 2 and ours_moved < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
