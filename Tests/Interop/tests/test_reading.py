"""The tool's reading commands on the golden archives and on packs of its own."""

import hashlib
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time
import unittest

from packlib import make_archive
from tests.test_package import GAME, some_bytes
from tests.tool import (FIXTURES, SEED, TIMEOUT, TOOL, ToolTest, environment, shell_status)

ARCHIVES = FIXTURES / "archives"
INDEX = json.loads((ARCHIVES / "index.json").read_text())
HELP = subprocess.run([str(TOOL), "--help"], stdout=subprocess.PIPE, check=False).stdout.decode() \
    if TOOL.is_file() else ""


def has(command):
    return f"\n  {command} " in HELP


def needs(*commands):
    missing = [command for command in commands if not has(command)]
    return unittest.skipIf(missing, f"this build has no command {', '.join(missing)}")


def limit_memory():
    """For the child: sizes in archives are no reason to reserve memory."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


class ReadingTest(ToolTest):
    def run_command(self, *arguments, status=(0,), stdin=subprocess.DEVNULL, limit=True):
        """Runs a command of the tool; gives its standard output and error. A trap, a hang or an
        exit status other than one of `status` fails the test."""
        done = subprocess.run(
            [str(TOOL), *map(str, arguments)], cwd=self.folder, env=environment(), stdin=stdin,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT,
            preexec_fn=limit_memory if limit else None)
        error = done.stderr.decode("utf-8", "replace")
        self.assertIn(shell_status(done.returncode), status, f"{arguments}: {error}")
        if done.returncode == 1 and arguments[0] != "diff":
            self.assertNotEqual(error + done.stdout.decode("utf-8", "replace"), "", f"{arguments}")
        return done.stdout, error

    def cases(self, *kinds):
        for kind in kinds:
            for said in INDEX[kind]:
                with self.subTest(f"{kind}/{said['name']}"):
                    yield said, ARCHIVES / kind / f"{said['name']}.aar"


@needs("list")
class List(ReadingTest):
    def test_good_archives(self):
        for said, path in self.cases("good"):
            self.run_command("list", "--all", path)
            out, _ = self.run_command("list", path)
            plain = [entry["path"][9:] for entry in said["entries"]
                     if entry["type"] == "F" and entry["path"].startswith("Contents/")]
            if said["pack"] and all(name.isprintable() for name in plain):
                for name in plain:
                    self.assertIn(name, out.decode().split("\n"))

    def test_other_archives_end_in_a_list_or_an_error(self):
        for said, path in self.cases("damaged", "hostile"):
            self.run_command("list", "--all", path, status=(0, 1))

    def test_from_a_pipe(self):
        with open(ARCHIVES / "good/minimal.aar", "rb") as file:
            out, _ = self.run_command("list", "-", stdin=file)
        self.assertEqual(out, b"a.txt\n")


@needs("info")
class Info(ReadingTest):
    def test_good_archives(self):
        for said, path in self.cases("good"):
            if said["pack"]:
                out, _ = self.run_command("info", "--checksums", path)
                data = path.read_bytes()
                self.assertIn(hashlib.md5(data).hexdigest(), out.decode())
                self.assertIn(hashlib.sha256(data).hexdigest(), out.decode())

    def test_other_archives_end_in_a_report_or_an_error(self):
        for said, path in self.cases("damaged", "hostile"):
            self.run_command("info", path, status=(0, 1))


@needs("verify")
class Verify(ReadingTest):
    def test_good_packs(self):
        for said, path in self.cases("good"):
            self.run_command("verify", path, status=(0,) if said["pack"] else (0, 1))

    def test_against_a_folder_where_no_selector_is_known(self):
        path = ARCHIVES / "good/manifest-new-selectors.aar"
        for contents, status in (("x", 0), ("y", 1)):
            self.write("data/a", contents)
            _, error = self.run_command(
                "verify", "--against", self.repository / "data", path, status=(status,))
            self.assertNotIn("empty-pack", error)

    def test_other_archives_are_refused(self):
        for said, path in self.cases("damaged", "hostile"):
            limit = ["--limit", said["limit"]] if "limit" in said else []
            self.run_command("verify", *limit, path, status=(0, 1) if said.get("optional") else (1,))

    def test_prefixes_of_a_pack_are_refused(self):
        data = (ARCHIVES / "good/mixed-blocks.aar").read_bytes()
        cut = self.folder / "cut.aar"
        for size in range(0, len(data), 37):
            cut.write_bytes(data[:size])
            self.run_command("verify", cut, status=(1,))

    def test_from_a_pipe(self):
        for kind, name, status in (("good", "minimal", 0), ("damaged", "zlib-checksum", 1)):
            with open(ARCHIVES / kind / f"{name}.aar", "rb") as file:
                self.run_command("verify", "-", stdin=file, status=(status,))


class QuietPipes(ReadingTest):
    """A signal ends a command that waits for a pipe in which nothing comes."""

    def test_without_a_byte(self):
        self.stop(b"")

    def test_after_the_first_bytes(self):
        self.stop((ARCHIVES / "good/minimal.aar").read_bytes()[:20])

    def stop(self, start):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        self.addCleanup(os.close, writer)
        os.write(writer, start)
        command = ["download-manifest", "create", f"/dev/fd/{reader}", "--ios", "--download-base-url",
                   "https://example.com", "-o", "packs/Downloads.json"]
        for number in signal.SIGINT, signal.SIGTERM:
            run = subprocess.Popen([str(TOOL), *command], cwd=self.folder, pass_fds=[reader],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
            self.addCleanup(run.stderr.close)
            self.addCleanup(lambda: run.poll() is None and run.kill())
            time.sleep(0.3)
            self.assertIsNone(run.poll(), "the run ended before it could be stopped")
            run.send_signal(number)
            run.communicate(timeout=TIMEOUT)
            self.assertEqual(shell_status(run.returncode), 128 + number)
        self.assertEqual(os.listdir(self.folder / "packs"), [])


class NamedPipes(ReadingTest):
    """A named pipe where a file is expected is refused, and a pipe of the shell's is read."""

    COMMANDS = [
        ["validate", "{}.json"], ["validate", "."], ["validate", "--fix", "{}.json"],
        ["evaluate", "{}.json"], ["digest", "{}.aar"],
        ["package", "{}.json", "-o", "packs/P.aar"], ["@{}.rsp"],
        ["list", "{}.aar"], ["info", "{}.aar"], ["verify", "{}.aar"], ["cat", "{}.aar", "a"],
        ["extract", "{}.aar", "-o", "out"], ["diff", "{}.aar", "{}.aar"], ["report", "{}.aar"],
        ["convert", "{}.vdf", "--asset-pack-id", "x", "--on-demand", "-o", "packs/C.json"],
        ["convert", "{}.pbxproj", "--output-directory", "packs"],
        ["app-info", "{}.aar"], ["app-info", "--check", "{}.plist", "{}.aar"],
        ["download-manifest", "create", "{}.aar", "--ios", "--download-base-url",
         "https://example.com", "-o", "packs/D.json"],
        ["download-manifest", "update", "{}.json", "--asset-pack-paths", "{}.aar", "--ios",
         "--download-base-url", "https://example.com"],
    ]

    def test_all_commands_refuse_them(self):
        for ending in ("json", "aar", "rsp", "vdf", "pbxproj", "plist"):
            os.mkfifo(self.folder / f"pipe.{ending}")
        for command in self.COMMANDS:
            words = [word.format("pipe") for word in command]
            with self.subTest(words):
                done = subprocess.run(
                    [str(TOOL), *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                    capture_output=True, timeout=20)
                self.assertEqual(done.returncode, 2 if words[0] == "diff" else 1, done.stderr)
                self.assertIn("pipe", (done.stderr + done.stdout).decode())
        self.assertEqual(os.listdir(self.folder / "packs"), [])

    def test_a_project_file_is_no_pipe(self):
        os.mkfifo(self.folder / ".ba-package.json")
        self.write("a", b"x")
        self.select("a")
        self.package(cwd=self.folder)

    def test_pipes_of_a_shell_are_read(self):
        self.write("a", b"contents")
        self.select("a")
        self.package()
        script = """
            "$0" validate -q --root repository <(cat Manifest.json) &&
            "$0" list <(cat packs/pack.aar) && "$0" verify -q <(cat packs/pack.aar) &&
            "$0" @<(echo list packs/pack.aar) &&
            cat packs/pack.aar | "$0" verify -q - && "$0" verify -q /dev/stdin <packs/pack.aar
            """
        done = subprocess.run(["bash", "-c", script, str(TOOL)], cwd=self.folder, timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split(), [b"a", b"a"])


@needs("extract")
class Extract(ReadingTest):
    def extracted(self, folder):
        """The files below a folder by their paths, with size and SHA-256."""
        found = {}
        for place, _, names in os.walk(os.fsencode(folder)):
            for name in names:
                full = os.path.join(place, name)
                data = pathlib.Path(os.fsdecode(full)).read_bytes()
                found[os.path.relpath(full, os.fsencode(folder)).decode()] = {
                    "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        return found

    def test_good_packs(self):
        for number, (said, path) in enumerate(self.cases("good")):
            if said["pack"]:
                target = self.folder / f"out{number}"
                self.run_command("extract", path, "-o", target)
                self.assertEqual(self.extracted(target), {
                    entry["path"][9:]: entry["DAT"] for entry in said["entries"]
                    if entry["type"] == "F" and entry["path"].startswith("Contents/")})

    def test_nothing_leaves_the_target(self):
        cage = self.folder / "cage"
        for number, (said, path) in enumerate(self.cases("hostile")):
            target = cage / str(number) / "deep" / "target"
            target.parent.mkdir(parents=True)
            self.run_command("extract", path, "-o", target, status=(0, 1) if said.get("optional") else (1,))
            beside = {entry.name for folder in (target.parent, target.parent.parent)
                      for entry in folder.iterdir()}
            self.assertLessEqual(beside, {"deep", "target"})
            for escape in said.get("escapes", ()):
                place = os.path.join(target, escape)
                self.assertFalse(os.path.lexists(place), f"{place} came to be")
            for place, folders, files in os.walk(target):
                for name in folders + files:
                    self.assertFalse(os.path.islink(os.path.join(place, name)))

    def test_random_names(self):
        """Each of thousands of paths and targets of links is refused for the right reason, or is none."""
        source = random.Random(SEED)
        parts = [b"a", b"b", b"..", b".", b"", b"...", b"..a", b" ", b"\\", b"\xc3\xa9", b"\xe9", b"\xc0\xae\xc0\xae",
                 b"Contents", b"d" * 250, b"d" * 255]

        def name(starts):
            weights = [9, 9, 3, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 2, 1]
            made = source.choice(starts) + b"/".join(source.choices(parts, weights, k=source.randrange(1, 7)))
            # As long as a path may be, or too long.
            return made if source.random() < 0.9 else (made + b"/d" * 510)[:source.choice((1023, 1023, 1024, 1025))]

        def of_path(path):
            pieces = path.split(b"/")
            return "root-type" if not path else "path-length" if len(path) > 1023 else \
                "path-absolute" if path[:1] == b"/" else "path-empty-part" if b"" in pieces else \
                "path-dots" if {b".", b".."} & set(pieces) else None if is_utf8(path) else "path-utf8"

        def is_utf8(path):
            try:
                return path.decode() is not None
            except UnicodeDecodeError:
                return False

        def of_link(path, target):
            place = path.split(b"/")[:-1]
            top = place[:1] == [b"Contents"]
            if reason := of_path(path):
                return reason
            if len(target) > 1023 or target[:1] in (b"", b"/"):
                return "path-length" if len(target) > 1023 else "link-outside"
            for piece in target.split(b"/"):
                if piece == b".." and len(place) <= top:
                    return "link-outside"
                place = place[:-1] if piece == b".." else place + [piece] * (piece not in (b"", b"."))
            return None

        wanted, reasons = [], {
            "path-length", "path-absolute", "path-empty-part", "path-dots", "path-utf8", "link-outside", "root-type"}
        for number in range(2000):
            path = name([b"Contents/"] * 4 + [b"", b"/"])
            if source.random() < 0.5:
                entry, reason = make_archive.file(path, b"x"), of_path(path)
            else:
                path = source.choice([path, b"Contents/l", b"Contents/a/b/l", b"l", b"a/l", b""])
                target = name([b""] * 6 + [b"/", b"../../"])
                entry, reason = make_archive.link(path, target), of_link(path, target)
            wanted.append((path, reason))
            (self.packs / f"{number:04}.aar").write_bytes(make_archive.container(
                make_archive.stream(make_archive.pack(entry)), block_size=1 << 20))
        out, _ = self.run_command("verify", "--json", self.packs, status=(1,), limit=False)
        found = json.loads(out)["packs"]
        self.assertEqual(len(found), len(wanted))
        for (path, reason), pack in zip(wanted, found):
            said = {problem["reason"] for problem in pack["problems"]} & reasons
            self.assertEqual(said, {reason} - {None}, (pack["pack"], path))
        for reason in {None, *reasons}:
            self.assertGreater(sum(each == reason for _, each in wanted), 9, reason)
        # What is refused is not extracted either, and leaves nothing.
        cage = self.folder / "cage"
        cage.mkdir()
        for number in source.sample([number for number, (_, reason) in enumerate(wanted) if reason], 30):
            self.run_command("extract", self.packs / f"{number:04}.aar", "-o", cage / "out", status=(1,))
            self.assertEqual(os.listdir(cage), [])

    @unittest.skipUnless(sys.platform == "linux" and os.geteuid() == 0, "mounts and owners need root")
    def test_folders_that_cannot_be_replaced(self):
        self.write("a", b"a")
        self.select("a")
        self.package()
        for change, name, said in (
                ("chown 1 target", "target", "belongs to another user; name a new folder"),
                ("mount -t tmpfs none target", "target", "is the top of a volume; name a new folder in it"),
                ("mount --bind beside target", "target", "is the top of a volume; name a new folder in it"),
                ("cd target", ".", "is the current folder; name a new one"),
                ("cd target", "../target", "is the current folder; name a new one")):
            target = self.folder / "target"
            for folder in (target, self.folder / "beside"):
                folder.mkdir()
            before = os.stat(target).st_ino, os.listdir(self.folder)
            done = subprocess.run(
                ["unshare", "--mount", "sh", "-ec", f'{change}; exec "$0" extract "$1" -o "$2"', TOOL, self.pack, name],
                cwd=self.folder, env=environment(), timeout=TIMEOUT, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (1, ""), change)
            self.assertIn(f"'{name}' {said}", done.stderr)
            self.assertEqual((os.stat(target).st_ino, os.listdir(self.folder)), before, change)
            for folder in (target, self.folder / "beside"):
                folder.rmdir()

    def test_deep_folders_take_no_longer(self):
        """Each of 50,000 folders is made and removed without going through those above it."""
        entries = [make_archive.file("Contents/" + f"{number:03}/" + "d/" * 499 + "f", b"")
                   for number in range(100)]
        path = self.folder / "deep.aar"
        path.write_bytes(make_archive.container(
            make_archive.stream(entries + [make_archive.link("Contents/z", "f")]), block_size=1 << 20))
        before = os.listdir(self.folder)
        # From the top, it would open 12 million folders to make them, and as many to remove them,
        # which takes longer than a command may.
        self.run_command("extract", path, "-o", self.folder / "target", status=(1,))
        self.assertEqual(os.listdir(self.folder), before)

    def test_nothing_is_made_before_all_names_are_checked(self):
        """A hundred thousand folders, and then a name, a link or contents that are refused."""
        entries = [make_archive.file("Contents/" + f"{number:03}/" + "d/" * 249 + "f", b"")
                   for number in range(396)]
        for last in (make_archive.file("Contents/z/../f", b""), make_archive.link("Contents/z", "f"),
                     make_archive.file("Contents/000", b"")):
            path = self.folder / "deep.aar"
            path.write_bytes(make_archive.container(
                make_archive.stream(entries + [last]), block_size=1 << 20))
            os.utime(self.folder, ns=(0, 0))
            self.run_command("extract", path, "-o", self.folder / "target", status=(1,))
            self.assertEqual(os.stat(self.folder).st_mtime_ns, 0)

    def test_damaged_archives(self):
        for number, (said, path) in enumerate(self.cases("damaged")):
            if said["refuse"] == "read" and not said.get("optional"):
                self.run_command("extract", path, "-o", self.folder / f"out{number}", status=(1,))

    def test_round_trip_of_a_random_tree(self):
        source = random.Random(SEED)
        for number in range(60):
            folder = "/".join(source.choice("abc") for _ in range(source.randrange(4)))
            self.write(f"data/{folder}/f{number}", some_bytes(source, source.randrange(300_000)),
                       source.choice((0o644, 0o755)))
        self.select("data/")
        for compression in "zlib", "store":
            with self.subTest(seed=SEED, compression=compression):
                self.package("--compression", compression, output=f"{compression}.aar")
                target = self.folder / compression
                self.run_command("extract", self.pack, "-o", target, limit=False)
                self.assertEqual(self.extracted(target), self.extracted(self.repository))
                for path in self.repository.rglob("f*"):
                    there = target / path.relative_to(self.repository)
                    self.assertEqual(there.stat().st_mode & 0o100, path.stat().st_mode & 0o100)
                if has("verify"):
                    self.run_command("verify", "--against", self.repository, self.pack, limit=False)


@needs("cat", "diff")
class CatAndDiff(ReadingTest):
    def test_cat(self):
        self.package(manifest=GAME / "Packs/Harbour.json", root=False, cwd=GAME)
        for name in "Credits.txt", "Sounds/Effects/bell.wav", "Dialogue/de/Begrüßung.txt":
            out, _ = self.run_command("cat", self.pack, name)
            self.assertEqual(out, (GAME / name).read_bytes())
        self.run_command("cat", self.pack, "Credits", status=(1,))

    def test_diff(self):
        self.write("data/a", "a")
        self.select("data/")
        self.package(output="old.aar")
        self.package("--compression", "store", output="same.aar",
                     env=environment(SOURCE_DATE_EPOCH="5"))
        self.write("data/a", "b")
        self.write("data/new", "n")
        self.package(output="new.aar")
        old = self.packs / "old.aar"
        self.run_command("diff", old, self.packs / "same.aar")
        out, _ = self.run_command("diff", old, self.packs / "new.aar", status=(1,))
        self.assertIn(b"data/new", out)
