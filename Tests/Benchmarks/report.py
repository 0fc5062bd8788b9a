"""The tables that the page Speed of the guide shows."""

import datetime
import os
import platform
import re
import subprocess
from dataclasses import dataclass

PIGZ = "tar c | pigz -5"
PACKERS = [
    "ba-package", "ba-package -j 1", "ba-package --compression lzfse",
    "ba-package --compression store", "ba-package with zlib-ng", PIGZ, "tar c | igzip -3",
    "tar c | zstd -T0", "7z a -tzip -mx5",
]
LIMITS = {
    "limit": "limit: the same blocks, in memory",
    "limit -j 1": "the same on one thread",
    "limit --all": "limit without the probe",
    "limit lzfse": "limit with LZFSE",
}
READERS = [
    "ba-package verify (zlib)", "ba-package verify (lzfse)", "pigz -dc >/dev/null",
    "zstd -dc >/dev/null", "ba-package info (zlib)", "ba-package info (lzfse)", "md5sum (lzfse)",
    "ba-package extract (zlib)", "ba-package extract (lzfse)", "pigz -dc | tar x",
    "zstd -dc | tar x", "tar x",
]
ZSTD = "tar c | zstd -T0"
LZFSE = "ba-package --compression lzfse"


@dataclass
class Corpus:
    """What was measured on one package's data."""

    name: str
    files: int
    size: int
    rounds: int
    place: str
    runs: dict
    probe: dict
    # How many times as fast as zlib LZFSE encodes and decodes.
    codec: tuple


@dataclass
class Aim:
    """A ratio, time or size that is to be reached."""

    text: str
    aim: str
    found: str
    is_met: bool
    # The share of what no program could beat, and what that is.
    share: str = ""
    # For the record: more is better.
    goodness: float = None


def render(corpora, aims, checks, load):
    lines = [*machine(load), ""]
    for corpus in corpora:
        lines += [*table(corpus), ""]
    lines += [*probes(corpora), ""]
    if checks:
        lines += ["| manifests | time | peak memory |", "| --- | ---: | ---: |"]
        lines += [
            f"| `{name}` | {runs.wall * 1000:.0f} ms | {mebibytes(runs.memory)} |"
            for name, runs in checks.items()
        ]
        lines += [""]
    lines += ["| what | aim | measured | share of the limit | |", "| --- | ---: | ---: | --- | --- |"]
    for aim in aims:
        met = "met" if aim.is_met else "**missed**"
        lines.append(f"| {aim.text} | {aim.aim} | {aim.found} | {aim.share} | {met} |")
    # A bar within code would end a table's cell.
    lines = [re.sub(r"`[^`]*`", lambda code: code[0].replace("|", r"\|"), line) for line in lines]
    return "\n".join(lines) + "\n"


def machine_name():
    """What a record belongs to: the processor, and how many there are."""
    lines = open("/proc/cpuinfo").read().splitlines() if os.path.exists("/proc/cpuinfo") else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{models[0] if models else platform.processor()}, {os.cpu_count()} processors"


def machine(load):
    """Where and when, in one paragraph."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    tools = [first_line("pigz", "--version"), "zstd " + first_line("zstd", "-qV", "--version")]
    return [
        f"{datetime.date.today()}, {machine_name()}, {memory:.0f} GiB, "
        f"{platform.system()} {platform.release().split('-')[0]}; {', '.join(tools)}; "
        f"load {load:.1f} at the start.",
    ]


def first_line(*command):
    try:
        result = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return f"{command[0]} (missing)"
    return (result.stdout or result.stderr).strip().splitlines()[0]


def table(corpus):
    runs, base = corpus.runs, corpus.runs.get(PIGZ)
    yield f"**{corpus.name}**: {corpus.files:,} files, {megabytes(corpus.size)}, " \
          f"medians of {corpus.rounds} rounds, outputs {corpus.place}"
    yield ""
    yield "| | time | processor | peak memory | size | × as fast as pigz | size against pigz |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name in PACKERS:
        if name in runs:
            r = runs[name]
            against = f"{base.wall / r.wall:.2f} | {r.size / base.size - 1:+.1%}" if base else " | "
            yield f"| `{name}` | {r.wall:.2f} s | {r.cpu:.2f} s | {mebibytes(r.memory)} | " \
                  f"{megabytes(r.size)} | {against} |"
    for name, title in LIMITS.items():
        r = runs[name]
        against = f"{base.wall / r.wall:.2f} | {r.size / base.size - 1:+.1%}" if base else " | "
        yield f"| {title} | {r.wall:.2f} s | | | {megabytes(r.size)} | {against} |"
    yield ""
    yield "| reading back | time | processor | peak memory | × as fast as pigz |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name in READERS:
        if name in runs:
            r = runs[name]
            peer = runs["pigz -dc | tar x" if READERS.index(name) >= 7 else "pigz -dc >/dev/null"]
            yield f"| `{name}` | {r.wall:.2f} s | {r.cpu:.2f} s | {mebibytes(r.memory)} | " \
                  f"{peer.wall / r.wall:.2f} |"


def probes(corpora):
    """What the probe's verdicts cost in bytes and save in time."""
    yield "| probe | blocks | stored by the rule | stored | of these wrongly | most lost | bytes | " \
          "time |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for corpus in corpora:
        p = corpus.probe
        yield f"| {corpus.name} | {p['blocks']} | {p['storedByRule']} | {p['stored']} | " \
              f"{p['wronglyStored']} | {p['worst']:.1%} | {p['probed'] / p['deflated'] - 1:+.2%} | " \
              f"{p['probeTime'] / p['deflateTime']:.3f} |"


def aims(corpora, starts, checks, memory):
    """The aims that the runs at hand can tell something about."""
    for corpus in corpora:
        yield from packing_aims(corpus)
        yield from reading_aims(corpus)
    median, least = starts["ba-package --version"]
    yield Aim(
        "`ba-package --version`", "under 3 ms", f"{median * 1000:.2f} ms", median < 0.003,
        f"{starts['true'][0] / median:.2f} of `true`")
    for name, runs in checks.items():
        if "0ad" in name:
            walk = checks["find"].wall
            yield Aim(
                name, "under 100 ms", f"{runs.wall * 1000:.0f} ms", runs.wall < 0.1,
                f"{walk / runs.wall:.2f} of `find`")
    if memory:
        yield Aim(
            "memory of `diff` for each entry", "0.6 KiB", f"{memory / 1024:.2f} KiB",
            memory <= 0.6 * 1024)


# Times as fast as pigz and larger than its output, times as fast as zstd and its size.
PACKING_AIMS = {
    "supertuxkart-data": (2.7, 0.015, 2.0, 1.01), "0ad-data": (1.3, 0.007, 1.5, 1.0),
    "supertux-data": (1.3, 0.015, 1.5, 1.01),
}


def packing_aims(corpus):
    runs, name = corpus.runs, corpus.name
    jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    tool, pigz, lzfse, zstd = (runs.get(n) for n in ("ba-package", PIGZ, LZFSE, ZSTD))
    faster, larger, faster_lzfse, larger_lzfse = PACKING_AIMS[name]
    if lzfse and zstd:
        yield at_least(
            f"{name}: LZFSE × as fast as `{ZSTD}`", zstd.wall / lzfse.wall, faster_lzfse,
            share(runs["limit lzfse"].wall / lzfse.wall, "the blocks in memory"))
        yield at_most(
            f"{name}: LZFSE's size against zstd's", lzfse.size / zstd.size, larger_lzfse, 3)
    if tool and pigz:
        yield at_least(
            f"{name}: zlib × as fast as `{PIGZ}`", pigz.wall / tool.wall, faster,
            share(runs["limit"].wall / tool.wall, "the blocks in memory"))
        yield at_most(
            f"{name}: zlib's size against pigz's", tool.size / pigz.size, 1 + larger, 3)
    if tool:
        yield at_least(
            f"{name}: zlib, of the speed of the same blocks in memory",
            runs["limit"].wall / tool.wall, 0.95)
        if one := runs.get("ba-package -j 1"):
            # 3.7 with four processors.
            yield at_least(
                f"{name}: {jobs} jobs against 1", one.wall / tool.wall, 0.925 * jobs,
                share(one.wall / tool.wall / jobs, "all processors"))
        most = 16 * 2**20 + 4 * 2**20 * jobs + 0.4 * 1024 * corpus.files
        yield Aim(
            f"{name}: peak memory (16 MiB + 4 MiB a job + 0.4 KiB an entry)",
            f"at most {mebibytes(most)}", mebibytes(tool.memory), tool.memory <= most)


def reading_aims(corpus):
    runs, name = corpus.runs, corpus.name
    encode, decode = corpus.codec
    yield at_least(f"{name}: LZFSE encoding × as fast as deflate, one thread", encode, 3.5)
    yield at_least(f"{name}: LZFSE decoding × as fast as inflate, one thread", decode, 4)
    verify, info, extract = (
        runs.get(f"ba-package {command} (lzfse)") for command in ("verify", "info", "extract"))
    if extract:
        yield at_least(
            f"{name}: extract × as fast as `zstd -dc | tar x`, LZFSE",
            runs["zstd -dc | tar x"].wall / extract.wall, 1.2,
            share(runs["tar x"].wall / extract.wall, "`tar c | tar x`"))
    if verify:
        yield at_least(
            f"{name}: verify × as fast as `zstd -dc`, LZFSE",
            runs["zstd -dc >/dev/null"].wall / verify.wall, 1.5)
    if zlib := runs.get("ba-package verify (zlib)"):
        yield at_least(
            f"{name}: verify × as fast as `pigz -dc`, zlib",
            runs["pigz -dc >/dev/null"].wall / zlib.wall, 3)
    if verify and info:
        yield at_most(
            f"{name}: time of info against verify's, LZFSE", info.wall / verify.wall, 1.3, 2,
            share(runs["md5sum (lzfse)"].wall / info.wall, "`md5sum`"))


def share(value, limit):
    return f"{value:.2f} of {limit}"


def at_least(text, found, aim, share=""):
    return Aim(text, f"at least {aim:.4g}", f"{found:.2f}", found >= aim, share, found)


def at_most(text, found, aim, digits, share=""):
    return Aim(text, f"at most {aim:.4g}", f"{found:.{digits}f}", found <= aim, share, 1 / found)


def mebibytes(count):
    return f"{count / 2**20:.1f} MiB"


def megabytes(count):
    return f"{count / 1e6:,.1f} MB"
