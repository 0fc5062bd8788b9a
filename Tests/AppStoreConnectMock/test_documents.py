"""Runs the commands of README and the guide that upload, in blocks marked 'console ba-upload', and
compares what they show. BA_PACKAGE_RECORD=1 writes what happens into the documents."""

import os
import pathlib
import shutil
import subprocess
import unittest

from lab import HERE, ISSUER, KEY_ID, UploadCase

SOURCES = HERE.parent.parent
MARK = "```console ba-upload"
GUIDE = [page for page in sorted(SOURCES.glob("Sources/*/*.docc/*.md"))
         if MARK in page.read_text().split("\n")]


# The versions of the app that a page begins with; others begin with a live one.
APP_VERSIONS = {"Releases": ["1.0:IOS", "1.1:IOS"]}
# Where reviews are over at once.
REVIEWED = {"AfterTheUpload", "Releases"}


class Documents(UploadCase):
    mock_options = ("--platforms", "IOS,MAC_OS,TV_OS,VISION_OS")

    def test_readme(self):
        self.document(SOURCES / "README.md")

    def document(self, page):
        if page.stem in REVIEWED:
            self.mock.set(review=0)
        if page.stem in APP_VERSIONS:
            self.mock.call("/mock/app-versions", APP_VERSIONS[page.stem])
        game = self.folder / "game"
        shutil.copytree(SOURCES / "Fixtures/SampleGame", game)
        keys = self.folder / "home/.appstoreconnect/private_keys"
        keys.mkdir(parents=True)
        shutil.copy(self.key, keys)
        programs = self.folder / "programs"
        programs.mkdir()
        for variable in ("BA_UPLOAD", "BA_PACKAGE"):
            path = pathlib.Path(os.environ[variable])
            (programs / path.name).symlink_to(path)
        environment = self.environment(
            ASC_KEY_PATH="", ASC_KEY_ID=KEY_ID, PATH=f"{programs}:{os.environ['PATH']}")
        written, block, commands = [], None, 0
        for line in page.read_text().split("\n"):
            if block is None:
                written.append(line)
                if line == MARK:
                    block = []
            elif line != "```":
                block.append(line)
            else:
                for script, shown in self.cases(block):
                    commands += 1
                    actual = self.shell("\n".join(script), game, environment)
                    actual = actual.rstrip("\n").split("\n") if actual else []
                    written.append(f"$ {script[0]}")
                    written += [f"> {rest}" for rest in script[1:]]
                    if os.environ.get("BA_PACKAGE_RECORD") and "…" not in shown:
                        written += actual
                    else:
                        self.assertTrue(self.matches(shown, actual), "\n".join([page.name] + actual))
                        written += shown
                written.append(line)
                block = None
        self.assertGreater(commands, 0)
        if os.environ.get("BA_PACKAGE_RECORD"):
            page.write_text("\n".join(written))

    def cases(self, lines):
        cases = []
        for line in lines:
            if line.startswith("$ "):
                cases.append(([line[2:]], []))
            elif line.startswith("> ") and not cases[-1][1]:
                cases[-1][0].append(line[2:])
            else:
                cases[-1][1].append(line)
        return cases

    def shell(self, script, folder, environment):
        return subprocess.run(
            ["sh", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout

    def matches(self, shown, actual):
        if not shown:
            return not actual
        if shown[0] == "…":
            return any(self.matches(shown[1:], actual[n:]) for n in range(len(actual) + 1))
        return bool(actual) and shown[0] == actual[0] and self.matches(shown[1:], actual[1:])


def test_of(page):
    return lambda case: case.document(page)


for page in GUIDE:
    setattr(Documents, f"test_{page.stem}", test_of(page))


if __name__ == "__main__":
    unittest.main()
