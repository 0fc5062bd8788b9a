"""Selections that can't be packed: each is named, and no archive comes to be."""

import json
import os
import random
import socket
import subprocess
import unittest

from tests.tool import NOBODY, SEED, TIMEOUT, TOOL, ToolTest, environment


class Refused(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data/a", "a")
        self.write("data/b/c", "c")

    def test_missing_file(self):
        self.select("data/a", "data/missing.png")
        self.refused("data/missing.png")

    def test_missing_directory(self):
        self.select("nowhere/")
        self.refused("nowhere")

    def test_every_missing_thing_is_named_at_once(self):
        self.select("x1", "x2", "x3/")
        self.refused("x1", "x2", "x3")

    def test_directory_named_by_file(self):
        self.select("data/b")
        self.refused("data/b", "directory")

    def test_file_named_by_directory(self):
        self.select("data/a/")
        self.refused("data/a", "file")

    def test_absolute_path(self):
        self.select(str(self.repository / "data/a"))
        self.refused(str(self.repository / "data/a"))

    def test_path_with_two_dots(self):
        (self.folder / "outside").write_text("secret")
        self.select("../outside")
        self.refused("..")
        self.select("data/../../outside")
        self.refused("..")

    def test_empty_selection(self):
        (self.repository / "empty").mkdir()
        self.select("empty/")
        self.refused("no file")
        self.select()
        self.refused("fileSelectors")

    def test_links_that_lead_outside(self):
        (self.folder / "outside").mkdir()
        (self.folder / "outside/secret").write_text("secret")
        for name, target in (("absolute", self.folder / "outside/secret"),
                             ("relative", "../../outside/secret"), ("folder", "../../outside")):
            with self.subTest(name):
                link = self.repository / "data" / name
                link.symlink_to(target)
                self.select("data/")
                self.refused(f"data/{name}", "outside")
                self.select(f"data/{name}/secret" if name == "folder" else f"data/{name}")
                self.refused(f"data/{name}", "outside")
                link.unlink()

    def test_links_that_dangle_or_loop(self):
        for name, target in (("dangling", "not-there"), ("loop", "loop"), ("up", ".")):
            with self.subTest(name):
                link = self.repository / "data" / name
                link.symlink_to(target)
                self.select("data/")
                self.refused(f"data/{name}", target)
                link.unlink()

    def test_links_that_stay_inside_are_followed(self):
        (self.repository / "data/file-link").symlink_to("a")
        (self.repository / "data/folder-link").symlink_to("b")
        (self.repository / "data/chain").symlink_to("file-link")
        (self.repository / "data/absolute").symlink_to(self.repository / "data/a")
        self.select("data/")
        self.package()
        self.assertEqual(self.check()["files"], 2 + 4 + 1)

    def test_fifo_and_socket(self):
        os.mkfifo(self.repository / "data/fifo")
        self.select("data/")
        self.refused("data/fifo")
        self.select("data/fifo")
        self.refused("data/fifo")
        os.unlink(self.repository / "data/fifo")
        with socket.socket(socket.AF_UNIX) as place:
            # The whole path may be too long for an address.
            work = os.getcwd()
            os.chdir(self.repository / "data")
            try:
                place.bind("socket")
            finally:
                os.chdir(work)
            self.select("data/")
            self.refused("data/socket")

    def test_names_that_are_not_utf8(self):
        try:
            self.write(b"data/caf\xe9", "x")
        except OSError:
            self.skipTest("this file system does not allow such names")
        self.select("data/")
        self.refused("data/caf")

    def test_names_that_clash(self):
        self.write("data/Readme", "1")
        self.write("data/readme", "2")
        if not (self.repository / "data/Readme").read_text() == "1":
            self.skipTest("this file system ignores case")
        self.select("data/")
        said = self.run_tool(status=(0, 1))
        self.assertIn("data/Readme", said)
        self.assertIn("data/readme", said)

    def test_two_sources_at_one_destination(self):
        self.select({"fileSource": "data/a", "fileDestination": "x"},
                    {"fileSource": "data/b/c", "fileDestination": "x"})
        self.refused("'x'", "data/a", "data/b/c")

    def test_a_path_too_long_for_the_archive(self):
        folder = "/".join(["p" * 200] * 5)
        # With Contents/ in front: 9 + 1,004 + 10 bytes are just enough.
        self.write(folder + "/f23456789", "x")
        self.select("p" * 200 + "/")
        self.package()
        self.check()
        self.write(folder + "/f234567890", "x")
        self.refused("1,023", "f234567890", arguments=["--force"])

    def test_unreadable_file(self):
        self.write("data/locked", "x", 0o000)
        self.select("data/")
        self.packs.chmod(0o777)
        more = {"user": NOBODY} if os.geteuid() == 0 else {}
        self.refused("data/locked", **more)


def spoiled(path, chance):
    """A path with one mistake, and the rule that finds it."""
    names = path.split("/")
    place = chance.randrange(len(names) + 1)
    return chance.choice((
        ("", "empty-path"), ("/" + path, "absolute-path"), ("//" + path, "absolute-path"),
        ("/".join(names[:place] + [".."] + names[place:]), "parent-path"),
        ("./../" + path, "parent-path"), (path + "/..", "parent-path"), ("..", "parent-path"),
        (path[:2] + "\0" + path[2:], "invalid-path"), ("\0", "invalid-path"),
        (path + "/x" * 2048, "path-too-long")))


def spoiled_pattern(path, chance):
    return chance.choice((
        path + "[", "[a", "[]", "[!]", path + "/[z-a]", "[^a]*", "**/[é]", "*\\", path + "/[a-", "*/" * 63 + "x"))


class PathsInManifests(ToolTest):
    """Manifests in which only paths and patterns are wrong, as far as no file decides it."""

    def test_are_found_with_and_without_files(self):
        chance = random.Random(SEED)
        there = ["data/a", "data/b/c", "data/[x]", "é/…"]
        for path in there:
            self.write(path, "x")
        paths = there + ["no/such/file", "gone"]
        expected = set()
        manifests = self.folder / "manifests"
        manifests.mkdir()
        for number in range(3000):
            name, lines = f"m{number}.json", []
            for line in range(2, 2 + chance.randint(1, 4)):
                keys = chance.choice((
                    ["file"], ["directory"], ["filePattern"], ["fileExclusion"],
                    ["fileSource", "fileDestination"], ["directorySource", "directoryDestination"]))
                values = [chance.choice(paths) for _ in keys]
                if "Pattern" in keys[0]:
                    values = [value.replace("[x]", "[xyz]") for value in values]
                if chance.random() < 0.6:
                    place = chance.randrange(len(keys))
                    if keys[0] in ("filePattern", "fileExclusion") and chance.random() < 0.5:
                        values[0], rule = spoiled_pattern(values[0], chance), "invalid-pattern"
                    elif keys[place] == "fileDestination" and chance.random() < 0.3:
                        values[place], rule = chance.choice([".", "./", "x/", "./."]), "invalid-path"
                    else:
                        values[place], rule = spoiled(values[place], chance)
                    expected.add((name, line, rule))
                lines.append(json.dumps(dict(zip(keys, values)), ensure_ascii=chance.random() < 0.5))
            (manifests / name).write_text(
                f'{{"assetPackID":"p{number}","downloadPolicy":{{"onDemand":{{}}}},"platforms":[],'
                '"fileSelectors":[\n' + ",\n".join(lines) + "\n]}\n", "utf-8")
        self.assertGreater(len(expected), 3000)
        rules = {rule for _, _, rule in expected}
        for options in (["--manifest-only"], [], ["--root", str(self.repository)]):
            done = subprocess.run(
                [str(TOOL), "validate", str(manifests), "--format", "json", *options],
                env=environment(), cwd=self.packs, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                timeout=TIMEOUT)
            self.assertEqual(done.returncode, 1, done.stderr)
            errors = [finding for finding in json.loads(done.stdout)["findings"]
                      if finding["severity"] == "error"]
            if "--manifest-only" in options:
                self.assertEqual({finding["rule"] for finding in errors} - rules, set())
            found = [(os.path.basename(finding["file"]), finding["start"]["line"], finding["rule"])
                     for finding in errors if finding["rule"] in rules]
            self.assertEqual(sorted(found), sorted(expected), options)


class ManyFindings(ToolTest):
    def test_more_entries_than_readers_accept(self):
        for number in range(512):
            self.write(f"s/{number}", "a")
        # With the folders, the top, 'Contents' and the manifest, the limit is 262,144.
        for count, expected in ((510, False), (511, True)):
            self.select(*({"directorySource": "s", "directoryDestination": f"d{number}"}
                          for number in range(count)))
            done = subprocess.run(
                [str(TOOL), "validate", str(self.manifest), "--root", str(self.repository)],
                env=environment(), capture_output=True, text=True, timeout=TIMEOUT)
            self.assertEqual("262,146 entries" in done.stdout, expected, done.stdout)
            self.assertEqual("[too-many-entries]" in done.stdout, expected)
