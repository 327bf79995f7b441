"""The checks of validate/scenes/fibers find what is planted in made-up runs, to the depth and amount it has, and nothing else."""
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy as np
    import scipy.spatial  # noqa: F401, pylint: disable=unused-import
except ImportError:
    print("numpy, scipy or h5py is missing")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "validate", "scenes", "fibers"))

import budget  # noqa: E402
import check_overlap_space as overlap  # noqa: E402
import fiber_data  # noqa: E402
import knot  # noqa: E402
import still  # noqa: E402

RADIUS = 1e-3
STEPS = ("dt", "error") + budget.ENERGIES + budget.WORKS
CONTACTS = {"id": (), "body_a": (), "body_b": (), "obstacle_b": (), "position": (3,), "force": (3,), "velocity": (3,)}


def item(owner, number, kind, position, radius=RADIUS, closed=False, state=(), triangles=()):
    position = np.asarray(position, float)
    return {"owner": owner, "id": number, "drawn_as": kind, "closed": int(closed), "position": position,
            "radius": np.broadcast_to(radius, len(position)), "state": np.asarray(state, float), "triangles": triangles}


def polygon(number, points, closed=False, velocity=None):
    points = np.asarray(points, float)
    state = np.concatenate([points.ravel(), np.zeros(points.size) if velocity is None else np.asarray(velocity, float).ravel()])
    return item(0, number, fiber_data.CURVE, points, closed=closed, state=state)


def chain(name, edges, length=1.0, **more):
    """The description of a fiber whose state is its nodes."""
    return {"name": name, "model": "springs", "elements": edges, "length": length, "radius": RADIUS, "mass_per_length": 0.02,
            **more}


def write(folder, scene, frames, times=None, steps=None, contacts=None):
    """A cache with these items per frame; contacts: a list of rows (dicts) per frame."""
    times = np.arange(len(frames)) * 0.1 if times is None else np.asarray(times, float)
    steps = steps or {}
    count = len(next(iter(steps.values()))) if steps else len(frames) - 1
    with h5py.File(os.path.join(folder, "cache.h5"), "w") as cache:
        cache["scene/effective"] = json.dumps(scene)
        names = [thing["name"] for part in ("fibers", "rigid_bodies") for thing in scene.get(part, [])]
        text = h5py.string_dtype()
        cache.create_dataset("names/bodies", data=names, dtype=text)
        cache.create_dataset("names/obstacles", data=[thing["name"] for thing in scene.get("obstacles", [])], dtype=text)
        every = [one for frame in frames for one in frame]
        for name in ("owner", "id", "drawn_as", "closed"):
            cache["items/" + name] = [one[name] for one in every]
        for first, many, size in (("first_vertex", "vertices", "position"), ("first_state", "states", "state"),
                                  ("first_triangle", "triangles", "triangles")):
            counts = np.array([len(one[size]) for one in every])
            cache["items/" + many], cache["items/" + first] = counts, np.cumsum(counts) - counts
        cache["vertices/position"] = np.vstack([one["position"] for one in every])
        cache["vertices/radius"] = np.concatenate([one["radius"] for one in every])
        cache["states/value"] = np.concatenate([one["state"] for one in every])
        corners = [np.asarray(one["triangles"], int).reshape(-1, 3) for one in every]
        cache["triangles/corner"] = np.vstack(corners)
        counts = np.array([len(frame) for frame in frames])
        cache["frames/items"], cache["frames/first_item"] = counts, np.cumsum(counts) - counts
        cache["frames/time"], cache["frames/step"] = times, np.arange(len(frames))
        contacts = contacts or [[] for _ in frames]
        counts = np.array([len(rows) for rows in contacts])
        cache["frames/contacts"], cache["frames/first_contact"] = counts, np.cumsum(counts) - counts
        for name, shape in CONTACTS.items():
            cache["contacts/" + name] = np.array([row[name] for rows in contacts for row in rows]).reshape((-1,) + shape)
        cache["steps/time"] = times[1:] if "time" not in steps else steps["time"]
        cache["steps/contacts"] = np.full(count, int(counts.sum() > 0))
        for name in STEPS:
            cache["steps/" + name] = steps.get(name, np.zeros(count))
    return folder


class Made(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def verdict(self, check, *options):
        """Exit code and what was printed."""
        told, given = io.StringIO(), sys.argv
        sys.argv = ["check", self.folder, *options]
        try:
            with contextlib.redirect_stdout(told):
                return check.main(), told.getvalue()
        finally:
            sys.argv = given


def known_knots(count=120):
    t = np.linspace(0, 2 * np.pi, count + 1)
    torus = [np.column_stack([(2 + np.cos(n * t)) * np.cos(2 * t), (2 + np.cos(n * t)) * np.sin(2 * t), np.sin(n * t)])
             for n in (1, 3, 5, 7)]
    eight = np.column_stack([(2 + np.cos(2 * t)) * np.cos(3 * t), (2 + np.cos(2 * t)) * np.sin(3 * t), np.sin(4 * t)])
    three_twist = np.column_stack([np.cos(3 * t + 0.7), np.cos(2 * t + 0.2), np.cos(7 * t)])  # a Lissajous knot
    knots = dict(zip(("unknot", "trefoil", "5_1", "7_1", "figure-eight", "5_2"), torus + [eight, three_twist]))
    for points in knots.values():
        points[-1] = points[0]
    return knots


class Knots(Made):
    def test_known_knots_from_everywhere(self):
        rng = np.random.default_rng(7)
        for name, points in known_knots().items():
            for way in rng.normal(size=(8, 3)):
                found = knot.alexander(knot.crossings(points, way / np.linalg.norm(way)))
                self.assertEqual(knot.knot_name(found), name)

    def test_noise_of_many_crossings_changes_nothing(self):
        """Zigzags that double back on themselves, small beside the distance of the strands: many crossings, the same knot."""
        rng = np.random.default_rng(3)
        for name in ("unknot", "trefoil", "figure-eight"):
            points = known_knots(60)[name] + 0
            points[1:-1] += 0.08 * rng.normal(size=points[1:-1].shape)
            found = knot.crossings(points, np.array([0.1, 0.2, np.sqrt(0.95)]))
            self.assertEqual(knot.knot_name(knot.alexander(found)), name)

    def test_sum_of_knots_is_the_product(self):
        t = np.pi / 3 + np.linspace(0.02, 2 * np.pi - 0.02, 120)  # from outermost to outermost
        trefoil = np.column_stack([np.sin(t) + 2 * np.sin(2 * t), np.cos(t) - 2 * np.cos(2 * t), -np.sin(3 * t)])
        both = np.vstack([trefoil, trefoil * [-1, -1, -1] + 6 * trefoil[0], trefoil[:1]])
        (first, second), _ = knot.polynomials(both, closed=True)
        self.assertEqual(first, (1, -2, 3, -2, 1))
        self.assertEqual(first, second)

    def test_writhe_is_the_mean_of_signed_crossings(self):
        ways = np.random.default_rng(5).normal(size=(150, 3))
        for name, points in known_knots(100).items():
            signs = [knot.crossings(points, way / np.linalg.norm(way))[:, 2].sum() for way in ways]
            self.assertLess(abs(np.mean(signs) - knot.writhe(points, True)), 4 * np.std(signs) / np.sqrt(len(signs)) + 1e-9, name)

    def test_writhe_of_a_helix(self):
        t = np.linspace(0, 40 * np.pi, 2001)
        helix = np.column_stack([np.cos(t), np.sin(t), 0.5 * t])
        each = 1 - 0.5 / np.hypot(1, 0.5)  # per turn of a long right-handed helix: 1 - sin of its slope
        self.assertAlmostEqual((knot.writhe(helix) - knot.writhe(helix[:1001])) / 10, each, delta=0.005)
        self.assertAlmostEqual(knot.writhe(helix * [1, 1, -1]), -knot.writhe(helix), delta=1e-9)

    def opened(self, points, lift):
        """A trefoil cut open at its outermost place; lift moves the strand over one crossing down through the one below it."""
        points = points[:-1] + 0
        points = np.roll(points, -int(np.argmax(np.linalg.norm(points, axis=1))), axis=0)
        found = knot.crossings(np.vstack([points, points[:1]]), np.array([0.0, 0, 1]))
        place = found[0, 0]
        near = np.exp(-((np.arange(len(points)) - place) / 6)**2)
        points[:, 2] -= lift * near
        return points

    def test_a_strand_that_passes_through_is_seen(self):
        trefoil = known_knots()["trefoil"] * 0.01
        lifts = (0.0, 0.004, 0.008, 0.05)
        scene = {"fibers": [chain("rope", 119)]}
        write(self.folder, scene, [[polygon(1, self.opened(trefoil, lift))] for lift in lifts])
        code, told = self.verdict(knot)
        self.assertEqual(code, 1)
        self.assertIn("was a trefoil and is a unknot", told)
        self.assertIn("writhe of rope jumps", told)
        write(self.folder, scene, [[polygon(1, self.opened(trefoil, 0) * size)] for size in (1, 0.9, 0.8)])
        code, told = self.verdict(knot, "--expect", "trefoil")
        self.assertEqual(code, 0, told)
        self.assertEqual(self.verdict(knot, "--expect", "figure-eight")[0], 1)


def straight(centre, way, half=0.05, count=9):
    way = np.asarray(way, float) / np.linalg.norm(way)
    return np.asarray(centre, float) + np.linspace(-half, half, count)[:, None] * way


class Overlaps(Made):
    def deepest(self, scene, frames):
        write(self.folder, scene, frames)
        return max(overlap.survey(fiber_data.Run(self.folder)), key=lambda row: row[2])

    def test_fibers_in_fibers(self):
        scene = {"fibers": [chain("one", 8), chain("two", 8)]}
        frame = [polygon(1, straight([0, 0, 0], [1, 0.2, 0])), polygon(2, straight([0.01, 0.002, 1.9 * RADIUS], [0.3, 1, 0]))]
        self.assertAlmostEqual(self.deepest(scene, [frame])[2], 0.1, delta=1e-9)
        self.assertEqual(self.verdict(overlap)[0], 1)
        self.assertEqual(self.verdict(overlap, "--limit", "0.11")[0], 0)
        parallel = [polygon(1, straight([0, 0, 0], [1, 0, 0])), polygon(2, straight([0.0003, 0, 1.95 * RADIUS], [1, 0, 0]))]
        self.assertAlmostEqual(self.deepest(scene, [parallel])[2], 0.05, delta=1e-9)
        tips = [polygon(1, straight([0, 0, 0], [1, 0, 0])), polygon(2, straight([0.1 + 1.7 * RADIUS, 0, 0], [1, 0, 0]))]
        self.assertAlmostEqual(self.deepest(scene, [tips])[2], 0.3, delta=1e-9)

    def test_a_fiber_in_itself(self):
        """Two turns of a coil, a super helix given by its state alone; the drawn vertices are far too few to show it."""
        rise, bend = 1.96 * RADIUS / (2 * np.pi), 0.01
        c2 = bend**2 + rise**2
        length, n = 4 * np.pi * np.sqrt(c2), 10
        t = np.array([0, bend, rise]) / np.sqrt(c2)
        normal = np.array([-1.0, 0, 0])
        frame = np.column_stack([t, normal, np.cross(t, normal)])
        u = np.tile([rise / c2, 0, bend / c2], (n, 1))  # about d2 by the curvature
        state = np.concatenate([[bend, 0, 0], frame.ravel(), u.ravel(), np.zeros(6 + 3 * n)])
        scene = {"fibers": [{"name": "coil", "elements": n, "length": length, "radius": RADIUS}]}
        angle = np.linspace(0, 4 * np.pi, n + 1)
        drawn = np.column_stack([bend * np.cos(angle), bend * np.sin(angle), rise * angle])
        write(self.folder, scene, [[item(0, 1, fiber_data.CURVE, drawn, state=state)]])
        run = fiber_data.Run(self.folder)
        curve = run.curves(0)[0]
        self.assertLess(np.abs(np.hypot(curve.points[:, 0], curve.points[:, 1]) - bend).max(), 1e-15)
        self.assertLess(np.abs(curve.points[-1] - drawn[-1]).max(), 1e-14)
        depth, a, b, _ = overlap.between_fibers([curve])
        self.assertEqual((a, b), ("coil", "coil"))
        self.assertAlmostEqual(depth, 0.04, delta=2.5e-3)  # what chords of both sides explain

    def test_fibers_in_solids(self):
        scene = {"fibers": [chain("rope", 8)], "obstacles": [{"name": "thing"}]}
        rope = polygon(1, straight([0, 0, 0], [1, 0, 0]))
        placed = {
            "plane": item(1, 1, fiber_data.PLANE, [[0, 0, -0.8 * RADIUS], [0, 0, 1 - 0.8 * RADIUS]], 0),
            "sphere": item(1, 1, fiber_data.DISK, [[0.01, 0, 0.0208], [0, 0, 1], [0, 1, 0]], 0.02),
            "capsule": item(1, 1, fiber_data.CURVE, [[0.01, -0.1, 0.0208], [0.01, 0.1, 0.0208]], 0.02),
        }
        for shape, thing in placed.items():
            scene["obstacles"][0] = {"name": "thing", "shape": shape}
            self.assertAlmostEqual(self.deepest(scene, [[rope, thing]])[2], 0.2, delta=1e-9, msg=shape)

        corners = np.array([[x, y, z] for x in (-0.03, 0.03) for y in (-0.02, 0.02) for z in (-0.01, 0.01)])
        turned = overlap.rotation_of({"axis": [1, 0, 0], "angle": "90deg"})
        scene["obstacles"][0] = {"name": "thing", "shape": "box", "edges": [0.06, 0.04, 0.02], "position": [0, 0, 0.5]}
        first, later = corners + [0, 0, 0.5], corners @ turned.T + [0, 0, 0.0207]  # turned: half of it is 0.02 high
        box = [item(1, 1, fiber_data.MESH, place, 0) for place in (first, later)]
        self.assertAlmostEqual(self.deepest(scene, [[rope, box[0]], [rope, box[1]]])[2], 0.3, delta=1e-9)

        ring = np.array([[0.02 * np.cos(a), 0.02 * np.sin(a), z] for a in np.linspace(0, 6, 12) for z in (-0.1, 0.1)])
        along_y = overlap.frame_along([0, 1, 0])
        scene["obstacles"][0] = {"name": "thing", "shape": "cylinder", "radius": 0.02, "rounding": 0.001,
                                 "ends": [[0, -0.1, 0.0214], [0, 0.1, 0.0214]]}
        post = item(1, 1, fiber_data.MESH, ring @ along_y.T + [0, 0, 0.0214], 0)
        self.assertAlmostEqual(self.deepest(scene, [[rope, post]])[2], 0.6, delta=1e-9)

    def test_meshes(self):
        scene = {"fibers": [chain("rope", 8)], "obstacles": [{"name": "sheet", "shape": "mesh", "rounding": 5e-4}]}
        corners = np.array([[-0.1, -0.1, 0], [0.1, -0.1, 0], [0.1, 0.1, 0], [-0.1, 0.1, 0.0]])
        sheet = item(1, 1, fiber_data.MESH, corners, 0, triangles=[[0, 1, 2], [0, 2, 3]])
        above = polygon(1, straight([0.01, 0.02, 1.3 * RADIUS], [1, 0.3, 0]))
        row = self.deepest(scene, [[above, sheet]])
        self.assertAlmostEqual(row[2], 0.2, delta=1e-9)
        self.assertEqual(row[8], 0)
        through = polygon(1, straight([0.013, 0.021, 0], [1, 0.3, 1]))
        self.assertEqual(self.deepest(scene, [[through, sheet]])[8], 1)
        beside = polygon(1, straight([0.2, 0.021, 0], [0, 0.3, 1]))
        row = self.deepest(scene, [[beside, sheet]])
        self.assertEqual((row[8], row[2] < 0), (0, True))

    def test_fibers_that_passed_through_each_other(self):
        scene = {"fibers": [chain("one", 8), chain("two", 8)]}

        def frame(height):
            return [polygon(1, straight([0, 0, 0], [1, 0, 0])), polygon(2, straight([0, 0, height], [0, 1, 0]))]

        write(self.folder, scene, [frame(2.1 * RADIUS), frame(-2.1 * RADIUS)])
        self.assertEqual(self.verdict(overlap)[0], 0)  # no frame shows it
        self.assertEqual(self.verdict(overlap, "--links")[0], 1)
        turned = frame(0)[:1] + [polygon(2, straight([0.02, 0, 2.1 * RADIUS], [1, 1, 0]))]
        write(self.folder, scene, [frame(2.1 * RADIUS), turned])
        self.assertEqual(self.verdict(overlap, "--links")[0], 0)


class Budgets(Made):
    def free_fall(self, wrong=0.0):
        """A stick that spins and falls: places and velocities of its nodes, and the energies of them."""
        length, edges, rho, g, omega, dt = 0.4, 8, 0.02, 9.81, 5.0, 1e-3
        s = np.linspace(-0.5, 0.5, edges + 1) * length
        mass = rho * length / edges * np.append(np.append(0.5, np.ones(edges - 1)), 0.5)
        frames, kinetic, potential = [], [], []
        for t in np.arange(101) * dt:
            way, across = (np.array([np.cos(omega * t + k), np.sin(omega * t + k), 0]) for k in (0, np.pi / 2))
            place = s[:, None] * way + [0.3 * t + 0.5 * wrong * t * t, 0.2, 1 - 0.5 * g * t * t]
            velocity = omega * s[:, None] * across + [0.3 + wrong * t, 0, -g * t]
            frames.append([polygon(1, place, velocity=velocity)])
            kinetic.append(0.5 * (mass[:, None] * velocity**2).sum())
            potential.append(g * (mass * place[:, 2]).sum())
        times = np.arange(101) * dt
        steps = {"energy_kinetic": np.array(kinetic[1:]), "energy_gravity": np.array(potential[1:])}
        return {"fibers": [chain("stick", edges, length, mass_per_length=rho)]}, frames, times, steps

    def test_free_fall(self):
        scene, frames, times, steps = self.free_fall()
        write(self.folder, scene, frames, times, steps)
        code, told = self.verdict(budget, "--limit", "1e-6")
        self.assertEqual(code, 0, told)

    def test_energy_that_came_from_nowhere(self):
        scene, frames, times, steps = self.free_fall()
        lost = 0.02 * np.ptp(steps["energy_gravity"]) * np.linspace(0, 1, 100)
        write(self.folder, scene, frames, times, {**steps, "energy_elastic": lost})
        code, told = self.verdict(budget)
        self.assertEqual(code, 1)
        self.assertIn("energy: 2.00e-02", told)
        write(self.folder, scene, frames, times, {**steps, "energy_elastic": lost, "work_loads": lost})
        self.assertEqual(self.verdict(budget)[0], 0)

    def test_momentum_from_nowhere(self):
        scene, frames, times, steps = self.free_fall(wrong=1.0)
        write(self.folder, scene, frames, times, steps)
        self.assertGreater(budget.momentum(fiber_data.Run(self.folder))[0], 0.05)
        self.assertEqual(self.verdict(budget)[0], 1)
        touching = [[{"id": 1, "body_a": 1, "body_b": 0, "obstacle_b": 1, "position": f[0]["position"][4],
                      "force": [1.0 * 0.02 * 0.4, 0, 0], "velocity": [0, 0, 0]}] for f in frames]
        write(self.folder, scene, frames, times, steps, touching)  # a force that does explain it
        linear, angular = budget.momentum(fiber_data.Run(self.folder))
        self.assertLess(linear, 1e-9)
        self.assertLess(angular, 2e-3)  # the force acts where it is at the end of the step

    def test_momentum_of_a_super_helix(self):
        """It turns as a whole: velocities by differences, moments by Simpson's rule, against those of a rigid arc."""
        n, length, bend = 6, 0.3, 0.1
        turn, drift = np.array([0.3, -2.0, 1.0]), np.array([0.5, 0.1, -0.2])
        frame = overlap.rotation_of([0.4, -0.2, 0.9])
        u = np.tile([0, 0, 1 / bend], (n, 1))
        state = np.concatenate([[1, 2, 3], frame.ravel(), u.ravel(), drift, turn, np.zeros(3 * n)])
        scene = {"fibers": [{"name": "arc", "elements": n, "length": length, "radius": RADIUS, "mass_per_length": 0.02}]}
        write(self.folder, scene, [[item(0, 1, fiber_data.CURVE, np.zeros((n + 1, 3)), state=state)]] * 2)
        mass, momentum, angular, kinetic, centre = budget.moments(fiber_data.Run(self.folder), 0)[:5]
        angle = length / bend
        mean = bend * np.array([(1 - np.cos(angle)) / angle, 1 - np.sin(angle) / angle, 0])
        self.assertAlmostEqual(mass, 0.006, delta=1e-15)
        self.assertLess(np.abs(centre / mass - [1, 2, 3] - frame @ mean).max(), 1e-6)
        self.assertLess(np.abs(momentum / mass - drift - np.cross(turn, frame @ mean)).max(), 1e-6)
        t = (np.arange(20000) + 0.5) / 20000 * angle
        arm = bend * np.column_stack([np.sin(t), 1 - np.cos(t), 0 * t]) @ frame.T
        velocity = drift + np.cross(turn, arm)
        spin = np.column_stack([np.cos(t), np.sin(t), 0 * t]) @ frame.T @ turn
        about_the_line = 0.5 * mass * (0.5 * RADIUS**2) * (spin**2).mean()
        of_the_line = 0.5 * mass * (velocity**2).sum(axis=1).mean()
        self.assertGreater(about_the_line, 2e-6 * kinetic)  # or the next line could not tell whether it was counted
        self.assertAlmostEqual(kinetic, of_the_line + about_the_line, delta=2e-7 * kinetic)
        expected = mass * np.cross(arm + [1, 2, 3], velocity).mean(axis=0)
        self.assertLess(np.abs(angular - expected).max(), 1e-6 * np.abs(expected).max())

    def test_what_cannot_be_known_is_said(self):
        scene, frames, times, steps = self.free_fall()
        scene["fibers"][0]["clamped"] = True
        write(self.folder, scene, frames, times, steps)
        code, told = self.verdict(budget)
        self.assertEqual(code, 0)
        self.assertIn("left out, there are clamps", told)


class Rest(Made):
    def settled(self, drift=0.0, error=1e-9, kinetic=1e-12, point_drift=0.0):
        times = np.arange(31) * 0.1
        frames, contacts = [], []
        for t in times:
            late = max(t - 2.0, 0)
            points = straight([0, 0, 0], [1, 0, 0])
            points[3, 1] += point_drift * RADIUS * late
            frames.append([polygon(1, points)])
            contacts.append([{"id": 7, "body_a": 1, "body_b": 0, "obstacle_b": 1, "force": [0, 0, 1], "velocity": [0, 0, 0],
                              "position": [drift * RADIUS * late, 0, -RADIUS]}])
        energies = np.where(times[1:] < 1.5, 1.0, kinetic)
        errors = np.where(times[1:] > 2.5, error, 1e-9)
        write(self.folder, {"fibers": [chain("rope", 8)]}, frames, times,
              {"energy_kinetic": energies, "error": errors}, contacts)
        return self.verdict(still)

    def test_rest_and_unrest(self):
        code, told = self.settled()
        self.assertEqual(code, 0, told)
        self.assertIn("1 of 1 last", told)
        code, told = self.settled(drift=3e-6)
        self.assertEqual(code, 1)
        self.assertIn("drift at most 3.00e-06", told)
        self.assertEqual(self.settled(drift=0.9e-6)[0], 0)
        self.assertEqual(self.settled(kinetic=2e-10)[0], 1)
        self.assertEqual(self.settled(error=2e-8)[0], 1)
        self.assertEqual(self.settled(error=2e-6)[0], 1)
        self.assertIn("drift at most 4.00e-05 radii/s (rope)", self.settled(point_drift=4e-5)[1])


if __name__ == "__main__":
    unittest.main()
