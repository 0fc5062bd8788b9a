"""Runs the built ba-serve for the tests: the one BA_SERVE names, with a home folder of its own."""

import functools
import io
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

from packlib import read_archive, signals

REPOSITORY = pathlib.Path(__file__).parents[2]
TOOL = pathlib.Path(os.environ.get("BA_SERVE") or REPOSITORY / ".build/release/ba-serve").absolute()
PACKAGER = TOOL.with_name("ba-package")
# Only a failure waits that long: machines that run tests may be busy.
TIMEOUT = 120
signals.stop_children()


class Server:
    """A running ba-serve; its log is read as JSON."""

    def __init__(self, home, *arguments, setup_page=False, password=None, under=()):
        page = ["--setup-port", "0"] if setup_page else ["--no-setup-page"]
        self.process = subprocess.Popen(
            [*under, TOOL, *map(str, arguments), "--port", "0", "--format", "json", *page],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            cwd=home, env=environment(home, password))
        self.events, self.seen, self.errors = queue.Queue(), [], None
        threading.Thread(target=self._read, daemon=True).start()
        try:
            start = self.wait_for("start")
        except AssertionError:
            self.process.kill()
            raise AssertionError(self.process.stderr.read())
        self.started, self.urls, self.packs = start, start["urls"], start["assetPacks"]
        self.setup_page = start.get("setupPage")
        self.authority = start.get("authority")
        self.port = int(self.urls[0].rsplit(":", 1)[1])
        user = ""
        if password:
            name = arguments[arguments.index("--user") + 1]
            user = f"{urllib.parse.quote(name)}:{urllib.parse.quote(password)}@"
        self.url = f"https://{user}localhost:{self.port}"

    def _read(self):
        for line in self.process.stdout:
            self.events.put(json.loads(line))
        self.process.stdout.close()
        self.events.put({"event": "end"})

    def wait_for(self, kind, **values):
        """The next event of that kind, with these values, that was not returned before."""
        while True:
            for index, event in enumerate(self.seen):
                if event["event"] == kind and all(event.get(k) == v for k, v in values.items()):
                    return self.seen.pop(index)
            try:
                event = self.events.get(timeout=TIMEOUT)
            except queue.Empty:
                raise AssertionError(f"no event {kind} {values} within {TIMEOUT} s: {self.seen}")
            if event["event"] == "end":
                raise AssertionError(f"the server ended without {kind} {values}: {self.seen}")
            self.seen.append(event)

    def rest(self):
        """The events that no test waited for, after the server has ended."""
        while (event := self.events.get(timeout=TIMEOUT))["event"] != "end":
            self.seen.append(event)
        return self.seen

    def type(self, line):
        """Types a command."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def stop(self, number=signal.SIGTERM):
        """Ends the server; returns its exit status and what it wrote to the standard error."""
        if self.errors is None:
            if self.process.poll() is None:
                self.process.send_signal(number)
            self.process.wait(TIMEOUT)
            self.errors = self.process.stderr.read()
            for stream in (self.process.stdin, self.process.stderr):
                try:
                    stream.close()
                except BrokenPipeError:
                    pass
        return self.process.returncode, self.errors


def environment(home, password=None):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "BA_SERVE_"))}
    if password is not None:
        kept["BA_SERVE_PASSWORD"] = password
    folders = {"XDG_DATA_HOME": f"{home}/.local/share", "XDG_CACHE_HOME": f"{home}/.cache"}
    return {**kept, **folders, "HOME": str(home), "LC_ALL": "C"}


class ServerTest(unittest.TestCase):
    """A test with a home folder of its own, in which `game` is a repository."""

    def setUp(self):
        for tool in (TOOL, PACKAGER):
            self.assertTrue(tool.is_file(), f"{tool} is not built")
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="ba-serve-test-"))
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.game = self.home / "game"
        self.game.mkdir()

    def write(self, path, data):
        file = self.game / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        return file

    def manifest(self, name, *selectors, **changes):
        """Writes the manifest of a pack called `name`."""
        content = {
            "assetPackID": name, "downloadPolicy": {"onDemand": {}}, "platforms": [],
            "fileSelectors": [{"file": selector} for selector in selectors],
            "sourceRoot": ".", **changes}
        file = self.game / f"{name}.json"
        file.write_text(json.dumps(content))
        return file

    def pack(self, name, files, **changes):
        """Makes a pack of `files`, by path."""
        for path, data in files.items():
            self.write(path, data)
        manifest = self.manifest(name, *files, **changes)
        archive = self.home / f"{name}.aar"
        subprocess.run(
            [PACKAGER, "package", manifest, "-o", archive, "--force", "--quiet", "--hosting", "self",
             "--compression", "store"], check=True)
        return archive

    def serve(self, *arguments, **options):
        server = Server(self.home, *arguments, **options)
        self.addCleanup(server.stop)
        return server

    def run_tool(self, *arguments, password=None):
        return subprocess.run(
            [TOOL, *map(str, arguments)], capture_output=True, text=True, cwd=self.home,
            env=environment(self.home, password), timeout=TIMEOUT, stdin=subprocess.DEVNULL)


NETWORK = """
ip link set lo up
for host in 1 2 3 4 5 6 7 8 9; do ip -6 addr add fd00:0:0:1::$host/64 dev lo nodad; done
exec "$@"
"""


def with_network(test):
    """Runs a test in a network of its own, with the addresses fd00:0:0:1::1 to ::9."""
    @functools.wraps(test)
    def run(self):
        if os.environ.get("BA_NETWORK"):
            return test(self)
        unshare = ["unshare", "--user", "--map-root-user", "--net", "sh", "-ec", NETWORK, "sh"]
        try:
            if subprocess.run([*unshare, "true"], capture_output=True).returncode:
                self.skipTest("this user may not make networks")
        except FileNotFoundError:
            self.skipTest("unshare is not installed")
        done = subprocess.run([*unshare, sys.executable, "-m", "unittest", self.id()], text=True,
                              capture_output=True, env={**os.environ, "BA_NETWORK": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
    return run


def contents(data):
    """The files of a pack by path, as the independent reader finds them in its bytes."""
    archive = read_archive.Archive(io.BytesIO(data))
    return {
        entry.path.decode().removeprefix("Contents/"):
            b"".join(b"".join(archive.contents(field)) for field in entry.blobs)
        for entry in archive.entries() if entry.type == "F"}
