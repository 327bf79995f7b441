#!/usr/bin/env python3
"""Sentences of the docs and of comments, drawn at random, to be read out of context: tools/draw_sentences.py [--seed N] [--count N]

Half of them from README.md and docs/ (running text, no tables, no code), half from comments of src/ and include/. A sentence that ends with a colon
is printed with the kind of what it introduces: [formula], [list], [table], [code] or [picture]. Each should be understood at first reading by somebody of the
field. The same seed draws the same sentences of the same tree.
"""
import argparse
import glob
import os
import random
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEAST_WORDS = 7
FENCE = re.compile(r"^```.*?^```", re.S | re.M)
NOT_TEXT = re.compile(r"\s*(\||#|!\[|<|    )")
LIST_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")
CODE = "\0"  # stands for a fenced block
ITEM = "\1"  # begins a formula or a symbol on a line of its own in a comment


def split(text, follows=""):
    """`follows`: name of what stands after the text, for a last sentence that ends with a colon."""
    parts = text.split(ITEM)
    for i, part in enumerate(parts):
        sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z`*(])", " ".join(part.split()))
        introduced = "[formula]" if i + 1 < len(parts) else follows
        if sentences[-1].endswith(":"):
            sentences[-1] = f"{sentences[-1]} {introduced}".strip()
        yield from (sentence for sentence in sentences if len(sentence.split()) >= LEAST_WORDS)


def kind_of(block):
    line = block.strip("\n").split("\n")[0]
    if line.lstrip().startswith("|"):
        return "[table]"
    if line.strip() == CODE:
        return "[code]"
    if line.startswith("!["):
        return "[picture]"
    return "[list]" if LIST_ITEM.match(line) else "[formula]" if line.startswith("    ") else ""


def of_page(path):
    with open(path, encoding="utf-8") as file:
        text = FENCE.sub(f"\n\n{CODE}\n\n", file.read())
    blocks = [block for block in re.split(r"\n\s*?\n", text) if block.strip()]
    for block, after in zip(blocks, blocks[1:] + [""]):
        lines = [line for line in block.splitlines() if not NOT_TEXT.match(line) and line.strip() != CODE]
        rest = [line for line in block.splitlines() if NOT_TEXT.match(line)]
        yield from split(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", " ".join(lines)), kind_of(rest[0] if rest else after))


def of_source(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|(/\*.*?\*/)', lambda found: found.group(1) or "", text, flags=re.S)  # without texts, which may hold "/*"
    for comment in re.findall(r"/\*(.*?)\*/", text, re.S):
        lines = re.sub(r"^\s*\*(?: {4,}(?=`))", ITEM, comment, flags=re.M)
        yield from split(re.sub(r"^\s*\*", "", lines, flags=re.M).replace("---", ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    asked = parser.parse_args()
    pages = [os.path.join(ROOT, "README.md"), *sorted(glob.glob(os.path.join(ROOT, "docs", "**", "*.md"), recursive=True))]
    sources = sorted(glob.glob(os.path.join(ROOT, "include", "capstan", "*.h")) + glob.glob(os.path.join(ROOT, "src", "*", "*.[ch]")))
    pools = [[(path, sentence) for path in pages for sentence in of_page(path)], [(path, sentence) for path in sources for sentence in of_source(path)]]
    draw = random.Random(asked.seed)
    for i in range(asked.count):
        path, sentence = draw.choice(pools[i % 2])
        print(f"{i + 1:2d}. {os.path.relpath(path, ROOT)}: {sentence}")


if __name__ == "__main__":
    main()
