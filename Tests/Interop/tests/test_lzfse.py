"""The LZFSE decoder against the vectors of Fixtures/lzfse."""

import hashlib
import json
import pathlib
import unittest

from packlib import lzfse
from packlib.damage import Damage

VECTORS = pathlib.Path(__file__).parents[3] / "Fixtures" / "lzfse"
INDEX = json.loads((VECTORS / "index.json").read_text())


def stream(name):
    return (VECTORS / name).read_bytes()


class Vectors(unittest.TestCase):
    def test_good_streams_decode(self):
        for vector in INDEX["good"]:
            with self.subTest(vector["file"]):
                raw = lzfse.decode(stream(vector["file"]), vector["raw_size"])
                self.assertEqual(len(raw), vector["raw_size"])
                self.assertEqual(hashlib.sha256(raw).hexdigest(), vector["raw_sha256"])
                if vector["raw"]:
                    self.assertEqual(raw, stream(vector["raw"]))

    def test_bad_streams_are_refused(self):
        reasons = {}
        for vector in INDEX["bad"]:
            with self.subTest(vector["file"]), self.assertRaises(Damage) as caught:
                lzfse.decode(stream(vector["file"]), vector["limit"])
            reasons[vector["file"]] = caught.exception.reason
        self.assertEqual(reasons, REASONS)

    def test_one_byte_less_than_the_limit_is_refused(self):
        for vector in INDEX["good"]:
            if vector["raw_size"]:
                with self.subTest(vector["file"]), self.assertRaises(Damage) as caught:
                    lzfse.decode(stream(vector["file"]), vector["raw_size"] - 1)
                self.assertEqual(caught.exception.reason, "lzfse-limit")

    def test_prefixes_are_refused(self):
        for vector in INDEX["good"]:
            data = stream(vector["file"])
            cuts = range(len(data)) if len(data) < 300 else range(0, len(data), len(data) // 40)
            for cut in cuts:
                with self.subTest(vector["file"], cut=cut), self.assertRaises(Damage):
                    lzfse.decode(data[:cut], vector["raw_size"])

    def test_flipped_bits_are_refused_or_end_in_bytes(self):
        for name, ranges in INDEX["flips"].items():
            size = next(v["raw_size"] for v in INDEX["good"] if v["file"] == name)
            must = {bit for first, last in ranges for bit in range(first, last + 1)}
            data = bytearray(stream(name))
            for bit in range(len(data) * 8):
                data[bit // 8] ^= 1 << bit % 8
                try:
                    lzfse.decode(data, size)
                    self.assertNotIn(bit, must, f"{name}: bit {bit} must be rejected")
                except Damage:
                    pass
                data[bit // 8] ^= 1 << bit % 8


REASONS = {
    "no-end.bad": "lzfse-cut",
    "cut-payload.bad": "lzfse-cut",
    "bad-magic.bad": "lzfse-magic",
    "raw-short.bad": "lzfse-cut",
    "v2-raw-size.bad": "lzfse-raw-size",
    "v2-literal-count.bad": "lzfse-literals",
    "v2-literal-limit.bad": "lzfse-literals",
    "v2-literal-payload.bad": "lzfse-padding",
    "v2-triplet-limit.bad": "lzfse-matches",
    "v2-literal-bits.bad": "lzfse-padding",
    "v2-literal-state.bad": "lzfse-final-state",
    "v2-triplet-payload.bad": "lzfse-padding",
    "v2-triplet-bits.bad": "lzfse-literals-run-out",
    "v2-state.bad": "lzfse-state",
    "v2-no-tables.bad": "lzfse-header-size",
    "v2-tables-end.bad": "lzfse-tables",
    "v2-sum.bad": "lzfse-sum",
    "v2-repeat-first.bad": "lzfse-distance",
    "v2-distance.bad": "lzfse-distance",
    "v2-literals-run-out.bad": "lzfse-bits",
    "vn-distance-0.bad": "lzvn-distance",
    "vn-first-match.bad": "lzvn-distance",
    "vn-undefined.bad": "lzvn-opcode",
    "vn-after-end.bad": "lzvn-end",
    "too-much-output.bad": "lzfse-limit",
}