"""Checks what ./dev demo left in a folder: every file is there, can be read, and shows a pendulum that moves."""

import csv
import json
import sys
from pathlib import Path

import numpy as np
from PIL import Image

folder = Path(sys.argv[1])

for name, size in (("pendulum.png", (1600, 900)), ("curves.png", None)):
    pixels = np.asarray(Image.open(folder / name).convert("RGB"))
    assert size is None or pixels.shape == (size[1], size[0], 3), f"{name} is {pixels.shape}"
    inked = (pixels.min(axis=2) < 200).mean()
    assert 0.01 < inked < 0.9, f"{name}: {100 * inked:.1f} % of the picture are not white"

data = json.loads((folder / "trajectory.json").read_text())
q = np.array(next(iter(data["articulated"].values()))["q"])
x = np.array(next(iter(data["soft"].values()))["x"])
assert len(data["steps"]) == len(q) == len(x) == 241
assert np.isfinite(q).all() and np.isfinite(x).all()
assert np.ptp(q[:, 0]) > 1.0, "the upper arm swings less than 1 rad"

with open(folder / "energies.csv", newline="") as file:
    assert sum(1 for _ in csv.reader(file)) >= 241, "energies.csv has too few lines"
assert list(folder.glob("vtk/*.pvd")) and len(list(folder.glob("vtk/*.vtu"))) >= 241
print(f"{folder}: pictures, trajectory, energies and meshes are in order")
