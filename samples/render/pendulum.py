"""Draws a run of the soft-skinned double pendulum.

  pendulum.png  poses one after the other, the older the further back, and the path of the tip between them
  curves.png    joint angles, deflection of the tip and energies over time

Depth in the picture is time: the motion itself is planar, and stays readable when poses do not cover each other.
"""

import os

os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")  # draws without a display
os.environ.setdefault("MPLBACKEND", "Agg")

import argparse
import json
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pyvista as pv

from scene import Pendulum

DEPTH = 0.55  # metres of depth for each second of the run
POSES = 11
UPPER, LOWER, PIN, PATH = "#31475e", "#7d97ad", "#b9c0c7", "#2a8c82"
COLOURS = "YlOrRd"
ZOOM = 1.5


class Run:
    """A recorded trajectory of one pendulum, as arrays over the recorded steps."""

    def __init__(self, trajectory, pendulum):
        data = json.loads(Path(trajectory).read_text())
        actor, soft = data["articulated"][pendulum.name], data["soft"][pendulum.soft_name]
        self.time = np.array(data["steps"]) * data["dt"]
        self.q, self.x = np.array(actor["q"]), np.array(soft["x"])
        self.deflection = np.array([pendulum.deflection(q, x) for q, x in zip(self.q, self.x)])
        if not (len(self.time) > 1 and np.isfinite(self.q).all() and np.isfinite(self.x).all()):
            raise SystemExit(f"{trajectory}: needs two recorded steps or more, and finite numbers in all of them.")

    def nearest(self, times):
        """Indices of the recorded steps nearest to these times [s], each once."""
        return sorted({int(np.abs(self.time - t).argmin()) for t in times})


def surface(points, triangles):
    return pv.PolyData.from_regular_faces(np.asarray(points, float), triangles)


def draw_poses(run, pendulum, path):
    """The picture: the newest pose in front, the older ones behind it and paler."""
    plot = pv.Plotter(off_screen=True, window_size=(1600, 900), lighting="none")
    plot.set_background("white")
    end = run.time[-1]
    back = np.array([0.0, 0.0, -DEPTH])
    pivot = (pendulum.root @ np.append(pendulum.joints[0]["parentLinkFromJoint"]["translation"], 1.0))[:3]

    # Poses at even times, each set back by its age.
    shown = run.nearest(np.linspace(0.0, end, POSES))
    most = 1000 * run.deflection[shown].max() or 1.0  # [mm], the end of the scale of colours
    for i in shown:
        age = end - run.time[i]
        fade = 0.6 * (age / end) ** 0.8  # towards white, so that the newest pose stands out
        look = {"ambient": 0.35 + 0.25 * fade, "diffuse": 0.7, "specular": 0.1 * (1 - fade)}
        for k, (pose, (points, triangles)) in enumerate(zip(pendulum.link_poses(run.q[i]), pendulum.link_meshes)):
            world = points @ pose[:3, :3].T + pose[:3, 3] + age * back
            plot.add_mesh(surface(world, triangles), color=paler(pv.Color(UPPER if k == 0 else LOWER).float_rgb, fade), **look)
        tip = surface(run.x[i] + age * back, pendulum.tip_surface)
        tip["colour"] = paler(plt.get_cmap(COLOURS)(1000 * run.deflection[i] / most)[:, :3], 0.6 * fade)
        plot.add_mesh(tip, scalars="colour", rgb=True, **look)

    # The path of the tip's free end, and the pin that all poses turn about.
    free_end = run.x[:, np.argsort(pendulum.tip_rest[0])[-4:]].mean(axis=1)
    line = pv.MultipleLines(free_end + (end - run.time)[:, None] * back)
    plot.add_mesh(line.tube(radius=0.0028, n_sides=16), color=PATH, ambient=0.5, smooth_shading=True)
    pin = pv.Cylinder(center=pivot + 0.5 * end * back, direction=(0, 0, 1), radius=0.008, height=end * DEPTH + 0.08)
    plot.add_mesh(pin, color=PIN, ambient=0.4, smooth_shading=True)

    # Light from above, a camera that looks down the time axis from the right, as close as everything fits.
    plot.add_light(pv.Light(position=(-1.5, 3.0, 2.5), focal_point=(0, 0, 0), intensity=0.8, light_type="scene light"))
    plot.add_light(pv.Light(position=(3.0, 0.5, 2.0), focal_point=(0, 0, 0), intensity=0.4, light_type="scene light"))
    plot.view_vector((1.3, 0.55, 1.5), viewup=(0, 1, 0))
    plot.camera.zoom(ZOOM)
    plot.enable_anti_aliasing("ssaa")
    image = plot.screenshot(return_img=True)

    # Words and the scale of the colours go on top.
    figure = plt.figure(figsize=(16, 9), dpi=100)
    canvas = figure.add_axes([0, 0, 1, 1])
    canvas.imshow(image)
    canvas.axis("off")
    for i in shown:
        x, y = on_image(plot, pivot + (end - run.time[i]) * back)
        canvas.text(x, y - 22, f"{run.time[i]:.1f} s", ha="right", va="bottom", fontsize=12, color="#555555")
    figure.text(0.03, 0.94, "Soft-skinned double pendulum", fontsize=24, color="#222222", va="top")
    figure.text(0.03, 0.885, "two rigid arms and a soft tip; depth is time, the newest pose in front, the line the path of "
                "the tip", fontsize=14, color="#555555", va="top")
    scale = plt.cm.ScalarMappable(plt.Normalize(0.0, most), COLOURS)
    bar = figure.colorbar(scale, cax=figure.add_axes([0.7, 0.11, 0.26, 0.022]), orientation="horizontal")
    bar.set_label("deflection of the soft tip [mm]", fontsize=14, color="#333333")
    bar.ax.tick_params(labelsize=12, colors="#333333")
    bar.outline.set_visible(False)
    figure.savefig(path)
    plt.close(figure)
    plot.close()


def paler(colour, share):
    """Colours mixed with a share of white."""
    return np.asarray(colour) + share * (1.0 - np.asarray(colour))


def on_image(plot, point):
    """Pixel, counted from the top left, that shows a point of the world."""
    renderer = plot.renderer
    renderer.SetWorldPoint(*point, 1.0)
    renderer.WorldToDisplay()
    x, y, _ = renderer.GetDisplayPoint()
    return x, plot.window_size[1] - y


def draw_curves(run, energies, path):
    """Joint angles, deflection and energies over time; energies are those of the scene at `energies["time"]`."""
    figure, axes = plt.subplots(4, 1, figsize=(10, 11), sharex=True, constrained_layout=True)
    for k, name in enumerate(("upper joint", "lower joint")):
        axes[0].plot(run.time, np.degrees(run.q[:, k]), color=(UPPER, PATH)[k], label=name)
    axes[0].set_ylabel("angle [deg]")
    axes[1].plot(run.time, 1000 * run.deflection.max(axis=1), color=UPPER, label="largest deflection of the tip")
    axes[1].set_ylabel("deflection [mm]")
    axes[2].plot(energies["time"], 1000 * energies["elastic"], color=UPPER, label="elastic")
    axes[2].set_ylabel("energy [mJ]")
    axes[3].plot(energies["time"], energies["kinetic"], color=UPPER, label="kinetic")
    axes[3].plot(energies["time"], energies["gravitational"], color=PATH, label="gravitational")
    axes[3].plot(energies["time"], energies["total"], color="#222222", linestyle="--", label="total")
    axes[3].set_ylabel("energy [J]")
    axes[3].set_xlabel("time [s]")
    for axis in axes:
        axis.grid(alpha=0.25)
        axis.legend(loc="upper right", frameon=False)
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", type=Path, help="the .mochi_scene that was run")
    parser.add_argument("run", type=Path, help="its output folder, with trajectory.json and energies.csv")
    arguments = parser.parse_args()

    pendulum = Pendulum(arguments.scene)
    run = Run(arguments.run / "trajectory.json", pendulum)
    draw_poses(run, pendulum, arguments.run / "pendulum.png")
    energies = np.genfromtxt(arguments.run / "energies.csv", delimiter=",", names=True)
    draw_curves(run, energies, arguments.run / "curves.png")
    print(arguments.run / "pendulum.png", arguments.run / "curves.png", sep="\n")


if __name__ == "__main__":
    sys.exit(main())
