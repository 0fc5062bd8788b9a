#!/usr/bin/env python3
"""A second reader of asset packs, written from the article "The archive of an asset pack" alone.

    reader.py list PACK | reader.py extract PACK FOLDER
"""

import os
import pathlib
import struct
import sys
import zlib


def expect(condition, message):
    if not condition:
        raise ValueError(message)


def stream_of(data):
    """The archive stream inside a container, or the data itself if it is a bare stream."""
    if data[:4] in (b"AA01", b"YAA1"):
        return data
    expect(data[:3] == b"pbz" and len(data) >= 12, "neither a container nor a bare stream")
    letter, limit = data[3:4], int.from_bytes(data[4:12], "big")
    stream, at = [], 12
    while at < len(data):
        raw, stored = struct.unpack_from(">QQ", data, at)
        payload = data[at + 16:at + 16 + stored]
        at += 16 + stored
        fits = 0 < raw <= limit and stored <= limit and at <= len(data)
        expect(fits and (raw == limit or at == len(data)), "a block of a wrong size")
        if raw != stored:
            expect(letter in b"ze", "a compressed block of an algorithm that this reader lacks")
            payload = lzfse(payload, raw) if letter == b"e" else inflated(payload, raw)
        stream.append(payload)
    return b"".join(stream)


def inflated(payload, size):
    header = int.from_bytes(payload[:2], "big")
    expect(header >> 8 & 15 == 8 and header % 31 == 0 and not header & 32, "no zlib header")
    inflater = zlib.decompressobj(-15)
    raw = inflater.decompress(payload[2:], size + 1)
    expect(inflater.eof and len(raw) == size, "the deflate data does not fit the block")
    # Some encoders leave the checksum out.
    expect(inflater.unused_data in (b"", zlib.adler32(raw).to_bytes(4, "big")), "a wrong Adler-32")
    return raw


# The alphabets of LZFSE: the extra bits of each symbol, and log2 of the number of states.
ALPHABETS = [
    ([0] * 16 + [2, 3, 5, 8], 6), ([0] * 16 + [3, 5, 8, 11], 6),
    ([symbol // 4 for symbol in range(64)], 8), ([0] * 256, 10)]


def lzfse(data, size):
    out, at = bytearray(), 0
    while True:
        magic = data[at:at + 4]
        if magic == b"bvx$":
            expect(at + 4 == len(data) and len(out) == size, "an LZFSE stream of another size")
            return bytes(out)
        raw = int.from_bytes(data[at + 4:at + 8], "little")
        end = len(out) + raw
        expect(end <= size, "too many bytes in an LZFSE stream")
        if magic == b"bvx-":
            out += data[at + 8:at + 8 + raw]
            at += 8 + raw
        elif magic == b"bvxn":
            length = int.from_bytes(data[at + 8:at + 12], "little")
            lzvn(data[at + 12:at + 12 + length], out, end)
            at += 12 + length
        else:
            expect(magic in (b"bvx1", b"bvx2"), "an unknown kind of LZFSE block")
            at = fse(data, at, magic, out)
        expect(len(out) == end, "an LZFSE block of another size than stated")


def copy(out, count, distance):
    expect(0 < (distance or 0) <= len(out), "a match before the start")
    for _ in range(count):
        out.append(out[-distance])


class Bits:
    """Reads fields from the end of a payload down to its start."""
    def __init__(self, payload, padding):
        self.value, self.left = int.from_bytes(payload, "little"), 8 * len(payload) + padding
        expect(-8 < padding <= 0 <= self.left and not self.value >> self.left, "bad LZFSE padding")

    def read(self, count):
        self.left -= count
        expect(self.left >= 0, "an LZFSE payload is used up")
        return self.value >> self.left & ((1 << count) - 1)


class Symbols:
    """The decoder of one alphabet: a table of states, and one or several current states."""
    def __init__(self, alphabet, frequencies, states):
        self.extra, bits = ALPHABETS[alphabet]
        self.bases, self.table, self.states = [0], [], list(states)
        for width in self.extra:
            self.bases.append(self.bases[-1] + (1 << width))
        for symbol, count in enumerate(frequencies):
            shift = bits - (count.bit_length() - 1)
            first = (1 << count.bit_length()) - count
            for j in range(count):
                self.table.append(
                    (symbol, shift, (count + j << shift) - (1 << bits)) if j < first
                    else (symbol, shift - 1, (j - first) << shift - 1))
        expect(len(self.table) == 1 << bits, "frequencies of an LZFSE block that don't add up")

    def next(self, source, which=0):
        symbol, bits, base = self.table[self.states[which]]
        extra = self.extra[symbol]
        value = source.read(bits + extra)
        self.states[which] = base + (value >> extra)
        return self.bases[symbol] + (value & ((1 << extra) - 1))


def fse(data, at, magic, out):
    if magic == b"bvx1":
        literals, triplets, literal_size, triplet_size, literal_bits, *rest = struct.unpack_from(
            "<12x4Ii4Hi3H", data, at)
        literal_states, triplet_bits, states = rest[:4], rest[4], rest[5:]
        frequencies, start = struct.unpack_from("<360H", data, at + 50), at + 772
    else:
        a, b, c = struct.unpack_from("<QQQ", data, at + 8)
        literals, literal_size, triplets = (a >> shift & 0xFFFFF for shift in (0, 20, 40))
        literal_bits, triplet_bits = (a >> 60 & 7) - 7, (b >> 60 & 7) - 7
        literal_states, triplet_size = [b >> 10 * i & 1023 for i in range(4)], b >> 40 & 0xFFFFF
        start, states = at + (c & 0xFFFFFFFF), [c >> shift & 1023 for shift in (32, 42, 52)]
        frequencies = packed_frequencies(data[at + 32:start])
    middle, end = start + literal_size, start + literal_size + triplet_size
    expect(end <= len(data), "an LZFSE block is cut")
    expect(literals % 4 == 0 and literals <= 40_000 and triplets <= 10_000, "LZFSE counts")
    source, bytes_left, taken = Bits(data[start:middle], literal_bits), [], 0
    if literals:
        symbols = Symbols(3, frequencies[104:], literal_states)
        bytes_left = [symbols.next(source, i % 4) for i in range(literals)]
        expect(not any(symbols.states), "LZFSE literals end in another state")
    expect(source.left == 0, "bits of LZFSE literals are left")
    source, previous = Bits(data[middle:end], triplet_bits), None
    if triplets:
        tables = frequencies[:20], frequencies[20:40], frequencies[40:104]
        decoders = [Symbols(i, tables[i], [states[i]]) for i in range(3)]
        for _ in range(triplets):
            length, match, distance = (decoder.next(source) for decoder in decoders)
            previous = distance or previous
            expect(taken + length <= literals, "an LZFSE block uses up its literals")
            out += bytes(bytes_left[taken:taken + length])
            taken += length
            copy(out, match, previous)
        expect(not any(decoder.states[0] for decoder in decoders), "triplets end in another state")
    expect(source.left == 64 and literals - taken < 4, "bits or literals of an LZFSE block are left")
    return end


def packed_frequencies(table):
    bits, length, values = int.from_bytes(table, "little"), 8 * len(table), []
    for _ in range(360):
        low = bits & 31
        size, value = next(found for mask, code, found in (
            (3, 0, (2, 0)), (3, 2, (2, 1)), (7, 1, (3, 2)), (7, 5, (3, 3)),
            (7, 3, (5, 4 + (low >> 3))), (15, 7, (8, 8 + (bits >> 4 & 15))),
            (15, 15, (14, 24 + (bits >> 4 & 1023)))) if low & mask == code)
        values.append(value)
        bits, length = bits >> size, length - size
    expect(0 <= length < 8, "LZFSE tables of another size than stated")
    return values


def lzvn(code, out, end):
    at, previous = 0, None
    while True:
        op, rest = code[at], code[at + 1:at + 3] + b"\0\0"
        word = rest[0] | rest[1] << 8
        if op == 6:
            expect(at + 8 == len(code) and len(out) == end, "LZVN data of another size")
            return
        literals, match, size = 0, 0, 1
        if op in (30, 38, 46, 54, 62) or op >> 4 in (7, 13):
            raise ValueError("an undefined LZVN code")
        elif op >> 5 == 5:
            literals, match, size = op >> 3 & 3, (op & 7) * 4 + (word & 3) + 3, 3
            previous = word >> 2
        elif op >> 4 == 14:
            literals, size = (op & 15, 1) if op & 15 else (rest[0] + 16, 2)
        elif op >> 4 == 15:
            match, size = (op & 15, 1) if op & 15 else (rest[0] + 16, 2)
        elif op not in (14, 22):
            literals, match = op >> 6, (op >> 3 & 7) + 3
            if op & 7 == 7:
                previous, size = word, 3
            elif op & 7 != 6:
                previous, size = (op & 7) << 8 | rest[0], 2
        expect(at + size + literals <= len(code), "an LZVN code is cut")
        expect(len(out) + literals + match <= end, "too many bytes of LZVN")
        out += code[at + size:at + size + literals]
        at += size + literals
        if match:
            copy(out, match, previous)


SIZES = dict(zip("*1248PSTFGHIJABC", (0, 1, 2, 4, 8, 2, 8, 12, 4, 20, 32, 48, 64, 2, 4, 8)))
TYPES = {key: types for types, keys in {
    "1248": "TYP UID GID MOD FLG SIZ DUZ IDX IDZ INO NLK HLC CLC SLC DEV", "P": "PAT LNK",
    "ST": "MTM CTM BTM", "ABC": "DAT XAT ACL YAF YEC", "F": "CKS", "G": "SH1", "H": "SH2",
    "I": "SH3", "J": "SH5"}.items() for key in keys.split()}


def entries(stream):
    """Each entry: its fields by key, with integers and bytes as values, and a DAT's contents."""
    at = 0
    while at < len(stream):
        expect(stream[at:at + 4] in (b"AA01", b"YAA1"), "no entry where one should begin")
        size = int.from_bytes(stream[at + 4:at + 6], "little")
        header, fields, blobs, field = stream[at:at + size], {}, [], 6
        expect(6 <= size == len(header), "a header is cut")
        while field < size:
            key, subtype = header[field:field + 3].decode("ascii"), chr(header[field + 3])
            expect(key.isprintable() and " " not in key, "a key that is no word")
            expect(key not in TYPES or key not in fields and subtype in TYPES[key], "a wrong field")
            field += 4
            length = SIZES[subtype]
            if subtype == "P":
                field, length = field + 2, int.from_bytes(header[field:field + 2], "little")
            expect(field + length <= size, "a field is cut")
            value = header[field:field + length]
            field += length
            expect(subtype != "P" or 0 not in value, "a NUL in a string")
            expect(subtype != "T" or int.from_bytes(value[8:], "little") < 10**9, "nanoseconds")
            fields[key] = int.from_bytes(value, "little") if subtype in "1248ABC" else value
            if subtype in "ABC":
                blobs.append((key, fields[key]))
        expect(chr(fields["TYP"]) in "FDLPCBSWRTM", "an entry of an unknown type")
        expect("PAT" in fields or fields["TYP"] == ord("M"), "an entry without a path")
        at += size
        for key, length in blobs:
            expect(at + length <= len(stream), "contents are cut")
            fields[key] = stream[at:at + length]
            at += length
        yield fields


def main(action, pack, folder=""):
    for entry in entries(stream_of(pathlib.Path(pack).read_bytes())):
        kind, contents = chr(entry["TYP"]), entry.get("DAT", b"")
        path = os.fsdecode(entry.get("PAT", b""))
        expect(path[:1] != "/" and ".." not in path.split("/"), "a path leads out")
        place = pathlib.Path(folder, path)
        if action == "list":
            print(kind, f"{entry.get('MOD', 0):04o}", len(contents), path)
        elif kind == "D":
            place.mkdir(parents=True, exist_ok=True)
        elif kind == "F":
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(contents)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (ValueError, IndexError, KeyError, struct.error, zlib.error) as damage:
        sys.exit(f"{sys.argv[2]}: {damage}")
