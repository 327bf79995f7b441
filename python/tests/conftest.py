import os
from pathlib import Path

import pytest

os.environ.setdefault("MPLBACKEND", "agg")


@pytest.fixture
def repository():
    """The root of the repository, with scenes/ and docs/."""
    return Path(__file__).resolve().parents[2]


@pytest.fixture
def falling():
    """A rod that falls on the ground, as a scene."""
    return {
        "capstan": 1, "title": "a rod falls", "dim": 2, "duration": 0.2, "time_step": {"dt": 1e-3, "adaptive": False},
        "rods": [{"name": "rod", "elements": 6, "length": 0.5, "radius": 0.01, "density": 1000, "young": 1e6, "position": [0, 0.05], "angle": 0.1,
                  "velocity": [1, 0]}],
        "obstacles": [{"name": "ground", "shape": "half_plane", "friction": 0.3}],
        "probes": [{"name": "tip", "type": "position", "body": "rod", "at": "end"}],
        "output": {"frame_interval": 0.01},
    }
