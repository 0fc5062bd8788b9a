"""The sound archives of Fixtures/archives/good: every subtype, width, order and container."""

import base64
import itertools
import pathlib
import zlib

import make_deflate
import make_lzfse
from make_archive import (EPOCH, blob, block, container, container_header, count_blocks, describe,
                          digest, directory, entry, Field, file, kind, link, manifest, pack, root,
                          store, stream, text, time, uint)
from make_deflate import zlib_stream

LZFSE_VECTORS = pathlib.Path(__file__).parents[2] / "Fixtures" / "lzfse"
WORDS = "the keeper lights the lamp and the lamp lights the sea; "
CASES = []


def good(name, about, entries, is_pack=True, letter="z", block_size=1 << 20, methods=(zlib_stream,),
         data=None):
    """Adds a case. `entries` are lists of fields or bytes with their description beside them
    (a pair); `data` replaces the container that is made of them."""
    plain = [e[0] if isinstance(e, tuple) else entry(e) for e in entries]
    raw = b"".join(plain)
    if data is None:
        data = container(raw, letter, block_size, methods)
    elif callable(data):
        data = data(raw)
    blocks, stored = count_blocks(data) if data[:3] == b"pbz" else (None, None)
    said = {"name": name, "about": about, "pack": is_pack, "rawSize": len(raw)}
    if blocks is not None:
        said.update(letter=data[3:4].decode(), blockSize=int.from_bytes(data[4:12], "big"),
                    blocks=blocks, storedBlocks=stored)
    said["entries"] = [describe(e[1] if isinstance(e, tuple) else e) for e in entries]
    CASES.append((said, data))


def small(*more):
    """A small pack: one folder, one file, and what is given."""
    return pack(directory("Contents/a-data"), file("Contents/a-data/a.txt", WORDS * 3), *more)


# Trees

good("minimal", "root, Contents, one file, the manifest", pack(file("Contents/a.txt", "A\n")))
good("empty-file", "a file of 0 bytes has DATA 0", small(file("Contents/a-data/empty", "")))
good("empty-directory", "a directory without files", small(directory("Contents/empty")))
good("nested", "thirty directories deep", pack(
    *[directory("Contents/" + "/".join("d" * (i + 1))) for i in range(30)],
    file("Contents/" + "/".join("d" * 30) + "/deep.txt", "deep")))
good("order", "sorted part by part: 'a/b' before 'a-b', 'Z' before 'a'", pack(
    directory("Contents/Z"), file("Contents/Z/z", "1"), directory("Contents/a"),
    file("Contents/a/b", "2"), file("Contents/a-b", "3"), file("Contents/a.b", "4"),
    file("Contents/ab", "5")))
good("unicode", "names beyond ASCII, composed and decomposed", pack(
    file("Contents/Stra\u00dfe", "1"), file("Contents/a\u0308", "2"), file("Contents/\u00e9t\u00e9", "3"),
    file("Contents/\u706f\u53f0", "4"), file("Contents/\U0001F3EE", "5")))
good("odd-names", "names that only look dangerous", pack(
    file("Contents/ lead", "1"), file("Contents/-rf", "2"), file("Contents/...", "3"),
    file("Contents/..data", "4"), file("Contents/.hidden", "5"),
    file("Contents/a\nb", "6"),
    file("Contents/a\x1b[31mb", "7"), file("Contents/a\\..\\b", "8"), file("Contents/tail ", "9")))
good("longest-path", "a path of 1,023 bytes", pack(
    *[directory("Contents/" + "/".join(["p" * 200] * (i + 1))) for i in range(5)],
    file("Contents/" + "/".join(["p" * 200] * 5) + "/" + "f" * 9, "end")))
good("own-manifest", "a file of the pack is called Manifest.json too",
     pack(file("Contents/Manifest.json", "not the manifest")))
good("executable", "modes 0755 and 0644", small(
    file("Contents/run.sh", "#!/bin/sh\n", mode=0o755)))
good("all-policies", "an on-demand pack with a language", pack(
    file("Contents/a", "x"), assetPackID="other", downloadPolicy={"onDemand": {}},
    platforms=["iOS", "macOS", "tvOS", "visionOS"], language="pt-BR"))
good("manifest-comments", "a manifest with comments, embedded byte for byte by Apple's 1.2", [
    *root(), file("Contents/a", "x"), file("Manifest.json", """{
\t// The name that the app asks for.
\t"assetPackID": "commented",
\t"downloadPolicy": { "onDemand": {} },
\t"fileSelectors": [{ "file": "a" }],
\t"platforms": [],
}
""")])
good("manifest-new-keys", "a manifest of a tool to come", pack(
    file("Contents/a", "x"), toolsVersion="9.0", novelty={"unheard": "of"}))
good("manifest-new-selectors", "selectors of a tool to come, and no others", pack(
    file("Contents/a", "x"), toolsVersion="9.0", fileSelectors=[{"novelty": "a"}]))

# Widths and subtypes

good("width-type", "TYP in every integer width", pack(*[
    [kind("F", w), text("PAT", f"Contents/{w}"), uint("MOD", 0o644), time("MTM", EPOCH),
     blob("DAT", w.encode())] for w in "1248"]))
good("width-mode", "MOD in every integer width", pack(*[
    [kind("F"), text("PAT", f"Contents/{w}"), uint("MOD", 0o400 if w == "2" else 0o144, w),
     time("MTM", EPOCH), blob("DAT", w.encode())] for w in "1248"]))
good("width-data", "DAT with a size of 2, 4 and 8 bytes", pack(*[
    [kind("F"), text("PAT", f"Contents/{w}"), uint("MOD", 0o644), time("MTM", EPOCH),
     blob("DAT", (w * 40).encode(), w)] for w in "ABC"]))
good("width-owner", "UID and GID in every integer width", pack(*[
    file(f"Contents/{w}", w, uint("UID", 200, w), uint("GID", 100, w)) for w in "1248"]))
good("large-integers", "integers up to the largest of each width", pack(*[
    file(f"Contents/{w}", w, uint("FLG", 256 ** int(w) - 1, w), uint("INO", 256 ** int(w) - 1, w))
    for w in "1248"]))
good("data-65535", "the largest DATA", small(file("Contents/z", bytes(65535))))
good("data-65536", "the smallest DATB", small(file("Contents/z", bytes(65536))))
good("time-whole", "MTMS", small(file("Contents/b", "x")))
good("time-fraction", "MTMT, and T with 0 nanoseconds", pack(
    [kind("F"), text("PAT", "Contents/a"), uint("MOD", 0o644), time("MTM", 1700581569, 583566495),
     blob("DAT", b"a")],
    [kind("F"), text("PAT", "Contents/b"), uint("MOD", 0o644), time("MTM", 1700581569, 0, "T"),
     blob("DAT", b"b")],
    [kind("F"), text("PAT", "Contents/c"), uint("MOD", 0o644), time("MTM", -1, 999999999),
     blob("DAT", b"c")]))
good("time-extreme", "times as far as 64 bits go", pack(*[
    [kind("F"), text("PAT", f"Contents/{name}"), uint("MOD", 0o644), time("MTM", seconds),
     blob("DAT", b"x")] for name, seconds in (
        ("a-zero", 0), ("b-before-1970", -86401), ("c-year-9999", 253402300799),
        ("d-year-10000", 253402300800), ("e-largest", 2 ** 63 - 1), ("f-least", -2 ** 63))]))
good("time-kinds", "CTM and BTM beside MTM", small(
    file("Contents/b", "x", time("CTM", EPOCH - 1), time("BTM", EPOCH + 1, 5))))
good("no-time", "entries without times and modes", [
    [kind("D"), text("PAT", "")], [kind("D"), text("PAT", "Contents")],
    [kind("F"), text("PAT", "Contents/a"), blob("DAT", b"a")], manifest()])
good("hashes", "CKS, SH1, SH2, SH3 and SH5 of the contents", small(
    file("Contents/h", "abc", digest("CKS", "F", b"abc"), digest("SH1", "G", b"abc"),
         digest("SH2", "H", b"abc"), digest("SH3", "I", b"abc"), digest("SH5", "J", b"abc"))))
good("flag-field", "an unknown key of subtype '*'", small(
    file("Contents/b", "x", Field("QQQ", "*"))))
good("unknown-fields", "unknown keys of every subtype are skipped", small(
    [Field("QA0", "*"), Field("QA1", "1", 1), Field("QA2", "2", 2), Field("QA4", "4", 4),
     Field("QA8", "8", 8), kind("F"), text("QAP", "text"), text("QAE", ""),
     text("PAT", "Contents/b"), time("QAS", -5), time("QAT", 5, 6), Field("QAF", "F", bytes(4)),
     Field("QAG", "G", bytes(20)), Field("QAH", "H", bytes(32)), uint("MOD", 0o644),
     Field("QAI", "I", bytes(48)), Field("QAJ", "J", bytes(64)), time("MTM", EPOCH),
     blob("DAT", b"contents")]))
good("unknown-blobs", "blobs of unknown keys before and after DAT", small(
    [kind("F"), text("PAT", "Contents/b"), blob("QBA", b"before", "A"), blob("DAT", b"contents"),
     blob("QBB", b"after", "B"), blob("QBC", b"", "C"), uint("MOD", 0o644), time("MTM", EPOCH)]))
good("attributes", "XAT and ACL blobs", small(
    file("Contents/b", "x", blob("XAT", b"\x13\0\0\0com.example.x\0ab"), blob("ACL", b"acl"))))
good("attributes-first", "XAT stands before DAT in the header, so its bytes come first", small(
    [kind("F"), text("PAT", "Contents/b"), blob("XAT", b"attributes"), blob("DAT", b"contents")]))
good("numbers", "SIZ DUZ IDX IDZ INO NLK DEV", small(
    file("Contents/b", "xyz", uint("SIZ", 3), uint("DUZ", 4096), uint("IDX", 0), uint("IDZ", 70),
         uint("INO", 1 << 40), uint("NLK", 1), uint("DEV", 16777220))))

# Orders

good("field-orders", "TYP PAT MOD MTM DAT in all 120 orders", pack(*[
    [{"T": kind("F"), "P": text("PAT", f"Contents/{number:03}"), "M": uint("MOD", 0o644),
      "t": time("MTM", EPOCH), "D": blob("DAT", "".join(order).encode())}[key] for key in order]
    for number, order in enumerate(itertools.permutations("TPMtD"))]))
good("fields-of-aa", "the field set of 'aa archive'", [
    [kind("D"), text("PAT", p), uint("UID", 501), uint("GID", 20), uint("MOD", 0o755), uint("FLG", 0),
     time("CTM", EPOCH, 1), time("MTM", EPOCH, 2)] for p in ("", "Contents")] + [
    [kind("F"), text("PAT", p), uint("UID", 501), uint("GID", 20), uint("MOD", 0o644), uint("FLG", 0),
     time("CTM", EPOCH, 1), time("MTM", EPOCH, 2), blob("DAT", d)]
    for p, d in (("Contents/a", b"a"),)] + [manifest()])
good("fields-of-1.2", "TYP PAT UID GID MOD FLG CTM MTM BTM DAT", [
    [kind(t), text("PAT", p), uint("UID", 501), uint("GID", 20), uint("MOD", m), uint("FLG", 0),
     time("CTM", EPOCH, 1), time("MTM", EPOCH, 2), time("BTM", EPOCH, 3)] + d
    for t, p, m, d in (("D", "", 0o755, []), ("D", "Contents", 0o755, []),
                       ("F", "Contents/a", 0o644, [blob("DAT", b"a")]))] + [manifest()])

# Streams

good("old-magic", "YAA1 in every entry", [(entry(e, b"YAA1"), e) for e in small()])
good("both-magics", "AA01 and YAA1 by turns",
     [(entry(e, (b"AA01", b"YAA1")[i % 2]), e) for i, e in enumerate(small())])
good("bare", "an archive stream without container", small(), data=lambda raw: raw)
good("bare-old-magic", "the same with YAA1", [(entry(e, b"YAA1"), e) for e in small()],
     data=lambda raw: raw)
SHORTCUT = bytes.fromhex(
    "41413031 2700 54595031 44 50415450 0000 4D4F4432 ED01 4D544D54 C1D05C6500000000 9F84C822"
    "41413031 3D00 54595031 46 50415450 0E00 53686F72746375742E77666C6F77 4D4F4432 A401"
    "4D544D54 C1D05C6500000000 9F84C822 44415442 2F370200")
SHORTCUT_DATA = (b"workflow " * 16200)[:145199]
good("shortcut", "the headers of a genuine signed shortcut's archive, with other contents", [
    (SHORTCUT[:39], [kind("D"), text("PAT", ""), uint("MOD", 0o755), time("MTM", 1700581569, 583566495)]),
    (SHORTCUT[39:] + SHORTCUT_DATA,
     [kind("F"), text("PAT", "Shortcut.wflow"), uint("MOD", 0o644), time("MTM", 1700581569, 583566495),
      blob("DAT", SHORTCUT_DATA)])], is_pack=False)
good("files-only", "no entries for directories", [
    file("Contents/a/b", "1"), file("Contents/c", "2"), manifest()], is_pack=False)
good("unsorted", "entries in another order, parents first", [
    manifest(), *reversed([file("Contents/b", "2"), file("Contents/a", "1"), *reversed(root())])],
     is_pack=False)
good("links", "symbolic links that stay inside", small(
    link("Contents/a-data/b.txt", "a.txt"), link("Contents/to-data", "a-data"),
    link("Contents/z", "./a-data/../a-data/a.txt")), is_pack=False)
good("hard-links", "a group of hard links: the first has the contents", small(
    file("Contents/h1", "shared", uint("HLC", 1)),
    [kind("F"), text("PAT", "Contents/h2"), uint("MOD", 0o644), time("MTM", EPOCH), uint("HLC", 1)],
    [kind("F"), text("PAT", "Contents/h3"), uint("MOD", 0o644), time("MTM", EPOCH), uint("HLC", 1)]),
     is_pack=False)
good("clones", "groups of clones and of equal data, each with its contents", small(
    file("Contents/c1", "same", uint("CLC", 7)), file("Contents/c2", "same", uint("CLC", 7)),
    file("Contents/s1", "same", uint("SLC", 9)), file("Contents/s2", "same", uint("SLC", 9))),
     is_pack=False)
good("special-files", "fifo, devices, socket, whiteout, door, port", small(*[
    [kind(t), text("PAT", f"Contents/special-{t}"), uint("MOD", 0o644), time("MTM", EPOCH)]
    + ([uint("DEV", 259)] if t in "CB" else []) for t in "BCPRSTW"]), is_pack=False)
good("metadata", "a metadata entry with YAF and YEC", [
    [kind("M"), blob("YAF", b"TYP,PAT,DAT"), blob("YEC", b"codes")], *small()], is_pack=False)

# Containers

good("none", "container letter '-'", small(), letter="-", methods=(store,))
for letter, name in (("z", "zlib"), ("e", "lzfse"), ("4", "lz4"), ("x", "lzma"), ("b", "lzbitmap")):
    good(f"stored-{name}", f"container letter '{letter}', every block stored", small(),
         letter=letter, block_size=100, methods=(store,))
good("mixed-blocks", "stored and packed blocks by turns", small(file("Contents/z", WORDS * 9)),
     block_size=256, methods=(zlib_stream, store))
good("no-adler", "zlib blocks without Adler-32", small(file("Contents/z", WORDS * 9)), block_size=256,
     methods=(lambda raw: zlib_stream(raw, checksum=b""),))
good("some-adler", "zlib blocks with and without Adler-32", small(file("Contents/z", WORDS * 9)),
     block_size=256, methods=(zlib_stream, lambda raw: zlib_stream(raw, checksum=b"")))
good("zlib-levels", "zlib headers of every level", small(file("Contents/z", WORDS * 20)),
     block_size=256, methods=[lambda raw, h=h: zlib_stream(raw, bytes.fromhex(h))
                              for h in ("7801", "785e", "789c", "78da")])
good("zlib-windows", "zlib headers of every window size", small(file("Contents/z", WORDS * 30)),
     block_size=256, methods=[
         lambda raw, c=c: zlib_stream(raw, bytes([c << 4 | 8, 31 - (c << 12 | 8 << 8) % 31]),
                                      lambda data: make_deflate.fixed(data, 256 << c))
         for c in range(8)])
DYNAMIC = base64.b64decode(
    "eF59VFsOgzAMuwr32GmQVo1pD6GN+2trS4LthH7wahrHsVO2pUzb/3reb8v2tcf8vvbV+bVO3zJf2tejlLV82qsH+6"
    "1ncYAA21KNNTDYj98C00J7zawCc7AQXkiktgQNKC/utLPyGBevSLKEIQdJe06Sd1ZcnJvbt5gYzhWDeYNEBKplcklz"
    "p9YCTF4w7FaoWsWuwfCQGqjiwMgoP42jTIS2rnKk49pujXpFc8/p0ISZdF6eeDhIm0ETec0LiKF0oDItPRHQWeTorV"
    "WX0SQzKD6kKYMASyyoEJDUaCsl+xa1VGBoH8InW860NXbYI5zMQWUKQYoVOR1uiiMKuJEwJfMlhe08UZq1CPQzNTMl"
    "sTzEQTD810WSOi9gBAhAklHtoEMKLwIJWcJJfxQoj2UcZ5A00ElVv8ajdPxLf4NXxQs=")
DYNAMIC_RAW = zlib.decompress(DYNAMIC)


def with_dynamic(raw):
    """The second of the 2,000-byte blocks is DYNAMIC_RAW, packed by zlib itself."""
    assert raw[2000:4000] == DYNAMIC_RAW
    return container_header("z", 2000) + b"".join(
        block(len(part), DYNAMIC if part == DYNAMIC_RAW else part)
        for part in (raw[at:at + 2000] for at in range(0, len(raw), 2000)))


def padded(size, contents):
    """A pack whose file Contents/pad ends at `size` of the stream but for the header that follows,
    so that the contents of Contents/z begin there."""
    head = [*root(), file("Contents/pad", b"")]
    after = file("Contents/z", contents)
    used = len(stream(head)) + len(entry(after)) - len(contents)
    return [*root(), file("Contents/pad", bytes(i % 251 for i in range(size - used))), after, manifest()]


good("zlib-dynamic", "a block with dynamic Huffman codes, as zlib makes it",
     padded(2000, DYNAMIC_RAW), data=with_dynamic)
good("deflate-stored", "zlib blocks that begin with a stored deflate block",
     small(file("Contents/z", WORDS * 9)), block_size=512, methods=(
         lambda raw: zlib_stream(raw, b"\x78\x01", lambda data: make_deflate.stored(
             data[:100], last=False) + make_deflate.fixed(data[100:])),))
good("block-1", "blocks of one byte", pack(file("Contents/a", "a")), block_size=1, methods=(store,))
good("block-7", "headers cut by blocks of seven bytes", small(), block_size=7, methods=(store,))
good("block-4m", "the block size of 'aa archive'", small(), block_size=4 << 20)
FULL = small()
good("last-block-full", "the stream is a multiple of the block size", FULL,
     block_size=len(stream(FULL)) // next(d for d in range(2, 999) if len(stream(FULL)) % d == 0))
good("contents-at-border", "a file begins and ends with a block", padded(512, b"*" * 1024), block_size=512)

# LZFSE

good("lzfse-raw", "LZFSE streams of 'bvx-' blocks only", small(),
     data=lambda raw: container_header("e", 1 << 20) + block(
         len(raw), make_lzfse.stream(make_lzfse.stored(raw[:50]), make_lzfse.stored(raw[50:]))))
LONG = small(file("Contents/runs", b"".join(bytes([65 + i % 26]) * (9 + i) for i in range(60))),
             file("Contents/words", WORDS * 40))
for name, kinds in (("lzvn", [make_lzfse.lzvn]), ("fse", [make_lzfse.fse]),
                    ("fse-plain", [lambda raw: make_lzfse.fse(raw, plain=True)]),
                    ("kinds", [make_lzfse.lzvn, make_lzfse.fse, make_lzfse.stored,
                               lambda raw: make_lzfse.fse(raw, plain=True)])):
    good(f"lzfse-{name}", f"LZFSE blocks: {name}", LONG, letter="e", block_size=1024,
         methods=[lambda raw, kind=kind: make_lzfse.stream(kind(raw)) for kind in kinds])
good("lzfse-one-stream", "LZFSE blocks of every kind in one stream", LONG, letter="e",
     methods=[lambda raw: make_lzfse.stream(
         make_lzfse.fse(raw[:900]), make_lzfse.lzvn(raw[900:1700]), make_lzfse.stored(raw[1700:1900]),
         make_lzfse.fse(raw[1900:], plain=True))])


def with_vector(raw):
    """The second of the 5,000-byte blocks is a vector made by the reference encoder."""
    wanted = (LZFSE_VECTORS / "fse-example.raw").read_bytes()
    assert raw[5000:10000] == wanted
    return container_header("e", 5000) + b"".join(
        block(len(part), (LZFSE_VECTORS / "fse-example.lzfse").read_bytes() if part == wanted else part)
        for part in (raw[at:at + 5000] for at in range(0, len(raw), 5000)))


good("lzfse-reference", "a block made by the reference encoder",
     padded(5000, (LZFSE_VECTORS / "fse-example.raw").read_bytes()), data=with_vector)
