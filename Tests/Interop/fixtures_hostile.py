"""The hostile archives of Fixtures/archives/hostile: sound bytes that try to get out of the folder
they are extracted to, or to put one thing over another. `escapes` names what must not come to be:
absolute, or relative to the folder."""

from make_archive import (EPOCH, container, directory, file, kind, link, manifest, pack, root, stream,
                          text, time, uint)

CASES = []
OUT = "ba-package-escape"
TMP = "/tmp/" + OUT


def hostile(name, about, reason, entries, escapes=(), whole=False, optional=False):
    """Adds a case; the entries stand in a pack behind a harmless file unless `whole`."""
    if not whole:
        entries = pack(file("Contents/a-harmless.txt", "harmless\n"), *entries)
    said = {"name": name, "about": about, "refuse": "extract", "reason": reason}
    # Two names that clash on one file system are two files on another: packs may hold them.
    if optional or reason == "path-clash":
        said["optional"] = True
    if escapes:
        said["escapes"] = list(escapes)
    CASES.append((said, container(stream(entries), block_size=1 << 20)))


def escape(path, *more):
    return file(path, "escaped\n", *more)


# Paths

hostile("absolute", "an absolute path", "path-absolute", [escape(TMP)], [TMP])
hostile("absolute-directory", "an absolute path of a directory", "path-absolute", [directory(TMP)], [TMP])
hostile("absolute-twice", "a path that begins with '//'", "path-absolute", [escape("/" + TMP)], [TMP])
hostile("slash", "the path '/'", "path-absolute", [directory("/")])
hostile("up", "'..' first", "path-dots", [escape("../" + OUT)], ["../" + OUT])
hostile("up-from-contents", "'..' out of Contents", "path-dots", [escape("Contents/../" + OUT)], [OUT])
hostile("up-twice", "'..' twice", "path-dots", [escape("Contents/../../" + OUT)], ["../" + OUT])
hostile("up-far", "twenty '..' to the root", "path-dots", [escape("Contents/" + "../" * 20 + TMP[1:])], [TMP])
hostile("up-within", "down and up again, further up than down", "path-dots",
        [directory("Contents/d"), escape("Contents/d/../../../" + OUT)], ["../" + OUT])
hostile("up-harmless", "'..' that stays inside", "path-dots",
        [directory("Contents/d"), escape("Contents/d/../x")])
hostile("up-directory", "a directory 'Contents/..'", "path-dots", [directory("Contents/..")])
hostile("up-last", "'..' last", "path-dots", [directory("Contents/d"), directory("Contents/d/..")])
hostile("up-only", "the path '..'", "path-dots", [directory("..")])
hostile("dot", "the path '.'", "path-dots", [directory(".")])
hostile("dot-part", "a part '.'", "path-dots", [escape("Contents/./x")])
hostile("empty-part", "'//' in a path", "path-empty-part", [escape("Contents//" + OUT)])
hostile("empty-part-absolute", "'Contents/' and an absolute path", "path-empty-part",
        [escape("Contents/" + TMP)], [TMP])
hostile("slash-at-end", "a file with '/' at the end", "path-empty-part", [escape("Contents/x/")])
hostile("directory-slash-at-end", "a directory with '/' at the end", "path-empty-part",
        [directory("Contents/d/")])
hostile("too-long", "a path of 1,024 bytes", "path-length", [
    *[directory("Contents/" + "/".join(["p" * 200] * (i + 1))) for i in range(5)],
    escape("Contents/" + "/".join(["p" * 200] * 5) + "/" + "f" * 10)])
hostile("too-long-65000", "a path of 65,000 bytes", "path-length", [escape("Contents/" + "x/" * 32495 + "x")])
hostile("not-utf8", "a path that is not UTF-8", "path-utf8", [escape(b"Contents/caf\xe9")])
hostile("overlong", "'..' in overlong UTF-8", "path-utf8",
        [escape(b"Contents/\xc0\xae\xc0\xae/\xc0\xae\xc0\xae/" + OUT.encode())])
hostile("surrogate", "a surrogate in UTF-8", "path-utf8", [escape(b"Contents/\xed\xa0\x80")])

# Links

hostile("link-absolute", "a link to /tmp and a file below it", "link-outside",
        [link("Contents/l", "/tmp"), escape("Contents/l/" + OUT)], [TMP])
hostile("link-absolute-alone", "a link to /etc/passwd", "link-outside", [link("Contents/l", "/etc/passwd")])
hostile("link-up", "a link to '..' and a file below it", "link-outside",
        [link("Contents/l", ".."), escape("Contents/l/" + OUT)], ["../" + OUT, OUT])
hostile("link-up-far", "a link that climbs further than it is deep", "link-outside",
        [directory("Contents/d"), link("Contents/d/l", "../../../.."),
         escape("Contents/d/l/" + OUT)], ["../" + OUT, "../../" + OUT])
hostile("link-down-up", "a link that goes down first", "link-outside",
        [directory("Contents/d"), link("Contents/l", "d/../../.."), escape("Contents/l/" + OUT)],
        ["../" + OUT, "../../" + OUT])
hostile("link-manifest", "Manifest.json is a link to /etc/passwd", "link-outside",
        [*root(), file("Contents/f", "f"), link("Manifest.json", "/etc/passwd")], whole=True)
hostile("link-contents", "Contents is a link to /tmp", "link-outside",
        [directory(""), link("Contents", "/tmp"), escape("Contents/" + OUT), manifest()], [TMP], whole=True)
hostile("link-root", "the root is a link to /tmp", "root-type",
        [link("", "/tmp"), directory("Contents"), escape("Contents/" + OUT), manifest()], [TMP], whole=True)
hostile("link-empty", "a link to nothing", "link-outside", [link("Contents/l", "")])
hostile("link-missing", "a link without LNK", "missing-link",
        [[kind("L"), text("PAT", "Contents/l"), uint("MOD", 0o755), time("MTM", EPOCH)]])
hostile("link-inside-below", "a file below a link that stays inside", "below-non-directory",
        [directory("Contents/d"), link("Contents/l", "d"), escape("Contents/l/x")], ["d/x"])
hostile("link-chain", "a link to a link, and a file below it", "below-non-directory",
        [directory("Contents/d"), link("Contents/k", "d"), link("Contents/l", "k"),
         escape("Contents/l/x")], ["d/x"])
hostile("link-loop", "a link to itself, and a file below it", "below-non-directory",
        [link("Contents/l", "l"), escape("Contents/l/x")])
hostile("link-then-directory", "a link, then a directory of the same path", "duplicate-path",
        [directory("Contents/d"), link("Contents/l", "d"), directory("Contents/l"), escape("Contents/l/x")],
        ["d/x"])
hostile("directory-then-link", "a directory, then a link of the same path", "duplicate-path",
        [directory("Contents/d"), directory("Contents/l"), link("Contents/l", "d"), escape("Contents/l/x")],
        ["d/x"])
hostile("file-then-link", "a link, then a file of the same path, which would be written through it",
        "duplicate-path", [link("Contents/l", "target"), escape("Contents/l")], ["target"])
hostile("link-case", "a link, and files below its name in another case", "path-clash",
        [directory("Contents/d"), link("Contents/Link", "d"), directory("Contents/link"),
         escape("Contents/link/x")], ["d/x"])
hostile("link-normalization", "a link, and files below its name in another normal form", "path-clash",
        [directory("Contents/d"), link("Contents/\u00e9", "d"), directory("Contents/e\u0301"),
         escape("Contents/e\u0301/x")], ["d/x"])
hostile("link-late", "entries below a directory that a link then replaces", "below-non-directory",
        [escape("Contents/d/x"), link("Contents/d", "e")])

# One thing over another

hostile("twice", "two files of one path", "duplicate-path",
        [file("Contents/x", "1"), file("Contents/x", "2")])
hostile("twice-directory", "a directory twice", "duplicate-path",
        [directory("Contents/d"), directory("Contents/d")])
hostile("twice-manifest", "two Manifest.json", "duplicate-path",
        [*root(), file("Contents/f", "f"), manifest(), manifest()], whole=True)
hostile("file-and-directory", "a file and a directory of one path", "duplicate-path",
        [file("Contents/x", "1"), directory("Contents/x")])
hostile("below-file", "a file below a file", "below-non-directory",
        [file("Contents/x", "1"), file("Contents/x/y", "2")])
hostile("below-file-late", "a file where a directory is needed", "below-non-directory",
        [file("Contents/x/y", "2"), file("Contents/x", "1")])
hostile("contents-file", "Contents is a file", "below-non-directory",
        [directory(""), file("Contents", "x"), file("Contents/a", "a"), manifest()], whole=True)
hostile("root-file", "the root is a file", "root-type",
        [file("", "x"), directory("Contents"), manifest()], whole=True)
hostile("case", "two names that differ in case", "path-clash",
        [file("Contents/Readme", "1"), file("Contents/readme", "2")])
hostile("case-directory", "two directories that differ in case", "path-clash",
        [directory("Contents/Data"), file("Contents/Data/x", "1"), directory("Contents/data"),
         file("Contents/data/y", "2")])
hostile("case-accent", "two names that differ in the case of an accented letter", "path-clash",
        [file("Contents/\u00c9t\u00e9", "1"), file("Contents/\u00e9t\u00e9", "2")])
hostile("normalization", "two names that differ in their normal form", "path-clash",
        [file("Contents/\u00e9", "1"), file("Contents/e\u0301", "2")])
hostile("contents-case", "'contents' beside 'Contents'", "path-clash",
        [*root(), file("Contents/x", "1"), manifest(), directory("contents"), file("contents/x", "2")],
        whole=True)

# What a pack may not hold

for letter, name in (("P", "fifo"), ("C", "character-device"), ("B", "block-device"), ("S", "socket"),
                     ("W", "whiteout"), ("R", "door"), ("T", "port")):
    hostile(f"special-{name}", f"a {name.replace('-', ' ')}", "special-file", [
        [kind(letter), text("PAT", "Contents/special"), uint("MOD", 0o666), time("MTM", EPOCH),
         uint("DEV", 259)]])
hostile("whiteout-harmless", "a whiteout over a file before it", "duplicate-path", [
    [kind("W"), text("PAT", "Contents/a-harmless.txt"), uint("MOD", 0), time("MTM", EPOCH)]])
