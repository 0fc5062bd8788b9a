"""A small deflate encoder whose bytes depend on no library: stored or fixed-Huffman blocks."""

import struct
import zlib

LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83,
               99, 115, 131, 163, 195, 227, 258]
LENGTH_EXTRA = [0] * 8 + [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4 + [5] * 4 + [0]
DISTANCE_BASE = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769,
                 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577]
DISTANCE_EXTRA = [0, 0] + [bits for bits in range(14) for _ in (0, 1)]


class _Bits:
    def __init__(self):
        self.value, self.count, self.bytes = 0, 0, bytearray()

    def put(self, value, count):
        self.value |= value << self.count
        self.count += count
        while self.count >= 8:
            self.bytes.append(self.value & 0xFF)
            self.value >>= 8
            self.count -= 8

    def code(self, value, count):
        """A Huffman code, with its highest bit first."""
        self.put(int(format(value, f"0{count}b")[::-1], 2), count)

    def finish(self):
        if self.count:
            self.put(0, 8 - self.count)
        return bytes(self.bytes)


def _symbol(bits, symbol):
    if symbol < 144:
        bits.code(0x30 + symbol, 8)
    elif symbol < 256:
        bits.code(0x190 + symbol - 144, 9)
    elif symbol < 280:
        bits.code(symbol - 256, 7)
    else:
        bits.code(0xC0 + symbol - 280, 8)


def _last_at_most(bases, value):
    return max(index for index, base in enumerate(bases) if base <= value)


def fixed(raw, window=32768):
    """One fixed-Huffman block with greedy matches no further back than `window`."""
    bits, at, places = _Bits(), 0, {}
    bits.put(1, 1)
    bits.put(1, 2)
    while at < len(raw):
        key = raw[at:at + 3]
        place = places.get(key) if len(key) == 3 else None
        length = 0
        if place is not None and at - place <= window:
            while length < 258 and at + length < len(raw) and raw[place + length] == raw[at + length]:
                length += 1
        if length >= 3:
            code = _last_at_most(LENGTH_BASE, length)
            _symbol(bits, 257 + code)
            bits.put(length - LENGTH_BASE[code], LENGTH_EXTRA[code])
            code = _last_at_most(DISTANCE_BASE, at - place)
            bits.code(code, 5)
            bits.put(at - place - DISTANCE_BASE[code], DISTANCE_EXTRA[code])
        else:
            _symbol(bits, raw[at])
            length = 1
        places[key] = at
        at += length
    _symbol(bits, 256)
    return bits.finish()


def stored(raw, last=True):
    """Stored blocks of at most 65,535 bytes."""
    parts = [raw[at:at + 65535] for at in range(0, len(raw), 65535)] or [b""]
    return b"".join(struct.pack("<BHH", last and part is parts[-1], len(part), len(part) ^ 0xFFFF) + part
                    for part in parts)


def adler(raw):
    return struct.pack(">I", zlib.adler32(raw))


def zlib_stream(raw, header=b"\x78\x5e", method=fixed, checksum=None):
    """A complete RFC 1950 stream; `checksum` replaces the right Adler-32."""
    return header + method(raw) + (adler(raw) if checksum is None else checksum)
