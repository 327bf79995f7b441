"""Each format of `capstan export` read back by a reader of another project (usd-core, VTK, trimesh, plyfile) and compared with the cache,
which h5py reads. They live in an environment of their own (export_venv.py); this file starts itself again there, with what h5py read."""
import os
import pickle
import subprocess
import sys
import tempfile
import unittest

import numpy as np

WORK = os.environ.get("CAPSTAN_EXPORTED")
CURVE, DISK, OUTLINE, HALF_PLANE, HOLLOW_DISK, MESH = range(6)


def prepare(folder):
    """Runs and their exports, in an interpreter that has h5py."""
    import export_fixture as exports
    runs = {"plane": exports.make_run(folder, "plane", duration=0.2), "space": exports.make_run(folder, "space", exports.SPACE),
            "many": exports.make_run(folder, "many", exports.many_rods(101)),
            "changing": exports.made_up(os.path.join(folder, "changing.run")),
            "faces": exports.made_up(os.path.join(folder, "faces.run"), curves=False)}
    scenes = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "scenes")
    for name, scene, duration in (("hair", "hair/wisp.json", "0.05"), ("cloth", "cloth/on_sphere.json", "0.08")):
        runs[name] = os.path.join(folder, name + ".run")
        done = exports.fixture.run(os.path.join(scenes, scene), "--out", runs[name], "--duration", duration, "--progress", "none")
        assert done.returncode == 0, done.stderr
    for name, place in runs.items():
        with open(os.path.join(folder, name + ".truth"), "wb") as file:
            pickle.dump(exports.truth(place), file)
        for form in ("usd", "obj", "ply", "vtp"):
            out = os.path.join(folder, "%s_%s%s" % (name, form, exports.ENDINGS.get(form, "")))
            options = ["--normals"] if name in ("space", "changing") and form == "usd" else []
            done = exports.export(place, "--format", form, "--out", out, *options)
            assert done.returncode == 0, done.stderr


def truth(name):
    with open(os.path.join(WORK, name + ".truth"), "rb") as file:
        return pickle.load(file)


def place(name, form, *more):
    return os.path.join(WORK, "%s_%s" % (name, form), *more)


def f32(value):
    return np.asarray(value, "f4")


def prim_name(item, names={"1st-sheet": "_1st_sheet", "1st_sheet": "_1st_sheet_body_4", "": "body_3"}):
    return names.get(item["name"], item["name"].replace("-", "_"))


def as_cached(item):
    """Curves and meshes are written as they are; other shapes are drawn."""
    return item["as"] in (CURVE, MESH, OUTLINE)


def force_on(frame, body):
    contacts = frame["contacts"]
    size = np.linalg.norm(contacts["force"].reshape(-1, 3), axis=1)
    return size[(contacts["body_a"] == body) | (contacts["body_b"] == body)].sum()


def contains(triangles, wanted, tolerance=1e-8):
    """Are these triangles there, in this order? 1e-8: text of 9 digits."""
    begins = np.flatnonzero(np.abs(triangles - wanted[0]).max((1, 2)) <= tolerance)
    return any(i + len(wanted) <= len(triangles) and np.abs(triangles[i:i + len(wanted)] - wanted).max() <= tolerance for i in begins)


def most_state(frame, body):
    contacts = frame["contacts"]
    states = contacts["case"][(contacts["body_a"] == body) | (contacts["body_b"] == body)]
    return states.max() if len(states) else 0


# viewer/src/colour/palettes.ts and viewer/src/style.css
BODY_COLOURS = [0x12927a, 0x8a63c9, 0xcf9d0e, 0xc2588f, 0x5f8299, 0x7fa83a, 0x8c6d4f, 0x4a5fb5]
OBSTACLE_COLOUR, MANY_COLOUR = 0xdfe4ea, 0x5b6b7c


@unittest.skipUnless(WORK, "started by main() below")
class Usd(unittest.TestCase):
    def stage(self, name):
        from pxr import Usd
        stage = Usd.Stage.Open(os.path.join(WORK, name + "_usd.usda"))
        self.assertTrue(stage)
        return stage

    def check_prims(self, name):
        from pxr import UsdGeom
        stage, frames = self.stage(name), truth(name)
        rate = stage.GetTimeCodesPerSecond()
        compared = 0
        for k, frame in enumerate(frames):
            code = round(frame["time"] * rate, 6)
            for i, item in enumerate(frame["items"]):
                if not as_cached(item) or (name == "changing" and item["owner"] == 1):
                    continue
                own = prim_name(item) if name != "changing" or i != 1 else "fiber_body_1"
                prim = stage.GetPrimAtPath("/World/" + own)
                self.assertTrue(prim, own)
                points = np.array(UsdGeom.PointBased(prim).GetPointsAttr().Get(code))
                np.testing.assert_array_equal(points, f32(item["position"]))
                extent = np.array(UsdGeom.Boundable(prim).GetExtentAttr().Get(code))
                self.assertTrue((extent[0] <= points.min(0)).all() and (extent[1] >= points.max(0)).all())
                if item["as"] == CURVE:
                    self.check_curve(prim, item, code)
                else:
                    self.check_mesh(prim, item, code)
                self.check_colour(prim, item)
                if item["owner"] == 0:
                    self.check_contacts_on(prim, frame, item["id"], code)
                compared += 1
        return compared

    def check_curve(self, prim, item, code):
        from pxr import UsdGeom
        curves = UsdGeom.BasisCurves(prim)
        self.assertEqual(list(curves.GetCurveVertexCountsAttr().Get(code)), [len(item["position"])])
        self.assertEqual((curves.GetTypeAttr().Get(), curves.GetWrapAttr().Get()), ("linear", "periodic" if item["closed"] else "nonperiodic"))
        widths = np.array(curves.GetWidthsAttr().Get(code))
        np.testing.assert_array_equal(np.broadcast_to(widths, len(item["radius"])), f32(2 * item["radius"]))
        self.assertEqual(curves.GetWidthsInterpolation(), "constant" if len(widths) == 1 else "vertex")
        normals = curves.GetNormalsAttr().Get(code)
        if normals is not None:
            np.testing.assert_array_equal(np.array(normals), f32(item["director"]))
        if item["owner"] == 0 and len(item["position"]) > 2:
            self.assertIn("PhysicsCurvesDeformableSimAPI", prim.GetPrimTypeInfo().GetAppliedAPISchemas())
            np.testing.assert_array_equal(np.array(prim.GetAttribute("physics:thicknesses").Get(code)), widths)
            self.assertEqual(prim.GetAttribute("physics:thicknesses:elementType").Get(), "constant" if len(widths) == 1 else "point")

    def check_mesh(self, prim, item, code):
        from pxr import UsdGeom
        mesh = UsdGeom.Mesh(prim)
        corners = np.array(mesh.GetFaceVertexIndicesAttr().Get(code))
        counts = np.array(mesh.GetFaceVertexCountsAttr().Get(code))
        wanted = item["triangles"].ravel() if item["as"] == MESH else np.arange(len(item["position"]))
        np.testing.assert_array_equal(corners, wanted)
        self.assertEqual(counts.sum(), len(corners))
        valid, why = UsdGeom.Mesh.ValidateTopology(mesh.GetFaceVertexIndicesAttr().Get(code), mesh.GetFaceVertexCountsAttr().Get(code),
                                                   len(item["position"]))
        self.assertTrue(valid, why)

    def check_colour(self, prim, item):
        """The colour of the body's number on the page, of an obstacle, or of an object of many fibers; as light intensity."""
        from pxr import UsdGeom
        many = prim.GetName() in ("fibers", "rings")
        seen = OBSTACLE_COLOUR if item["owner"] == 1 else MANY_COLOUR if many else BODY_COLOURS[(item["id"] - 1) % 8]
        screen = np.array([seen >> 16 & 255, seen >> 8 & 255, seen & 255]) / 255
        light = np.where(screen <= 0.04045, screen / 12.92, ((screen + 0.055) / 1.055) ** 2.4)
        colour = UsdGeom.Gprim(prim).GetDisplayColorPrimvar()
        self.assertEqual((colour.GetInterpolation(), colour.GetAttr().GetNumTimeSamples()), ("constant", 0))
        np.testing.assert_allclose(np.array(colour.Get()), [light], atol=1e-6)

    def check_contacts_on(self, prim, frame, body, code):
        from pxr import UsdGeom
        api = UsdGeom.PrimvarsAPI(prim)
        force, state = (np.array(api.GetPrimvar(name).Get(code)) for name in ("contactForce", "contactState"))
        np.testing.assert_allclose(force.sum(), force_on(frame, body), rtol=1e-5, atol=1e-12)
        self.assertEqual(state.max(), most_state(frame, body))
        self.assertEqual(len(force), len(UsdGeom.PointBased(prim).GetPointsAttr().Get(code)))

    def test_plane(self):
        stage = self.stage("plane")
        from pxr import UsdGeom
        self.assertEqual((UsdGeom.GetStageUpAxis(stage), UsdGeom.GetStageMetersPerUnit(stage)), ("Y", 1.0))
        self.assertEqual((stage.GetTimeCodesPerSecond(), stage.GetStartTimeCode(), stage.GetEndTimeCode()), (200.0, 0.0, 40.0))
        self.assertGreater(self.check_prims("plane"), 100)

    def test_space(self):
        from pxr import UsdGeom
        stage = self.stage("space")
        self.assertEqual(UsdGeom.GetStageUpAxis(stage), "Z")
        self.assertEqual(stage.GetRootLayer().documentation, 'a "quoted" title \\ with a backslash')
        self.assertGreater(self.check_prims("space"), 10)
        # a ball is drawn: at its radius about its centre
        for frame in truth("space"):
            ball = frame["items"][4]
            points = np.array(UsdGeom.Mesh(stage.GetPrimAtPath("/World/marble")).GetPointsAttr().Get(round(frame["time"] * 100, 6)))
            np.testing.assert_allclose(np.linalg.norm(points - ball["position"][0], axis=1), ball["radius"][0], rtol=1e-4)

    def test_hair(self):
        self.assertGreater(self.check_prims("hair"), 100)

    def test_cloth(self):
        self.assertEqual(self.check_prims("cloth"), 5)  # one sheet, 0 to 0.08 s every 0.02 s

    def test_validators(self):
        """All that come with usd-core."""
        from pxr import UsdValidation
        context = UsdValidation.ValidationContext(UsdValidation.ValidationRegistry().GetOrLoadAllValidators())
        for name in ("plane", "space", "many", "changing", "faces", "hair", "cloth"):
            faults = [fault.GetErrorAsString() for fault in context.Validate(self.stage(name))]
            self.assertEqual(faults, [], name)

    def test_changing(self):
        from pxr import UsdGeom
        self.assertEqual(self.check_prims("changing"), 12)
        stage = self.stage("changing")
        counts = UsdGeom.BasisCurves(stage.GetPrimAtPath("/World/fiber_body_1")).GetCurveVertexCountsAttr()
        self.assertEqual([list(counts.Get(k)) for k in range(4)], [[5], [6], [7], [8]])
        sheet = stage.GetPrimAtPath("/World/_1st_sheet").GetPrimTypeInfo().GetAppliedAPISchemas()
        self.assertIn("PhysicsSurfaceDeformableSimAPI", sheet)

    def test_many_are_one(self):
        from pxr import UsdGeom
        stage = self.stage("many")
        curves = UsdGeom.BasisCurves(stage.GetPrimAtPath("/World/fibers"))
        self.check_colour(curves.GetPrim(), {"owner": 0})
        for k, frame in enumerate(truth("many")):
            rods = [item for item in frame["items"] if item["owner"] == 0]
            self.assertEqual(list(curves.GetCurveVertexCountsAttr().Get(k)), [len(rod["position"]) for rod in rods])
            np.testing.assert_array_equal(np.array(curves.GetPointsAttr().Get(k)), f32(np.concatenate([rod["position"] for rod in rods])))

    def test_contacts(self):
        from pxr import UsdGeom
        for name in ("plane", "space", "changing"):
            stage, frames = self.stage(name), truth(name)
            prim = stage.GetPrimAtPath("/World/contacts")
            api, seen = UsdGeom.PrimvarsAPI(prim), 0
            for frame in frames:
                code, contacts = round(frame["time"] * stage.GetTimeCodesPerSecond(), 6), frame["contacts"]
                points = np.array(UsdGeom.Points(prim).GetPointsAttr().Get(code)).reshape(-1, 3)
                np.testing.assert_array_equal(points, f32(contacts["position"]).reshape(-1, 3))
                for own, its in (("force", "force"), ("normal", "normal"), ("velocity", "velocity"), ("gap", "gap"), ("mu", "mu"), ("state", "case")):
                    value = np.array(api.GetPrimvar(own).Get(code))
                    np.testing.assert_array_equal(value.ravel(), f32(contacts[its]).ravel())
                seen += len(points)
            self.assertGreater(seen, 2)

    def test_valid(self):
        """Every validator that comes with usd-core, and a stage that says nothing while it is opened."""
        from pxr import Tf, UsdValidation
        registry = UsdValidation.ValidationRegistry()
        validators = registry.GetOrLoadAllValidators()
        self.assertGreater(len(validators), 10)
        for name in ("plane", "space", "many", "changing", "hair"):
            mark = Tf.Error.Mark()
            stage = self.stage(name)
            self.assertTrue(mark.IsClean())
            errors = UsdValidation.ValidationContext(validators).Validate(stage)
            self.assertEqual([(error.GetName(), error.GetMessage()) for error in errors], [])


@unittest.skipUnless(WORK, "started by main() below")
class Usdc(unittest.TestCase):
    """python/capstan/usdc.py."""
    def convert(self, *arguments):
        tree = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python", "capstan", "usdc.py")
        return subprocess.run([sys.executable, tree, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False)

    def test_same_values(self):
        from pxr import Sdf
        for name in ("space", "changing", "hair"):
            text, binary = os.path.join(WORK, name + "_usd.usda"), os.path.join(WORK, name + ".usdc")
            done = self.convert(text, binary)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open(binary, "rb") as file:
                self.assertEqual(file.read(8), b"PXR-USDC")
            self.assertLess(os.path.getsize(binary), os.path.getsize(text))
            self.assertEqual(Sdf.Layer.FindOrOpen(binary).ExportToString(), Sdf.Layer.FindOrOpen(text).ExportToString())

    def test_mistakes(self):
        text, taken = os.path.join(WORK, "plane_usd.usda"), os.path.join(WORK, "taken.usdc")
        with open(taken, "w", encoding="ascii") as file:
            file.write("mine")
        for arguments, word in (((text, taken), "--force"), ((text, os.path.join(WORK, "a.txt")), ".usdc"), (("nowhere.usda", taken), "no such file"),
                                ((text, os.path.join(WORK, "no", "a.usdc")), "no such directory"), ((__file__, os.path.join(WORK, "a.usdc")), "no USD layer")):
            done = self.convert(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(word, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertEqual([name for name in os.listdir(WORK) if "part" in name], [])
        self.assertEqual(self.convert(text, taken, "--force").returncode, 0)


@unittest.skipUnless(WORK, "started by main() below")
class Vtp(unittest.TestCase):
    def read(self, path):
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(path)
        reader.Update()
        data = reader.GetOutput()
        self.assertEqual(reader.GetErrorCode(), 0)
        arrays = {name: vtk_to_numpy(side.GetArray(name)) for side in (data.GetPointData(), data.GetCellData())
                  for name in [side.GetArrayName(i) for i in range(side.GetNumberOfArrays())]}
        return vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else np.zeros((0, 3)), data, arrays

    def test_bodies(self):
        from vtkmodules.util.numpy_support import vtk_to_numpy
        for name in ("plane", "space", "many", "changing", "hair"):
            for k, frame in enumerate(truth(name)):
                points, data, arrays = self.read(place(name, "vtp", "bodies_%05d.vtp" % k))
                lines, polys = data.GetLines(), data.GetPolys()
                self.assertEqual(len(arrays["object"]), lines.GetNumberOfCells() + polys.GetNumberOfCells())
                offsets, corner = vtk_to_numpy(lines.GetOffsetsArray()), vtk_to_numpy(lines.GetConnectivityArray())
                curves = [corner[offsets[i]:offsets[i + 1]] for i in range(lines.GetNumberOfCells())]
                # the lines in the order of the items: chains and rods, then what is drawn of others is passed over
                wanted = [item for item in frame["items"] if item["as"] == CURVE]
                drawn = [curve for curve in curves if any(len(curve) == len(item["position"]) + item["closed"] for item in wanted)]
                self.assertGreaterEqual(len(drawn), len(wanted))
                for item in wanted:
                    hits = [curve for curve in drawn if len(curve) == len(item["position"]) + item["closed"]
                            and np.array_equal(points[curve[:len(item["position"])]], f32(item["position"]))]
                    self.assertTrue(hits, item["name"])
                    np.testing.assert_array_equal(arrays["radius"][hits[0][:len(item["radius"])]], f32(item["radius"]))
                    if item["closed"]:
                        self.assertEqual(hits[0][0], hits[0][-1])
                offsets, corner = vtk_to_numpy(polys.GetOffsetsArray()), vtk_to_numpy(polys.GetConnectivityArray())
                for item in frame["items"]:
                    if item["as"] == MESH:
                        faces = f32(item["position"])[item["triangles"]]
                        sizes = np.diff(offsets)
                        self.assertTrue(contains(points[corner[offsets[:-1][sizes == 3][:, None] + np.arange(3)]], faces, 0.0), item["name"])
                total = sum(force_on(frame, item["id"]) for item in frame["items"] if item["owner"] == 0)
                np.testing.assert_allclose(arrays["contact_force"].sum(dtype="f8"), total, rtol=1e-5, atol=1e-12)

    def test_contacts(self):
        seen = 0
        for name in ("plane", "space", "changing"):
            for k, frame in enumerate(truth(name)):
                points, data, arrays = self.read(place(name, "vtp", "contacts_%05d.vtp" % k))
                contacts = frame["contacts"]
                np.testing.assert_array_equal(points, f32(contacts["position"]).reshape(-1, 3))
                self.assertEqual(data.GetNumberOfVerts(), len(points))
                for own, its in (("force", "force"), ("normal", "normal"), ("velocity", "velocity"), ("gap", "gap"), ("mu", "mu"),
                                 ("error", "error"), ("state", "case"), ("body_a", "body_a"), ("body_b", "body_b"), ("obstacle_b", "obstacle_b")):
                    if len(points):
                        np.testing.assert_array_equal(arrays[own].ravel(), f32(contacts[its]).ravel())
                seen += len(points)
        self.assertGreater(seen, 20)

    def test_collection(self):
        import xml.etree.ElementTree as xml
        for stem in ("bodies", "contacts"):
            rows = xml.parse(place("plane", "vtp", stem + ".pvd")).getroot().find("Collection").findall("DataSet")
            self.assertEqual([float(row.get("timestep")) for row in rows], [frame["time"] for frame in truth("plane")])
            self.assertTrue(all(os.path.isfile(place("plane", "vtp", row.get("file"))) for row in rows))


@unittest.skipUnless(WORK, "started by main() below")
class Obj(unittest.TestCase):
    def test_meshes_by_trimesh(self):
        import trimesh
        for name, count in (("space", 7), ("changing", 4), ("hair", 2)):
            for k, frame in enumerate(truth(name)[:count]):
                mesh = trimesh.load(place(name, "obj", "frame_%05d.obj" % k), process=False, force="mesh")
                for item in frame["items"]:
                    if item["as"] == MESH:
                        self.assertTrue(contains(np.asarray(mesh.triangles), item["position"][item["triangles"]]), (name, k, item["name"]))

    def test_curves_by_vtk(self):
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOGeometry import vtkOBJReader
        for name in ("plane", "many", "changing"):
            for k, frame in enumerate(truth(name)):
                reader = vtkOBJReader()
                reader.SetFileName(place(name, "obj", "frame_%05d.obj" % k))
                reader.Update()
                points, lines = vtk_to_numpy(reader.GetOutput().GetPoints().GetData()), reader.GetOutput().GetLines()
                offsets, corner = vtk_to_numpy(lines.GetOffsetsArray()), vtk_to_numpy(lines.GetConnectivityArray())
                curves = [points[corner[offsets[i]:offsets[i + 1]]] for i in range(lines.GetNumberOfCells())]
                for item in frame["items"]:
                    if item["as"] == CURVE:
                        wanted = f32(np.concatenate([item["position"], item["position"][:1]]) if item["closed"] else item["position"])
                        self.assertTrue(any(curve.shape == wanted.shape and np.allclose(curve, wanted, rtol=1e-6, atol=1e-8) for curve in curves),
                                        (name, k, item["name"]))


@unittest.skipUnless(WORK, "started by main() below")
class Ply(unittest.TestCase):
    def test_all_by_plyfile(self):
        import plyfile
        for name in ("plane", "space", "many", "changing"):
            for k, frame in enumerate(truth(name)):
                data = plyfile.PlyData.read(place(name, "ply", "frame_%05d.ply" % k))
                vertex, edge, face = (data[element] for element in ("vertex", "edge", "face"))
                points = np.stack([vertex[axis] for axis in "xyz"], 1)
                for item in frame["items"]:
                    if item["as"] != CURVE:
                        continue
                    wanted, n = f32(item["position"]), len(item["position"])
                    first = [i for i in range(len(points) - n + 1) if np.array_equal(points[i:i + n], wanted)]
                    self.assertTrue(first, (name, item["name"]))
                    own = {(i, j) for i, j in zip(edge["vertex1"], edge["vertex2"])}
                    for i in range(n - 1):
                        self.assertIn((first[0] + i, first[0] + i + 1), own)
                    if item["closed"]:
                        self.assertIn((first[0] + n - 1, first[0]), own)
                    np.testing.assert_array_equal(vertex["radius"][first[0]:first[0] + n], f32(item["radius"]))
                for item in frame["items"]:
                    if item["as"] == MESH:
                        number = vertex["object"][[i for i in range(len(points)) if np.array_equal(points[i], f32(item["position"][0]))][0]]
                        own = [points[row] for row, which in zip(face["vertex_indices"], face["object"]) if which == number]
                        np.testing.assert_array_equal(np.array(own), f32(item["position"])[item["triangles"]])
                total = sum(force_on(frame, item["id"]) for item in frame["items"] if item["owner"] == 0)
                np.testing.assert_allclose(vertex["contact_force"].sum(dtype="f8"), total, rtol=1e-5, atol=1e-12)

    def test_mesh_by_trimesh(self):
        import trimesh
        for k, frame in enumerate(truth("faces")):
            mesh = trimesh.load(place("faces", "ply", "frame_%05d.ply" % k), process=False)
            sheet = frame["items"][1]
            wanted = f32(sheet["position"])[sheet["triangles"]]
            self.assertTrue(contains(np.asarray(mesh.triangles), wanted))


def main():
    try:
        import h5py  # noqa: F401
    except ImportError:
        print("h5py is missing")
        sys.exit(77)
    import export_venv
    python = export_venv.interpreter()
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder)
        done = subprocess.run([python, os.path.abspath(__file__)], env={**os.environ, "CAPSTAN_EXPORTED": folder}, check=False)
    sys.exit(done.returncode)


if __name__ == "__main__":
    if WORK:
        unittest.main()
    main()
