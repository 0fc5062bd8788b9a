"""The checker: a pack made by the rules passes, each broken rule is found."""

import os
import pathlib
import shutil
import tempfile
import unittest
import zlib

from packlib import check_pack, make_lzfse
from packlib.make_archive import (EPOCH, blob, block, container, container_header, directory,
                                  entry, file, kind, root, stream, text, time, uint)
from packlib.make_deflate import adler

GAME = pathlib.Path(__file__).parents[3] / "Fixtures" / "SampleGame"
MANIFEST = GAME / "Packs" / "Harbour.json"
BLOCK_SIZE = 1 << 20


def entries():
    """The contents of a pack of the sample game's Harbour manifest."""
    expected = check_pack.Expected.from_manifest(
        os.fsencode(GAME), check_pack.json5.parse(MANIFEST.read_text()))
    found = [directory(b"Contents/" + path) for path in expected.directories if path]
    for path, source in expected.files.items():
        mode = 0o755 if os.stat(source).st_mode & 0o111 else 0o644
        found.append(file(b"Contents/" + path, pathlib.Path(os.fsdecode(source)).read_bytes(), mode=mode))
    found.sort(key=lambda fields: fields[1].value.split(b"/"))
    return [*root(), *found, file("Manifest.json", MANIFEST.read_bytes())]


def packed(part):
    data = zlib.compress(part, 5)
    return data if len(data) + len(part) // 16 < len(part) else part


class CheckPack(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.pack = os.path.join(self.folder, "pack.aar")

    def problems(self, data, against=GAME, **options):
        with open(self.pack, "wb") as file:
            file.write(data)
        lines, self.counts = check_pack.problems_of(
            self.pack, against, **{"manifest": MANIFEST, "recompress": True, **options})
        return "\n".join(lines)

    def container(self, some, letter="z", block_size=BLOCK_SIZE, methods=(packed,)):
        return container(stream(some), letter, block_size, methods)

    def finds(self, what, data, **options):
        self.assertIn(what, self.problems(data, **options))

    def change(self, path, *fields):
        """The entries with the one at `path` replaced."""
        found = entries()
        for number, old in enumerate(found):
            if old[1].value == path:
                found[number] = list(fields)
                return found
        raise KeyError(path)

    def test_a_right_pack_passes(self):
        self.assertEqual(self.problems(self.container(entries())), "")
        self.assertEqual(self.counts["files"], 18)

    def test_a_right_pack_passes_stored_and_with_lzfse(self):
        plain = self.container(entries(), "e", methods=(lambda part: part,))
        self.assertEqual(self.problems(plain, compression="store"), "")
        coded = self.container(entries(), "e", methods=(lambda part: make_lzfse.stream(
            *[make_lzfse.fse(part[at:at + 30_000]) for at in range(0, len(part), 30_000)]),))
        self.assertEqual(self.problems(coded, compression="lzfse"), "")
        self.assertEqual(self.problems(coded, compression="lzfse", jobs=2), "")

    def test_containers(self):
        good = entries()
        raw = stream(good)
        self.finds("letter is 'e'", self.container(good, "e", methods=(lambda part: part,)))
        self.finds("block size is 65,536", self.container(good, block_size=1 << 16))
        zeros = file("Contents/zeros", bytes(300_000))
        self.finds("yet zlib makes", self.container([*good, zeros], methods=(lambda part: part,)))
        self.finds("should be stored", container_header("z", BLOCK_SIZE) + block(
            len(raw), zlib.compress(raw, 0)))
        self.finds("zlib header 78da", self.container(good, methods=(lambda p: zlib.compress(p, 9),)))
        self.assertEqual(self.problems(self.container(
            good, methods=(lambda p: zlib.compress(p, 9),)), level=9), "")
        self.finds("no Adler-32", self.container(
            good, methods=(lambda part: zlib.compress(part, 5)[:-4],)))
        self.finds("zlib-checksum", self.container(
            good, methods=(lambda part: zlib.compress(part, 5)[:-4] + b"1234",)))
        self.finds("is not stored", self.container(good, "e"), compression="store")
        self.finds("no container", raw)
        self.finds("block-header-cut", self.container(good) + b"\0")
        self.finds("block-short", container_header("z", BLOCK_SIZE) + block(100, raw[:100])
                   + block(len(raw) - 100, raw[100:]))

    def test_the_sixteenth_is_exact(self):
        raw = stream(entries())
        most = len(raw) - len(raw) // 16 - 1
        for size, found in ((most, ""), (most + 1, "should be stored")):
            lines = self.problems(container_header("z", BLOCK_SIZE) + block(
                len(raw), self.payload_of_size(raw, size)))
            self.assertTrue(found in lines and bool(found) == bool(lines), lines)

    def payload_of_size(self, raw, size):
        """A zlib stream of `raw` that empty stored deflate blocks of 5 bytes fill up to `size`."""
        for level in range(1, 10):
            deflate = zlib.compressobj(level, zlib.DEFLATED, -15)
            body = deflate.compress(raw) + deflate.flush(zlib.Z_FULL_FLUSH)
            count, rest = divmod(size - 2 - len(body) - 2 - 4, 5)
            if rest == 0 and count >= 0:
                return b"\x78\x5e" + body + b"\0\0\0\xff\xff" * count + b"\x03\0" + adler(raw)
        raise AssertionError("no level gives a body that can be filled up")

    def test_headers(self):
        path, data = b"Contents/Credits.txt", (GAME / "Credits.txt").read_bytes()
        plain = [kind("F"), text("PAT", path), uint("MOD", 0o644), time("MTM", EPOCH), blob("DAT", data)]
        for what, fields in (
                ("the fields PAT TYP MOD MTM DAT", [plain[1], plain[0], *plain[2:]]),
                ("the fields TYP PAT MOD MTM DAT UID", [*plain, uint("UID", 0)]),
                ("the fields TYP PAT MTM DAT", [*plain[:2], *plain[3:]]),
                ("smallest form", [kind("F", "2"), *plain[1:]]),
                ("smallest form", [*plain[:2], uint("MOD", 0o644, "4"), *plain[3:]]),
                ("smallest form", [*plain[:3], time("MTM", EPOCH, 0, "T"), plain[4]]),
                ("smallest form", [*plain[:4], blob("DAT", data, "B")]),
                ("the mode 755", [*plain[:2], uint("MOD", 0o755), *plain[3:]]),
                ("the mode 600", [*plain[:2], uint("MOD", 0o600), *plain[3:]]),
                ("the time (5, 0)", [*plain[:3], time("MTM", 5), plain[4]]),
                ("differs from", [*plain[:4], blob("DAT", data[:-1] + b"x")]),
                ("holds", [*plain[:4], blob("DAT", data + b"x")]),
                ("type 'L'", [kind("L"), plain[1], text("LNK", "x"), *plain[2:4]])):
            self.finds(what, self.container(self.change(path, *fields)))
        self.finds("begins with b'YAA1'", self.container(
            [entry(fields, b"YAA1") for fields in entries()]))
        self.finds("the mode 644, not 755", self.container(self.change(
            b"Contents/Tools/preview.sh",
            *file("Contents/Tools/preview.sh", (GAME / "Tools/preview.sh").read_bytes()))))
        self.finds("the mode 700", self.container(self.change(
            b"Contents/Tools", *directory("Contents/Tools", mode=0o700))))
        self.assertIn("not 5", self.problems(self.container(entries()), time=5))

    def test_sets_and_orders(self):
        good = entries()
        self.finds("b'Contents/Textures/title.png' is missing", self.container(
            [fields for fields in good if fields[1].value != b"Contents/Textures/title.png"]))
        self.finds("the directory b'Contents/Textures' has no entry", self.container(
            [fields for fields in good if fields[1].value != b"Contents/Textures"]))
        self.finds("no entry b'Manifest.json'", self.container(good[:-1]))
        self.finds("no entry b''", self.container(good[1:]))
        self.finds("stands behind", self.container([*good[:-2], good[-1], good[-2]]))
        self.finds("was not selected", self.container(
            [*good[:-1], file("Contents/zzz", "x"), good[-1]]))
        self.finds("holds nothing that was selected", self.container(
            [*good[:-1], directory("Contents/zzz"), good[-1]]))
        self.finds("neither under Contents nor beside it", self.container([*good, file("Z", "x")]))
        self.finds("duplicate-path", self.container([*good, good[-1]]))

    def test_names_that_differ_in_case_pass(self):
        for name in "Credits.txt", "credits.txt":
            with open(os.path.join(self.folder, name), "w") as file_:
                file_.write(name)
        pack = self.container([
            *root(), file("Contents/Credits.txt", "Credits.txt"), file("Contents/credits.txt", "credits.txt"),
            file("Manifest.json", MANIFEST.read_bytes())])
        self.assertEqual(self.problems(pack, manifest=None, against=self.folder,
                                       expect=[{"path": "Credits.txt"}, {"path": "credits.txt"}]), "")

    def test_manifests(self):
        data = MANIFEST.read_bytes()
        for what, manifest in (("not plain JSON", b"// comment\n" + data),
                               ("not the input byte for byte", data + b"\n")):
            self.finds(what, self.container([*entries()[:-1], file("Manifest.json", manifest)]))
        loose = os.path.join(self.folder, "Loose.json")
        with open(loose, "wb") as file_:
            file_.write(b"// comment\n" + data)
        self.assertEqual(self.problems(self.container(entries()), manifest=loose), "")
        self.finds("does not say what the input says", self.container([*entries()[:-1], file(
            "Manifest.json", data.replace(b"harbour", b"Harbour"))]), manifest=loose)

    def test_a_list_of_sources_and_destinations(self):
        pack = self.container([
            *root(), file("Contents/new.txt", (GAME / "Credits.txt").read_bytes()),
            file("Manifest.json", MANIFEST.read_bytes())])
        items = [{"path": "new.txt", "source": "Credits.txt"}]
        self.assertEqual(self.problems(pack, manifest=None, expect=items), "")
        self.finds("is missing", pack, manifest=None, expect=[*items, {"path": "Credits.txt"}])
        self.finds("was not selected", pack, manifest=None, expect=[])
