"""The capstan: 2 % below what the theory of the elastic rod says it holds, 2 % above it slips."""

import numpy as np

from run_data import finding, law_met, probe

WHAT = "A rod holds or slips on either side of the elastic capstan's ratio, which is below Euler's."


def check(run):
    found = [law_met(run)]
    for friction in ("10", "50"):
        holds, slips = probe(run, "start_holds_" + friction), probe(run, "start_slips_" + friction)
        late = holds["time"] > 0.6  # the loads are raised until 0.4 s
        found.append(finding(f"mu = 0.{friction}, 2 % below: speed after 0.6 s (m/s)", np.abs(holds["vy"][late]).max(), 1e-4))
        found.append(finding(f"mu = 0.{friction}, 2 % below: way after 0.6 s (m)", np.ptp(holds["y"][late]), 1e-5))
        way = np.ptp(slips["y"][late])
        found.append(finding(f"mu = 0.{friction}, 2 % above: way after 0.6 s (m), more than 0.02", way, 0.02, way > 0.02))
    return found
