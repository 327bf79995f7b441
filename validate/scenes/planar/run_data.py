"""What checks of scenes read of a run: probes by column, the reports of its steps."""
import csv
import os

import h5py
import numpy as np


def probe(run, name):
    """Columns of a probe by their names without units: probe(run, "tip")["y"]."""
    with open(os.path.join(run, "probes", name + ".csv"), encoding="utf-8") as file:
        rows = list(csv.reader(file))
    values = np.array([[float(x) for x in row] for row in rows[1:]])
    return {column.split(" [")[0]: values[:, k] for k, column in enumerate(rows[0])}


def steps(run, *names):
    """Columns of the step reports: steps(run, "time", "error")."""
    with h5py.File(os.path.join(run, "cache.h5"), "r") as cache:
        return [cache["steps"][name][()] for name in names]


def finding(what, value, bound, ok=None):
    """A row of a check: met if the value is at most the bound, unless said otherwise."""
    return (what, float(value), bound, bool(value <= bound) if ok is None else bool(ok))


def law_met(run, tolerance=1e-6):
    """The Coulomb law is met to the tolerance in every step."""
    (error,) = steps(run, "error")
    return finding(f"steps with E > {tolerance:g} (worst E {error.max():.1e})", np.sum(error > tolerance), 0)
