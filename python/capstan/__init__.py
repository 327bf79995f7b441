"""Capstan: slender elastic bodies in contact, with the exact Coulomb law at every contact. Guide: docs/python.md. SI units."""
from __future__ import annotations

from typing import Any

from capstan import errors, friction, theory
from capstan._lib import lib, text
from capstan.cache import Cache, Frame, Item, Track
from capstan.errors import CapstanError, Fault, RunError, SceneError, StepError
from capstan.place import Motion, Place
from capstan.results import Energies, FrictionReport, Residual, RunResult, RunTotals, StepReport, StepSeconds
from capstan.scene import Scene
from capstan.world import CASES, World

#: of the library inside, "0.1.0" or "0.1.0-g1a2b3c4"
__version__ = text(lib.cst_version())

__all__ = [
    "CASES", "Cache", "CapstanError", "Energies", "Fault", "Frame", "FrictionReport", "Item", "Motion", "Place", "Residual",
    "RunError", "RunResult", "RunTotals", "Scene", "SceneError", "StepError", "StepReport", "StepSeconds", "Track", "World", "errors", "friction",
    "plot", "theory", "__version__",
]


def __getattr__(name: str) -> Any:
    if name == "plot":  # matplotlib is loaded when a figure is wanted
        import importlib

        return importlib.import_module("capstan.plot")
    raise AttributeError(f"module 'capstan' has no attribute {name!r}")
