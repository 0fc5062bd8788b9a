"""Times of reading and resolving manifests."""

import json
import shutil

import corpora
from measure import Runs, run_pipeline

COUNT = 1000
ROUNDS = 11


def measure(tool, work, has, with_0ad):
    """Description → runs of the validator, on manifests that are made here."""
    if not has("validate"):
        return {}
    checks = {f"validate {COUNT:,} manifests": [tool, "validate", *make(work)]}
    if with_0ad:
        tree = corpora.tree("0ad-data")
        for name, selector in (("directory", {"directory": "."}), ("glob", {"filePattern": "**"})):
            path = work / f"{name}.json"
            path.write_text(json.dumps(manifest("bench", [selector])))
            checks[f"validate one manifest, all of 0ad-data by a {name}"] = [
                tool, "validate", path, "--root", tree]
        checks["find"] = ["find", tree, "-printf", "%s %m\n"]
    results = {}
    for _ in range(ROUNDS):
        for name, command in checks.items():
            results.setdefault(name, Runs()).runs.append(run_pipeline([command], work))
    return results


def memory_of_diff(tool, work):
    """Bytes that `diff` needs for each entry more.

    Peaks are looked at every 20 ms: both runs must take longer, and the highest peak counts.
    """
    few, many = 10_000, 50_000
    peaks = []
    for count in (few, many):
        folder = work / "empty-files"
        shutil.rmtree(folder, ignore_errors=True)
        for index in range(count):
            file = folder / f"folder-{index // 100:03}" / f"file-{index:05}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        path = work / "empty-files.json"
        path.write_text(json.dumps(manifest("bench", [{"directory": "."}])))
        packs = [work / "empty-old.aar", work / "empty-new.aar"]
        for pack in packs:
            run_pipeline(
                [[tool, "package", path, "--root", folder, "--quiet", "--force", "-o", pack]], work)
        peaks.append(
            max(run_pipeline([[tool, "diff", *packs]], work).memory for _ in range(3)))
        shutil.rmtree(folder)
    return (peaks[1] - peaks[0]) / (many - few)


def manifest(name, selectors):
    return {
        "assetPackID": name,
        "downloadPolicy": {"prefetch": {"installationEventTypes": ["firstInstallation"]}},
        "fileSelectors": selectors,
        "platforms": ["iOS", "macOS"],
    }


def make(work):
    """Manifests with three selectors each, and the files that they name."""
    folder = work / "manifests"
    shutil.rmtree(folder, ignore_errors=True)
    paths = []
    for index in range(COUNT):
        name = f"level-{index:04}"
        files = folder / name
        files.mkdir(parents=True)
        for file in ("map.json", "tiles.png", "music.ogg", "notes.txt"):
            (files / file).write_text(name)
        selectors = [
            {"file": f"{name}/map.json"},
            {"filePattern": f"{name}/*.png"},
            {"file": f"{name}/music.ogg"},
        ]
        path = folder / f"{name}.json"
        path.write_text(json.dumps(manifest(name, selectors) | {"sourceRoot": "."}, indent=2))
        paths.append(path)
    return paths
