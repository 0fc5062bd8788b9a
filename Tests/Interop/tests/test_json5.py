"""The JSON5 reader of the checker, and what it says of manifests that were fixed."""

import json
import random
import re
import subprocess
import unittest

from packlib import json5
from tests.tool import SEED, TOOL, ToolTest, environment


class JSON5(unittest.TestCase):
    def test_plain_json_reads_as_with_the_library(self):
        for text in ('{"a": [1, -2.5, 1e3, "x\\u00e9\\n\\ud83d\\ude00", true, false, null, {}, []]}',
                     '  "text"  ', "[[[]]]", "0"):
            with self.subTest(text):
                self.assertEqual(json5.parse(text), json.loads(text))
                self.assertTrue(json5.is_plain(text.encode()))

    def test_freedoms(self):
        text = """// first
        {a: 'it\\'s', "b": [1, 2,], /* c: 3, */ $d: +0x1F, e: .5, f: 5., 'g': "a\\
b",}"""
        self.assertEqual(json5.parse(text, pairs=list), [
            ("a", "it's"), ("b", [1, 2]), ("$d", 31), ("e", 0.5), ("f", 5.0), ("g", "ab")])
        self.assertFalse(json5.is_plain(text.encode()))

    def test_damage(self):
        for text in ("", "{", "[1 2]", "{a 1}", "'x", "[1]]", "{,}", "[,]"):
            with self.subTest(text), self.assertRaises(ValueError):
                json5.parse(text)

    def test_not_plain(self):
        for data in (b"[1,]", b"\xff", b"NaN", b"{a:1}", b"'x'", b"// x\n1"):
            with self.subTest(data):
                self.assertFalse(json5.is_plain(data))


class Fixes(ToolTest):
    TEXT = """{
  "assetPackID": "harbour",
  "downloadPolicy": { "essential": { "installationEventTypes": ["firstInstallation", "subsequentUpdate"] } },
  "fileSelectors": [{ "file": "a.txt" }, { "directory": "d" }, { "fileSource": "x", "fileDestination": "y" }],
  "platforms": ["iOS", "macOS"], "language": "de-DE",
  "userInfo": { "a": [1, true, null, "s"], "b": { "c": 1.5 } }
}
"""
    TYPOS = [("ID", "Id"), ("Policy", "Polcy"), ("ectors", "ektors"), ("macOS", "macos"), ("-DE", "_DE"),
             ("true", "True"), ('": ', '" = '), ("], ", "]; "), (", ", "\u00a0,"), ('", "', '" "')]

    def mistaken(self, source):
        """The text without a quote or a bracket, or with one too many; and with a few typos."""
        text = self.TEXT
        for old, new in source.sample(self.TYPOS, source.randrange(4)):
            text = text.replace(old, new, 1)
        start = source.choice([at for at, byte in enumerate(text) if byte in '"[]{},:'])
        rest = text[start + source.randrange(2):]
        return text[:start] + source.choice(["", "", '"', "\u201d", "[", "}", ","]) + rest

    def words(self, text):
        """All words and numbers, in their order, without the typos."""
        text = text.lower().replace("polcy", "policy").replace("ektors", "ectors")
        return re.findall(r"[a-z0-9]+", text)

    def test_what_is_fixed_can_be_read_and_what_cannot_be_fixed_stays(self):
        source, before = random.Random(SEED), {}
        for number in range(1500):
            path = self.repository / f"{number}.json"
            path.write_text(text := self.mistaken(source), "utf-8")
            before[path] = text
        subprocess.run([TOOL, "validate", "--fix", "--hosting", "self", self.repository], env=environment(),
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        fixed = [path for path, text in before.items() if path.read_text("utf-8") != text]
        self.assertGreater(len(fixed), 150)
        for path in fixed:
            try:
                json5.parse(path.read_text("utf-8"))
            except ValueError as error:
                self.fail(f"{error}: {before[path]}\n->\n{path.read_text('utf-8')}")
            self.assertEqual(self.words(path.read_text("utf-8")), self.words(before[path]))
