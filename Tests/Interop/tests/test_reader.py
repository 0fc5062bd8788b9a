"""The second reader, which follows the documented format alone, on golden packs and on the tool's."""

import hashlib
import json
import os
import random
import struct
import subprocess
import unittest
import zlib

import reader
from tests.tool import FIXTURES, SEED, TOOL, ToolTest

ARCHIVES = FIXTURES / "archives"
INDEX = json.loads((ARCHIVES / "index.json").read_text())
DAMAGE = (ValueError, IndexError, KeyError, struct.error, zlib.error)


def read(path):
    return list(reader.entries(reader.stream_of(path.read_bytes())))


class SecondReader(ToolTest):
    def test_golden_packs(self):
        for said in INDEX["good"]:
            with self.subTest(said["name"]):
                entries = read(ARCHIVES / "good" / f"{said['name']}.aar")
                self.assertEqual(
                    [(chr(entry["TYP"]), os.fsdecode(entry.get("PAT", b""))) for entry in entries],
                    [(entry["type"], entry.get("path", "")) for entry in said["entries"]])
                for found, entry in zip(entries, said["entries"]):
                    self.assertEqual(found.get("MOD"), entry.get("mode"))
                    if "DAT" in entry:
                        self.assertEqual(
                            hashlib.sha256(found["DAT"]).hexdigest(), entry["DAT"]["sha256"])

    def test_lzfse_streams(self):
        folder = FIXTURES / "lzfse"
        streams = [path for path in sorted(folder.glob("*.lzfse"))
                   if path.with_suffix(".raw").exists()]
        self.assertGreater(len(streams), 10)
        for path in streams:
            with self.subTest(path.name):
                raw = path.with_suffix(".raw").read_bytes()
                self.assertEqual(reader.lzfse(path.read_bytes(), len(raw)), raw)

    def test_damaged_lzfse_streams(self):
        folder = FIXTURES / "lzfse"
        for said in json.loads((folder / "index.json").read_text())["bad"]:
            with self.subTest(said["file"]), self.assertRaises(DAMAGE):
                reader.lzfse((folder / said["file"]).read_bytes(), said["limit"])

    def test_packs_of_the_tool(self):
        source = random.Random(SEED)
        contents = {}
        for number in range(12):
            size = source.choice([0, 1, 5000, 300_000, 1_100_000])
            words = [source.randbytes(source.randrange(1, 9)) for _ in range(30)]
            data = b"".join(source.choice(words) for _ in range(size // 4 + 1))[:size]
            contents[f"data/{number % 3}/file{number}"] = data
            self.write(f"data/{number % 3}/file{number}", data)
        self.select("data/")
        for codec in "zlib", "lzfse", "store":
            with self.subTest(codec):
                self.package("--compression", codec, output=f"{codec}.aar")
                folder = self.folder / codec
                reader.main("extract", self.pack, folder)
                there = {str(path.relative_to(folder / "Contents")): path.read_bytes()
                         for path in (folder / "Contents").rglob("*") if path.is_file()}
                self.assertEqual(there, contents)
                self.assertEqual(sorted(os.listdir(folder)), ["Contents", "Manifest.json"])

    def test_packs_of_earlier_versions(self):
        def run(*arguments):
            return subprocess.run([TOOL, *arguments], check=True, stdout=subprocess.PIPE).stdout

        made = ARCHIVES / "made"
        self.assertTrue((made / run("--version").decode().strip()).is_dir(), "see Fixtures/README.md")
        for pack in made.glob("*/*.aar"):
            with self.subTest(pack.relative_to(made)):
                contents = json.loads((pack.parent / "contents.json").read_text())
                folder = self.folder / pack.parent.name / pack.stem
                folder.parent.mkdir(exist_ok=True)
                run("verify", "--quiet", pack)
                run("extract", "--quiet", pack, "-o", folder)
                decoded = {os.fsdecode(entry["PAT"]): hashlib.sha256(entry["DAT"]).hexdigest()
                           for entry in read(pack) if chr(entry["TYP"]) == "F"}
                self.assertEqual(decoded, contents)
                extracted = {f"Contents/{path.relative_to(folder)}":
                             hashlib.sha256(path.read_bytes()).hexdigest()
                             for path in folder.rglob("*") if path.is_file()}
                del contents["Manifest.json"]
                self.assertEqual(extracted, contents)

    def test_damaged_archives_are_refused(self):
        for said in INDEX["damaged"]:
            if said["refuse"] == "read":
                with self.subTest(said["name"]):
                    with self.assertRaises(DAMAGE):
                        read(ARCHIVES / "damaged" / f"{said['name']}.aar")


if __name__ == "__main__":
    unittest.main()
