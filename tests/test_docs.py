"""Links of the documents lead somewhere, every page is in docs/README.md, and nothing cites a document outside the repository."""
import os
import re
import subprocess
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))


def files(*endings):
    listed = subprocess.run(["git", "-C", ROOT, "ls-files"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True, check=False).stdout.split()
    if not listed:  # no repository: an unpacked archive
        listed = [os.path.relpath(os.path.join(folder, name), ROOT) for top in ("docs", "src", "include", "tests", "validate", "examples")
                  for folder, _, names in os.walk(os.path.join(ROOT, top)) for name in names]
    return [name for name in listed if name.endswith(endings) and os.path.isfile(os.path.join(ROOT, name))]


def text(name):
    with open(os.path.join(ROOT, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def anchors(page):
    """As GitHub makes them of headings."""
    out = set()
    for heading in re.findall(r"^#+ (.*)$", text(page), re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        out.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return out


class Docs(unittest.TestCase):
    def test_links(self):
        broken = []
        for page in files(".md"):
            for target in re.findall(r"\]\(([^)\s]+)\)", text(page)):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                full = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
                if not os.path.exists(os.path.join(ROOT, full)):
                    broken.append((page, target))
                elif anchor and full.endswith(".md") and anchor not in anchors(full):
                    broken.append((page, target))
        self.assertEqual(broken, [])

    def test_cited_pages_exist(self):
        missing = [(name, page) for name in files(".c", ".h", ".py", ".json", ".md") if not name.startswith("tests/corpus")
                   for page in re.findall(r"(?<![\w/.])docs/[\w/]+\.md", text(name)) if not os.path.exists(os.path.join(ROOT, page))]
        self.assertEqual(missing, [])

    def test_every_page_is_listed(self):
        index = text("docs/README.md")
        pages = [name[len("docs/"):] for name in files(".md") if re.fullmatch(r"docs/\w+\.md", name) and name != "docs/README.md"]
        self.assertEqual([page for page in pages if "(" + page + ")" not in index], [])
        for folder in ("planar", "fibers"):
            part = text("docs/%s/README.md" % folder)
            inside = [os.path.basename(name) for name in files(".md") if name.startswith("docs/%s/" % folder) and not name.endswith("README.md")]
            self.assertEqual([page for page in inside if "(" + page + ")" not in part], [])

    def test_sources_cite_no_document_outside(self):
        outside = [(name, found) for name in files(".c", ".h") for found in re.findall(r"\b(?:RODS|SOLVERS)(?:\.md| \d| section)", text(name))]
        self.assertEqual(outside, [])


if __name__ == "__main__":
    unittest.main()
