"""What is published is on the disk: the order of the calls, and an image copied at exit."""

import os
import shutil
import subprocess
import tempfile

from calls import Wanted
from harness import CASES, Row

IMAGE_MIB = 48


def order(lab, case, at=0):
    """Whether each new name comes after a sync of the file, and before one of its folder; unless that fails
    because of call `at`, which can't open what it opens."""
    folder = lab.folder(case.scene)
    log = folder.with_suffix(".log")
    try:
        stdin = (folder / case.stdin).read_bytes() if case.stdin else b""
        shim = {"FAULT_LOG": log, "FAULT_MODE": "EMFILE", "FAULT_AT": at}
        if case.run(lab, folder, stdin, shim).code != 0 and at:
            return None
        calls = [line.split("\t") for line in log.read_text().splitlines()]
    finally:
        shutil.rmtree(folder)
        log.unlink(missing_ok=True)
    names = 0
    for index, (call, file, name, where) in enumerate(calls):
        if call not in ("rename", "link") or name.rsplit("/", 1)[-1].startswith("."):
            continue
        names += 1
        volume = file.split(":")[0]
        before, after = calls[:index], calls[index + 1:]
        writes = [i for i, c in enumerate(before) if c[0] == "write" and c[1] == file]
        syncs = [
            i for i, c in enumerate(before)
            if (c[0] == "fsync" and c[1] == file) or
            (c[0] == "syncfs" and c[1].split(":")[0] == volume)]
        if not syncs or max(syncs) < max(writes, default=0):
            return f"{case.name}: '{name}' is published before it is synced"
        if not any((c[0] == "fsync" and c[1] == where) or
                   (c[0] == "syncfs" and c[1].split(":")[0] == volume) for c in after):
            return f"{case.name}: the folder of '{name}' is not synced"
    return None if names else f"{case.name}: no new name was seen"


def power_cut(lab, words, scene_files, made):
    """Runs a command on an image of ext4, and checks a copy of the image made when it exits."""
    base = tempfile.mkdtemp(prefix="faults-", dir="/var/tmp")
    image, copy, mount = (os.path.join(base, n) for n in ("image", "copy", "mount"))
    os.mkdir(mount)

    def call(*command):
        subprocess.run(command, check=True, capture_output=True)

    try:
        with open(image, "wb") as file:
            file.truncate(IMAGE_MIB << 20)
        call("mkfs.ext4", "-q", "-F", image)
        call("mount", "-o", "loop,noauto_da_alloc", image, mount)
        try:
            for name in scene_files:
                source = lab.scenes / "base" / name
                if source.is_dir():
                    shutil.copytree(source, os.path.join(mount, name))
                else:
                    shutil.copy(source, mount)
            os.sync()
            result = lab.run(words, mount)
            shutil.copyfile(image, copy)
            wanted = {n: read(os.path.join(mount, n)) for n in made}
        finally:
            call("umount", mount)
        if result.code != 0:
            return f"{words[0]}: {result.err!r}"
        call("mount", "-o", "loop", copy, mount)
        try:
            for name in made:
                if read(os.path.join(mount, name)) != wanted[name]:
                    return f"{words[0]}: after a power cut '{name}' is not what it was"
        finally:
            call("umount", mount)
        return None
    finally:
        shutil.rmtree(base, ignore_errors=True)


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def can_mount():
    with tempfile.TemporaryDirectory(dir="/var/tmp") as base:
        image = os.path.join(base, "image")
        with open(image, "wb") as file:
            file.truncate(4 << 20)
        os.mkdir(os.path.join(base, "mount"))
        try:
            subprocess.run(["mkfs.ext4", "-q", "-F", image], check=True, capture_output=True)
            subprocess.run(["mount", "-o", "loop", image, base + "/mount"], check=True,
                           capture_output=True)
            subprocess.run(["umount", base + "/mount"], check=True)
            return True
        except (OSError, subprocess.CalledProcessError):
            return False


def attacks(lab):
    row = Row("order: sync, publish, sync of the folder")
    cases = [case for case in CASES if case.writes]
    row.runs = len(cases)
    row.failures = [f for f in lab.each(cases, lambda c: order(lab, c)) if f]
    yield row
    row = Row("order, where a file can't be opened")
    case = next(case for case in CASES if case.name == "template --force")
    row.runs = Wanted(lab, case).counts["EMFILE"]
    row.failures = [f for f in lab.each(range(1, row.runs + 1), lambda n: order(lab, case, n)) if f]
    yield row
    row = Row("power cut: an image copied at exit")
    if os.geteuid() != 0 or not can_mount():
        row.note = "skipped: needs root and loop devices"
    else:
        pack = ["package", "Harbour.json", "-q", "-o"]
        files = ["Files", "Harbour.json", "new.aar", "old.aar", "List.json", "List.digests.json"]
        update = ["download-manifest", "update", "List.json", "--asset-pack-paths", "new.aar", "--ios",
                  "--download-base-url", "https://example.com"]
        runs = [
            ([*pack, "P.aar"], ["P.aar"]),
            ([*pack, "old.aar", "--force"], ["old.aar"]),
            (update, ["List.json", "List.digests.json"]),
            (["extract", "new.aar", "-o", "out"],
             ["out/Files/a.txt", "out/Files/Levels/large.bin", "out/Files/Empty/none"]),
        ] * (3 if lab.is_long else 1)
        row.runs = len(runs)
        for words, made in runs:
            wrong = power_cut(lab, words, files, made)
            if wrong:
                row.failures.append(wrong)
    yield row
