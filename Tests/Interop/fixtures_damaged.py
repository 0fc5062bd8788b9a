"""The damaged archives of Fixtures/archives/damaged, each with the reason why it must be refused.

refuse  'read'    no command may take it for sound
        'limit'   sound, but larger than the `limit` beside it
        'verify'  can be read, yet is not an asset pack
optional  a careful reader refuses it, others need not
"""

import struct

import make_deflate
import make_lzfse
from fixtures_good import WORDS
from make_archive import (EPOCH, blob, block, container, container_header, digest, directory, entry,
                          Field, file, kind, link, manifest, pack, root, store, stream, text, time,
                          uint)
from make_deflate import zlib_stream

CASES = []


def damaged(name, about, reason, data, refuse="read", optional=False, limit=None, **where):
    """Adds a case; `where` gives block and file, or entry and stream, as far as they matter."""
    said = {"name": name, "about": about, "refuse": refuse, "reason": reason}
    if optional:
        said["optional"] = True
    if limit is not None:
        said["limit"] = limit
    if where:
        said["where"] = where
    CASES.append((said, data))


def contained(entries):
    return container(stream(entries), block_size=1 << 20)


# The container. SOUND has five packed blocks of 256 bytes and a shorter stored one.

ENTRIES = pack(directory("Contents/data"), file("Contents/data/a.txt", WORDS * 9),
               file("Contents/data/b.txt", WORDS[::-1] * 9))
RAW = stream(ENTRIES)
PARTS = [RAW[at:at + 256] for at in range(0, len(RAW), 256)]
BLOCKS = [block(len(part), min((zlib_stream(part), part), key=len)) for part in PARTS]
HEAD = container_header("z", 256)
OFFSETS = [12 + sum(map(len, BLOCKS[:i])) for i in range(len(BLOCKS))]
SOUND = HEAD + b"".join(BLOCKS)
THIRD = {"block": 2, "file": OFFSETS[2]}
LAST = {"block": len(BLOCKS) - 1, "file": OFFSETS[-1]}


def with_third(data):
    return HEAD + b"".join(BLOCKS[:2]) + data + b"".join(BLOCKS[3:])


def third(payload):
    return with_third(block(256, payload))


damaged("empty", "a file of no bytes", "not-an-archive", b"")
damaged("text", "a text file", "not-an-archive", b"This is no archive.\n")
damaged("magic-cut", "the file ends within the magic", "container-cut", SOUND[:3])
damaged("container-cut", "the file ends within the block size", "container-cut", SOUND[:9])
damaged("letter", "unknown container letter 'q'", "container-letter",
        b"pbzq" + SOUND[4:])
damaged("zip", "a zip file", "zip",
        b"PK\x03\x04\x14" + bytes(25) + b"x")
damaged("encrypted", "an encrypted Apple archive", "encrypted", b"AEA1" + bytes(200))
for name, size in (("0", 0), ("1t", 1 << 40), ("2e63", 1 << 63), ("2e64", (1 << 64) - 1)):
    damaged(f"block-size-{name}", f"a block size of {size:,}", "block-size",
            container_header("z", size) + b"".join(BLOCKS))
damaged("block-header-1", "one byte follows the last block", "block-header-cut", SOUND + b"\0",
        block=len(BLOCKS), file=len(SOUND))
damaged("block-header-15", "the third block's header is cut by one byte", "block-header-cut",
        SOUND[:OFFSETS[2] + 15], **THIRD)
damaged("block-no-payload", "the file ends after the third block's header", "block-cut",
        SOUND[:OFFSETS[2] + 16], **THIRD)
damaged("block-payload-cut", "the third block is cut by one byte", "block-cut",
        SOUND[:OFFSETS[3] - 1], **THIRD)
damaged("last-block-cut", "the file is cut by one byte", "block-cut", SOUND[:-1], **LAST)
damaged("raw-size", "a block of more than the block size", "raw-size",
        with_third(block(257, zlib_stream(bytes(257)))), **THIRD)
damaged("raw-size-2e64", "a raw size of 2^64 - 1", "raw-size",
        with_third(block((1 << 64) - 1, zlib_stream(PARTS[2]))), **THIRD)
damaged("stored-size", "a payload of more than the block size", "stored-size",
        third(zlib_stream(PARTS[2], method=make_deflate.stored)), **THIRD)
damaged("stored-size-2e63", "a stored size of 2^63", "stored-size",
        with_third(block(256, b"", 1 << 63)), **THIRD)
damaged("both-sizes-2e64", "a stored block of 2^64 - 1 bytes", "raw-size",
        with_third(block((1 << 64) - 1, b"", (1 << 64) - 1)), **THIRD)
damaged("block-short", "a block before the last with fewer raw bytes", "block-short",
        with_third(block(128, PARTS[2][:128]) + block(128, PARTS[2][128:])), **THIRD)
damaged("block-empty", "an empty block at the end", "block-empty",
        container(RAW[:len(RAW) // 64 * 64], block_size=64, methods=(store,)) + block(0, b""),
        optional=True)
damaged("blocks-missing", "the file ends after the third block", "contents-cut", SOUND[:OFFSETS[3]])
damaged("blocks-swapped", "the second and the third block have changed places", "entry-magic",
        HEAD + BLOCKS[0] + BLOCKS[2] + BLOCKS[1] + b"".join(BLOCKS[3:]))
damaged("packed-in-none", "a packed block in a container of letter '-'", "packed-in-none",
        b"pbz-" + SOUND[4:], block=0, file=12)
for letter, name, payload in (("4", "lz4", b"bv4-\x04\0\0\0abcdbv4$"), ("x", "lzma", b"\xfd7zXZ\0"),
                              ("b", "lzbitmap", b"ZBM\x09\0\0\0")):
    damaged(f"packed-{name}", f"a packed block in a container of letter '{letter}'",
            "unsupported-codec", container_header(letter, 256) + block(256, payload), block=0, file=12)

PACKED = zlib_stream(PARTS[2])
damaged("zlib-no-payload", "a packed block of 0 bytes", "zlib-header", third(b""), **THIRD)
damaged("zlib-one-byte", "a packed block of 1 byte", "zlib-header", third(b"\x78"), **THIRD)
damaged("zlib-method", "compression method 7", "zlib-header", third(b"\x77\x85" + PACKED[2:]), **THIRD)
damaged("zlib-check", "a zlib header that is no multiple of 31", "zlib-header",
        third(b"\x78\x5f" + PACKED[2:]), **THIRD)
damaged("zlib-dictionary", "a zlib header that asks for a dictionary", "zlib-header",
        third(b"\x78\x20" + bytes(4) + PACKED[2:]), **THIRD)
damaged("zlib-block-type", "deflate block type 3", "zlib-data", third(b"\x78\x5e\x07" + PACKED[3:]),
        **THIRD)
damaged("zlib-distance", "a distance before the beginning", "zlib-data",
        third(b"\x78\x5e" + bytes.fromhex("4b04a200") + bytes(8)), **THIRD)
damaged("zlib-stored-length", "a stored deflate block whose length and complement differ", "zlib-data",
        third(b"\x78\x01\x01\x10\x00\x10\x00" + bytes(16)), **THIRD)
damaged("zlib-cut", "the deflate stream ends early", "zlib-cut", third(PACKED[:-12]), **THIRD)
damaged("zlib-long", "one raw byte more than stated", "zlib-long",
        third(zlib_stream(PARTS[2] + b"x")), **THIRD)
damaged("zlib-bomb", "4 MiB where 256 bytes are stated", "zlib-long",
        container_header("z", 1 << 16) + block(256, zlib_stream(bytes(4 << 20))), block=0, file=12)
damaged("zlib-short", "one raw byte less than stated", "zlib-short",
        third(zlib_stream(PARTS[2][:-1])), **THIRD)
damaged("zlib-checksum", "a wrong Adler-32", "zlib-checksum",
        third(zlib_stream(PARTS[2], checksum=b"\1\2\3\4")), **THIRD)
damaged("zlib-checksum-cut", "three bytes of the Adler-32", "zlib-checksum", third(PACKED[:-1]), **THIRD)
damaged("zlib-flipped", "a literal changed within the deflate data", "zlib-checksum",
        third(zlib_stream(PARTS[2].replace(b"keeper", b"kEeper", 1), checksum=make_deflate.adler(PARTS[2]))),
        **THIRD)
damaged("zlib-trailing", "a byte after the Adler-32", "zlib-trailing", third(PACKED + b"\0"), **THIRD)


def lzfse_second(payload):
    """A container of stored blocks whose second has this payload for 512 raw bytes."""
    parts = [RAW[at:at + 512] for at in range(0, len(RAW), 512)]
    return container_header("e", 512) + b"".join(
        block(len(part), payload if i == 1 else part) for i, part in enumerate(parts))


LZFSE = make_lzfse.fse(RAW[512:1024])
LZFSE_AT = {"block": 1, "file": 12 + 16 + 512}
damaged("lzfse-no-end", "an LZFSE stream without 'bvx$'", "lzfse-cut", lzfse_second(LZFSE), **LZFSE_AT)
damaged("lzfse-after-end", "a byte after 'bvx$'", "lzfse-after-end",
        lzfse_second(LZFSE + b"bvx$\0"), **LZFSE_AT)
damaged("lzfse-magic", "an unknown LZFSE block", "lzfse-magic",
        lzfse_second(b"bvx9" + LZFSE[4:]), **LZFSE_AT)
damaged("lzfse-long", "one raw byte more than stated", "lzfse-limit",
        lzfse_second(make_lzfse.stream(make_lzfse.lzvn(bytes(513)))), **LZFSE_AT)
damaged("lzfse-short", "one raw byte less than stated", "lzfse-short",
        lzfse_second(make_lzfse.stream(make_lzfse.lzvn(bytes(511)))), **LZFSE_AT)

# The archive stream: in a sound container the third entry is damaged.

PREFIX = stream(root())
SECOND = {"entry": 2, "stream": len(PREFIX)}


def after_root(data):
    """A container whose third entry is `data`, the manifest behind it."""
    return container(PREFIX + data + entry(manifest()), block_size=1 << 20)


def ends_with(data):
    return container(PREFIX + data, block_size=1 << 20)


A = file("Contents/a", "contents of a file")
A_BYTES = entry(A)
A_HEADER = len(A_BYTES) - 18
for name, count, reason in (("1", 1, "header-cut"), ("magic", 4, "header-cut"), ("size", 5, "header-cut"),
                            ("header-start", 6, "header-cut"), ("header", A_HEADER - 1, "header-cut"),
                            ("contents-all", A_HEADER, "contents-cut"),
                            ("contents", len(A_BYTES) - 1, "contents-cut")):
    damaged(f"stream-cut-{name}", f"the archive stream ends {count} bytes into the third entry", reason,
            ends_with(A_BYTES[:count]), **SECOND)
damaged("stream-cut-bare", "a bare stream that ends within contents", "contents-cut",
        PREFIX + A_BYTES[:-1], **SECOND)
damaged("blob-cut", "the stream ends between two blobs", "contents-cut",
        ends_with(entry([*A, blob("XAT", b"x" * 20)])[:-20]), **SECOND)
damaged("entry-magic", "the third entry begins with 'AA02'", "entry-magic",
        after_root(b"AA02" + A_BYTES[4:]), **SECOND)
damaged("zero-padding", "zero bytes between two entries", "entry-magic", after_root(bytes(8) + A_BYTES),
        **SECOND)
damaged("trailing-zeros", "zero bytes after the last entry", "entry-magic",
        contained([*pack(A), bytes(16)]), entry=4, stream=len(stream(pack(A))))


def lying(size):
    return entry([kind("F"), text("PAT", "Contents/a"), blob("DAT", b"contents of a file", "B", size)])


LYING = len(lying(18))
damaged("data-short", "DAT says one byte less than follow", "entry-magic", after_root(lying(17)),
        entry=3, stream=len(PREFIX) + LYING - 1)
damaged("data-long", "DAT says one byte more than follow", "entry-magic", after_root(lying(19)),
        entry=3, stream=len(PREFIX) + LYING + 1)
for name, size in (("1t", 1 << 40), ("2e63-1", (1 << 63) - 1), ("2e63", 1 << 63), ("2e64-1", (1 << 64) - 1)):
    damaged(f"data-{name}", f"DATC says {size:,} bytes", "contents-cut",
            after_root(entry([kind("F"), text("PAT", "Contents/a"), blob("DAT", b"data", "C", size)])),
            **SECOND)
damaged("blob-sum", "two blobs of 2^63 bytes, whose sum is 0 in 64 bits", "contents-cut",
        after_root(entry([kind("F"), text("PAT", "Contents/a"), blob("DAT", b"", "C", 1 << 63),
                          blob("XAT", b"", "C", 1 << 63)])), **SECOND)
damaged("blob-unknown-2e64-1", "a blob of an unknown key, 2^64 - 1 bytes", "contents-cut",
        after_root(entry([*A, blob("QQQ", b"", "C", (1 << 64) - 1)])), **SECOND)
for size in (0, 5):
    damaged(f"header-size-{size}", f"a header of {size} bytes", "header-size",
            after_root(entry(A, size=size)), **SECOND)
damaged("header-size-6", "a header without fields", "missing-type", after_root(entry([])), **SECOND)
damaged("header-size-less", "a header size one byte too small", "field-cut",
        after_root(entry(A, size=A_HEADER - 1)), **SECOND)
damaged("header-size-more", "a header size one byte too large", "field-cut",
        after_root(entry(A, size=A_HEADER + 1)), **SECOND)
damaged("header-size-65535", "a header of 65,535 bytes that are not there", "header-cut",
        after_root(entry(A, size=65535)), **SECOND)


def raw_header(tail):
    """An entry whose header ends with the bytes `tail` after TYP and PAT."""
    body = kind("D").header() + text("PAT", "Contents/d").header() + tail
    return b"AA01" + struct.pack("<H", 6 + len(body)) + body


for name, about, tail in (
        ("name", "a field's name", b"MO"), ("subtype", "a name without subtype", b"MOD"),
        ("integer", "an integer", b"MOD2\xed"), ("integer-8", "an integer of 8 bytes", b"INO8" + bytes(7)),
        ("string-length", "a string's length", b"LNKP\x05"), ("string", "a string", b"LNKP\x05\0abcd"),
        ("string-65535", "a string of 65,535 bytes", b"LNKP\xff\xffabcd"),
        ("time", "a time", b"MTMS" + bytes(7)), ("time-nanoseconds", "a time's nanoseconds",
                                                 b"MTMT" + bytes(11)),
        ("hash", "a hash", b"SH2H" + bytes(31)), ("blob-size", "a blob's size", b"DATB\1\2\3"),
        ("unknown-key", "the value of an unknown key", b"QQQJ" + bytes(63))):
    damaged(f"field-cut-{name}", f"the header ends within {about}", "field-cut",
            after_root(raw_header(tail)), **SECOND)
for name, subtype in (("3", "3"), ("k", "K"), ("z", "Z"), ("lower", "p"), ("nul", "\0"), ("high", "\xff")):
    damaged(f"subtype-{name}", f"the unknown subtype {subtype!r}", "unknown-subtype",
            after_root(raw_header(b"QQQ" + subtype.encode("latin-1") + bytes(8))), **SECOND)
damaged("key-not-ascii", "a key of bytes beyond ASCII", "field-key",
        after_root(raw_header(b"\xc3\xa9\x01*")), optional=True, **SECOND)
for name, field in (("type-string", text("TYP", "F")), ("path-integer", uint("PAT", 5)),
                    ("mode-string", text("MOD", "0644")), ("time-integer", uint("MTM", EPOCH)),
                    ("data-string", text("DAT", "x")), ("data-flag", Field("DAT", "*")),
                    ("link-blob", blob("LNK", b"x")), ("hash-wrong", digest("SH2", "G", b""))):
    fields = [f for f in A if f.key != field.key] + [field]
    damaged(f"field-{name}", f"{field.key} with the subtype '{field.subtype}'", "field-type",
            after_root(entry(fields)), **SECOND)
damaged("type-missing", "an entry without TYP", "missing-type", after_root(entry(A[1:])), **SECOND)
damaged("path-missing", "an entry without PAT", "missing-path", after_root(entry(A[:1] + A[2:])), **SECOND)
damaged("type-unknown", "the entry type 'Q'", "entry-type", after_root(entry([kind("Q"), *A[1:]])), **SECOND)
damaged("type-zero", "the entry type 0", "entry-type", after_root(entry([uint("TYP", 0), *A[1:]])), **SECOND)
damaged("type-wide", "an entry type of 256 + 'F'", "entry-type",
        after_root(entry([uint("TYP", 256 + ord("F")), *A[1:]])), **SECOND)
for key, field in (("TYP", kind("F")), ("PAT", text("PAT", "Contents/b")), ("MOD", uint("MOD", 0o644)),
                   ("DAT", blob("DAT", b"more"))):
    damaged(f"twice-{key.lower()}", f"two {key} fields in one header", "duplicate-field",
            after_root(entry([*A, field])), **SECOND)
damaged("nanoseconds", "a time with 1,000,000,000 nanoseconds", "nanoseconds",
        after_root(entry([*A[:3], time("MTM", EPOCH, 10 ** 9), A[4]])), optional=True, **SECOND)
damaged("path-nul", "a NUL byte in a path", "string-nul",
        after_root(entry(file(b"Contents/a\0b", "x"))), **SECOND)
damaged("link-nul", "a NUL byte in a link's target", "string-nul",
        after_root(entry(link("Contents/l", b"a\0b"))), **SECOND)

# Bombs: sound, but more than is allowed

damaged("bomb-zlib", "4 MiB of zeros in a zlib block", "limit",
        container(stream(pack(file("Contents/zeros", bytes(4 << 20)))), block_size=1 << 23),
        refuse="limit", limit=1 << 20)
damaged("bomb-lzfse", "24 MiB of zeros in LZFSE blocks", "limit",
        container(stream(pack(file("Contents/zeros", bytes(24 << 20)))), "e", 1 << 23,
                  [lambda raw: make_lzfse.stream(make_lzfse.fse(raw))]),
        refuse="limit", limit=10_000_000)

# Sound archives that are no asset packs


def not_pack(name, about, reason, entries, **more):
    damaged(f"pack-{name}", about, reason, contained(entries), refuse="verify", **more)


DIRECTORY, FILE = directory("Contents/d"), file("Contents/d/f", "f")
not_pack("no-root", "no entry for the root", "no-root", pack(DIRECTORY, FILE)[1:])
not_pack("no-contents", "nothing under Contents, not even itself", "no-contents",
         [directory(""), manifest()])
not_pack("no-manifest", "no Manifest.json", "no-manifest", pack(DIRECTORY, FILE)[:-1])
not_pack("only-root", "the root alone", "no-contents", [directory("")])
not_pack("stray", "a file beside Contents", "stray-entry",
         [*root(), file("Contents.txt", "x"), manifest()])
not_pack("manifest-text", "Manifest.json is no JSON", "manifest-not-json",
         [*root(), file("Contents/f", "f"), file("Manifest.json", "no JSON")])
not_pack("manifest-torn", "Manifest.json ends in a comment", "manifest-not-json",
         [*root(), file("Contents/f", "f"), file("Manifest.json", "{} /* none")])
not_pack("manifest-empty", "Manifest.json is empty", "manifest-not-json",
         [*root(), file("Contents/f", "f"), file("Manifest.json", "")])
not_pack("manifest-array", "Manifest.json is an array", "manifest-invalid",
         [*root(), file("Contents/f", "f"), file("Manifest.json", "[]")])
not_pack("manifest-keys", "Manifest.json lacks assetPackID", "manifest-invalid",
         [*root(), file("Contents/f", "f"), file("Manifest.json", '{"platforms": []}')])
not_pack("unsorted", "a file stands before one that sorts before it", "order",
         pack(file("Contents/b", "1"), file("Contents/a", "2")))
not_pack("bytes-order", "sorted by whole bytes: 'a-b' before 'a/b'", "order",
         pack(directory("Contents/a"), file("Contents/a-b", "1"), file("Contents/a/b", "2")))
not_pack("parent-late", "a directory's entry follows its file", "parent-missing",
         pack(file("Contents/d/f", "f"), directory("Contents/d")))
not_pack("parent-missing", "a directory without entry", "parent-missing",
         pack(file("Contents/d/f", "f")))
not_pack("data-missing", "a file without DAT", "missing-data", pack(A[:4]))
not_pack("hash-mismatch", "a SHA-256 that is not that of the contents", "hash-mismatch",
         pack([*A, digest("SH2", "H", b"other contents")]), optional=True)
