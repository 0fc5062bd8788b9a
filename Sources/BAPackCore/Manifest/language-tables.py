#!/usr/bin/env python3
"""Writes language-tables.txt from the supplemental data of Unicode's CLDR 41, in Debian files of
unicode-cldr-core; a test compares the two where that is installed.

    language-tables.py [FOLDER] > language-tables.txt
"""

import collections
import re
import sys

FOLDER = "/usr/share/unicode/cldr/common/supplemental"
TAG = r"[a-z]{2,3}(?:_[A-Z][a-z]{3})?(?:_(?:[A-Z]{2}|[0-9]{3}))?"


def subtags(tag):
    language, script, region = re.fullmatch(r"([a-z]+)(?:_(\w{4}))?(?:_(\w{2,3}))?", tag).groups("")
    return language, script, region


def likely_subtags(text):
    """The tags by the script and region that are added to them, and scripts by the region: every
    tag has a language, and one whose language isn't listed is completed by its script alone."""
    added = collections.defaultdict(list)
    for tag, likely in re.findall(r'<likelySubtag from="(\w+)" to="(\w+)"', text):
        old, new = subtags(tag), subtags(likely)
        if old[0] == "und" and (old[2] or not old[1]):
            continue
        rest = "-".join(b for a, b in zip(old[1:], new[1:]) if not a)
        added[rest].append(tag.removeprefix("und_"))
    return added


def language_aliases(text):
    """The tags by their replacement; those with variants can't be a pack's."""
    replaced = collections.defaultdict(list)
    for tag, new in re.findall(rf'<languageAlias type="({TAG})" replacement="({TAG})"', text):
        replaced[new].append(tag)
    return replaced


def region_aliases(text):
    """The region codes by the regions that took their place, joined by commas."""
    replaced = collections.defaultdict(list)
    for region, new in re.findall(
            r'<territoryAlias type="([A-Z]{2}|[0-9]{3})" replacement="([A-Z0-9 ]+)"', text):
        replaced[new.replace(" ", ",")].append(region)
    return replaced


def parents(text):
    """The languages by their parent; `root` for those without one."""
    return {parent: tags.split() for parent, tags in
            re.findall(r'<parentLocale parent="(\w+)" locales="([\w ]+)"', text)}


def write(name, meaning, table):
    print(f"{name}: {meaning}")
    for key in sorted(table):
        print(" ".join([key, *sorted(table[key])]).replace("_", "-"))


def main(folder=FOLDER):
    def read(name):
        with open(f"{folder}/{name}.xml", encoding="utf-8") as file:
            return file.read()
    aliases = read("supplementalMetadata")
    write("likelySubtags", "the script and region to add, and the tags that they are added to",
          likely_subtags(read("likelySubtags")))
    print()
    write("languageAliases", "languages, and the tags that they replace", language_aliases(aliases))
    print()
    write("regionAliases", "regions, the most populous first, and the codes that they replace",
          region_aliases(aliases))
    print()
    write("parentLanguages", "languages, and those that inherit from them; root is none",
          parents(read("supplementalData")))


main(*sys.argv[1:])
