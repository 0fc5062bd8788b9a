"""The script of the example workflows that publishes packs on a server of one's own, with the real git,
curl and rsync. The server is a folder, and whenever rsync is called, before and after, every pack in the
list there must be there in full."""

import functools
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import unittest

from .tool import FIXTURES, TOOL

RSYNC = '''#!/usr/bin/env python3
import json, os, pathlib, subprocess, sys
server = pathlib.Path(os.environ["SERVER"])
def check():
    live = server / "Downloads.json"
    for pack in json.loads(live.read_text())["assetPacks"] if live.exists() else []:
        file = server / pack["url"].rsplit("/", 1)[1]
        if not file.exists() or file.stat().st_size != pack["downloadSize"]:
            pathlib.Path(os.environ["LOG"]).open("a").write(f"broken: {file.name}\\n")
options = os.environ["RSYNC_RSH"].split()
key, hosts = options[2], options[-1].removeprefix("UserKnownHostsFile=")
assert "StrictHostKeyChecking=yes" in options, options
assert os.stat(key).st_mode & 0o777 == 0o600 and pathlib.Path(key).read_text() == "secret\\n"
assert pathlib.Path(hosts).read_text() == "host key\\n"
log = pathlib.Path(os.environ["LOG"])
log.open("a").write(pathlib.Path(sys.argv[-1]).name + "\\n")
if os.environ.get("FAILS_AT") == str(len(log.read_text().splitlines())):
    sys.exit("rsync: connection lost")
check()
code = subprocess.run([os.environ["REAL_RSYNC"], *sys.argv[1:]]).returncode
check()
sys.exit(code)
'''


class Handler(http.server.SimpleHTTPRequestHandler):
    status = None

    def do_GET(self):
        if Handler.status is None:
            super().do_GET()
        else:
            self.send_error(Handler.status)

    def log_message(self, *_):
        pass


class Publishing(unittest.TestCase):
    def setUp(self):
        for program in ("git", "curl", "rsync"):
            if shutil.which(program) is None:
                self.skipTest(f"there is no {program}")
        if subprocess.run(["rsync", "-s", "--version"], capture_output=True).returncode != 0:
            self.skipTest("this rsync has no option -s")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="ba-package-test-"))
        self.addCleanup(shutil.rmtree, folder)
        self.clone, self.server, self.log = folder / "clone", folder / "server", folder / "log"
        self.server.mkdir()
        shutil.copytree(FIXTURES / "SampleGame", self.clone)
        (self.clone / "tools").mkdir()
        shutil.copy(FIXTURES / "Workflows/publish-packs", self.clone / "tools")
        (self.clone / ".gitignore").write_text("build\n")
        binaries = folder / "bin"
        binaries.mkdir()
        (binaries / "ba-package").symlink_to(TOOL)
        (binaries / "rsync").write_text(RSYNC)
        (binaries / "rsync").chmod(0o755)

        Handler.status = None
        handler = functools.partial(Handler, directory=self.server)
        web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.addCleanup(web.server_close)
        self.addCleanup(web.shutdown)
        threading.Thread(target=web.serve_forever, daemon=True).start()

        self.environment = {
            **os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull, "REAL_RSYNC": shutil.which("rsync"),
            "LOG": str(self.log), "BASE_URL": f"http://127.0.0.1:{web.server_port}",
            "SERVER": f"{self.server}/", "DEPLOY_KEY": "secret", "KNOWN_HOSTS": "host key",
            "BRANCH": "main", "PLATFORMS": "--ios --macos"}
        self.git("init", "-q", "-b", "main")
        self.git("init", "-q", "--bare", "../origin.git")
        self.git("remote", "add", "origin", "../origin.git")
        self.commit()

    def git(self, *words):
        return self.run_in_clone("git", "-c", "user.name=T", "-c", "user.email=t@example.com", *words)

    def run_in_clone(self, *words, status=0, **changes):
        done = subprocess.run(
            words, cwd=self.clone, env={**self.environment, **changes}, capture_output=True,
            encoding="utf-8", timeout=120)
        self.assertEqual(done.returncode != 0, status != 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Change")

    def edit(self):
        with open(self.clone / "Dialogue/ja/灯台守.txt", "a") as file:
            file.write("A new line.\n")
        self.commit()

    def publish(self, *options, **settings):
        """Packages and publishes; returns what was uploaded, and what the script printed."""
        self.log.unlink(missing_ok=True)
        shutil.rmtree(self.clone / "build", ignore_errors=True)
        self.run_in_clone(
            "ba-package", "package", "-q", "--hosting", "self", *options, "Packs",
            "--output-directory", "build")
        text = self.run_in_clone("tools/publish-packs", **settings)
        log = self.log.read_text().split() if self.log.exists() else []
        self.assertNotIn("broken:", log)
        return log, text

    def packs(self, path):
        return {pack["id"]: pack for pack in json.loads(path.read_text())["assetPacks"]}

    def live(self, key="version"):
        return {name.removeprefix("lantern-keeper-"): pack[key]
                for name, pack in self.packs(self.server / "Downloads.json").items()}

    def versions(self, japanese):
        """Those of all packs, of which only the Japanese one is edited."""
        return {"dialogue-de": 0, "dialogue-en": 0, "dialogue-ja": japanese, "harbour": 0,
                "lighthouse": 0}

    def uploaded(self, log):
        """The packs, without the list, which is the last."""
        return [name.removeprefix("lantern-keeper-").rsplit("-", 1)[0] for name in log[:-1]]

    def pushed(self):
        return self.git("show", "origin/main:Downloads.json")

    def test_each_pack_is_there_before_the_list_names_it(self):
        log, _ = self.publish()
        self.assertEqual(self.uploaded(log), list(self.versions(0)))
        # Packs by names with digests, the list last.
        for name in log[:-1]:
            self.assertRegex(name, r"-[0-9a-f]{16}\.aar$")
        self.assertEqual(log[-1], "Downloads.json")
        self.assertEqual(self.live(), self.versions(0))
        self.assertEqual((self.server / "Downloads.json").read_text(), self.pushed())

        # One pack changes: the others are not touched, and the old one stays.
        before = {file.name: file.stat().st_mtime_ns for file in self.server.glob("*.aar")}
        self.edit()
        log, _ = self.publish()
        self.assertEqual(self.uploaded(log), ["dialogue-ja"])
        self.assertEqual(self.live(), self.versions(1))
        after = {file.name: file.stat().st_mtime_ns for file in self.server.glob("*.aar")}
        self.assertEqual(len(after), 6)
        self.assertEqual({name: after[name] for name in before}, before)

        # Nothing changes: nothing is uploaded.
        self.assertEqual(self.publish()[0], [])

        # The same contents in other bytes: the same version, under a new name.
        log, _ = self.publish("--compression", "store")
        self.assertEqual(len(log), 6)
        self.assertEqual(self.live(), self.versions(1))
        self.assertEqual(len(list(self.server.glob("*.aar"))), 11)

    def test_a_failed_upload_is_completed_by_the_next_run(self):
        self.publish()
        old = (self.server / "Downloads.json").read_text()
        self.edit()
        for step in ("1", "2"):
            with self.subTest(step):
                with self.assertRaises(AssertionError):
                    self.publish(FAILS_AT=step)
                self.assertEqual((self.server / "Downloads.json").read_text(), old)
                # The version is used up already.
                self.assertIn('"version": 1', self.pushed())
        log, _ = self.publish()
        self.assertEqual(log[-1], "Downloads.json")
        self.assertEqual(self.live(), self.versions(1))

    def test_versions_never_fall_behind_the_live_list(self):
        self.publish()
        self.edit()
        self.publish()
        for name in ("Downloads.json", "Downloads.digests.json"):
            (self.clone / name).unlink()
        self.commit()
        self.assertEqual(self.publish()[0], [])
        self.assertEqual(self.live(), self.versions(1))
        self.edit()
        self.publish()
        self.assertEqual(self.live(), self.versions(2))

    def test_nothing_is_uploaded_when_the_list_cannot_be_pushed(self):
        self.publish()
        old = (self.server / "Downloads.json").read_text()
        # Another clone was faster.
        other = self.clone.parent / "other"
        self.git("clone", "-q", "-b", "main", "../origin.git", str(other))
        for words in (["commit", "-q", "--allow-empty", "-m", "Faster"], ["push", "-q"]):
            self.git("-C", str(other), *words)
        self.edit()
        with self.assertRaises(AssertionError):
            self.publish()
        self.assertFalse(self.log.exists())
        self.assertEqual((self.server / "Downloads.json").read_text(), old)

    def test_an_unreadable_live_list_is_an_error(self):
        self.publish()
        Handler.status = 503
        shutil.rmtree(self.clone / "build")
        self.run_in_clone("ba-package", "package", "-q", "Packs", "--output-directory", "build")
        text = self.run_in_clone("tools/publish-packs", status=1)
        self.assertIn("Downloads.json: HTTP status 503", text)


if __name__ == "__main__":
    unittest.main()
