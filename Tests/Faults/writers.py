"""Several updates of one download manifest at once."""

import json
import os
import shutil
import subprocess

from harness import LIST, MANIFEST, Row, write


def make_packs(lab, folder, count):
    for number in range(count):
        write(folder / f"m{number}.json", MANIFEST.replace("harbour", f"pack{number}"))
        words = ["package", f"m{number}.json", "-o", f"p{number}.aar", "-q", "--root", "Files/Empty"]
        write(folder / "Files/Empty/Files/text", "the same\n")
        done = lab.run(words, folder)
        if done.code != 0:
            raise SystemExit(f"no pack: {done.err.decode()}")


def at_once(lab, folder, count, command):
    """Runs `count` updates at once; returns what is wrong with the list after them."""
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    running = [
        subprocess.Popen(
            [lab.tool, *command(number), "-q"], cwd=folder, env=env, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        for number in range(count)]
    ends = [(process.communicate(timeout=300)[1], process.returncode) for process in running]
    failed = {n for n, (_, code) in enumerate(ends) if code != 0}
    for number in failed:
        if not ends[number][0].strip():
            return f"update {number} failed without a reason"
    if failed:
        return f"update {min(failed)} failed: {ends[min(failed)][0][-300:]!r}"
    packs = json.loads((folder / "List.json").read_text())["assetPacks"]
    listed = {pack["assetPackID"] if "assetPackID" in pack else pack["id"]: pack["version"]
              for pack in packs}
    records = json.loads((folder / "List.digests.json").read_text())["assetPacks"]
    recorded = {record["id"]: record["version"] for record in records}
    missing = [n for n in range(count) if f"pack{n}" not in listed and n not in failed]
    if missing:
        return f"exit 0, but the list lacks pack {missing}"
    if any(recorded.get(name) != version for name, version in listed.items()):
        return f"the list and the records disagree: {listed} {recorded}"
    strays = [n for n in os.listdir(folder) if n.endswith((".tmp", ".lock"))]
    return f"strays: {strays}" if strays else None


def attacks(lab):
    scene = lab.folder()
    try:
        make_packs(lab, scene, 6)
        for count, runs in ((2, 40 if lab.is_long else 12), (6, 20 if lab.is_long else 4)):
            row = Row(f"{count} updates of one list at once", runs)
            for _ in range(runs):
                folder = scene.with_name("writers")
                shutil.copytree(scene, folder)
                wrong = at_once(lab, folder, count, lambda n: [
                    "download-manifest", "update", "List.json", "--asset-pack-paths", f"p{n}.aar",
                    *LIST])
                shutil.rmtree(folder)
                if wrong:
                    row.failures.append(wrong)
            yield row
    finally:
        shutil.rmtree(scene)
