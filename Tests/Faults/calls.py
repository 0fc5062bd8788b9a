"""Every call fails, in turn; the program is killed in front of every call; signals come in there."""

import shutil
import signal

from harness import CASES, Row, crash, is_named, snapshot, write

# Errors that must be got over: the run has to end as if nothing had happened.
HARMLESS = {"EINTR", "short", "thread"}
MODES = ["EIO", "ENOSPC", "ENOSPC+", "EINTR", "EMFILE", "EACCES", "short", "zero", "memory", "thread", "sync"]
SIGNALS = {"SIGHUP": 129, "SIGINT": 130, "SIGTERM": 143}


class Wanted:
    """What a case does without a fault, and how many calls of each kind it makes."""

    def __init__(self, lab, case):
        folder = lab.folder(case.scene)
        self.before = snapshot(folder)
        self.stdin = (folder / case.stdin).read_bytes() if case.stdin else b""
        counts = lab.scratch / f"counts-{CASES.index(case)}"
        self.result = case.run(lab, folder, self.stdin, {"FAULT_COUNTS": counts})
        self.after = snapshot(folder)
        shutil.rmtree(folder)
        if self.result.code != 0:
            raise SystemExit(f"'{case.name}' fails without a fault: {self.result.err.decode()}")
        self.counts = {k: int(v) for k, v in map(str.split, counts.read_text().splitlines())}


def judged_state(case, wanted, state, result):
    """What is wrong with the files after a run that reported an error; None if nothing is."""
    if state == wanted.before:
        return None
    names = sorted(
        n for n in state.keys() | wanted.before.keys() if state.get(n) != wanted.before.get(n))
    strays = [
        n for n in names
        if n in state and state[n] != wanted.after.get(n)
        and not any(p.endswith(".tmp") and p.encode() in result.err for p in n.split("/"))]
    if strays:
        return f"strays: {strays}"
    # A file is in place when the sync of its folder fails, or the table of results; a folder for output
    # may stay.
    is_placed = b"can't sync" in result.err or b"can't write to standard output" in result.err
    unnamed = [
        n for n in names
        if not (is_placed and state.get(n) == wanted.after.get(n))
        and not (n in case.folders and state.get(n) == wanted.after.get(n))
        and not is_named(case, n, result)]
    return f"changed, and not named: {unnamed}" if unnamed else None


def fault(lab, case, wanted, mode, at):
    folder = lab.folder(case.scene)
    try:
        result = case.run(lab, folder, wanted.stdin, {"FAULT_MODE": mode, "FAULT_AT": at})
        where = f"{case.name}: {mode} at {at}"
        ended = crash(result)
        if ended:
            return f"{where}: {ended}: {result.err[-300:]!r}"
        if result.code == 0 and mode == "sync":
            return f"{where}: exit 0, but it may not be on disk"
        if result.code == 0 or mode in HARMLESS:
            if result.code != 0:
                return f"{where}: exit {result.code}: {result.err[-300:]!r}"
            if result.out != wanted.result.out:
                return f"{where}: exit 0 with another output"
            state = snapshot(folder)
            if state != wanted.after:
                return f"{where}: exit 0, but {sorted(set(state.items()) ^ set(wanted.after.items()))}"
            return None
        if not result.err.strip():
            return f"{where}: exit {result.code} without a reason"
        wrong = judged_state(case, wanted, snapshot(folder), result)
        return f"{where}: {wrong}: {result.err[-300:]!r}" if wrong else None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def kill(lab, case, wanted, at):
    """SIGKILL in front of a call, then the same command again."""
    folder = lab.folder(case.scene)
    where = f"{case.name}: killed at {at}"
    try:
        case.run(lab, folder, wanted.stdin, {"FAULT_MODE": "kill9", "FAULT_AT": at})
        state = snapshot(folder)
        hidden = [n for n in state if any(p.startswith(".") and p.endswith(".tmp") for p in n.split("/"))]
        for name in state.keys() - set(hidden):
            if state[name] not in (wanted.before.get(name), wanted.after.get(name)):
                return f"{where}: '{name}' is neither old nor new"
        new = {n for n in wanted.after if n not in wanted.before}
        if not case.parts and new and 0 < len(new & state.keys()) < len(new):
            return f"{where}: only some of the new files are there"
        if case.is_whole and state == wanted.after:
            return None
        result = case.run(lab, folder, wanted.stdin)
        said = result.err
        if result.code != 0 and case.forces:
            result = case.run(lab, folder, wanted.stdin, more=["--force"])
            said += result.err
        if result.code != 0:
            return f"{where}: the next run: {result.err[-300:]!r}"
        end = snapshot(folder)
        if end != wanted.after:
            return f"{where}: after the next run: {sorted(set(end.items()) ^ set(wanted.after.items()))}"
        missing = [n for n in hidden if "/" not in n and n.encode() not in said]
        return f"{where}: removed without a word: {missing}" if missing else None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def interrupt(lab, case, wanted, name, at):
    folder = lab.folder(case.scene)
    where = f"{case.name}: {name} at {at}"
    try:
        shim = {"FAULT_MODE": f"kill{int(signal.Signals[name])}", "FAULT_AT": at}
        result = case.run(lab, folder, wanted.stdin, shim)
        state = snapshot(folder)
        if result.code == 0:
            return None if state == wanted.after else f"{where}: exit 0, but another result"
        # Before handlers are set the signal kills, with nothing there yet.
        if result.code not in (SIGNALS[name], -int(signal.Signals[name])):
            return f"{where}: exit {result.code}: {result.err[-300:]!r}"
        wrong = judged_state(case, wanted, state, result)
        return f"{where}: {wrong}" if wrong else None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def attacks(lab):
    """The rows of the table, one for each mode."""
    wanted = [(case, Wanted(lab, case)) for case in CASES]
    for mode in MODES:
        row = Row(f"call n fails: {mode}")
        jobs = [
            (case, w, mode, at) for case, w in wanted
            for at in range(1, w.counts[mode.rstrip("+")] + 1)]
        jobs = lab.sample(jobs, 45)
        row.runs = len(jobs)
        row.failures = [f for f in lab.each(jobs, lambda j: fault(lab, *j)) if f]
        yield row
    row = Row("SIGKILL before call n, then again")
    jobs = [
        (case, w, at) for case, w in wanted if case.writes
        for at in range(1, w.counts["kill"] + 2)]
    jobs = lab.sample(jobs, 150)
    row.runs = len(jobs)
    row.failures = [f for f in lab.each(jobs, lambda j: kill(lab, *j)) if f]
    yield row
    row = Row("a stream where no file is unnamed", runs=2)
    for words, stdin in ((["package", "Harbour.json", "-o", "/dev/stdout", "-q"], b""),
                         (["verify", "-q", "-"], (lab.scenes / "base/new.aar").read_bytes())):
        folder = lab.folder()
        (folder / "tmp").mkdir()
        result = lab.run(words, folder, {"FAULT_LACKS": "tmpfile", "TMPDIR": folder / "tmp"}, stdin)
        left = [path.name for path in (folder / "tmp").iterdir()]
        if result.code or left:
            row.failures.append(f"{words}: exit {result.code}, left {left}: {result.err[-300:]!r}")
        shutil.rmtree(folder)
    yield row
    row = Row("names that are the same but for case, where that is no difference", runs=2)
    for names in ("Files/A/x", "Files/a/y"), ("Files/B", "Files/b"):
        folder = lab.folder()
        for name in names:
            write(folder / name, "text")
        lab.run(["package", "Harbour.json", "-o", "P.aar", "-q"], folder)
        result = lab.run(["extract", "P.aar", "-o", "out"], folder, {"FAULT_LACKS": "case"})
        paths = [f"'out/{name[:7]}'".encode() for name in names]
        if result.code != 1 or b" are the same name on this file system" not in result.err \
                or not all(path in result.err for path in paths) or (folder / "out").exists():
            row.failures.append(f"{names}: exit {result.code}: {result.err[-300:]!r}")
        shutil.rmtree(folder)
    yield row
    for name in SIGNALS:
        row = Row(f"{name} before call n")
        jobs = [
            (case, w, name, at) for case, w in wanted if case.writes
            for at in range(1, w.counts["kill"] + 1)]
        jobs = lab.sample(jobs, 40)
        row.runs = len(jobs)
        row.failures = [f for f in lab.each(jobs, lambda j: interrupt(lab, *j)) if f]
        yield row
