"""Checks that an asset pack is just what ba-package must write for a repository.

    python3 -m packlib.check_pack PACK --against ROOT [--manifest M | --expect FILE]
        [--compression zlib|store|lzfse] [--level N] [--time SECONDS] [--jobs N] [--recompress]
        [--quiet]

Checked are the container (letter, block size, full blocks, what is stored and what not, clean
end), every header byte by byte, the order and set of the entries, and each file's bytes against
the repository at ROOT. What the pack must contain comes from the plain 'file' and 'directory'
selectors of the manifest, or from --expect: a JSON list (a file, or '-' for standard input) of
{"path": where the game reads it, "source": the file below ROOT; the path when left out}.
With --manifest the pack's own Manifest.json is compared with it too.

--recompress deflates what was stored: a block that zlib would shrink by a quarter or more should
not have been. A writer that judges blocks by samples may miss less; such blocks are counted.
Exit 0: every rule is kept. 1: the rules that are not, a line each. 64: usage.
"""

import argparse
import concurrent.futures
import collections
import json
import os
import stat
import struct
import sys
import zlib

from packlib import json5
from packlib.damage import Damage
from packlib.read_archive import Archive, Tree

BLOCK_SIZE = 1 << 20
EPOCH = 978307200
LETTERS = {"zlib": "z", "store": "e", "lzfse": "e"}
ZLIB_FLAGS = {1: 0x01, 2: 0x5E, 3: 0x5E, 4: 0x5E, 5: 0x5E, 6: 0x9C, 7: 0xDA, 8: 0xDA, 9: 0xDA}
CHUNK = 1 << 20


class Problems:
    """Collects what is wrong; add() says so for each rule at most a few times."""

    def __init__(self, most=20):
        self.lines, self.most, self.count = [], most, 0

    def add(self, text):
        self.count += 1
        if self.count <= self.most:
            self.lines.append(text)
        elif self.count == self.most + 1:
            self.lines.append("…")


# What must be in the pack


class Expected:
    """The files by path, each with its source; the directories that must and that may be there."""

    def __init__(self):
        self.files, self.directories, self.optional = {}, {b""}, set()

    def add_file(self, path, source):
        self.files[path] = source
        self.add_parents(path)

    def add_parents(self, path):
        while b"/" in path:
            path = path.rsplit(b"/", 1)[0]
            self.directories.add(path)

    @classmethod
    def from_list(cls, root, items):
        expected = cls()
        for item in items:
            path = os.fsencode(item["path"])
            expected.add_file(path, os.path.join(root, os.fsencode(item.get("source", item["path"]))))
        return expected

    @classmethod
    def from_manifest(cls, root, manifest):
        expected = cls()
        for selector in manifest["fileSelectors"]:
            keys, paths = list(selector), [_clean(path) for path in selector.values()]
            source = os.path.join(root, paths[0])
            if keys in (["file"], ["fileSource", "fileDestination"]):
                expected.add_file(paths[-1], source)
            elif keys in (["directory"], ["directorySource", "directoryDestination"]):
                expected.add_directory(paths[-1], source)
            else:
                raise ValueError(f"give --expect: the selector {json.dumps(selector)} is beyond "
                                 "this checker")
        return expected

    def add_directory(self, path, source):
        if path:
            # Without a file in it a directory may have an entry or not.
            self.optional.add(path)
        for name in os.listdir(source):
            inner = path + b"/" + name if path else name
            full = os.path.join(source, name)
            if os.path.isdir(full):
                self.add_directory(inner, full)
            else:
                self.add_file(inner, full)


def _clean(path):
    return b"/".join(part for part in os.fsencode(path).split(b"/") if part not in (b"", b"."))


# The container


def raw_blocks(container, options, problems, counts):
    """The raw bytes of the container's blocks, each checked against the writer's rules."""
    if options.jobs <= 1 or options.compression != "lzfse":
        for block in container.blocks():
            _check_block(block, options, problems, counts)
            yield block.raw()
            if block.checksum == b"":
                problems.add(f"block {block.number} at {block.offset:,} has no Adler-32")
        return
    # LZFSE is slow here: several processes decode, the blocks stay in order and few.
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        waiting = collections.deque()
        for block in container.blocks():
            _check_block(block, options, problems, counts)
            waiting.append(pool.submit(_raw, block))
            if len(waiting) > 2 * options.jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _raw(block):
    return block.raw()


def _check_block(block, options, problems, counts):
    counts["blocks"] += 1
    counts["raw"] += block.raw_size
    counts["packed"] += 16 + block.stored_size
    place = f"block {block.number} at {block.offset:,}"
    if block.is_stored:
        counts["stored"] += 1
        if options.recompress and options.compression != "store":
            size = len(zlib.compress(block.payload, options.level))
            if size + block.raw_size // 16 < block.raw_size:
                counts["missed"] += 1
            if size + block.raw_size // 4 < block.raw_size:
                problems.add(f"{place} is stored, yet zlib makes {size:,} of {block.raw_size:,} bytes")
        return
    if options.compression == "store":
        problems.add(f"{place} is not stored")
    elif block.stored_size + block.raw_size // 16 >= block.raw_size:
        problems.add(f"{place} should be stored: {block.raw_size:,} raw, {block.stored_size:,} packed")
    if options.compression == "zlib":
        header = block.payload[:2]
        if header != bytes((0x78, ZLIB_FLAGS[options.level])):
            problems.add(f"{place} has the zlib header {header.hex()} at level {options.level}")


# The entries


def expected_header(kind, path, mode, seconds, size):
    """The one right form of a header."""
    fields = b"TYP1" + kind.encode()
    fields += b"PATP" + struct.pack("<H", len(path)) + path
    fields += b"MOD1" + struct.pack("<B", mode) if mode <= 0xFF else b"MOD2" + struct.pack("<H", mode)
    fields += b"MTMS" + struct.pack("<q", seconds)
    if kind == "F":
        if size < 1 << 16:
            fields += b"DATA" + struct.pack("<H", size)
        elif size < 1 << 32:
            fields += b"DATB" + struct.pack("<I", size)
        else:
            fields += b"DATC" + struct.pack("<Q", size)
    return b"AA01" + struct.pack("<H", 6 + len(fields)) + fields


def check_header(entry, source, options, problems):
    """Compares the header of `entry` with the one that its source asks for."""
    place = f"entry {entry.number} {entry.path!r}"
    names = [field.key for field in entry.fields]
    wanted = ["TYP", "PAT", "MOD", "MTM"] + ["DAT"] * (entry.type == "F")
    if names != wanted:
        problems.add(f"{place} has the fields {' '.join(names)}, not {' '.join(wanted)}")
        return
    mode, size = 0o755, None
    if entry.type == "F":
        status = os.stat(source) if source else None
        executable = status is not None and status.st_mode & 0o111
        mode = 0o755 if executable else 0o644
        size = entry["DAT"]
    if entry["MOD"] != mode:
        problems.add(f"{place} has the mode {entry['MOD']:o}, not {mode:o}")
    if entry["MTM"] != (options.time, 0):
        problems.add(f"{place} has the time {entry['MTM']}, not {options.time}")
    wanted = expected_header(entry.type, entry.path, entry["MOD"], entry["MTM"][0], size)
    if entry.header != wanted:
        problems.add(f"{place} is not in the smallest form: {entry.header.hex()}, not {wanted.hex()}")


def compare(archive, entry, source, problems):
    """Compares the contents of `entry` with the file `source`."""
    place = f"entry {entry.number} {entry.path!r}"
    field, at = entry.blobs[0], 0
    with open(source, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size != field.value:
            problems.add(f"{place} holds {field.value:,} bytes, {source!r} has {size:,}")
            return
        for part in archive.contents(field):
            if file.read(len(part)) != part:
                problems.add(f"{place} differs from {source!r} between {at:,} and {at + len(part):,}")
                return
            at += len(part)


def check_manifest(raw, options, problems):
    """The embedded manifest: strict JSON, and the input or its plain equivalent."""
    try:
        held = json.loads(raw.decode("utf-8"), object_pairs_hook=list)
    except ValueError as error:
        problems.add(f"Manifest.json is not plain JSON: {error}")
        return
    if options.manifest is None:
        return
    with open(options.manifest, "rb") as file:
        source = file.read()
    if json5.is_plain(source):
        if raw != source:
            problems.add("Manifest.json is not the input byte for byte, which is plain JSON")
    elif held != json5.parse(source.decode("utf-8"), pairs=list):
        problems.add("Manifest.json does not say what the input says")


def check(options, problems, counts):
    """Checks the whole pack; Damage when it can't be read."""
    expected = None
    root = os.fsencode(options.against)
    if options.expect is not None:
        expected = Expected.from_list(root, options.expect)
    elif options.manifest is not None:
        with open(options.manifest, encoding="utf-8") as file:
            expected = Expected.from_manifest(root, json5.parse(file.read()))
    with open(options.pack, "rb") as file:
        archive = Archive(file, blocks=lambda c: raw_blocks(c, options, problems, counts))
        if archive.container is None:
            problems.add("the pack has no container")
        else:
            if archive.container.letter != LETTERS[options.compression]:
                problems.add(f"the container's letter is {archive.container.letter!r}, "
                             f"not {LETTERS[options.compression]!r}")
            if archive.container.block_size != BLOCK_SIZE:
                problems.add(f"the block size is {archive.container.block_size:,}")
        seen = check_entries(archive, expected, root, options, problems, counts)
    if counts["packed"] + 12 != os.path.getsize(options.pack) and archive.container is not None:
        problems.add("the blocks and the container's header do not make up the file")
    if expected is None:
        return
    wanted = {b"Contents/" + path if path else b"Contents" for path in expected.directories}
    for path in sorted(wanted - seen):
        problems.add(f"the directory {path!r} has no entry")
    for path in sorted(b"Contents/" + path for path in expected.files):
        if path not in seen:
            problems.add(f"the file {path!r} is missing")


def check_entries(archive, expected, root, options, problems, counts):
    """Checks each entry; gives the set of the paths that are there."""
    seen, directories, tree, last = set(), set(), Tree(clashes=False), None
    for entry in archive.entries():
        path = entry.path
        if entry.header[:4] != b"AA01":
            problems.add(f"entry {entry.number} begins with {entry.header[:4]!r}")
        if path is None or entry.type not in "FD":
            problems.add(f"entry {entry.number} has the type {entry.type!r} or no path")
            continue
        tree.add(entry)
        place = f"entry {entry.number} {path!r}"
        key = path.split(b"/") if path else []
        if last is not None and key <= last:
            problems.add(f"{place} stands behind {b'/'.join(last)!r}")
        last = key
        if key and b"/".join(key[:-1]) not in directories:
            problems.add(f"{place} has no directory entry before it")
        source = None
        if entry.type == "D":
            directories.add(path)
            counts["directories"] += 1
        else:
            counts["files"] += 1
        inner = path[len(b"Contents/"):] if path.startswith(b"Contents/") else None
        if path in (b"", b"Contents"):
            if entry.type != "D":
                problems.add(f"{place} is not a directory")
        elif path == b"Manifest.json":
            if entry.type != "F":
                problems.add(f"{place} is not a file")
            else:
                check_manifest(b"".join(archive.contents(entry.blobs[0])), options, problems)
        elif inner is None:
            problems.add(f"{place} belongs neither under Contents nor beside it")
        elif expected is not None and entry.type == "F" and inner not in expected.files:
            problems.add(f"{place} was not selected")
        elif (expected is not None and entry.type == "D" and inner not in expected.directories
              and inner not in expected.optional):
            problems.add(f"{place} holds nothing that was selected")
        elif entry.type == "F":
            source = expected.files[inner] if expected else os.path.join(root, inner)
            compare(archive, entry, source, problems)
        check_header(entry, source, options, problems)
        seen.add(path)
    for path in (b"", b"Contents", b"Manifest.json"):
        if path not in seen:
            problems.add(f"there is no entry {path!r}")
    return seen


def parser():
    parse = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("pack")
    parse.add_argument("--against", required=True, metavar="ROOT")
    parse.add_argument("--manifest", metavar="M")
    parse.add_argument("--expect", metavar="FILE")
    parse.add_argument("--compression", choices=LETTERS, default="zlib")
    parse.add_argument("--level", type=int, choices=range(1, 10), default=5)
    parse.add_argument("--time", type=int, default=EPOCH)
    parse.add_argument("--jobs", type=int, default=1)
    parse.add_argument("--recompress", action="store_true")
    parse.add_argument("--quiet", action="store_true")
    return parse


def problems_of(pack, against, **given):
    """The lines for a pack, none when every rule is kept; options as on the command line, except
    that `expect` is the list itself. For use from tests."""
    options = parser().parse_args([os.fspath(pack), "--against", os.fspath(against)])
    for name, value in given.items():
        if not hasattr(options, name):
            raise TypeError(f"no option {name}")
        setattr(options, name, value)
    problems, counts = Problems(), collections.Counter()
    try:
        check(options, problems, counts)
    except Damage as damage:
        problems.add(str(damage))
    return problems.lines, counts


def main(arguments):
    options = parser().parse_args(arguments)
    given = vars(options).copy()
    pack, against = given.pop("pack"), given.pop("against")
    try:
        if options.expect is not None:
            with (sys.stdin if options.expect == "-" else open(options.expect)) as file:
                given["expect"] = json.load(file)
        lines, counts = problems_of(pack, against, **given)
    except (OSError, ValueError) as error:
        lines = [str(error)]
    for line in lines:
        print(f"check_pack: {pack}: {line}", file=sys.stderr)
    if not lines and not options.quiet:
        if counts["missed"]:
            print(f"{pack}: {counts['missed']:,} stored blocks would shrink by more than a sixteenth")
        print("{}: {files:,} files in {directories:,} directories, {raw:,} bytes raw, {packed:,} "
              "packed, {blocks:,} blocks of which {stored:,} stored".format(
                  pack, **{name: counts[name] for name in
                           ("files", "directories", "raw", "packed", "blocks", "stored")}))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
