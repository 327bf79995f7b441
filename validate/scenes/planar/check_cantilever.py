"""A heavy cantilever: its tip against the elastica."""
import numpy as np
from scipy.integrate import solve_bvp

from run_data import finding, probe

WHAT = "The tip hangs where the elastica puts it, and stays there."


def elastica_tip(gamma):
    """theta'' = -Gamma (1 - s) cos theta with theta downwards, theta(0) = 0, theta'(1) = 0; lengths in L."""
    s = np.linspace(0, 1, 201)
    guess = np.zeros((4, s.size))
    guess[2] = s
    for load in np.linspace(gamma / 10, gamma, 10):
        found = solve_bvp(lambda s, y, g=load: [y[1], -g * (1 - s) * np.cos(y[0]), np.cos(y[0]), -np.sin(y[0])],
                          lambda a, b: [a[0], b[1], a[2], a[3]], s, guess, tol=1e-8)
        s, guess = found.x, found.y
    return guess[2, -1], guess[3, -1]


def check(run):
    tip = probe(run, "tip")
    x, y = elastica_tip(10.0)
    place = np.array([tip["x"], tip["y"]])
    return [finding("tip against the elastica, of the length (30 elements)", np.hypot(tip["x"][0] - x, tip["y"][0] - y), 5e-4),
            finding("drift of the tip while nothing should move, of the length", np.abs(place.T - place.T[0]).max(), 1e-9)]
