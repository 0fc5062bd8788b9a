"""The small encoders of the fixtures against zlib and the LZFSE decoder."""

import random
import unittest
import zlib

from packlib import lzfse, make_deflate, make_lzfse


def samples():
    source = random.Random(11)
    yield b""
    yield b"a"
    yield b"abc" * 500
    yield bytes(70_000)
    for size in (7, 100, 3_000, 9_001):
        yield bytes(source.choice(b"aaaabcd\0") for _ in range(size))
        yield source.randbytes(size)
        yield b"".join(bytes([source.randrange(256)]) * source.randrange(1, 5_000) for _ in range(9))


class Deflate(unittest.TestCase):
    def test_zlib_reads_it(self):
        for raw in samples():
            for method in make_deflate.fixed, make_deflate.stored:
                data = make_deflate.zlib_stream(raw, method=method)
                self.assertEqual(zlib.decompress(data), raw)

    def test_runs_shrink(self):
        self.assertLess(len(make_deflate.fixed(bytes(70_000))), 800)


class LZFSE(unittest.TestCase):
    def test_every_kind_decodes(self):
        kinds = (make_lzfse.stored, make_lzfse.lzvn, make_lzfse.fse,
                 lambda raw: make_lzfse.fse(raw, plain=True))
        for raw in samples():
            for number, kind in enumerate(kinds):
                if raw or number == 0:
                    data = make_lzfse.stream(kind(raw))
                    self.assertEqual(lzfse.decode(data, len(raw)), raw)

    def test_mixed_kinds_decode(self):
        raw = [raw for raw in samples() if raw]
        data = make_lzfse.stream(*[
            (make_lzfse.stored, make_lzfse.lzvn, make_lzfse.fse)[i % 3](part)
            for i, part in enumerate(raw)])
        self.assertEqual(lzfse.decode(data, sum(map(len, raw))), b"".join(raw))

    def test_runs_shrink(self):
        self.assertLess(len(make_lzfse.fse(bytes(70_000))), 250)
        self.assertLess(len(make_lzfse.lzvn(bytes(70_000))), 600)
