#!/usr/bin/env python3
"""Measures how time and memory grow with the number of packs, of files, of bytes and of jobs.

    growth.py [--only packs|files|bytes|jobs] [--largest N] [-o FILE]

The data is made for it: packs of 20 files of 2 KB; one pack of files of 100 bytes, 100 to a folder;
one pack of links to the same file of 64 MB, which compresses to a tenth. Jobs are measured on the
data of SuperTux. A table for each has the time of every step, the peak memory of the largest, and
the exponent: the logarithm of the ratio of processor times of the two largest steps, over that of
their sizes. 1 is linear; n log n is 1.08 from 100,000 to 1,000,000. Prints Markdown.
"""

import argparse
import json
import math
import os
import random
import shutil
import sys
from pathlib import Path

import corpora
from measure import run_pipeline

REPOSITORY = Path(__file__).resolve().parents[2]
TOOL = Path(os.environ.get("BA_PACKAGE") or REPOSITORY / ".build/release/ba-package").absolute()
# Of a command that is over linear: n log n, and what a busy machine adds.
MOST = 1.25


def manifest(name, selectors, root):
    return json.dumps({
        "assetPackID": name, "downloadPolicy": {"onDemand": {}}, "fileSelectors": selectors,
        "platforms": [], "sourceRoot": root})


def packs(work, count):
    """Commands on `count` packs, by name."""
    for index in range(count):
        folder = work / "files" / f"level-{index:04}"
        folder.mkdir(parents=True)
        for number in range(20):
            (folder / f"{number:02}.txt").write_bytes(noise(f"{index}-{number}", 2000))
        path = work / "manifests" / f"level-{index:04}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            manifest(f"level-{index:04}", [{"directory": folder.name}], str(work / "files")))
    made = work / "packs"
    made.mkdir()
    yield "validate", ["validate", work / "manifests"]
    package = ["package", work / "manifests", "-q", "--if-changed", "-o", made]
    yield "package", package
    yield "package --if-changed, unchanged", package
    archives = sorted(made.glob("*.aar"))
    yield "verify", ["verify", *archives]
    yield "info", ["info", *archives]
    yield "report", ["report", *archives, "-o", work / "report.html"]
    yield "diff", ["diff", made, made]


def files(work, count):
    """Commands on one pack with `count` files, by name."""
    for index in range(count):
        folder = work / "files" / f"{index // 100:05}"
        if index % 100 == 0:
            folder.mkdir(parents=True)
        (folder / f"{index:07}.txt").write_bytes(noise(index, 100))
    path, pack = work / "many.json", work / "many.aar"
    path.write_text(manifest("many", [{"directory": "."}], str(work / "files")))
    yield "validate", ["validate", path]
    yield "evaluate", ["evaluate", path]
    package = ["package", path, "-q", "--if-changed", "-o", pack]
    yield "package", package
    yield "package --if-changed, unchanged", package
    # Readers have limits of their own.
    limit = ["--limit-entries", str(2 * count)]
    yield "list", ["list", *limit, pack]
    yield "info", ["info", *limit, pack]
    yield "verify", ["verify", *limit, pack]
    yield "diff", ["diff", *limit, pack, pack]
    yield "report", ["report", *limit, pack, "-o", work / "report.html"]
    shutil.rmtree(work / "files")
    yield "extract", ["extract", *limit, pack, "-o", work / "out"]


def volume(work, size):
    """Commands on one pack with `size` bytes, by name."""
    unit = min(size, 64 << 20)
    (work / "files").mkdir()
    base = noise("base", 3 << 20)
    with open(work / "files" / "base.bin", "wb") as file:
        for index in range(0, unit, 1 << 20):
            file.write((base[index >> 8:][:100 << 10] * 11)[:min(1 << 20, unit - index)])
    for index in range(1, size // unit):
        (work / "files" / f"link-{index:05}.bin").symlink_to("base.bin")
    path, pack = work / "large.json", work / "large.aar"
    path.write_text(manifest("large", [{"directory": "."}], str(work / "files")))
    yield "package --compression lzfse", [
        "package", path, "-q", "--compression", "lzfse", "-o", pack]
    limit = ["--limit", str(2 * size)]
    yield "verify", ["verify", *limit, pack]
    yield "info", ["info", *limit, pack]


def jobs(work, count):
    """Packaging with `count` jobs, by name."""
    path = work / "jobs.json"
    path.write_text(manifest("jobs", [{"directory": "."}], str(corpora.tree("supertux-data"))))
    for codec in ("zlib", "lzfse"):
        yield f"package --compression {codec}", [
            "package", path, "-q", "-j", str(count), "--compression", codec, "-o",
            work / f"{codec}.aar"]


SERIES = {
    "packs": (packs, "packs", [1, 10, 100, 1_000]),
    "files": (files, "files", [100, 1_000, 10_000, 100_000, 1_000_000]),
    "bytes": (volume, "bytes", [1 << 20, 16 << 20, 256 << 20, 4 << 30, 64 << 30]),
    "jobs": (jobs, "jobs", [1, 2, 4, 8, 16, 32, 64]),
}


def noise(seed, size):
    """Bytes that compress a little, the same for the same seed."""
    return random.Random(str(seed)).randbytes((size + 1) // 2).hex().encode()[:size]


def measure(name, largest, place):
    make, unit, sizes = SERIES[name]
    sizes = [size for size in sizes if size <= largest] if largest else sizes
    runs = {}
    for size in sizes:
        work = place / f"growth-{os.getpid()}"
        work.mkdir(parents=True)
        try:
            for command, words in make(work, size):
                runs.setdefault(command, []).append(run_pipeline([[TOOL, *words]], work))
                print(f"  {size:,} {unit}: {command}: {runs[command][-1]}", file=sys.stderr)
        finally:
            shutil.rmtree(work)
    yield f"| {unit} | {' | '.join(shown(size, unit) for size in sizes)} | memory | exponent |"
    yield "| --- |" + " ---: |" * (len(sizes) + 2)
    for command, found in runs.items():
        cells = " | ".join(f"{run.wall:.2f} s" for run in found)
        yield f"| `{command}` | {cells} | {found[-1].memory / 2**20:,.0f} MiB | " \
              f"{'' if unit == 'jobs' else exponent(found, sizes)} |"


def shown(size, unit):
    if unit != "bytes":
        return f"{size:,}"
    return f"{size >> 30} GiB" if size >= 1 << 30 else f"{size >> 20} MiB"


def exponent(runs, sizes):
    if len(runs) < 2:
        return ""
    value = math.log(runs[-1].cpu / runs[-2].cpu) / math.log(sizes[-1] / sizes[-2])
    return f"{value:.2f}" + (" (!)" if value > MOST else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=SERIES)
    parser.add_argument("--largest", type=int, help="no step is larger")
    parser.add_argument("-o", default=str(corpora.CACHE / "growth.md"), help="where the tables go")
    options = parser.parse_args()
    corpora.CACHE.mkdir(parents=True, exist_ok=True)
    lines = []
    for name in [options.only] if options.only else SERIES:
        # Large outputs don't fit into memory.
        is_memory = name in ("packs", "files") and os.access("/dev/shm", os.W_OK)
        place = Path("/dev/shm") if is_memory else corpora.CACHE
        lines += [*measure(name, options.largest, place), ""]
    text = "\n".join(lines)
    Path(options.o).write_text(text)
    print(text)
    if "(!)" in text:
        sys.exit("growth: a command takes more than n log n")


main()
