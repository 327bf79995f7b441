"""The pictures of `capstan render` and the page of `capstan view` have the same colours: their two tables are compared."""
import os
import re
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def hexes(text):
    return [value.lower() for value in re.findall(r"(?:#|0x)([0-9a-fA-F]{6})\b", text)]


def after(text, start, end):
    """Colours between the first occurrence of a word and the next of another."""
    first = text.index(start)
    return hexes(text[first:text.index(end, first)])


class Colours(unittest.TestCase):
    def setUp(self):
        self.c = read("src/page/colours.c")
        self.page = read("viewer/src/colour/palettes.ts")
        self.style = read("viewer/src/style.css")

    def test_bodies(self):
        self.assertEqual(after(self.c, "colour[CST_BODY_COLOURS]", ";"), after(self.page, "export const BODY_COLOURS", ";"))

    def test_scales(self):
        self.assertEqual(after(self.c, "stop[2][6]", ";"), after(self.page, "const SEQUENTIAL", "};"))
        self.assertEqual(after(self.c, "stop[2][5]", ";"), after(self.page, "const DIVERGING", "};"))

    def test_cases(self):
        names = {"Sticks": "CST_CASE_STICK:", "Slides": "CST_CASE_SLIDE:", "Held": "CST_CASE_BILATERAL:", "TakesOff": "CST_CASE_TAKE_OFF:"}
        for theirs, ours in names.items():
            self.assertEqual(after(self.page, f"[Case.{theirs}]: fromHex", ","), after(self.c, ours, "\n}\n")[:1], theirs)

    def test_themes(self):
        for dark, ours in ((False, "light = {"), (True, "night = {")):
            sheet = self.style[self.style.index(':root[data-theme="dark"]') if dark else 0:]
            first = self.c.index(ours)
            table = self.c[first:self.c.index("};", first)]
            for name in ("paper", "ink", "soft", "matter", "rigid"):
                self.assertEqual(after(sheet, f"--{name}:", ";"), after(table, f".{name} =", ")"), (name, dark))
            plain = self.page[self.page.index("export const PLAIN"):]
            self.assertEqual(after(plain, "dark:" if dark else "light:", ")"), after(table, ".plain =", ")"))


if __name__ == "__main__":
    unittest.main()
