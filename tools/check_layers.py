#!/usr/bin/env python3
"""Checks the shape of the source tree: tools/check_layers.py [ROOT]. Prints each fault as file:line: what, and exits 1.

A fault is
  - an include against the order of the layers, of a file that is not there, or of src/ by a public header;
  - a cycle of includes;
  - a .c or .h file over 600 lines;
  - a library layer that prints, ends the process or draws from the C library's generator;
  - a residual*.c of friction that sees a solver, directly or through another header;
  - a script of tools/, tests/ or validate/ with a first line "#!" that may not be executed.
"""
import os
import re
import sys

LAYERS = ("base math sparse friction files mesh collide groom body rod cloth rigid world scene examine "  # core: needs neither HDF5 nor zlib nor cairo
          "exchange write cache chart run page export render "  # io
          "cli").split()
MAX_LINES = 600
ROOTS = ("src", "include", "tests", "validate")

# validate/ sees all of src; src sees nothing of it. Inside, a directory includes those of a lower rank, never a neighbour of its own.
VALIDATE = {"generate": 0, "harness": 1, "physics": 2, "worlds": 2, "solvers": 2, "detection": 2, "speed": 2}

# Which layers may call what. A library reports through its results; writers are handed a stream; the command does as it likes.
ENDS_OR_PRINTS = "printf vprintf puts putchar perror exit _exit _Exit quick_exit abort".split()
TO_A_STREAM = "fprintf vfprintf stdout stderr".split()
WRITERS = "write chart run page export".split()
UNSEEDED = "rand srand random drand48".split()
FORBIDDEN = {layer: ENDS_OR_PRINTS + UNSEEDED + (TO_A_STREAM if layer not in WRITERS else [])
             for layer in LAYERS if layer != "cli"}
FORBIDDEN["cli"] = UNSEEDED
FORBIDDEN.update({part: UNSEEDED for part in VALIDATE})
FORBIDDEN["generate"] = FORBIDDEN["base"]

SOLVER = re.compile(r"^(local|.*gauss_seidel|.*newton|.*gradient|.*sweep|.*solve|cadoux|accelerat|anderson|automatic|hybrid)")

# A comment, or a string or character literal; includes are read before literals are blanked.
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<(capstan/[^>\n]+)>)', re.M)


def blank(text, keep_strings):
    """The text with comments (and literals) replaced by spaces, line breaks kept."""
    def spaces(match):
        found = match.group(0)
        return found if keep_strings and found[0] in "\"'" else re.sub(r"[^\n]", " ", found)
    return NOT_CODE.sub(spaces, text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


class Tree:
    def __init__(self, root):
        self.root = root
        self.faults = []
        self.includes = {}  # file -> [(line, file)], both relative to the root
        self.files = sorted(
            os.path.relpath(os.path.join(directory, name), root)
            for top in ROOTS for directory, _, names in os.walk(os.path.join(root, top))
            for name in names if name.endswith((".c", ".h")))

    def fault(self, file, line, what):
        self.faults.append((file, line, what))

    def resolve(self, file, written):
        for base in (os.path.dirname(file), "src", "include", "validate", "."):
            candidate = os.path.normpath(os.path.join(base, written))
            if os.path.isfile(os.path.join(self.root, candidate)):
                return candidate
        return None

    def check_file(self, file):
        with open(os.path.join(self.root, file), encoding="utf-8") as stream:
            text = stream.read()
        lines = len(text.splitlines())
        if lines > MAX_LINES:
            self.fault(file, lines, f"{lines} lines; the limit is {MAX_LINES}")

        self.includes[file] = []
        for match in INCLUDE.finditer(blank(text, keep_strings=True)):
            line, written = line_of(text, match.start()), match.group(1) or match.group(2)
            target = self.resolve(file, written)
            if target is None:
                self.fault(file, line, f'"{written}" is not in the tree')
            else:
                self.includes[file].append((line, target))
                self.check_include(file, line, target)

        code = blank(text, keep_strings=False)
        for name in FORBIDDEN.get(layer_of(file), ()):
            call = r"\b%s\b" % name if name in ("stdout", "stderr") else r"(?<![\w.>])%s\s*\(" % name
            for match in re.finditer(call, code):
                self.fault(file, line_of(code, match.start()), f"{name} in layer {layer_of(file)}")

    def check_include(self, file, line, target):
        mine, theirs = layer_of(file), layer_of(target)
        top, target_top = top_of(file), top_of(target)
        if top == "include" and target_top != "include":
            self.fault(file, line, f"a public header includes {target}")
        elif top == "src" and target_top not in ("src", "include"):
            self.fault(file, line, f"the library includes {target}")
        elif mine in LAYERS and theirs in LAYERS and LAYERS.index(theirs) > LAYERS.index(mine):
            self.fault(file, line, f"layer {mine} includes {target} of the later layer {theirs}")
        elif mine in VALIDATE and theirs in VALIDATE and mine != theirs and VALIDATE[theirs] >= VALIDATE[mine]:
            self.fault(file, line, f"{mine} of validate includes {target}, of {theirs}")

    def check_place(self, file):
        if file.startswith("src" + os.sep) and layer_of(file) not in LAYERS:
            self.fault(file, 1, f"not in a layer ({' '.join(LAYERS)})")
        if top_of(file) == "validate" and file.count(os.sep) > 1 and layer_of(file) not in VALIDATE:
            self.fault(file, 1, f"not in a part of validate ({' '.join(VALIDATE)})")

    def check_cycles(self):
        """Depth first; a file met again while still open closes a cycle. Each cycle is named once."""
        done, open_files = set(), []

        def visit(file):
            if file in done:
                return
            open_files.append(file)
            for line, target in self.includes.get(file, ()):
                if target in open_files:
                    cycle = open_files[open_files.index(target):] + [target]
                    self.fault(file, line, "include cycle: " + " -> ".join(cycle))
                else:
                    visit(target)
            open_files.pop()
            done.add(file)

        for file in self.files:
            visit(file)

    def check_residual(self):
        for file in self.files:
            if not re.fullmatch(r"src/friction/\w*residual\w*\.c", file.replace(os.sep, "/")):
                continue
            seen, queue = {file}, [(file, [file])]
            while queue:
                current, path = queue.pop()
                for line, target in self.includes.get(current, ()):
                    if target in seen:
                        continue
                    seen.add(target)
                    if layer_of(target) == "friction" and SOLVER.match(os.path.basename(target)):
                        self.fault(current, line, "the residual sees a solver: " + " -> ".join(path + [target]))
                    queue.append((target, path + [target]))

    def check_scripts(self):
        for top in ("tools", "tests", "validate"):
            for directory, _, names in os.walk(os.path.join(self.root, top)):
                for path in (os.path.join(directory, name) for name in names if name.endswith((".py", ".sh"))):
                    with open(path, "rb") as file:
                        if file.read(2) == b"#!" and not os.access(path, os.X_OK):
                            self.fault(os.path.relpath(path, self.root), 1, "begins with #! and may not be executed (chmod +x)")

    def check(self):
        for file in self.files:
            self.check_place(file)
            self.check_file(file)
        self.check_cycles()
        self.check_residual()
        self.check_scripts()
        return sorted(set(self.faults))


def top_of(file):
    return file.split(os.sep)[0]


def layer_of(file):
    parts = file.split(os.sep)
    return parts[1] if parts[0] in ("src", "validate") and len(parts) > 2 else None


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
    tree = Tree(root)
    if not tree.files:
        print(f"check_layers: no sources under {root}")
        return 1
    faults = tree.check()
    for file, line, what in faults:
        print(f"{file}:{line}: {what}")
    print(f"check_layers: {len(tree.files)} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
