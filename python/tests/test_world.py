"""Worlds built in code, their state as arrays, and changes while they run: held against mechanics that is known."""
import gc

import numpy as np
import pytest

import capstan
from capstan import Motion, Place, World


def cantilever(world, **more):
    return world.add_rod(**{**dict(elements=8, length=1.0, radius=0.01, mass_per_length=0.5, bending_stiffness=1.0, clamped=True), **more})


def test_a_ball_falls():
    world = World(3, gravity=(0, 0, -2.0), dt=0.01)
    ball = world.add_rigid("sphere", radius=0.1, mass=2.0, velocity=(1, 0, 0), spin=(0, 0, 3))
    report = world.step(100)
    assert report.status == "solved" and report.step == 100
    assert world.time == pytest.approx(1.0)
    assert world.velocities[0] == pytest.approx([1, 0, -2.0])
    assert world.positions[0] == pytest.approx([1, 0, -2.0 * 0.01**2 * 100 * 101 / 2])  # implicit Euler
    assert world.vertices(ball) == slice(0, 1)
    assert world.radii[0] == 0.1
    assert world.frames[0, 0, 0] == pytest.approx(np.cos(3.0))


def test_coulomb_on_a_slope():
    alpha, mu = 0.5, 0.3
    world = World(2)
    world.add_obstacle("half_plane", normal=(np.sin(alpha), np.cos(alpha)), friction=mu)
    rod = world.add_rod(elements=10, length=1.0, radius=0.01, mass_per_length=0.2, bending_stiffness=0.05, viscosity=1e-3, angle=-alpha,
                        position=(0.01 * np.sin(alpha), 0.01 * np.cos(alpha)))
    report = world.run(0.5, progress=False)
    speed = world.velocities[world.vertices(rod)] @ [np.cos(alpha), -np.sin(alpha), 0]
    assert speed == pytest.approx(9.81 * (np.sin(alpha) - mu * np.cos(alpha)) * 0.5, rel=1e-3)
    contacts = world.contacts
    pushing = contacts[contacts["r"][:, 0] > 0]
    assert len(pushing) > 0 and {capstan.CASES[case] for case in pushing["contact_case"]} == {"slide"}
    r = pushing["r"]
    assert np.abs(r[:, 1]) == pytest.approx(mu * r[:, 0], rel=1e-6)
    assert report.residual.error <= 1e-8
    assert world.obstacle_force(1)[0] * np.sin(alpha) + world.obstacle_force(1)[1] * np.cos(alpha) == pytest.approx(-0.2 * 9.81 * np.cos(alpha), rel=1e-2)


@pytest.mark.parametrize("model", ["super_helix", "discrete_rod", "corde", "springs"])
def test_fibers(model):
    world = World(3)
    fiber = world.add_fiber(model=model, elements=10, length=0.5, radius=0.005, density=1000, young=1e6, clamped=True, viscosity=1e-3)
    assert world.positions.shape == (11, 3) and world.frames.shape == (11, 3, 3)
    world.find_equilibrium()
    assert world.positions[-1, 2] < -0.01
    position, frame, _ = world.place(Place(fiber, "end"))
    assert position == pytest.approx(world.positions[-1], abs=1e-12)
    assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-9)
    world.step()
    force, _ = world.root_force(fiber)
    assert force[2] == pytest.approx(1000 * np.pi * 0.005**2 * 0.5 * 9.81, rel=0.06)  # nodal models: the first half edge is in the clamp


def test_arrays_are_the_memory_of_the_world():
    world = World(2)
    cantilever(world)
    x, again = world.positions, world.positions
    assert x.__array_interface__["data"][0] == again.__array_interface__["data"][0]
    before = x[-1, 1]
    world.step(10)
    world.positions
    assert x[-1, 1] < before
    with pytest.raises(ValueError):
        x[0, 0] = 1.0


def test_arrays_outlive_the_world():
    world = World(2)
    world.add_obstacle("half_plane", normal=(0, 1))
    world.add_rigid("disk", radius=0.1, mass=1.0, position=(0, 0.1))
    world.step()
    x, contacts, offsets = world.positions, world.contacts, world.offsets
    world.close()
    del world
    gc.collect()
    assert x[0, 1] == pytest.approx(0.1, abs=1e-3) and len(contacts) == 1 and offsets.tolist() == [0, 1]


def test_bodies_added_later_leave_old_arrays_alone():
    world = World(2)
    world.add_rigid("disk", radius=0.1, mass=1.0, position=(7, 0))
    x = world.positions
    for k in range(100):
        world.add_rigid("disk", radius=0.1, mass=1.0, position=(k, 5))
    assert len(world.positions) == 101 and world.positions[100, 0] == 99
    assert x.shape == (1, 3) and x[0, 0] == 7


def test_gravity_and_state():
    world = World(2)
    disk = world.add_rigid("disk", radius=0.1, mass=1.0)
    world.step(100)
    world.gravity = (0, 9.81)
    assert world.gravity.tolist() == [0, 9.81, 0]
    world.step(200)
    assert world.velocities[0, 1] == pytest.approx(0.981)
    assert world.energies.unexplained == pytest.approx(0, abs=1e-9)
    state = world.state(disk)
    state[0] = 3.0
    world.set_state(disk, state)
    assert world.positions[0, 0] == 3.0


def test_friction_while_it_slides():
    world = World(2, friction=0.0)
    ground = world.add_obstacle("half_plane", normal=(0, 1))
    ice = world.add_material("ice", friction=0.05)
    world.add_rigid("polygon", corners=[[-0.5, -0.1], [0.5, -0.1], [0.5, 0.1], [-0.5, 0.1]], mass=1.0, position=(0, 0.1), velocity=(10, 0))
    speed = 10.0
    changes = [lambda: setattr(world, "friction", 0.2), lambda: world.set_surface(obstacle=ground, friction=0.4),
               lambda: world.set_surface(obstacle=ground, material=ice), lambda: world.set_material(ice, friction=0.1),
               lambda: world.set_pair({"body": 1}, {"obstacle": ground}, friction=0.5)]
    for mu, change in zip([0.2, 0.4, 0.05, 0.1, 0.5], changes):
        change()
        world.step(50)
        speed -= mu * 9.81 * 0.05
        assert world.velocities[0, 0] == pytest.approx(speed, abs=1e-6)


def test_loads_and_forces_agree():
    tips = []
    for kind in range(3):
        world = World(2)
        rod = cantilever(world)
        load = world.add_load(Place(rod, "end"), (0.3, -0.7) if kind == 0 else (0, 0))
        if kind == 1:
            world.set_load(load, (0.3, -0.7))
        if kind == 2:
            forces = np.zeros((9, 3))
            forces[-1] = 0.3, -0.7, 0
            world.set_forces(forces)
        world.step(20)
        tips.append(world.positions[-1].copy())
    assert tips[1] == pytest.approx(tips[0], abs=1e-13) and tips[2] == pytest.approx(tips[0], abs=1e-13)


def test_a_spring_of_the_callers_own():
    """A mass on a spring that only Python knows: its period is 2 pi sqrt(m / k)."""
    mass, stiffness = 2.0, 50.0
    world = World(3, gravity=(0, 0, 0), dt=1e-3, theta=0.5)
    world.add_rigid("sphere", radius=0.1, mass=mass, position=(1, 0, 0))
    world.on_step(lambda w: w.set_forces(-stiffness * w.positions))
    period = 2 * np.pi * np.sqrt(mass / stiffness)
    path = []
    world.run(period, callback=lambda w, report: path.append(w.positions[0, 0]))
    assert path[-1] == pytest.approx(1.0, abs=0.02)
    assert min(path) == pytest.approx(-1.0, abs=0.02)
    assert world.energies.loads != 0


def test_motions():
    world = World(2)
    rod = cantilever(world)
    plate = world.add_obstacle("half_plane", normal=(0, 1), position=(0, -5), motion=Motion([0, 1], [[0, 0], [0, 1]]))
    world.step(100)
    assert world.displacement(obstacle=plate)[0] == pytest.approx([0, 0.1, 0])
    world.set_motion(Motion([0.1, 1.1], [[0, 0.1], [0, 0.1]]), obstacle=plate)
    world.set_motion(Motion([0.1, 1.1], [[0, 0], [1, 0]]), body=rod)
    world.step(100)
    assert world.displacement(obstacle=plate)[0] == pytest.approx([0, 0.1, 0])
    assert world.positions[0] == pytest.approx([0.1, 0, 0])
    with pytest.raises(capstan.CapstanError, match="must go on"):
        world.set_motion(Motion([0], [[5, 0]]), obstacle=plate)


def test_constraint():
    world = World(2)
    rod = world.add_rod(elements=6, length=1.0, radius=0.01, mass_per_length=1.0, bending_stiffness=10.0, viscosity=1.0)
    pin = world.add_constraint("pinned", Place(rod, 0.0))
    end = world.add_constraint("sliding", Place(rod, "end"), direction=(1, 0))
    world.step(2000)
    weight = world.constraint_force(pin)[0][1] + world.constraint_force(end)[0][1]
    assert weight == pytest.approx(9.81, rel=1e-3)


def test_meshes_and_solids():
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    triangles = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    world = World(3)
    world.add_obstacle("mesh", mesh_vertices=vertices, mesh_triangles=triangles, rounding=0.01, position=(0, 0, -3))
    world.add_rigid("box", size=(0.1, 0.1, 0.1), mass=1.0)
    world.add_rigid("mesh", mesh_vertices=vertices, mesh_triangles=triangles, mass=1.0, radius=0.01, position=(3, 0, 0))
    world.step(3)
    assert len(world.positions) == 2


def test_save_and_load_go_on_with_the_same_bits():
    def build():
        world = World(2)
        world.add_obstacle("half_plane", normal=(0, 1))
        world.add_rod(elements=6, length=0.5, radius=0.01, mass_per_length=0.2, bending_stiffness=0.05, position=(0, 0.05), angle=0.1)
        return world

    one, two = build(), build()
    one.step(100)
    two.load(one.save())
    one.step(50)
    two.step(50)
    assert (one.positions == two.positions).all() and one.save() == two.save()


def test_reports_have_all_fields_of_the_library():
    from dataclasses import fields

    from capstan._lib import ffi

    left_out = {"cst_friction_report": {"judge_seconds", "total_seconds", "blamed_count"},
                "cst_run_totals": {"whole", "speed", "unexplained_in_step", "unexplained_time", "unexplained_step"},
                "cst_run_result": {"disk", "message"}}
    for kind, name in ((capstan.StepReport, "cst_step_report"), (capstan.Energies, "cst_energies"), (capstan.Residual, "cst_residual"),
                       (capstan.StepSeconds, "cst_step_seconds"), (capstan.FrictionReport, "cst_friction_report"),
                       (capstan.RunTotals, "cst_run_totals"), (capstan.RunResult, "cst_run_result")):
        there = {field for field, _ in ffi.typeof(name).fields} - left_out.get(name, set())
        assert there == {field.name for field in fields(kind)} - {"directory"}, name


def test_many_fibers_are_read_without_a_copy():
    world = World(3)
    for k in range(2000):
        world.add_fiber(elements=4, length=0.1, radius=1e-4, density=1300, young=1e9, clamped=True, position=(0.001 * k, 0, 0))
    x = world.positions
    assert x.shape == (10000, 3) and not x.flags.owndata and world.offsets[-1] == 10000
    assert x[world.vertices(2000)][0] == pytest.approx([1.999, 0, 0])


def test_one_version(repository):
    import re

    said = {"pyproject.toml": r'^version = "([0-9.]+)"', "CMakeLists.txt": r"project\(capstan VERSION ([0-9.]+)"}
    versions = {re.search(pattern, (repository / name).read_text(), re.M).group(1) for name, pattern in said.items()}
    assert len(versions) == 1 and capstan.__version__.startswith(versions.pop())
