#!/usr/bin/env python3
"""Runs the commands of a Markdown page as a reader would, in order, and says how long each took: 
tools/run_page.py PAGE [--in DIR] [--table HEADING]

A block of code is taken by its language:

  sh              each line is run by bash in DIR; a line may go on after a backslash. It must end with status 0, or with N if it ends with `# exit N`
  json, python, c a file, if its first line is a comment that begins with the file's name (`// hello.json: ...`, `# sweep.py: ...`, `/* push.c: ... */`)
  anything else   is for the eye

A block after the line `<!-- not run: why -->` is left out. `export` and `cd` last until the end of the page. With --table the commands in the last column
of the table below that heading are run too, last of all. Exit status 1 at the first line that fails.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

FENCE = re.compile(r"^(<!-- not run: [^\n]*-->\n)?\n?```(\w*)\n(.*?)^```$", re.S | re.M)
NAME = re.compile(r"(?://|#|/\*) *([\w./-]+\.(?:json|py|c))\b")


def steps(text):
    """What the page asks for: ("file", name, content), ("line", command, expected status) or ("left", first line, reason)."""
    for skipped, language, content in FENCE.findall(text):
        if skipped:
            yield "left", content.splitlines()[0], skipped
        elif language in ("json", "python", "c"):
            name = NAME.match(content)
            if name:
                yield "file", name.group(1), content
        elif language == "sh":
            for line in content.replace("\\\n", " ").splitlines():
                if line.strip() and not line.lstrip().startswith("#"):
                    status = re.search(r"# exit (\d+)\b", line)
                    yield "line", line, int(status.group(1)) if status else 0


def table_commands(text, heading):
    """Commands in the last cells of the table below a heading."""
    part = re.split(r"^#+ ", text.split(heading, 1)[1], maxsplit=1, flags=re.M)[0]
    return [match.group(1) for match in re.finditer(r"\| `([^`|]+)` \|$", part, re.M)]


class Shell:
    """bash whose directory and exported variables last from one line to the next."""

    def __init__(self, directory, environment):
        self.directory, self.environment = directory, environment

    def run(self, line):
        with tempfile.TemporaryDirectory() as place:
            state = os.path.join(place, "state")
            script = f"{line}\nstatus=$?\n{{ pwd; env -0; }} >{shlex.quote(state)}\nexit $status\n"
            done = subprocess.run(["bash", "-c", script], cwd=self.directory, env=self.environment, stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
            if os.path.exists(state):
                with open(state, encoding="utf-8", errors="surrogateescape") as file:
                    where, _, variables = file.read().partition("\n")
                self.directory = where
                self.environment = dict(pair.split("=", 1) for pair in variables.split("\0") if "=" in pair)
        return done.returncode, done.stdout


def run_page(page, directory, environment, heading=None, say=print):
    """The number of lines that were run; raises RuntimeError at the first that fails."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    shell, lines = Shell(directory, environment), 0
    wanted = list(steps(text)) + [("line", command, 0) for command in (table_commands(text, heading) if heading else [])]
    for kind, what, more in wanted:
        if kind == "left":
            say(f"        -  {what}  {more.strip()}")
        elif kind == "file":
            path = os.path.join(shell.directory, what)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(more)
            say(f"     file  {what}")
        else:
            begun = time.monotonic()
            status, said = shell.run(what)
            lines += 1
            say(f"{time.monotonic() - begun:7.1f} s  {what}")
            if status != more:
                raise RuntimeError(f"{page}: status {status}, expected {more}: {what}\n{said[-3000:]}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page")
    parser.add_argument("--in", dest="directory", help="where (a new directory)")
    parser.add_argument("--table", metavar="HEADING", help="also the commands of the table below this heading")
    asked = parser.parse_args()
    try:
        lines = run_page(asked.page, asked.directory or tempfile.mkdtemp(prefix="page-"), dict(os.environ), asked.table,
                         lambda line: print(line, flush=True))
    except RuntimeError as fault:
        print(fault, file=sys.stderr)
        return 1
    print(f"{asked.page}: {lines} commands ran")
    return 0 if lines else 1


if __name__ == "__main__":
    sys.exit(main())
