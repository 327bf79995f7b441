"""Files of the repository that the docs link to from outside docs/ become pages or files of the site (mkdocs.yml, hooks).

A link ../CONTRIBUTING.md in docs/README.md leads out of docs/: mkdocs would call it broken. Such a file is put at the same path below the site's
root (CONTRIBUTING.md, validate/README.md), and links to it, and its own links, are turned to that place.
"""
import os
import posixpath
import re

from mkdocs.structure.files import File

LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = ("CONTRIBUTING.md", "CHANGELOG.md")


def in_repository(page_path, target):
    """Where a link of a page leads, as a path from the repository's root; None for addresses."""
    if re.match(r"[a-z]+:", target):
        return None
    home = posixpath.dirname(page_path if page_path in OUTSIDE else posixpath.join("docs", page_path))
    return posixpath.normpath(posixpath.join(home, target))


def outside_links(text, home):
    for target in (match.group(2) for match in LINK.finditer(text)):
        if not re.match(r"[a-z]+:", target):
            path = posixpath.normpath(posixpath.join(home, target))
            if not path.startswith(("docs/", "..")) and os.path.exists(os.path.join(ROOT, path)):
                yield path


OUTSIDE = set()


def on_files(files, config):
    pending = list(PAGES)
    for file in files.documentation_pages():
        with open(file.abs_src_path, encoding="utf-8") as stream:
            pending += outside_links(stream.read(), posixpath.join("docs", posixpath.dirname(file.src_uri)))
    while pending:
        path = pending.pop()
        if path in OUTSIDE or os.path.isdir(os.path.join(ROOT, path)):
            continue
        OUTSIDE.add(path)
        files.append(File.generated(config, path, abs_src_path=os.path.join(ROOT, path)))
        if path.endswith(".md"):
            with open(os.path.join(ROOT, path), encoding="utf-8") as stream:
                pending += outside_links(stream.read(), posixpath.dirname(path))
    return files


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri

    def turned(match):
        path = in_repository(here, match.group(2))
        if path is None:
            return match.group(0)
        if os.path.isdir(os.path.join(ROOT, path)) and not path.startswith("docs"):
            return match.group(0).replace("](" + match.group(2), "](" + match.group(2))
        inside = path[len("docs/"):] if path.startswith("docs/") else path
        if inside not in OUTSIDE and not path.startswith("docs/"):
            return match.group(0)
        return match.group(1) + posixpath.relpath(inside, posixpath.dirname(here) or ".") + match.group(3)

    return LINK.sub(turned, markdown)
