"""`capstan render`: pictures that show what the cache says, videos with and without ffmpeg, and what is said about mistakes."""
import json
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
import zlib

import h5py
import numpy as np

import run_fixture

COMMAND = run_fixture.COMMAND
SIZE = "240x135" if run_fixture.sanitized() else "480x270"


def render(*arguments, **options):
    done = subprocess.run([COMMAND, "render", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False, timeout=600, **options)
    # A build without cairo says that it letters nothing, and does the rest.
    done.stderr = "".join(line for line in done.stderr.splitlines(True) if "built without cairo" not in line)
    return done


def read_png(path):
    """Pixels (height, width, 3), decoded without any library: filters none, left and above."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    width, height, depth, colour = struct.unpack(">IIBB", data[16:26])
    assert (depth, colour) == (8, 2), path
    packed, at, ended = b"", 8, False
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body), kind
        packed += body if kind == b"IDAT" else b""
        ended = kind == b"IEND"
        at += 12 + length
    assert ended
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 3 * width)
    out = np.zeros((height, width, 3), np.uint8)
    above = np.zeros((width, 3), np.uint8)
    for y, row in enumerate(rows):
        line = row[1:].reshape(width, 3)
        if row[0] == 1:
            line = np.cumsum(line, axis=0, dtype=np.uint8)
        elif row[0] == 2:
            line = line + above
        else:
            assert row[0] == 0, row[0]
        out[y] = above = line
    return out


def rod_at(run, time):
    """Vertices of the first body and their radius, interpolated between frames; the seconds of all frames."""
    with h5py.File(os.path.join(run, "cache.h5")) as cache:
        times = cache["frames/time"][:]
        k = int(np.clip(np.searchsorted(times, time - 1e-9), 1, len(times) - 1))
        share = (time - times[k - 1]) / (times[k] - times[k - 1])
        found = []
        for frame in (k - 1, k):
            first, count = cache["frames/first_item"][frame], cache["frames/items"][frame]
            for item in range(first, first + count):
                if cache["items/owner"][item] == 0 and cache["items/id"][item] == 1:
                    start, length = cache["items/first_vertex"][item], cache["items/vertices"][item]
                    found.append(cache["vertices/position"][start:start + length])
                    radius = cache["vertices/radius"][start]
        return found[0] + share * (found[1] - found[0]), radius


def distance_to_curve(points, curve):
    """From each point to a polyline."""
    nearest = np.full(len(points), np.inf)
    for a, b in zip(curve[:-1], curve[1:]):
        along = b - a
        t = np.clip((points - a) @ along / max(along @ along, 1e-30), 0, 1)
        nearest = np.minimum(nearest, np.linalg.norm(points - a - t[:, None] * along, axis=1))
    return nearest


class Render(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.fall = os.path.join(cls.folder, "fall.run")
        scene = run_fixture.write_scene(cls.folder, duration=0.3)
        done = run_fixture.run(scene, "--out", cls.fall, "--progress", "none")
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def draw(self, *arguments, out="x.png"):
        path = self.path(out)
        size = () if "--size" in arguments or "--contact-sheet" in arguments else ("--size", SIZE)
        done = render(self.fall, "--out", path, *size, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        self.assertIn("wrote " + path, done.stdout)
        return read_png(path)

    def mistake(self, arguments, *expected, **options):
        done = render(*arguments, **options)
        self.assertEqual(done.returncode, 2, (arguments, done.stderr))
        self.assertEqual(done.stdout, "")
        for text in expected:
            self.assertIn(text, done.stderr)

    def test_the_rod_is_where_the_cache_says(self):
        width, height, (x, y, high) = 960, 540, (0.0, 0.2, 0.9)
        for time in (0.0, 0.1525, 0.3):  # the second lies between two frames
            picture = self.draw("--at", time, "--plain", "--size", f"{width}x{height}", "--camera", f"{x},{y},{high}")
            self.assertEqual(picture.shape, (height, width, 3))
            curve, radius = rod_at(self.fall, time)
            scale = height / high
            curve = np.column_stack((width / 2 + scale * (curve[:, 0] - x), height / 2 - scale * (curve[:, 1] - y)))
            # A shaded pixel of the rod is its colour times a factor near one: green above red, with little red.
            colour = picture.astype(int)
            rows, columns = np.nonzero((colour[..., 1] > 90) & (colour[..., 0] < 60) & (colour[..., 1] > colour[..., 2]))
            seen = np.column_stack((columns + 0.5, rows + 0.5))
            self.assertGreater(len(seen), 500)
            self.assertLess(distance_to_curve(seen, curve).max(), scale * radius + 2)
            for vertex in curve:  # and where it should be, it is
                self.assertLess(np.linalg.norm(seen - vertex, axis=1).min(), 2, (time, vertex))
            # As wide as twice its radius, all along.
            length = np.linalg.norm(np.diff(curve, axis=0), axis=1).sum()
            self.assertLess(abs(len(seen) / (2 * scale * radius * length) - 1), 0.25, time)

    def test_same_bits_for_any_number_of_threads(self):
        options = ("--at", 0.2, "--contacts", "--colour", "force")
        for threads in (1, 2, 3):
            self.draw(*options, "--threads", threads, out=f"t{threads}.png")
        with open(self.path("t1.png"), "rb") as one:
            expected = one.read()
        for threads in (2, 3):
            with open(self.path(f"t{threads}.png"), "rb") as other:
                self.assertEqual(expected, other.read())

    def test_default_picture_is_the_end_of_the_run(self):
        done = render(self.fall)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        own = read_png(os.path.join(self.fall, "picture.png"))
        self.assertEqual(own.shape, (720, 1280, 3))
        np.testing.assert_array_equal(own, self.draw("--at", 0.3, "--size", "1280x720"))

    def test_light_and_dark(self):
        self.assertEqual(tuple(self.draw("--plain")[0, 0]), (255, 255, 255))
        self.assertEqual(tuple(self.draw("--plain", "--dark")[0, 0]), (0x12, 0x17, 0x1D))

    def test_options_change_the_picture(self):
        plain = self.draw("--plain")
        for options in (("--contacts",), ("--colour", "curvature"), ("--colour", "force"), ("--colour", "speed"),
                        ("--colour", "stick"), ("--at", 0.1), ("--camera", "fit"), ("--camera", "0,0.1,0.3")):
            picture = self.draw("--plain", *options)
            changed = (picture != plain).any(axis=2).mean()
            if options == ("--camera", "fit"):  # this scene has no camera
                self.assertEqual(changed, 0)
            else:
                self.assertTrue(1e-4 < changed < 0.9, (options, changed))
        lettered = self.draw()  # the grid, at least
        self.assertTrue((lettered[:40, :200] != plain[:40, :200]).any())

    def test_camera_of_the_scene(self):
        run = self.path("seen.run")
        scene = run_fixture.write_scene(self.folder, "seen.json", duration=0.02, camera={"center": [0, 0.2], "height": 0.5})
        self.assertEqual(run_fixture.run(scene, "--out", run, "--progress", "none").returncode, 0)
        pictures = []
        for camera in ((), ("--camera", "scene"), ("--camera", "0,0.2,0.5"), ("--camera", "fit")):
            done = render(run, "--plain", "--size", "480x270", "--out", self.path("c.png"), *camera)
            self.assertEqual(done.returncode, 0, done.stderr)
            pictures.append(read_png(self.path("c.png")))
        np.testing.assert_array_equal(pictures[0], pictures[1])
        np.testing.assert_array_equal(pictures[0], pictures[2])
        self.assertTrue((pictures[0] != pictures[3]).any())
        # A tall picture shows more height, up to what there is to the sides; a wide one the same height.
        done = render(run, "--plain", "--size", "300x600", "--out", self.path("tall.png"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_contact_sheet(self):
        picture = self.draw("--contact-sheet", "--contacts", out="sheet.png")
        self.assertEqual(picture.shape[1], 1800)
        done = render(self.fall, "--contact-sheet", 4, "--size", "800x500", "--from", 0.1, "--to", 0.2)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(read_png(os.path.join(self.fall, "contact_sheet.png")).shape, (500, 800, 3))
        self.mistake([self.fall, "--contact-sheet", 100, "--size", "300x300"], "too small")

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "ffmpeg is not installed")
    def test_video(self):
        path = self.path("a video: of a fall.mp4")
        done = render(self.fall, "--video", path, "--fps", 20, "--speed", 0.5, "--size", "321x201", "--from", 0.1)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("9 pictures of 322x202", done.stdout)
        found = json.loads(subprocess.run(
            ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height,pix_fmt,nb_frames,r_frame_rate", "-of", "json",
             "file:" + path], stdout=subprocess.PIPE, check=True).stdout)["streams"][0]
        self.assertEqual(found, {"codec_name": "h264", "width": 322, "height": 202, "pix_fmt": "yuv420p", "r_frame_rate": "20/1",
                                 "nb_frames": "9"})
        self.assertFalse(os.path.exists(path + ".part"))

    @unittest.skipUnless(shutil.which("ffmpeg") and shutil.which("ffprobe"), "ffmpeg is not installed")
    def test_other_kinds_of_video(self):
        for ending, codec in ((".gif", "gif"), (".webm", "vp9")):
            path = self.path("a fall" + ending)
            done = render(self.fall, "--video", path, "--fps", 10, "--size", "320x180")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            found = json.loads(subprocess.run(
                ["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=codec_name,width,height,nb_read_frames", "-of",
                 "json", "file:" + path], stdout=subprocess.PIPE, check=True).stdout)["streams"][0]
            self.assertEqual(found, {"codec_name": codec, "width": 320, "height": 180, "nb_read_frames": "4"})
            self.assertFalse(os.path.exists(path + ".part"))

    def test_cut_videos_are_not_kept(self):
        """ffmpeg may end with status 0 on a full disk: what it left is looked at."""
        programs = self.path("programs that cut")
        os.mkdir(programs)
        fake = os.path.join(programs, "ffmpeg")
        starts = {".gif": "GIF89a..........", ".webm": "\\032\\105\\337\\243\\201.\\030\\123\\200\\147\\001\\377\\377\\377\\377\\377\\377\\377."}
        for ending, text in starts.items():
            with open(fake, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\nfor last; do :; done\n/bin/cat > /dev/null\nprintf '%s' > \"${last#file:}\"\n" % text)
            os.chmod(fake, 0o755)
            path = self.path("cut" + ending)
            self.mistake([self.fall, "--video", path, "--size", "320x180"], "ffmpeg", env={**os.environ, "PATH": programs})
            self.assertFalse(os.path.exists(path))

    def test_fit_frame(self):
        """The camera of one frame is nearer than that of the run, in which the body falls through the picture."""
        run, frame = (self.draw("--at", 0.3, "--plain", "--fit", what, out=what + ".png") for what in ("run", "frame"))
        self.assertTrue((run != frame).any())
        np.testing.assert_array_equal(run, self.draw("--at", 0.3, "--plain", "--camera", "fit"))
        self.mistake([self.fall, "--fit", "frame", "--camera", "fit"], "not both")
        self.mistake([self.fall, "--fit", "frame", "--contact-sheet"], "one picture")

    def test_without_ffmpeg_the_pictures_are_kept(self):
        nowhere = self.path("no programs here")
        os.mkdir(nowhere)
        path = self.path("falls.mp4")
        done = render(self.fall, "--video", path, "--fps", 10, "--size", "320x180", env={**os.environ, "PATH": nowhere})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        frames = self.path("falls.frames")
        self.assertIn("ffmpeg is not installed", done.stdout)
        self.assertIn(frames, done.stdout)
        self.assertFalse(os.path.exists(path))
        self.assertEqual(sorted(os.listdir(frames)), [f"{k:05d}.png" for k in range(4)])
        first, last = (read_png(os.path.join(frames, name)) for name in ("00000.png", "00003.png"))
        self.assertTrue((first != last).any())
        np.testing.assert_array_equal(last, self.draw("--at", 0.3, "--size", "320x180"))

    def test_a_failing_ffmpeg_is_reported(self):
        programs = self.path("programs")
        os.mkdir(programs)
        fake = os.path.join(programs, "ffmpeg")
        with open(fake, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 3\n")
        os.chmod(fake, 0o755)
        path = self.path("never.mp4")
        self.mistake([self.fall, "--video", path, "--size", "320x180"], "ffmpeg", env={**os.environ, "PATH": programs})
        self.assertFalse(os.path.exists(path))
        self.assertFalse(os.path.exists(path + ".part"))

    def test_mistakes(self):
        run = self.fall
        self.mistake([], "name the directory")
        self.mistake([run, run], "name the directory")
        self.mistake([run, "--at", 5], "--at 5", "from 0 s to 0.3 s")
        self.mistake([run, "--at", -1], "--at -1")
        self.mistake([run, "--at", "noon"], "a number")
        self.mistake([run, "--colour", "blue"], "It is one of", "curvature")
        self.mistake([run, "--camera", "1,2"], "X,Y,HEIGHT")
        self.mistake([run, "--camera", "scene"], "has no camera")
        self.mistake([run, "--size", "12"], "WIDTHxHEIGHT")
        self.mistake([run, "--size", "10x10"], "64x64")
        self.mistake([run, "--size", "99999x100"], "16384")
        self.mistake([run, "--contact-sheet", "0"], "between 1 and 100")
        self.mistake([run, "--contact-sheet", "--video", "x.mp4"], "choose one")
        self.mistake([run, "--video", "x.mp4", "--at", 0.1], "--from")
        self.mistake([run, "--from", 0.1], "--at")
        self.mistake([run, "--video", "x.avi"], ".mp4")
        self.mistake([run, "--out", "x.jpg"], ".png")
        self.mistake([run, "--video", "x.mp4", "--out", "x.png"], "--out")
        self.mistake([run, "--video", self.path("no/x.mp4")], "no/x.mp4")
        self.mistake([run, "--out", self.path("no/x.png")], "no/x.png")
        self.mistake([run, "--contact-sheet", "--from", 0.2, "--to", 0.1], "no time")
        self.mistake([run, "--video", "x.mp4", "--speed", 1e-6, "--fps", 240], "--speed")
        self.mistake([run, "--contcats"], "did you mean --contacts")

    def test_unreadable_runs(self):
        self.mistake([self.path("nothing.run")], "no such directory")
        self.mistake([self.folder], self.folder)  # no cache in it
        for name, content in (("garbage.run", b"this is no cache" * 100), ("empty.run", b"")):
            os.mkdir(self.path(name))
            with open(os.path.join(self.path(name), "cache.h5"), "wb") as file:
                file.write(content)
            self.mistake([self.path(name)], name)
        torn = self.path("torn.run")
        os.mkdir(torn)
        with open(os.path.join(self.fall, "cache.h5"), "rb") as whole, open(os.path.join(torn, "cache.h5"), "wb") as half:
            half.write(whole.read()[:-5000])
        self.mistake([torn, "--at", 0.1], "torn.run")


if __name__ == "__main__":
    unittest.main()
