"""The examples that check pull requests, and the Git hook: their scripts are run, one after the other as the
workflow says, with stand-ins for what talks to GitHub and GitLab."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from .tool import FIXTURES, REPOSITORY, TOOL

WORKFLOWS = FIXTURES / "Workflows"
MARK = "<!-- asset packs -->"
# Each call is a line of the log; an old comment has the number 7.
STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >>"$LOG"
case $* in
  *--data-urlencode* | *--field*) ;;
  *comments* | *notes*) [ -z "$OLD" ] || cat "$OLD" ;;
esac
"""


def dedented(lines):
    return "\n".join(line[len(lines[0]) - len(lines[0].lstrip()):] for line in lines if line.strip()) + "\n"


def github_scripts(path):
    """The script of each step by its name, and its condition."""
    found = {}
    for step in re.split(r"(?m)^      - ", path.read_text("utf-8"))[1:]:
        name = re.match(r"name: (.*)", step)
        script = re.search(r"(?m)^        run: \|\n((?:          .*\n?|\n)+)", step)
        condition = re.search(r"(?m)^        if: (.*)", step)
        if name and script:
            found[name[1]] = (dedented(script[1].splitlines()), condition and condition[1])
    return found


def gitlab_script(path, job):
    """All commands of a job's script, as GitLab runs them: in one shell."""
    text = re.search(rf"(?m)^{job}:\n(?:  .*\n)*?  script:\n((?:    .*\n)+)", path.read_text("utf-8"))[1]
    commands = re.split(r"(?m)^    - ", text)[1:]
    return "set -e\n" + "".join(
        dedented(command[2:].splitlines()) if command.startswith("|\n") else command for command in commands)


class Workflows(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="workflows-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.game = self.folder / "game"
        shutil.copytree(FIXTURES / "SampleGame", self.game)
        binaries = self.folder / "bin"
        binaries.mkdir()
        (binaries / "ba-package").symlink_to(TOOL)
        for name in "gh", "curl":
            (binaries / name).write_text(STAND_IN)
            (binaries / name).chmod(0o755)
        self.log, self.summary, self.output = (self.folder / name for name in ("log", "summary", "output"))
        self.environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("BA_", "CI_", "GITHUB_"))},
            "PATH": f"{binaries}:{os.environ['PATH']}", "HOSTING": "apple", "LOG": str(self.log), "OLD": "",
            "GITHUB_OUTPUT": str(self.output), "GITHUB_STEP_SUMMARY": str(self.summary), "NUMBER": "12",
            "GITHUB_REPOSITORY": "me/game", "CI_API_V4_URL": "https://gitlab.example.com/api/v4",
            "CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "12"}

    def shell(self, script, status=0, **changes):
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script], cwd=self.game, env={**self.environment, **changes},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def break_a_manifest(self):
        manifest = self.game / "Packs/Harbour.json"
        manifest.write_text(manifest.read_text("utf-8").replace('"Credits.txt"', '"credits.txt"'), "utf-8")

    def release(self):
        (self.game / "Releases").mkdir()
        for version in "1.9", "1.10":
            self.shell(f"ba-package package -q -f --hosting apple Packs -o ../packs; "
                       f"ba-package report ../packs --format json -o Releases/{version}.json")
            (self.game / "Levels/order.txt").write_text(version)

    def calls(self):
        found = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return found

    def test_github(self):
        steps = github_scripts(WORKFLOWS / "pull-request.yml")
        self.assertEqual(len(steps), 5, steps)
        said = self.shell(steps["Check the manifests"][0])
        self.assertIn("::notice", said)
        self.shell(steps["Find the digest of all packs"][0])
        first = self.output.read_text()
        self.assertRegex(first, r"^key=[0-9a-f]{64}\n$")
        self.assertIn("cache-hit != 'true'", steps["Package every manifest"][1])
        self.shell(steps["Package every manifest"][0])
        self.shell(steps["Report what players would download"][0])
        comment = (self.game / "comment.md").read_text("utf-8")
        self.assertTrue(comment.startswith(MARK + "\n"))
        self.assertIn("5 packs, 32 files", comment)
        self.assertIn(comment, self.summary.read_text("utf-8"))
        self.shell(steps["Comment on the pull request"][0])
        self.assertEqual(self.calls()[1:], ["gh api --silent repos/me/game/issues/12/comments --field body=@comment.md"])
        # With a release: the newest is compared; an old comment is replaced; the digest is another one.
        self.release()
        shutil.rmtree(self.game / "build")
        self.output.unlink()
        for name in "Find the digest of all packs", "Package every manifest", "Report what players would download":
            self.shell(steps[name][0])
        self.assertNotEqual(self.output.read_text(), first)
        self.assertIn("Players who have the old packs", (self.game / "comment.md").read_text("utf-8"))
        old = self.folder / "old"
        old.write_text("7\n9\n")
        self.shell(steps["Comment on the pull request"][0], OLD=str(old))
        self.assertIn("PATCH repos/me/game/issues/comments/7 ", self.calls()[1])

    def test_github_findings(self):
        """All forms are written though there are errors, and the step fails."""
        self.break_a_manifest()
        said = self.shell(github_scripts(WORKFLOWS / "pull-request.yml")["Check the manifests"][0], status=1)
        self.assertIn("::error file=Packs/Harbour.json", said)
        sarif = json.loads((self.game / "packs.sarif").read_text("utf-8"))
        self.assertIn("missing-file", [found["ruleId"] for found in sarif["runs"][0]["results"]])
        suites = xml.etree.ElementTree.parse(self.game / "packs.junit").getroot()
        self.assertGreater(len(suites.findall(".//failure")), 0)

    @unittest.skipUnless(shutil.which("jq"), "jq is not installed")
    def test_gitlab(self):
        path = WORKFLOWS / "pull-request.gitlab-ci.yml"
        self.shell(gitlab_script(path, "check"))
        script = gitlab_script(path, "report")
        self.assertIn("made", self.shell(script))
        self.assertEqual(self.calls(), [])
        self.release()
        made = self.shell(script, REPORT_TOKEN="secret")
        self.assertIn("made", made)
        comment = (self.game / "comment.md").read_text("utf-8")
        self.assertTrue(comment.startswith(MARK + "\n"))
        self.assertIn("Players who have the old packs", comment)
        notes = "https://gitlab.example.com/api/v4/projects/3/merge_requests/12/notes"
        self.assertTrue(self.calls()[1].endswith(f"--data-urlencode body@comment.md {notes}"))
        # The packs are in the cache now, and the old comment is replaced.
        old = self.folder / "old"
        old.write_text(json.dumps([{"id": 5, "body": "nice"}, {"id": 7, "body": f"{MARK}\nold"}]))
        self.assertNotIn("made", self.shell(script, REPORT_TOKEN="secret", OLD=str(old)))
        self.assertIn(f"-X PUT --data-urlencode body@comment.md {notes}/7", self.calls()[1])
        self.assertEqual(len(list((self.game / ".pack-cache").iterdir())), 1)

    def test_gitlab_findings(self):
        self.break_a_manifest()
        said = self.shell(gitlab_script(WORKFLOWS / "pull-request.gitlab-ci.yml", "check"), status=1)
        self.assertIn("[missing-file]", said)
        quality = json.loads((self.game / "packs-code-quality.json").read_text("utf-8"))
        self.assertIn("missing-file", [found["check_name"] for found in quality])
        suites = xml.etree.ElementTree.parse(self.game / "packs-junit.xml").getroot()
        self.assertGreater(len(suites.findall(".//failure")), 0)

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_hook(self):
        hook = WORKFLOWS / "pre-commit"
        page = REPOSITORY / "Sources/BAPackCore/BAPackCore.docc/CheckingAndRules.md"
        self.assertIn(f"```sh\n{hook.read_text()}```", page.read_text("utf-8"))
        self.shell("git init -q && git config user.name me && git config user.email me@example.com && git add . && "
                   "git commit -q -m All")
        shutil.copy(hook, self.game / ".git/hooks")
        self.assertEqual(self.shell("git commit -q --allow-empty -m Nothing"), "")
        said = self.shell("git mv Sounds/Music/theme.wav Sounds/Music/main.wav && git commit -q -m Rename", status=1)
        self.assertIn("there is no file 'Sounds/Music/theme.wav' [missing-file]", said)
        self.assertEqual(self.shell("git log --format=%s").split(), ["Nothing", "All"])


if __name__ == "__main__":
    unittest.main()
