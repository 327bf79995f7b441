#!/usr/bin/env python3
"""Runs the scenes in which fibers lie on sheets (rope_on_cloth, hair_on_shawl) and checks them: validate/scenes/cloth_mixed.py [--only SCENE ...] [--runs DIRECTORY]
[--reuse]. Writes build/cloth/cloth_mixed.csv. Everything that cloth.py asks of a run is asked of these too; besides, in every saved frame no centreline of a fiber goes through a
triangle of a sheet, by the code of crossings.py, and the fiber's own thickness stays out of the sheet but for a part of it."""
import argparse
import os
import sys

import numpy as np

import cloth
import crossings

CURVE = 0  # of items: what is drawn along a centreline


def fibers_of(run, frame, sheets):
    """Vertices and radii of the fibers of a frame, by number of the body."""
    return {int(run.items["id"][i]): (run.position[run.vertices_of(i)], run.radius[run.vertices_of(i)])
            for i in run.items_of(frame) if run.items["owner"][i] == 0 and run.items["id"][i] not in sheets}


def through(run, frame, sheets):
    """Pairs of a stretch of a fiber and a triangle that cross, and the least distance of a centreline from a sheet over what both are thick."""
    fibers, crossed, nearest = fibers_of(run, frame, sheets), 0, np.inf
    for number in sheets:
        sheet = cloth.Sheet(run, number)
        x, half = sheet.position(frame), run.radius[run.vertices_of(sheet.item(frame))].max()
        corner = [x[sheet.triangles[:, k]] for k in range(3)]
        for line, radius in fibers.values():
            edges = np.stack([np.arange(len(line) - 1), np.arange(1, len(line))], axis=1)
            crossed += len(crossings.edges_through(line, edges, x, sheet.triangles, False))
            low, high = line.min(axis=0) - 0.02, line.max(axis=0) + 0.02
            near = np.all((np.minimum.reduce(corner) <= high) & (np.maximum.reduce(corner) >= low), axis=1)
            for p in line if near.any() else []:
                nearest = min(nearest, crossings.point_triangles(p, *(c[near] for c in corner)).min() / (radius.max() + half))
    return crossed, nearest


def check_apart(run):
    sheets = cloth.sheets_of(run)
    found = [through(run, f, sheets) for f in range(len(run.frames["time"]))]
    return [("stretches of fibers that go through a triangle, all frames", sum(c for c, _ in found), 0),
            ("1 less the least distance of a centreline over both thicknesses", 1 - min(d for _, d in found), 0.25)]


def vertical_force(run, sheets):
    """N: on the fibers by the sheets in the last frame, upwards, and how many contacts push."""
    contacts, last = run.cache["contacts"], len(run.frames["time"]) - 1
    first, count = run.frames["first_contact"][last], run.frames["contacts"][last]
    a, b, force = (contacts[k][first:first + count] for k in ("body_a", "body_b", "force"))
    on_a, on_b = np.isin(a, sheets), np.isin(b, sheets)
    sign = np.where((on_a == on_b) | (b <= 0), 0, np.where(on_b, 1, -1))
    return float((sign * force[:, 2]).sum()), int((sign != 0).sum())


def check_rope(run):
    """At the end it lies on the cloth, which carries all of it."""
    sheets, last = cloth.sheets_of(run), len(run.frames["time"]) - 1
    rope = run.scene["fibers"][0]
    weight = rope["length"] * rope["mass_per_length"] * 9.81
    force, contacts = vertical_force(run, sheets)
    line, before = (list(fibers_of(run, f, sheets).values())[0][0] for f in (last, last - 5))
    speed = np.linalg.norm(line - before, axis=1).max() / (run.frames["time"][last] - run.frames["time"][last - 5])
    return check_apart(run) + [("force of the cloth on the rope against its weight, relative", abs(force / weight - 1), 0.05),
                               ("5 less its contacts with the cloth", 5 - contacts, 0), ("fastest point of the rope at the end, m/s", speed, 0.02)]


def check_hair(run):
    """Half of the hair at least lies on the shawl at the end."""
    sheets = cloth.sheets_of(run)
    force, contacts = vertical_force(run, sheets)
    return check_apart(run) + [("12 less the contacts of hair with the shawl", 12 - contacts, 0), ("minus the force of the shawl on the hair, N", -force, 0)]


JOBS = [("rope_on_cloth", "thrown", [], check_rope), ("hair_on_shawl", "falls", [], check_hair)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", help="names of scenes")
    parser.add_argument("--runs", default="build/cloth")
    parser.add_argument("--reuse", action="store_true", help="check the runs that are there")
    options = parser.parse_args()
    os.makedirs(options.runs, exist_ok=True)
    rows = cloth.run_jobs([job + (False,) for job in JOBS if not options.only or job[0] in options.only], options.runs, options.reuse)
    cloth.write_table(os.path.join(options.runs, "cloth_mixed.csv"), rows)
    return 1 if any(row["faults"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
