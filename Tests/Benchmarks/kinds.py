#!/usr/bin/env python3
"""Sizes and times of compressions by kind of data, in separate blocks of 1 MiB, on one thread: of
games' data, some of its kinds singly, and made data.

    kinds.py [--record] PROGRAM

PROGRAM is limit-benchmark, which packs the blocks with each level. Apple's open encoder is that of
pyliblzfse, which is installed into a virtual environment in the cache; zstd, zlib and xz are this
machine's libraries. As in a pack, a block that shrinks by less than a sixteenth counts as stored,
for all of them. --record keeps those of games' kinds in record.json, of which `picture.py` draws a
chart.
"""

import ctypes
import ctypes.util
import functools
import importlib
import json
import lzma
import subprocess
import sys
import time
import zlib
from pathlib import Path

import corpora
import made
import record

MIB = 1 << 20
MOST = 8
# Debian's package, and the files; all without any.
GAMES = {
    "0 A.D.: XML, JSON, JavaScript": ("0ad-data", ("*.xml", "*.json", "*.js")),
    "0 A.D.: models": ("0ad-data", ("*.pmd", "*.psa")),
    "0 A.D.: textures": ("0ad-data", ("*.dds",)),
    "0 A.D.: translations": ("0ad-data", ("*.po",)),
    "0 A.D., all of it": ("0ad-data", ()),
    "SuperTux: pictures and sound": ("supertux-data", ()),
}
# A pack has one language, and may have one kind of files.
SINGLE = {
    "0 A.D.: French": ("0ad-data", ("*/fr.*.po",)),
    "0 A.D.: German": ("0ad-data", ("*/de.*.po",)),
    "0 A.D.: Greek": ("0ad-data", ("*/el.*.po",)),
    "0 A.D.: Polish": ("0ad-data", ("*/pl.*.po",)),
    "0 A.D.: Russian": ("0ad-data", ("*/ru.*.po",)),
    "0 A.D.: Ukrainian": ("0ad-data", ("*/uk.*.po",)),
    "SuperTux: Chinese": ("supertux-data", ("*/zh_CN.po",)),
    "SuperTux: Japanese": ("supertux-data", ("*/ja.po",)),
    "SuperTux: Russian": ("supertux-data", ("*/ru.po",)),
    "0 A.D.: JavaScript": ("0ad-data", ("*.js",)),
    "0 A.D.: JSON": ("0ad-data", ("*.json",)),
    "0 A.D.: maps": ("0ad-data", ("*/maps/*/*.xml",)),
    "0 A.D.: shaders": ("0ad-data", ("*.glsl", "*.vs", "*.fs", "*.vp", "*.fp")),
    "SuperTux: levels": ("supertux-data", ("*.stl",)),
    "SuperTux: scripts, sprites": ("supertux-data", ("*.nut", "*.sprite")),
    "gettext's catalogs, Russian": ("libc-l10n", ("*/ru/*/*.mo",)),
    "the same, Japanese": ("libc-l10n", ("*/ja/*/*.mo",)),
    "the same, Chinese": ("libc-l10n", ("*/zh_CN/*/*.mo",)),
    "C headers": ("linux-libc-dev", ("*.h",)),
    "HTML": ("python3.11-doc", ("*.html",)),
    "Python": ("libpython3.11-stdlib", ("*.py",)),
    "SVG": ("breeze-icon-theme", ("*.svg",)),
    "TrueType fonts": ("fonts-dejavu-core", ("*.ttf",)),
    "machine code": ("libllvm14", ("*.so*",)),
}
BASE = "Apple's encoder"


def apple():
    """Apple's open encoder, by pyliblzfse."""
    folder = corpora.CACHE / "venv"
    python = folder / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    if subprocess.run([python, "-c", "import liblzfse"], stderr=subprocess.DEVNULL).returncode:
        subprocess.run([python, "-m", "pip", "install", "-q", "pyliblzfse"], check=True)
    sys.path += map(str, folder.glob("lib/python*/site-packages"))
    return importlib.import_module("liblzfse").compress


def zstd(level):
    """libzstd's encoder for one block."""
    library = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    library.ZSTD_compress.restype = ctypes.c_size_t
    library.ZSTD_compress.argtypes = [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int]
    output = ctypes.create_string_buffer(2 * MIB)
    return lambda block: range(
        library.ZSTD_compress(output, len(output), block, len(block), level))


def peers():
    """Name → encoder of a block; its result has the compressed size as its length."""
    return {
        BASE: apple(), "zstd -3": zstd(3), "zstd -19": zstd(19),
        "zlib -6": lambda block: zlib.compress(block, 6),
        "zlib -9": lambda block: zlib.compress(block, 9),
        "xz -9": lambda block: lzma.compress(block, preset=9),
    }


def sample(package, patterns):
    """Every n-th MiB of a package's files in the order of their paths."""
    tree = corpora.tree(package)
    files = sorted(path for path in tree.rglob("*") if path.is_file()
                   and (not patterns or any(map(path.match, patterns))))
    step = max(1, sum(path.stat().st_size for path in files) // (MOST * MIB))
    kept, block, number = [], b"", 0
    for path in files:
        block += path.read_bytes()
        while len(block) >= MIB:
            if number % step == 0 and len(kept) < MOST:
                kept.append(block[:MIB])
            block, number = block[MIB:], number + 1
    return b"".join(kept) or block


def measured(program, encoders, data):
    """Name → size in bytes, seconds of the processor for packing and reading, of the blocks of
    data."""
    found = {}
    blocks = [data[start:start + MIB] for start in range(0, len(data), MIB)]
    for name, encode in encoders.items():
        size, start = 0, time.process_time()
        for block in blocks:
            count = len(encode(block))
            size += 16 + (count if count <= len(block) - len(block) // 16 else len(block))
        found[name] = {"packed": size, "packing": time.process_time() - start}
    path = corpora.CACHE / "work/kind"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    levels = subprocess.run([program, "levels", path], stdout=subprocess.PIPE, check=True)
    path.unlink()
    return {"raw": len(data)}, found | json.loads(levels.stdout)


def all_measured(program):
    """Kind → its size, and what each compression made of it."""
    encoders, kinds = peers(), {}
    sources = {kind: functools.partial(sample, *source) for kind, source in (GAMES | SINGLE).items()}
    for kind, data in (sources | made.KINDS).items():
        raw, found = measured(program, encoders, data())
        kinds[kind] = raw | {"made": found}
        print(f"  {kind}: {raw['raw'] / MIB:.1f} MiB", file=sys.stderr)
    return kinds


SHOWN = ["lzfse 1", "lzfse 5", "lzfse 9", "zstd -3", "zstd -19", "zlib 5", "zlib -9", "xz -9"]
SHOWN_SINGLY = ["lzfse 1", "lzfse 5", "lzfse 9", "zlib -6", "zstd -19"]


def sizes(found, shown):
    """Markdown: sizes against Apple's."""
    head = [BASE + ", of raw"] + [f"`{name}`" for name in shown]
    yield "| size | " + " | ".join(head) + " |"
    yield "| --- |" + " ---: |" * len(head)
    for kind, (raw, by) in found.items():
        base = by[BASE]["packed"]
        cells = [f"{base / raw:.1%}"] + [f"{by[name]['packed'] / base:.1%}" for name in shown]
        yield f"| {kind} | " + " | ".join(cells) + " |"


def tables(kinds):
    """Markdown: sizes against Apple's, times, what the samples cost, and sizes by single kinds."""
    yield from sizes(rows(kinds), SHOWN)
    yield ""
    names = [BASE] + SHOWN
    yield "| ms of a processor for a MiB | " + " | ".join(
        name if name == BASE else f"`{name}`" for name in names) + " |"
    yield "| --- |" + " ---: |" * len(names)
    for kind, (raw, by) in rows(kinds).items():
        cells = [f"{1000 * by[name]['packing'] * MIB / raw:.1f}" for name in names]
        yield f"| {kind} | " + " | ".join(cells) + " |"
    yield ""
    yield "| with the probe | larger by | time | reading, against level 5 |"
    yield "| --- | ---: | ---: | ---: |"
    total = rows(kinds)["all together"][1]
    for name in "lzfse 5", "lzfse 9", "zlib 5", "zlib 9":
        with_samples, without = total[name], total[name + ", all"]
        reading = total[name]["reading"] / total["lzfse 5"]["reading"]
        yield f"| `{name}` | {with_samples['packed'] / without['packed'] - 1:.2%} | " \
              f"{with_samples['packing'] / without['packing']:.2f} | " \
              f"{f'{reading:.2f}' if reading else ''} |"
    yield ""
    yield from sizes({kind: (row["raw"], row["made"]) for kind, row in kinds.items()
                      if kind not in GAMES}, SHOWN_SINGLY)


def rows(kinds):
    """Games' kind → uncompressed size, and what was made of it; and the sum of all of these."""
    found = {kind: (kinds[kind]["raw"], kinds[kind]["made"]) for kind in GAMES}
    names = next(iter(found.values()))[1]
    total = {
        name: {key: sum(by[name].get(key, 0) for _, by in found.values())
               for key in ("packed", "packing", "reading")}
        for name in names
    }
    return found | {"all together": (sum(raw for raw, _ in found.values()), total)}


def main(arguments):
    records = arguments[:1] == ["--record"]
    program = Path(arguments[-1]).absolute()
    kinds = all_measured(program)
    print("\n".join(tables(kinds)))
    if records:
        record.keep_kinds({kind: kinds[kind] for kind in GAMES})


if __name__ == "__main__":
    main(sys.argv[1:])
