#!/usr/bin/env python3
"""The least friction with which houses of cards and arches stand, by statics alone: validate/scenes/least_friction.py prints a table.

A house or an arch at rest is a set of contact forces (n, t) with

    sum of forces and moments on each body + its weight = 0,     n >= 0,     |t| <= mu n

For a given mu that is a linear program without objective; the least mu for which it has a solution is found by bisection. Below it no
forces hold the bodies, whatever the solver: they must move. Above it forces exist, and "nothing moves" satisfies the law of friction.
This is the lower-bound side of limit analysis (Livesley 1978).

It is planar, and exact for the scenes in space: they are prisms along y, and the mean of a solution in space and its mirror image in y is
again a solution (cones are convex) without moments about x and z; leaving out its y components only makes |t| smaller.

Nothing here is shared with the library: the geometry is that of a drawing on paper, the solver is HiGHS of scipy.
"""
import json
import math
import os
import sys

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix


class Statics:
    """Bodies (centre, weight) and contacts (place, unit normal that points to body a, a, b); b = -1 is the ground."""

    def __init__(self):
        self.centre, self.weight, self.contacts = [], [], []

    def body(self, x, z, weight):
        self.centre.append((x, z))
        self.weight.append(weight)
        return len(self.weight) - 1

    def touch(self, place, normal, a, b):
        self.contacts.append((place, normal, a, b))

    def stands(self, mu):
        rows, columns, values = [], [], []

        def put(row, column, value):
            rows.append(row)
            columns.append(column)
            values.append(value)

        for k, ((x, z), (nx, nz), a, b) in enumerate(self.contacts):
            for c, (fx, fz) in enumerate(((nx, nz), (-nz, nx))):
                for body, sign in ((a, 1.0), (b, -1.0)):
                    if body >= 0:
                        arm = (x - self.centre[body][0], z - self.centre[body][1])
                        put(3 * body, 2 * k + c, sign * fx)
                        put(3 * body + 1, 2 * k + c, sign * fz)
                        put(3 * body + 2, 2 * k + c, sign * (arm[0] * fz - arm[1] * fx))
        forces = 2 * len(self.contacts)
        balance = coo_matrix((values, (rows, columns)), shape=(3 * len(self.weight), forces))
        loads = np.zeros(3 * len(self.weight))
        loads[1::3] = self.weight
        at = np.arange(len(self.contacts))
        ones = np.ones(len(self.contacts))
        cone = coo_matrix((np.concatenate([-mu * ones, ones, -mu * ones, -ones]),
                           (np.concatenate([2 * at, 2 * at, 2 * at + 1, 2 * at + 1]),
                            np.concatenate([2 * at, 2 * at + 1, 2 * at, 2 * at + 1]))), shape=(forces, forces))
        answer = linprog(np.zeros(forces), A_ub=cone.tocsr(), b_ub=np.zeros(forces), A_eq=balance.tocsr(), b_eq=loads,
                         bounds=[(0, None) if i % 2 == 0 else (None, None) for i in range(forces)], method="highs")
        return answer.status == 0

    def least(self, low=0.0, high=2.0):
        """NaN: no friction is enough."""
        if not self.stands(high):
            return math.nan
        while high - low > 1e-6:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self.stands(middle) else (middle, high)
        return high


def card_house(levels, length=0.088, thick=0.001, lean=math.radians(22), clearance=0.4e-3):
    """Level k from the top: k pairs that lean against each other with their upper inner edges; cards that lie on the outer upper edges of
    two neighbouring pairs; feet are the lower inner edges. Where two sharp edges meet, no plane is their only common one: the normals are those
    of both faces, and what lies between them."""
    house, s, c = Statics(), math.sin(lean), math.cos(lean)
    high, apart, z, below = length * c + thick * s, length + clearance, 0.0, []
    for level in range(levels, 0, -1):
        lying = {}
        for i in range(level):
            middle, pair = (i - 0.5 * (level - 1)) * apart, {}
            for side in (-1, 1):  # the left card leans to the right
                centre = (middle + side * 0.5 * (length * s + thick * c), z + 0.5 * high)
                card = house.body(*centre, 1.0)
                foot = (centre[0] + side * 0.5 * (length * s - thick * c), z)
                house.touch(foot, (0.0, 1.0), card, below[i] if below else -1)
                pair[side] = card
                lying[i, side] = (middle + side * thick * c, z + high), card
            for slope in (-s, s):
                house.touch((middle, z + high - thick * s), (-c, slope), pair[-1], pair[1])
        z += high
        below = []
        for i in range(level - 1):
            card = house.body((i - 0.5 * (level - 2)) * apart, z + 0.5 * thick, 1.0)
            for place, under in (lying[i, 1], lying[i + 1, -1]):
                house.touch(place, (0.0, 1.0), card, under)
            below.append(card)
        z += thick
    return house


def arch(stones, thick=0.2, radius=1.0):
    """A half circle of equal stones with radial joints; a joint carries a force through its inner or outer edge or between them."""
    house = Statics()
    angle = math.pi / stones
    inner, outer = radius - thick / 2, radius + thick / 2
    # the chords of both circles bound a stone: a trapezoid
    height = (inner + (outer - inner) * (inner + 2 * outer) / (3 * (inner + outer))) * math.cos(angle / 2)
    for i in range(stones):
        at = math.pi - (i + 0.5) * angle
        house.body(height * math.cos(at), height * math.sin(at), 1.0)
    for i in range(stones + 1):  # joint i is before stone i
        at = math.pi - i * angle
        normal = (math.sin(at), -math.cos(at))  # along the arch, towards stone i
        a, b = (i, i - 1) if i < stones else (i - 1, -1)
        sign = 1.0 if i < stones else -1.0
        for r in (inner, outer):
            house.touch((r * math.cos(at), r * math.sin(at)), (sign * normal[0], sign * normal[1]), a, b)
    return house


def least_friction(scene):
    kind, count = scene.rsplit("_", 1)
    return (card_house if kind == "card_house" else arch)(int(count)).least()


def main():
    print("%-16s %9s" % ("scene", "least mu"))
    for scene in ("card_house_1", "card_house_2", "card_house_4", "card_house_5", "card_house_10", "arch_25", "arch_101", "arch_401"):
        print("%-16s %9.5f" % (scene, least_friction(scene)))
    print("thinnest arch of 401 stones at mu = 1: ", end="")
    low, high = 0.05, 0.2
    while high - low > 1e-5:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if arch(401, middle).stands(1.0) else (middle, high)
    print("%.5f of the radius (0.107426: Cocchetti and Rizzi 2020)" % high)


if __name__ == "__main__":
    main()
