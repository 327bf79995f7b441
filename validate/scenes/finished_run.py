"""What a finished run left in its cache: scene, frames (items with vertices and triangles, states) and the table of steps."""
import json
import os

import h5py


class Run:
    def __init__(self, directory):
        self.directory = directory
        self.cache = h5py.File(os.path.join(directory, "cache.h5"), "r")
        self.scene = json.loads(self.cache["scene/effective"][()])
        self.bodies_named = [name.decode() for name in self.cache["names/bodies"][:]]
        self.items = {k: v[:] for k, v in self.cache["items"].items()}
        self.frames = {k: v[:] for k, v in self.cache["frames"].items()}
        self.position = self.cache["vertices/position"][:]
        self.radius = self.cache["vertices/radius"][:]
        self.corner = self.cache["triangles/corner"][:]
        self.state = self.cache["states/value"][:]
        self.steps = {k: v[:] for k, v in self.cache["steps"].items()}
        self.timings = {k: v[:] for k, v in self.cache["timings"].items()}

    def items_of(self, frame):
        first, count = self.frames["first_item"][frame], self.frames["items"][frame]
        return range(first, first + count)

    def vertices_of(self, item):
        start = self.items["first_vertex"][item]
        return slice(start, start + self.items["vertices"][item])

    def triangles_of(self, item):
        start = self.items["first_triangle"][item]
        return self.corner[start:start + self.items["triangles"][item]]

    def state_of(self, item):
        start = self.items["first_state"][item]
        return self.state[start:start + self.items["states"][item]]

    def shapes(self, frame):
        """Owner (0: a body), number, vertices and triangles of all items of a frame."""
        for i in self.items_of(frame):
            yield self.items["owner"][i], self.items["id"][i], self.position[self.vertices_of(i)], self.triangles_of(i)
