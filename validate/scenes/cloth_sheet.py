"""A sheet of a finished run over its frames."""
import numpy as np


class Sheet:
    """One sheet of a run over its frames."""

    def __init__(self, run, number):
        self.run, self.number = run, number
        item = self.item(0)
        x = run.position[run.vertices_of(item)]
        self.triangles = run.triangles_of(item)
        a, b, c = (x[self.triangles[:, k]] for k in range(3))
        area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
        self.weight = np.bincount(self.triangles.ravel(), np.repeat(area / 3, 3), len(x))
        self.weight /= self.weight.sum()

    def item(self, frame):
        return next(i for i in self.run.items_of(frame) if self.run.items["owner"][i] == 0 and self.run.items["id"][i] == self.number)

    def position(self, frame):
        return self.run.position[self.run.vertices_of(self.item(frame))]

    def velocity(self, frame):
        return self.run.state_of(self.item(frame)).reshape(2, -1, 3)[1]

    def centroid(self, frame):
        return self.weight @ self.position(frame)


def sheets_of(run):
    return [run.bodies_named.index(s["name"]) + 1 for s in run.scene["sheets"]]
