"""The page of `capstan view` in a real browser: Debian's chromium, driven through playwright-core (viewer/test/page_test.mjs).

Skipped without chromium, node, or viewer/node_modules (the build fetches them; npm ci in viewer/ does too). Also runs the viewer's
unit tests."""
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
VIEWER = os.path.join(ROOT, "viewer")
CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")


def skip(why):
    print(why)
    sys.exit(77)


try:
    import h5py
except ImportError:
    skip("h5py is missing")

import run_fixture as fixture
import space_run

NODE = shutil.which("node") or shutil.which("nodejs")
CAMERA = {"center": [0.0, 0.25], "height": 0.7}
SIZE = (1280, 720)  # where a pixel of `capstan render` means as much as one of the page: least widths, hatching
BODIES = ("12927a", "8a63c9", "cf9d0e")  # colours of the strip, the held rod and the coin


def view(*arguments):
    done = subprocess.run([fixture.COMMAND, "view", *arguments], capture_output=True, text=True, timeout=600, check=False)
    if "built without the viewer" in done.stderr:
        skip("capstan was built without its viewer")
    assert done.returncode == 0, done.stderr


def expectations(run, other):
    """What the cache says about a few frames."""
    with h5py.File(os.path.join(run, "cache.h5")) as cache:
        items = {name: cache["items/" + name][:] for name in ("first_vertex", "vertices", "owner", "id")}
        times = cache["frames/time"][:]

        def strip(frame):
            first, count = cache["frames/first_item"][frame], cache["frames/items"][frame]
            row = next(k for k in range(first, first + count) if items["owner"][k] == 0 and items["id"][k] == 1)
            at = slice(items["first_vertex"][row], items["first_vertex"][row] + items["vertices"][row])
            return {"time": times[frame], "points": cache["vertices/position"][at, :2].tolist(), "radius": cache["vertices/radius"][at][0]}

        def contacts(frame):
            return range(cache["frames/first_contact"][frame], cache["frames/first_contact"][frame] + cache["frames/contacts"][frame])

        # The frame and contact that are easiest to hit: alone within some distance, pressed and sliding or sticking.
        best = (0.0, 0, 0)
        for frame in range(len(times)):
            place = {k: cache["contacts/position"][k] for k in contacts(frame)}
            for k, here in place.items():
                gap = min((abs(here - other).max() for j, other in place.items() if j != k), default=0.3)
                if cache["contacts/case"][k] in (1, 2) and gap > best[0]:
                    best = (gap, frame, k)
        _, frame, chosen = best
        busy = max(range(len(times)), key=lambda k: cache["frames/contacts"][k])
        names = cache["names/bodies"].asstr()
        case = ("takes off", "sticks", "slides", "held")[cache["contacts/case"][chosen]]
        words = [names[cache["contacts/body_a"][chosen] - 1], case, "%.3g" % cache["contacts/mu"][chosen]]
        return {"camera": CAMERA, "frames": [strip(k) for k in (0, len(times) // 3, len(times) - 1)], "time": times[frame],
                "busy": times[busy], "contact": {"position": cache["contacts/position"][chosen, :2].tolist(), "words": words},
                "two": {"time": times[-1], "names": [os.path.basename(run), os.path.basename(other)]}}


def renders(run, folder, times):
    """Pictures of the run by `capstan render`: by the scene's camera at each time, and closer; each also from 5 pixels aside."""
    def draw(name, time, camera):
        subprocess.run([fixture.COMMAND, "render", run, "--at", repr(time), "--plain", "--camera", ",".join(map(repr, camera)), "--size",
                        "%dx%d" % SIZE, "--threads", "2", "--out", os.path.join(folder, name)],
                       check=True, timeout=600, stdout=subprocess.DEVNULL)
        return name

    shown = []
    scene, closer = (*CAMERA["center"], CAMERA["height"]), (-0.05, 0.21, 0.55)
    for k, (time, camera) in enumerate([(time, scene) for time in times] + [(times[-1], closer)]):
        x, y, height = camera
        shown.append({"time": time, "camera": camera, "png": draw("render_%d.png" % k, time, camera),
                      "shifted": draw("render_%d_shifted.png" % k, time, (x + 5 * height / SIZE[1], y, height))})
    return {"size": SIZE, "bodies": [list(bytes.fromhex(colour)) for colour in BODIES], "shown": shown}


def space(folder):
    """A made-up run in space as a page, and a picture of it by `capstan render` on a given camera; also from 5 pixels aside."""
    run = os.path.join(folder, "space")
    space_run.knot_run(6).write(run)
    view(run, "--out", os.path.join(folder, "space.html"))
    time, camera, height = 0.04, [0.0, 0.0, 0.05, 0.5, -70.0, 35.0], 720
    aside = math.radians(camera[4])
    right = [-math.sin(aside), math.cos(aside)]
    for name, off in (("space.png", 0.0), ("space_shifted.png", 5.0 * camera[3] / height)):
        where = [camera[0] + off * right[0], camera[1] + off * right[1], *camera[2:]]
        subprocess.run([fixture.COMMAND, "render", run, "--at", repr(time), "--plain", "--camera", ",".join(map(repr, where)), "--size",
                        "%dx%d" % SIZE, "--threads", "2", "--out", os.path.join(folder, name)],
                       check=True, timeout=600, stdout=subprocess.DEVNULL)
    colours = ("12927a", "8a63c9", "cf9d0e", "c2588f")  # fiber, capsule, ball, box
    return {"time": time, "camera": camera, "size": SIZE, "png": "space.png", "shifted": "space_shifted.png",
            "bodies": [list(bytes.fromhex(colour)) for colour in colours]}


def main():
    if not NODE or not any(map(os.path.exists, CHROMIUM)):
        skip("node or chromium is missing")
    if not os.path.isdir(os.path.join(VIEWER, "node_modules", "playwright-core")):
        skip("viewer/node_modules is missing: npm ci in viewer/")
    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for name, friction in (("rough", 0.4), ("smooth", 0.0)):
            scene = fixture.write_scene(folder, name + ".json", duration=0.5, camera=CAMERA, friction=friction)
            runs.append(os.path.join(folder, name))
            done = fixture.run(scene, "--out", runs[-1], cwd=folder)
            assert done.returncode in (0, 1), done.stderr
        view(runs[0], "--out", os.path.join(folder, "one.html"))
        view(*runs, "--out", os.path.join(folder, "two.html"))
        subprocess.run([NODE, "build.mjs", "--html", os.path.join(folder, "viewer.html")], cwd=VIEWER, check=True)
        expected = expectations(*runs)
        expected["renders"] = renders(runs[0], folder, [float(frame["time"]) for frame in expected["frames"]])
        expected["space"] = space(folder)
        with open(os.path.join(folder, "expected.json"), "w", encoding="utf-8") as file:
            json.dump(expected, file)
        for command in (["test/run.mjs", os.path.join(folder, "unit")], ["test/page_test.mjs", folder]):
            done = subprocess.run([NODE, *command], cwd=VIEWER, check=False)
            if done.returncode != 0:
                sys.exit(1)


if __name__ == "__main__":
    main()
