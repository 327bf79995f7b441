#!/usr/bin/env python3
"""Opens what `capstan export --format usd` wrote in Blender, says what is there at one time, and draws it: blender.py FILE.usda [--frame N] [--png FILE]

Needs bpy (`pip install bpy`, in a venv of its own). Exit 1 if there is neither a curve nor a mesh, or if a coordinate is not finite.
"""
import argparse
import math
import os
import sys

import bpy
from mathutils import Vector


def corners(things):
    """Least and largest coordinates of evaluated objects in the world."""
    graph = bpy.context.evaluated_depsgraph_get()
    low, high = [math.inf] * 3, [-math.inf] * 3
    for thing in things:
        shown = thing.evaluated_get(graph)
        mesh = shown.to_mesh() if shown.type != "CURVES" else None
        places = [shown.matrix_world @ vertex.co for vertex in mesh.vertices] if mesh else [shown.matrix_world @ point.position for point in shown.data.points]
        for place in places:
            low = [min(a, b) for a, b in zip(low, place)]
            high = [max(a, b) for a, b in zip(high, place)]
        if mesh:
            shown.to_mesh_clear()
    return Vector(low), Vector(high)


def draw(low, high, path):
    """A picture by Cycles, from the front and above."""
    middle, reach = (low + high) / 2, (high - low).length
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.location = middle + reach * Vector((0.7, -1.2, 0.55))
    camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
    camera.data.clip_start = reach / 1000
    lamp = bpy.data.objects.new("lamp", bpy.data.lights.new("lamp", "SUN"))
    lamp.data.energy = 3.0
    lamp.rotation_euler = (0.6, 0.2, 0.3)
    scene = bpy.context.scene
    for thing in (camera, lamp):
        scene.collection.objects.link(thing)
    world = scene.world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.8, 0.85, 0.9, 1.0)
    scene.camera = camera
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 16
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = 640, 480
    scene.render.filepath = os.path.abspath(path)
    bpy.ops.render.render(write_still=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--frame", type=int, help="of Blender's time line (the last)")
    parser.add_argument("--png")
    asked = parser.parse_args()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    said = bpy.ops.wm.usd_import(filepath=os.path.abspath(asked.file), set_frame_range=True)
    scene = bpy.context.scene
    scene.frame_set(scene.frame_end if asked.frame is None else asked.frame)
    things = [thing for thing in bpy.data.objects if thing.type in ("CURVES", "CURVE", "MESH")]
    print(f"{asked.file}: {said}, Blender {bpy.app.version_string}, frames {scene.frame_start} to {scene.frame_end}, shown {scene.frame_current}")
    for thing in things:
        size = f"{len(thing.data.curves)} curves, {len(thing.data.points)} points" if thing.type == "CURVES" else (
            f"{len(thing.data.vertices)} vertices, {len(thing.data.polygons)} faces" if thing.type == "MESH" else f"{len(thing.data.splines)} curves")
        print(f"  {thing.type} {thing.name}: {size}; attributes {', '.join(sorted(thing.data.attributes.keys())) if hasattr(thing.data, 'attributes') else 'none'}")
    if not things:
        return 1
    low, high = corners(things)
    print("  from (%.6f, %.6f, %.6f) to (%.6f, %.6f, %.6f) m" % (*low, *high))
    if asked.png:
        draw(low, high, asked.png)
        print(f"  wrote {asked.png}")
    return 0 if all(math.isfinite(x) for x in (*low, *high)) else 1


if __name__ == "__main__":
    sys.exit(main())
