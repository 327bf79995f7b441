"""What the tests of `capstan run` share: a scene with a little of everything, and running it."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "validate", "scenes"))

COMMAND = os.environ.get("CAPSTAN_COMMAND", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../build/capstan"))


def sanitized():
    """Whether the command was built with AddressSanitizer: it costs 3 to 15 times, so that series are shorter."""
    with open(COMMAND, "rb") as file:
        return b"__asan_init" in file.read()


def scene(**changes):
    """Rods and a disk that fall on the ground, a drum and a moving bar, with adaptive steps: impacts, sticking, sliding, retries."""
    made = {
        "capstan": 1, "title": "a little of everything", "duration": 0.6,
        "time_step": {"dt": 1e-3, "adaptive": True},
        "friction": 0.4,
        "output": {"frame_interval": 5e-3, "checkpoint_interval": 2e-2, "samples": 2},
        "rods": [
            {"name": "strip", "elements": 8, "length": 0.5, "radius": 0.004, "mass_per_length": 0.05, "bending_stiffness": 2e-4,
             "damping_time": 5e-3, "position": [-0.25, 0.24], "angle": 0.1},
            {"name": "held", "elements": 6, "length": 0.3, "radius": 0.004, "mass_per_length": 0.05, "bending_stiffness": 1e-3,
             "damping_time": 5e-3, "position": [-0.4, 0.15], "clamped": True}],
        "rigid_bodies": [
            {"name": "coin", "shape": "disk", "radius": 0.03, "mass": 0.05, "position": [0.1, 0.4], "velocity": [0.3, 0]}],
        "obstacles": [
            {"name": "ground", "shape": "half_plane", "normal": [0, 1]},
            {"name": "drum", "shape": "disk", "position": [0, 0.1], "radius": 0.08,
             "motion": {"keys": [{"time": 0}, {"time": 0.6, "rotation": 2.0}]}},
            {"name": "bar", "shape": "chain", "position": [0.4, 0], "points": [[0, 0], [0, 0.3]], "radius": 0.01,
             "motion": {"keys": [{"time": 0.2}, {"time": 0.6, "translation": [-0.1, 0]}], "smooth": True}}],
        "constraints": [{"name": "pivot", "type": "pinned", "body": "held", "at": "end", "release_time": 0.3}],
        "probes": [
            {"name": "tip", "type": "position", "body": "strip", "at": "end"},
            {"name": "ground", "type": "obstacle_force", "obstacle": "ground"},
            {"name": "pivot", "type": "constraint_force", "constraint": "pivot"},
            {"name": "energy", "type": "energy"}]}
    made.update(changes)
    return made


def write_scene(folder, name="scene.json", **changes):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene(**changes), file, indent=1)
    return path


def run(*arguments, **options):
    """`capstan run` with these arguments, in the folder cwd if given."""
    return subprocess.run([COMMAND, "run", *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False, **options)


def catches(process, number):
    """Whether the process has a handler for this signal by now (or has ended): before that, the signal would end it without a word."""
    if process.poll() is not None:
        return True
    with open("/proc/%d/status" % process.pid, encoding="ascii") as status:
        caught = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt"))
    return bool(caught >> (number - 1) & 1)


def outcome(directory):
    with open(os.path.join(directory, "outcome.json"), encoding="utf-8") as file:
        return json.load(file)
