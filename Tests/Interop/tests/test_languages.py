"""Localized packs: which languages are the same, what a language lacks, what one player has."""

import json
import os
import pathlib
import random
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import reader
from packlib import json5, make_archive
from tests.tool import REPOSITORY, SEED, TIMEOUT, TOOL, ToolTest, environment

LIKELY = pathlib.Path("/usr/share/unicode/cldr/common/supplemental/likelySubtags.xml")
NEEDS_CLDR = unittest.skipUnless(LIKELY.is_file(), "Debian's unicode-cldr-core is not installed")
FIRST = {"installationEventTypes": ["firstInstallation"]}


class Oracle:
    """Add Likely Subtags of UTS 35, with the data of CLDR."""

    def __init__(self):
        self.likely = {entry.get("from"): entry.get("to")
                       for entry in xml.etree.ElementTree.parse(LIKELY).iter("likelySubtag")}

    def maximized(self, tag):
        language, script, region = self.parts(tag.replace("-", "_"))
        script, region = script.replace("Zzzz", ""), region.replace("ZZ", "")
        if language != "und" and script and region:
            return language, script, region
        for key in ((language, script, region), (language, region), (language, script), (language,),
                    ("und", script)):
            found = self.likely.get("_".join(filter(None, key)))
            if found:
                other = self.parts(found)
                return (other[0] if language == "und" else language, script or other[1],
                        region or other[2])
        return language, script, region

    @staticmethod
    def parts(tag):
        first, *rest = tag.split("_")
        script = next((part.title() for part in rest if len(part) == 4), "")
        region = next((part.upper() for part in rest if len(part) in (2, 3)), "")
        return first.lower(), script, region

    def pair(self, rng):
        """Two tags that are not unlike each other."""
        source, likely = rng.choice(list(self.likely.items()))
        full = self.parts(likely)
        other = self.parts(rng.choice(list(self.likely.values())))
        forms = [source, likely, full[0], f"{full[0]}_{full[1]}", f"{full[0]}_{full[2]}",
                 f"{full[0]}_{other[2]}", f"{full[0]}_{other[1]}", f"{full[0]}_{other[1]}_{full[2]}",
                 f"{full[0]}_{full[1]}_{other[2]}", f"und_{full[1]}_{other[2]}", f"und_{full[2]}"]
        return [rng.choice([str, str.upper, str.lower])(rng.choice(forms)).replace("_", "-")
                for _ in range(2)]


class LanguageTest(ToolTest):
    def validate(self, *arguments, status=0):
        done = subprocess.run(
            [TOOL, "validate", "--format", "json", "--hosting", "self", "--root", self.repository,
             *arguments, self.packs],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT, cwd=self.folder,
            env=environment())
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return json.loads(done.stdout)

    def localized(self, name, language, *selectors, policy=None):
        (self.packs / f"{name}.json").write_text(json.dumps({
            "assetPackID": name, "downloadPolicy": policy or {"onDemand": {}},
            "fileSelectors": list(selectors), "platforms": [],
            **({"language": language} if language else {})}))


class SameLanguageTest(LanguageTest):
    @NEEDS_CLDR
    def test_the_table_is_that_of_cldr(self):
        folder = REPOSITORY / "Sources/BAPackCore/Manifest"
        done = subprocess.run([sys.executable, folder / "likely-subtags.py"], check=True,
                              stdout=subprocess.PIPE)
        self.assertEqual(done.stdout.decode(), (folder / "LikelySubtags.swift").read_text())

    @NEEDS_CLDR
    def test_tags_are_the_same_language_as_by_cldr(self):
        oracle, rng = Oracle(), random.Random(SEED)
        self.write("one", "1")
        self.write("two", "2")
        same = set()
        for number in range(1000):
            tags = oracle.pair(rng)
            if oracle.maximized(tags[0]) == oracle.maximized(tags[1]):
                same.add(f"second-{number}")
            for name, source, tag in zip(("first", "second"), ("one", "two"), tags):
                self.localized(f"{name}-{number}", tag,
                               {"fileSource": source, "fileDestination": str(number)})
        self.assertTrue(200 < len(same) < 800, len(same))
        found = self.validate("--rule", "unregistered-language=off")["findings"]
        self.assertEqual({finding["rule"] for finding in found}, {"contents-clash"})
        clashes = [pathlib.Path(finding["file"]).stem for finding in found]
        self.assertEqual(len(clashes), len(set(clashes)))
        self.assertEqual({name.replace("first", "second") for name in clashes}, same)


class FamilyTest(LanguageTest):
    LANGUAGES = ("ar cs da de el en es fi fr he hi hu id it ja ko nl pl pt ro ru sv th tr uk").split()

    def setUp(self):
        super().setUp()
        for language in self.LANGUAGES:
            for number in range(12):
                self.write(f"{language}/Voice/{number:02}.txt", f"{language} {number}")
            for part in range(2):
                self.localized(f"voice-{language}-{part}", language, *(
                    {"fileSource": f"{language}/Voice/{number:02}.txt",
                     "fileDestination": f"Voice/{number:02}.txt"}
                    for number in range(6 * part, 6 * part + 6)))

    def test_languages_with_the_same_paths_are_fine(self):
        report = self.validate()
        self.assertEqual(report["findings"], [])
        self.assertEqual([note["rule"] for note in report["notes"]], ["localized-reach"])

    def test_a_missing_file_is_one_gap(self):
        self.localized("voice-fr-1", "fr", *(
            {"fileSource": f"fr/Voice/{number:02}.txt", "fileDestination": f"Voice/{number:02}.txt"}
            for number in range(7, 12)))
        found = self.validate()["findings"]
        self.assertEqual([(f["rule"], pathlib.Path(f["file"]).name, f["message"]) for f in found], [
            ("language-gap", "voice-fr-1.json", "'fr' has no 'Voice/06.txt', which 'ar' has")])

    def test_another_file_of_one_language_is_one_clash(self):
        for language, count in (("de-DE", 1), ("de-AT", 0)):
            self.localized("voice-more", language,
                           {"fileSource": "en/Voice/03.txt", "fileDestination": "Voice/03.txt"})
            found = self.validate("--rule", "language-gap=off")["findings"]
            self.assertEqual([f["rule"] for f in found], ["contents-clash"] * count)

    def test_proposed_manifests_have_no_findings(self):
        self.write("Levels/order.txt", "1")
        manifests = self.repository / "Manifests"
        subprocess.run([TOOL, "template", "--from", self.repository, "--output-directory", manifests],
                       check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
        languages = [json5.parse(path.read_text()).get("language") for path in manifests.iterdir()]
        self.assertEqual(sorted(filter(None, languages)), self.LANGUAGES)
        done = subprocess.run([TOOL, "validate", "--format", "json", manifests], check=True,
                              stdout=subprocess.PIPE, timeout=TIMEOUT)
        self.assertEqual(json.loads(done.stdout)["findings"], [])

    def test_each_family_needs_the_primary_language(self):
        for language, rules in (("de-Latn", []), ("de-CH", ["no-primary-language"] * 2)):
            (self.folder / ".ba-package.json").write_text(json.dumps({"primaryLanguage": language}))
            found = self.validate()["findings"]
            self.assertEqual([f["rule"] for f in found], rules)


# Tags, and what CLDR makes of them.
FULL = {
    "en": "en-Latn-US", "en-US": "en-Latn-US", "en-GB": "en-Latn-GB", "EN-latn-gb": "en-Latn-GB",
    "de": "de-Latn-DE", "de-AT": "de-Latn-AT", "ja": "ja-Jpan-JP", "es-MX": "es-Latn-MX",
    "es": "es-Latn-ES", "es-AR": "es-Latn-AR", "zh-TW": "zh-Hant-TW", "zh-HK": "zh-Hant-HK",
    "zh-Hant": "zh-Hant-TW", "zh": "zh-Hans-CN", "pt": "pt-Latn-BR", "pt-PT": "pt-Latn-PT"}
PLATFORMS = ["iOS", "macOS", "tvOS", "visionOS"]


class Refused(Exception):
    """The packs can't be extracted; the message names the reason."""


class Player:
    """What a player has: a model of `extract`, from the description of localized packs."""

    def __init__(self, languages, platform, primary):
        self.languages, self.platform, self.primary = languages, platform, primary

    def files(self, packs):
        packs = [pack for pack in packs
                 if not self.platform or not pack["platforms"] or self.platform in pack["platforms"]]
        if not self.languages and len({FULL[p["language"]] for p in packs if p["language"]}) > 1:
            raise Refused("choose it with '--language'")
        chosen = [pack for pack in packs if not self.languages or not pack["language"]]
        if self.languages:
            for family in self.families([pack for pack in packs if pack["language"]]):
                best = self.best({FULL[pack["language"]] for pack in family})
                chosen += [pack for pack in family if FULL[pack["language"]] == best]
        if not chosen:
            raise Refused("has none of the packs")
        files = {}
        for pack in chosen:
            for path, data in pack["files"].items():
                if files.setdefault(path, data) != data:
                    raise Refused("is not the same in")
        return files

    @staticmethod
    def families(packs):
        """Merges sets of packs until no two have a path in common that two languages have."""
        languages = {}
        for pack in packs:
            for path in pack["files"]:
                languages.setdefault(path, set()).add(FULL[pack["language"]])
        shared = {path for path, found in languages.items() if len(found) > 1}
        sets = [([pack], shared & set(pack["files"])) for pack in packs]
        merged = True
        while merged:
            merged = False
            for one in range(len(sets)):
                for two in range(one):
                    if sets[one][1] & sets[two][1]:
                        sets[two] = (sets[two][0] + sets[one][0], sets[two][1] | sets[one][1])
                        del sets[one]
                        merged = True
                        break
                if merged:
                    break
        return [packs for packs, _ in sets]

    def best(self, there):
        for wanted in self.languages:
            full = FULL[wanted]
            if full in there:
                return full
            others = [other for other in there if other[:7] == full[:7]]
            if len(others) > 1:
                raise Refused("Apple doesn't document")
            if others:
                return others[0]
        primary = FULL.get(self.primary)
        return primary if primary in there else None


class ExtractionTest(ToolTest):
    def random_set(self, rng):
        tags = rng.sample(list(FULL), rng.randint(1, 4))
        packs = []
        for number in range(rng.randint(2, 7)):
            language = rng.choice([None, *tags, *tags])
            # Packs of one language and packs without one rarely have a path in common.
            names = rng.sample(range(5), rng.randint(1, 3))
            area = "all" if language is None else rng.choice(["voice", "text", f"own/{number}"])
            files = {}
            for name in names:
                path = f"{area}/{name}" if rng.random() < 0.97 else f"voice/{name}"
                data = f"{path} {FULL.get(language)}"
                files[path] = data if rng.random() < 0.99 else data + f" {number}"
            packs.append({
                "language": language, "files": files,
                "platforms": rng.choice([[], [], rng.sample(PLATFORMS, rng.randint(1, 3))])})
        return packs

    def test_what_is_extracted_is_what_a_player_has(self):
        rng, outcomes = random.Random(SEED), {}
        for number in range(500):
            packs = self.random_set(rng)
            names = []
            for index, pack in enumerate(packs):
                folders = sorted({path[:end]
                                  for path in pack["files"]
                                  for end in range(len(path)) if path[end] == "/"})
                entries = [make_archive.directory(f"Contents/{folder}") for folder in folders]
                entries += [make_archive.file(f"Contents/{path}", data)
                            for path, data in sorted(pack["files"].items())]
                changes = {"assetPackID": f"p{index}", "platforms": pack["platforms"]}
                if pack["language"]:
                    changes["language"] = pack["language"]
                name = self.packs / f"{number}-{index}.aar"
                name.write_bytes(make_archive.stream(make_archive.pack(*entries, **changes)))
                names.append(name)
            player = Player(rng.sample(list(FULL), rng.choice([0, 1, 1, 1, 2])),
                            rng.choice([None, None, *PLATFORMS]), rng.choice([None, *FULL]))
            settings = {"primaryLanguage": player.primary} if player.primary else {}
            (self.packs / ".ba-package.json").write_text(json.dumps(settings))
            target = self.folder / f"target-{number}"
            done = subprocess.run(
                [TOOL, "extract", *names, "-o", target,
                 *(word for tag in player.languages for word in ("--language", tag)),
                 *(["--platform", player.platform] if player.platform else [])],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT, env=environment())
            error = done.stderr.decode()
            found = {str(path.relative_to(target)): path.read_text()
                     for path in target.rglob("*") if path.is_file()}
            try:
                expected, outcome = player.files(packs), "extracted"
            except Refused as refused:
                expected, outcome = {}, str(refused)
                self.assertIn(outcome, error, (number, packs, vars(player)))
            self.assertEqual(done.returncode, 0 if expected else 1, (number, error))
            self.assertEqual(found, expected, (number, packs, vars(player), error))
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
        self.assertGreater(outcomes["extracted"], 200, outcomes)
        self.assertEqual(len(outcomes), 5, outcomes)


def files_of(archive):
    """The files of an archive, read by another program."""
    for fields in reader.entries(reader.stream_of(archive.read_bytes())):
        if chr(fields["TYP"]) == "F":
            yield fields["PAT"].decode(), fields["DAT"]


class SizeTest(LanguageTest):
    def test_sizes_for_one_player_are_sums_of_archives(self):
        rng = random.Random(SEED)
        for game in range(3):
            tags = rng.sample(list(FULL), 5)
            for number in range(12):
                name = f"g{game}-{number}"
                self.write(f"{name}/data", rng.randbytes(rng.randint(1, 60000)))
                self.write(f"{name}/more/text", "text " * rng.randint(1, 9000))
                self.localized(
                    name, rng.choice([None, None, *tags]), {"directory": name},
                    policy=rng.choice([{"essential": FIRST}, {"essential": FIRST},
                                       {"prefetch": FIRST}, {"onDemand": {}}]))
            output = self.folder / f"built-{game}"
            subprocess.run(
                [TOOL, "package", *sorted(self.packs.glob(f"g{game}-*.json")), "--root",
                 self.repository, "--output-directory", output],
                check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT)
            done = subprocess.run([TOOL, "report", "--format", "json", output], check=True,
                                  stdout=subprocess.PIPE, timeout=TIMEOUT)
            report = json.loads(done.stdout)
            common, sums = self.sums(output)
            players = {language: [a + b for a, b in zip(common, own)]
                       for language, own in sums.items()}
            self.assertEqual(
                {FULL.get(row.get("language")): [row["size"], row["downloadSize"],
                                                 row["installationSize"]]
                 for row in report["languages"]}, {None: common, **players})
            most = [max(column) for column in zip(common, *players.values())]
            self.assertEqual([report["totals"][key] for key in
                              ("size", "downloadSize", "installationSize")], most)

    @staticmethod
    def sums(output):
        """The sizes of files, of archives, and of those an installation waits for, by language."""
        common, sums = [0, 0, 0], {}
        for archive in output.glob("*.aar"):
            files, manifest = 0, None
            for path, data in files_of(archive):
                if path == "Manifest.json":
                    manifest = json.loads(data)
                else:
                    files += len(data)
            waits = "essential" in manifest["downloadPolicy"]
            language = FULL.get(manifest.get("language"))
            target = sums.setdefault(language, [0, 0, 0]) if language else common
            size = archive.stat().st_size
            for index, value in enumerate((files, size, size if waits else 0)):
                target[index] += value
        return common, sums


if __name__ == "__main__":
    unittest.main()
