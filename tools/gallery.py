#!/usr/bin/env python3
"""Every shipped scene in a short version, as one static site that opens from disk: tools/gallery.py [--out DIR] [--seconds N] [NAME ...]

DIR (build/gallery) gets index.html and, for each scene, FAMILY/NAME/: picture.png, clip.mp4, view.html (the page of `capstan view`) and facts.json.
NAME is a scene (demo, planar/demo) or a family (planar); without any, all of them. A scene that has its facts.json is not run again (--force runs it).

Short: SHORT says how much of a long scene is shown, and no run gets more than N seconds of processor time (60) after its scene is laid out: it is then stopped and saved, and shown as far
as it came. A picture is of the end, or of the time that MOMENT says.
Figures against references are rows of build/report/report.csv (make report), where there are some for the scene.
"""
import argparse
import csv
import glob
import html
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FAMILIES = {"planar": "Rods in the plane", "fibers": "Fibers in space", "hair": "Hair", "cloth": "Cloth", "rigid": "Rigid bodies"}
# s of simulated time, where the whole scene takes more than a minute of one processor
SHORT = {
    "planar/confined_elastica": 60, "planar/confined_elastica_friction": 60, "planar/book": 6, "planar/rings": 1.5, "planar/shells": 1.0, "planar/shells_100": 0.8,
    "fibers/self_stacking": 0.3, "fibers/self_stacking_page": 1.5, "fibers/spaghetti_31": 0.8, "fibers/spaghetti_76": 0.5, "fibers/spaghetti_76_16": 0.5,
    "fibers/spaghetti_76_frictionless": 0.5, "fibers/spaghetti_76_plate": 0.5, "fibers/spaghetti_31_parallel": 0.5,
    "fibers/spaghetti_31_parallel_frictionless": 0.5, "fibers/spaghetti_31_parallel_plate": 0.5, "fibers/wavy_hair": 2.2, "fibers/wavy_hair_frictionless": 2.2,
    "hair/free_a": 0.1, "hair/free_b": 0.1, "hair/curly": 0.1, "hair/head_10k": 0.01, "hair/head_100k": 0.001, "hair/pony": 0.3, "hair/noodles": 0.1,
    "hair/jog": 0.6, "hair/stop": 0.6, "hair/wind": 0.6, "hair/wisp": 1.0,
    "cloth/on_sphere": 0.6, "cloth/towel": 0.4, "cloth/flag": 0.6, "cloth/drag": 1.0,
    "rigid/card_house_10": 0.5, "rigid/arch_101": 1.0,
}
# Options of run where a few steps already take more than a minute: fewer hairs
FEWER = {
    "hair/curly": ["--set", "generators.hair.count=150"], "hair/free_b": ["--set", "generators.hair.count=400"],
    "hair/head_10k": ["--set", "generators.hair.count=600"], "hair/head_100k": ["--set", "generators.hair.count=8000"],
    "hair/noodles": ["--set", "generators.noodles.columns=5", "--set", "generators.noodles.rows=5"],
}
# s: scenes whose subject has left the picture at the end
MOMENT = {"cloth/tablecloth": 0.15, "cloth/inclined_plane": 0.3, "fibers/double_loop": 0.9, "fibers/double_loop_11ms": 0.9}
CLIP_SECONDS = 4.0
ABOUT = 420  # characters of a scene's comment, whole sentences


def scenes(wanted):
    names = sorted(os.path.relpath(path, os.path.join(ROOT, "scenes"))[:-5] for path in glob.glob(os.path.join(ROOT, "scenes", "*", "*.json")))
    unknown = [want for want in wanted if not any(want in (name, name.split("/")[0], name.split("/")[1]) for name in names)]
    if unknown:
        sys.exit(f"gallery: there is no scene or family {', '.join(unknown)}")
    return [name for name in names if not wanted or any(want in (name, name.split("/")[0], name.split("/")[1]) for want in wanted)]


def about(name):
    """The comment that a scene begins with."""
    with open(os.path.join(ROOT, "scenes", name + ".json"), encoding="utf-8") as file:
        text = file.read()
    lines = re.match(r"(?:\s*//[^\n]*\n)*", text).group(0).splitlines()
    told = " ".join(line.strip().lstrip("/").strip() for line in lines).strip()
    whole = [end.end() for end in re.finditer(r"[.:](?= [A-Z])|[.]$", told)]  # sentences; at least the first one
    return told[:max([end for end in whole if end <= ABOUT] or whole[:1] or [None])]


def used(process):
    """s of processor time of a process that runs."""
    try:
        with open(f"/proc/{process.pid}/stat", encoding="ascii", errors="replace") as file:
            user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    except OSError:
        return 0.0
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def run(command, name, place, seconds):
    """Runs a scene for at most so many seconds of processor time; what it took."""
    arguments = [command, "run", os.path.join(ROOT, "scenes", name + ".json"), "--out", place, "--force", "--progress", "none"]
    if name in SHORT:
        arguments += ["--duration", str(SHORT[name])]
    arguments += FEWER.get(name, [])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=log)
        began = told = None
        while process.poll() is None:
            time.sleep(0.1)
            if began is None and os.path.exists(os.path.join(place, "cache.h5")):  # before that, hair is laid: there is nothing to save
                began = used(process)
            elif began is not None and told is None and used(process) > began + seconds:
                process.send_signal(signal.SIGINT)
                told = used(process)
            elif told is not None and used(process) > told + 60.0:  # within one long step
                process.kill()
        log.seek(0)
        said = log.read()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode not in (0, 1, 130, -9):
        raise RuntimeError(said.strip()[-500:] or f"exit status {process.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def show(command, place, here, end, name):
    """Picture, clip and page of a run."""
    moment = MOMENT.get(name, end)
    fps = 8 if name.startswith("hair/") else 20  # a picture of hair takes most of a second
    # pictures first: they are what the index needs
    for arguments in (["render", place, "--out", os.path.join(here, "picture.png"), "--size", "960x540", *(["--at", str(moment)] if moment < end else [])],
                      ["render", place, "--video", os.path.join(here, "clip.mp4"), "--size", "480x270", "--plain", "--fps", str(fps),
                       "--speed", f"{max(end, 1e-4) / CLIP_SECONDS:.6g}"],
                      ["view", place, "--out", os.path.join(here, "view.html")]):
        done = subprocess.run([command, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip()[-500:])


def make(command, name, out, seconds):
    here = os.path.join(out, name)
    os.makedirs(here, exist_ok=True)
    place = os.path.join(here, "scene.run")
    try:
        processor = run(command, name, place, seconds)
        with open(os.path.join(place, "outcome.json"), encoding="utf-8") as file:
            outcome = json.load(file)
        facts = {key: outcome.get(key) for key in ("state", "time", "duration", "steps", "frames", "contacts_max", "worst_error", "tolerance", "steps_over_tolerance",
                                                   "deepest_penetration", "title")}
        facts["processor_seconds"] = processor
        facts["options"] = " ".join(FEWER.get(name, []))
        facts["explained"] = outcome.get("energy", {}).get("explained")
        show(command, place, here, facts["time"] or 0, name)
    except (RuntimeError, OSError, ValueError) as fault:
        print(f"  {name}: {fault}", flush=True)
        return False
    finally:
        shutil.rmtree(place, ignore_errors=True)
    with open(os.path.join(here, "facts.json"), "w", encoding="utf-8") as file:
        json.dump(facts, file)
    return True


def references():
    """Rows of the report by the name of the scene that they are about."""
    found, path = {}, os.path.join(ROOT, "build", "report", "report.csv")
    if os.path.exists(path):
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if row["part"] in FAMILIES:
                    found.setdefault(row["part"] + "/" + row["check"].split(",")[0], []).append(row)
    return found


STYLE = """:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:84em;margin:2em auto;padding:0 1em}h2{margin-top:2.2em}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(24em,1fr));gap:1.6em}article{border:1px solid #8884;border-radius:8px;overflow:hidden}
video,img{width:100%;display:block;aspect-ratio:16/9;object-fit:contain;background:#fff}div{padding:.6em 1em 1em}h3{margin:0 0 .3em;font-size:1.05em}p{margin:.3em 0}small{color:GrayText}
details{font-size:13px}td{padding:0 .8em 0 0;vertical-align:top}.pass{color:#1a7f37}.fail{color:#c8281e;font-weight:bold}nav a{margin-right:1.2em}"""


def article(name, facts, rows):
    short = f"{facts['time']:.3g} s shown" if facts["state"] == "finished" else f"stopped at {facts['time']:.3g} s of {facts['duration']:.3g} s"
    over = facts.get("steps_over_tolerance") or 0
    numbers = [f"{facts['steps']:,} steps", f"{facts['processor_seconds']:.3g} s of processor time", f"at most {facts.get('contacts_max') or 0:,} contacts",
               f"E at most {facts.get('worst_error') or 0:.1e}" + (f", {over} steps over tolerance" if over else "")]
    checks = "".join(f"<tr><td class={'pass' if row['met'] == '1' else 'fail'}>{'pass' if row['met'] == '1' else 'FAIL'}<td>{html.escape(row['figure'])}"
                     f"<td>{row['error']}<td>{html.escape(row['tolerance'])}" for row in rows)
    table = f"<details><summary>{len(rows)} figures against references</summary><table>{checks}</table></details>" if rows else ""
    return (f"<article id='{name}'><a href='{name}/view.html'><video src='{name}/clip.mp4' poster='{name}/picture.png' muted loop playsinline preload=none "
            f"onmouseenter='this.play()' onmouseleave='this.pause()'></video></a><div><h3>{html.escape(facts.get('title') or name.split('/')[1])}</h3><p>{html.escape(about(name))}"
            f"<p><a href='{name}/view.html'>page</a> <a href='{name}/picture.png'>picture</a> <a href='{name}/clip.mp4'>clip</a>"
            f"<p><small>scenes/{name}.json{' ' + facts['options'] if facts.get('options') else ''}: {short}; {'; '.join(numbers)}</small>{table}</div></article>")


def index(out):
    """Writes index.html of all that is there; the number of scenes."""
    there = {}
    for path in sorted(glob.glob(os.path.join(out, "*", "*", "facts.json"))):
        with open(path, encoding="utf-8") as file:
            there[os.path.relpath(os.path.dirname(path), out)] = json.load(file)
    rows = references()
    families = [family for family in FAMILIES if any(name.startswith(family + "/") for name in there)]
    parts = "".join(f"<h2 id={family}>{FAMILIES[family]}</h2><main>" + "".join(article(name, facts, rows.get(name, [])) for name, facts in there.items()
                                                                                if name.startswith(family + "/")) + "</main>" for family in families)
    with open(os.path.join(out, "index.html"), "w", encoding="utf-8") as file:
        file.write(f"<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'><title>Capstan: gallery</title><style>{STYLE}</style>"
                   "<h1>Gallery</h1><p>Every scene that comes with Capstan, in a short version. Point at a picture to see it move, click it for the page: play, turn, look at contacts."
                   f"<nav>{''.join(f'<a href=#{family}>{FAMILIES[family]}</a>' for family in families)}</nav>{parts}")
    return len(there)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", metavar="NAME")
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "gallery"))
    parser.add_argument("--command", default=os.path.join(ROOT, "build", "capstan"))
    parser.add_argument("--seconds", type=float, default=60.0, help="of processor time, the most that a run gets")
    parser.add_argument("--force", action="store_true", help="again, though it is there")
    asked = parser.parse_args()
    failed = []
    for name in scenes(asked.name):
        if os.path.exists(os.path.join(asked.out, name, "facts.json")) and not asked.force:
            continue
        print(name, flush=True)
        if not make(asked.command, name, asked.out, asked.seconds):
            failed.append(name)
        index(asked.out)
    os.makedirs(asked.out, exist_ok=True)
    print(f"{os.path.join(asked.out, 'index.html')}: {index(asked.out)} scenes" + (f"; FAILED: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
