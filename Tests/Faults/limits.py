"""Little memory, few descriptors, few threads: reported as errors, never a trap."""

import resource
import shutil

from harness import CASES, Row, crash, snapshot, unnamed_changes

MIB = 1 << 20


def limited(lab, case, words, kind, limit):
    folder = lab.folder(case.scene)
    where = f"{case.name}, {kind} {limit}"
    try:
        before = snapshot(folder)
        stdin = (folder / case.stdin).read_bytes() if case.stdin else b""
        value = limit * MIB if kind == "RLIMIT_AS" else limit
        result = lab.run(
            words, folder, stdin=stdin,
            preexec_fn=lambda: resource.setrlimit(getattr(resource, kind), (value, value)))
        wrong = crash(result)
        if wrong:
            return f"{where}: {wrong}: {result.err[:300]!r}"
        if result.code == 0:
            return None
        if not result.err.strip():
            return f"{where}: exit {result.code} without a reason"
        bad = unnamed_changes(case, before, snapshot(folder), result)
        return f"{where}: {bad}: {result.err[:300]!r}" if bad else None
    finally:
        shutil.rmtree(folder)


def least_memory(lab):
    """The least MiB of address space in which the program prints its version: its own size."""
    low, high = 1, 4096
    while low < high:
        middle = (low + high) // 2
        result = lab.run(
            ["--version"], lab.scratch,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (middle * MIB,) * 2))
        low, high = (low, middle) if result.code == 0 else (middle + 1, high)
    return low


def attacks(lab):
    least = least_memory(lab)
    # The loader and Swift's runtime need the rest, and can't be refused it. How much of the last MiB
    # is free differs by build.
    row = Row("address space limit", note=f"from {least + 1} MiB; --version runs with one less")
    steps = [least + extra for extra in (1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 128)]
    jobs = []
    for case in CASES:
        words = [*case.words]
        if "-j" in words:
            words[words.index("-j") + 1] = "8"
        jobs += [(case, words, "RLIMIT_AS", limit) for limit in steps]
    jobs = lab.sample(jobs, 80)
    row.runs = len(jobs)
    row.failures = [f for f in lab.each(jobs, lambda j: limited(lab, *j)) if f]
    yield row
    row = Row("descriptor limit")
    jobs = lab.sample(
        [(c, c.words, "RLIMIT_NOFILE", n) for c in CASES for n in (4, 5, 6, 7, 8, 9, 10, 12, 16)], 40)
    row.runs = len(jobs)
    row.failures = [f for f in lab.each(jobs, lambda j: limited(lab, *j)) if f]
    yield row
