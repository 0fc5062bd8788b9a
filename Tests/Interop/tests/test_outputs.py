"""What the path of an output leads to: every option that names one, tried with everything it can be.

Each run has a mount namespace of its own, in which `/dev` is a folder of the test with devices made for it.
"""

import ctypes
import json
import os
import resource
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import unittest

from tests.tool import FIXTURES, TIMEOUT, TOOL, ToolTest, environment, shell_status

CLONE_NEWNS, MS_BIND, MS_REC, MS_PRIVATE = 0x20000, 0x1000, 0x4000, 1 << 18
NULL, LOOP = os.makedev(1, 3), os.makedev(7, 250)
MARK = b"a file that is read\n"


def private_dev(folder):
    """For the child: puts `folder` in the place of /dev, for itself only."""
    libc = ctypes.CDLL(None, use_errno=True)

    def enter():
        if libc.unshare(CLONE_NEWNS) or libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) \
                or libc.mount(os.fsencode(folder), b"/dev", None, MS_BIND, None):
            raise OSError(ctypes.get_errno(), "no private /dev")
    return enter


def obstacle():
    """Why nothing of this can be tested here."""
    if sys.platform != "linux":
        return "only Linux has mount namespaces"
    if os.geteuid() != 0:
        return "making devices needs root"
    folder = ToolTest("setUp")
    folder.setUp()
    try:
        os.mknod(folder.folder / "null", stat.S_IFCHR | 0o666, NULL)
        done = subprocess.run(["true"], preexec_fn=private_dev(folder.folder), check=False)
        with open(folder.folder / "null", "wb"):
            return None if done.returncode == 0 else "no private /dev"
    except (OSError, subprocess.SubprocessError) as error:
        return f"no private /dev: {error}"
    finally:
        folder.doCleanups()


OBSTACLE = obstacle()


class Output:
    """An option that names an output. `make` prepares a folder and gives the words of the command;
    `name` is the path of the output, and `input` one of the files that the command reads."""

    def __init__(self, name, input, words, env=None, text=None, before=None, refusal="input"):
        self.name, self.input, self.words, self.env = name, input, words, env or {}
        self.text, self.before, self.refusal = text, before, refusal


LIST = ["--ios", "--download-base-url", "https://example.com", "--quiet"]
OUTPUTS = {
    "package -o": Output("o.aar", "m.json", ["package", "-q", "-f", "m.json", "-o", "o.aar"]),
    "package --output-directory": Output(
        "made/m.aar", "data/a", ["package", "-q", "-f", "m.json", "--output-directory", "made"]),
    "package --depfile": Output(
        "deps", "m.json", ["package", "-q", "-f", "m.json", "-o", "n.aar", "--depfile", "deps"]),
    "GITHUB_OUTPUT": Output(
        "out", "m.json", ["package", "-q", "-f", "m.json", "-o", "n.aar", "--format", "github"],
        env={"GITHUB_OUTPUT": "out"}, text=b"packs<<"),
    "GITHUB_STEP_SUMMARY": Output(
        "out", "data/a", ["package", "-q", "-f", "m.json", "-o", "n.aar", "--format", "github"],
        env={"GITHUB_STEP_SUMMARY": "out"}, text=b"### Asset packs"),
    "report -o": Output("r.html", "p.aar", ["report", "p.aar", "-f", "-o", "r.html"]),
    "report --since": Output(
        "r.json", "q.aar", ["report", "p.aar", "--since", "q.aar", "-f", "-o", "r.json"]),
    "report of a manifest": Output("r.md", "data/a", ["report", "m.json", "-f", "-o", "r.md"]),
    "template -o": Output("t.json", None, ["template", "-f", "-o", "t.json"]),
    "template --from": Output(
        "made/data.json", "data/a",
        ["template", "--from", "data", "--output-directory", "made", "-f"]),
    "convert -o": Output(
        "c.json", "depot.vdf",
        ["convert", "depot.vdf", "--asset-pack-id", "c", "--on-demand", "-f", "-q", "-o", "c.json"]),
    "convert --output-directory": Output(
        "made/castle.json", "project.pbxproj",
        ["convert", "project.pbxproj", "--output-directory", "made", "-f", "-q"]),
    "download-manifest create": Output(
        "l.json", "p.aar", ["download-manifest", "create", "p.aar", "-f", "-o", "l.json", *LIST]),
    "download-manifest update": Output(
        "l.json", "D.json",
        ["download-manifest", "update", "D.json", "--asset-pack-paths", "q.aar", "-f", "-o", "l.json",
         *LIST]),
    "app-info --swift": Output(
        "n.swift", "p.aar", ["app-info", "-q", "--swift", "n.swift", "p.aar"],
        refusal="wasn't made by --swift"),
}
WRITABLE = ["device", "pipe", "link to a device", "link to a pipe", "link to /dev/stdout",
            "link to /dev/fd", "/dev/stdout, a file"]
REFUSED = {"socket": "a socket", "folder": "a folder", "block device": "a block device",
           "link to a socket": "a socket", "link to an input": "input", "hard link of an input": "input"}


@unittest.skipIf(OBSTACLE, OBSTACLE)
class Outputs(ToolTest):
    def setUp(self):
        """A folder with something of everything that the commands read."""
        super().setUp()
        self.here = self.folder / "base"
        (self.here / "data").mkdir(parents=True)
        (self.here / "made").mkdir()
        (self.here / "data/a").write_bytes(MARK)
        manifest = {
            "assetPackID": "m", "downloadPolicy": {"onDemand": {}},
            "fileSelectors": [{"directory": "data"}], "platforms": ["iOS"]}
        (self.here / "m.json").write_text(json.dumps(manifest))
        (self.here / "depot.vdf").write_text(
            '"DepotBuildConfig"\n{\n"DepotID" "1"\n"ContentRoot" "data"\n"FileMapping"\n'
            '{ "LocalPath" "*" "DepotPath" "." "recursive" "1" }\n}\n')
        shutil.copytree(FIXTURES / "xcode/content", self.here, dirs_exist_ok=True)
        shutil.copy(FIXTURES / "xcode/good/two-tags-with-policies.pbxproj", self.here / "project.pbxproj")
        self.make_dev()
        self.call(["package", "-q", "m.json", "-o", "p.aar"])
        (self.here / "data/b").write_bytes(b"another\n")
        self.call(["package", "-q", "m.json", "-o", "q.aar"])
        self.call(["download-manifest", "create", "p.aar", "-o", "D.json", *LIST])
        shutil.rmtree(self.here / "dev")

    def prepare(self):
        """A copy of that folder, with a /dev."""
        self.here = self.folder / "here"
        shutil.rmtree(self.here, ignore_errors=True)
        shutil.copytree(self.folder / "base", self.here)
        self.make_dev()
        os.mkfifo(self.here / "pipe")

    def make_dev(self):
        dev = self.here / "dev"
        dev.mkdir()
        for name, kind, number in (("null", stat.S_IFCHR, NULL), ("loop", stat.S_IFBLK, LOOP)):
            os.mknod(dev / name, kind | 0o666, number)
        for name, target in (("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0"),
                             ("stdout", "/proc/self/fd/1"), ("stderr", "/proc/self/fd/2")):
            (dev / name).symlink_to(target)

    def call(self, words, env=None, **more):
        done = subprocess.run(
            [str(TOOL), *words], cwd=self.here, env=environment(**(env or {})), check=False,
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=TIMEOUT,
            preexec_fn=private_dev(self.here / "dev"), **{"stdout": subprocess.PIPE, **more})
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    def state(self):
        """Everything in the folder but names that a command makes: kind, inode, contents."""
        found = {}
        for path in sorted(self.here.rglob("*")):
            status = path.lstat()
            what = path.read_bytes() if stat.S_ISREG(status.st_mode) else \
                os.readlink(path) if stat.S_ISLNK(status.st_mode) else None
            found[str(path.relative_to(self.here))] = (
                stat.S_IFMT(status.st_mode), status.st_rdev, status.st_ino, what)
        return found

    def place(self, output, kind):
        """Makes the output path lead to a thing of this kind."""
        path = self.here / output.name
        up = "../" * output.name.count("/")
        if kind == "device":
            os.mknod(path, stat.S_IFCHR | 0o666, NULL)
        elif kind == "block device":
            os.mknod(path, stat.S_IFBLK | 0o666, LOOP)
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        elif kind in ("socket", "link to a socket"):
            name = self.here / "socket" if kind != "socket" else path
            made = socket.socket(socket.AF_UNIX)
            self.addCleanup(made.close)
            made.bind(os.path.relpath(name))
            if name != path:
                path.symlink_to(up + "socket")
        elif kind == "hard link of an input":
            os.link(self.here / output.input, path)
        else:
            path.symlink_to({
                "link to a device": "/dev/null", "link to a pipe": up + "pipe",
                "link to /dev/stdout": "/dev/stdout", "/dev/stdout, a file": "/dev/stdout",
                "link to /dev/fd": "/dev/fd/9", "link to an input": up + str(output.input)}[kind])
        return path

    def run_with(self, output, kind):
        """Runs the command; gives its status, what the stream got, and what it said."""
        if "pipe" in kind:
            got = []
            name = self.here / (output.name if kind == "pipe" else "pipe")
            reader = threading.Thread(target=lambda: got.append(name.read_bytes()), daemon=True)
            reader.start()
            status, _, said = self.call(output.words, output.env)
            with open(os.open(name, os.O_RDWR | os.O_NONBLOCK), "wb"):
                pass  # ends a reader that nobody has written to
            reader.join(TIMEOUT)
            return status, got[0] if got else b"", said
        if kind == "/dev/stdout, a file":
            with open(self.folder / "stdout", "wb+") as file:
                status, _, said = self.call(output.words, output.env, stdout=file)
                file.seek(0)
                return status, file.read(), said
        if kind == "link to /dev/fd":
            with open(self.folder / "nine", "wb+") as file:
                os.dup2(file.fileno(), 9)
                try:
                    status, _, said = self.call(output.words, output.env, pass_fds=[9])
                finally:
                    os.close(9)
                file.seek(0)
                return status, file.read(), said
        status, out, said = self.call(output.words, output.env)
        return status, out, said

    def test_streams_get_what_a_file_gets_and_stay(self):
        for option, output in OUTPUTS.items():
            self.prepare()
            status, _, said = self.call(output.words, output.env)
            self.assertEqual(status, 0, (option, said))
            wanted = (self.here / output.name).read_bytes()
            self.assertTrue(wanted, option)
            for kind in WRITABLE:
                with self.subTest(option=option, kind=kind):
                    self.prepare()
                    path = self.place(output, kind)
                    before = self.state()
                    status, got, said = self.run_with(output, kind)
                    self.assertEqual(status, 0, said)
                    after = self.state()
                    self.assertEqual({name: after.get(name) for name in before}, before)
                    if kind.endswith("device"):
                        continue
                    self.assertTrue(os.path.lexists(path))
                    if output.text:
                        self.assertIn(output.text, got)
                    elif option.startswith("package"):
                        self.assertIn(wanted, got)
                    else:
                        self.assertEqual(got, wanted)

    def test_nothing_else_is_replaced(self):
        for option, output in OUTPUTS.items():
            for kind, words in REFUSED.items():
                if "input" in kind and output.input is None:
                    continue
                with self.subTest(option=option, kind=kind):
                    self.prepare()
                    os.chdir(self.here)
                    self.addCleanup(os.chdir, "/")
                    self.place(output, kind)
                    before = self.state()
                    status, _, said = self.run_with(output, kind)
                    self.assertEqual(self.state(), before)
                    self.assertEqual(status, 1, said)
                    self.assertIn(output.refusal if words == "input" else words, said)

    def test_a_record_is_a_regular_file(self):
        words = ["package", "-q", "m.json", "-o", "o.aar", "--if-changed"]
        record = Output("o.aar.record", "m.json", words)
        for kind in [*WRITABLE, *REFUSED]:
            with self.subTest(kind=kind):
                self.prepare()
                os.chdir(self.here)
                self.addCleanup(os.chdir, "/")
                self.place(record, kind)
                before = self.state()
                status, _, said = self.call(words)
                self.assertEqual(self.state(), before)
                self.assertEqual(status, 1, said)
                self.assertIn("input" if kind.startswith("hard") else "o.aar.record' is a", said)


class Clashes(ToolTest):
    """Outputs that are inputs, or each other."""

    def setUp(self):
        super().setUp()
        self.select("data/")
        self.write("data/a", MARK)
        self.asset = self.repository / "data/a"

    def test_a_depfile_is_neither_the_pack_nor_the_manifest(self):
        self.refused("two outputs", arguments=["--depfile", str(self.packs / "pack.aar")])
        self.refused("same file", arguments=["--depfile", str(self.folder / "packs/../packs/pack.aar")])
        self.refused("two outputs", arguments=[
            "--if-changed", "--depfile", str(self.packs / "pack.aar.record")])
        text = self.manifest.read_bytes()
        self.refused("also an input", arguments=["--depfile", str(self.manifest)])
        self.assertEqual(self.manifest.read_bytes(), text)

    def test_a_selected_file_is_not_overwritten(self):
        for link in (os.symlink, os.link):
            link(self.asset, self.packs / "pack.aar")
            self.refused("same file as the input", arguments=["--force"])
            self.assertEqual(self.asset.read_bytes(), MARK)
            os.unlink(self.packs / "pack.aar")

    def test_a_project_file_is_not_overwritten(self):
        project = self.folder / ".ba-package.json"
        project.write_text('{"rules": {}}')
        self.refused("input", arguments=["--depfile", str(project)])
        self.assertEqual(project.read_text(), '{"rules": {}}')

    def test_outputs_in_a_selected_folder_are_left_out(self):
        self.packs = self.repository / "data"
        words = ["--force", "--depfile", str(self.packs / "deps"), "--if-changed"]
        for _ in range(2):
            self.package(*words)
            done = subprocess.run(
                [TOOL, "list", "--paths-only", self.pack], capture_output=True, text=True, check=False)
            self.assertNotIn("deps", done.stdout)
            self.assertNotIn("pack.aar", done.stdout)
        # A link to the pack is left out with it.
        (self.packs / "link").symlink_to("pack.aar")
        before = self.pack.read_bytes()
        self.assertEqual(self.package(*words), before)

    def test_a_pack_is_not_extracted_over_itself(self):
        self.write("pack.aar", b"inner")
        self.select("pack.aar")
        pack = self.package()
        done = subprocess.run([TOOL, "extract", "pack.aar", "-o", "."], cwd=self.packs,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not empty", done.stderr)
        self.assertEqual(self.pack.read_bytes(), pack)


class Pipes(ToolTest):
    def test_a_signal_ends_the_wait_for_a_reader(self):
        self.select("data/")
        self.write("data/a", MARK)
        os.mkfifo(self.packs / "pack.aar")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen(
                self.command("--force"), env=environment(), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.addCleanup(process.kill)
            time.sleep(0.5)
            self.assertIsNone(process.poll())
            process.send_signal(number)
            _, error = process.communicate(timeout=TIMEOUT)
            # On a busy machine it comes before the program has begun to wait for it.
            self.assertEqual(shell_status(process.returncode), 128 + number, error)
        self.assertTrue(stat.S_ISFIFO((self.packs / "pack.aar").stat().st_mode))


    def test_a_signal_ends_the_wait_for_a_reader_that_has_stopped_reading(self):
        self.select("data/")
        self.write("data/a", os.urandom(1 << 20))
        os.mkfifo(self.packs / "pack.aar")
        reader = os.open(self.packs / "pack.aar", os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        process = subprocess.Popen(
            self.command("--force"), env=environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.assertTrue(select.select([reader], [], [], TIMEOUT)[0], "nothing was written")
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=TIMEOUT)
        self.assertEqual(shell_status(process.returncode), 128 + signal.SIGINT, error)

    def test_a_pipe_stays_when_the_next_file_cannot_be_published(self):
        self.write("a/x", MARK)
        self.write("b/x", MARK)
        os.mkfifo(self.packs / "a.json")
        pipe = os.open(self.packs / "a.json", os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, pipe)
        os.write(pipe, bytes(1 << 16))  # So it is full.
        process = subprocess.Popen(
            [TOOL, "template", "--from", self.repository, "--output-directory", self.packs, "--force"],
            env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        while not list(self.packs.glob(".b.json.*")):
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        (self.packs / "b.json").mkdir()
        os.read(pipe, 1 << 16)
        _, error = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1)
        self.assertIn("b.json'", error)
        self.assertTrue(stat.S_ISFIFO((self.packs / "a.json").stat().st_mode))
        self.assertEqual(sorted(os.listdir(self.packs)), ["a.json", "b.json"])


class Records(ToolTest):
    def setUp(self):
        super().setUp()
        self.select("data/")
        self.write("data/a", MARK)

    def test_a_stream_has_none(self):
        os.mkfifo(self.packs / "pack.aar")
        self.refused("leads to a pipe", arguments=["--if-changed"])

    def test_an_error_of_the_record_tells_that_the_pack_was_made(self):
        for number in range(500):
            self.write(f"data/{number}", b"x")
        time.sleep(2.5)  # the record has no versions of files that changed just before
        limits = (6000, 6000)
        error = self.run_tool(
            "--if-changed", status=1, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits))
        self.assertIn("pack.aar.record", error)
        self.assertIn("pack.aar' itself is complete", error)
        self.pack = self.packs / "pack.aar"
        self.check()

    def test_a_record_larger_than_the_pack_allows_is_not_read(self):
        self.package("--if-changed")
        record = self.packs / "pack.aar.record"
        with open(record, "r+b") as file:
            file.truncate(200 << 20)
        traced = self.folder / "trace"
        if not shutil.which("strace"):
            self.skipTest("needs strace")
        subprocess.run(
            ["strace", "-f", "-qq", "-o", traced, "-e", "trace=read,pread64", *self.command("--if-changed")],
            check=True, capture_output=True)
        largest = max(int(line.rsplit("=", 1)[1]) for line in traced.read_text().splitlines()
                      if line.rsplit("=", 1)[-1].strip().isdigit())
        self.assertLess(largest, 1 << 20)
        self.assertLess(record.stat().st_size, 1 << 20)
