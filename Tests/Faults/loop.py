"""A build that is killed again and again, and always ends with the right pack."""

import contextlib
import glob
import os
import shutil
import signal
import subprocess
import time

from harness import Row, write

NINJA = """rule pack
  command = $tool package Harbour.json -o Harbour.aar --force -q -j 2
build Harbour.aar: pack Harbour.json Files/a.txt
"""
MAKE = "Harbour.aar: Harbour.json Files/a.txt\n\t$(TOOL) package Harbour.json -o $@ --force -q -j 2\n"


def kill(folder):
    """Kills what works in a folder: ninja's programs aren't in its group, and would go on beside the next."""
    folder, found = os.path.realpath(folder), True
    while found:
        found = False
        for path in glob.glob("/proc/[0-9]*"):
            with contextlib.suppress(OSError):
                if os.readlink(f"{path}/cwd") == folder:
                    found = True
                    os.kill(int(path[6:]), signal.SIGKILL)


def attacks(lab):
    builder = shutil.which("ninja") and "ninja" or shutil.which("make") and "make"
    rounds = 500 if lab.is_long else 15
    row = Row(f"{builder} killed at random, then run again", rounds)
    if not builder:
        row.runs, row.note = 0, "skipped: needs ninja or make"
        yield row
        return
    folder = lab.folder()
    write(folder / "build.ninja", f"tool = {lab.tool}\n" + NINJA)
    write(folder / "Makefile", MAKE)
    command = ["ninja", "--quiet"] if builder == "ninja" else ["make", "-s", f"TOOL={lab.tool}"]
    known = set(os.listdir(folder)) | {"Harbour.aar", ".ninja_log", ".ninja_deps", ".ninja_lock"}
    try:
        start = time.monotonic()
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        whole = time.monotonic() - start
        killed = 0
        for number in range(rounds):
            write(folder / "Files/a.txt", f"round {number}\n" * 100)
            process = subprocess.Popen(
                command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(lab.random.uniform(0, whole * 1.1))
            except subprocess.TimeoutExpired:
                killed += 1
            kill(folder)
            process.wait()
            done = subprocess.run(command, cwd=folder, capture_output=True)
            if done.returncode != 0:
                row.failures.append(f"round {number}: {done.stderr!r} {done.stdout!r}")
                continue
            shutil.copytree(folder / "Files", folder / "Clean/Files")
            shutil.copy(folder / "Harbour.json", folder / "Clean")
            lab.run(["package", "Harbour.json", "-o", "P.aar", "-q"], folder / "Clean")
            if (folder / "Clean/P.aar").read_bytes() != (folder / "Harbour.aar").read_bytes():
                row.failures.append(f"round {number}: not the right pack")
            shutil.rmtree(folder / "Clean")
            strays = set(os.listdir(folder)) - known
            if strays:
                row.failures.append(f"round {number}: strays: {sorted(strays)}")
                for name in strays:
                    os.unlink(folder / name)
        row.note = f"{killed} killed on the way"
    finally:
        shutil.rmtree(folder)
    yield row
