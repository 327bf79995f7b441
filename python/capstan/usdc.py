"""USD text to USD binary: `python -m capstan.usdc in.usda out.usdc`, or convert(). Needs usd-core (`pip install usd-core`) and nothing else
of Capstan.

A head of hair as text takes seconds to open in each frame; the binary form (crate) is smaller and is read in milliseconds."""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence


class UsdError(Exception):
    """Why a file could not be converted."""


def convert(source: str | os.PathLike[str], target: str | os.PathLike[str], force: bool = False) -> int:
    """Writes the layer `source` as `target` (.usdc) and returns its size in bytes. The file gets its name when it is complete.

    Raises UsdError if usd-core is missing, if `source` is no USD layer, or if `target` exists and `force` is False.
    """
    source, target = os.fspath(source), os.fspath(target)
    try:
        from pxr import Sdf, Tf
    except ImportError as missing:
        raise UsdError("usd-core is missing: pip install usd-core") from missing
    if not target.endswith((".usdc", ".usd")):
        raise UsdError("%s: a binary layer is named .usdc (or .usd)" % target)
    if not os.path.isfile(source):
        raise UsdError("%s: there is no such file" % source)
    if not os.path.isdir(os.path.dirname(target) or "."):
        raise UsdError("%s: there is no such directory" % (os.path.dirname(target)))
    if os.path.exists(target) and not force:
        raise UsdError("%s exists; --force replaces it" % target)
    stem, ending = os.path.splitext(target)
    aside = "%s.%d.part%s" % (stem, os.getpid(), ending)
    try:
        layer = Sdf.Layer.OpenAsAnonymous(source)
        if not layer:
            raise UsdError("%s: is no USD layer" % source)
        if not layer.Export(aside, args={"format": "usdc"}):
            raise UsdError("%s: cannot be written" % target)
        os.replace(aside, target)
    except Tf.ErrorException as error:
        raise UsdError("%s: is no USD layer, or damaged: %s" % (source, str(error).split("'")[-2])) from error
    except OSError as error:
        raise UsdError("%s: %s" % (target, error.strerror)) from error
    finally:
        if os.path.exists(aside):
            os.remove(aside)
    return os.path.getsize(target)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: 0, or 2 with the reason on standard error."""
    parser = argparse.ArgumentParser(prog="python -m capstan.usdc", description="USD text (.usda) to USD binary (.usdc), by usd-core.")
    parser.add_argument("source", help="what capstan export --format usd wrote")
    parser.add_argument("target", help="the .usdc file")
    parser.add_argument("--force", action="store_true", help="replace it if it exists")
    asked = parser.parse_args(arguments)
    try:
        size = convert(asked.source, asked.target, asked.force)
    except UsdError as error:
        print("capstan.usdc: %s" % error, file=sys.stderr)
        return 2
    print("wrote %s: %.1f MB (text: %.1f MB)" % (asked.target, size / 1e6, os.path.getsize(asked.source) / 1e6))
    return 0


if __name__ == "__main__":
    sys.exit(main())
