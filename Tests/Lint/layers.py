#!/usr/bin/env python3
"""Checks that the folders of BAPackCore depend on each other in one direction only.

usage: layers.py [--all] [FOLDER]

A file uses another folder when it names a type, protocol or global function that only that folder
declares. Prints the dependencies that point upwards in LAYERS, with a place for each, and exits
with 1 where there are any; --all prints every dependency with its number of uses.

This reads names, not types: a member is not counted, and a name that two folders declare belongs
to neither, nor is what stands inside a string literal. What compiles as one module can therefore pass with a dependency by members alone.
"""

import collections
import pathlib
import re
import sys

# The allowed direction: a folder may use those before it.
LAYERS = [
    "Text",
    "System",
    "Findings",
    "JSON",
    "Manifest",
    "Digest",
    "Engine",
    "Format",
    "Checksums",
    "Selection",
    "Packaging",
    "Reading",
    "DownloadManifest",
    "Checks",
    "Scaffold",
    "Project",
    "Reports",
]

DECLARATION = re.compile(
    r"^(?:@\S+\s+)*(?:(?:public|package|internal|final|indirect)\s+)*"
    r"(?:struct|enum|class|protocol|actor|typealias|func)\s+(\w+)", re.M)
MEMBER = re.compile(
    r"^ +(?:(?:public|package|internal|final|static|mutating)\s+)*(?:var|let|func|case)\s+(\w+)",
    re.M)
COMMENT_OR_TEXT = re.compile(
    r'//[^\n]*|/\*.*?\*/|#?"""(?:\\.|[^\\])*?"""#?|"(?:\\.|[^"\\\n])*"', re.S)


def blanked(text):
    """The text with comments and literals as spaces, so that lines keep their numbers."""
    return COMMENT_OR_TEXT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def main(arguments):
    shows_all = "--all" in arguments
    folders = [argument for argument in arguments if not argument.startswith("-")]
    root = pathlib.Path(folders[0] if folders else "Sources/BAPackCore")
    texts = {path: blanked(path.read_text()) for path in sorted(root.rglob("*.swift"))}
    layer = {path: path.relative_to(root).parts[0] for path in texts}
    layer = {path: name for path, name in layer.items() if not name.endswith(".swift")}

    unknown = sorted(set(layer.values()) - set(LAYERS))
    if unknown:
        print(f"{root}: no place in LAYERS for {', '.join(unknown)}")
        return 1

    homes = collections.defaultdict(set)
    for path in layer:
        for name in DECLARATION.findall(texts[path]):
            homes[name].add(layer[path])
    members = {name for path in layer for name in MEMBER.findall(texts[path])}
    owner = {
        name: next(iter(folders)) for name, folders in homes.items()
        if len(folders) == 1 and not (name[0].islower() and name in members)
    }

    uses = collections.defaultdict(list)
    for path, own in layer.items():
        for number, line in enumerate(texts[path].splitlines(), 1):
            for found in re.finditer(r"(?<![\w.])[A-Za-z_]\w*", line):
                home = owner.get(found.group(), own)
                if home != own:
                    uses[own, home].append((path, number, found.group()))

    rank = {name: index for index, name in enumerate(LAYERS)}
    if shows_all:
        for (user, used), places in sorted(
                uses.items(), key=lambda item: (rank[item[0][0]], rank[item[0][1]])):
            print(f"{user} -> {used}: {len(places)}")
    backwards = [item for item in uses.items() if rank[item[0][0]] < rank[item[0][1]]]
    for (user, used), places in backwards:
        for path, number, name in places:
            print(f"{path}:{number}: {user} may not use {used}: '{name}'")
    if not backwards and not shows_all:
        print(f"{root}: {len(uses)} dependencies between folders, none backwards")
    return 1 if backwards else 0


sys.exit(main(sys.argv[1:]))
