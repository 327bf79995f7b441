#!/usr/bin/env python3
"""Runs scenes of scenes/planar, checks the physics of each, and makes a page, a contact sheet and plots of each.

    validate/scenes/planar.py [--out DIR] [--command build/capstan] [--quick] [SCENE ...]

Without SCENE all that have a check (validate/scenes/planar/check_NAME.py). DIR (build/planar) gets a directory NAME.run each, index.html with
the pictures, what to look for and the findings, and planar.csv with the findings of all scenes run so far. Exit 1 if a check fails or a run does
not finish. --quick: no pages and pictures.
"""
import argparse
import csv
import glob
import html
import importlib
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "planar"))


def names():
    files = glob.glob(os.path.join(HERE, "planar", "check_*.py"))
    return sorted(os.path.basename(file)[len("check_"):-len(".py")] for file in files)


def call(command, *arguments):
    return subprocess.run([command, *arguments], capture_output=True, text=True, check=False)


def run_scene(command, name, place, quick, family="planar"):
    """Seconds of the run; raises what went wrong."""
    scene = os.path.join(ROOT, "scenes", family, name + ".json")
    begun = time.monotonic()
    done = call(command, "run", scene, "--out", place, "--force")
    seconds = time.monotonic() - begun
    with open(os.path.join(place, "outcome.json"), encoding="utf-8") as file:
        outcome = json.load(file)
    if outcome["state"] != "finished":
        raise RuntimeError(f"the run ended as {outcome['state']}: {outcome.get('message', '')} {done.stderr[-300:]}")
    if not quick:
        for arguments in (("view", place), ("render", place, "--contact-sheet", "6", "--contacts"), ("plot", place)):
            made = call(command, *arguments)
            if made.returncode:
                raise RuntimeError(made.stderr.strip())
    return seconds


def figure(value):
    return value if isinstance(value, str) else f"{value:.4g}"


def keep_rows(path, rows):
    """Writes rows, dicts with a "scene", to a CSV file; rows of other scenes that are in the file stay."""
    kept = []
    if os.path.exists(path):
        with open(path, newline="", encoding="utf-8") as file:
            kept = [row for row in csv.DictReader(file) if row["scene"] not in {new["scene"] for new in rows}]
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, rows[0].keys(), extrasaction="ignore")
        table.writeheader()
        table.writerows(kept + rows)


def section(name, module, seconds, findings):
    rows = "".join(f"<tr class={'met' if ok else 'missed'}><td>{html.escape(what)}<td>{figure(value)}<td>{figure(bound)}"
                   for what, value, bound, ok in findings)
    loops = "".join(f'<a href="{name}.run/plots/{os.path.basename(file)}">{os.path.basename(file)[6:-9]}: force against displacement</a> '
                    for file in sorted(glob.glob(os.path.join(module.place, "plots", "probe_*_loop.png"))))
    return (f'<h2 id="{name}">{name}</h2><p>{html.escape(module.WHAT)}<p><a href="{name}.run/view.html">page</a> '
            f'<a href="{name}.run/plots/overview.png">plots</a> {loops} ({seconds:.0f} s)'
            f'<p><img src="{name}.run/contact_sheet.png" alt="{name}"><table><tr><th>check<th>found<th>bound{rows}</table>')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", nargs="*", metavar="SCENE", help="names of scenes/planar without .json")
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "planar"))
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    parser.add_argument("--quick", action="store_true", help="checks only")
    asked = parser.parse_args()
    unknown = sorted(set(asked.scene) - set(names()))
    if unknown:
        parser.error(f"no check for {', '.join(unknown)}: expected some of {', '.join(names())}")
    os.makedirs(asked.out, exist_ok=True)
    sections, rows, good = [], [], True
    for name in asked.scene or names():
        module = importlib.import_module("check_" + name)
        module.place = os.path.join(asked.out, name + ".run")
        try:
            seconds = run_scene(asked.command, name, module.place, asked.quick)
            findings = module.check(module.place)
        except (RuntimeError, OSError) as fault:
            seconds, findings = 0.0, [(str(fault), "", "", False)]
        print(f"{name} ({seconds:.0f} s): {module.WHAT}")
        for what, value, bound, ok in findings:
            good = good and ok
            print(f"  {'met   ' if ok else 'MISSED'} {figure(value):>10}  (bound {figure(bound)})  {what}")
            rows.append({"scene": name, "figure": what, "found": value, "bound": bound, "met": int(ok)})
        sys.stdout.flush()
        sections.append(section(name, module, seconds, findings))
    keep_rows(os.path.join(asked.out, "planar.csv"), rows)
    with open(os.path.join(asked.out, "index.html"), "w", encoding="utf-8") as file:
        file.write("<!doctype html><meta charset=utf-8><title>Planar rods in contact</title><style>body{font:15px/1.5 sans-serif;max-width:70em;"
                   "margin:2em auto;padding:0 1em}img{max-width:100%}td,th{padding:.1em 1em .1em 0;text-align:left}.missed{color:#b00}</style>"
                   "<h1>Planar rods in contact</h1>" + "\n".join(sections))
    print(f"pages and pictures: {os.path.join(asked.out, 'index.html')}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
