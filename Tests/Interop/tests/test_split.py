"""`split-advice.py`: compared with an exhaustive search that shares no code with it."""

import importlib.util
import json
import random
import subprocess
import sys

from .tool import FIXTURES, SEED, TOOL, ToolTest, environment

SCRIPT = FIXTURES / "Examples/split-advice.py"
spec = importlib.util.spec_from_file_location("split_advice", SCRIPT)
advice = importlib.util.module_from_spec(spec)
spec.loader.exec_module(advice)

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
    def split(self, reports, maximum, per_file=True):
        _, today, proposed, packs = advice.advise([advice.release(one) for one in reports], maximum, per_file)
        return today, proposed, [(pack.kind, sorted(pack.files)) for pack in packs]

    def check(self, found, history, maximum):
        """The figures of a proposal follow from its packs."""
        today, proposed, packs = found
        self.assertEqual(sorted(path for _, files in packs for path in files), sorted(history[-1]))
        self.assertLessEqual(len(packs), maximum)
        self.assertEqual(sum(cost(files, history) for _, files in packs), sum(proposed))
        self.assertLess(sum(proposed), sum(today))

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
            found = self.split([report(pack("game", files)) for files in history], maximum)
            best = min(
                sum(cost(group, history) for group in groups)
                for groups in divisions(list(history[-1]), maximum))
            if not found[2]:
                self.assertGreaterEqual(best * 1.1, sum(found[0]))
                continue
            self.check(found, history, maximum)
            worst = max(worst, sum(found[1]) / best)
        self.assertLessEqual(worst, 1.1)

    def test_zipf_history(self):
        """Of eight packs instead of one, at most 40 % of the bytes are left; folders stay whole."""
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
            found = self.split([report(pack("game", files)) for files in history], 8, per_file=False)
            self.check(found, history, 8)
            self.assertLess(sum(found[1]), 0.4 * sum(found[0]))
            for folder in heat:
                owners = [files for _, files in found[2] if any(p.startswith(folder + "/") for p in files)]
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
        self.assertEqual(self.split(releases, 4, per_file=False)[2], [])  # all files are in one folder
        kinds = {tuple(files): (kind.policy, kind.platforms) for kind, files in self.split(releases, 4)[2]}
        self.assertEqual(kinds, {
            ("f0",): ("essential", ()), ("f1",): ("essential", ()),
            ("f2",): ("onDemand", ("iOS",)), ("f3",): ("onDemand", ("iOS",))})
        with self.assertRaisesRegex(ValueError, "2 packs are the fewest"):
            self.split(releases, 1)

    def test_one_player_has_all_the_updates(self):
        """The largest of any player's, update by update, would be the download of nobody."""
        def packs(german, french):
            return report(*(
                {**pack(name, {"a": (size, version), "b": (size, 0)}), "language": name}
                for name, size, version in (("de", 500_000, german), ("fr", 400_000, french))))

        releases = [packs(0, 0), packs(1, 0), packs(1, 1), packs(2, 1)]
        today, proposed, found = self.split(releases, 4)
        self.assertEqual(today, [1_000_000, 0, 1_000_000])
        self.assertEqual(proposed, [500_000 + PACK_COST, 0, 500_000 + PACK_COST])
        self.assertEqual(len(found), 4)

    def test_reports_of_the_program(self):
        """The script as it is called, and what is no report."""
        self.write("d/stable", "x" * 60_000)
        self.write("e/level", "1" * 60_000)
        self.select("d/", "e/")
        for number in range(3):
            self.write("e/level", str(number) * 60_000)
            subprocess.run(
                [TOOL, "report", "--root", "repository", "--compression", "store", "-o", f"{number}.json",
                 self.manifest], cwd=self.folder, env=environment(), check=True, capture_output=True)

        def run(*arguments):
            return subprocess.run([sys.executable, SCRIPT, *arguments], cwd=self.folder, text=True,
                                  capture_output=True)

        done = run("0.json", "1.json", "2.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("a player of iOS downloaded 24", done.stdout)
        self.assertIn("With these 2 packs", done.stdout)
        self.assertRegex(done.stdout, r"changed by 2 updates; essential, iOS, macOS\n  e\n$")
        self.assertEqual(run("0.json").returncode, 2)
        for wrong in ("", "{}", "[]", '{"packs": [1]}', '{"packs": [{"files": [{}]}]}', "\0"):
            self.write("../3.json", wrong)
            done = run("0.json", "3.json")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("error: '3.json' is not the JSON of 'ba-package report'", done.stderr)
        self.assertIn("No such file", run("0.json", "gone.json").stderr)
