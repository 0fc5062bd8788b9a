"""Tests/Apple/ask, with stand-ins for Apple's programs: what the page says, and that lies are found."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from .tool import REPOSITORY, TOOL

APPLE = REPOSITORY / "Tests/Apple"
SERVE = TOOL.with_name("ba-serve")


class Asking(unittest.TestCase):
    def ask(self, *options, lies="", programs=("aa", "xcrun", "security"), parts="abc", serve=False):
        """The exit status, what was printed, the page and the rows of its tables by their question."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="ask-apple-"))
        self.addCleanup(shutil.rmtree, folder)
        (folder / "bin").mkdir()
        for name in programs:
            (folder / "bin" / name).symlink_to(APPLE / "stand-in")
        self.identity = folder / "identity"
        done = subprocess.run(
            [APPLE / "ask", "--small", *options, "--parts", parts, "--output", folder / "page.md", TOOL,
             *([SERVE] if serve else [])],
            env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "ASK_LIES": lies,
                 "ASK_IDENTITY": str(self.identity), "GITHUB_STEP_SUMMARY": str(folder / "summary.md")},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        page = (folder / "page.md").read_text("utf-8") if (folder / "page.md").exists() else ""
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
                for line in page.splitlines() if re.match(r"\| [a-e]\d", line)]
        self.assertTrue(page, done.stdout)
        self.assertIn((folder / "summary.md").read_text("utf-8").strip(), page)
        return done.returncode, done.stdout, page, rows

    def said(self, rows, words):
        """Ours, Apple's and the verdict of the question with these words."""
        found = [row[2:] for row in rows if words in row[1]]
        self.assertEqual(len(found), 1, words)
        return found[0]

    def test_page(self):
        status, output, page, rows = self.ask()
        self.assertEqual(status, 0, output)
        self.assertNotIn("**refuted**", page)
        self.assertNotIn("**not read**", page)
        kinds = [row[0][0] for row in rows]
        self.assertEqual((kinds.count("c") > 90, kinds.count("b"), kinds.count("a") > 25), (True, 9, True))
        # The totals are those of the tables.
        verdicts = [row[4] for row in rows]
        same = sum(verdict == "same" or verdict.startswith("same,") for verdict in verdicts)
        guide = sum("as the guide says" in verdict for verdict in verdicts)
        differ = sum(verdict.startswith("not the same") for verdict in verdicts)
        self.assertIn(f"**{len(rows)} questions: {same} the same, {differ} not the same, {guide} as the guide says, "
                      "0 refuted or not read, 0 not asked.**", page)
        self.assertEqual(guide, sum("(guide)" in row[1] for row in rows))
        # Known answers of both.
        self.assertEqual(self.said(rows, "our packs with lzfse 5?"), ["5 packs", "5 read", "same"])
        self.assertEqual(self.said(rows, "Does `aa verify` find"), ["yes", "yes", "same"])
        self.assertEqual(self.said(rows, "What does `--version` print?"),
                         [f"exit 0: {self.version()}", "exit 0: 2.0", "not the same"])
        self.assertEqual(self.said(rows, "Are packs without files made?")[1:],
                         ["exit 0", "not the same, as the guide says"])
        self.assertEqual(self.said(rows, "Which compression has a pack")[:2],
                         ["exit 0: zlib, blocks of 1048576 bytes", "exit 0: LZFSE, blocks of 1048576 bytes"])
        self.assertIn("LZ4", self.said(rows, "`aa archive -a lz4`")[0])
        # What was said in full.
        self.assertIn("--- Apple's: exit status 1\nError: the file exists\n", page)

    def version(self):
        return subprocess.run([TOOL, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()

    def test_lies_are_found(self):
        status, output, page, rows = self.ask(
            "--guide", lies="extract verify blocks dot template replace zlib")
        self.assertEqual(status, 1, output)
        for error in (
                "of 5 packs with lzfse 5: Harbour: extract: 'Contents/Textures/Characters/gull.png' has other contents",
                "`aa` has no blocks of 4 MiB", "fails on `\"directory\": \".\"`",
                "every key and selector of Apple's tool is supported", "an existing output is not replaced",
                "Does it read our pack with zlib, for a list?: Error: the archive could not be read"):
            self.assertRegex(output, f"(?m)^error: .*{re.escape(error)}")
            self.assertIn(error.replace("|", "\\|")[:100], page)
        self.assertEqual(self.said(rows, "our packs with zlib 5?"), ["5 packs", "4 read", "not the same, **not read**"])
        self.assertEqual(self.said(rows, "Does `aa verify` find"), ["yes", "no", "not the same"])
        self.assertEqual(self.said(rows, "Does it read our pack with LZFSE")[2], "same")
        # Nothing else is refuted.
        wrong = [row for row in rows if "**" in row[4]]
        self.assertEqual(sum(row[0][0] != "a" for row in wrong), 5, wrong)

    @unittest.skipIf(shutil.which("aa") or shutil.which("xcrun"), "Apple's programs are here")
    def test_what_is_missing_is_not_asked(self):
        status, output, page, rows = self.ask(programs=(), parts="abcde")
        self.assertEqual(status, 0, output)
        self.assertIn("Apple's ba-package is not here: there is no 'xcrun'", page)
        self.assertIn(" 0 the same, 0 not the same, 0 as the guide says", page)
        for row in rows:
            self.assertIn("not asked", row[3])
        self.assertEqual(self.said(rows, "Do all tests pass")[1], "not asked: without --tests")

    def test_old_version(self):
        """Version 1 is not asked for what came with 2.0."""
        status, output, _, rows = self.ask("--guide", lies="old", programs=("xcrun",), parts="c")
        self.assertEqual(status, 0, output)
        self.assertEqual(self.said(rows, "with `sourceRoot`?")[1:], ["not asked: version 1.2", ""])
        self.assertIn("as the guide says", self.said(rows, "Is JSON5 accepted?")[2])

    @unittest.skipUnless(SERVE.is_file(), "there is no ba-serve beside the program")
    def test_servers(self):
        for lie in "", "versions":
            with self.subTest(lie):
                status, output, page, rows = self.ask("--keychain", parts="d", lies=lie, serve=True)
                self.assertEqual(status, 1 if lie else 0, output)
                self.assertGreaterEqual(len(rows), 20)
                verdict = self.said(rows, "`GET` of the list for iOS")[2]
                self.assertEqual(verdict.split(", ")[1], "**refuted**" if lie else "as the guide says")
                self.assertEqual(self.said(rows, "`GET` of an unknown pack")[2], "same")
                self.assertEqual(self.said(rows, "first ten bytes")[0][:3], "206")
                self.assertEqual(self.said(rows, "without `--port`")[1:], ["60382", "not the same"])
                # The keychain that was made is removed, and the list of keychains as before.
                log = pathlib.Path(f"{self.identity}.log").read_text().splitlines()
                self.assertEqual(log[-2:], ["list-keychains -d -s", "delete-keychain"])

    @unittest.skipUnless(SERVE.is_file(), "there is no ba-serve beside the program")
    def test_servers_without_keychain(self):
        status, output, _, rows = self.ask(parts="d", serve=True)
        self.assertEqual(status, 0, output)
        self.assertEqual(self.said(rows, "first ten bytes")[1], "not asked: without --keychain")
        self.assertFalse(self.identity.exists())
