"""Stack of shells: the Coulomb law, no shell in another, where the work of the lid went."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from check_overlap import worst_of  # noqa: E402, pylint: disable=wrong-import-position
from hysteresis import Hysteresis  # noqa: E402, pylint: disable=wrong-import-position
from run_data import finding, law_met  # noqa: E402, pylint: disable=wrong-import-position

WHAT = ("More than 100 open shells dropped at random and compressed twice by a lid (Gamma = 10): they nest, hook and slide; the "
        "lid gets back only a part of its work.")


def check(run, friction_share=0.5):
    """friction_share: at least this part of what the lid does not get back went into friction. Half is the claim of the whole stack."""
    loops = Hysteresis(run)
    deepest, crossings, missed = worst_of(run)
    cycles = loops.cycles()
    touched = cycles[0][0] + int(np.argmax(np.abs(loops.lids[0].force[cycles[0][0]:cycles[0][1], 1]) > 0))
    budgets = [loops.budget(*cycle) for cycle in cycles]
    return [
        law_met(run),
        finding("deepest overlap of two shells, in contact radii, from the saved frames alone", deepest, 0.2),
        finding("crossings", crossings, 0),
        finding("overlaps without a contact", missed, 0),
        finding("kinetic energy where the lid meets the stack, over the work of the lid",
                loops.column("energy_kinetic")[touched] / budgets[0]["work_in"], 0.02),
    ] + [
        finding("unexplained energy over the work of the lid, cycle %d" % (k + 1), budget["closure"], 0.01)
        for k, budget in enumerate(budgets)
    ] + [
        finding("share of what the lid does not get back that friction took, cycle %d: at least" % (k + 1),
                budget["friction"] / budget["work"], friction_share,
                0 < budget["work"] < budget["work_in"] and budget["friction"] > friction_share * budget["work"])
        for k, budget in enumerate(budgets)
    ]
