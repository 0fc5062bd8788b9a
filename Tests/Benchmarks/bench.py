#!/usr/bin/env python3
"""Compares ba-package with the tools that people would use instead, on real game data.

    bench.py [--set small|stk|0ad|all] [--rounds N] [--only NAME,...] [-o FILE]

All programs work on the same tree in the same run. In each round every one has its turn, and each
round begins with another, so that a busy machine slows all alike: the ratios are what counts. Files
are read from the page cache; outputs are written to files next to the data. Before each turn all
is synced, and the disk gets a moment to settle. Writes a table in Markdown.
`make bench` builds the programs and calls this.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import corpora
import manifests
import report
from measure import Run, Runs, run_pipeline, start_time

REPOSITORY = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("BA_BUILD") or REPOSITORY / ".build/release").absolute()
TOOL = Path(os.environ.get("BA_PACKAGE") or BUILD / "ba-package").absolute()
LIMIT = BUILD / "limit-benchmark"
WORK = corpora.CACHE / "work"
PIGZ = WORK / "tar.gz"
PACKINGS = {
    "ba-package": [],
    "ba-package -j 1": ["-j", "1"],
    "ba-package --compression lzfse": ["--compression", "lzfse"],
    "ba-package --compression store": ["--compression", "store"],
}
PACKS = {"zlib": WORK / "zlib.aar", "lzfse": WORK / "compression-lzfse.aar"}
STORED = WORK / "compression-store.aar"
MANIFEST = {
    "assetPackID": "bench",
    "downloadPolicy": {"onDemand": {}},
    "fileSelectors": [{"directory": "."}],
    "platforms": [],
}


def has(command):
    """Whether the tool has a command."""
    return subprocess.run([TOOL, "help", command], capture_output=True).returncode == 0


def package(output, *options):
    return [TOOL, "package", WORK / "bench.json", "--quiet", "--force", "-o", output, *options]


def pipelines(tree):
    """Name → the commands of a pipeline, and the file that it makes."""
    turns = {}
    for name, options in PACKINGS.items():
        output = WORK / f"{'-'.join(options).strip('-') or 'zlib'}.aar"
        turns[name] = [package(output, "--root", tree, *options)], output
    tar = ["tar", "-cf", "-", "."]
    turns["tar c | pigz -5"] = [tar, ["pigz", "-5"]], PIGZ
    turns["tar c | zstd -T0"] = [tar, ["zstd", "-q", "-T0"]], WORK / "tar.zst"
    output = WORK / "7z.zip"
    turns["7z a -tzip -mx5"] = [["7z", "a", "-bd", "-tzip", "-mx5", output, "."]], output
    return turns


def readers():
    """Name → the commands that read what the pipelines made, and the folder for what they unpack."""
    unpacked = WORK / "unpacked"
    readers = {"pigz -dc >/dev/null": [["pigz", "-dc", PIGZ]]}
    if has("verify"):
        for codec, pack in PACKS.items():
            readers[f"ba-package verify ({codec})"] = [[TOOL, "verify", pack]]
    if has("extract"):
        readers["ba-package extract"] = [[TOOL, "extract", PACKS["zlib"], "-o", unpacked]]
        readers["pigz -dc | tar x"] = [["pigz", "-dc", PIGZ], ["tar", "-xf", "-", "-C", unpacked]]
    return {name: (commands, unpacked) for name, commands in readers.items()}


def limit(*options):
    """Seconds for compressing the blocks alone, from memory."""
    result = subprocess.run(
        [LIMIT, *options, STORED], stdout=subprocess.PIPE, check=True)
    return json.loads(result.stdout)


def measure_limit(runs, name, options):
    found = limit("pack", *options)
    runs.setdefault(name, Runs()).runs.append(Run(found["seconds"], 0, 0))
    runs[name].size = found["packed"]


def turns(names, round):
    """The names, beginning with another one each round."""
    names = list(names)
    start = round * 2 % len(names)
    return names[start:] + names[:start]


def measure_set(name, rounds, only):
    """Everything that is measured on one package's data."""
    tree = corpora.tree(name)
    files, size = corpora.contents(tree)
    print(f"{name}: {files} files, {size} bytes, {rounds} rounds", file=sys.stderr)
    packing, runs = pipelines(tree), {}
    # Brings the files into the page cache, and the limit needs its blocks.
    run_pipeline(*[packing["ba-package --compression store"][0], WORK])
    wanted = [n for n in packing if not only or n in only]
    for round in range(rounds):
        for turn in turns(wanted, round):
            commands, output = packing[turn]
            output.unlink(missing_ok=True)
            settle()
            run = run_pipeline(commands, tree, output if turn.startswith("tar") else None)
            runs.setdefault(turn, Runs()).runs.append(run)
            runs[turn].size = output.stat().st_size
            note(turn, run)
        measure_limit(runs, "limit", [])
        measure_limit(runs, "limit --all", ["--all"])
        measure_limit(runs, "limit -j 1", ["-j", "1"])
    reading = readers()
    for round in range(rounds):
        for turn in turns(reading, round):
            commands, unpacked = reading[turn]
            shutil.rmtree(unpacked, ignore_errors=True)
            if turn.endswith("tar x"):
                unpacked.mkdir()
            settle()
            run = run_pipeline(commands, WORK)
            runs.setdefault(turn, Runs()).runs.append(run)
            note(turn, run)
            shutil.rmtree(unpacked, ignore_errors=True)
    probe = limit("probe")
    return report.Corpus(name, files, size, rounds, runs, probe)


def settle():
    """Lets the disk finish with what the turns before wrote and removed."""
    os.sync()
    time.sleep(0.5)


def note(turn, run):
    load = os.getloadavg()[0]
    print(f"  {turn}: {run.wall:.2f} s, load {load:.1f}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", choices=corpora.SETS, default="all")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="names of pipelines, with commas between")
    parser.add_argument("-o", default=str(corpora.CACHE / "speed.md"), help="where the table goes")
    options = parser.parse_args()
    missing = [tool for tool in ("pigz", "zstd", "7z", "tar") if not shutil.which(tool)]
    if missing:
        sys.exit(f"bench: not here: {' '.join(missing)}; 'make bench-tools' installs them")
    WORK.mkdir(parents=True, exist_ok=True)
    (WORK / "bench.json").write_text(json.dumps(MANIFEST))
    load = os.getloadavg()[0]
    starts = {
        "ba-package --version": start_time([TOOL, "--version"], 300),
        "true": start_time([shutil.which("true")], 300),
    }
    only = [name for name in options.only.split(",") if name]
    found = [measure_set(name, options.rounds, only) for name in corpora.SETS[options.set]]
    checks = manifests.measure(TOOL, WORK, has, "0ad-data" in corpora.SETS[options.set])
    text = report.render(found, starts, checks, load)
    Path(options.o).write_text(text)
    print(text)
    print(f"written to '{options.o}'", file=sys.stderr)


main()
