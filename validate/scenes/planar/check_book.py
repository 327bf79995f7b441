"""A bent book: what friction between its sheets takes in a cycle, against the law of weak friction (docs/planar/book.md)

    E_d = 9/4 mu h n(n - 1) B delta^2 / a^4

of n sheets, h apart, of bending stiffness B, bent at the distance a from the spine by delta; and its first corrections."""
import json
import os

import h5py
import numpy as np

from run_data import finding, law_met, probe, steps

WHAT = "Friction takes 9/4 mu h n(n - 1) B delta^2 / a^4 per cycle, which is the area of the loop of force and displacement."


def set_up(run):
    """mu, n, h, B, a, delta, m (elements from the spine to the pin), as the scene was run."""
    with h5py.File(os.path.join(run, "cache.h5"), "r") as cache:
        scene = json.loads(cache["scene/effective"].asstr()[()])
    book, rod, pin = scene["generators"][0], scene["generators"][0]["of"]["rod"], scene["obstacles"][0]
    return {"mu": scene["friction"]["default"], "n": book["count"], "h": -book["spacing"][1], "B": rod["bending_stiffness"],
            "a": pin["position"][0], "delta": -min(key.get("translation", [0, 0])[1] for key in pin["motion"]["keys"]),
            "m": rod["elements"] * pin["position"][0] / rod["length"], "pin": pin["radius"]}


def weak_friction(there):
    """The law, of thin books and small slopes."""
    n, delta = there["n"], there["delta"]
    return 9 / 4 * there["mu"] * there["h"] * n * (n - 1) * there["B"] * delta**2 / there["a"]**4


def corrected(there):
    """The law with the leading corrections for m elements of constant curvature, for the thickness of the book and the roundness of the
    pin (z: depths of the sheets below the centre of the pin), and for the slope; docs/planar/book.md."""
    n, h, a = there["n"], there["h"], there["a"]
    slope = 3 * there["delta"] / (2 * a)
    first = there["pin"] + h / 2
    mean, weighted = first + (n - 1) * h / 2, first + (2 * n - 1) * h / 3
    return weak_friction(there) / (1 - 1 / (4 * there["m"]**2))**2 * (1 + slope / a * (8 / 3 * weighted - 5 / 6 * mean) - 0.536 * slope**2)


def loop(run):
    """Area between force and displacement of the pin, by trapezia: the work it left in the book."""
    pin = probe(run, "pin")
    return -np.sum((pin["fy"][1:] + pin["fy"][:-1]) / 2 * np.diff(pin["dy"]))


def friction_work(run):
    """What the contacts between the sheets took, by the world's own account; the pin has no friction."""
    return -steps(run, "work_friction")[0][-1]


def first_order(run):
    """Of a run without friction: the sum of normal impulse times sliding at all contacts between sheets and all steps (frames), which
    is dE_d / d(mu) at mu = 0 for the set-up as it is: curved, thick, of elements."""
    with h5py.File(os.path.join(run, "cache.h5"), "r") as cache:
        if len(cache["frames/time"]) != len(cache["steps/time"]) + 1:
            raise ValueError(f"{run}: a frame for every step is needed")
        contacts = cache["contacts"]
        sheets = contacts["body_b"][()] > 0
        return float(np.sum((contacts["impulse"][:, 0] * np.abs(contacts["relative_velocity"][:, 1]))[sheets]))


def check(run):
    there = set_up(run)
    law, better, work, area = weak_friction(there), corrected(there), friction_work(run), loop(run)
    error, missed = steps(run, "error", "status")
    return [finding(f"work of friction ({work:.4g} J) against the law ({law:.4g} J), relative", abs(work / law - 1), 0.03),
            finding(f"the same against the law corrected for thickness, slope and elements ({better:.4g} J)", abs(work / better - 1), 0.015),
            finding("area of the loop of force and displacement against the work of friction, relative", abs(area / work - 1), 0.02),
            finding("elastic energy left after the cycle, of the largest",
                    steps(run, "energy_elastic")[0][-1] / steps(run, "energy_elastic")[0].max(), 1e-6),
            finding("largest E of all steps", error.max(), 1e-6),
            finding("steps whose iteration did not converge", np.sum(missed != 0), 0), law_met(run)]
