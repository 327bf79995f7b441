import capstan, numpy as np

gammas, ratios = np.logspace(-1, 3, 17), []
for gamma in gammas:  # cantilevers of 1 m and 1 kg/m under their own weight, from stiff to soft
    world = capstan.World(dim=2)
    world.add_rod(elements=60, length=1.0, radius=0.01, mass_per_length=1.0, bending_stiffness=9.81 / gamma, clamped=True)
    world.find_equilibrium()
    ratios.append(-world.positions[-1, 1] / world.positions[-1, 0])
capstan.plot.master_curve(gammas, ratios).figure.savefig("master_curve.png", dpi=150)
knot = capstan.Scene("scenes/fibers/overhand_knot_paper.json").world()
knot.run(1.2)
capstan.plot.curves(knot).figure.savefig("knot.png", dpi=150)
