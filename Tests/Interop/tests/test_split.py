"""`report --split`: compared with an exhaustive search that shares no code with it."""

import json
import random
import subprocess

from .tool import SEED, TOOL, ToolTest

PACK_COST = 16 << 10


def pack(identifier, files, policy="onDemand", platforms=()):
    """A pack in a report; files are path: (size, version)."""
    return {
        "file": identifier + ".aar", "assetPackID": identifier, "downloadPolicy": policy,
        "installationEventTypes": [] if policy == "onDemand" else ["firstInstallation"],
        "platforms": list(platforms), "manifestSHA256": "00" * 32,
        "downloadSize": sum(size for size, _ in files.values()),
        "files": [
            {"path": path, "size": size, "compressedSize": size, "blocks": "compressed",
             "sha256": f"{version:064x}"}
            for path, (size, version) in sorted(files.items())]}


def report(*packs):
    return {"schemaVersion": 1, "packs": list(packs)}


def cost(group, releases):
    """The bytes of all updates if the files of `group` are one pack."""
    total = 0
    for old, new in zip(releases, releases[1:]):
        size = sum(new[path][0] for path in group if path in new)
        if size and any(old.get(path) != new.get(path) for path in group):
            total += size + PACK_COST
    return total


def divisions(items, maximum):
    """All divisions of `items` into at most `maximum` groups."""
    if not items:
        yield []
        return
    for rest in divisions(items[1:], maximum):
        for index, group in enumerate(rest):
            yield rest[:index] + [[items[0]] + group] + rest[index + 1:]
        if len(rest) < maximum:
            yield [[items[0]]] + rest


class SplitTests(ToolTest):
    def test_reports_may_be_larger_than_manifests(self):
        path = "/".join(["n" * 200] * 15)
        releases = [report(pack("p", {f"{path}/{n}": (100_000, n * new) for n in range(6000)}))
                    for new in (0, 1)]
        self.assertGreater(len(json.dumps(releases[0])), 17 << 20)
        self.split(releases, 4)

    def write_release(self, number, content):
        path = self.folder / f"{number}.json"
        path.write_text(json.dumps(content))
        return str(path)

    def split(self, releases, maximum, *options, status=0):
        paths = [self.write_release(index, one) for index, one in enumerate(releases)]
        result = subprocess.run(
            [TOOL, "report", "--split", str(maximum), *paths, "--format", "json", *options],
            capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout)["split"] if status == 0 else result.stderr

    def check(self, split, history, maximum):
        """The figures of a proposal follow from its packs."""
        files = [path for one in split["packs"] for path in one["files"]]
        self.assertEqual(sorted(files), sorted(history[-1]))
        self.assertLessEqual(len(split["packs"]), maximum)
        today = sum(update["today"] for update in split["updates"])
        self.assertEqual(today, split["today"])
        self.assertEqual(sum(update["proposed"] for update in split["updates"]), split["proposed"])
        self.assertLess(split["proposed"], today)

    def history(self, generator, count, releases):
        """Random files, some of which change together."""
        causes = [generator.random() < 0.5 for _ in range(3)]
        files = {f"f{index}": (generator.choice([10, 1000, 50_000, 3_000_000]) + index, 0)
                 for index in range(count)}
        groups = {path: generator.randrange(4) for path in files}
        history = [files]
        for release in range(1, releases):
            changed = [generator.random() < rate for rate in (0.05, 0.3, 0.6, 0.95)]
            files = {
                path: (max(1, size + generator.randrange(-5, 5)), release)
                if changed[groups[path]] and generator.random() < 0.8
                or generator.random() < 0.05 else (size, version)
                for path, (size, version) in files.items()}
            history.append(files)
        return history

    def test_small_histories_within_10_percent_of_the_optimum(self):
        generator = random.Random(SEED)
        worst = 1
        for number in range(60):
            count, maximum = generator.randrange(2, 8), generator.randrange(1, 5)
            history = self.history(generator, count, generator.randrange(2, 7))
            split = self.split(
                [report(pack("game", files)) for files in history], maximum, "--per-file")
            best = min(
                sum(cost(group, history) for group in groups)
                for groups in divisions(list(history[-1]), maximum))
            today = split["today"]
            if not split["packs"]:
                self.assertGreaterEqual(best * 1.1, today)
                continue
            self.check(split, history, maximum)
            claimed = sum(cost(one["files"], history) for one in split["packs"])
            self.assertEqual(claimed, split["proposed"])
            worst = max(worst, split["proposed"] / best)
        self.assertLessEqual(worst, 1.1)

    def test_zipf_history(self):
        """Of eight packs instead of one, at most 40 % of the bytes are left; never more."""
        generator = random.Random(SEED)
        for number in range(3):
            files = {f"d{index % 40}/f{index}": (generator.randrange(1_000, 400_000), 0)
                     for index in range(400)}
            heat = {f"d{index}": 0.7 / (index + 1) ** 1.2 for index in range(40)}
            history = [files]
            for release in range(1, 10):
                hot = {folder for folder, rate in heat.items() if generator.random() < rate}
                files = {
                    path: (size, release)
                    if path.split("/")[0] in hot and generator.random() < 0.3 else (size, version)
                    for path, (size, version) in files.items()}
                history.append(files)
            split = self.split([report(pack("game", files)) for files in history], 8)
            self.check(split, history, 8)
            self.assertLess(split["proposed"], 0.4 * split["today"])
            # Folders stay whole.
            for folder in heat:
                owners = {index for index, one in enumerate(split["packs"])
                          for path in one["files"] if path.startswith(folder + "/")}
                self.assertEqual(len(owners), 1)

    def test_kinds_are_not_mixed(self):
        files = {f"f{index}": (100_000, 0) for index in range(4)}
        releases = []
        for release in range(4):
            files = {path: (size, release if path in ("f0", "f2") else 0)
                     for path, (size, _) in files.items()}
            halves = [dict(list(files.items())[:2]), dict(list(files.items())[2:])]
            releases.append(report(
                pack("first", halves[0], "essential"), pack("other", halves[1], platforms=["iOS"])))
        split = self.split(releases, 4)
        self.assertEqual(split["packs"], [])  # all files are in one folder
        split = self.split(releases, 4, "--per-file")
        kinds = {tuple(one["files"]): (one["downloadPolicy"], one["platforms"])
                 for one in split["packs"]}
        self.assertEqual(kinds, {
            ("f0",): ("essential", []), ("f1",): ("essential", []),
            ("f2",): ("onDemand", ["iOS"]), ("f3",): ("onDemand", ["iOS"])})
        error = self.split(releases, 1, status=1)
        self.assertIn("2 different combinations of policy, platforms and language", error)

    def test_hostile_reports(self):
        good = report(pack("game", {"a/b": (1, 0)}))
        huge = report(pack("game", {"a/b": (2 ** 63, 0)}))
        self.assertIn("'packs[0]'", self.split([good, huge], 2, status=1))
        for path in ("../a", "/a", "a//b", "x" * 5000):
            bad = report(pack("game", {path: (1, 0)}))
            self.assertIn("invalid path", self.split([good, bad], 2, status=1))

    def test_manifests_select_the_proposed_files(self):
        """With all folders' files in any pack, selectors match just the files of each."""
        generator = random.Random(SEED)
        names = ["a/x", "a/y", "a/.z", "a/b/x", "a/b/y", "c/[x]", "c/*", "top", ".dot"]
        for number in range(6):
            for name in names:
                self.write(name, name * 10)
            files = {name: (generator.randrange(1, 10 ** 6), 0) for name in names}
            history = [files]
            for release in range(1, 5):
                files = {path: (size, release if generator.random() < 0.5 else version)
                         for path, (size, version) in files.items()}
                history.append(files)
            target = self.folder / f"Packs{number}"
            split = self.split(
                [report(pack("game", files)) for files in history], 4, "--per-file",
                "--root", str(self.repository), "--output-directory", str(target))
            for one in split["packs"]:
                listed = subprocess.run(
                    [TOOL, "evaluate", str(target / (one["assetPackID"] + ".json"))],
                    capture_output=True, text=True, check=True).stdout.splitlines()
                self.assertEqual(sorted(listed), sorted(one["files"]))
