"""Stack of shells: the Coulomb law, no shell in another, where the work of the lid went."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
from check_overlap import worst_of  # noqa: E402, pylint: disable=wrong-import-position
from hysteresis import Hysteresis  # noqa: E402, pylint: disable=wrong-import-position
from run_data import finding, law_met  # noqa: E402, pylint: disable=wrong-import-position

WHAT = ("More than 100 open shells dropped at random and compressed twice by a lid (Gamma = 10): they nest, hook and slide; the lid "
        "gets back only a part of its work.")


def check(run):
    loops = Hysteresis(run)
    deepest, crossings, missed = worst_of(run)
    (first, second) = loops.cycles()
    one, two = (loops.budget(*cycle) for cycle in (first, second))
    touched = first[0] + int(np.argmax(np.abs(loops.lids[0].force[first[0]:first[1], 1]) > 0))
    return [
        law_met(run),
        finding("deepest overlap of two shells, in contact radii, from the saved frames alone", deepest, 0.2),
        finding("crossings", crossings, 0),
        finding("overlaps without a contact", missed, 0),
        finding("kinetic over elastic energy where the lid meets the stack",
                loops.column("energy_kinetic")[touched] / loops.column("energy_elastic")[touched], 0.02),
        finding("unexplained energy over the work of the lid, cycle 1", one["closure"], 0.01),
        finding("unexplained energy over the work of the lid, cycle 2", two["closure"], 0.01),
        finding("share of the work that is not given back, cycle 2", two["work"] / two["work_in"], "0 to 1",
                0 < two["work"] < two["work_in"]),
    ]
