#!/usr/bin/env python3
"""Runs scenes of hair (scenes/hair), checks them with code of its own and rebuilds Table 1 of Daviet, Bertails-Descoubes and Boissieux 2011:
validate/scenes/hair.py [--only JOB ...] [--runs DIRECTORY] [--reuse] [--long] [--threads N]. Writes build/hair/hair.csv and build/hair/table1.md. Jobs that take more than a
minute or two need --long; with HAIR_SECONDS in the environment these run as many seconds as it says instead of one.

Of every run: no step over the tolerance of the scene, none that failed, the budget of energies closes. Each job has checks of its own besides:
  table      nothing but its row of Table 1: contacts that push are counted (they stick or slide), not candidates;
  friction   against the same hair without: hull of the hair and relative motion of neighbours while the head moves, hairs held on the bust; of one alone, hair that crosses the parting;
  parting    combed against the growth of the hair (parting.json): open at the end with friction, closed without friction,
             and closed in hair that is too stiff for friction to hold;
  rest       drift of contact points over the last second, E there;
  energy     kinetic + elastic + gravity after the head has stopped: it never rises;
  occupancy  against the same hair that passes through itself: volume that the hair fills at rest, what overlaps counted once;
  overlap    of fibers with each other and with the head in saved frames (fibers/check_overlap_space.py);
  bits       one thread, two threads, killed and resumed: the same cache, bit by bit (kill_resume.py)."""
import argparse
import csv
import itertools
import json
import os
import resource
import subprocess
import sys
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "fibers"))

import check_overlap_space as overlap  # noqa: E402
import hair_friction  # noqa: E402
import still  # noqa: E402
from fiber_data import CURVE, Run  # noqa: E402
from kill_resume import compare_caches  # noqa: E402

ROOT = os.path.join(HERE, os.pardir, os.pardir)
COMMAND = os.path.join(ROOT, "build", "capstan")

# Fibers, mean and largest number of contacts, steps over tolerance in %, largest error, mean iterations, seconds in Gauss-Seidel, in the contact solver, in a step.
PAPER = {"free_a": (1920, 24659, 46915, 0.056, 0.004, 136, 2.60, 4.06, 7.15),
         "free_b": (1920, 28153, 36287, 0.13, 0.037, 160, 5.3, 7.0, 11.1),
         "pony": (334, 9850, 16613, 0.42, 0.003, 301, 4.43, 5.25, 6.2),
         "curly": (1920, 21425, 33578, 0.013, 0.003, 118, 2.26, 3.39, 7.54)}
CLOSED = 0.01           # of the energy that has moved: what the budget may leave unexplained (docs/world.md)
RISE = 1e-3             # of the energy that leaves after the head has stopped: what may come back
OVERLAP = 0.01          # contact radii
DRIFT = 1e-6            # contact radii per second
ACROSS = 0.01           # of the points of hair: an open parting has at most this share of the points across it
ENDS_STAY, ENDS_LEAVE = 0.25, 0.5  # lengths of a hair: motion of ends that friction holds, and of ends that turn back
CLOSED_PARTING = 0.1    # of the points of hair: a closed parting has at least this share of the points across it
HEAD_STOPS = 1.6        # s: last key of wisp.json
WISP_SECONDS = 3.2      # twice the time in which the head moves: what the bust holds has come to hang
NO_FRICTION = ["friction=0", "obstacles.head.friction=0", "obstacles.bust.friction=0"]
# The parting of parting.json is on the top of the head (src/groom/comb.h), m. The first element of a hair, 17 mm long, turns by
# 84 degrees and begins at 39 degrees across the parting, so this arc reaches 3 mm across. Only hair farther across than
# PARTING_MARGIN counts.
PARTING_END, PARTING_HEIGHT, PARTING_MARGIN, PARTING_NEAR = -0.05, 0.07, 0.005, 0.03


# ----------------------------------------------------------------------------------------------------------------------- checks
# Each returns rows (what, found, bound): found must be at most the bound.


def total_energy(run):
    return sum(run.steps("energy_kinetic", "energy_elastic", "energy_gravity"))


def check_energy(run, head_stops=HEAD_STOPS):
    """After the head has stopped nothing puts energy in: each value is at most the least before it."""
    time, = run.steps("time")
    energy = total_energy(run)[time > head_stops]
    rise = (energy - np.minimum.accumulate(energy)).max()
    return [("energy that comes back after the head has stopped, of what leaves", rise / (energy[0] - energy.min()), RISE)]


def check_energy_always(run):
    """The head never moves."""
    return check_energy(run, 0.0)


def check_overlap(run, every=5):
    table = overlap.survey(run, every)
    return [("deepest overlap in %d frames, radii" % len(table), max(row[2] for row in table), OVERLAP),
            ("chords through the meshes", float(sum(row[8] for row in table)), 0.0)]


def pressing_drift(run, frames):
    """Largest way of a contact that presses in all these frames, radii per second. The nearest places of two hairs that lie apart side by side run far for next to no motion."""
    cache, radius, place = run.cache, still.radii(run), {}
    for frame in frames:
        begin = int(cache["frames/first_contact"][frame])
        rows = slice(begin, begin + int(cache["frames/contacts"][frame]))
        pressed = np.linalg.norm(cache["contacts/force"][rows], axis=1) > 0
        now = {int(i): (x, int(a)) for i, x, a in zip(cache["contacts/id"][rows][pressed], cache["contacts/position"][rows][pressed], cache["contacts/body_a"][rows][pressed])}
        place = {i: [*place.get(i, []), x] for i, x in now.items() if frame == frames[0] or i in place}
    ways = [np.linalg.norm(seen[-1][0] - seen[0][0]) / radius[seen[0][1]] for seen in place.values()]
    return max(ways) / (run.times[frames[-1]] - run.times[frames[0]])


def check_rest(run):
    frames = still.last_frames(run, 1.0)
    slip, points = still.contact_drift(run, frames)[3], still.point_drift(run, frames)[0]
    time, error, sticking, sliding = run.steps("time", "error", "sticking", "sliding")
    late = time > time[-1] - 1.0
    pushing = (sticking + sliding)[late]
    return [("drift of contacts that press over the last second, radii/s", pressing_drift(run, frames), DRIFT),
            ("drift of all vertices, radii/s", points, DRIFT), ("slip of contacts that press, radii/s", slip, DRIFT),
            ("E over the last second", error[late].max(), 1e-6),
            ("1 over the contacts that push, least of that second", 1.0 / max(float(pushing.min()), 1e-9), 0.1)]


def strands(run, frame):
    """Centrelines (hairs, points, 3) of a frame; all have as many points."""
    return np.array([item.position for item in run.look(frame) if item.owner == 0 and item.kind == CURVE])


def on_head(run, frame):
    """Centrelines of a frame in the axes of the head."""
    item = next(one for one in run.look(frame) if one.owner == 1 and one.name == "head")
    first = next(one for one in run.look(0) if one.owner == 1 and one.name == "head")
    R, shift = overlap.moved(first.position, item.position)
    return (strands(run, frame) - shift) @ R


def across_parting(run, frame):
    """Share of the points of hair above the ears that lie on the other side of the parting than their roots, seen from the head."""
    place = on_head(run, frame)
    high = place[:, 1:, 2] > 0.02
    other = place[:, 1:, 1] * np.sign(place[:, :1, 1]) < 0
    return float((high & other).sum() / high.sum())


def check_parting(run):
    """On wisp.json the parting stays without friction too: that it closes is not claimed."""
    return [("hair across the parting at the end, share", across_parting(run, len(run.times) - 1), ACROSS)]


def combed_parting(run):
    """Of parting.json, at the end: of the points on the top of the head of hairs with roots to the left of the parting, the share
    that lies across the parting; and the median motion of the ends of hairs with roots beside the parting towards it, in lengths
    of a hair."""
    begin, place = on_head(run, 0), on_head(run, len(run.times) - 1)
    left = begin[:, 0, 1] > 0
    top = (place[:, 1:, 0] > PARTING_END) & (place[:, 1:, 2] > PARTING_HEIGHT) & left[:, None]
    beside = left & (begin[:, 0, 1] < PARTING_NEAR) & (begin[:, 0, 0] > PARTING_END)
    length = np.linalg.norm(np.diff(begin, axis=1), axis=2).sum(axis=1)
    way = (begin[:, -1, 1] - place[:, -1, 1]) / length
    return float((place[:, 1:, 1] < -PARTING_MARGIN)[top].mean()), float(np.median(way[beside]))


def check_parting_open(run):
    share, way = combed_parting(run)
    return [("hair across the combed parting at the end, share", share, ACROSS),
            ("motion of the ends towards it, lengths", way, ENDS_STAY)]


def check_parting_closed(run):
    share, way = combed_parting(run)
    return [("hair across the combed parting at the end, share, with its sign changed", -share, -CLOSED_PARTING),
            ("motion of the ends towards it, lengths, with its sign changed", -way, -ENDS_LEAVE)]


def against(run, other):
    """Figures of a run and of the same without friction: what friction makes smaller."""
    one, two = (hair_friction.in_motion(each, 0.5, HEAD_STOPS) for each in (run, other))
    held = [hair_friction.on_obstacle(each, "bust", np.inf, 0.3) for each in (run, other)]
    return [("hull of the hair in motion, litres: less than without friction", one[0], two[0]),
            ("relative motion of neighbours: less", one[2], two[2]),
            ("hairs held on the bust, with its sign changed: more", -float(held[0][0]), -float(held[1][0])),
            ("sliding on the bust, radii/s: less", held[0][1], held[1][1])]


def fuller(run, other):
    """Hair that cannot pass through itself fills more than hair that can, at rest."""
    one, two = (hair_friction.occupied(each, len(each.times) - 1, max(still.radii(each).values())) for each in (run, other))
    return [("volume that hair fills at the end, litres, with its sign changed: more than if it passes through itself", -one, -two)]


# ------------------------------------------------------------------------------------------------------------------------ jobs


class Job:
    def __init__(self, scene, settings=(), checks=(), seconds=None, tolerance=1e-4, long=False, without=None, through=None,
                 against_through=None):
        self.scene, self.settings, self.checks, self.seconds = scene, list(settings), checks, seconds
        self.tolerance, self.long, self.without = tolerance, long, without
        self.through, self.against_through = through, against_through  # names of hairs that pass through each other; the job that has them


JOBS = {
    "wisp_frictionless": Job("wisp", NO_FRICTION, seconds=WISP_SECONDS),
    "wisp_through": Job("wisp", seconds=WISP_SECONDS, through=["hair_%d" % (i + 1) for i in range(100)]),
    "wisp": Job("wisp", [], (check_energy, check_overlap, check_parting), seconds=WISP_SECONDS, without="wisp_frictionless", against_through="wisp_through"),
    # Hair that hangs swings for long: with this drag a swing loses 1/e in a quarter of a second.
    "wisp_rest": Job("wisp", ["generators.hair.count=40", "generators.hair.of.fiber.drag=0.05", "solver.tolerance=1e-8"], (check_energy, check_rest), seconds=8,
                     tolerance=1e-8),
    "parting": Job("parting", checks=(check_energy_always, check_overlap, check_parting_open)),
    "parting_frictionless": Job("parting", NO_FRICTION[:2], (check_energy_always, check_overlap, check_parting_closed)),
    # Three times as stiff: friction holds a turn of 32 degrees at the root (docs/hair.md), and the hair turns by 84 degrees.
    "parting_stiff": Job("parting", ["generators.hair.of.fiber.bending_stiffness=2.26e-7"],
                         (check_energy_always, check_overlap, check_parting_closed)),
    "free_a_start": Job("free_a", ["output.checkpoint_interval=0.002"], seconds=0.02),
    "free_a": Job("free_a", long=True, seconds=1),
    # Strands as thick as 52 hairs that fill a tenth of them, and longer: more contacts, nearer to the paper's number.
    "free_a_dense": Job("free_a", ["generators.hair.of.fiber.radius=1e-3", "generators.hair.of.fiber.length=0.4"], long=True, seconds=1),
    "free_a_frictionless": Job("free_a", NO_FRICTION, long=True, seconds=1),
    "free_b": Job("free_b", long=True, seconds=1),
    "pony": Job("pony", long=True, seconds=1),
    "curly": Job("curly", long=True, seconds=1),
}


def scene_of(job, directory):
    """Its scene, or one beside its run in which its hairs never touch each other; they still touch the head."""
    path = os.path.abspath(os.path.join(ROOT, "scenes", "hair", job.scene + ".json"))
    if not job.through:
        return path
    apart = directory + ".json"
    with open(apart, "w", encoding="utf-8") as out:
        json.dump({"extends": path, "friction": {"default": 0.3, "pairs": [{"between": pair, "touch": False} for pair in itertools.combinations(job.through, 2)]}}, out)
    return apart


def command(job, directory, threads):
    line = [COMMAND, "run", scene_of(job, directory), "--out", directory, "--progress", "none", "--threads", str(threads)]
    for setting in job.settings:
        line += ["--set", setting]
    seconds = float(os.environ.get("HAIR_SECONDS", job.seconds)) if job.long else job.seconds
    return line + (["--duration", str(seconds)] if seconds else [])


def start(job, directory, threads):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    status = subprocess.run([*command(job, directory, threads), "--force"], stdout=subprocess.DEVNULL, check=False).returncode
    return status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def table_row(run, processor):
    """Means over steps in which something pushes; contacts are those that stick or slide. A contact solve is all from the matrices of the bodies to
    their velocities: set-up, sweeps, judge, and what is made for them and of them."""
    step = {name: run.steps(name)[0] for name in ("contacts", "sticking", "sliding", "error", "iterations", "status", "dt", "retries", "time",
                                                  "energy_unexplained", "energy_gravity")}
    seconds = {name: run.cache["timings/seconds_" + name][()] for name in ("friction_setup", "friction_solve", "friction_judge", "apply", "rows", "detect",
                                                                           "detect_end", "total")}
    pushing = step["sticking"] + step["sliding"]
    some = pushing > 0
    solve = sum(seconds[name] for name in ("friction_setup", "friction_solve", "friction_judge", "apply", "rows"))
    steps = len(pushing)
    return dict(fibers=sum(1 for item in run.look(0) if item.owner == 0 and item.kind == CURVE), seconds=float(step["time"][-1]), steps=steps,
                contacts=float(pushing[some].mean()), contacts_most=int(pushing.max()), candidates=float(step["contacts"][some].mean()),
                over=100 * float((step["status"] != 0).mean()), error=float(step["error"].max()), iterations=float(step["iterations"][some].mean()),
                sweeps_s=float(seconds["friction_solve"][some].mean()), solve_s=float(solve[some].mean()), step_s=float(seconds["total"][some].mean()),
                detect_s=float((seconds["detect"] + seconds["detect_end"])[some].mean()), us_per_contact=1e6 * float(seconds["total"].sum() / pushing.sum()),
                mean_dt=float(step["time"][-1] / steps), retries=int(step["retries"].sum()), processor_s=processor / steps if processor else float("nan"),
                unexplained=float(np.abs(step["energy_unexplained"]).max()), moved=float(np.ptp(step["energy_gravity"])))


def examine(name, directory, runs, status, processor):
    job, run = JOBS[name], Run(directory)
    row = dict(job=name, **table_row(run, processor))
    findings = [("E", row["error"], job.tolerance), ("steps over the tolerance, %", row["over"], 0.0),
                ("energy unexplained, of what gravity moved", row["unexplained"] / row["moved"], CLOSED)]
    for check in job.checks:
        findings += check(run)
    for beside, compare in ((job.without, against), (job.against_through, fuller)):
        if beside:
            other = Run(os.path.join(runs, beside + ".run"))
            if other.times[-1] < run.times[-1]:
                raise ValueError("%s ends at %g s, %s at %g s: nothing to compare" % (beside, other.times[-1], name, run.times[-1]))
            findings += compare(run, other)
    faults = [what for what, found, bound in findings if not found <= bound]
    if status not in (0, 1):
        faults.append("exit code %d" % status)
    row["findings"] = "; ".join("%s: %.4g (bound %.4g)" % finding for finding in findings)
    row["faults"] = "; ".join(faults)
    return row


def check_bits(runs):
    """A short Free/A: by one thread, and killed by SIGKILL on the way and resumed, against two threads left alone."""
    job, whole = JOBS["free_a_start"], os.path.join(runs, "free_a_start.run")
    one, killed = os.path.join(runs, "free_a_one_thread.run"), os.path.join(runs, "free_a_killed.run")
    for place, threads in ((whole, 2), (one, 1)):
        if place == one or not os.path.exists(place):
            start(job, place, threads)
    process = subprocess.Popen([*command(job, killed, 2), "--force"], stdout=subprocess.DEVNULL)
    while process.poll() is None and not os.path.exists(os.path.join(killed, "checkpoint.bin")):
        time.sleep(0.01)
    hit = process.poll() is None
    process.kill()
    process.wait()
    subprocess.run([*command(job, killed, 2), "--resume"], stdout=subprocess.DEVNULL, check=False)
    differences = [compare_caches(os.path.join(whole, "cache.h5"), os.path.join(other, "cache.h5")) for other in (one, killed)]
    for what, found in zip(("one thread", "killed%s and resumed" % ("" if hit else " too late")), differences):
        print("free_a_start, %s: %s" % (what, "the same bits" if not found else "; ".join(found)))
    return hit and not any(differences)


def write_table(rows, path):
    """Table 1: our row, then the paper's."""
    lines = ["| | fibers | contacts, mean | most | steps over, % | largest error | iterations | sweeps, s | contact solve, s | step, s | us per contact |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        lines.append("| %(job)s, %(seconds).3g s | %(fibers)d | %(contacts).0f | %(contacts_most)d | %(over).2g | %(error).1e | %(iterations).1f | %(sweeps_s).3g | "
                     "%(solve_s).3g | %(step_s).3g | %(us_per_contact).3g |" % row)
        paper = PAPER.get(row["job"].replace("_dense", ""))
        if paper:
            lines.append("| *paper* | %d | %d | %d | %g | %g | %d | %.3g | %.3g | %.3g | %.3g |" % (*paper, 1e6 * paper[8] / paper[1]))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=[*JOBS, "bits"], help="names of jobs")
    parser.add_argument("--runs", default=os.path.join(ROOT, "build", "hair"))
    parser.add_argument("--reuse", action="store_true", help="check the runs that are there")
    parser.add_argument("--long", action="store_true", help="also what takes minutes")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    os.makedirs(options.runs, exist_ok=True)
    rows = []
    for name, job in JOBS.items():
        if name not in options.only if options.only else job.long and not options.long:
            continue
        directory, status, processor = os.path.join(options.runs, name + ".run"), 0, None
        if not (options.reuse and os.path.exists(directory)):
            status, processor = start(job, directory, options.threads)
        rows.append(examine(name, directory, options.runs, status, processor))
        print("\n  ".join("%s %s" % (k, "%.3g" % v if isinstance(v, float) else v) for k, v in rows[-1].items()), flush=True)
    good = not any(row["faults"] for row in rows)
    if not options.only or "bits" in options.only:
        good = check_bits(options.runs) and good
    if rows:
        with open(os.path.join(options.runs, "hair.csv"), "w", newline="", encoding="utf-8") as out:
            table = csv.DictWriter(out, rows[0].keys())
            table.writeheader()
            table.writerows(rows)
        write_table(rows, os.path.join(options.runs, "table1.md"))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
