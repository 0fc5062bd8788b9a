"""What engines and tools need of packs, as far as they are here; what is missing is skipped by name.

Godot really exports and mounts: Debian's godot3-server, with the commands and the code of the guide's page.
Unreal's .pak files are made and read by repak, from PyPI; their .ucas and .utoc are made here, as are
Unity's bundles in Recorded/engines.txt, for which there is no small second reader. fastlane is
played by Ruby with two functions of its own."""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from .tool import FIXTURES, REPOSITORY, SEED, TOOL

PAGE = REPOSITORY / "Sources/BAPackCore/BAPackCore.docc/Engines.md"
TEXTS = {"levels": "a line of levels", "snow": "a line of snow"}
PRESET = """[preset.{number}]

name="{name}"
platform="Linux/X11"
runnable=false
export_filter="scenes"
export_files=PoolStringArray(  )
include_filter="{name}/*.txt"
exclude_filter=""

[preset.{number}.options]

custom_template/debug=""

"""
SCRIPT = """extends SceneTree

{mount}
func _init():
	for pck in OS.get_cmdline_args():
		if pck.ends_with(".pck"):
			print(mount(pck))
	for name in ["levels", "snow"]:
		var file = File.new()
		if file.open("res://%s/order.txt" % name, File.READ) == OK:
			print(file.get_line())
	quit()
"""
BACKSLASH = "\\"
FASTLANE = """
def lane(name) = yield({app: "com.example.game"})
def sh(*words) = system(*words, exception: true)
Dir.chdir("fastlane")
load "./Fastfile"
"""
MAKE_PAKS = """
import repak, sys
for number in "017":
    with repak.PakBuilder().writer(f"{sys.argv[1]}/pakchunk{number}-ios.pak") as pak:
        pak.write_file(f"Game/Content/Chunk{number}.uasset", number.encode() * 1000)
"""
READ_PAKS = """
import repak, sys
for path in sys.argv[1:]:
    with repak.PakBuilder().reader(path) as pak:
        print(*pak.entries(), *(pak.get(name)[:3].decode() for name in pak.entries()))
"""


def block(language):
    """The one block of the page in a language."""
    [found] = re.findall(rf"\n```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    return found


class EngineTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="ba-package-test-")))
        self.addCleanup(shutil.rmtree, self.folder)
        self.binaries = self.folder / "bin"
        self.binaries.mkdir()
        (self.binaries / "ba-package").symlink_to(TOOL)

    def need(self, program):
        path = shutil.which(program)
        if path is None:
            self.skipTest(f"there is no {program}")
        return path

    def write(self, path, text, mode=0o644):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        file.chmod(mode)

    def run_here(self, *words, cwd="."):
        """What a command prints; it must succeed."""
        done = subprocess.run(
            words, cwd=self.folder / cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=120,
            env={**os.environ, "PATH": f"{self.binaries}:{os.environ['PATH']}",
                 "HOME": str(self.folder / "home"), "LANG": "en_US.UTF-8"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout.decode()

    def make_packs(self, exported):
        """Proposes manifests of a folder, makes the packs, and gives them and a device's folder."""
        self.run_here("ba-package", "template", "--from", exported, "-o", "Packs")
        self.run_here("ba-package", "-q", "package", "Packs", "-o", "build")
        return self.extract()

    def extract(self):
        self.run_here("ba-package", "extract", "-q", "build", "-o", "device")
        device = self.folder / "device"
        return (sorted(path.name for path in (self.folder / "build").glob("*.aar")),
                sorted(str(path.relative_to(device)) for path in device.rglob("*") if path.is_file()))


class GodotTest(EngineTest):
    def test_exported_packs_are_mounted_from_a_device(self):
        (self.binaries / "godot").symlink_to(self.need("godot3-server"))
        self.write("game/project.godot", 'config_version=4\n\n[application]\n\nconfig/name="Game"\n')
        self.write("game/export_presets.cfg",
                   "".join(PRESET.format(number=number, name=name) for number, name in enumerate(TEXTS)))
        for name, text in TEXTS.items():
            self.write(f"game/{name}/order.txt", text + "\n")
        self.run_here("sh", "-ec", block("sh"))
        packs, files = self.extract()
        self.assertEqual(packs, ["levels.aar", "snow.aar"])
        self.assertEqual(files, ["levels.pck", "snow.pck"])

        # A game without the files.
        self.write("player/main.gd", SCRIPT.format(mount=block("gdscript")))
        for mounted in ([], ["levels"], ["levels", "snow"]):
            printed = self.run_here(
                "godot", "-s", "main.gd", *(f"{self.folder}/device/{name}.pck" for name in mounted),
                cwd="player").split("\n \n")[1].splitlines()
            self.assertEqual(printed, ["True"] * len(mounted) + [TEXTS[name] for name in mounted])


class UnrealTest(EngineTest):
    def test_chunks_are_read_from_a_device(self):
        python = self.folder / "venv/bin/python"
        try:
            for words in ([sys.executable, "-m", "venv", self.folder / "venv"],
                          [python, "-m", "pip", "install", "-q", "--disable-pip-version-check",
                           "repak==0.2.3.post1"]):
                subprocess.run(words, check=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, timeout=120)
        except (OSError, subprocess.SubprocessError):
            self.skipTest("repak can't be installed from PyPI")
        paks = self.folder / "Paks"
        paks.mkdir()
        self.run_here(python, "-c", MAKE_PAKS, str(paks))
        for kind in ("ucas", "utoc"):
            self.write(f"Paks/pakchunk7-ios.{kind}", kind)
        packs, files = self.make_packs("Paks")
        self.assertEqual(packs, ["pakchunk0.aar", "pakchunk1.aar", "pakchunk7.aar"])
        self.assertEqual(files, ["pakchunk0-ios.pak", "pakchunk1-ios.pak", "pakchunk7-ios.pak",
                                 "pakchunk7-ios.ucas", "pakchunk7-ios.utoc"])
        read = self.run_here(python, "-c", READ_PAKS,
                             *(f"{self.folder}/device/pakchunk{n}-ios.pak" for n in "017"))
        self.assertEqual(read.splitlines(), [f"Game/Content/Chunk{n}.uasset {n * 3}" for n in "017"])


class OddNameTest(EngineTest):
    """Exports with names that are patterns, too, by a second reader of their rules."""

    def test_each_file_is_in_the_pack_that_it_was_proposed_for(self):
        chance = random.Random(SEED)
        compared = 0
        for number in range(60):
            # The pack of each file, with its engine's name; None for the files of the rest.
            packs, named = {}, []
            folder = f"export{number}"

            def odd(letters="ab[]*?{}!^-."):
                return "".join(chance.choice(letters) for _ in range(chance.randint(1, 5)))

            for _ in range(chance.randint(1, 12)):
                kind, word = chance.randrange(6), odd()
                place = chance.choice(["", "a[b]/", "ab/"])
                if kind == 0:
                    path, pack = f"{place}{word}.pck", word
                    is_one = chance.random() < 0.7
                    self.write(f"{folder}/{path}", "GDPC" if is_one else "none")
                    packs[path] = pack if is_one else None
                elif kind == 1:
                    path = f"{place}pakchunk{chance.randrange(12)}{word}-ios{chance.choice(['', word])}.pak"
                    self.write(f"{folder}/{path}", "pak")
                    packs[path] = re.match(r"pakchunk[0-9]+", path[len(place):])[0]
                elif kind in (2, 3):
                    # In the top folder, whose catalog lists all but those of an earlier build.
                    path = f"{word}_{chance.choice(['assets', 'scenes'])}_{odd()}_{chance.randrange(16):032x}.bundle"
                    is_one = chance.random() < 0.8
                    self.write(f"{folder}/{path}", "UnityFS" if is_one else "none")
                    packs[path] = word if is_one else None
                    if is_one and chance.random() < 0.2:
                        packs[path] = "stale"
                        named = [name for name in named if name != path]
                    else:
                        named.append(path)
                elif kind == 4:
                    path = f"{word}_monoscripts_{chance.randrange(16):032x}.bundle"
                    self.write(f"{folder}/{path}", "UnityFS")
                    packs[path] = "shared"
                    named.append(path)
                else:
                    path = f"{place}{odd('ab[*?]{!')}{chance.choice(['', BACKSLASH])}{word}.txt"
                    self.write(f"{folder}/{path}", "text")
                    packs[path] = None
            for path in [path for path in packs if path.startswith(".")]:
                # Hidden files at the top are in no pack.
                packs[path] = "stale"
            self.write(f"{folder}/catalog.json", json.dumps({"m_InternalIds": ["x/" + n for n in named]}))
            packs["catalog.json"] = None

            self.run_here("ba-package", "template", "--from", folder, "-o", f"packs{number}")
            found = {}
            for pack in json.loads(self.run_here(
                    "ba-package", "evaluate", "--format", "json", f"packs{number}"))["packs"]:
                for file in pack["files"]:
                    self.assertNotIn(file["source"], found, f"seed {SEED}, export {number}")
                    found[file["source"]] = pack["assetPackID"]
            self.assertEqual(sorted(found), sorted(path for path in packs if packs[path] != "stale"),
                             f"seed {SEED}, export {number}")
            # Files are in one pack if and only if folder and engine's name are the same.
            groups = {}
            for file, pack in found.items():
                place = file.rpartition("/")[0]
                groups.setdefault((place, packs[file]), set()).add(pack)
                compared += 1
            self.assertTrue(all(len(group) == 1 for group in groups.values()), groups)
            names = [next(iter(group)) for group in groups.values()]
            self.assertEqual(len(set(names)), len(names), groups)
        self.assertGreater(compared, 200)


class FastlaneTest(EngineTest):
    def test_the_lane_makes_packs_and_uploads_them(self):
        self.need("ruby")
        shutil.copytree(FIXTURES / "SampleGame", self.folder, dirs_exist_ok=True)
        self.write("bin/ba-upload", '#!/bin/sh\necho "$@" > uploaded\nls build/*.aar >> uploaded\n', 0o755)
        self.write("fastlane/Fastfile", block("ruby"))
        self.run_here("ruby", "-e", FASTLANE)
        self.assertEqual(
            (self.folder / "uploaded").read_text().split(),
            "build --app com.example.game --create --wait".split()
            + [f"build/{name}.aar" for name in ("Dialogue-de", "Dialogue-en", "Dialogue-ja", "Harbour",
                                                "Lighthouse")])


if __name__ == "__main__":
    unittest.main()
