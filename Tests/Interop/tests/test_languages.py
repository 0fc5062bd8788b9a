"""Localized packs: which languages are the same, what a language lacks, what one player has."""

import json
import os
import pathlib
import random
import subprocess
import sys
import unittest
import xml.etree.ElementTree

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

    def test_each_family_needs_the_primary_language(self):
        for language, rules in (("de-Latn", []), ("de-CH", ["no-primary-language"] * 2)):
            (self.folder / ".ba-package.json").write_text(json.dumps({"primaryLanguage": language}))
            found = self.validate()["findings"]
            self.assertEqual([f["rule"] for f in found], rules)


if __name__ == "__main__":
    unittest.main()
