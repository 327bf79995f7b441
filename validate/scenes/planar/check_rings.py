"""Rings under compression: the Coulomb law, the energy budget, the onset of rigidity. By friction: validate/scenes/rings.py."""
import os
import sys

from run_data import finding, law_met

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))

from check_overlap import worst_of  # noqa: E402
from rings import Packing  # noqa: E402

WHAT = "Rings push back once they jam, hold by bending, and give back less than they took."


def check(run):
    packing = Packing(run)
    budget = packing.budget(*packing.cycles()[0])
    frames = packing.frames()
    _, phi = packing.onset()
    back = packing.onset(unloading=True)[1]
    deepest, crossings, missed = worst_of(run)
    # Disks of two sizes jam at 0.84 without friction, at 0.76 with much of it (random loose packing).
    return [
        law_met(run),
        finding("budget of the cycle, unexplained over the work of the walls", budget["closure"], 0.01),
        finding("elastic energy against that of the saved shapes, relative", packing.elastic_error(frames), 1e-9),
        finding("deepest penetration over the contact radius", packing.steps["penetration"].max() / packing.contact_radius, 0.1),
        finding("deepest overlap of two rings, in contact radii, from the saved frames alone", deepest, 0.1),
        finding("crossings, and overlaps without a contact", crossings + missed, 0),
        finding("rings open by, over the contact radius", packing.steps["constraint_error"].max() / packing.contact_radius, 0.01),
        finding("rigid from a packing fraction on (bounds 0.76 and)", phi, 0.86, 0.76 < phi < 0.86),
        finding("on the way back the pressure is gone sooner: its packing fraction (at least)", back, phi, back > phi),
        finding("share of the work that does not come back (above 0.1)", budget["work"] / budget["work_in"], 1.0,
                0.1 < budget["work"] / budget["work_in"] < 1),
    ]
