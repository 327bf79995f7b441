#!/usr/bin/env python3
"""Has a run come to rest? validate/scenes/fibers/still.py RUN.run [--last 1] [--energy 1e-10] [--drift 1e-6] [--slip X] [--settled 1e-8]

Over the last second of the run, from its cache alone:
  - kinetic energy at the end, and the largest, over its peak in the whole run;
  - drift of contact points: the largest way of a contact that lasts from frame to frame, from where it was first seen in that
    second to where it was last seen, in contact radii per second; and the speed of slip that the contacts report;
  - drift of every vertex of every fiber, from the first to the last frame of that second, likewise;
  - the residual E of the Coulomb law: share of all steps above 1e-6, the largest in that second.
Exit 1 if kinetic energy, drift of contacts, slip or the E of that second is above its limit, or if more than 0.1 % of all steps
have E above 1e-6. Where a fiber that hangs still swings, its contacts roll and drift though they stick: such scenes limit the slip.
"""
import argparse
import sys

import numpy as np

from fiber_data import CURVE, Run


def last_frames(run, seconds):
    frames = np.flatnonzero(run.times >= run.times[-1] - seconds * (1 + 1e-9))
    if len(frames) < 2:
        raise ValueError("the last %g s have less than two frames" % seconds)
    return frames


def radii(run):
    """Contact radius of each body: the least of its vertices."""
    return {item.id: float(item.radius.min()) for item in run.look(len(run.times) - 1) if item.owner == 0}


def contact_drift(run, frames):
    """(drift in radii per second, contacts that last all the time, all, fastest reported slip in radii per second)."""
    first, last, radius, slip = {}, {}, radii(run), 0.0
    cache = run.cache
    for frame in frames:
        begin, count = int(cache["frames/first_contact"][frame]), int(cache["frames/contacts"][frame])
        rows = slice(begin, begin + count)
        ids, place, a = cache["contacts/id"][rows], cache["contacts/position"][rows], cache["contacts/body_a"][rows]
        speed = np.linalg.norm(cache["contacts/velocity"][rows], axis=1)
        active = np.linalg.norm(cache["contacts/force"][rows], axis=1) > 0
        for number, x, body, v, pressed in zip(ids, place, a, speed, active):
            own = radius.get(int(body), 1.0)
            first.setdefault(int(number), (frame, x, own))
            last[int(number)] = (frame, x)
            if pressed:
                slip = max(slip, float(v) / own)
    span = run.times[frames[-1]] - run.times[frames[0]]
    drift = max((float(np.linalg.norm(last[k][1] - first[k][1])) / first[k][2] / span for k in first), default=0.0)
    whole = sum(first[k][0] == frames[0] and last[k][0] == frames[-1] for k in first)
    return drift, whole, len(first), slip


def point_drift(run, frames):
    """Largest motion of a vertex of a fiber in radii per second, and whose it is."""
    start = {item.id: item for item in run.look(frames[0]) if item.owner == 0 and item.kind == CURVE}
    span = run.times[frames[-1]] - run.times[frames[0]]
    worst, name = 0.0, "none"
    for item in run.look(frames[-1]):
        before = start.get(item.id) if item.owner == 0 else None
        if before is not None and before.position.shape == item.position.shape:
            way = float((np.linalg.norm(item.position - before.position, axis=1) / item.radius).max()) / span
            if way > worst:
                worst, name = way, item.name
    return worst, name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run")
    parser.add_argument("--last", type=float, default=1.0, help="s: what is looked at of the end")
    parser.add_argument("--energy", type=float, default=1e-10, help="kinetic energy over its peak")
    parser.add_argument("--drift", type=float, default=1e-6, help="of contact points, in radii per second")
    parser.add_argument("--slip", type=float, default=np.inf, help="of contacts that press, in radii per second")
    parser.add_argument("--settled", type=float, default=1e-8, help="E in that time")
    parser.add_argument("--share", type=float, default=1e-3, help="of all steps may have E above 1e-6")
    given = parser.parse_args()
    run = Run(given.run)
    time, kinetic, error = run.steps("time", "energy_kinetic", "error")
    late = time > time[-1] - given.last
    peak = float(kinetic.max())
    now, most = (float(x) / peak if peak > 0 else 0.0 for x in (kinetic[-1], kinetic[late].max()))
    frames = last_frames(run, given.last)
    drift, whole, seen, slip = contact_drift(run, frames)
    moved, whose = point_drift(run, frames)
    above, settled = float(np.mean(error > 1e-6)), float(error[late].max())
    span = run.times[frames[-1]] - run.times[frames[0]]
    print("the last %.3g s of %.4g s, %d frames" % (span, time[-1], len(frames)))
    faults = (most > given.energy, drift > given.drift or slip > given.slip, settled > given.settled or above > given.share)
    said = ["   FAULT" if fault else "" for fault in faults]
    print("kinetic energy: %.2e of its peak %.3g J at the end, at most %.2e (limit %g)%s" % (now, peak, most, given.energy, said[0]))
    print("contact points: drift at most %.2e radii/s (limit %g); slip at most %.2e radii/s (limit %g); %d of %d last throughout%s" % (
        drift, given.drift, slip, given.slip, whole, seen, said[1]))
    print("fiber points: drift at most %.2e radii/s (%s)" % (moved, whose))
    print("E above 1e-6 in %.3f %% of all steps (worst %.1e); at most %.1e in that time (limit %g)%s" % (
        100 * above, error.max(), settled, given.settled, said[2]))
    return int(any(faults))


if __name__ == "__main__":
    sys.exit(main())
