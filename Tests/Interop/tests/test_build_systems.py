"""Depfiles and records, as ninja, make, CMake and Meson use them: after each change to the assets,
exactly the packs are made again that depend on it. Programs that are missing are skipped by name."""

import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import time
import unittest

from .tool import TOOL

# What both ninja and make can read, and what would be read as something else without escapes.
NAMES = ["plain.txt", "two words.txt", "#1.txt", "$HOME.txt", "a:b.txt", "50%.txt", "[1].txt",
         "x\\y.txt", "x\\ y.txt", "x\\#y.txt", "x\\\\ y.txt", "~tilde.txt", "(1).txt", "a,b=.txt",
         "é.txt", "{b}.txt", "-dash.txt", "@at.txt", "!.txt"]
MAKE_NAMES = [name for name in NAMES if "=" not in name] + [
    "a*b.txt", "a?b.txt", "a|b.txt", "a'b.txt", 'a"b.txt', "a&b.txt", "&", "a<b>.txt", "a`b^.txt",
    "*", "[", "a]b", "x\\*y", "x\\[y", "x\\:y"]
# Files that a pattern in a name that was not escaped would match.
DECOYS = ["1.txt", "axb.txt"]


class BuildSystem(unittest.TestCase):
    """A repository with two packs, of the folder A and of all .bin files in B."""

    needs = ()
    names = NAMES

    def setUp(self):
        for program in self.needs:
            if shutil.which(program) is None:
                self.skipTest(f"there is no {program}")
        self.root = pathlib.Path(os.path.realpath(tempfile.mkdtemp()))
        self.addCleanup(shutil.rmtree, self.root)
        for name in self.names:
            self.write("A/" + name)
        self.write("B/one.bin")
        self.write("B/sub/two.bin")
        self.write("a.json", self.manifest("a", '{"directory": "A"}'))
        self.write("b.json", self.manifest("b", '{"filePattern": "B/**/*.bin"}'))
        # The program, with a list of the outputs that it is called for.
        self.wrapper = self.root / "wrapper"
        self.wrapper.write_text(
            f'#!/bin/sh\nfor word; do case $word in *.aar) echo "${{word##*/}}" >>"{self.root}/log";;'
            f' esac; done\nexec "{TOOL}" "$@"\n')
        self.wrapper.chmod(self.wrapper.stat().st_mode | stat.S_IXUSR)
        self.prepare()

    def manifest(self, name, selector):
        return ('{"assetPackID": "%s", "downloadPolicy": {"onDemand": {}}, "platforms": [],'
                ' "fileSelectors": [%s]}\n' % (name, selector))

    def write(self, name, text=None):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name if text is None else text)

    def build(self):
        """The packs that were made, and those whose file is another than before."""
        log = self.root / "log"
        log.write_text("")
        before = self.files()
        done = subprocess.run(self.command, cwd=self.root, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # Clocks of file systems tick every few milliseconds.
        time.sleep(0.02)
        after = self.files()
        changed = {name for name in after if after[name] != before.get(name)}
        return set(log.read_text().split()), changed

    def files(self):
        packs = (self.root / "build").glob("*.aar")
        return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in packs}

    def expect(self, *names):
        names = {name + ".aar" for name in names}
        self.assertEqual(self.build(), (names, names))
        self.assertEqual(self.build(), (set(), set()))

    def follow_changes(self):
        self.expect("a", "b")
        for name in self.names:
            with self.subTest(edit=name):
                self.write("A/" + name, "changed")
                self.assertEqual(self.build()[0], {"a.aar"})
        self.expect()
        self.write("A/added.txt")
        self.expect("a")
        (self.root / "A/added.txt").rename(self.root / "A/renamed.txt")
        self.expect("a")
        (self.root / "A/renamed.txt").unlink()
        self.expect("a")
        for name in self.names[:4]:
            (self.root / "A" / name).unlink()
        self.expect("a")
        self.write("B/sub/new/three.bin")
        self.expect("b")
        self.write("B/sub/new/three.bin", "changed")
        self.expect("b")
        self.write("b.json", self.manifest("b", '{"filePattern": "B/*.bin"}'))
        self.expect("b")
        self.write("a.json", self.manifest("a", '{"directory": "A"}, {"file": "B/one.bin"}'))
        self.expect("a")
        self.write("B/one.bin", "changed")
        self.expect("a", "b")


class Ninja(BuildSystem):
    needs = ("ninja",)
    command = ("ninja", "--quiet")
    flags = "--force"

    def prepare(self):
        self.write("build.ninja", f"""
rule pack
  command = ./wrapper package {self.flags} -q $in -o $out --depfile $out.d
  depfile = $out.d
  deps = gcc
  restat = 1
build build/a.aar: pack a.json
build build/b.aar: pack b.json
""")
        (self.root / "build").mkdir()

    def test_changes(self):
        self.follow_changes()

    def test_names_that_depfiles_can_not_have(self):
        for name in ["a*", "a?b", "a|b", "a;b", "a'b", 'a"b', "a&b", "a<b", "a>b", "a`b", "a^b",
                     "a:", "a\\", "a\\:b", "a\\$b", "a\tb", "a\nb", "a\x7fb"]:
            with self.subTest(name=name):
                self.write("A/" + name)
                done = subprocess.run(
                    [TOOL, "a.json", "-o", "x.aar", "--depfile", "x.d"], cwd=self.root,
                    capture_output=True, text=True)
                (self.root / "A" / name).unlink()
                self.assertEqual(done.returncode, 0)
                self.assertIn("a depfile can't have the name 'A/a", done.stderr)
                self.assertIn(".ba-package-rebuilds-always", (self.root / "x.d").read_text())
                (self.root / "x.aar").unlink()


class NinjaIfChanged(Ninja):
    """A pack whose bytes would be the same is left alone, and ninja is told by `restat`."""

    flags = "--if-changed"
    names = NAMES[:6]

    def test_names_that_depfiles_can_not_have(self):
        self.skipTest("the same as without --if-changed")

    def test_a_name_that_ninja_can_not_read_rebuilds_always(self):
        self.write("A/Water's Edge.txt")
        self.assertEqual(self.build()[0], {"a.aar", "b.aar"})
        self.assertEqual(self.build(), ({"a.aar"}, set()))

    def test_touched_files_change_nothing(self):
        self.expect("a", "b")
        os.utime(self.root / "A/plain.txt")
        self.assertEqual(self.build(), ({"a.aar"}, set()))
        self.assertEqual(self.build(), (set(), set()))
        self.write("B/note.md")
        self.assertEqual(self.build(), ({"b.aar"}, set()))
        self.assertEqual(self.build(), (set(), set()))


class Make(BuildSystem):
    needs = ("make",)
    command = ("make", "-s")
    names = MAKE_NAMES

    def prepare(self):
        for name in DECOYS:
            self.write("A/" + name)
        self.write("Makefile", """
all: build/a.aar build/b.aar
build/%.aar: %.json
\t@mkdir -p build
\t@./wrapper package --force -q $< -o $@ --depfile $@.d --depfile-format make
-include build/a.aar.d build/b.aar.d
""")

    def test_changes(self):
        version = subprocess.run(["make", "--version"], capture_output=True, text=True).stdout
        if version.startswith("GNU Make 3."):
            self.skipTest("this make compares times in whole seconds")
        self.follow_changes()

    def test_touched_files_change_nothing(self):
        makefile = self.root / "Makefile"
        makefile.write_text(makefile.read_text().replace("--force", "--if-changed"))
        self.expect("a", "b")
        digest = (self.root / "build/a.aar").read_bytes()
        os.utime(self.root / "A/plain.txt")
        self.expect("a")
        self.assertEqual((self.root / "build/a.aar").read_bytes(), digest)
        self.assertEqual(self.build(), (set(), set()))

    def test_names_that_depfiles_can_not_have(self):
        for name in ["a=b", "a;b", "a\\", "a ", "a (1)", "a\\%b", "a\tb", "a\nb"]:
            with self.subTest(name=name):
                self.write("A/" + name)
                done = subprocess.run(
                    [TOOL, "a.json", "-o", "x.aar", "--depfile", "x.d", "--depfile-format", "make"],
                    cwd=self.root, capture_output=True, text=True)
                (self.root / "A" / name).unlink()
                self.assertEqual(done.returncode, 0)
                self.assertIn("a depfile can't have the name 'A/a", done.stderr)
                self.assertIn(".ba-package-rebuilds-always", (self.root / "x.d").read_text())
                (self.root / "x.aar").unlink()


class CMake(BuildSystem):
    needs = ("cmake", "ninja")
    command = ("cmake", "--build", "build")
    # CMake itself reads depfiles and writes them anew for ninja, without escapes for '#', '$' and
    # backslashes: such packs are made each time.
    names = ["plain.txt", "two words.txt", "a:b.txt", "50%.txt", "[1].txt", "é.txt"]

    def prepare(self):
        self.write("CMakeLists.txt", """
cmake_minimum_required(VERSION 3.21)
project(game NONE)
foreach(name a b)
  add_custom_command(OUTPUT ${name}.aar DEPENDS ${CMAKE_SOURCE_DIR}/${name}.json
    COMMAND ${CMAKE_SOURCE_DIR}/wrapper package --force -q --root ${CMAKE_SOURCE_DIR}
      ${CMAKE_SOURCE_DIR}/${name}.json -o ${CMAKE_BINARY_DIR}/${name}.aar
      --depfile ${CMAKE_BINARY_DIR}/${name}.aar.d
    DEPFILE ${CMAKE_BINARY_DIR}/${name}.aar.d VERBATIM)
  list(APPEND packs ${CMAKE_BINARY_DIR}/${name}.aar)
endforeach()
add_custom_target(packs ALL DEPENDS ${packs})
""")
        subprocess.run(["cmake", "-G", "Ninja", "-S", ".", "-B", "build"], cwd=self.root,
                       check=True, capture_output=True)

    def test_changes(self):
        self.follow_changes()


class Meson(BuildSystem):
    needs = ("meson", "ninja")
    command = ("ninja", "-C", "build")
    names = NAMES[:6]

    def prepare(self):
        self.write("meson.build", """
project('game')
foreach name : ['a', 'b']
  custom_target(name, input: name + '.json', output: name + '.aar', depfile: name + '.aar.d',
    command: [find_program('./wrapper'), 'package', '--force', '-q', '--root',
      meson.current_source_dir(), '@INPUT@', '-o', '@OUTPUT@', '--depfile', '@DEPFILE@'],
    build_by_default: true)
endforeach
""")
        subprocess.run(["meson", "setup", "build"], cwd=self.root, check=True, capture_output=True)

    def test_changes(self):
        self.follow_changes()


del BuildSystem
