"""The JSON5 reader of the checker."""

import json
import unittest

from packlib import json5


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
