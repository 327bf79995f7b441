#!/usr/bin/env python3
"""Every physical check of all parts in one report: validate/report.py [--out DIR] [--long] [--only PART ...]

DIR (build/report) gets index.html and report.csv: part, check, figure, ours, reference, error, tolerance, met. Exit 1 if a check is missed or could not
be done.

A part takes the table that its own command has left (`make physics`, `make planar`, ...: build/PART/PART.csv). What is missing is run: by default a short
selection, kept in DIR/PART; with --long (LONG=1 make report) all of it, kept in build/PART, which takes hours. A table that is older than the command is used,
and the report says so. Tolerances are those of the checks; none is set here.
"""
import argparse
import collections
import csv
import datetime
import html
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
FIELDS = ["part", "check", "figure", "ours", "reference", "error", "tolerance", "met"]
Row = collections.namedtuple("Row", FIELDS)


# ------------------------------------------------------------------------------------------- tables of the parts, as rows of the report

def number(text):
    try:
        value = float(text)
    except (TypeError, ValueError):
        return text or ""
    return "" if value != value else f"{value:.6g}"


def bound(least, largest):
    """An empty end is open."""
    if not least:
        return f"<= {float(largest):.3g}"
    return f"{float(least):.3g} to {float(largest):.3g}" if largest else f">= {float(least):.3g}"


def physics_rows(table):
    for row in table:
        yield Row("physics", row["check"], row["figure"], number(row["ours"]), number(row["reference"]), number(row["error"]),
                  bound(row["least"], row["largest"]), row["met"] == "1")


def planar_rows(table):
    for row in table:
        yield Row("planar", row["scene"], row["figure"], "", "", number(row["found"]), number(row["bound"]), row["met"] == "1")


def fibers_rows(table):
    for row in table:
        yield Row("fibers", row["scene"], row["check"].replace(".py", "") + ": " + row["said"][-400:], "", "", "", "", row["met"] == "1")


def rigid_rows(table):
    for row in table:
        name, faults = f"{row['scene']}, {row['kind']}", row["faults"].split()
        collapse = row["kind"] in ("gives_way", "falls")
        if not collapse:
            yield Row("rigid", name, f"largest E in {row['steps']} steps", "", "", number(row["error"]), "<= 1e-08", "E" not in faults)
        yield Row("rigid", name, "deepest overlap, of the thinner body", "", "", number(row["overlap"]), "<= 0.05", "overlap" not in faults)
        yield Row("rigid", name, "energy unexplained, J", "", "", number(row["unexplained"]), "1e-3 of what gravity gave, or rounding", "energy" not in faults)
        if row["kind"] in ("stands", "holds"):
            yield Row("rigid", name, "farthest that anything has moved, m", "", "", number(row["moved"]), "<= 1e-06", "moved" not in faults)
        others = [fault for fault in faults if fault not in ("E", "overlap", "energy", "moved")]
        yield Row("rigid", name, "does what it must (rest, fall, slide, period)" + (": " + ", ".join(others) if others else ""), "", "", "", "", not others)


def cloth_rows(table):
    for row in table:
        name, faults = f"{row['scene']}, {row['job']}", row["faults"]
        yield Row("cloth", name, f"largest E in {row['steps']} steps", "", "", number(row["error"]), "<= 1e-06", "E" not in faults.split("; "))
        yield Row("cloth", name, "saved frames in which triangles cross", row["crossed"], "0", "", "", "crossed" not in faults)
        yield Row("cloth", name, "energy unexplained, J", "", "", number(row["unexplained"]), "1e-3 of what gravity gave, or rounding",
                  "energy" not in faults.split("; "))
        yield from finding_rows("cloth", name, row["findings"])


def finding_rows(part, name, findings):
    """Rows of "what: found (bound limit); ..."."""
    for what, found, limit in re.findall(r"([^;]+?): ([-\d.einfa+]+) \(bound ([-\d.einfa+]+)\)", findings):
        yield Row(part, name, what.strip(), "", "", found, "<= " + limit, float(found) <= float(limit))


def hair_rows(table):
    for row in table:
        yield from finding_rows("hair", row["job"], row["findings"])


# ---------------------------------------------------------------------------------------------------------------- how a part is run

def script(name, *arguments):
    return [PYTHON, os.path.join(ROOT, "validate", "scenes", name + ".py"), *arguments]


Part = collections.namedtuple("Part", "what rows short long")
PARTS = {
    "physics": Part("capstan-bench physics: theory and independently computed curves", physics_rows,
                    lambda out: [[os.path.join(ROOT, "build", "capstan-bench"), "physics", "--quick", "--out", out]],
                    lambda out: [[os.path.join(ROOT, "build", "capstan-bench"), "physics", "--out", out]]),
    "planar": Part("scenes of planar rods", planar_rows,
                   lambda out: [script("planar", "--quick", "--out", out, "archery", "bicycle", "cantilever", "capstan", "pushed_rod", "snap_fit", "three_point", "vibration")],
                   lambda out: [script("planar", "--quick", "--out", out)]),
    "fibers": Part("scenes of fibers in space", fibers_rows,
                   lambda out: [script("fibers", "--quick", "--out", out, "fall", "spaghetti_7", "spaghetti_7_frictionless", "capstan", "rope_over_bar", "strand_on_sphere",
                                       "double_loop_11ms", "clove_hitch")],
                   lambda out: [script("fibers", "--quick", "--out", out)]),
    "rigid": Part("houses of cards, arches, boxes", rigid_rows,
                  lambda out: [script("rigid", "--runs", out, "--only", "card_house_4", "arch_25", "stack_on_slope", "box_on_hills")],
                  lambda out: [script("rigid", "--runs", out)]),
    "cloth": Part("scenes of sheets", cloth_rows,
                  lambda out: [script("cloth", "--runs", out, "--only", "inclined_plane")],
                  lambda out: [script("cloth", "--runs", out, "--long")]),
    "hair": Part("scenes of hair", hair_rows,
                 lambda out: [script("hair", "--runs", out, "--only", "free_a_start")],
                 lambda out: [script("hair", "--runs", out, "--long")]),
}


def table_of(name, out, long):
    """The part's table, run if need be: (rows, path, note)."""
    part, own = PARTS[name], os.path.join(ROOT, "build", name, name + ".csv")
    short = os.path.join(out, name, name + ".csv")
    path, note = own, "the whole part"
    if not os.path.exists(own):
        directory = os.path.dirname(own if long else short)
        path, note = (own, note) if long else (short, "a short selection; LONG=1 make report runs all of it")
        if not os.path.exists(path):
            print(f"{name}: running", flush=True)
            os.makedirs(directory, exist_ok=True)
            for command in (part.long if long else part.short)(directory):
                with open(os.path.join(directory, "log.txt"), "w", encoding="utf-8") as log:
                    subprocess.run(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
    if not os.path.exists(path):
        return [Row(name, name, "could not be done: " + os.path.join(os.path.dirname(path), "log.txt"), "", "", "", "", False)], path, note
    if os.path.getmtime(path) < os.path.getmtime(os.path.join(ROOT, "build", "capstan")):
        note += "; older than the command that is built"
    with open(path, newline="", encoding="utf-8") as file:
        return list(part.rows(csv.DictReader(file))), path, note


# ------------------------------------------------------------------------------------------------------------------------ the page

STYLE = """:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:80em;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;width:100%;font-size:14px}th{text-align:left;position:sticky;top:0;background:Canvas}td,th{padding:.25em .8em .25em 0;
border-bottom:1px solid #8884;vertical-align:top}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.pass{color:#1a7f37}.fail{color:#c8281e;font-weight:bold}
small{color:GrayText}h2{margin-top:2em}"""


def section(name, rows, path, note):
    lines, last = [], None
    for row in rows:
        check = "" if row.check == last else html.escape(row.check)
        last = row.check
        lines.append(f"<tr><td>{check}<td>{html.escape(row.figure)}<td class=n>{row.ours}<td class=n>{row.reference}<td class=n>{row.error}"
                     f"<td class=n>{html.escape(row.tolerance)}<td class={'pass' if row.met else 'fail'}>{'pass' if row.met else 'FAIL'}")
    when = datetime.datetime.fromtimestamp(os.path.getmtime(path)).strftime("%Y-%m-%d %H:%M") if os.path.exists(path) else "never"
    return (f"<h2 id={name}>{name}: {html.escape(PARTS[name].what)}</h2><p><small>{html.escape(os.path.relpath(path, ROOT))}, {when}: {html.escape(note)}</small>"
            "<table><tr><th>check<th>figure<th class=n>ours<th class=n>reference<th class=n>error<th class=n>tolerance<th>" + "\n".join(lines) + "</table>")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "report"))
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--only", nargs="*", choices=list(PARTS))
    asked = parser.parse_args()
    out = os.path.abspath(asked.out)
    os.makedirs(out, exist_ok=True)
    tables = {name: table_of(name, out, asked.long) for name in asked.only or PARTS}
    everything = [row for rows, _, _ in tables.values() for row in rows]
    with open(os.path.join(out, "report.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(FIELDS)
        writer.writerows([*row[:-1], int(row.met)] for row in everything)
    version = subprocess.run([os.path.join(ROOT, "build", "capstan"), "version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    missed = [row for row in everything if not row.met]
    contents = "".join(f"<tr><td><a href=#{name}>{name}</a><td>{html.escape(PARTS[name].what)}<td class=n>{len(rows)}"
                       f"<td class=n>{sum(not row.met for row in rows)}" for name, (rows, _, _) in tables.items())
    with open(os.path.join(out, "index.html"), "w", encoding="utf-8") as file:
        file.write(f"<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'><title>Capstan: validation</title><style>{STYLE}</style>"
                   f"<h1>Validation</h1><p>{html.escape(version)}. Each figure beside what it is held against. Where only an error stands, the check computes it from many values; "
                   "<a href=report.csv>report.csv</a> has the same rows."
                   f"<p class={'fail' if missed else 'pass'}>{len(everything)} checks, {len(missed)} missed</p>"
                   f"<table><tr><th>part<th><th class=n>checks<th class=n>missed{contents}</table>"
                   + "".join(section(name, *table) for name, table in tables.items()))
    for name, (rows, _, note) in tables.items():
        print(f"{name:8} {len(rows):4} checks, {sum(not row.met for row in rows)} missed   ({note})")
    for row in missed:
        print(f"MISSED {row.part}: {row.check}: {row.figure} {row.error} (tolerance {row.tolerance})")
    print(f"{os.path.join(out, 'index.html')}: {len(everything)} checks, {len(missed)} missed")
    return 1 if missed or not everything else 0


if __name__ == "__main__":
    sys.exit(main())
