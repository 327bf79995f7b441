"""Flexural vibration: frequencies of the first mode against Euler and Bernoulli."""
import numpy as np

from run_data import finding, probe

WHAT = "The long rod swings four times as slowly as the short one."
FIRST = 1.8751040687119611  # cos x cosh x = -1


def frequency(run, name):
    """From the first to the last upward crossing of the mean."""
    data = probe(run, name)
    time, y = data["time"], data["y"] - data["y"].mean()
    crossing = np.nonzero((y[:-1] < 0) & (y[1:] >= 0))[0]
    at = time[crossing] - y[crossing] * (time[crossing + 1] - time[crossing]) / (y[crossing + 1] - y[crossing])
    return (at.size - 1) / (at[-1] - at[0])


def check(run):
    rows = []
    for name, length in (("short", 1.0), ("long", 2.0)):
        expected = (FIRST / length) ** 2 * np.sqrt(1.0125 / 0.1) / (2 * np.pi)
        found = frequency(run, name)
        rows.append(finding(f"{name}: frequency {found:.4f} Hz against {expected:.4f} Hz, relative", abs(found / expected - 1), 0.01))
    energy = probe(run, "energy")
    total = energy["kinetic"] + energy["elastic"]
    rows.append(finding("energy lost or gained, relative", np.abs(total / total[0] - 1).max(), 1e-3))
    return rows
