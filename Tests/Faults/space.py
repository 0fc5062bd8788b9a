"""No space, no inodes, no larger files, and outputs that are full."""

import os
import resource
import shutil
import subprocess

from harness import CASES, Row, crash, snapshot, unnamed_changes


def full(lab, case, options):
    """Runs a case on a tmpfs that is filled but for a few kilobytes."""
    mount = lab.scratch / "mount"
    mount.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", mount], check=True)
    try:
        work = mount / "work"
        shutil.copytree(lab.scenes / case.scene, work, symlinks=True)
        if "nr_inodes" in options:
            try:
                for number in range(100_000):
                    (mount / f"f{number}").touch()
            except OSError:
                pass
            (mount / "f0").unlink()
        else:
            try:
                with open(mount / "filler", "wb", buffering=0) as filler:
                    while filler.write(bytes(4096)) == 4096:
                        pass
            except OSError:
                pass
            with open(mount / "filler", "r+b") as filler:
                filler.truncate(max(0, os.path.getsize(mount / "filler") - 8192))
        before = snapshot(work)
        result = lab.run(case.words, work)
        state = snapshot(work)
    finally:
        subprocess.run(["umount", mount], check=True)
    where = f"{case.name} with {options}"
    if crash(result):
        return f"{where}: {crash(result)}"
    if result.code == 0:
        return None
    if not result.err.strip():
        return f"{where}: no reason"
    bad = unnamed_changes(case, before, state, result)
    return f"{where}: {bad}: {result.err!r}" if bad else None


def small_files(lab, case, limit):
    """Runs a case where no file may be larger than `limit`."""
    folder = lab.folder(case.scene)
    try:
        before = snapshot(folder)
        result = lab.run(
            case.words, folder,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        wrong = crash(result)
        if not wrong and result.code != 0:
            bad = unnamed_changes(case, before, snapshot(folder), result)
            wrong = bad and f"{bad}: {result.err!r}"
        return f"{case.name} with files of {limit} bytes: {wrong}" if wrong else None
    finally:
        shutil.rmtree(folder)


def full_output(lab, case, stream):
    """Runs a case whose standard output or error is full."""
    folder = lab.folder(case.scene)
    try:
        with open("/dev/full", "wb") as device, open(os.devnull, "r+b") as null:
            streams = {"stdout": null, "stderr": null} | {stream: device}
            done = subprocess.run(
                [lab.tool, *case.words], cwd=folder, timeout=300,
                stdin=open(folder / case.stdin, "rb") if case.stdin else null, **streams)
        # 1 of diff means that it could say what differs.
        if done.returncode not in ((2,) if (case.name, stream) == ("diff", "stdout") else (0, 1)):
            return f"{case.name}: exit {done.returncode} with a full {stream}"
        if stream == "stdout" and not case.writes and done.returncode == 0:
            # Commands that print nothing of their own have nothing to lose.
            quiet = lab.run(case.words, folder, stdin=(folder / case.stdin).read_bytes()
                            if case.stdin else b"")
            if quiet.out:
                return f"{case.name}: exit 0, but its output is lost"
        return None
    finally:
        shutil.rmtree(folder)


def attacks(lab):
    row = Row("full volume, and no inodes")
    if os.geteuid() != 0:
        row.note = "skipped: needs root"
    else:
        cases = [c for c in CASES if c.writes]
        jobs = lab.sample([(c, o) for c in cases for o in ("size=12m", "size=64m,nr_inodes=120")], 10)
        row.runs = len(jobs)
        row.failures = [f for f in (full(lab, *job) for job in jobs) if f]
    yield row
    row = Row("file size limit")
    jobs = lab.sample([(c, n) for c in CASES if c.writes for n in (0, 1000, 300_000)], 12)
    row.runs = len(jobs)
    row.failures = [f for f in lab.each(jobs, lambda j: small_files(lab, *j)) if f]
    yield row
    row = Row("full standard output or error")
    jobs = lab.sample([(c, s) for c in CASES for s in ("stdout", "stderr")], 20)
    row.runs = len(jobs)
    row.failures = [f for f in lab.each(jobs, lambda j: full_output(lab, *j)) if f]
    yield row
