"""Reading what `capstan view` has written, by src/page/page_format.h and without any of its code."""
import base64
import json
import re
import struct
import zlib

import numpy as np

HAS_ITEMS, MOVED, HAS_RADII, HAS_SHAPES = 1, 2, 4, 8
TRACED = (0, 16)


def elements(path):
    """id -> text of every data element, and the header."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = dict(re.findall(r'<script type="application/octet-stream" id="([^"]*)">([^<]*)</script>', text))
    header = re.search(r'<script type="application/json" id="capstan-header">([^<]*)</script>', text)
    return found, json.loads(header.group(1))


def unpack(text):
    return zlib.decompress(base64.b64decode(text, validate=True))


def table(found, header, run, number):
    head = header["runs"][run]["tables"][number]
    values = np.frombuffer(unpack(found[f"run{run}-table{number}"]), "<f8").reshape(len(head["columns"]), head["rows"])
    return {column["name"]: values[k] for k, column in enumerate(head["columns"])}


class Block:
    """Frames of a block, one after the other."""

    def __init__(self, data, head):
        self.data, self.at, self.head = data, 0, head
        self.position = None

    def take(self, count):
        self.at += count
        assert self.at <= len(self.data)
        return self.data[self.at - count:self.at]

    def numbers(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def planes(self, count, planes):
        raw = np.frombuffer(self.take(count * planes), np.uint8).reshape(planes, count).astype(np.uint32)
        return sum((raw[k] << (8 * k) for k in range(planes)), np.zeros(count, np.uint32))

    def signed(self, count, planes):
        shift = 32 - 8 * planes
        return (self.planes(count, planes) << shift).astype(np.int32) >> shift

    def floats(self, count, planes):
        return (self.planes(count, planes) << (32 - 8 * planes)).astype(np.uint32).view(np.float32)

    def items(self):
        count, = self.numbers("I")
        columns = [np.frombuffer(self.take(count), np.uint8) for _ in range(2)]
        columns += [np.frombuffer(self.take(4 * count), "<u4") for _ in range(3)]
        self.kind, self.bits, self.id, self.vertices, triangles = columns
        self.planes(3 * int(triangles.sum()), 4)
        traced = np.isin(self.kind, TRACED)
        self.traced = int(self.vertices[traced].sum())
        self.shapes = int(self.vertices[~traced].sum())
        starts = np.cumsum(self.vertices[traced]) - self.vertices[traced]
        self.starts = np.zeros(self.traced, bool)
        self.starts[starts[self.vertices[traced] > 0]] = True

    def next(self):
        flags, = self.numbers("B")
        origin, quantum = np.array(self.numbers("ddd")), self.numbers("d")[0]
        if flags & HAS_ITEMS:
            self.items()
        code = np.stack([self.signed(self.traced, self.head["position_bytes"]) for _ in range(3)], 1)
        if flags & MOVED:
            # each moves as the one before it in its item did, and a little more
            for item in np.split(np.arange(self.traced), np.flatnonzero(self.starts))[1:]:
                self.position[item] += np.cumsum(code[item] * quantum, 0)
        else:
            self.position = origin + np.cumsum(code * quantum, 0)
        if flags & HAS_RADII:
            self.radius = self.floats(self.traced, 4)
        for _ in self.head["channels"]:
            self.take(4 + self.traced)
        if flags & HAS_SHAPES:
            self.shape = np.stack([self.floats(self.shapes, 4) for _ in range(4)], 1)
        contacts, = self.numbers("I")
        place = np.stack([origin[k] + quantum * self.signed(contacts, self.head["position_bytes"]) for k in range(3)], 1)
        real = [self.floats(contacts, self.head["contact_bytes"]) for _ in range(14)]
        case = np.frombuffer(self.take(contacts), np.uint8)
        ids = [self.planes(contacts, 4) for _ in range(3)]
        return {"position": self.position.copy(), "radius": self.radius.copy(), "shape": self.shape.copy(), "quantum": quantum,
                "contacts": place, "force": np.stack(real[3:6], 1), "mu": real[9], "case": case, "ids": ids,
                "kind": self.kind, "obstacle": (self.bits & 2) != 0, "id": self.id, "vertices": self.vertices}


def frames(found, header, run):
    head = header["runs"][run]
    for number, about in enumerate(head["blocks"]):
        block = Block(unpack(found[f"run{run}-frames{number}"]), head)
        assert len(block.data) == about["bytes"]
        for _ in range(about["frames"]):
            yield block.next()
        assert block.at == len(block.data)
