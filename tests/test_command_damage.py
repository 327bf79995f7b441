"""Files that were damaged, replaced or half removed, descriptors that are closed, disks that are full: `capstan` says so, or gives the
same bits."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import h5py
except ImportError:
    print("h5py is missing")
    sys.exit(77)

import run_fixture as fixture
import damage
from kill_resume import compare_runs

TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 %s\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"

# SIGKILL at call number CAPSTAN_KILL_AT of those that change a directory.
KILLER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void count(void)
{
    static long number;
    const char *at = getenv("CAPSTAN_KILL_AT");
    if (at && ++number == atol(at))
        kill(getpid(), SIGKILL);
}

#define CALL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
int unlink(const char *path) { count(); return CALL(unlink)(path); }
int rmdir(const char *path) { count(); return CALL(rmdir)(path); }
int rename(const char *from, const char *to) { count(); return CALL(rename)(from, to); }
int fsync(int file) { count(); return CALL(fsync)(file); }
"""


def capstan(*arguments, **options):
    return subprocess.run([fixture.COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False, **options)


PAGE = 4096  # bytes under one checksum (src/cache/cache_pages.h)


def own_place(cache, group):
    """Offset of a byte of frames of a group whose page holds nothing of other groups: only then can the message know whose it is."""
    pieces = []

    def collect(name, item):
        if isinstance(item, h5py.Dataset) and item.chunks:
            for k in range(item.id.get_num_chunks()):
                chunk = item.id.get_chunk_info(k)
                pieces.append((chunk.byte_offset, chunk.byte_offset + chunk.size, name.startswith(group)))
    cache.visititems(collect)
    foreign = {page for low, high, own in pieces if not own for page in range(low // PAGE, (high - 1) // PAGE + 1)}
    for low, high, own in pieces:
        for at in range(low, high if own else low):
            if at // PAGE not in foreign:
                return at
    raise AssertionError("every page of %s is shared" % group)


def contents(folder):
    """The bytes of each file below a folder."""
    out = {}
    for path in (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names):
        with open(path, "rb") as file:
            out[path] = file.read()
    return out


class Damage(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.place = os.path.join(self.folder, "a.run")

    def small(self, **changes):
        path = os.path.join(self.folder, "small.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**damage.SCENE, **changes}, file)
        return path

    def run_small(self, *more, place=None, **options):
        return fixture.run(self.scene, "--out", place or self.place, "--progress", "none", *more, **options)

    # ------------------------------------------------------------------------------------------------------------------ files

    def test_a_damaged_frame_is_named(self):
        """HDF5 itself tells where chunks are. A frame of this finely sampled strip takes several pages, so that one of them is its own
        wherever HDF5 puts the chunks."""
        strip = {**damage.SCENE["rods"][0], "elements": 24}
        self.scene = self.small(rods=[strip], output={**damage.SCENE["output"], "samples": 64})
        self.assertEqual(self.run_small().returncode, 0)
        path = os.path.join(self.place, "cache.h5")
        with h5py.File(path, "r") as cache:
            at = own_place(cache, "vertices/")
        with open(path, "r+b") as file:
            file.seek(at)
            byte = file.read(1)
            file.seek(at)
            file.write(bytes([byte[0] ^ 4]))
        shown = capstan("view", self.place, "--out", os.path.join(self.folder, "a.html"))
        self.assertEqual(shown.returncode, 2)
        for words in ("/vertices/", " of frame ", "is damaged", "checksum"):
            self.assertIn(words, shown.stderr)
        before = fixture.outcome(self.place)
        for longer in ([], ["--duration", 0.2]):
            done = self.run_small("--resume", *longer)
            self.assertEqual(done.returncode, 2)
            self.assertIn("is damaged", done.stderr)
            self.assertNotIn("is whole", done.stderr)
            self.assertEqual(fixture.outcome(self.place), before)

    def test_a_refused_resume_changes_nothing(self):
        """This run ends between two frames: its last rows are beyond what the checkpoint counts, and a resumed run removes them first."""
        self.scene = self.small(duration=0.122)
        self.assertEqual(self.run_small().returncode, 0)
        cache, energy = os.path.join(self.place, "cache.h5"), os.path.join(self.place, "probes", "energy.csv")
        for path in (energy, cache):  # the other probe comes before this one, the cache after both
            with open(path, "rb") as file:
                whole = file.read()
            with open(path, "wb") as file:
                file.write(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
            before = contents(self.place)
            done = self.run_small("--resume", "--duration", 0.2)
            self.assertEqual(done.returncode, 2)
            self.assertIn(os.path.basename(path) + ": ", done.stderr)
            self.assertTrue(contents(self.place) == before)
            with open(path, "wb") as file:
                file.write(whole)
        self.assertEqual(self.run_small("--resume", "--duration", 0.2).returncode, 0)

    def test_a_probe_is_checked_by_who_reads_it(self):
        self.scene = self.small()
        self.assertEqual(self.run_small().returncode, 0)
        path = os.path.join(self.place, "probes", "tip.csv")
        with open(path, "r+b") as file:
            file.seek(200)
            other = b"7" if file.read(1) != b"7" else b"8"
            file.seek(200)
            file.write(other)
        for done in (capstan("plot", self.place, "--out", os.path.join(self.folder, "charts")), self.run_small("--resume")):
            self.assertEqual(done.returncode, 2)
            self.assertIn("tip.csv: is damaged, or was changed", done.stderr)

    def test_a_mesh_that_was_changed_is_refused(self):
        mesh = os.path.join(self.folder, "rock.obj")
        with open(mesh, "w", encoding="utf-8") as file:
            file.write(TETRAHEDRON % 1)
        self.scene = os.path.join(self.folder, "mesh.json")
        with open(self.scene, "w", encoding="utf-8") as file:
            json.dump({"capstan": 1, "dim": 3, "duration": 0.02, "time_step": {"dt": 1e-3},
                       "rigid_bodies": [{"name": "ball", "shape": "sphere", "radius": 0.1, "mass": 1, "position": [0, 0, 3]}],
                       "obstacles": [{"name": "rock", "shape": "mesh", "file": "rock.obj"}]}, file)
        self.assertEqual(self.run_small("--duration", 0.01).returncode, 0)
        with h5py.File(os.path.join(self.place, "cache.h5"), "r") as cache:
            self.assertIn(b" rock.obj\n", cache["scene/files"][()])
        with open(mesh, "w", encoding="utf-8") as file:
            file.write(TETRAHEDRON % 1.001)
        done = self.run_small("--resume")
        self.assertEqual(done.returncode, 2)
        self.assertIn('another file "rock.obj"', done.stderr)
        with open(mesh, "w", encoding="utf-8") as file:
            file.write(TETRAHEDRON % 1)
        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        os.chdir(self.folder)  # called by another name, it is the same scene
        self.scene = "mesh.json"
        done = self.run_small("--resume")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_pipes_and_directories_are_refused_at_once(self):
        pipe = os.path.join(self.folder, "pipe.json")
        os.mkfifo(pipe)
        for path in (pipe, self.folder, "/dev/zero"):
            for command in (["check", path], ["run", path, "--out", self.place]):
                done = capstan(*command)
                self.assertEqual(done.returncode, 2)
                self.assertIn("not a regular file", done.stderr)
        self.scene = self.small(extends="pipe.json")
        self.assertIn("not a regular file", capstan("check", self.scene).stderr)
        mesh = os.path.join(self.folder, "mesh.json")
        os.mkfifo(os.path.join(self.folder, "pipe.obj"))
        with open(mesh, "w", encoding="utf-8") as file:
            json.dump({"capstan": 1, "dim": 3, "duration": 1, "time_step": {"dt": 1e-3},
                       "obstacles": [{"name": "rock", "shape": "mesh", "file": "pipe.obj"}]}, file)
        self.assertIn("not a regular file", capstan("check", mesh).stderr)

    def test_results_removed_while_it_runs(self):
        self.scene = self.small(duration=20)
        for name, way in (("cache.h5", os.remove), ("cache.h5", lambda path: os.truncate(path, 5000)), ("probes/tip.csv", os.remove)):
            shutil.rmtree(self.place, ignore_errors=True)
            process = subprocess.Popen([fixture.COMMAND, "run", self.scene, "--out", self.place, "--progress", "none"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            while not os.path.exists(os.path.join(self.place, "checkpoint.bin")) and process.poll() is None:
                time.sleep(0.002)
            way(os.path.join(self.place, name))
            process.send_signal(signal.SIGINT)  # saves
            said = process.communicate(timeout=600)[1]
            self.assertEqual(process.returncode, 2, said)
            self.assertIn(os.path.basename(name) + ": was ", said)

    def test_limit_of_file_sizes(self):
        self.scene = self.small(duration=0.3)
        limited = subprocess.run("ulimit -f 150; exec '%s' run '%s' --out '%s' --progress none" % (fixture.COMMAND, self.scene, self.place),
                                 shell=True, capture_output=True, text=True, timeout=600, check=False)
        self.assertEqual(limited.returncode, 2, limited.stderr)
        self.assertIn("File too large", limited.stderr)
        self.assertEqual(self.run_small("--resume").returncode, 0)

    # ----------------------------------------------------------------------------------------------------------- descriptors

    def test_closed_descriptors(self):
        """Progress lines never land in a file of the run, whichever of 0 to 2 are closed."""
        self.scene = self.small()
        whole = os.path.join(self.folder, "whole.run")
        self.assertEqual(self.run_small(place=whole).returncode, 0)
        for closed in ("0<&-", "1>&-", "2>&-", "0<&- 1>&-", "0<&- 1>&- 2>&-"):
            shutil.rmtree(self.place, ignore_errors=True)
            done = subprocess.run("exec '%s' run '%s' --out '%s' --progress json %s" % (fixture.COMMAND, self.scene, self.place, closed),
                                  shell=True, stdout=subprocess.DEVNULL, timeout=600, check=False)
            self.assertEqual(done.returncode, 0, closed)
            self.assertEqual(compare_runs(whole, self.place), [], closed)
            self.assertEqual(os.path.getsize(os.path.join(self.place, ".lock")), 0)

    def test_output_that_does_not_arrive_is_said(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            for command in (["check", "--reference"], ["check", "--schema"], ["help"]):
                done = subprocess.run([fixture.COMMAND, *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn("standard output could not be written", done.stderr)

    # ------------------------------------------------------------------------------------------------------------------ kills

    def test_force_killed_at_every_file_call(self):
        """After dying anywhere in --force, --resume gives the new run, or what was there; and --force is not locked out."""
        library, source = os.path.join(self.folder, "killer.so"), os.path.join(self.folder, "killer.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(KILLER)
        if subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=False).returncode != 0:
            self.skipTest("no C compiler")
        self.scene = self.small()
        whole = os.path.join(self.folder, "whole.run")
        self.assertEqual(self.run_small(place=whole).returncode, 0)
        killed = 0
        for number in range(1, 40, 2 if not fixture.sanitized() else 6):
            shutil.rmtree(self.place, ignore_errors=True)
            shutil.copytree(whole, self.place)
            environment = dict(os.environ, LD_PRELOAD=library, CAPSTAN_KILL_AT=str(number))
            environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
            done = self.run_small("--force", env=environment)
            if done.returncode != -signal.SIGKILL:
                break
            killed += 1
            if number % 4 == 1:
                self.assertIn("holds a run", self.run_small().stderr, number)
            again = self.run_small("--resume" if number % 3 else "--force")
            self.assertEqual(again.returncode, 0, (number, again.stderr))
            self.assertEqual(compare_runs(whole, self.place), [], number)
            self.assertEqual(fixture.outcome(self.place)["state"], "finished", number)
        self.assertGreater(killed, 8 if not fixture.sanitized() else 3)

    def test_a_stale_outcome_is_recognised(self):
        """Killed between the last checkpoint and the last word: "running", and nobody holds the lock."""
        self.scene = self.small()
        self.assertEqual(self.run_small().returncode, 0)
        finished = fixture.outcome(self.place)
        with open(os.path.join(self.place, "outcome.json"), "w", encoding="utf-8") as file:
            json.dump({**finished, "state": "running"}, file)
        self.assertIn("was killed", self.run_small().stderr)
        done = self.run_small("--resume")
        self.assertEqual(done.returncode, 0)
        self.assertIn("had been killed", done.stderr)
        self.assertEqual(fixture.outcome(self.place), {**finished, "threads": 1})

    def test_results_that_are_gone_have_not_finished(self):
        self.scene = self.small()
        self.assertEqual(self.run_small().returncode, 0)
        kept = self.place + ".kept"
        for name in ("probes/tip.csv", "cache.h5"):
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(self.place, kept)
            os.remove(os.path.join(kept, name))
            done = self.run_small("--resume", place=kept)
            self.assertEqual(done.returncode, 2)
            self.assertIn(os.path.basename(name), done.stderr)

    # ------------------------------------------------------------------------------------------------------------------ video

    @unittest.skipUnless(shutil.which("ffmpeg"), "no ffmpeg")
    def test_video_on_a_full_disk(self):
        self.scene = self.small()
        self.assertEqual(self.run_small().returncode, 0)
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        video = os.path.join(disk, "a.mp4")
        sizes = []
        for size in (4, 8, 16, 24, 32, 64, 4096):
            if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%dk" % size, "tmpfs", disk], stderr=subprocess.DEVNULL,
                              check=False).returncode != 0:
                self.skipTest("no small disk can be mounted (needs root)")
            try:
                done = capstan("render", self.place, "--video", video, "--size", "320x240")
                if done.returncode == 0:
                    whole = subprocess.run(["ffmpeg", "-v", "error", "-xerror", "-i", video, "-f", "null", "-"], stderr=subprocess.PIPE,
                                           check=False)
                    self.assertEqual((whole.returncode, whole.stderr), (0, b""), size)
                else:
                    self.assertEqual(done.returncode, 2)
                    self.assertIn("could not make the video", done.stderr)
                    self.assertEqual(os.listdir(disk), [])
                sizes.append(done.returncode)
            finally:
                subprocess.run(["umount", disk], check=False)
        self.assertEqual(sizes[-1], 0)
        self.assertIn(2, sizes)


if __name__ == "__main__":
    unittest.main()
