"""Localized packs: which languages are the same, what a language lacks, what one player has."""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import reader
from packlib import json5, make_archive
from tests.tool import REPOSITORY, SEED, TIMEOUT, TOOL, ToolTest, environment

CLDR = pathlib.Path("/usr/share/unicode/cldr/common/supplemental")
NEEDS_CLDR = unittest.skipUnless(CLDR.is_dir(), "Debian's unicode-cldr-core is not installed")
FIRST = {"installationEventTypes": ["firstInstallation"]}


class Oracle:
    """Canonicalization and Add Likely Subtags of UTS 35, with the data of CLDR."""

    def __init__(self):
        def attributes(name, tag, *keys):
            return [tuple(map(entry.get, keys))
                    for entry in xml.etree.ElementTree.parse(CLDR / f"{name}.xml").iter(tag)]
        self.likely = dict(attributes("likelySubtags", "likelySubtag", "from", "to"))
        self.languages, self.regions, self.scripts = (
            dict(attributes("supplementalMetadata", f"{kind}Alias", "type", "replacement"))
            for kind in ("language", "territory", "script"))
        self.sources = list(self.likely.items())
        # Those that were replaced by each.
        self.old_regions, self.old_languages = {}, {}
        for olds, pattern, aliases in ((self.old_regions, "[A-Z]{2}|[0-9]{3}", self.regions),
                                       (self.old_languages, "[a-z]{2,3}", self.languages)):
            for old, new in aliases.items():
                for tag in new.split() if aliases is self.regions else new.split("_")[:1]:
                    if re.fullmatch(pattern, old):
                        olds.setdefault(tag, []).append(old)

    def canonical(self, tag):
        language, script, region = self.parts(tag.replace("-", "_"))
        # Rules with more subtags come first; one without a script or region adds it.
        for rule, keeps in ((f"{language}_{region}", ("", "")), (language, (script, region))):
            if rule in self.languages:
                new = self.parts(self.languages[rule])
                language, script, region = new[0], script or new[1], keeps[1] or new[2]
                break
        if region in self.regions:
            choices = self.regions[region].split()
            usual = self.completed(language, script, "")[2]
            region = usual if usual in choices else choices[0]
        return language, self.scripts.get(script, script), region

    def maximized(self, tag):
        return self.completed(*self.canonical(tag))

    def completed(self, language, script, region):
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
        source, likely = rng.choice(self.sources)
        full = self.parts(likely)
        other = self.parts(rng.choice(self.sources)[1])
        region = rng.choice(self.old_regions.get(full[2], [full[2]]))
        old = rng.choice(self.old_languages.get(full[0], [full[0]]))
        forms = [source, likely, full[0], f"{full[0]}_{full[1]}", f"{full[0]}_{full[2]}",
                 f"{full[0]}_{other[2]}", f"{full[0]}_{other[1]}", f"{full[0]}_{other[1]}_{full[2]}",
                 f"{full[0]}_{full[1]}_{other[2]}", f"{full[0]}_{region}", old, f"{old}_{full[1]}",
                 f"{old}_{region}", f"{old}_{other[1]}_{region}"]
        # What is no language isn't the language of a pack.
        forms = [form for form in forms if not form.startswith("und")]
        if not forms:
            return self.pair(rng)
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
        done = subprocess.run([sys.executable, folder / "language-tables.py"], check=True,
                              stdout=subprocess.PIPE)
        self.assertEqual(done.stdout.decode(), (folder / "language-tables.txt").read_text())

    @NEEDS_CLDR
    def test_tags_are_the_same_language_as_by_cldr(self):
        oracle, rng = Oracle(), random.Random(SEED)
        self.write("one", "1")
        self.write("two", "2")
        for _ in range(12):
            same = set()
            for number in range(1000):
                tags = oracle.pair(rng)
                if oracle.maximized(tags[0]) == oracle.maximized(tags[1]):
                    same.add(f"second-{number}")
                for name, source, tag in zip(("first", "second"), ("one", "two"), tags):
                    self.localized(f"{name}-{number}", tag,
                                   {"fileSource": source, "fileDestination": str(number)})
            self.assertTrue(200 < len(same) < 800, len(same))
            found = self.validate(
                "--rule", "unregistered-language=off", "--rule", "replaced-language=off",
                "--rule", "language-without-pack=off")["findings"]
            self.assertEqual({finding["rule"] for finding in found}, {"contents-clash"})
            clashes = [pathlib.Path(finding["file"]).stem for finding in found]
            self.assertEqual(len(clashes), len(set(clashes)))
            self.assertEqual({name.replace("first", "second") for name in clashes}, same)

    @NEEDS_CLDR
    def test_replaced_tags_are_named(self):
        oracle, rng = Oracle(), random.Random(SEED)
        self.write("one", "1")
        expected = {"no": "nb"}
        while len(expected) < 500:
            tag = oracle.pair(rng)[0]
            new = "-".join(filter(None, oracle.canonical(tag)))
            if new.lower() != tag.lower():
                expected[tag] = new
        names = {}
        for number, tag in enumerate(expected):
            names[f"p{number}"] = expected[tag]
            self.localized(f"p{number}", tag, {"fileSource": "one", "fileDestination": str(number)})
        found = [finding for finding in self.validate("--rule", "language-without-pack=off")["findings"]
                 if finding["rule"] == "replaced-language"]
        self.assertEqual({pathlib.Path(f["file"]).stem: f["message"].split("'")[3] for f in found},
                         names)


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
            found = self.validate("--rule", "language-gap=off",
                                  "--rule", "language-without-pack=off")["findings"]
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

    def test_a_missing_pack_is_one_finding(self):
        (self.packs / "voice-fr-1.json").unlink()
        found = self.validate()["findings"]
        self.assertEqual([(f["rule"], f["message"].split(":")[0]) for f in found], [
            ("language-without-pack", "players in 'fr' get no 'Voice/...'")])

    def test_the_app_needs_the_primary_language_once(self):
        for language, rules in (("de-Latn", []), ("de-CH", []), ("sk", ["no-primary-language"])):
            (self.folder / ".ba-package.json").write_text(json.dumps({"primaryLanguage": language}))
            found = self.validate()["findings"]
            self.assertEqual([f["rule"] for f in found], rules)


# Tags, and what CLDR makes of them.
FULL = {
    "en": "en-Latn-US", "en-US": "en-Latn-US", "en-GB": "en-Latn-GB", "EN-latn-gb": "en-Latn-GB",
    "en-AU": "en-Latn-AU", "en-CA": "en-Latn-CA", "en-001": "en-Latn-001", "en-IL": "en-Latn-IL",
    "de": "de-Latn-DE", "de-AT": "de-Latn-AT", "ja": "ja-Jpan-JP", "es-MX": "es-Latn-MX",
    "es": "es-Latn-ES", "es-AR": "es-Latn-AR", "es-419": "es-Latn-419", "zh-TW": "zh-Hant-TW",
    "zh-HK": "zh-Hant-HK", "zh-Hant": "zh-Hant-TW", "zh": "zh-Hans-CN", "pt": "pt-Latn-BR",
    "pt-PT": "pt-Latn-PT", "pt-MO": "pt-Latn-MO", "iw": "he-Hebr-IL", "he": "he-Hebr-IL"}
# The languages that take the place of one, by CLDR and without its region.
PARENTS = {
    "en-Latn-GB": ["en-Latn-001", "en-Latn-US"], "en-Latn-CA": ["en-Latn-US"],
    "en-Latn-AU": ["en-Latn-GB", "en-Latn-001", "en-Latn-US"],
    "en-Latn-IL": ["en-Latn-001", "en-Latn-US"], "en-Latn-001": ["en-Latn-US"],
    "de-Latn-AT": ["de-Latn-DE"], "es-Latn-MX": ["es-Latn-419", "es-Latn-ES"],
    "es-Latn-AR": ["es-Latn-419", "es-Latn-ES"], "es-Latn-419": ["es-Latn-ES"],
    "zh-Hant-HK": ["zh-Hant-TW"], "pt-Latn-PT": ["pt-Latn-BR"],
    "pt-Latn-MO": ["pt-Latn-PT", "pt-Latn-BR"]}
BASES = {"en": "en-Latn-US", "de": "de-Latn-DE", "ja": "ja-Jpan-JP", "es": "es-Latn-ES",
         "zh": "zh-Hans-CN", "pt": "pt-Latn-BR", "he": "he-Hebr-IL"}
PLATFORMS = ["iOS", "macOS", "tvOS", "visionOS"]
# Those of newer versions.
OTHERS = ["carOS", "glassOS"]


def all_platforms(packs):
    return PLATFORMS + [name for name in OTHERS if any(name in pack["platforms"] for pack in packs)]


class Refused(Exception):
    """The packs can't be extracted; the message names the reason."""


class Player:
    """What a player has: a model from the description of localized packs alone."""

    def __init__(self, languages, platform, primary):
        self.languages, self.platform, self.primary = languages, platform, primary

    def offered(self, packs):
        if self.platform and self.platform not in all_platforms(packs):
            raise Refused("is not a platform")
        return [pack for pack in packs
                if not self.platform or not pack["platforms"] or self.platform in pack["platforms"]]

    def chosen(self, packs):
        packs = self.offered(packs)
        there = {FULL[pack["language"]] for pack in packs if pack["language"]}
        if not self.languages:
            if len(there) > 1:
                raise Refused("choose it with '--language'")
            return packs, None
        if self.platform or not packs:
            best = self.best(there) if there else None
        else:
            best = self.best_anywhere(packs)
        return [pack for pack in packs
                if not pack["language"] or best and FULL[pack["language"]] == best[0]], best

    def best_anywhere(self, packs):
        """The language on all platforms that the app is for, each of which has one of its own packs."""
        found = []
        for platform in all_platforms(packs):
            there = {FULL[pack["language"]] for pack in packs if pack["language"]
                     and (not pack["platforms"] or platform in pack["platforms"])}
            best = self.best(there) if there else None
            found += [best] if best else []
        if len({language for language, _ in found}) > 1:
            raise Refused("depends on its platform")
        return (found[0][0], all(is_certain for _, is_certain in found)) if found else None

    def files(self, packs):
        chosen, best = self.chosen(packs)
        if not chosen:
            raise Refused("has none of the packs")
        files = {}
        for pack in chosen:
            for path, data in pack["files"].items():
                if files.setdefault(path, data) != data:
                    raise Refused("is not the same in")
        return files, best

    def best(self, there):
        """The resolved language, and whether Apple documents it."""
        primary = FULL.get(self.primary)
        for number, wanted in enumerate(self.languages + ([self.primary] if self.primary else [])):
            full = FULL[wanted]
            if full in there:
                return full, True
            found = next((parent for parent in PARENTS.get(full, []) if parent in there), None)
            others = [other for other in there if other.rsplit("-", 1)[0] == full.rsplit("-", 1)[0]]
            if not found and len(others) > 1:
                raise Refused("Apple doesn't document")
            found = found or next(iter(others), None)
            if found:
                name = found.split("-")[0]
                alone = [other for other in there if other.split("-")[0] == name] == [found]
                later = any(FULL[tag] in there for tag in self.languages[number + 1:])
                return found, alone and not later and found in (BASES[name], primary)
        if not self.primary:
            raise Refused("which is not set")
        return None


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
                "platforms": rng.choice([[], [], rng.sample(PLATFORMS + OTHERS, rng.randint(1, 3))])})
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
                            rng.choice([None, None, *PLATFORMS, *OTHERS]), rng.choice([None, *FULL]))
            settings = {"primaryLanguage": player.primary} if player.primary else {}
            (self.packs / ".ba-package.json").write_text(json.dumps(settings))
            target = self.folder / f"target-{number}"
            done = subprocess.run(
                [TOOL, "extract", *names, "-o", target, *self.options(player)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT, env=environment())
            error = done.stderr.decode()
            found = {str(path.relative_to(target)): path.read_text()
                     for path in target.rglob("*") if path.is_file()}
            try:
                (expected, best), outcome = player.files(packs), "extracted"
                self.assertEqual("is taken for" in error, bool(best and not best[1]),
                                 (number, packs, vars(player), error))
            except Refused as refused:
                expected, outcome = {}, str(refused)
                self.assertIn(outcome, error, (number, packs, vars(player)))
            self.assertEqual(done.returncode, 0 if expected else 1, (number, error))
            self.assertEqual(found, expected, (number, packs, vars(player), error))
            self.check_sums(packs, names, player)
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
        self.assertGreater(outcomes["extracted"], 200, outcomes)
        self.assertEqual(len(outcomes), 8, outcomes)

    @staticmethod
    def options(player):
        return [*(word for tag in player.languages for word in ("--language", tag)),
                *(["--platform", player.platform] if player.platform else [])]

    def check_sums(self, packs, names, player):
        """Compares the sizes in `report` with sums over the packs of each player."""
        done = subprocess.run(
            [TOOL, "report", "--format", "json", *names, *self.options(player)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT, env=environment())
        error = done.stderr.decode()
        expected, total = {}, [0, 0]
        try:
            for platform in [player.platform] if player.platform else all_platforms(packs):
                one = Player(player.languages, platform, player.primary)
                offered = one.offered(packs)
                if not offered:
                    continue
                if player.languages:
                    players = [one.chosen(packs)]
                else:
                    tags = {FULL[pack["language"]] for pack in offered if pack["language"]}
                    players = [([pack for pack in offered
                                 if not pack["language"] or FULL[pack["language"]] == tag],
                                tag and (tag, None)) for tag in (None, *tags)]
                for own, best in players:
                    sizes = [sum(len(data) for pack in own for data in pack["files"].values()),
                             sum(names[packs.index(pack)].stat().st_size for pack in own)]
                    key = (best, *map(packs.index, own))
                    expected.setdefault(key, (sizes, set()))[1].add(platform)
                    total = [max(pair) for pair in zip(total, sizes)]
        except Refused as refused:
            self.assertIn(str(refused), error)
            return
        self.assertEqual(done.returncode, 0, error)
        report = json.loads(done.stdout)
        self.assertEqual([report["totals"]["size"], report["totals"]["downloadSize"]], total)
        rows = report.get("languages")
        if rows is None:
            self.assertEqual(len(expected) <= 1, True, (packs, vars(player)))
            return
        everywhere = set().union(*(platforms for _, platforms in expected.values()))
        self.assertEqual(
            sorted((FULL.get(row.get("language"), ""), str(row.get("certain")),
                    [row["size"], row["downloadSize"]], sorted(row.get("platforms", everywhere)))
                   for row in rows),
            sorted((key[0][0] if key[0] else "", str(key[0][1]) if key[0] else "None",
                    sizes, sorted(platforms)) for key, (sizes, platforms) in expected.items()))


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
