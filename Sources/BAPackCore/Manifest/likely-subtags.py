#!/usr/bin/env python3
"""Writes LikelySubtags.swift from likelySubtags.xml of Unicode's CLDR, in Debian a file of
unicode-cldr-core; a test compares the two where that is installed.

    likely-subtags.py [likelySubtags.xml] > LikelySubtags.swift
"""

import collections
import re
import sys
import textwrap

PATH = "/usr/share/unicode/cldr/common/supplemental/likelySubtags.xml"


def subtags(tag):
    language, script, region = re.fullmatch(r"([a-z]+)(?:_(\w{4}))?(?:_(\w{2,3}))?", tag).groups("")
    return language, script, region


def main(path=PATH):
    with open(path, encoding="utf-8") as file:
        entries = re.findall(r'<likelySubtag from="(\w+)" to="(\w+)"', file.read())
    # The tags by the subtags that are added to them.
    added = collections.defaultdict(list)
    for tag, likely in entries:
        old, new = subtags(tag), subtags(likely)
        language = new[0] if old[0] == "und" else "und"
        rest = [b for a, b in zip(old[1:], new[1:]) if not a]
        added["-".join([language, *rest])].append(tag.replace("_", "-"))
    print("// Written by likely-subtags.py from likelySubtags.xml of CLDR 41.\n")
    print("/// The likely subtags of CLDR: subtags, and the tags that they are added to.")
    print('let likelySubtags = """')
    table = "; ".join(" ".join([key, *sorted(added[key])]) for key in sorted(added))
    print(" \\\n".join("  " + line for line in textwrap.wrap(table, 95, break_on_hyphens=False)))
    print('  """')


main(*sys.argv[1:])
