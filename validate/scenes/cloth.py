#!/usr/bin/env python3
"""Runs the scenes of cloth (scenes/cloth) and checks them with code of its own: validate/scenes/cloth.py [--only NAME ...] [--runs DIRECTORY] [--reuse]
[--long]. Writes build/cloth/cloth.csv and a table. Jobs that take minutes need --long.

Of every run: no step failed, E at most 1e-6 (of most: the tolerance of the scene), the budget of energies closes, and no triangle of a sheet crosses another one, an
obstacle or a rigid body in any saved frame (crossings.py). Each job has a check of its own besides, which says what it found and what was asked."""
import argparse
import csv
import math
import os
import resource
import subprocess
import sys

import numpy as np

import cloth_contact
import crossings
from cloth_sheet import Sheet, sheets_of
from finished_run import Run

LARGEST_E = 1e-6
CLOSED, ROUNDING = 1e-3, 1e-12  # of the energy that gravity gave; of all gravitational energy, for each step


# ------------------------------------------------------------------------------------------------------------ checks of scenes
# Each returns rows (what, found, bound): found must be at most the bound.

SLOPE, GRAVITY, START = math.radians(25), 9.8, 0.2


def slope_speeds(run):
    cloth, frames = Sheet(run, 1), len(run.frames["time"])
    return np.array([np.linalg.norm(cloth.weight @ cloth.velocity(f)) for f in range(frames)])


def check_slides(run):
    """Free fall, then the speed along the slope: what friction takes at the impact is mu times what the plane takes, and so the time of the impact drops out."""
    t, speed = run.frames["time"], slope_speeds(run)
    first = int(np.argmax(run.steps["contacts"] > 0)) + 1  # frame after the first step with contacts
    mu = run.scene["friction"]
    fall = START + GRAVITY * t
    form = np.where(np.arange(len(t)) < first, fall, fall * (math.sin(SLOPE) - mu * math.cos(SLOPE)))
    error = np.abs(speed - form)
    far = np.delete(error, [first, first + 1])
    way = Sheet(run, 1).centroid(-1 + len(t)) - Sheet(run, 1).centroid(0)
    hit = t[first]
    along = (START * hit + GRAVITY * hit ** 2 / 2) * math.sin(SLOPE) + (START * (t[-1] - hit) + GRAVITY * (t[-1] ** 2 - hit ** 2) / 2) * (
        math.sin(SLOPE) - mu * math.cos(SLOPE))
    went = way @ [math.cos(SLOPE), 0, -math.sin(SLOPE)]
    return [("speed against the closed form, all steps but two, m/s", far.max(), 1e-4),
            ("way along the slope against the closed form, m (g T dt of the scheme)", abs(went - along), GRAVITY * t[-1] * 1e-3)]


def check_sticks(run):
    cloth, last = Sheet(run, 1), len(run.frames["time"]) - 1
    half = last // 2
    creep = np.linalg.norm(cloth.position(last) - cloth.position(half), axis=1).max() / (run.frames["time"][last] - run.frames["time"][half])
    return [("creep of the fastest node over the second half, m/s", creep, 1e-9),
            ("speed of the fastest node at the end, m/s", np.linalg.norm(cloth.velocity(last), axis=1).max(), 1e-9)]


TAUT = 0.4  # s: the end of the towel has been let go and the towel has settled


def towel_rise(run):
    """How far the end of the short side rises, and its way over the last 0.2 s."""
    cloth, t = Sheet(run, 1), run.frames["time"]
    z = np.array([cloth.position(f)[:6, 2].mean() for f in range(len(t))])
    return z[-1] - z[np.argmax(t >= TAUT)], z[-1] - z[np.argmax(t >= t[-1] - 0.2)]


def check_holds(run):
    rise, last = towel_rise(run)
    return [("the short side rises after it was let go, m", abs(rise), 1e-4), ("creep over the last 0.2 s, m/s", abs(last) / 0.2, 1e-6)]


def check_slips(run):
    rise, _ = towel_rise(run)
    return [("10 mm less what the short side rises, m", 0.01 - rise, 0.0)]


# ------------------------------------------------------------------------------------------------------------------------ jobs

# Scene, name of the job, settings, check, long
JOBS = [
    ("inclined_plane", "slides", ["output.frame_interval=0.001"], check_slides, False),
    ("inclined_plane", "barely", ["output.frame_interval=0.001", "friction=0.46"], check_slides, False),
    ("inclined_plane", "sticks", ["friction=0.5"], check_sticks, False),
    ("inclined_plane", "holds", ["friction=0.47"], check_sticks, False),
    ("drag", "cone", [], cloth_contact.check_drag, False),
    ("drag", "four_sides", ["solver.local=pyramid", "solver.failsafe=false", "solver.name=gauss-seidel", "solver.max_iterations=200"], cloth_contact.check_four_sides, True),
    ("flag", "folds", [], cloth_contact.check_flag, True),
    ("house_of_cards", "stands", [], cloth_contact.check_stands, True),
    ("house_of_cards", "begins", ["duration=0.5", "solver.tolerance=1e-6"], cloth_contact.check_settles, False),
    ("house_of_cards", "falls", ["friction=0.2", "duration=1", "solver.tolerance=1e-6"], cloth_contact.check_collapses, True),
    ("belt", "turns", [], cloth_contact.check_belt, True),
    ("belt_braked", "slides", [], cloth_contact.check_capstan, True),
    ("tablecloth", "fast", [], cloth_contact.check_keeps, True),
    ("tablecloth", "slow", ["sheets.cloth.handles[0].motion.file=meshes/pull_slow.csv"], cloth_contact.check_takes, True),
    ("towel", "holds", [], check_holds, True),
    ("towel", "slips", ["sheets.towel.file=meshes/towel_slips.obj"], check_slips, True),
    ("box_and_cone", "drapes", ["duration=0.53", "output.frame_interval=0.01"], lambda run: [], True),
    ("on_sphere", "mu_0", ["friction=0"], cloth_contact.check_on_sphere, True),
    ("on_sphere", "mu_01", ["friction=0.1"], cloth_contact.check_on_sphere, True),
    ("on_sphere", "mu_03", ["friction=0.3"], cloth_contact.check_on_sphere, True),
    ("on_sphere", "mu_06", ["friction=0.6"], cloth_contact.check_on_sphere, True),
]


def start(scene, directory, settings):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = ["build/capstan", "run", "scenes/cloth/%s.json" % scene, "--out", directory, "--force", "--progress", "none"]
    for setting in settings:
        command += ["--set", setting]
    status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    return status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def count_crossings(run):
    """Frames with a crossing, and the largest number in one."""
    sheets = sheets_of(run)
    found = [crossings.count(run, f, sheets) for f in range(len(run.frames["time"]))]
    return sum(1 for n in found if n), max(found)


def check(scene, job, directory, seconds, own_check):
    run = Run(directory)
    steps = run.steps
    crossed, most = count_crossings(run)
    touching = steps["contacts"] > 0
    milliseconds = {key: 1e3 * run.timings["seconds_" + key].mean() for key in ("assemble", "detect", "detect_end", "track", "friction_solve", "total")}
    row = dict(scene=scene, job=job, vertices=sum(len(Sheet(run, n).weight) for n in sheets_of(run)), seconds=float(run.frames["time"][-1]),
               steps=len(steps["time"]), shortest_dt=steps["dt"].min(), retries=int(steps["retries"].sum()), missed=int((steps["status"] != 0).sum()),
               error=steps["error"].max(), contacts=float(steps["contacts"][touching].mean()) if touching.any() else 0.0,
               iterations=float(steps["iterations"][touching].mean()) if touching.any() else 0.0, frames=len(run.frames["time"]), crossed=crossed, crossings=most,
               depth=steps["penetration"].max(), gravity_gave=np.ptp(steps["energy_gravity"]), unexplained=abs(steps["energy_unexplained"]).max(),
               cpu_ms_per_step=1e3 * seconds / len(steps["time"]) if seconds else float("nan"), **{"wall_ms_" + k: v for k, v in milliseconds.items()})
    faults = []
    if getattr(own_check, "exact", True) and (row["error"] > LARGEST_E or row["missed"]):
        faults.append("E")
    if crossed:
        faults.append("crossed")
    gave = row["gravity_gave"] or np.ptp(steps["energy_elastic"])  # without gravity: handles
    if row["unexplained"] > CLOSED * gave + ROUNDING * row["steps"] * abs(steps["energy_gravity"]).max():
        faults.append("energy")
    findings = own_check(run)
    faults += [what for what, found, bound in findings if not found <= bound]
    row["findings"] = "; ".join("%s: %.4g (bound %.4g)" % f for f in findings)
    row["faults"] = "; ".join(faults)
    return row


def run_jobs(jobs, runs, reuse):
    """Runs and checks them; one row for each."""
    rows = []
    for scene, job, settings, own_check, _ in jobs:
        directory, status, seconds = os.path.join(runs, "%s_%s.run" % (scene, job)), 0, None
        if not (reuse and os.path.exists(directory)):
            status, seconds = start(scene, directory, settings)
        rows.append(check(scene, job, directory, seconds, own_check))
        if status not in (0, 1):
            rows[-1]["faults"] += "; exit code %d" % status
        print("\n  ".join("%s %s" % (k, "%.3g" % v if isinstance(v, float) else v) for k, v in rows[-1].items()), flush=True)
    return rows


def write_table(path, rows):
    with open(path, "w", newline="") as out:
        table = csv.DictWriter(out, rows[0].keys())
        table.writeheader()
        table.writerows(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", help="names of scenes, or SCENE/JOB")
    parser.add_argument("--runs", default="build/cloth")
    parser.add_argument("--reuse", action="store_true", help="check the runs that are there")
    parser.add_argument("--long", action="store_true", help="also what takes minutes")
    options = parser.parse_args()
    os.makedirs(options.runs, exist_ok=True)
    asked = [job for job in JOBS if not options.only or job[0] in options.only or "%s/%s" % job[:2] in options.only]
    rows = run_jobs([job for job in asked if options.only or options.long or not job[4]], options.runs, options.reuse)
    write_table(os.path.join(options.runs, "cloth.csv"), rows)
    return 1 if any(row["faults"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
