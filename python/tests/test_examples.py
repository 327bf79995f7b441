"""The script, the notebook and the examples of the guide run, and show what they are said to show."""
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import capstan

pytest.importorskip("matplotlib")


def picture(path):
    """The share of the pixels that are not white, and how many columns of them have a mark."""
    import matplotlib.image

    inked = matplotlib.image.imread(path)[..., :3].min(axis=2) < 0.9
    return inked.mean(), inked.any(axis=0).mean()


def test_script(repository, tmp_path):
    shutil.copytree(repository / "scenes" / "fibers", tmp_path / "scenes" / "fibers")
    script = repository / "python" / "examples" / "master_curve_and_knot.py"
    subprocess.run([sys.executable, str(script)], cwd=tmp_path, env={**os.environ, "MPLBACKEND": "agg"}, check=True, timeout=300)
    for name in ("master_curve.png", "knot.png"):
        ink, width = picture(tmp_path / name)
        assert 0.005 < ink < 0.5 and width > 0.8, name


def test_the_master_curve_is_met():
    gamma, ratio = capstan.theory.cantilever_master_curve()
    for wanted in (1.0, 30.0, 300.0):
        world = capstan.World(2)
        world.add_rod(elements=60, length=1.0, radius=0.01, mass_per_length=1.0, bending_stiffness=9.81 / wanted, clamped=True)
        world.find_equilibrium()
        x, y, _ = world.positions[-1]
        exact = np.exp(np.interp(np.log(wanted), np.log(np.sort(gamma)), np.log(ratio[np.argsort(gamma)])))
        assert -y / x == pytest.approx(exact, rel=2e-3)


def test_the_theory_agrees_with_the_reference(repository):
    """validate/reference was computed by two other methods."""
    table = np.genfromtxt(repository / "validate" / "reference" / "cantilever_k0_0.csv", delimiter=",", names=True)
    gamma, ratio = capstan.theory.cantilever_master_curve()
    order = np.argsort(gamma)
    inside = (table["Gamma"] > gamma.min()) & (table["Gamma"] < gamma.max())
    exact = np.exp(np.interp(np.log(table["Gamma"][inside]), np.log(gamma[order]), np.log(ratio[order])))
    assert inside.sum() > 50 and exact == pytest.approx(table["y_over_x"][inside], rel=1e-3)


def test_figures(falling, tmp_path):
    cache = capstan.Scene(falling).run(tmp_path / "fall.run", progress=False).open()
    energies = capstan.plot.energies(cache)
    labels = [line.get_label() for line in energies.get_lines()]
    assert {"kinetic", "elastic", "gravity", "work of friction", "unexplained"} <= set(labels)
    kinetic = energies.get_lines()[labels.index("kinetic")].get_ydata()
    assert (kinetic == cache.steps["energy_kinetic"]).all()
    assert len(capstan.plot.convergence(str(tmp_path / "fall.run")).get_lines()) == 2
    stick_slide = capstan.plot.stick_slide(cache, "rod")
    contacts = sum(len(frame.contacts) for frame in cache)
    assert sum(len(line.get_xdata()) for line in stick_slide.get_lines()) == contacts > 0
    with pytest.raises(capstan.CapstanError, match="no body"):
        capstan.plot.stick_slide(cache, "rope")
    assert len(capstan.plot.curves(cache[-1]).collections) == 1


def test_notebook(repository, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    import nbformat

    path = repository / "python" / "examples" / "first_steps.ipynb"
    notebook = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "the notebook is kept without outputs"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(repository)}}).execute(
        env={name: value for name, value in os.environ.items() if name != "MPLBACKEND"})  # figures go into the notebook
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 3
    said = "".join(output.get("text", "") for output in outputs)
    if os.environ.get("CAPSTAN_KEEP"):  # to look at
        nbformat.write(notebook, os.path.join(os.environ["CAPSTAN_KEEP"], "first_steps.ipynb"))
    assert "law of Coulomb met" in said and re.search(r"velocity \[ *-?0\. +1\.7 +-?0\. *\]", said), said


def test_guide(repository, tmp_path, monkeypatch):
    """Every block of Python of docs/python.md, one after the other, in one folder."""
    shutil.copytree(repository / "scenes", tmp_path / "scenes")
    monkeypatch.chdir(tmp_path)
    text = (repository / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.S | re.M)
    assert len(blocks) > 8
    space = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), space)


def test_many_fibers(repository):
    script = repository / "python" / "examples" / "many_fibers.py"
    said = subprocess.run([sys.executable, str(script), "200"], check=True, timeout=300, stdout=subprocess.PIPE, text=True).stdout
    frames = re.findall(r"positions \((\d+), 3\).*own memory: (\w+), at (0x[0-9a-f]+), mean height (-[0-9.e-]+) m", said)
    assert len(frames) == 3 and {frame[:3] for frame in frames} == {("1000", "no", frames[0][2])}
    heights = [float(frame[3]) for frame in frames]
    assert heights == sorted(heights, reverse=True) and heights[2] == pytest.approx(-9.81 * 6e-6, rel=1e-3)
