"""Wrong shapes, NaN, closed worlds, exceptions and Ctrl-C: always an exception with a text, never a crash."""
import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import capstan
from capstan import CapstanError, Motion, Place, World

GOOD = dict(elements=4, length=1.0, radius=0.01, mass_per_length=1.0, bending_stiffness=1.0)


@pytest.mark.parametrize("change, says", [
    (dict(elements=0), "element"), (dict(elements=2.5), "not whole"), (dict(elements=10**20), "elements"), (dict(elements="four"), "elements"),
    (dict(length=-1.0), "length"), (dict(length=float("nan")), "length"), (dict(radius="thick"), "radius"),
    (dict(curvature=[1.0, 2.0]), "expected an array of 4"), (dict(curvature=[[1.0] * 4]), "expected an array of 4"), (dict(curvature=[np.nan] * 4), "finite"),
    (dict(element_radius=[0.1, "x", 0.1, 0.1]), "expected numbers"), (dict(position=(1, 2, 3, 4)), "expected 3 numbers"),
    (dict(friction=-0.5), "friction"), (dict(material=3), "no material"), (dict(formulation="magic"), "expected one of"),
    (dict(name="a\0b"), "zero byte"), (dict(name=5), "expected a text"), (dict(clamped="yes"), "True or False"),
    (dict(root_motion=[1, 2]), "capstan.Motion"), (dict(clamped=True, root_motion=Motion([0, 0], [[0, 0], [1, 0]])), "increase"),
])
def test_bad_rods(change, says):
    world = World(2)
    with pytest.raises(CapstanError, match=says):
        world.add_rod(**{**GOOD, **change})
    assert world.bodies == 0


@pytest.mark.parametrize("arguments, says", [
    (dict(dim=4), "2 or 3"), (dict(dt=-1.0), "dt"), (dict(dt=float("nan")), "dt"), (dict(gravity=(1,)), "expected 3"), (dict(gravity=(0, np.nan)), "finite"),
    (dict(theta=0.2), "theta"), (dict(friction=-1.0), "friction"), (dict(tolerance=0.0), "tolerance"), (dict(solver="magic"), "no solver"),
    (dict(restitution=2.0), "restitution"),
])
def test_bad_worlds(arguments, says):
    with pytest.raises(CapstanError, match=says):
        World(**arguments)


def test_other_bad_things():
    world = World(3)
    for call, says in [
        (lambda: world.add_rod(**GOOD), "2 dimensions"),
        (lambda: world.add_fiber(elements=4, length=1.0, radius=0.01, model="rope"), "expected one of"),
        (lambda: world.add_fiber(elements=4, length=1.0, young=1e6), "needs density"),
        (lambda: world.add_fiber(elements=4, length=1.0, radius=0.01, density=1, young=1e6, points=np.zeros((4, 3))), "5 x 3"),
        (lambda: world.add_rigid("mesh", mass=1.0, mesh_vertices=np.zeros((3, 3)), mesh_triangles=[[0, 1, 9]]), "none of the 3 vertices"),
        (lambda: world.add_rigid("mesh", mass=1.0, mesh_vertices=np.zeros((3, 3)), mesh_triangles=[[0.5, 1, 2]]), "whole numbers"),
        (lambda: world.add_rigid("mesh", mass=1.0), "mesh"),
        (lambda: world.add_obstacle("plane", normal=(0, 0, 0)), "normal"),
        (lambda: world.add_constraint("pinned", Place(3, 0.0)), "body"),
        (lambda: world.add_constraint("pinned", Place(-1, 0.0)), "whole number"),
        (lambda: world.add_load(Place(1, "middle")), '"start" or "end"'),
        (lambda: world.add_load(0, (1, 0, 0)), "body"),
        (lambda: world.place(5), "no such place"),
        (lambda: world.vertices(1), "no body 1"),
        (lambda: world.state(1), "no body 1"),
        (lambda: world.set_state(2, [1.0]), "no body 2"),
        (lambda: world.set_forces(np.zeros((3, 3))), "0 vertices"),
        (lambda: world.set_forces(np.zeros(3)), "expected an array"),
        (lambda: world.set_load(1), "no load 1"),
        (lambda: world.set_motion(Motion([0], [[0, 0, 0]])), "expected one of"),
        (lambda: world.set_surface(friction=1.0), "body or of an obstacle"),
        (lambda: world.set_pair({"body": 1}, {"stone": 1}), "stone"),
        (lambda: world.load(b"nonsense"), "checkpoint"),
        (lambda: world.load(bytes(800)), "checkpoint"),
        (lambda: world.step(0), "from 1"),
        (lambda: world.run(float("nan")), "duration"),
        (lambda: world.on_step(None), None),
    ]:
        if says is None:
            call()
            continue
        with pytest.raises(CapstanError, match=says):
            call()


def test_a_closed_world():
    world = World(2)
    world.add_rod(**GOOD)
    world.close()
    world.close()
    assert "closed" in repr(world)
    for call in (lambda: world.step(), lambda: world.positions, lambda: world.contacts, lambda: world.time, lambda: world.add_rod(**GOOD),
                 lambda: world.save(), lambda: setattr(world, "gravity", (0, 0)), lambda: world.energies):
        with pytest.raises(CapstanError, match="closed"):
            call()
    with World(2) as world:
        world.step()
    with pytest.raises(CapstanError, match="closed"):
        world.step()


def test_exceptions_of_callbacks_come_through():
    world = World(2)
    world.add_rod(**GOOD)

    def stop(now):
        if now.time > 0.0045:
            raise ZeroDivisionError("my own")

    world.on_step(stop)
    with pytest.raises(ZeroDivisionError, match="my own"):
        world.run(1.0, progress=False)
    assert world.steps == 5
    world.on_step(None)
    world.step()
    assert world.steps == 6


def test_a_callback_cannot_step_or_close():
    world = World(2)
    world.add_rod(**GOOD)
    for call in (lambda w: w.step(), lambda w: w.close(), lambda w: w.load(b""), lambda w: w.add_rod(**GOOD)):
        world.on_step(call)
        with pytest.raises(CapstanError, match="middle of a step"):
            world.step()
    world.on_step(None)
    world.step()
    assert world.steps == 1


def test_two_threads():
    world = World(2)
    world.add_rod(**GOOD)
    said = []

    def look(now):
        other = threading.Thread(target=lambda: said.append(pytest.raises(CapstanError, lambda: world.positions)))
        other.start()
        other.join()

    world.on_step(look)
    world.step()
    assert "another thread" in str(said[0].value)


def test_a_step_that_fails_says_why():
    world = World(2, quasi_static=True)
    world.add_rod(**GOOD, name="loose")
    before = world.save()
    with pytest.raises(capstan.StepError, match="loose") as caught:
        world.step()
    assert caught.value.status and world.save() == before


SLOW = """
    import capstan, sys, numpy as np
    world = capstan.World(3, dt=1e-2)
    for k in range(60):
        world.add_fiber(elements=12, length=0.5, radius=0.01, density=1000, young=1e6, position=(0, 0.021 * (k % 6), 0.021 * (k // 6)))
    world.add_obstacle("plane", normal=(0, 0, 1), position=(0, 0, -0.05))
    scene = {"capstan": 1, "dim": 2, "duration": 1000, "time_step": {"dt": 1e-3},
             "rods": [{"name": "rod", "elements": 20, "length": 0.5, "radius": 0.01, "density": 1000, "young": 1e6}],
             "obstacles": [{"name": "ground", "shape": "half_plane", "position": [0, -0.1]}]}
    print("ready", flush=True)
    try:
        CALL
    except KeyboardInterrupt:
        print("interrupted", world.steps, flush=True)
        world.step()
        print("goes on", flush=True)
"""


@pytest.mark.parametrize("call", ["world.run(1000.0)", "capstan.Scene(scene).run(sys.argv[1], progress=False)",
                                  "world.step(10**6)"])
def test_control_c(call, tmp_path):
    script = tmp_path / "slow.py"
    script.write_text(textwrap.dedent(SLOW).replace("CALL", call))
    process = subprocess.Popen([sys.executable, str(script), str(tmp_path / "a.run")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    threading.Event().wait(1.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert "interrupted" in out and "goes on" in out, (out, err)
    if "Scene" in call:
        assert "interrupted" in (tmp_path / "a.run" / "outcome.json").read_text()


def test_import_needs_no_plotting():
    code = "import sys, capstan; sys.exit('matplotlib' in sys.modules or 'scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], env=os.environ).returncode == 0
