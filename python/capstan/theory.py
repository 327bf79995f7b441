"""Curves that simulations are held against, computed here by other means."""
from __future__ import annotations

import numpy as np

__all__ = ["cantilever_master_curve"]


def cantilever_master_curve(points: int = 400, gamma_max: float = 1e4) -> tuple[np.ndarray, np.ndarray]:
    """Gamma = m g L^3 / EI of a horizontal, naturally straight cantilever under its own weight (m kg/m), and H / W, how far its tip hangs down
    over how far it reaches out.

    With s from the free end in units of (EI / m g)^(1/3), theta'' = s cos(theta), theta' = 0 at the tip (theta: slope downwards). Each slope of
    the tip gives one point of the curve: integrated (Runge-Kutta, order 4) until the rod is horizontal, Gamma = s^3."""
    reach = gamma_max ** (1.0 / 3.0)
    slopes = np.pi / 2 * (1.0 - np.logspace(0.0, -12.0, points + 1)[1:])
    slopes = np.concatenate([np.logspace(-4, np.log10(slopes[0]), 30, endpoint=False), slopes])
    h = 2e-3

    def rate(s: float, y: np.ndarray) -> np.ndarray:
        return np.array([-y[1], s * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])])

    y = np.zeros((4, len(slopes)))  # slope, minus its rate, reach and drop since the tip
    y[0] = slopes
    gamma, ratio = np.full(len(slopes), np.nan), np.full(len(slopes), np.nan)
    s = 0.0
    while s < reach and np.isnan(gamma).any():
        k1 = rate(s, y)
        k2 = rate(s + h / 2, y + h / 2 * k1)
        k3 = rate(s + h / 2, y + h / 2 * k2)
        k4 = rate(s + h, y + h * k3)
        after = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        ends = (after[0] <= 0.0) & np.isnan(gamma)
        share = np.where(ends, y[0] / np.where(ends, y[0] - after[0], 1.0), 0.0)
        clamp = y + share * (after - y)
        gamma = np.where(ends, (s + share * h) ** 3, gamma)
        ratio = np.where(ends, clamp[3] / np.where(ends, clamp[2], 1.0), ratio)
        y, s = after, s + h
    done = ~np.isnan(gamma)
    return gamma[done], ratio[done]
