#!/usr/bin/env python3
"""Compares ba-package with the tools that people would use instead, on real game data.

    bench.py [--set small|stk|0ad|all] [--rounds N] [--only NAME,...] [--record] [-o FILE]

With igzip, and with zlib-ng in the place of the system's libz, or in the folder that BENCH_ZLIB_NG
names, there is a row for each, so that the choice of a library is a measured one.

All programs work on the same tree in the same run. In each round every one has its turn, and each
round begins with another, so that a busy machine slows all alike: the ratios are what counts. Files
are read from the page cache. Outputs are written to a tmpfs (/dev/shm) if they fit there, otherwise
next to the data; there, all is synced before each turn, and the disk gets a moment to settle.

Writes tables in Markdown, the last one with the aims: what was measured, and which share that is of
what no program could beat. Fails if a ratio is worse by more than a quarter than the one recorded for
this machine in record.json; the first run on a machine, and --record, record instead.
`make bench` builds the programs and calls this.
"""

import argparse
import ctypes
import ctypes.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import corpora
import manifests
import record
import report
from measure import Run, Runs, run_pipeline, start_time

REPOSITORY = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("BA_BUILD") or REPOSITORY / ".build/release").absolute()
TOOL = Path(os.environ.get("BA_PACKAGE") or BUILD / "ba-package").absolute()
DYNAMIC = BUILD.parent / "ba-package-dynamic"
LIMIT = BUILD / "limit-benchmark"
CODEC = BUILD / "codec-benchmark"
PACKINGS = {
    "ba-package": [],
    "ba-package -j 1": ["-j", "1"],
    "ba-package --compression lzfse": ["--compression", "lzfse"],
    "ba-package --compression store": ["--compression", "store"],
}
# Outputs that are read again, and the memory that they take together with one more output, what a
# tool extracts and the data itself, in sizes of the data.
KEPT = ["zlib.aar", "compression-lzfse.aar", "compression-store.aar", "tar.gz", "tar.zst"]
ROOM = 6
MANIFEST = {
    "assetPackID": "bench",
    "downloadPolicy": {"onDemand": {}},
    "fileSelectors": [{"directory": "."}],
    "platforms": [],
}


def has(command):
    """Whether the tool has a command."""
    return subprocess.run([TOOL, "help", command], capture_output=True).returncode == 0


def zlib_ng():
    """The variables that load zlib-ng as libz, as words for env; None if it isn't here."""
    folder = os.environ.get("BENCH_ZLIB_NG")
    name = Path(folder) / "libz.so.1" if folder else ctypes.util.find_library("z")
    if not name or not DYNAMIC.exists():
        return None
    version = ctypes.CDLL(name).zlibVersion
    version.restype = ctypes.c_char_p
    if b"zlib-ng" not in version():
        return None
    return [f"LD_LIBRARY_PATH={folder}"] if folder else []


def room(size):
    """Where outputs go: to memory, if they fit there beside the data in the page cache."""
    shm = Path("/dev/shm")
    if shm.is_dir() and os.access(shm, os.W_OK):
        available = re.search(r"MemAvailable: *(\d+) kB", Path("/proc/meminfo").read_text())
        if min(shutil.disk_usage(shm).free, int(available[1]) << 10) > ROOM * size:
            return shm / f"ba-package-bench-{os.getpid()}"
    return corpora.CACHE / "work"


class Turns:
    """What is run on the data in `tree`, with outputs in `work`."""

    def __init__(self, tree, work):
        self.tree, self.work = tree, work
        self.is_memory = work.is_relative_to("/dev/shm")

    def package(self, output, *options):
        return [TOOL, "package", self.work / "bench.json", "--quiet", "--force", "-o", output,
                "--root", self.tree, *options]

    def packing(self):
        """Name → the commands of a pipeline, and the file that it makes."""
        turns = {}
        for name, options in PACKINGS.items():
            output = self.work / f"{'-'.join(options).strip('-') or 'zlib'}.aar"
            turns[name] = [self.package(output, *options)], output
        if (variables := zlib_ng()) is not None:
            output = self.work / "zlib-ng.aar"
            command = ["env", *variables, DYNAMIC, *self.package(output)[1:]]
            turns["ba-package with zlib-ng"] = [command], output
        tar = ["tar", "-cf", "-", "."]
        if shutil.which("igzip"):
            jobs = str(os.cpu_count())
            turns["tar c | igzip -3"] = [tar, ["igzip", "-3", "-T", jobs, "-c"]], \
                self.work / "igzip.gz"
        turns["tar c | pigz -5"] = [tar, ["pigz", "-5"]], self.work / "tar.gz"
        turns["tar c | zstd -T0"] = [tar, ["zstd", "-q", "-T0"]], self.work / "tar.zst"
        output = self.work / "7z.zip"
        turns["7z a -tzip -mx5"] = [["7z", "a", "-bd", "-tzip", "-mx5", output, "."]], output
        return turns

    def reading(self):
        """Name → the commands that read what the pipelines made."""
        gz, zst, unpacked = self.work / "tar.gz", self.work / "tar.zst", self.work / "unpacked"
        packs = {"zlib": self.work / "zlib.aar", "lzfse": self.work / "compression-lzfse.aar"}
        tar = ["tar", "-xf", "-", "-C", unpacked]
        turns = {
            "pigz -dc >/dev/null": [["pigz", "-dc", gz]],
            "zstd -dc >/dev/null": [["zstd", "-dcq", zst]],
            "md5sum (lzfse)": [["md5sum", packs["lzfse"]]],
            "pigz -dc | tar x": [["pigz", "-dc", gz], tar],
            "zstd -dc | tar x": [["zstd", "-dcq", zst], tar],
            "tar x": [["tar", "-C", self.tree, "-cf", "-", "."], tar],
        }
        for codec, pack in packs.items():
            turns[f"ba-package verify ({codec})"] = [[TOOL, "verify", pack]]
            turns[f"ba-package info ({codec})"] = [[TOOL, "info", pack]]
            turns[f"ba-package extract ({codec})"] = [[TOOL, "extract", pack, "-o", unpacked]]
        return {name: turn for name, turn in turns.items()
                if turn[0][0] != TOOL or has(turn[0][1])}

    def read(self):
        """Reads the tree into the page cache, from which the system may have dropped files."""
        run_pipeline([["tar", "-cf", "-", "."], ["cat"]], self.tree)

    def settle(self):
        """Lets the disk finish with what the turns before wrote and removed."""
        if self.is_memory:
            return
        os.sync()
        time.sleep(0.5)


def limit(stored, *options):
    """Seconds for compressing the blocks alone, from memory."""
    result = subprocess.run(
        [LIMIT, *options, stored], stdout=subprocess.PIPE, check=True)
    return json.loads(result.stdout)


def measure_limit(runs, stored, name, options):
    found = limit(stored, "pack", *options)
    runs.setdefault(name, Runs()).runs.append(Run(found["seconds"], 0, 0))
    runs[name].size = found["packed"]


def codec_speeds(stored):
    """How many times as fast as zlib the LZFSE codec encodes and decodes, on one thread."""
    result = subprocess.run(
        [CODEC, "-b", "96", stored], stdout=subprocess.PIPE, text=True, check=True)
    words = result.stdout.splitlines()[-1].split()
    return float(words[words.index("encode") + 1]), float(words[words.index("decode") + 1])


def turns(names, round):
    """The names, beginning with another one each round."""
    names = list(names)
    start = round * 2 % len(names)
    return names[start:] + names[:start]


def measure_set(name, rounds, only):
    """Everything that is measured on one package's data."""
    tree = corpora.tree(name)
    files, size = corpora.contents(tree)
    work = room(size)
    place = "in memory" if work.is_relative_to("/dev/shm") else "on the disk"
    print(f"{name}: {files} files, {size} bytes, {rounds} rounds, outputs {place} in '{work}'",
          file=sys.stderr)
    work.mkdir(parents=True, exist_ok=True)
    try:
        (work / "bench.json").write_text(json.dumps(MANIFEST))
        runs, probe, codec = measure_turns(Turns(tree, work), rounds, only)
    finally:
        if place == "in memory":
            shutil.rmtree(work, ignore_errors=True)
    return report.Corpus(name, files, size, rounds, place, runs, probe, codec)


def measure_turns(all, rounds, only):
    packing, runs = all.packing(), {}
    stored = all.work / "compression-store.aar"
    # The limit needs its blocks.
    run_pipeline(packing["ba-package --compression store"][0], all.work)
    wanted = [n for n in packing if not only or n in only]
    for round in range(rounds):
        for turn in turns(wanted, round):
            commands, output = packing[turn]
            output.unlink(missing_ok=True)
            all.read()
            all.settle()
            run = run_pipeline(commands, all.tree, output if turn.startswith("tar") else None)
            runs.setdefault(turn, Runs()).runs.append(run)
            runs[turn].size = output.stat().st_size
            note(turn, run)
            if output.name not in KEPT:
                output.unlink()
        measure_limit(runs, stored, "limit", [])
        measure_limit(runs, stored, "limit lzfse", ["--lzfse"])
        measure_limit(runs, stored, "limit --all", ["--all"])
        measure_limit(runs, stored, "limit -j 1", ["-j", "1"])
    probe, codec = limit(stored, "probe"), codec_speeds(stored)
    stored.unlink()
    if only:
        return runs, probe, codec
    reading = all.reading()
    unpacked = all.work / "unpacked"
    for round in range(rounds):
        for turn in turns(reading, round):
            shutil.rmtree(unpacked, ignore_errors=True)
            if turn.endswith("tar x"):
                unpacked.mkdir()
            all.settle()
            run = run_pipeline(reading[turn], all.work)
            runs.setdefault(turn, Runs()).runs.append(run)
            note(turn, run)
    shutil.rmtree(unpacked, ignore_errors=True)
    return runs, probe, codec


def note(turn, run):
    load = os.getloadavg()[0]
    print(f"  {turn}: {run.wall:.2f} s, load {load:.1f}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", choices=corpora.SETS, default="all")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="names of pipelines, with commas between")
    parser.add_argument(
        "--record", action="store_true", help="record the ratios instead of comparing them")
    parser.add_argument("-o", default=str(corpora.CACHE / "speed.md"), help="where the table goes")
    options = parser.parse_args()
    missing = [tool for tool in ("pigz", "zstd", "7z", "tar") if not shutil.which(tool)]
    if missing:
        sys.exit(f"bench: not here: {' '.join(missing)}; 'make bench-tools' installs them")
    work = corpora.CACHE / "work"
    work.mkdir(parents=True, exist_ok=True)
    load = os.getloadavg()[0]
    starts = {
        "ba-package --version": start_time([TOOL, "--version"], 300),
        "true": start_time([shutil.which("true")], 300),
    }
    only = [name for name in options.only.split(",") if name]
    found = [measure_set(name, options.rounds, only) for name in corpora.SETS[options.set]]
    checks = manifests.measure(TOOL, work, has, "0ad-data" in corpora.SETS[options.set])
    memory = manifests.memory_of_diff(TOOL, work) if has("diff") else None
    aims = list(report.aims(found, starts, checks, memory))
    text = report.render(found, aims, checks, load)
    Path(options.o).write_text(text)
    print(text)
    print(f"written to '{options.o}'", file=sys.stderr)
    if not only and not record.compare(report.machine_name(), aims, options.record):
        sys.exit(1)


main()
