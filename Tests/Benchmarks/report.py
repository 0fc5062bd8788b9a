"""The table that README shows."""

import datetime
import os
import platform
import re
import subprocess
from dataclasses import dataclass

PIGZ = "tar c | pigz -5"
PACKERS = [
    "ba-package", "ba-package -j 1", "ba-package --compression lzfse",
    "ba-package --compression store", PIGZ, "tar c | zstd -T0", "7z a -tzip -mx5",
]
LIMITS = {
    "limit": "limit: the same blocks, in memory",
    "limit -j 1": "the same on one thread",
    "limit --all": "limit without the probe",
}
READERS = [
    "ba-package verify (zlib)", "ba-package verify (lzfse)", "pigz -dc >/dev/null",
    "ba-package extract", "pigz -dc | tar x",
]


@dataclass
class Corpus:
    """What was measured on one package's data."""

    name: str
    files: int
    size: int
    rounds: int
    runs: dict
    probe: dict


@dataclass
class Aim:
    """A ratio that is to be reached."""

    text: str
    found: str
    is_met: bool


def render(corpora, starts, checks, load):
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
    lines += ["| aim | measured | |", "| --- | --- | --- |"]
    for aim in aims(corpora, starts, checks):
        lines.append(f"| {aim.text} | {aim.found} | {'met' if aim.is_met else '**missed**'} |")
    # A bar within code would end a table's cell.
    lines = [re.sub(r"`[^`]*`", lambda code: code[0].replace("|", r"\|"), line) for line in lines]
    return "\n".join(lines) + "\n"


def machine(load):
    """Where and when, in one paragraph."""
    lines = open("/proc/cpuinfo").read().splitlines() if os.path.exists("/proc/cpuinfo") else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    model = models[0] if models else platform.processor()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    tools = [first_line("pigz", "--version"), "zstd " + first_line("zstd", "-qV", "--version")]
    return [
        f"{datetime.date.today()}, {model}, {os.cpu_count()} processors, {memory:.0f} GiB, "
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
          f"medians of {corpus.rounds} rounds"
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
            peer = runs[READERS[4] if name in READERS[3:] else READERS[2]]
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


def aims(corpora, starts, checks):
    """The aims that the runs at hand can tell something about."""
    jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    for corpus in corpora:
        yield from corpus_aims(corpus, jobs)
    median, least = starts["ba-package --version"]
    yield Aim(
        "`ba-package --version` under 3 ms",
        f"{median * 1000:.2f} ms (least {least * 1000:.2f}; `true` {starts['true'][0] * 1000:.2f})",
        median < 0.003)
    for name, runs in checks.items():
        if "0ad" in name:
            yield Aim(f"{name}: under 100 ms", f"{runs.wall * 1000:.0f} ms", runs.wall < 0.1)


SPEED_AIMS = {"supertuxkart-data": (2.7, 0.015), "0ad-data": (1.3, 0.007)}


def corpus_aims(corpus, jobs):
    runs, name = corpus.runs, corpus.name
    tool, pigz = runs.get("ba-package"), runs.get(PIGZ)
    if not tool:
        return
    if pigz and name in SPEED_AIMS:
        faster, larger = SPEED_AIMS[name]
        yield at_least(f"{name}: × as fast as `{PIGZ}`", pigz.wall / tool.wall, faster)
        yield Aim(
            f"{name}: at most {larger:.1%} larger than `{PIGZ}`",
            f"{tool.size / pigz.size - 1:+.2%}", tool.size / pigz.size - 1 <= larger)
    yield at_least(
        f"{name}: of the speed of the same blocks in memory", runs["limit"].wall / tool.wall, 0.93)
    if one := runs.get("ba-package -j 1"):
        # 3.7 with four processors.
        yield at_least(f"{name}: {jobs} jobs against 1", one.wall / tool.wall, 0.925 * jobs)
        memory_limit = 16 * 2**20 + 4 * 2**20 * jobs + 0.4 * 1024 * corpus.files
        yield Aim(
            f"{name}: peak memory at most {mebibytes(memory_limit)} "
            "(16 MiB + 4 MiB a job + 0.4 KiB an entry)",
            mebibytes(tool.memory), tool.memory <= memory_limit)
    if lzfse := runs.get("ba-package --compression lzfse"):
        if pigz and name == "0ad-data":
            yield at_least(f"{name}: LZFSE × as fast as `{PIGZ}`", pigz.wall / lzfse.wall, 2.5)
    verify = runs.get("ba-package verify (zlib)")
    if verify and name == "0ad-data":
        yield at_least(
            f"{name}: reading back × as fast as `pigz -dc`",
            runs[READERS[2]].wall / verify.wall, 3)


def at_least(text, found, aim):
    return Aim(f"{text}: at least {aim:.4g}", f"{found:.2f}", found >= aim)


def mebibytes(count):
    return f"{count / 2**20:.1f} MiB"


def megabytes(count):
    return f"{count / 1e6:,.1f} MB"
