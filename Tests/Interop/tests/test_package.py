"""What the tool packs, against the independent checker."""

import json
import os
import random
import shutil
import subprocess
import unittest

from tests.tool import FIXTURES, SEED, TOOL, ToolTest, environment

BLOCK = 1 << 20
GAME = FIXTURES / "SampleGame"
WORDS = ("lamp keeper tide storm harbour gull oil wick stair rope bell foghorn glass brass quay "
         "lantern").split()


def some_bytes(source, size):
    """Bytes of one of the kinds that games are made of."""
    kind = source.randrange(4)
    if kind == 0:
        return source.randbytes(size)
    if kind == 1:
        return bytes([source.randrange(256)]) * size
    if kind == 2:
        line = " ".join(source.choice(WORDS) for _ in range(200)).encode() + b"\n"
        return (line * (size // len(line) + 1))[:size]
    words = source.randbytes(4096)
    return b"".join(words[at:at + 64] for at in
                    (source.randrange(4032) for _ in range(size // 64 + 1)))[:size]


class SampleGame(ToolTest):
    def test_every_manifest(self):
        for manifest in sorted((GAME / "Packs").glob("*.json")):
            with self.subTest(manifest.name):
                self.package(manifest=manifest, output=manifest.stem + ".aar", root=False, cwd=GAME)
                counts = self.check(GAME, manifest, compression="lzfse")
                self.assertGreater(counts["files"], 1)

    def test_the_root_option_is_the_working_directory(self):
        manifest = GAME / "Packs" / "Harbour.json"
        here = self.package(manifest=manifest, output="a.aar", root=False, cwd=GAME)
        there = self.package("--root", str(GAME), manifest=manifest, output="b.aar", root=False)
        self.assertEqual(here, there)


class Reproducible(ToolTest):
    def setUp(self):
        super().setUp()
        source = random.Random(2)
        for number in range(40):
            self.write(f"data/{number % 7}/file{number}", some_bytes(source, source.randrange(400_000)))
        self.write("data/run.sh", "#!/bin/sh\n", 0o755)
        self.write("data/.hidden", "hidden")
        self.select("data/")

    def test_any_number_of_jobs_gives_the_same_bytes(self):
        one = self.package("--jobs", "1", output="1.aar")
        self.check()
        for jobs in "2", "3", "8", "64":
            self.assertEqual(self.package("-j", jobs, output=f"{jobs}.aar"), one)
        self.assertEqual(self.package(output="default.aar"), one)

    def test_times_modes_owners_and_umask_do_not_matter(self):
        first = self.package(output="first.aar")
        clone = self.folder / "clone"
        os.mkdir(clone, 0o700)
        # Another order of creation, other times and modes, but the same x bits.
        for path in sorted(self.repository.rglob("*"), reverse=True):
            target = clone / path.relative_to(self.repository)
            if path.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
                target.chmod(0o710 if path.stat().st_mode & 0o100 else 0o400)
                os.utime(target, (5, 5))
                if os.geteuid() == 0:
                    os.chown(target, 1234, 4321)
        for path in clone.rglob("*"):
            if path.is_dir():
                path.chmod(0o700)
        self.repository = clone
        second = self.package(output="second.aar", before=lambda: os.umask(0o077))
        self.assertEqual(first, second)
        third = self.package(output="third.aar", env=environment(
            TZ="Asia/Tokyo", LANG="tr_TR.UTF-8", LC_ALL="tr_TR.UTF-8", HOME="/nonexistent"))
        self.assertEqual(first, third)

    def test_selectors_order_does_not_matter_for_the_contents(self):
        first = self.package(output="first.aar")
        content = json.loads(self.manifest.read_text())
        content["fileSelectors"] = [{"file": "data/.hidden"}, {"directory": "data/3"},
                                    {"directory": "data"}, {"file": "data/run.sh"}]
        self.manifest.write_text(json.dumps(content))
        self.package(output="second.aar")
        self.check()
        self.assertNotEqual(self.pack.read_bytes(), first)

    def test_source_date_epoch(self):
        for seconds in 0, 1, 1_700_000_000, 4_294_967_296:
            self.package(output=f"{seconds}.aar", env=environment(SOURCE_DATE_EPOCH=str(seconds)))
            self.check(time=seconds)

    def test_the_output_may_lie_in_the_root(self):
        first = self.package()
        self.packs = self.repository
        self.assertEqual(self.package(output="inside.aar"), first)


class Sizes(ToolTest):
    def test_contents_around_block_borders(self):
        source = random.Random(3)
        for size in (0, 1, 15, 16, 17, 4095, 65535, 65536, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK,
                     3 * BLOCK + 7):
            for name, data in (("random", source.randbytes(size)), ("zeros", bytes(size))):
                self.write(f"data/{size:08}/{name}", data)
        self.select("data/")
        self.package()
        self.check()

    def test_streams_that_end_around_a_block_border(self):
        self.select("data/pad")
        self.write("data/pad", b"")
        self.package(output="empty.aar")
        # A size of more than two bytes makes the header two bytes longer.
        used = self.check()["raw"] + 2
        for blocks in 1, 2:
            for more in -1, 0, 1:
                with self.subTest(blocks=blocks, more=more):
                    self.write("data/pad", bytes(blocks * BLOCK - used + more))
                    self.package("--force")
                    self.assertEqual(self.check()["raw"], blocks * BLOCK + more)

    def test_what_can_not_be_packed_is_stored(self):
        source = random.Random(4)
        self.write("data/a", source.randbytes(3 * BLOCK))
        self.write("data/b", bytes(3 * BLOCK))
        self.select("data/")
        self.package()
        counts = self.check()
        self.assertEqual((counts["blocks"], counts["stored"]), (7, 3))

    def test_blocks_that_are_half_random_are_packed(self):
        # A probe of a block's beginning, middle or end alone would store some of these.
        source = random.Random(5)
        noise = source.randbytes(BLOCK)
        for name, data in (("a", noise[:BLOCK // 2] + bytes(BLOCK // 2)),
                           ("b", bytes(BLOCK // 2) + noise[:BLOCK // 2]),
                           ("c", noise[:BLOCK // 4] + bytes(BLOCK // 2) + noise[:BLOCK // 4]),
                           ("d", bytes(BLOCK // 4) + noise[:BLOCK // 2] + bytes(BLOCK // 4))):
            self.write(f"data/{name}", data)
        self.select("data/")
        self.package()
        self.check()


class Compression(ToolTest):
    def setUp(self):
        super().setUp()
        source = random.Random(6)
        text = " ".join(source.choice(WORDS) for _ in range(300_000)).encode()
        self.write("data/text", text)
        self.write("data/noise", source.randbytes(100_000))
        self.write("data/zeros", bytes(1_500_000))
        self.select("data/")

    def test_every_level(self):
        sizes = []
        for level in range(1, 10):
            sizes.append(len(self.package("--compression-level", str(level), output=f"{level}.aar")))
            self.check(level=level)
        self.assertLess(sizes[8], sizes[0])
        default = self.package()
        self.assertEqual(default, (self.packs / "5.aar").read_bytes())
        self.assertEqual(self.package("--compression", "zlib", output="zlib.aar"), default)

    def test_store(self):
        self.package("--compression", "store")
        counts = self.check(compression="store")
        self.assertEqual(counts["stored"], counts["blocks"])

    def test_lzfse(self):
        help_text = subprocess.run([str(TOOL), "package", "--help"], stdout=subprocess.PIPE).stdout
        if b"lzfse" not in help_text:
            self.skipTest("this build does not write LZFSE")
        one = self.package("--compression", "lzfse", "-j", "1", output="1.aar")
        counts = self.check(compression="lzfse")
        self.assertLess(counts["packed"], counts["raw"] // 2)
        self.assertEqual(self.package("--compression", "lzfse", "-j", "8", output="8.aar"), one)


class Manifests(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data/a", "a")

    def test_plain_json_is_embedded_byte_for_byte(self):
        plain = ('{"assetPackID" : "x-1",\r\n\t"platforms":[ ] , "downloadPolicy":{"onDemand":{}},'
                 '"fileSelectors":[{"\\u0066ile":"data\\/a"}],"language":"de"}')
        for text in (plain, plain + "\n", "\n  " + plain + " \t\n"):
            self.manifest.write_bytes(text.encode())
            self.package("--force")
            self.check()

    def test_json5_is_embedded_as_its_plain_equivalent(self):
        for text in (
                "{assetPackID:'x',downloadPolicy:{onDemand:{}},fileSelectors:[{file:'data/a'}],"
                "platforms:[],}",
                "/* one */ {\"platforms\": [\"iOS\",], // two\n\"fileSelectors\": [{\"file\": "
                "\"data/a\"}], downloadPolicy: {prefetch: {installationEventTypes: "
                "['subsequentUpdate']}}, assetPackID: 'it\\'s \\x41 \\u00e9 \\\nfolded',\n}\n"):
            self.manifest.write_text(text, "utf-8")
            self.package("--force", "--hosting", "self")
            self.check()

    def test_user_info_keeps_its_values(self):
        self.manifest.write_text("""{assetPackID: "x", downloadPolicy: {onDemand: {}}, platforms: [],
            fileSelectors: [{file: "data/a"}],
            userInfo: {b: 1, a: [true, null, 0x1F, +2, .5, -1e3, 'x\\ty'], "": {}, é: "\\ud83c\\udfee"}}""",
                                 "utf-8")
        self.package("--hosting", "self")
        self.check()

    def test_a_manifest_inside_the_selection(self):
        self.manifest = self.repository / "Manifest.json"
        self.select("Manifest.json", "data/")
        self.package()
        self.check()

    def test_sources_and_destinations(self):
        for name in ("raw/a.png", "raw/deep/b.png", "build/c", "keep/d", "keep/draft"):
            self.write(name, name)
        self.select({"fileSource": "build/c", "fileDestination": "Textures/c.png"},
                    {"directorySource": "raw", "directoryDestination": "Textures"},
                    {"directory": "keep"}, {"fileExclusion": "keep/draft"},
                    {"filePattern": "da*/*"})
        self.package()
        self.check(expect=[
            {"path": "Textures/c.png", "source": "build/c"},
            {"path": "Textures/a.png", "source": "raw/a.png"},
            {"path": "Textures/deep/b.png", "source": "raw/deep/b.png"},
            {"path": "keep/d"}, {"path": "data/a"}])

    def test_the_source_root_is_relative_to_the_manifest(self):
        folder = self.folder / "manifests"
        folder.mkdir()
        self.manifest = folder / "M.json"
        self.select("data/", sourceRoot="../repository")
        self.package(root=False, cwd="/")
        self.check()


class RandomTrees(ToolTest):
    ROUNDS = 6

    def name(self, source):
        return "".join(source.choice("abcXYZ019 .-_+@#äéß灯🏮") for _ in range(source.randrange(1, 9)))

    def grow(self, source, path, depth):
        """Fills a folder; names that differ in case or normal form alone are left out."""
        names = {}
        for _ in range(source.randrange(1, 7)):
            name = self.name(source).strip(" .") or "n"
            names[name.casefold()] = source.choice(["", "."]) + name
        for name in sorted(names.values()):
            inner = f"{path}/{name}"
            kind = source.randrange(10)
            if kind < 4 and depth:
                self.grow(source, inner, depth - 1)
            elif kind == 9:
                (self.repository / path).mkdir(parents=True, exist_ok=True)
                os.symlink(os.path.relpath(self.repository / "shared", self.repository / path),
                           self.repository / inner)
            else:
                size = source.choice((0, 1, 100, 5_000, 65_536, 700_000))
                self.write(inner, some_bytes(source, size), source.choice((0o644, 0o755, 0o600)))

    def test_random_trees(self):
        print(f"\nrandom trees: BA_SEED={SEED}", end=" ", flush=True)
        source = random.Random(SEED)
        for number in range(self.ROUNDS):
            with self.subTest(seed=SEED, number=number):
                shutil.rmtree(self.repository)
                self.repository.mkdir()
                self.write("shared/x/a", "shared a")
                self.write("shared/b", "shared b")
                for top in "one", "two", "three":
                    self.write(f"{top}/always", top)
                    self.grow(source, top, 4)
                self.select(*source.sample(["one/", "two/", "three/", "one/always", "shared/"],
                                           source.randrange(1, 5)))
                one = self.package("-j1", "--force")
                self.check()
                self.assertEqual(self.package("-j", str(source.randrange(2, 9)), "--force"), one)


class Report(ToolTest):
    def test_quiet(self):
        self.write("data/a", "a")
        self.select("data/")
        self.assertEqual(self.run_tool("--quiet"), "")
