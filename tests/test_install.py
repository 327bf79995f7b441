"""`make install` into a folder: programs link against it by pkg-config and by CMake, shared and static, and the folder can be moved; manual
pages are readable and completions complete."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir))
BUILD = os.path.dirname(os.environ.get("CAPSTAN_COMMAND", os.path.join(ROOT, "build", "capstan")))
SAYS = {"brick": r"velocity 1\.700 0\.000", "slide": r"speed after 1 s  2\.1204 m/s"}


def call(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, check=False, **options)


def setUpModule():
    for tool in ("cmake", "ninja", "gcc", "pkg-config"):
        if not shutil.which(tool):
            print("%s is missing" % tool)
            sys.exit(77)
    holder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(holder.cleanup)
    first = os.path.join(holder.name, "first")
    done = call("cmake", "--install", BUILD, "--prefix", first)
    assert done.returncode == 0, done.stderr
    Installed.folder, Installed.prefix = holder.name, os.path.join(holder.name, "moved here")
    os.rename(first, Installed.prefix)
    Installed.library = os.path.dirname(glob.glob(os.path.join(Installed.prefix, "lib", "**", "libcapstan.so"), recursive=True)[0])


class Installed(unittest.TestCase):
    folder = prefix = library = None

    def runs(self, program, name, shared, **options):
        done = call(program, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, SAYS[name])
        linked = call("ldd", program, env={**os.environ, **options.get("env", {})}).stdout
        self.assertEqual("libcapstan.so" in linked, shared, linked)
        return linked


class PkgConfig(Installed):
    def flags(self, *arguments):
        # spaces in names come back with backslashes, as a shell wants them
        done = call("pkg-config", *arguments, env={**os.environ, "PKG_CONFIG_PATH": os.path.join(self.library, "pkgconfig")})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def compile(self, name, flags):
        program = os.path.join(self.folder, "program")
        done = call("sh", "-c", 'gcc -std=c17 "$0" %s -o "$1"' % flags, os.path.join(ROOT, "examples", name + ".c"), program)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def test_shared(self):
        for name in SAYS:
            program = self.compile(name, self.flags("--cflags", "--libs", "capstan"))
            self.runs(program, name, True, env={"LD_LIBRARY_PATH": self.library})

    def test_archive(self):
        for name in SAYS:
            linked = self.runs(self.compile(name, self.flags("--cflags", "--libs", "capstan-static")), name, False)
            self.assertIn("libamd", linked)

    def test_static_without_the_shared_library(self):
        """pkg-config --static brings all that the archive needs."""
        hidden = [(path, path + ".hidden") for path in glob.glob(os.path.join(glob.escape(self.library), "libcapstan.so*"))]
        for path, aside in hidden:
            os.rename(path, aside)
        try:
            for name in SAYS:
                self.runs(self.compile(name, self.flags("--static", "--cflags", "--libs", "capstan")), name, False)
        finally:
            for path, aside in hidden:
                os.rename(aside, path)

    def test_core_wholly_static(self):
        for name in SAYS:
            program = self.compile(name, "-static " + self.flags("--cflags", "--libs", "capstan-core"))
            done = call(program)
            self.assertRegex(done.stdout, SAYS[name])
            self.assertNotIn("=>", call("ldd", program).stdout)


class CMakePackage(Installed):
    def build(self, text):
        folder = tempfile.mkdtemp(dir=self.folder)
        with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.22)\nproject(client C)\nset(examples \"%s\")\n%s" % (os.path.join(ROOT, "examples"), text))
        done = call("cmake", "-S", folder, "-B", folder, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + self.prefix, "-DCMAKE_C_COMPILER=gcc",
                    "-DCMAKE_C_COMPILER_WORKS=1")
        if done.returncode == 0:
            done = call("cmake", "--build", folder)
        return folder, done

    def test_each_target(self):
        text = "find_package(capstan 0.1 REQUIRED COMPONENTS capstan static core)\n" + "".join(
            "add_executable({0}_{1} ${{examples}}/{0}.c)\ntarget_link_libraries({0}_{1} capstan::{1})\n".format(name, kind)
            for name in SAYS for kind in ("capstan", "static", "core"))
        folder, done = self.build(text)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        for name in SAYS:
            self.runs(os.path.join(folder, name + "_capstan"), name, True)
            self.assertNotIn("hdf5", self.runs(os.path.join(folder, name + "_core"), name, False))
            self.runs(os.path.join(folder, name + "_static"), name, False)

    def test_refuses(self):
        for text, word in (("find_package(capstan 9 REQUIRED)", "version"), ("find_package(capstan REQUIRED COMPONENTS nothing)", "nothing")):
            done = self.build(text)[1]
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(word, done.stderr)


class Command(Installed):
    def test_runs(self):
        done = call(os.path.join(self.prefix, "bin", "capstan"), "--version")
        self.assertEqual(done.returncode, 0)
        self.assertIn(done.stdout.split()[1], call(os.path.join(BUILD, "capstan"), "version").stdout)
        self.assertTrue(os.path.exists(os.path.join(self.prefix, "share", "capstan", "scenes", "planar", "demo.json")))

    def test_manual_pages(self):
        pages = sorted(os.listdir(os.path.join(self.prefix, "share", "man", "man1")))
        listed = re.findall(r"^  ([a-z]+) ", call(os.path.join(BUILD, "capstan"), "help").stdout, re.M)
        wanted = ["capstan.1"] + ["capstan-%s.1" % name for name in listed if name not in ("help", "version", "completion")]
        self.assertEqual(pages, sorted(wanted))
        for page in pages:
            path = os.path.join(self.prefix, "share", "man", "man1", page)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            self.assertRegex(text, r'^\.TH CAPSTAN(-[A-Z]+)? 1 "" "capstan \d')
            name = page[:-2].replace("capstan-", "").replace("capstan", "")
            for option in re.findall(r"^  (--[a-z-]+)", call(os.path.join(BUILD, "capstan"), name, "--help").stdout if name else "", re.M):
                self.assertIn("\\fB" + option.replace("-", "\\-") + "\\fR", text)
            if shutil.which("groff"):
                done = call("groff", "-man", "-ww", "-Tutf8", "-z", path)
                self.assertEqual((done.returncode, done.stderr), (0, ""))


class Completion(Installed):
    def complete(self, *words):
        script = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _capstan; printf "%s\\n" "${COMPREPLY[@]}"')
        done = call("bash", "-c", script, os.path.join(self.prefix, "share", "bash-completion", "completions", "capstan"), "capstan", *words,
                    cwd=os.path.join(ROOT, "scenes"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete("ex"), ["export"])
        self.assertIn("run", self.complete(""))
        self.assertEqual(self.complete("export", "--ev"), ["--every", "--every-fiber"])
        self.assertEqual(self.complete("export", "a.run", "--format", "p"), ["pc2", "ply"])
        self.assertEqual(self.complete("run", "scene.s"), ["scene.schema.json"])
        self.assertEqual(self.complete("run", "--out", "pla"), ["planar"])
        self.assertEqual(self.complete("export", "--every", ""), [])

    def test_every_option(self):
        for name in ("run", "check", "dump", "solve", "plot", "view", "render", "export"):
            wanted = re.findall(r"^  (--[a-z-]+)", call(os.path.join(BUILD, "capstan"), name, "--help").stdout, re.M)
            self.assertGreater(len(wanted), 3)
            self.assertEqual(sorted(self.complete(name, "--")), sorted(wanted + ["--help"]))

    def test_other_shells_parse(self):
        for shell, path in (("zsh", "share/zsh/site-functions/_capstan"), ("fish", "share/fish/vendor_completions.d/capstan.fish")):
            with self.subTest(shell=shell):
                if not shutil.which(shell):
                    self.skipTest("%s is not installed" % shell)
                done = call(shell, "-n", os.path.join(self.prefix, path))
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_mistakes(self):
        for arguments in ([], ["tcsh"], ["bash", "zsh"]):
            done = call(os.path.join(BUILD, "capstan"), "completion", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("bash|zsh|fish", done.stderr)
        done = call(os.path.join(BUILD, "capstan"), "run", "--help=nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing", done.stderr)


class Debian(Installed):
    """The package itself; tools/try_deb.sh installs it on a bare Debian."""
    def test_package(self):
        if not (shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps")):
            self.skipTest("dpkg-dev is missing")
        out = os.path.join(self.folder, "deb")
        done = call("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", out)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        package, = glob.glob(os.path.join(out, "capstan_*.deb"))
        control = call("dpkg-deb", "-f", package).stdout
        self.assertRegex(control, r"(?m)^Depends: .*libc6 .*libhdf5")
        self.assertRegex(control, r"(?m)^Version: \d+\.\d+\.\d+")
        files = set(re.findall(r" \./(\S+)", call("dpkg-deb", "-c", package).stdout))
        for name in ("usr/bin/capstan", "usr/lib/libcapstan.so.0", "usr/share/man/man1/capstan-run.1", "usr/share/bash-completion/completions/capstan",
                     "usr/lib/pkgconfig/capstan.pc", "usr/include/capstan/capstan.h"):
            self.assertIn(name, files)
        self.assertEqual([name for name in files if not name.startswith("usr/") and name], [])


class Version(unittest.TestCase):
    """Of a clone, a tagged clone, a tarball and a tree inside another repository."""
    def configured(self, tree):
        script = os.path.join(tree, "print.cmake")
        with open(script, "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.22)\nset(PROJECT_VERSION 0.1.0)\nset(PROJECT_SOURCE_DIR %s)\ninclude(%s/cmake/version.cmake)\nmessage(${CAPSTAN_VERSION})\n" % (tree, tree))
        done = call("cmake", "-P", script)
        self.assertEqual(done.returncode, 0, done.stderr)
        os.remove(script)
        return done.stderr.strip()

    def test_version(self):
        if not shutil.which("git"):
            self.skipTest("git is missing")
        with tempfile.TemporaryDirectory() as folder:
            def git(*arguments):
                done = call("git", "-C", tree, "-c", "user.name=a", "-c", "user.email=a@b", *arguments)
                self.assertEqual(done.returncode, 0, done.stderr)
                return done.stdout.strip()
            tree = os.path.join(folder, "tree")
            os.makedirs(os.path.join(tree, "cmake"))
            for name in ("cmake/version.cmake", "cmake/version.txt", ".gitattributes"):
                shutil.copy(os.path.join(ROOT, name), os.path.join(tree, name))
            self.assertEqual(self.configured(tree), "0.1.0")  # nothing to know it from
            git("init", "-q")
            git("add", "-A")
            git("commit", "-qm", "one")
            commit = git("rev-parse", "--short", "HEAD")
            self.assertEqual(self.configured(tree), "0.1.0-g" + commit)

            def tarball(name):
                out = os.path.join(folder, name)
                os.mkdir(out)
                git("archive", "-o", os.path.join(folder, name + ".tar"), "HEAD")
                call("tar", "-C", out, "-xf", os.path.join(folder, name + ".tar"))
                return self.configured(out)
            self.assertEqual(tarball("plain"), "0.1.0-g" + commit)
            git("tag", "v1.2.3")
            self.assertEqual(self.configured(tree), "1.2.3")
            self.assertIn(tarball("tagged"), ("1.2.3", "0.1.0-g" + commit))  # git before 2.32 cannot describe in archives
            # unpacked inside another repository: not that one's version
            inside = os.path.join(tree, "inside", "cmake")
            os.makedirs(inside)
            for name in ("version.cmake", "version.txt"):
                shutil.copy(os.path.join(ROOT, "cmake", name), inside)
            self.assertEqual(self.configured(os.path.dirname(inside)), "0.1.0")


if __name__ == "__main__":
    unittest.main()
