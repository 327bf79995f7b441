#!/usr/bin/env python3
"""Sentences of the docs and of comments, drawn at random, to be read out of context: tools/draw_sentences.py [--seed N] [--count N]

Half of them from README.md and docs/ (running text, no tables, no code), half from comments of src/ and include/. A sentence that ends with a colon
is printed with what it introduces: the formula, the list, the code or the head of the table. Each should be understood at first reading by somebody of
the field. The same seed draws the same sentences of the same tree.
"""
import argparse
import glob
import os
import random
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEAST_WORDS = 7


MOST_INTRODUCED = 600  # characters printed of what a sentence with a colon introduces
FENCE = re.compile(r"^```.*?^```", re.S | re.M)
NOT_TEXT = re.compile(r"\s*(\||#|!\[|<|    )")
LIST_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")


def split(text, follows=""):
    """`follows`: what stands after the text, for a last sentence that ends with a colon."""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z`*(])", " ".join(text.split()))
    for i, sentence in enumerate(sentences):
        if len(sentence.split()) >= LEAST_WORDS:
            introduces = follows if i + 1 == len(sentences) and sentence.endswith(":") else ""
            yield f"{sentence} {introduces[:MOST_INTRODUCED]}".strip()


def of_page(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    code = FENCE.findall(text)
    blocks = [block for block in re.split(r"\n\s*\n", FENCE.sub("\n\n\0\n\n", text)) if block.strip()]
    shown = [" ".join((code.pop(0) if block.strip() == "\0" else block).split()) for block in blocks]
    for i, block in enumerate(blocks):
        text_lines = [line for line in block.splitlines() if not NOT_TEXT.match(line)]
        rest = [line.strip() for line in block.splitlines() if NOT_TEXT.match(line)]
        following = iter(range(i + 1, len(blocks)))
        follows = " ".join(rest) if rest else shown[i + 1] if i + 1 < len(blocks) else ""
        if not rest and i + 1 < len(blocks) and LIST_ITEM.match(blocks[i + 1]):
            follows = " ".join(shown[j] for j in following if all(LIST_ITEM.match(blocks[k]) for k in range(i + 1, j + 1)))
        yield from split(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", " ".join(text_lines)).replace("\0", ""), follows)


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
