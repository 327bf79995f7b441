"""Scenes from dicts, texts and files; runs; caches."""
import json

import numpy as np
import pytest

import capstan
from capstan import Cache, Scene


def test_dict_text_and_file_make_the_same_world(falling, tmp_path):
    path = tmp_path / "fall.json"
    path.write_text(json.dumps(falling))
    worlds = [Scene(falling).world(), Scene(json.dumps(falling)).world(), Scene(path).world(), Scene(str(path)).world(threads=2)]
    for world in worlds:
        world.step(100)
    assert all((world.positions == worlds[0].positions).all() for world in worlds)
    assert worlds[0].body("rod") == 1 and worlds[0].obstacle("ground") == 1
    with pytest.raises(capstan.CapstanError, match="no body"):
        worlds[0].body("rope")


def test_overrides_and_numpy_values(falling):
    falling["rods"][0]["position"] = np.array([0.0, 0.3])
    scene = Scene(falling, {"rods.rod.radius": 0.02, "duration": np.float64(0.5)})
    assert scene.duration == 0.5 and scene.title == "a rod falls"
    assert scene.world().radii[0] == 0.02
    assert scene.to_dict()["rods"][0]["radius"] == 0.02


def test_all_mistakes_at_once(falling):
    falling["rods"][0]["raduis"] = falling["rods"][0].pop("radius")
    falling["duration"] = -1
    falling["gravity"] = 9.81
    with pytest.raises(capstan.SceneError) as caught:
        Scene(falling)
    assert len(caught.value.faults) >= 3
    assert 'did you mean "radius"' in str(caught.value)
    assert caught.value.faults[0].line == 1
    with pytest.raises(capstan.SceneError, match="No such file"):
        Scene("there_is_no_such.json")
    with pytest.raises(capstan.CapstanError, match="part of a scene"):
        Scene({"capstan": object()})
    with pytest.raises(capstan.SceneError, match="NaN"):
        Scene({"gravity": [0, float("nan")]})
    with pytest.raises(capstan.SceneError, match="nonsense"):
        Scene(falling, {"nonsense": 1})


def test_warnings(falling):
    falling["rods"][0]["position"] = [0, -0.5]
    warnings = Scene(falling).warnings
    assert any("ground" in warning for warning in warnings)


def test_run_and_read(falling, tmp_path):
    seen = []
    result = Scene(falling).run(tmp_path / "fall.run", progress=False, callback=seen.append)
    assert result.end == "finished" and result.totals.steps == len(seen) == 200
    assert seen[-1].time == pytest.approx(0.2)
    with result.open() as cache:
        assert len(cache) == 21 and cache.bodies == ["rod"] and cache.obstacles == ["ground"]
        assert cache.times == pytest.approx(np.arange(21) * 0.01)
        assert cache.steps["time"] == pytest.approx(np.arange(1, 201) * 1e-3)
        assert cache.steps["contacts"].max() > 0 and cache.steps.units["energy_kinetic"] == "J"
        assert max(cache.steps["error"]) <= cache.tolerance
        assert [report.residual.error for report in seen] == cache.steps["error"].tolist()
        assert len(cache.steps) == len(list(cache.steps)) and "nothing" not in cache.steps
        track = cache.track("rod")
        everything = np.asarray(track)
        assert track.shape == everything.shape and track.shape[0] == 21
        assert (track[-1] == everything[-1]).all() and (track[::5, 0] == everything[::5, 0]).all() and (track[3, -1, 1] == everything[3, -1, 1])
        last = cache[-1]
        assert last.time == pytest.approx(0.2) and len(cache[2:5]) == 3
        assert (last.bodies["rod"].positions == everything[-1]).all()
        touching = max(cache, key=lambda frame: len(frame.contacts))
        assert len(touching.contacts) > 0 and set(touching.contacts["b"]["obstacle"]) == {1}
        assert last.bodies["rod"].state.shape[0] > 0 and last.positions.shape[1] == 3
        tip = cache.probes["tip"]
        assert len(tip) == 21 and tip.dtype.names[:3] == ("time", "x", "y") and tip["x"][-1] == pytest.approx(everything[-1, -1, 0])
        with pytest.raises(IndexError):
            cache[21]
        with pytest.raises(KeyError):
            cache.steps["nothing"]
        with pytest.raises(capstan.CapstanError, match="no body"):
            cache.track("rope")
    with pytest.raises(capstan.CapstanError, match="closed"):
        cache[0]
    with pytest.raises(capstan.CapstanError, match="No such file"):
        Cache(tmp_path / "nothing.run")


def test_begins_as_another_run_ended(falling, tmp_path):
    first = Scene(falling).run(tmp_path / "first.run", progress=False)
    assert first.speed_at_first == 0.0
    second = Scene(falling).run(tmp_path / "second.run", duration=2 * first.duration, begin_from=tmp_path / "first.run", progress=False)
    assert second.speed_at_first > 0.0
    with first.open() as ended, second.open() as began:
        assert (ended[-1].positions == began[0].positions).all()
        assert (ended[0].positions != began[0].positions).any()
    with pytest.raises(capstan.RunError, match="nowhere.run"):
        Scene(falling).run(tmp_path / "third.run", begin_from=tmp_path / "nowhere.run", progress=False)


def test_the_world_of_a_scene_is_the_world_of_its_run(falling, tmp_path):
    Scene(falling).run(tmp_path / "fall.run", progress=False)
    world = Scene(falling).world()
    world.step(200)
    state = Cache(tmp_path / "fall.run")[-1].bodies["rod"].state
    assert (world.state(1) == state).all()


def test_refused_stopped_and_resumed(falling, tmp_path):
    scene, folder = Scene(falling), tmp_path / "fall.run"
    result = scene.run(folder, progress=False, callback=lambda report: report.step < 50)
    assert result.end == "interrupted" and result.totals.steps == 50
    with pytest.raises(capstan.RunError, match="holds a run already") as caught:
        scene.run(folder, progress=False)
    assert not caught.value.resumable
    resumed = scene.run(folder, progress=False, resume=True)
    assert resumed.end == "finished" and 0.0 < resumed.start_time < resumed.duration
    assert scene.run(folder, progress=False, resume=True).end == "already"
    whole = scene.run(tmp_path / "whole.run", progress=False).open()
    assert (Cache(folder)[-1].bodies["rod"].state == whole[-1].bodies["rod"].state).all()
    assert scene.run(folder, force=True, progress=False, duration=0.05).totals.steps == 50


def test_a_run_that_is_changed_on_its_way(falling, tmp_path):
    falling["obstacles"] = []
    kept = []

    def lift(world):
        if world.time > 0.1:
            world.gravity = (0, 0)
        kept.append(world)
        assert world.positions.flags.owndata  # a copy: the run frees its world

    Scene(falling).run(tmp_path / "fall.run", progress=False, before_step=lift)
    x = np.asarray(Cache(tmp_path / "fall.run").track("rod"))[:, 0, 1]
    fall = np.diff(x)
    assert fall[5] < fall[2] < 0 and fall[-1] == pytest.approx(fall[-2], rel=1e-2)
    with pytest.raises(capstan.CapstanError, match="closed"):
        kept[0].time

    def fail(world):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        Scene(falling).run(tmp_path / "other.run", progress=False, before_step=fail)


def test_a_bar_is_shown(falling, tmp_path, capsys):
    Scene(falling).run(tmp_path / "fall.run", progress=True)
    world = Scene(falling).world()
    world.run(0.05, progress=True)
    shown = capsys.readouterr().err
    assert "s simulated" in shown and "100%" in shown


def test_damaged_cache(falling, tmp_path):
    Scene(falling).run(tmp_path / "fall.run", progress=False)
    path = tmp_path / "fall.run" / "cache.h5"
    data = bytearray(path.read_bytes())
    for at in range(4096, len(data), 4096):
        data[at] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(capstan.CapstanError):
        cache = Cache(tmp_path / "fall.run")
        for k in range(len(cache)):
            cache[k]
        for name in cache.steps:
            cache.steps[name]


def test_a_shipped_scene(repository, tmp_path):
    result = Scene(repository / "scenes" / "planar" / "ring_drop.json").run(tmp_path / "ring.run", duration=0.1, progress=False)
    assert result.open()[-1].bodies["ring"].closed
