"""Archives that state much in few bytes: no reader takes more than 256 MiB, whatever they say."""

import pathlib
import resource
import shutil
import struct
import tempfile
import zlib

from harness import Row, crash
from limits import MIB, least_memory

BLOCK = 1 << 20
CEILING = 256
MANIFEST = b"""{"assetPackID": "heavy", "downloadPolicy": {"onDemand": {}},
"fileSelectors": [{"directory": "d"}], "platforms": []"""


def entry(kind, path, *fields, contents=None):
    header = b"TYP1" + kind + b"PATP" + struct.pack("<H", len(path)) + path + b"".join(fields)
    if contents is not None:
        header += b"DATC" + struct.pack("<Q", len(contents))
    return b"AA01" + struct.pack("<H", 6 + len(header)) + header + (contents or b"")


def packed(stream, block=BLOCK):
    """The stream as a zlib container."""
    out = [b"pbzz" + struct.pack(">Q", block)]
    for at in range(0, len(stream), block):
        raw = stream[at:at + block]
        small = zlib.compress(raw, 1)
        if len(small) >= len(raw):
            small = raw
        out += [struct.pack(">QQ", len(raw), len(small)), small]
    return b"".join(out)


def tree(entries):
    return b"".join([entry(b"D", b""), entry(b"D", b"Contents"), *entries])


def link(target):
    return b"LNKP" + struct.pack("<H", len(target)) + target


def integers():
    """Every number that an entry may have, each as small as can be."""
    keys = b"UID GID MOD FLG SIZ DUZ IDX IDZ INO NLK HLC CLC SLC DEV".split()
    return b"".join(key + b"1\1" for key in keys)


def archives():
    """Name and maker of each."""
    def many(count, name=b"Contents/%07d", *fields):
        return packed(tree(entry(b"F", name % i, *fields, contents=b"") for i in range(count)))

    def manifest(values):
        text = MANIFEST + b', "userInfo": {"x": [' + values + b"]}}"
        return packed(tree([entry(b"F", b"Manifest.json", contents=text)]))

    yield "the most entries", lambda: many((1 << 18) - 2)
    yield "1,100,000 entries", lambda: many(1_100_000)
    yield "long targets of files", lambda: many(8_800, b"Contents/%07d", link(b"t" * 60_000))
    yield "long targets of links", lambda: packed(tree(
        entry(b"L", b"Contents/%07d" % i, link(b"t" * 1_023)) for i in range(200_000)))
    yield "long paths", lambda: many(200_000, b"Contents/" + b"p" * 240 + b"/" + b"q" * 240 + b"%07d")
    yield "paths that need escapes", lambda: many(
        58_000, b"Contents/" + (b"\xff" * 240 + b"/") * 4 + b"%07d")
    yield "deep paths", lambda: many(50_000, b"Contents/" + b"a/" * 250 + b"%07d")
    yield "20 million directories without entries", lambda: many(
        40_000, b"Contents/%07d/" + b"x/" * 500 + b"f")
    yield "the most directories without entries", lambda: many(
        99_000, b"Contents/" + b"%07d" + b"p" * 200 + b"/" + b"q" * 250)
    yield "many fields", lambda: many(1 << 18, b"Contents/%07d", integers())
    yield "large blocks", lambda: packed(tree(
        entry(b"F", b"Contents/%d" % i, contents=bytes(64 << 20)) for i in range(3)), 64 << 20)
    yield "many blocks", lambda: b"pbzz" + struct.pack(">Q", 1) + b"".join(
        struct.pack(">QQ", 1, 1) + b"A" for _ in range(3_000_000))
    yield "a manifest of values", lambda: manifest(b"0," * 7_000_000 + b"0")
    yield "a manifest of objects", lambda: manifest(b'{"a":[]},' * 1_000_000 + b"0")


COMMANDS = (
    ["list", "x.aar"], ["list", "--format", "json", "x.aar"], ["info", "x.aar"], ["verify", "x.aar"],
    ["verify", "--against", ".", "x.aar"], ["diff", "x.aar", "x.aar"],
    ["extract", "x.aar", "-o", "out", "--only", "Contents/0000001"],
    ["cat", "x.aar", "0000001"],
    ["report", "x.aar", "--format", "json", "-fo", "report.json"], ["report", "x.aar", "-fo", "report.html"],
    ["download-manifest", "create", "x.aar", "--ios", "--download-base-url", "https://h", "-o",
     "d.json"],
)


def bounded(lab, folder, name, words, limit):
    shutil.rmtree(folder / "out", ignore_errors=True)
    result = lab.run(
        [*words, "-j", "2"], folder, timeout=600,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit * MIB, limit * MIB)))
    wrong = crash(result)
    if wrong or result.code not in (0, 2 if words[0] == "diff" else 1):
        return f"{name}, {words[0]}: {wrong or result.code}: {result.err[:200]!r}"
    if b"memory" in result.err and b"of their names" not in result.err:
        return f"{name}, {words[0]}: {result.err[:200]!r}"
    return None


def attacks(lab):
    least = least_memory(lab)
    row = Row("archives that ask for memory", note=f"within {CEILING} MiB")
    jobs = lab.sample(
        [(name, make, words) for name, make in archives() for words in COMMANDS], 8)
    made = None
    with tempfile.TemporaryDirectory(dir=lab.scratch) as scratch:
        folder = pathlib.Path(scratch)
        for name, make, words in jobs:
            if made != name:
                (folder / "x.aar").write_bytes(make())
                made = name
            row.runs += 1
            failure = bounded(lab, folder, name, words, least + CEILING)
            if failure:
                row.failures.append(failure)
    yield row
