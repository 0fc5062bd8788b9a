"""A strict reader of Apple Archive files (.aar): container, headers, fields and blobs.

    python3 -m packlib.read_archive [--safe] [--pack] FILE...

Lists their entries, one JSON object per line. With --pack an archive must be a whole asset pack.
With --safe, archives that are unsafe to extract are rejected, too: paths that leave the
target, clashing names, files below files, links to the outside. Exit 1 says what is wrong.
"""

import hashlib
import json
import struct
import sys
import unicodedata

from packlib import json5
from packlib.damage import Damage
from packlib.read_container import BARE_MAGICS as MAGICS, open_container

INTEGERS = {"1": 1, "2": 2, "4": 4, "8": 8}
HASHES = {"F": 4, "G": 20, "H": 32, "I": 48, "J": 64}
BLOBS = {"A": 2, "B": 4, "C": 8}
TIMES = {"S": 8, "T": 12}
TYPES = "FDLPCBSWRTM"
MAX_PATH = 1023

UINT_KEYS = ("TYP UID GID MOD FLG SIZ DUZ IDX IDZ INO NLK HLC CLC SLC DEV").split()
KINDS = {
    **{key: INTEGERS for key in UINT_KEYS},
    **{key: ("P",) for key in ("PAT", "LNK")},
    **{key: TIMES for key in ("MTM", "CTM", "BTM")},
    **{key: BLOBS for key in ("DAT", "XAT", "ACL", "YAF", "YEC")},
    "CKS": "F", "SH1": "G", "SH2": "H", "SH3": "I", "SH5": "J",
}


class Field:
    """One header field. The value is a number, bytes, (seconds, nanoseconds) or True."""

    __slots__ = ("key", "subtype", "value")

    def __init__(self, key, subtype, value):
        self.key, self.subtype, self.value = key, subtype, value

    @property
    def is_blob(self):
        return self.subtype in BLOBS


class Entry:
    """One entry: number and offset in the archive stream, the header's bytes, its fields."""

    __slots__ = ("number", "offset", "header", "fields", "_values")

    def __init__(self, number, offset, header, fields):
        self.number, self.offset, self.header, self.fields = number, offset, header, fields
        self._values = {}
        for field in fields:
            if field.key in KINDS and field.key in self._values:
                raise self.damage("duplicate-field", f"two {field.key} fields in one header")
            self._values[field.key] = field.value
        if "TYP" not in self._values:
            raise self.damage("missing-type", "an entry without TYP")
        if self["TYP"] not in map(ord, TYPES):
            raise self.damage("entry-type", f"unknown entry type {self['TYP']}")
        if "PAT" not in self._values and self.type != "M":
            raise self.damage("missing-path", "an entry without PAT")

    def __getitem__(self, key):
        return self._values.get(key)

    @property
    def type(self):
        return chr(self["TYP"])

    @property
    def path(self):
        return self["PAT"]

    @property
    def blobs(self):
        return [field for field in self.fields if field.is_blob]

    def damage(self, reason, message):
        return Damage(reason, message, entry=self.number, stream=self.offset)


def parse_fields(header, damage):
    """The fields of a whole header; `damage(reason, message, at)` makes the error."""
    at, fields = 6, []

    def take(count, what):
        nonlocal at
        if len(header) - at < count:
            raise damage("field-cut", f"{what} is cut by the end of its header", at)
        at += count
        return header[at - count:at]

    while at < len(header):
        start = at
        name = take(4, "a field's name")
        key, subtype = name[:3].decode("latin-1"), chr(name[3])
        if not all(0x21 <= byte < 0x7F for byte in name[:3]):
            raise damage("field-key", f"field key {name[:3]!r} is not printable ASCII", start)
        if subtype == "*":
            value = True
        elif subtype in INTEGERS:
            value = int.from_bytes(take(INTEGERS[subtype], key), "little")
        elif subtype == "P":
            value = take(int.from_bytes(take(2, key), "little"), key)
            if b"\0" in value:
                raise damage("string-nul", f"{key} holds a NUL byte", start)
        elif subtype in TIMES:
            value = struct.unpack_from("<q", take(8, key))[0], 0
            if subtype == "T":
                value = value[0], int.from_bytes(take(4, key), "little")
                if value[1] >= 1_000_000_000:
                    raise damage("nanoseconds", f"{key} has {value[1]:,} nanoseconds", start)
        elif subtype in HASHES:
            value = take(HASHES[subtype], key)
        elif subtype in BLOBS:
            value = int.from_bytes(take(BLOBS[subtype], key), "little")
        else:
            raise damage("unknown-subtype", f"field {key} has the unknown subtype {subtype!r}", start)
        if key in KINDS and subtype not in KINDS[key]:
            raise damage("field-type", f"{key} has the subtype {subtype!r}", start)
        fields.append(Field(key, subtype, value))
    return fields


class Archive:
    """The entries of one file, in order. Read the blobs of an entry before asking for the next."""

    def __init__(self, file, limit=None, blocks=None):
        """`limit` stops an archive whose raw bytes exceed it; `blocks(container)` may stand in
        for the plain loop over the container's blocks, as raw bytes."""
        self.file, self.limit = file, limit
        self.container = open_container(file)
        if self.container is None:
            file.seek(0)
            self._source = iter(lambda: file.read(1 << 20), b"")
        elif blocks:
            self._source = iter(blocks(self.container))
        else:
            self._source = (block.raw() for block in self.container.blocks())
        self._chunk, self._at = memoryview(b""), 0
        self.offset = 0
        self._pending = []

    def _some(self, count):
        """1 to `count` next bytes of the archive stream; none at its end."""
        if self._at == len(self._chunk):
            self._chunk, self._at = memoryview(next(self._source, b"")), 0
        part = self._chunk[self._at:self._at + count]
        self._at += len(part)
        self.offset += len(part)
        if self.limit is not None and self.offset > self.limit:
            raise Damage("limit", f"more than {self.limit:,} raw bytes")
        return part

    def _up_to(self, count):
        parts, left = [], count
        while left:
            part = self._some(left)
            if not part:
                break
            parts.append(bytes(part))
            left -= len(part)
        return b"".join(parts)

    def entries(self):
        number = 0
        while True:
            for field in self._pending[:]:
                for _ in self.contents(field):
                    pass
            start = self.offset
            header = self._up_to(6)
            if not header:
                return

            def damage(reason, message, at=None):
                field = None if at is None else start + at
                return Damage(reason, message, entry=number, stream=start, field=field)

            if header[:4] not in MAGICS:
                if len(header) < 4 and any(m.startswith(header) for m in MAGICS):
                    raise damage("header-cut", "a header is cut by the end of the archive")
                raise damage("entry-magic", f"no header begins with {header[:4]!r}")
            if len(header) < 6:
                raise damage("header-cut", "a header is cut by the end of the archive")
            size = int.from_bytes(header[4:], "little")
            if size < 6:
                raise damage("header-size", f"a header of {size} bytes")
            header += self._up_to(size - 6)
            if len(header) < size:
                raise damage("header-cut", f"a header of {size} bytes, {len(header)} are left")
            entry = Entry(number, start, header, parse_fields(header, damage))
            self._pending = entry.blobs
            self._entry = entry
            yield entry
            number += 1

    def contents(self, field):
        """The bytes of a blob of the current entry, in parts; blobs before it are skipped."""
        while self._pending and self._pending[0] is not field:
            for _ in self.contents(self._pending[0]):
                pass
        left = field.value
        while left:
            part = self._some(left)
            if not part:
                raise self._entry.damage("contents-cut", f"{field.key} of {field.value:,} bytes, "
                                         f"{field.value - left:,} are left")
            left -= len(part)
            yield part
        self._pending.pop(0)


# What makes an archive unfit for extraction


def path_problem(path):
    """(reason, message) for a path that an archive must not contain, or None. The root is b''."""
    if path == b"":
        return None
    if len(path) > MAX_PATH:
        return "path-length", f"a path of {len(path):,} bytes"
    if path.startswith(b"/"):
        return "path-absolute", f"absolute path {path!r}"
    parts = path.split(b"/")
    if b"" in parts:
        return "path-empty-part", f"an empty part in {path!r}"
    if b".." in parts or b"." in parts:
        return "path-dots", f"a '.' or '..' part in {path!r}"
    try:
        path.decode("utf-8")
    except UnicodeDecodeError:
        return "path-utf8", f"{path!r} is not UTF-8"
    return None


def folded(path):
    """`path` as a file system sees it that ignores case and normalization."""
    text = unicodedata.normalize("NFD", path.decode("utf-8"))
    return unicodedata.normalize("NFD", text.casefold())


class Tree:
    """The names seen so far; add(entry) refuses one that can't stand beside or below them, with
    `clashes` also one that is the same as another where case or normalization do not count."""

    def __init__(self, clashes=True):
        self.clashes = clashes
        self.types, self.folds, self.parents = {}, {}, set()

    def add(self, entry):
        path = entry.path
        problem = path_problem(path)
        if problem:
            raise entry.damage(*problem)
        if path == b"" and entry.type != "D":
            raise entry.damage("root-type", "the root is not a directory")
        if path in self.types:
            raise entry.damage("duplicate-path", f"two entries at {path!r}")
        parts = path.split(b"/")
        for count in range(1, len(parts) + 1):
            prefix = b"/".join(parts[:count])
            other = self.folds.setdefault(folded(prefix), prefix) if self.clashes else prefix
            if other != prefix:
                raise entry.damage("path-clash", f"{prefix!r} and {other!r} are one name where "
                                   "case or normalization do not count")
            if count < len(parts) and self.types.get(prefix, "D") != "D":
                raise entry.damage("below-non-directory", f"{path!r} lies below {prefix!r}, which "
                                   "is no directory")
            if count < len(parts):
                self.parents.add(prefix)
        if entry.type != "D" and path in self.parents:
            raise entry.damage("below-non-directory", f"entries before lie below {path!r}, which "
                               "is no directory")
        if entry.type == "L":
            self._link(entry)
        elif entry.type not in "FD":
            raise entry.damage("special-file", f"{path!r} has the type {entry.type!r}")
        self.types[path] = entry.type

    def _link(self, entry):
        target = entry["LNK"]
        if target is None:
            raise entry.damage("missing-link", "a symbolic link without LNK")
        if target == b"" or target.startswith(b"/"):
            raise entry.damage("link-outside", f"{entry.path!r} leads to {target!r}")
        place = entry.path.split(b"/")[:-1]
        # Contents is the root of what a device sees: a link in it may not climb out of it.
        floor = 1 if place[:1] == [b"Contents"] else 0
        for part in target.split(b"/"):
            if part == b"..":
                if len(place) <= floor:
                    raise entry.damage("link-outside", f"{entry.path!r} leads to {target!r}")
                place.pop()
            elif part not in (b"", b"."):
                place.append(part)


class PackRules:
    """What makes an archive an asset pack: its layout, its order, its manifest."""

    def __init__(self):
        self.paths, self.last, self.manifest = set(), None, None

    def add(self, entry):
        """Checks the place of an entry; True when keep() is to get its contents."""
        path = entry.path
        if path is None:
            return False
        parts = path.split(b"/") if path else []
        if self.last is None and path != b"":
            raise entry.damage("no-root", "the first entry is not the root")
        if self.last is not None and parts <= self.last:
            raise entry.damage("order", f"{path!r} stands behind {b'/'.join(self.last)!r}")
        self.last = parts
        if path not in (b"", b"Contents", b"Manifest.json") and parts[0] != b"Contents":
            raise entry.damage("stray-entry", f"{path!r} does not lie under Contents")
        if parts and b"/".join(parts[:-1]) not in self.paths:
            raise entry.damage("parent-missing", f"{path!r} has no directory entry before it")
        if entry.type == "F" and entry["DAT"] is None:
            raise entry.damage("missing-data", f"the file {path!r} has no DAT")
        self.paths.add(path)
        if path == b"Manifest.json":
            self.manifest = bytearray()
        return path == b"Manifest.json"

    def keep(self, part):
        self.manifest += part

    def check_hashes(self, entry, said):
        if "sha256" in said and "DAT" in said and said["sha256"] != said["DAT"]["sha256"]:
            raise entry.damage("hash-mismatch", f"SH2 is not the SHA-256 of {entry.path!r}")

    def end(self):
        for path, reason in ((b"Contents", "no-contents"), (b"Manifest.json", "no-manifest")):
            if path not in self.paths:
                raise Damage(reason, f"there is no {path.decode()}")
        try:
            manifest = json5.parse(self.manifest.decode("utf-8"))
        except (ValueError, IndexError) as error:
            raise Damage("manifest-not-json", f"Manifest.json: {error}")
        required = {"assetPackID", "downloadPolicy", "fileSelectors", "platforms"}
        if not isinstance(manifest, dict) or required - set(manifest):
            raise Damage("manifest-invalid", "Manifest.json lacks a key that it must have")


def describe(archive, entry, keep=None):
    """An entry as plain values; blobs by size and SHA-256. keep() gets the parts of DAT."""
    said = {"type": entry.type}
    for key, name in (("PAT", "path"), ("LNK", "link")):
        if entry[key] is not None:
            try:
                said[name] = entry[key].decode("utf-8")
            except UnicodeDecodeError:
                said[name + "Bytes"] = entry[key].hex()
    for key, name in (("UID", "user"), ("GID", "group"), ("MOD", "mode"), ("FLG", "flags"),
                      ("HLC", "hardLinkGroup"), ("CLC", "cloneGroup"), ("SLC", "sameDataGroup")):
        if entry[key] is not None:
            said[name] = entry[key]
    for key, name in (("MTM", "modified"), ("CTM", "created"), ("BTM", "backup")):
        if entry[key] is not None:
            said[name] = list(entry[key])
    for key, name in (("CKS", "crc32"), ("SH1", "sha1"), ("SH2", "sha256"), ("SH3", "sha384"),
                      ("SH5", "sha512")):
        if entry[key] is not None:
            said[name] = entry[key].hex()
    for field in entry.blobs:
        digest = hashlib.sha256()
        for part in archive.contents(field):
            digest.update(part)
            if keep and field.key == "DAT":
                keep(part)
        said[field.key] = {"size": field.value, "sha256": digest.hexdigest()}
    return said


def read(path, safe=False, pack=False, limit=None):
    """Every entry of the file at `path`, described; Damage if there is any."""
    with open(path, "rb") as file:
        archive, tree, rules, found = Archive(file, limit), Tree(), PackRules(), []
        for entry in archive.entries():
            if safe and entry.path is not None:
                tree.add(entry)
            keep = pack and rules.add(entry)
            found.append(describe(archive, entry, rules.keep if keep else None))
            if pack:
                rules.check_hashes(entry, found[-1])
        if pack:
            rules.end()
        return found


def main(arguments):
    paths = [argument for argument in arguments if not argument.startswith("--")]
    options = {argument[2:]: True for argument in arguments if argument.startswith("--")}
    if not paths or set(options) - {"safe", "pack"}:
        print(__doc__, file=sys.stderr)
        return 64
    status = 0
    for path in paths:
        try:
            for entry in read(path, **options):
                print(json.dumps(entry, ensure_ascii=False))
        except (Damage, OSError) as problem:
            print(f"read_archive: {path}: {problem}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
