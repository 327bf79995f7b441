"""Physical checks of scenes/planar/archery.json: the energy of a shot, and the flight.

Drawing: the area under the curve of the fingers' force over their way, and the work of what keeps the arrow on the string,
are what is stored in the bow. Shot: what was stored is the energy of the arrow, what is left in bow and string, and what was
dissipated; so the arrow has less than was stored. Flight: no horizontal force, the weight, no moment: a parabola at constant
spin."""
import json
import os

import h5py
import numpy as np

from run_data import finding, law_met, probe

WHAT = "The arrow leaves with less energy than the drawn bow held, the budget of the shot is closed, and it flies a parabola."

WORKS = ("loads", "constraints", "normal", "friction", "viscosity", "drag", "scheme")


def flight(cache, release, target):
    """First and last frame of the flight: the string has let go of the arrow, its head has not reached the target."""
    arrow = list(cache["names/bodies"].asstr()[()]).index("arrow") + 1
    body_a, body_b, force = (cache["contacts"][key][()] for key in ("body_a", "body_b", "force"))
    owner, number = cache["items/owner"][()], cache["items/id"][()]
    pushed, head = [], []
    for frame, (at, count) in enumerate(zip(cache["frames/first_contact"][()], cache["frames/contacts"][()])):
        pushed.append(any(arrow in (body_a[i], body_b[i]) and np.abs(force[i]).max() > 0 for i in range(at, at + count)))
        first, items = cache["frames/first_item"][frame], cache["frames/items"][frame]
        item = next(i for i in range(first, first + items) if owner[i] == 0 and number[i] == arrow)
        start, vertices = cache["items/first_vertex"][item], cache["items/vertices"][item]
        outline = slice(start, start + vertices)
        head.append((cache["vertices/position"][outline, 0] + cache["vertices/radius"][outline]).max())
    times = cache["frames/time"][()]
    # The string may still have pushed between the last frame that shows it and the next; at the end, the next frame is too late.
    first = next(k for k in range(len(times)) if times[k] > release and not pushed[k]) + 1
    last = next(k for k in range(first, len(times)) if 2 * head[k] - head[k - 1] >= target)
    return first, last


def check(run):
    with h5py.File(os.path.join(run, "cache.h5"), "r") as cache:
        scene = json.loads(cache["scene/effective"].asstr()[()])
        release = next(each["release_time"] for each in scene["constraints"] if each["name"] == "fingers")
        target = min(x for x, _ in next(each["points"] for each in scene["obstacles"] if each["name"] == "target"))
        first, last = flight(cache, release, target)
    body = next(each for each in scene["rigid_bodies"] if each["name"] == "arrow")
    gravity = -scene.get("gravity", [0, -9.81])[1]
    arrow, energy, fingers, middle = (probe(run, name) for name in ("arrow", "energy", "fingers", "middle"))
    drawn = int(np.argmin(np.abs(energy["time"] - release)))
    stored = energy["elastic"][drawn]

    pull = 0.5 * (fingers["fx"][1:drawn] + fingers["fx"][:drawn - 1])
    work = np.sum(pull * np.diff(middle["x"][:drawn])) + energy["loads"][drawn]
    gain = stored - energy["elastic"][0]
    thrown = 0.5 * body["mass"] * (arrow["vx"][first]**2 + arrow["vy"][first]**2)
    total = energy["kinetic"] + energy["elastic"] + energy["gravity"]
    works = sum(energy[name] for name in WORKS)
    left = (total[first] - works[first]) - (total[drawn] - works[drawn])

    fly = slice(first, last + 1)
    t = arrow["time"][fly] - arrow["time"][first]
    parabola = np.polyfit(t, arrow["y"][fly], 2)
    return [
        finding(f"|area under the draw curve ({work:.2f} J) - energy stored by it ({gain:.2f} J)| / stored",
                abs(work / gain - 1), 0.02),
        finding(f"energy of the arrow ({thrown:.2f} J, {arrow['vx'][first]:.1f} m/s) / elastic energy, drawn ({stored:.2f} J)",
                thrown / stored, 1.0),
        finding("the same, more than a half: little stays in the limbs", thrown / stored, 0.5, thrown / stored > 0.5),
        finding("budget of the shot, from the release to the flight: |unaccounted| / stored", abs(left) / stored, 0.01),
        finding("numerical damping of the shot / stored", abs(energy["scheme"][first] - energy["scheme"][drawn]) / stored, 0.01),
        finding(f"flight of {t[-1]:.2f} s and {arrow['x'][last] - arrow['x'][first]:.2f} m: change of horizontal speed, relative",
                np.ptp(arrow["vx"][fly]) / arrow["vx"][first], 1e-9),
        finding("flight: distance from a parabola / drop", np.abs(np.polyval(parabola, t) - arrow["y"][fly]).max()
                / (arrow["y"][first] - arrow["y"][last]), 1e-6),
        finding("flight: |acceleration / g - 1|", abs(2 * parabola[0] / -gravity - 1), 1e-6),
        finding("flight: change of the arrow's spin from its mean (rad/s)",
                np.abs(np.diff(arrow["angle"][fly]) / np.diff(arrow["time"][fly])
                       - (arrow["angle"][last] - arrow["angle"][first]) / t[-1]).max(), 1e-9),
        law_met(run),
    ]
