"""Made data of the kinds that games have, a MiB of each: the same on every machine, but for what
SQLite's version changes."""

import math
import random
import sqlite3
import struct
import tempfile
import uuid
from array import array
from itertools import count

SIZE = 1 << 20
LATIN = "etaoinshrdlucmfwypvbgk"
CYRILLIC = "оеаинтсрвлкмдпуяыьгзбчй"
KANA = "".join(map(chr, range(0x3042, 0x3094)))
HAN = "".join(map(chr, range(0x4E00, 0x5A00)))


def words(source, letters, number, longest):
    """Words of which the first are frequent, without end."""
    known = ["".join(source.choice(letters) for _ in range(source.randrange(2, longest)))
             for _ in range(number)]
    while True:
        yield known[int(number * source.random() ** 3)]


def sentences(source, letters, *, number=3000, longest=11, between=" ", end=". "):
    word = words(source, letters, number, longest)
    while True:
        yield between.join(next(word) for _ in range(source.randrange(3, 15))) + end


def walk(source, step, start=0):
    """A random walk that turns slowly, as sound and terrain do."""
    position, speed = start, 0
    while True:
        speed += source.randrange(-step, step + 1) - speed // 16 - position // 256
        position += speed // 4
        yield position


def filled(parts):
    """The first MiB of `parts`."""
    result = bytearray()
    for part in parts:
        result += part.encode() if isinstance(part, str) else part
        if len(result) >= SIZE:
            return bytes(result[:SIZE])
    raise ValueError("too little")


def numbers(kind, values):
    """Little-endian numbers of an array's or struct's kind."""
    return filled(struct.pack("<" + kind, value) for value in values)


def clamped(values, lowest, highest):
    return (max(lowest, min(highest, value)) for value in values)


KINDS = {}


def kind(name):
    """Registers a function of a source of random numbers that returns a MiB."""
    def register(make):
        KINDS[name] = lambda: make(random.Random(name))
        return make
    return register


# Text.

for name, letters, options in (
        ("text, Latin", LATIN, {}), ("text, Cyrillic", CYRILLIC, {}),
        ("text, kana", KANA, {"longest": 5, "between": "", "end": "。"}),
        ("text, Chinese", HAN, {"number": 6000, "longest": 4, "between": "", "end": "。"})):
    kind(name)(lambda source, letters=letters, options=options: filled(
        sentences(source, letters, **options)))


@kind("text, UTF-16")
def utf16(source):
    return filled(part.encode("utf-16-le") for part in sentences(source, LATIN))


def dialogue(letters, **options):
    def make(source):
        text = sentences(source, letters, **options)
        return filled(
            f'  {{ "id": "scene_{line // 40:03}.line_{line % 40:02}", "speaker": '
            f'"{source.choice(["Ana", "Boris", "Chloe", "narrator"])}", "text": "{next(text)}" }},\n'
            for line in count())
    return make


kind("dialogue, Latin")(dialogue(LATIN))
kind("dialogue, Cyrillic")(dialogue(CYRILLIC))
kind("dialogue, Japanese")(dialogue(KANA + HAN[:400], longest=5, between="", end="。"))


@kind("CSV, three languages")
def csv_languages(source):
    latin, han, kana = (sentences(source, letters, number=2000, longest=longest, between=between)
                        for letters, longest, between in
                        ((LATIN, 11, " "), (HAN, 4, ""), (KANA, 5, "")))
    return filled(f'item.{row:05},"{next(latin)}","{next(han)}","{next(kana)}"\n'
                  for row in count())


@kind("CSV")
def csv(source):
    word = words(source, LATIN, 300, 9)
    return filled(f"{row},{next(word)},{source.randrange(100)},{source.randrange(10_000) / 100},"
                  f"{source.choice(['true', 'false'])}\n" for row in count())


@kind("TSV of numbers")
def tsv(source):
    return filled("\t".join(str(source.randrange(10 ** source.randrange(1, 6)))
                            for _ in range(8)) + "\n" for _ in count())


@kind("JSON, GUIDs")
def guids(source):
    return filled(f'{{"guid":"{source.getrandbits(128):032x}","type":{source.randrange(4)}}},\n'
                  for _ in count())


@kind("list of digests")
def digests(source):
    return filled(f"{source.getrandbits(128):032x}  assets/tex_{line}.png\n" for line in count())


@kind("catalog of bundles")
def catalog(source):
    word = words(source, LATIN, 500, 9)
    return filled(f'"{{App.Path}}/StandaloneOSX/{next(word)}_assets_{next(word)}_'
                  f'{source.getrandbits(128):032x}.bundle",' for _ in count())


@kind("UUIDs")
def uuids(source):
    return filled(f"{uuid.UUID(int=source.getrandbits(128))}\n" for _ in count())


@kind("JSON, records")
def records(source):
    word = words(source, LATIN, 400, 10)
    return filled(
        f'    {{\n      "name": "{next(word)}",\n      "level": {source.randrange(60)},\n'
        f'      "position": [{source.randrange(512)}, {source.randrange(512)}],\n'
        f'      "tags": ["{next(word)}", "{next(word)}"]\n    }},\n' for _ in count())


@kind("JSON, lines")
def json_lines(source):
    word = words(source, LATIN, 200, 8)
    return filled(f'{{"id":{row},"tile":"{next(word)}","x":{source.randrange(512)},"y":{row // 64}}}\n'
                  for row in count())


@kind("JSON, layers of tiles")
def layers(source):
    tile = 0
    def tiles():
        nonlocal tile
        while True:
            if source.random() < 0.3:
                tile = int(400 * source.random() ** 2)
            yield f"{tile}, "
    return filled(tiles())


@kind("JSON, glTF")
def gltf(source):
    return filled(f'{{"translation":[{source.random() * 8 - 4!r},{source.random()!r},'
                  f'{source.random() * 8 - 4!r}],"mesh":{node % 97},"name":"node.{node:03}"}},'
                  for node in count())


@kind("XML")
def xml(source):
    word = words(source, LATIN, 200, 9)
    return filled(
        f'  <Entity uid="{row}">\n    <Template>{next(word)}/{next(word)}</Template>\n'
        f'    <Position x="{source.randrange(10 ** 6) / 1000}" z="{source.randrange(10 ** 6) / 1000}"/>\n'
        f'    <Orientation y="{source.randrange(628) / 100}"/>\n  </Entity>\n' for row in count(10))


@kind("property list, atlas")
def atlas(source):
    word = words(source, LATIN, 200, 9)
    return filled(
        f"\t\t<key>{next(word)}_{row}.png</key>\n\t\t<dict>\n\t\t\t<key>frame</key>\n"
        f"\t\t\t<string>{{{{{source.randrange(2048)},{source.randrange(2048)}}},"
        f"{{{source.choice([32, 64, 128])},{source.choice([32, 64])}}}}}</string>\n"
        "\t\t\t<key>rotated</key>\n\t\t\t<false/>\n\t\t</dict>\n" for row in count())


@kind("OBJ")
def obj(source):
    height = walk(source, 30)
    return filled(f"v {row % 200 / 10:.6f} {next(height) / 1000:.6f} {row // 200 / 10:.6f}\n"
                  f"f {row + 1}/{row + 1} {row + 2}/{row + 2} {row + 201}/{row + 201}\n"
                  for row in count())


@kind("shaders")
def shaders(source):
    name = words(source, LATIN, 120, 8)
    call = ["normalize", "dot", "mix", "clamp", "texture", "max", "pow"]
    types = ["vec2", "vec3", "vec4", "float", "mat4"]

    def line():
        form = source.randrange(5)
        if form == 0:
            return f"uniform {source.choice(types)} u_{next(name)};\n"
        if form == 1:
            return f"    if (v_{next(name)}.{source.choice('xyz')} > {source.randrange(100) / 100}) {{\n"
        return (f"    {source.choice(types)} {next(name)} = {source.choice(call)}(v_{next(name)}."
                f"{source.choice(['xyz', 'rgb', 'xy', 'w'])}, {next(name)} * {source.randrange(9)}.0);\n")
    return filled(line() for _ in count())


@kind("hex dump")
def hex_dump(source):
    return filled(f"{16 * row:08x}  " + " ".join(
        f"{min(source.randrange(256), source.randrange(256)):02x}" for _ in range(16)) + "\n"
        for row in count())


# Small alphabets.

@kind("random a and b")
def two(source):
    return filled(source.choices([b"a", b"b"], k=SIZE))


@kind("four letters")
def four(source):
    return filled(source.choices([b"A", b"C", b"G", b"T"], k=SIZE))


@kind("bits as bytes")
def bits(source):
    return filled(source.choices([b"\0", b"\1"], weights=[3, 1], k=SIZE))


@kind("ADPCM")
def adpcm(source):
    values = [bytes([value]) for value in (0, 8, 1, 9, 16, 128, 17, 144, 2, 32, 10, 129, 24)]
    return filled(source.choices(values, weights=range(26, 0, -2), k=SIZE))


@kind("skewed bytes")
def skewed(source):
    return bytes(int(256 * source.random() ** 3) for _ in range(SIZE))


# Pictures.

@kind("tiles, 8 bit")
def tiles(source):
    known = [bytes(source.choice(b"\0\1\2\3\4\5\6\7") for _ in range(16)) for _ in range(60)]
    return filled(source.choice(known) for _ in count())


@kind("tile map, u32")
def tile_map(source):
    return numbers("I", (int(300 * source.random() ** 2) + 1 if source.random() < 0.4 else 7
                         for _ in count()))


@kind("pixel art, RGBA")
def pixel_art(source):
    palette = [source.randbytes(3) + b"\xFF" for _ in range(24)]
    rows = [b"".join(source.choice(palette) * source.randrange(1, 9) for _ in range(16))
            for _ in range(300)]
    return filled(source.choice(rows) for _ in count())


@kind("RGBA, gradients")
def gradients(source):
    return filled(bytes(((x // 3 + y // 2) & 255, (x + y) // 4 & 255, (x * y) >> 10 & 255, 255))
                  for y in count() for x in range(512))


@kind("RGBA, noise")
def rgba_noise(source):
    return filled(bytes(((x // 4 + source.randrange(6)) & 255, (y // 2 + source.randrange(6)) & 255,
                         128 + source.randrange(6), 255)) for y in count() for x in range(512))


@kind("BC1, smooth")
def bc1(source):
    color = walk(source, 40, 20_000)
    return filled(struct.pack("<HHI", value & 0xFFE0, (value & 0xFFE0) - 33 & 0xFFFF,
                              source.choice((0xAAAAAAAA, 0xA5A5A5A5, source.getrandbits(32))))
                  for value in color)


@kind("heights, u16")
def heights(source):
    return numbers("H", clamped(walk(source, 90, 30_000), 0, 65_535))


# Sound.

for name, form, step, low, high in (
        ("PCM, 8 bit", "b", 10, -128, 127), ("PCM, quiet", "h", 12, -300, 300),
        ("PCM, mono", "h", 900, -32_768, 32_767), ("walk, i32", "i", 400, -2 ** 31, 2 ** 31 - 1)):
    kind(name)(lambda source, form=form, step=step, low=low, high=high: numbers(
        form, clamped(walk(source, step), low, high)))


@kind("PCM, stereo")
def stereo(source):
    return filled(struct.pack("<hh", value, value + source.randrange(-3, 4))
                  for value in clamped(walk(source, 300), -32_000, 32_000))


@kind("walk, u8")
def walk_u8(source):
    position = 128
    def steps():
        nonlocal position
        while True:
            position = (position + source.randrange(-3, 4)) & 255
            yield position
    return numbers("B", steps())


# Models and tables.

@kind("animation, f32")
def animation(source):
    phases = [source.random() * 6 for _ in range(12)]
    return numbers("f", (math.floor(8192 * math.sin(frame / 40 + phase)) / 8192
                         for frame in count() for phase in phases))


@kind("f64, two digits")
def f64(source):
    return numbers("d", (source.randrange(10_000) / 100 for _ in count()))


@kind("f16")
def f16(source):
    return numbers("e", (source.randrange(-2000, 2000) / 1000 for _ in count()))


@kind("mesh, f32")
def mesh_f32(source):
    return filled(struct.pack("<ffffffff", row % 200 / 10, source.randrange(4) / 4, row // 200 / 10,
                              0, 1, 0, row % 200 / 200, row // 200 % 200 / 200) for row in count())


@kind("mesh, i16")
def mesh_i16(source):
    axes = [walk(source, 40) for _ in range(3)]
    return filled(struct.pack("<hhhhBBBB", *clamped(map(next, axes), -32_768, 32_767), row % 512,
                              128, 128, 255, source.randrange(3)) for row in count())


@kind("navigation mesh")
def navmesh(source):
    return filled(struct.pack("<HHHHHHBB", *(row + source.randrange(-60, 60) & 0xFFFF
                                            for _ in range(3)),
                              *(source.choice((0xFFFF, row + offset & 0xFFFF))
                                for offset in (-1, 1, 40)), 1, source.randrange(3))
                  for row in count())


@kind("records of an index")
def index_records(source):
    offsets = count(0)
    return filled(struct.pack("<QIIHH", 4096 * row + source.randrange(64), source.randrange(9000),
                              row, source.randrange(4), next(offsets) & 7) for row in count())


for name, bits in ("u32 below 2^18, sorted", 18), ("u32 below 2^30, sorted", 30):
    kind(name)(lambda source, bits=bits: array(
        "I", sorted(source.getrandbits(bits) for _ in range(SIZE // 4))).tobytes())


@kind("protobuf")
def protobuf(source):
    word = words(source, LATIN, 2000, 12)
    def fields():
        for row in count():
            text = next(word).encode()
            yield b"\x0a" + bytes([len(text)]) + text + b"\x10" + bytes(
                [row & 127 | 128, row >> 7 & 127]) + b"\x1d" + source.randbytes(4)
    return filled(fields())


@kind("SQLite")
def sqlite(source):
    word = words(source, LATIN, 2000, 12)
    with tempfile.NamedTemporaryFile() as file:
        with sqlite3.connect(file.name) as database:
            database.execute("create table item (id integer primary key, name, price, stock)")
            database.executemany("insert into item (name, price, stock) values (?, ?, ?)", (
                (f"{next(word)} {next(word)}", source.randrange(10 ** 5), source.randrange(200))
                for _ in range(45_000)))
        database.close()
        return filled([file.read()])


@kind("zeros and rare bytes")
def rare(source):
    return bytes(source.randrange(256) if source.random() < 0.02 else 0 for _ in range(SIZE))
