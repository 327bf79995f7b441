#!/usr/bin/env python3
"""Runs scenes of scenes/fibers, checks the physics of each, and makes a page, a contact sheet and plots of each.

    validate/scenes/fibers.py [--out DIR] [--command build/capstan] [--quick] [SCENE ...]

Without SCENE all but the long ones. DIR (build/fibers) gets a directory NAME.run each, index.html with the pictures, what to look for and
what the checks said, and fibers.csv with what the checks said of all scenes run so far. Exit 1 if a check fails or a run does not finish.
--quick: no pages and pictures.

A check is a program of validate/scenes/fibers that reads runs alone and exits with 1 if it finds a fault; {run} stands for the run, {beside} for
the directory that holds it and the runs it is compared with (which come first in the list). What a scene claims is an argument of its check, never
read from the scene: sabotage.py changes scenes, and every check must notice.
"""
import argparse
import collections
import html
import os
import subprocess
import sys

from planar import ROOT, keep_rows, run_scene

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3"

Scene = collections.namedtuple("Scene", "what checks long", defaults=(False,))
SLOW = ("knot.py", "check_overlap_space.py")
OVERLAP = ("check_overlap_space.py", "{run}")
NO_FRICTION = ("friction_work.py", "{run}", "--at-most", "1e-12")  # rounding of sums of some 1e4 terms
# A loose overhand knot is pulled by B / 2 R^2 without friction, which adds mu sigma eps^3 B / h^2 (docs/fibers/knots.md): 2 mu sigma / eps times as much.
# With mu = 0.3, sigma = 0.492 and eps = sqrt(h / R) from 0.26 to 0.5, where the loop is filled, that is 0.6 to 1.1. At these eps traction without
# friction is already up to 6 times its limit of loose knots: friction takes at least 0.1 of the work until the rod begins to stretch.
KNOT_FRICTION = ("friction_work.py", "{run}", "--at-least", "0.1", "--between", "0.2", "3.4")

SCENES = {
    "fall": Scene("A free fiber falls on the ground, slides a little and lies still.",
                  [OVERLAP, ("budget.py", "{run}", "--limit", "0.02"), ("still.py", "{run}", "--last", "0.2", "--drift", "inf")]),
    "spaghetti_7": Scene("Bent spaghetti that are straight by nature stay curved: friction holds them.",
                         [OVERLAP, ("elastic_left.py", "{run}", "--at-least", "0.5"), ("still.py", "{run}", "--last", "0.5")]),
    "spaghetti_7_frictionless": Scene("The same without friction: they straighten.",
                                      [OVERLAP, ("elastic_left.py", "{run}", "--at-most", "0.2")]),
    "spaghetti_31": Scene("31 spaghetti fall into a plate.", [OVERLAP, ("still.py", "{run}")]),
    # nu: the paper's packing has 1.32 at most; of parallel rods that is the least.
    "spaghetti_31_parallel_frictionless": Scene("31 parallel spaghetti, no friction: they spread over the plate.",
                                                [OVERLAP, ("stack.py", "{run}", "--slides", "--nu", "1.32", "inf")], True),
    "spaghetti_31_parallel_plate": Scene("31 parallel spaghetti, friction with the plate only: a stack whose rods go on sliding.",
                                         [OVERLAP, ("stack.py", "{run}", "--slides", "--nu", "1.32", "inf", "--higher-than",
                                                    "{beside}/spaghetti_31_parallel_frictionless.run", "--slower-than",
                                                    "{beside}/spaghetti_31_parallel_frictionless.run")], True),
    "spaghetti_31_parallel": Scene("31 parallel spaghetti: with friction everywhere the stack is higher and still.",
                                   [OVERLAP, ("stack.py", "{run}", "--still", "--nu", "1.32", "inf", "--higher-than",
                                              "{beside}/spaghetti_31_parallel_plate.run")], True),
    "spaghetti_76": Scene("76 spaghetti fall into a plate, pile up and lie still.", [OVERLAP, ("still.py", "{run}")], True),
    "spaghetti_76_16": Scene("76 spaghetti of 16 nodes (Figure 11).", [OVERLAP, ("still.py", "{run}")], True),
    "spaghetti_76_frictionless": Scene("76 spaghetti, no friction: they spread and go on sliding.",
                                       [OVERLAP, ("stack.py", "{run}", "--slides")], True),
    "spaghetti_76_plate": Scene("76 spaghetti, friction with the plate only: a heap that goes on sliding.",
                                [OVERLAP, ("stack.py", "{run}", "--slides", "--higher-than", "{beside}/spaghetti_76_frictionless.run",
                                           "--slower-than", "{beside}/spaghetti_76_frictionless.run")], True),
    "overhand_knot": Scene("An overhand knot pulled tight without friction.",
                           [OVERLAP, ("knot.py", "{run}", "--expect", "trefoil"), NO_FRICTION]),
    "overhand_knot_friction": Scene("An overhand knot pulled tight with mu = 0.3: friction takes a part of the work.",
                                    [OVERLAP, ("knot.py", "{run}", "--expect", "trefoil"), KNOT_FRICTION]),
    "figure_of_eight": Scene("A figure-of-eight knot pulled tight without friction.",
                             [OVERLAP, ("knot.py", "{run}", "--expect", "figure-eight"), NO_FRICTION]),
    "figure_of_eight_friction": Scene("A figure-of-eight knot pulled tight with mu = 0.3: friction takes a part of the work.",
                                      [OVERLAP, ("knot.py", "{run}", "--expect", "figure-eight"),
                                       KNOT_FRICTION]),
    "plectoneme": Scene("A slack rod is twisted until it winds around itself.",
                        [OVERLAP, ("plectoneme.py", "{run}"), NO_FRICTION]),
    "plectoneme_friction": Scene("The same with mu = 0.3: friction hinders coils from growing, more of the link stays twist.",
                                 [OVERLAP, ("plectoneme.py", "{run}", "--more-twist-than", "{beside}/plectoneme.run")]),
    "clove_hitch": Scene("A tail of 0.02 N holds a load of 0.8 N.", [OVERLAP, ("clove_hitch.py", "{run}")]),
    "wavy_hair_frictionless": Scene("84 curled hairs on a head that turns, no friction.",
                                    [OVERLAP, NO_FRICTION], True),
    "wavy_hair": Scene("84 curled hairs on a head that turns: with friction less volume in motion, wisps held on the shoulder.",
                       [OVERLAP, ("hair_friction.py", "{run}", "--without", "{beside}/wavy_hair_frictionless.run", "--until", "5"),
                        ("still.py", "{run}", "--drift", "inf", "--slip", "1e-6")], True),
    "self_stacking": Scene("A rod fed from above coils and stacks: CORDE, as in the paper.",
                           [OVERLAP, ("self_stacking.py", "{run}"), ("still.py", "{run}")], True),
    "self_stacking_page": Scene("A rod fed from above coils and stacks.",
                                [OVERLAP, ("self_stacking.py", "{run}"), ("still.py", "{run}")], True),
    "overhand_knot_paper": Scene("The paper's knot: a super-helix of 20 elements, 11 ms.", [OVERLAP, ("knot.py", "{run}", "--expect", "trefoil")]),
    "plectoneme_paper": Scene("The paper's plectoneme: a super-helix of 20 elements, 11 ms.", [OVERLAP, ("plectoneme.py", "{run}")]),
    "strand_on_sphere": Scene("A strand on a ball that turns to and fro is carried until it slips.",
                              [OVERLAP, ("strand_orbit.py", "{run}", "--of", "end:0.05:0.1")]),
    "strand_sweep": Scene("The more friction, the farther the ball carries the strand; without, it does not move.",
                          [OVERLAP, ("strand_orbit.py", "{run}", "--of", "end_0:0:0.001", "--of", "end_005:0.005:0.05", "--of", "end_03:0.05:0.1",
                                     "--of", "end_1:0.05:0.1")]),
    "double_loop": Scene("A spinning ball on two elastic rails: friction turns its spin into travel, and carries it through two loops.",
                         [("double_loop.py", "{run}", "--mu", "0.5")]),
    "double_loop_11ms": Scene("The same in steps of 11 ms, by Newton: it still rolls through both loops, in less than 5 iterations.",
                              [("double_loop.py", "{run}", "--mu", "0.5", "--tops", "0.05", "--depth", "1", "--iterations", "5")]),
    "capstan_weights": Scene("Weights on a bar: half a turn runs, one and a half and two and a half hold.", [("capstan_weights.py", "{run}", "--mu", "0.25")], True),
    "capstan": Scene("A rope around a post: the held force times exp(mu phi) slips.", [OVERLAP, ("capstan_force.py", "{run}", "--mu", "0.2")]),
    # It holds where contacts stick. On them the rope still rolls about its axis in much drag: by less per second than the 1 % that overlaps may have.
    "rope_over_bar": Scene("A rope of super-helices over a bar, pulled nearly as hard as friction holds: it holds.",
                           [OVERLAP, ("still.py", "{run}", "--last", "0.2", "--slip", "1e-6", "--drift", "0.01", "--energy", "inf")]),
    # penetration_limit is 0.01: a step that gets deeper beyond it is linearised again.
    "ropes_on_hills": Scene("Twenty ropes on a mesh, with default settings: overlaps stay small.", [("check_overlap_space.py", "{run}", "--limit", "0.01")]),
    "heap_of_10": Scene("Ten super-helices fall into a heap.", [OVERLAP]),
}


def run_checks(scene, place):
    """What each check printed, and whether it was met, one after the other; those that take longest come last."""
    for program, *arguments in sorted(scene.checks, key=lambda check: SLOW.index(check[0]) if check[0] in SLOW else -1):
        done = subprocess.run([PYTHON, os.path.join(HERE, "fibers", program), *[a.format(run=place, beside=os.path.dirname(place)) for a in arguments]],
                              capture_output=True, text=True, check=False)
        yield program, (done.stdout + done.stderr).strip(), done.returncode == 0


def section(name, scene, seconds, said):
    rows = "".join(f"<p class={'met' if ok else 'missed'}>{html.escape(program)}: {'met' if ok else 'MISSED'}"
                   f"<pre>{html.escape(text[-1500:])}</pre>" for program, text, ok in said)
    return (f'<h2 id="{name}">{name}</h2><p>{html.escape(scene.what)}<p><a href="{name}.run/view.html">page</a> '
            f'<a href="{name}.run/plots/overview.png">plots</a> ({seconds:.0f} s)'
            f'<p><img src="{name}.run/contact_sheet.png" alt="{name}">{rows}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", nargs="*", metavar="SCENE", help="names of scenes/fibers without .json")
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "fibers"))
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    parser.add_argument("--quick", action="store_true", help="checks only")
    asked = parser.parse_args()
    unknown = sorted(set(asked.scene) - set(SCENES))
    if unknown:
        parser.error(f"not known: {', '.join(unknown)}: expected some of {', '.join(SCENES)}")
    os.makedirs(asked.out, exist_ok=True)
    sections, rows, good = [], [], True
    for name in asked.scene or [name for name, scene in SCENES.items() if not scene.long]:
        scene, place = SCENES[name], os.path.join(asked.out, name + ".run")
        try:
            seconds = run_scene(asked.command, name, place, asked.quick, "fibers")
            said = list(run_checks(scene, place))
        except (RuntimeError, OSError) as fault:
            seconds, said = 0.0, [("run", str(fault), False)]
        print(f"{name} ({seconds:.0f} s): {scene.what}")
        for program, text, ok in said:
            good = good and ok
            print(f"  {'met   ' if ok else 'MISSED'} {program}: {text.splitlines()[-1] if text else ''}")
            rows.append({"scene": name, "check": program, "said": "; ".join(text.splitlines()), "met": int(ok)})
        sys.stdout.flush()
        sections.append(section(name, scene, seconds, said))
    keep_rows(os.path.join(asked.out, "fibers.csv"), rows)
    with open(os.path.join(asked.out, "index.html"), "w", encoding="utf-8") as file:
        file.write("<!doctype html><meta charset=utf-8><title>Fibers in space</title><style>body{font:15px/1.5 sans-serif;max-width:70em;"
                   "margin:2em auto;padding:0 1em}img{max-width:100%}.missed{color:#b00}</style><h1>Fibers in space</h1>"
                   + "\n".join(sections))
    print(f"pages and pictures: {os.path.join(asked.out, 'index.html')}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
