"""The same strip between rubbing walls: friction takes energy, and delays folds."""
import os

import numpy as np

from check_confined_elastica import folds, forces
from run_data import finding, law_met, probe

WHAT = "Friction holds flat parts: folds come later than without it, and what they let go is dissipated."


def without_friction(run):
    """Height of the first fold of confined_elastica, whose run stands beside this one."""
    beside = os.path.join(os.path.dirname(os.path.abspath(run)), "confined_elastica.run")
    if not os.path.exists(os.path.join(beside, "cache.h5")):
        raise RuntimeError(f"{beside} is needed: run confined_elastica too")
    height, v, _ = forces(beside)
    return height[folds(v)[0]]


def check(run):
    height, v, _ = forces(run)
    events = folds(v)
    energy = probe(run, "energy")
    budget = energy["unexplained"][-1] / energy["elastic"].max()
    return [
        law_met(run),
        finding("height of the first fold, below that of confined_elastica", height[events[0]], without_friction(run),
                height[events[0]] < without_friction(run)),
        finding("work of friction grows: largest gain over the energy", np.diff(energy["friction"]).max() / energy["elastic"].max(), 1e-6),
        finding("share of the energy that friction took, at least 0.05", -energy["friction"][-1] / energy["elastic"].max(), 0.05,
                -energy["friction"][-1] > 0.05 * energy["elastic"].max()),
        finding("energy unexplained over the largest", abs(budget), 0.01),
        finding("folds in all, at least 2", len(events), 2, len(events) >= 2),
    ]
