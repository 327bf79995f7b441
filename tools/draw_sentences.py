#!/usr/bin/env python3
"""Sentences of the docs and of comments, drawn at random, to be read out of context: tools/draw_sentences.py [--seed N] [--count N]

Half of them from README.md and docs/ (running text, no tables, no code), half from comments of src/ and include/. Each should be understood at first
reading by somebody of the field. The same seed draws the same sentences of the same tree.
"""
import argparse
import glob
import os
import random
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEAST_WORDS = 7


def split(text):
    text = " ".join(text.split())
    for sentence in re.split(r"(?<=[.:!?])\s+(?=[A-Z`*(])", text):
        if len(sentence.split()) >= LEAST_WORDS:
            yield sentence


def of_page(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.S | re.M)
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if not re.match(r"\s*(\||#|!\[|<|    )", line)]
        yield from split(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", " ".join(lines)))


def of_source(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|(/\*.*?\*/)', lambda found: found.group(1) or "", text, flags=re.S)  # without texts, which may hold "/*"
    for comment in re.findall(r"/\*(.*?)\*/", text, re.S):
        yield from split(re.sub(r"^\s*\*", "", comment, flags=re.M).replace("---", ""))


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
