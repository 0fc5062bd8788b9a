"""An encoder of Apple Archive files that can write everything the format knows, and what it forbids.

Fields are values (Field); an entry is a list of them (entry), a stream a list of entries. What a
Stream contains is described along with its bytes, from the same values, for the index of the fixtures.
"""

import hashlib
import json
import struct
import zlib

from packlib.make_deflate import zlib_stream

INTEGERS = {"1": 1, "2": 2, "4": 4, "8": 8}
BLOBS = {"A": 2, "B": 4, "C": 8}
HASHES = {"F": lambda data: struct.pack("<I", zlib.crc32(data)),
          "G": lambda data: hashlib.sha1(data).digest(),
          "H": lambda data: hashlib.sha256(data).digest(),
          "I": lambda data: hashlib.sha384(data).digest(),
          "J": lambda data: hashlib.sha512(data).digest()}
NAMES = {"PAT": "path", "LNK": "link", "UID": "user", "GID": "group", "MOD": "mode", "FLG": "flags",
         "HLC": "hardLinkGroup", "CLC": "cloneGroup", "SLC": "sameDataGroup", "MTM": "modified",
         "CTM": "created", "BTM": "backup", "CKS": "crc32", "SH1": "sha1", "SH2": "sha256",
         "SH3": "sha384", "SH5": "sha512"}
EPOCH = 978307200
MANIFEST = {
    "assetPackID": "fixture",
    "downloadPolicy": {"essential": {"installationEventTypes": ["firstInstallation"]}},
    "fileSelectors": [{"directory": "data"}],
    "platforms": [],
}


class Field:
    """A header field. For a blob `value` is its contents, and `size` may lie about them."""

    def __init__(self, key, subtype, value=None, size=None):
        self.key, self.subtype, self.value, self.size = key, subtype, value, size

    def header(self):
        name = (self.key + self.subtype).encode("latin-1")
        if self.subtype in INTEGERS:
            return name + self.value.to_bytes(INTEGERS[self.subtype], "little")
        if self.subtype == "P":
            return name + struct.pack("<H", len(self.value) if self.size is None else self.size) \
                + self.value
        if self.subtype == "S":
            return name + struct.pack("<q", self.value[0])
        if self.subtype == "T":
            return name + struct.pack("<qI", *self.value)
        if self.subtype in BLOBS:
            size = len(self.value) if self.size is None else self.size
            return name + size.to_bytes(BLOBS[self.subtype], "little")
        return name + (self.value or b"")

    @property
    def contents(self):
        return self.value if self.subtype in BLOBS else b""


def uint(key, value, width=None):
    """An integer field, in the smallest width unless one is given."""
    return Field(key, width or next(w for w in "1248" if value < 256 ** int(w)), value)


def text(key, value):
    return Field(key, "P", value.encode() if isinstance(value, str) else value)


def time(key, seconds, nanoseconds=0, subtype=None):
    return Field(key, subtype or ("T" if nanoseconds else "S"), (seconds, nanoseconds))


def blob(key, data, width=None, size=None):
    """A blob field, in the smallest width unless one is given; `size` overrides its length."""
    return Field(key, width or next(w for w in "ABC" if len(data) < 256 ** BLOBS[w]), data, size)


def digest(key, subtype, data):
    return Field(key, subtype, HASHES[subtype](data))


def kind(letter, width="1"):
    return Field("TYP", width, ord(letter))


def directory(path, *more, mode=0o755):
    return [kind("D"), text("PAT", path), uint("MOD", mode), time("MTM", EPOCH), *more]


def file(path, data, *more, mode=0o644):
    data = data.encode() if isinstance(data, str) else data
    return [kind("F"), text("PAT", path), uint("MOD", mode), time("MTM", EPOCH), blob("DAT", data),
            *more]


def link(path, target, *more):
    return [kind("L"), text("PAT", path), text("LNK", target), uint("MOD", 0o755),
            time("MTM", EPOCH), *more]


def manifest(**changes):
    """The last entry of a pack."""
    return file("Manifest.json", json.dumps({**MANIFEST, **changes}, indent=2) + "\n")


def root():
    return [directory(""), directory("Contents")]


def entry(fields, magic=b"AA01", size=None):
    """The bytes of an entry: its header, whose size may lie, and its blobs."""
    body = b"".join(field.header() for field in fields)
    header = magic + struct.pack("<H", 6 + len(body) if size is None else size) + body
    return header + b"".join(field.contents for field in fields)


def pack(*entries, **changes):
    """The entries of an asset pack around those given."""
    return [*root(), *entries, manifest(**changes)]


def stream(entries, magic=b"AA01"):
    return b"".join(fields if isinstance(fields, bytes) else entry(fields, magic)
                    for fields in entries)


def describe(fields):
    """What the reader must find in an entry."""
    said = {}
    for field in fields:
        if field.key == "TYP":
            said["type"] = chr(field.value)
        elif field.subtype in BLOBS:
            said[field.key] = {"size": len(field.value),
                               "sha256": hashlib.sha256(field.value).hexdigest()}
        elif field.key in NAMES:
            value = field.value
            if field.subtype == "P":
                value = value.decode()
            elif field.subtype in HASHES:
                value = value.hex()
            said[NAMES[field.key]] = list(value) if isinstance(value, tuple) else value
    return said


# The container


def store(raw):
    return raw


def container(raw, letter="z", block_size=64, methods=(zlib_stream,), clip=True):
    """A 'pbz?' container. The methods alternate: each makes a payload of a block's uncompressed bytes.
    A payload that is not smaller is replaced by the raw bytes, unless `clip` is false."""
    parts = [raw[at:at + block_size] for at in range(0, len(raw), block_size)]
    blocks = []
    for number, part in enumerate(parts):
        payload = methods[number % len(methods)](part)
        if clip and len(payload) >= len(part):
            payload = part
        blocks.append(block(len(part), payload))
    return container_header(letter, block_size) + b"".join(blocks)


def container_header(letter="z", block_size=64):
    return b"pbz" + letter.encode("latin-1") + struct.pack(">Q", block_size)


def block(raw_size, payload, stored_size=None):
    return struct.pack(">QQ", raw_size, len(payload) if stored_size is None else stored_size) + payload


def count_blocks(data):
    """The numbers of blocks and of stored blocks in a valid container."""
    at, blocks, stored = 12, 0, 0
    while at < len(data):
        raw_size, stored_size = struct.unpack_from(">QQ", data, at)
        blocks, stored = blocks + 1, stored + (raw_size == stored_size)
        at += 16 + stored_size
    return blocks, stored
