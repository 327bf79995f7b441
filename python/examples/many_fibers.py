"""100,000 fibers fall, and each frame reads all their positions from the memory of the world: many_fibers.py [COUNT]"""
import sys
import time

import capstan

count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
world = capstan.World(dim=3, dt=1e-3)
for k in range(count):
    world.add_fiber(elements=4, length=0.1, radius=1e-4, density=1300, young=1e9, model="discrete_rod", position=(0.2 * (k % 100), 0.002 * (k // 100), 0))
for frame in range(3):
    begin = time.process_time()
    world.step()
    stepped = time.process_time()
    x = world.positions
    read = time.process_time()
    print(f"frame {frame}: step {stepped - begin:.2f} s, positions {x.shape} {x.nbytes / 1e6:.0f} MB in {1e6 * (read - stepped):.0f} us, "
          f"own memory: {'no' if not x.flags.owndata else 'YES'}, at {x.__array_interface__['data'][0]:#x}, mean height {x[:, 2].mean():.3e} m")
