"""What the pictures need of a scene: its links, their pose for given joint angles, and the meshes."""

import json
from pathlib import Path

import numpy as np


def rigid(transform):
    """4x4 matrix of a scene file's transform: a translation [m] and a quaternion (x, y, z, w), both optional."""
    x, y, z, w = transform.get("rotation", [0.0, 0.0, 0.0, 1.0])
    matrix = np.eye(4)
    matrix[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    matrix[:3, 3] = transform.get("translation", [0.0, 0.0, 0.0])
    return matrix


def about(axis, angle):
    """4x4 matrix of a rotation by an angle [rad] about an axis through the origin (Rodrigues)."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    cross = np.cross(np.eye(3), axis)  # the matrix of v -> axis x v
    matrix = np.eye(4)
    matrix[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return matrix


def read_mesh(path):
    """Points [points, 3] and elements [elements, 3 or 4] of a model in JSON."""
    mesh = json.loads(Path(path).read_text())["mesh"]
    points = np.array(mesh["coordinates"], float).reshape(-1, 3)
    return points, np.array(mesh["connectivity"]).reshape(-1, mesh["nodesPerElement"])


def boundary(tets):
    """Triangles [triangles, 3] that belong to one tetrahedron only: the surface of a volume."""
    faces = tets[:, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[first[count == 1]]


class Pendulum:
    """The first soft-skinned actor of a scene: revolute joints, and one soft volume on one link."""

    def __init__(self, path):
        folder = Path(path).parent
        actor = json.loads(Path(path).read_text())["actors"]["softSkinned"][0]
        skeleton, soft = actor["skeletonParams"], actor["softParams"][0]
        self.name, self.soft_name = skeleton["name"], skeleton["name"] + "/" + soft["name"]
        self.joints, self.links = skeleton["joints"], skeleton["links"]
        if any(joint["type"] != "Revolute" for joint in self.joints):
            raise SystemExit(f"{path}: this picture is drawn for revolute joints only.")
        self.root = rigid(skeleton.get("worldFromRoot", {}))
        self.tip_link = [link["name"] for link in self.links].index(actor["softAttachLinks"][0])
        self.link_meshes = []
        for link in self.links:
            points, triangles = read_mesh(folder / link["shape"])
            self.link_meshes.append((points * link.get("shapeScale", 1.0), triangles))
        points, self.tets = read_mesh(folder / soft["shape"])
        # A nested soft is authored in the root link's frame at rest.
        rest = self.link_poses(np.zeros(len(self.joints)))
        self.tip_rest = np.linalg.inv(rest[self.tip_link]) @ rest[0] @ np.c_[points, np.ones(len(points))].T
        self.tip_surface = boundary(self.tets)

    def link_poses(self, q):
        """World transform [links, 4, 4] of every link for joint angles q [rad]."""
        poses = []
        for joint, link, angle in zip(self.joints, self.links, q):
            parent = self.root if link["parentLink"] < 0 else poses[link["parentLink"]]
            frame = parent @ rigid(joint["parentLinkFromJoint"]) @ about(joint["axis"], angle)
            poses.append(frame @ rigid(link["parentJointFromLink"]))
        return np.array(poses)

    def deflection(self, q, x):
        """Distance [nodes] in m of each soft node from where the link alone would carry it."""
        posed = (self.link_poses(q)[self.tip_link] @ self.tip_rest)[:3].T
        return np.linalg.norm(np.asarray(x) - posed, axis=1)
