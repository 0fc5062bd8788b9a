"""A strict reader of the outer layer of an .aar file: the block stream 'pbz?', or none at all.

open_container(file) looks at the first bytes and gives a Container (blocks of raw bytes) or, for an
bare archive stream, None. Only one block at a time is in memory.
"""

import struct
import zlib

from packlib import lzfse
from packlib.damage import Damage

MAX_BLOCK_SIZE = 64 << 20
CODECS = {"z": "zlib", "e": "LZFSE", "4": "LZ4", "x": "LZMA", "b": "LZBITMAP", "-": "none"}
BARE_MAGICS = (b"AA01", b"YAA1")


def open_container(file):
    """The Container that begins at the file's current position, or None for a bare stream."""
    magic = file.read(4)
    if magic in BARE_MAGICS:
        return None
    if magic == b"AEA1":
        raise Damage("encrypted", "an encrypted Apple archive", file=0)
    if magic == b"PK\x03\x04":
        raise Damage("zip", "a zip file: Android's libraries use .aar too", file=0)
    if magic[:3] != b"pbz":
        raise Damage("not-an-archive", f"the file begins with {magic!r}", file=0)
    letter = magic[3:].decode("latin-1")
    if len(magic) < 4:
        raise Damage("container-cut", "the container's header is cut", file=0)
    if letter not in CODECS:
        raise Damage("container-letter", f"unknown container letter {letter!r}", file=3)
    rest = file.read(8)
    if len(rest) < 8:
        raise Damage("container-cut", "the container's header is cut", file=4)
    block_size = struct.unpack(">Q", rest)[0]
    if not 0 < block_size <= MAX_BLOCK_SIZE:
        raise Damage("block-size", f"a block size of {block_size:,} bytes", file=4)
    return Container(file, letter, block_size)


class Block:
    """One block: its number, place and sizes, its payload; its bytes come from raw().

    checksum  the Adler-32 bytes of an inflated zlib block, after raw(): 4 or none; else None
    """

    __slots__ = ("number", "offset", "raw_size", "stored_size", "payload", "letter", "checksum")

    @property
    def is_stored(self):
        return self.raw_size == self.stored_size

    def damage(self, reason, message):
        return Damage(reason, message, block=self.number, file=self.offset)

    def raw(self):
        """The raw bytes; exactly raw_size of them."""
        if self.is_stored:
            return self.payload
        if self.letter == "z":
            return self._inflated()
        if self.letter == "e":
            try:
                raw = lzfse.decode(self.payload, self.raw_size)
            except Damage as damage:
                place = f" at byte {damage.where['file']} of the payload" if damage.where else ""
                raise self.damage(damage.reason, damage.message + place)
            if len(raw) != self.raw_size:
                raise self.damage("lzfse-short", f"{len(raw):,} raw bytes, {self.raw_size:,} stated")
            return raw
        if self.letter == "-":
            raise self.damage("packed-in-none", "a packed block in a container that packs nothing")
        raise self.damage("unsupported-codec", f"{CODECS[self.letter]} blocks can't be read here")

    def _inflated(self):
        header = self.payload[:2]
        if (len(header) < 2 or header[0] & 15 != 8 or (header[0] << 8 | header[1]) % 31
                or header[1] & 0x20):
            raise self.damage("zlib-header", f"bad zlib header {header.hex() or 'of no bytes'}")
        stream = zlib.decompressobj(-15)
        try:
            raw = stream.decompress(memoryview(self.payload)[2:], self.raw_size + 1)
        except zlib.error as error:
            raise self.damage("zlib-data", f"bad deflate data: {error}")
        if len(raw) > self.raw_size:
            raise self.damage("zlib-long", f"inflates to more than {self.raw_size:,} bytes")
        if not stream.eof:
            raise self.damage("zlib-cut", "the deflate stream has no end")
        if len(raw) < self.raw_size:
            raise self.damage("zlib-short", f"{len(raw):,} raw bytes, {self.raw_size:,} stated")
        tail = stream.unused_data
        if len(tail) > 4:
            raise self.damage("zlib-trailing", f"{len(tail) - 4} bytes after the zlib stream")
        if tail and tail != struct.pack(">I", zlib.adler32(raw)):
            raise self.damage("zlib-checksum", f"Adler-32 {zlib.adler32(raw):08x}, "
                              f"the block says {tail.hex()}")
        self.checksum = tail
        return raw


class Container:
    """The blocks of a file, checked one after the other while they are read."""

    def __init__(self, file, letter, block_size):
        self.file, self.letter, self.block_size = file, letter, block_size

    def blocks(self):
        number, offset, short = 0, 12, None
        while True:
            header = self.file.read(16)
            if not header:
                return
            block = Block()
            block.number, block.offset, block.letter = number, offset, self.letter
            block.checksum = None
            if len(header) < 16:
                raise block.damage("block-header-cut", "a block's header is cut")
            if short is not None:
                raise short
            block.raw_size, block.stored_size = struct.unpack(">QQ", header)
            if block.raw_size > self.block_size:
                raise block.damage("raw-size", f"raw size {block.raw_size:,} in a container of "
                                   f"{self.block_size:,}-byte blocks")
            if block.stored_size > self.block_size:
                raise block.damage("stored-size", f"stored size {block.stored_size:,} in a "
                                   f"container of {self.block_size:,}-byte blocks")
            if block.raw_size == 0:
                raise block.damage("block-empty", "a block of 0 raw bytes")
            if block.raw_size < self.block_size:
                short = block.damage("block-short", f"{block.raw_size:,} raw bytes in a block "
                                     "that is not the last")
            block.payload = self.file.read(block.stored_size)
            if len(block.payload) < block.stored_size:
                raise block.damage("block-cut", f"{block.stored_size:,} payload bytes stated, "
                                   f"{len(block.payload):,} left")
            yield block
            number += 1
            offset += 16 + block.stored_size
