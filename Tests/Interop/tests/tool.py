"""Runs the built ba-package for the tests: the one BA_PACKAGE names, else the release build."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from packlib import check_pack, signals

REPOSITORY = pathlib.Path(__file__).parents[3]
FIXTURES = REPOSITORY / "Fixtures"
TOOL = pathlib.Path(os.environ.get("BA_PACKAGE") or REPOSITORY / ".build/release/ba-package").absolute()
SEED = int(os.environ.get("BA_SEED") or 1)
NOBODY = 65534
TIMEOUT = 120
signals.stop_children()


def environment(**changes):
    """The environment of a run: nothing that changes a pack, except for `changes`."""
    kept = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"}
    return {**kept, **changes}


class ToolTest(unittest.TestCase):
    """A test with a folder of its own, in which `repository` is the root and `packs` the output."""

    def setUp(self):
        self.assertTrue(TOOL.is_file(), f"{TOOL} is not built")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ba-package-test-"))
        self.folder.chmod(0o755)
        self.addCleanup(self._remove)
        self.repository, self.packs = self.folder / "repository", self.folder / "packs"
        self.repository.mkdir()
        self.packs.mkdir()
        self.manifest = self.folder / "Manifest.json"

    def _remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    # Making input

    def write(self, path, data=b"", mode=None):
        """A file of the repository, its folders with it."""
        full = os.path.join(os.fsencode(self.repository), os.fsencode(path))
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        if mode is not None:
            os.chmod(full, mode)
        return full

    def select(self, *selectors, **changes):
        """Writes the manifest: a name is a file selector, or with '/' at its end a directory."""
        content = {
            "assetPackID": "test-pack",
            "downloadPolicy": {"essential": {"installationEventTypes": ["firstInstallation"]}},
            "fileSelectors": [
                s if isinstance(s, dict) else {"directory": s[:-1]} if s.endswith("/") else {"file": s}
                for s in selectors],
            "platforms": ["iOS", "macOS"],
            **changes,
        }
        self.manifest.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", "utf-8")

    # Running

    def command(self, *arguments, manifest=None, output="pack.aar", root=True):
        place = ["--root", str(self.repository)] if root else []
        return [str(TOOL), "package", str(manifest or self.manifest), "-o", str(self.packs / output),
                *place, *arguments]

    def run_tool(self, *arguments, status=0, env=None, user=None, before=None, cwd=None, **place):
        """Runs `package` and checks its exit status; gives what it wrote to standard error."""
        command = self.command(*arguments, **place)
        if user is not None:
            # Others may not reach the folder of the build, nor the libraries of a user's own Swift.
            command[0] = shutil.copy(TOOL, self.folder)
            try:
                subprocess.run([command[0], "--version"], user=user, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, check=True)
            except subprocess.CalledProcessError:
                self.skipTest("another user can't run the program")
        done = subprocess.run(
            command, cwd=cwd or self.folder, env=env or environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            timeout=TIMEOUT, user=user, preexec_fn=before)
        error = done.stderr.decode("utf-8", "replace")
        self.assertIn(shell_status(done.returncode), status if isinstance(status, tuple) else (status,),
                      error)
        if done.returncode:
            self.assertEqual(done.stdout, b"", "no pack was made, but standard output has a result")
        return error

    def package(self, *arguments, output="pack.aar", **more):
        """The bytes of a pack that must come to be, its path kept in self.pack."""
        self.run_tool(*arguments, output=output, **more)
        self.pack = self.packs / output
        return self.pack.read_bytes()

    def check(self, against=None, manifest=None, pack=None, **options):
        """Checks the last pack against the repository."""
        lines, counts = check_pack.problems_of(
            pack or self.pack, against or self.repository,
            **{"manifest": None if "expect" in options else manifest or self.manifest,
               "recompress": True, **options})
        self.assertEqual(lines, [])
        return counts

    def refused(self, *said, status=1, arguments=(), **more):
        """A run that must fail, say all of `said` and leave the output folder as it was."""
        before = self.listing()
        error = self.run_tool(*arguments, status=status, **more)
        for text in said:
            self.assertIn(text, error)
        self.assertEqual(self.listing(), before, "the output folder has changed")
        return error

    def listing(self, folder=None):
        """The contents of a folder: names with their bytes."""
        return {path.name: path.read_bytes() if path.is_file() else None
                for path in pathlib.Path(folder or self.packs).iterdir()}


def shell_status(code):
    """The exit status as a shell gives it: 128 and the signal's number for a killed program."""
    return 128 - code if code < 0 else code
