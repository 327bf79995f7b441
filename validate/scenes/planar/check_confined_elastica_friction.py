"""The same strip between rubbing walls: friction takes energy, and delays folds."""
import numpy as np

from check_confined_elastica import folds, forces
from run_data import finding, law_met, probe

WHAT = "Friction holds flat parts: folds come later than without it, and what they let go is dissipated."


def check(run):
    height, v, _ = forces(run)
    events = folds(v)
    energy = probe(run, "energy")
    budget = energy["unexplained"][-1] / energy["elastic"].max()
    return [
        law_met(run),
        finding("height of the first fold, below that without friction", height[events[0]], 0.12),
        finding("work of friction grows: largest gain over the energy", np.diff(energy["friction"]).max() / energy["elastic"].max(), 1e-6),
        finding("share of the energy that friction took, at least 0.05", -energy["friction"][-1] / energy["elastic"].max(), 0.05,
                -energy["friction"][-1] > 0.05 * energy["elastic"].max()),
        finding("energy unexplained over the largest", abs(budget), 0.01),
        finding("folds in all, at least 2", len(events), 2, len(events) >= 2),
    ]
