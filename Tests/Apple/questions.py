"""What ba-package is asked, ours and Apple's, with the same words in equal folders.

A question has commands, which follow 'ba-package', the files that it needs besides those of FILES,
and what is shown and compared:

    pack       the exit status, and the paths of the files in out.aar
    entries    all of its entries, with their fields in order
    manifest   the manifest that is embedded in it
    container  the letter of its compression and the size of its blocks
    output     the exit status, and what was printed
    status     the exit status alone
    a name     the exit status, and the contents of that file

`since` is the version of Apple's tool that knows the command or the keys. A question with `guide` puts
a statement of the guide to the test: its second part gets both answers, and says whether they bear
it out. With `reads`, Apple's tool is given a pack of ours; one that it can't read is an error.
"""

import json
import pathlib
import re
from typing import Any, Callable, NamedTuple, Optional

FIXTURES = pathlib.Path(__file__).parents[2] / "Fixtures"


class Link(NamedTuple):
    target: str


class Question(NamedTuple):
    text: str
    commands: tuple
    files: dict = {}
    shows: str = "pack"
    guide: Optional[tuple[str, Callable[[Any, Any], bool]]] = None
    since: int = 1
    reads: bool = False
    terminal: bool = False


FILES = {
    "a.txt": "the first file\n", "B.TXT": "the second file\n", "other.md": "# Other\n",
    "data/one.txt": "one\n" * 900, "data/.hidden": "dot\n", "data/sub/two.txt": "two\n",
    "data/sub/deep/three.txt": "three\n", "data/sub/deep/four.md": "four\n",
    "Packs/note.txt": "a folder for manifests\n",
}
PLAIN = "package", "M.json", "-o", "out.aar"


def manifest(*selectors, **changes):
    """A manifest's text; a name is a file, with '/' at its end a folder, with '*' a pattern."""
    def selector(name):
        if isinstance(name, dict):
            return name
        kind = "directory" if name.endswith("/") else "filePattern" if "*" in name else "file"
        return {kind: name.rstrip("/") if len(name) > 1 else name}
    return json.dumps({
        "assetPackID": "asked", "platforms": ["iOS"], "downloadPolicy": {"onDemand": {}},
        "fileSelectors": [selector(name) for name in selectors], **changes}, indent=2) + "\n"


def packs(text, *selectors, files={}, shows="pack", guide=None, since=1, **changes):
    """A question that packages one manifest."""
    return Question(text, (PLAIN,), {"M.json": manifest(*selectors, **changes), **files}, shows, guide,
                    since)


def same(ours, theirs):
    return ours.shown == theirs.shown


def works(_, theirs):
    return theirs.status == 0


def fails(_, theirs):
    return theirs.status != 0


def without(name, part):
    """A manifest with a mistake in its text."""
    return {"M.json": manifest("a.txt").replace(name, part)}


ONE = {"M.json": manifest("a.txt", "data/")}
DIFFERENCES = "Differences"
KEYS = "Manifests: keys and selectors of Apple's tool"


def known_keys(_, theirs):
    """Whether the template of Apple's tool has no key or selector but those of ours."""
    found = set(re.findall(r'"(\w+)"\s*:', theirs.file("T.json")))
    return theirs.status == 0 and found <= {
        "assetPackID", "downloadPolicy", "essential", "prefetch", "onDemand", "installationEventTypes",
        "fileSelectors", "platforms", "sourceRoot", "language", "userInfo", "file", "directory",
        "filePattern", "fileSource", "fileDestination", "directorySource", "directoryDestination",
        "fileExclusion", "toolsVersion"}


def listed(answer, version=None):
    """The versions of packs in the list that a command wrote."""
    return [pack.get("version") for pack in json.loads(answer.file("D.json"))["assetPacks"]]


def creating(*more, pack="out.aar", platform="--ios"):
    return ("download-manifest", "create", pack, *more, platform, "--download-base-url",
            "https://cdn.example.com/packs", "-o", "D.json")


def updating(pack="out.aar"):
    return ("download-manifest", "update", "D.json", "--asset-pack-paths", pack, "--ios",
            "--download-base-url", "https://cdn.example.com/packs")


COMMANDS = [
    Question("What does `package` print?", (PLAIN,), ONE, "output"),
    Question("… with `--quiet`?", ((*PLAIN, "--quiet"),), ONE, "output"),
    Question("… with `--verbose`?", ((*PLAIN, "--verbose"),), ONE, "output"),
    Question("Is `package` the default command?", (PLAIN[1:],), ONE),
    Question("What does `--version` print?", (("--version",),), {}, "output"),
    Question("What does `--help` print?", (("--help",),), {}, "output"),
    Question("What does `help package` print?", (("help", "package"),), {}, "output"),
    Question("What does `help download-manifest` print?", (("help", "download-manifest"),), {}, "output"),
    Question("What does `help convert` print?", (("help", "convert"),), {}, "output", since=2),
    Question("What does an unknown option end with?", ((*PLAIN, "--unknown"),), ONE, "status"),
    Question("What does `evaluate` print?", (("evaluate", "M.json"),), ONE, "output", since=2),
    Question("What does `template` print?", (("template",),), {}, "output"),
    Question("… on a terminal?", (("template",),), {}, "output", terminal=True),
    Question("What does `template -o` write?", (("template", "-o", "T.json"),), {}, "T.json",
             (f"{DIFFERENCES}: every key and selector of Apple's tool is supported", known_keys)),
    Question("Must an output end in `.aar`?", (("package", "M.json", "-o", "out.zip"),), ONE, "status"),
    Question("May it end in `.AAR`?", (("package", "M.json", "-o", "OUT.AAR"),), ONE, "status"),
    Question("Must a manifest end in `.json`?", (("package", "M.txt", "-o", "out.aar"),),
             {"M.txt": manifest("a.txt")}, "status"),
    Question("May it end in `.JSON`?", (("package", "N.JSON", "-o", "out.aar"),),
             {"N.JSON": manifest("a.txt")}, "status"),
    Question("Is an existing output replaced?", (PLAIN,), {**ONE, "out.aar": "old"}, "out.aar",
             (f"{DIFFERENCES}: an existing output is not replaced",
              lambda _, theirs: theirs.status != 0 and theirs.file("out.aar") == "old")),
    Question("Is a missing folder of the output made?", (("package", "M.json", "-o", "new/out.aar"),), ONE,
             "status"),
    Question("Where is a relative output, with `sourceRoot`?", (("package", "Packs/S.json", "-o", "out.aar"),),
             {"Packs/S.json": manifest("one.txt", sourceRoot="../data")}, "status",
             (f"{DIFFERENCES}: with `sourceRoot`, output paths are relative to it",
              lambda _, theirs: theirs.exists("data/out.aar") and not theirs.exists("out.aar")), since=2),
    Question("What if there is no manifest?", (PLAIN,), {}, "status"),
    packs("What if a file is missing?", "missing.txt", "a.txt", shows="status"),
    packs("May a path be absolute?", "/etc/hosts", shows="status"),
    packs("May a path lead out with `..`?", "../outside.txt", files={"../outside.txt": "out\n"}),
    packs("What becomes of a link to a file?", "link.txt", files={"link.txt": Link("a.txt")},
          shows="entries"),
    packs("… of a link to a folder?", "link/", files={"link": Link("data")}, shows="entries"),
    packs("… of a link to nothing?", "a.txt", "link.txt", files={"link.txt": Link("nothing")},
          shows="entries"),
    packs("Does an empty folder have an entry?", "data/", files={"data/empty": None}, shows="entries"),
    packs("Are packs without selectors made?"),
    packs("Are packs without files made?", "empty/", files={"empty": None},
          guide=(f"{DIFFERENCES}: packs without files are made", works)),
    packs("Is a file that is selected twice packaged once?", "a.txt", "a.txt"),
    packs("… if a folder selects it again?", "data/", "data/one.txt"),
    packs("What of two files for one path?", "a.txt", {"fileSource": "other.md", "fileDestination": "a.txt"},
          since=2, shows="status"),
    packs("Is an unknown key an error?", "a.txt", unknown=1, shows="status"),
    packs("Is an unknown selector an error?", "a.txt", {"files": "data"}, shows="status",
          guide=("Rules: Apple's tool fails on any other selector", fails)),
    Question("How many mistakes are reported?", (PLAIN,), {
        "M.json": manifest("a.txt", downloadPolicy={"onDemnad": {}}, platforms=["iPadOS"])}, "status",
        (f"{DIFFERENCES}: it stops at the first mistake",
         lambda _, theirs: theirs.status != 0 and not (
             "onDemnad" in theirs.output and "iPadOS" in theirs.output))),
    packs('Does `"directory": "."` work?', {"directory": "."},
          guide=(f"{DIFFERENCES}: fails on `\"directory\": \".\"`", fails)),
    packs("Are `.DS_Store` and the like taken?", "data/", files={"data/.DS_Store": "Finder"},
          guide=(f"{DIFFERENCES}: `.DS_Store` is included silently",
                 lambda _, theirs: "data/.DS_Store" in theirs.shown)),
    packs("Is an identifier with a dot accepted?", "a.txt", assetPackID="com.example.pack",
          guide=(f"{DIFFERENCES}: the store's rules are not checked", works)),
    packs("… an empty one?", "a.txt", assetPackID=""),
    packs("Does `**` match any number of folders?", "data/**/*.txt", since=2,
          guide=(f"{KEYS}: `filePattern` with `**`", same)),
    packs("… at the end, all below?", "data/**", since=2),
    packs("Does `*` match a slash?", "data/*.txt", since=2),
    packs("… a name that begins with a dot?", "data/*", since=2),
    packs("… a folder, with all in it?", "dat*", since=2),
    packs("Are there braces in patterns?", "{a,other}.*", since=2),
    packs("… sets of letters?", "[ab].*", since=2),
    packs("Does case count in patterns?", "b.*", since=2),
    packs("… in the name of a file?", "b.txt", shows="status"),
    packs("What does an exclusion of a file exclude?", "data/", {"fileExclusion": "data/one.txt"}, since=2,
          guide=(f"{KEYS}: `fileExclusion` of a file", same)),
    packs("… of a folder?", "data/", {"fileExclusion": "data/sub"}, since=2,
          guide=(f"{KEYS}: `fileExclusion` of a folder", same)),
    packs("… of a pattern?", "data/", {"fileExclusion": "**/*.md"}, since=2,
          guide=(f"{KEYS}: `fileExclusion` of a pattern", same)),
    packs("Does it exclude what a later selector selects?", {"fileExclusion": "data/one.txt"}, "data/",
          since=2, guide=("Manifests: the order of selectors has no meaning", same)),
    packs("Do all selectors of 2.0 work?", {"fileSource": "a.txt", "fileDestination": "x/y.txt"},
          {"directorySource": "data/sub", "directoryDestination": "z"}, "*.md", since=2,
          sourceRoot=".", language="de-AT", userInfo={"key": [1]}, guide=(KEYS, same)),
    Question("Is JSON5 accepted?", (PLAIN,), {
        "M.json": "// a comment\n" + manifest("a.txt").replace('"assetPackID"', "assetPackID").replace(
            '"asked"', "'asked'").replace("\n}", ",\n}")}, "pack",
        ("Rules: as in Apple's tool, a manifest may use what JSON5 adds", works)),
    Question("… a key that is there twice?", (PLAIN,), without(
        '"assetPackID"', '"assetPackID": "first",\n  "assetPackID"'), "manifest"),
    Question("… a byte-order mark?", (PLAIN,), {"M.json": "\ufeff" + manifest("a.txt")}, "status"),
    Question("… a tab in a string?", (PLAIN,), without('"asked"', '"as\tked"'), "status"),
    packs("Is a bad language an error?", "a.txt", language="no language", since=2, shows="status"),
    packs("… a language with a variant?", "a.txt", language="de-1996", since=2, shows="status"),
    packs("What do no platforms mean?", "a.txt", platforms=[], shows="status"),
    packs("May a platform be there twice?", "a.txt", platforms=["iOS", "iOS"], shows="status"),
    packs("… be in lower case?", "a.txt", platforms=["ios"], shows="status"),
    packs("What is embedded in the pack?", "a.txt", files={}, shows="manifest"),
    Question("… of a manifest with a comment and `toolsVersion`?", (PLAIN,), {
        "M.json": "// kept?\n" + manifest("a.txt", toolsVersion="1.0")}, "manifest",
        ("Rules: Apple's tool adds `toolsVersion` to the manifests that it embeds",
         lambda _, theirs: "toolsVersion" in theirs.shown), since=2),
    packs("Which entries has a pack, in what order, with which fields?", "a.txt", "data/", "other.md",
          shows="entries"),
    packs("How are names with accents written?", "names/", shows="entries",
          files={"names/\u00e9t\u00e9.txt": "composed\n", "names/o\u0308l.txt": "decomposed\n"}),
    packs("Which compression has a pack, with which blocks?", "data/", shows="container",
          guide=(f"{DIFFERENCES}: LZFSE; The archive of an asset pack: blocks of 1 MiB",
                 lambda _, theirs: theirs.shown == "LZFSE, blocks of 1048576 bytes")),
    Question("Are two packs of the same files equal?", (
        ("package", "M.json", "-o", "out.aar"), ("SLEEP",), ("package", "M.json", "-o", "two.aar")), ONE, "out.aar",
        (f"{DIFFERENCES}: a different archive each time",
         lambda _, theirs: theirs.bytes("out.aar") != theirs.bytes("two.aar"))),
    Question("What is in a new list of packs?", (PLAIN, creating()), ONE, "D.json"),
    Question("… for two platforms?", (PLAIN, creating("--macos")), {
        "M.json": manifest("a.txt", platforms=["iOS", "macOS"])}, "D.json"),
    Question("… for a platform that the pack is not for?", (PLAIN, creating(platform="--tvos")), ONE,
             "status"),
    Question("… for a pack with a language?", (PLAIN, creating()), {
        "M.json": manifest("a.txt", language="pt-BR")}, "D.json", since=2),
    Question("… for a pack with `userInfo`?", (PLAIN, creating()), {
        "M.json": manifest("a.txt", userInfo={"chapter": 2})}, "D.json", since=2),
    Question("… with a version?", (PLAIN, creating("--asset-pack-versions", "3")), ONE, "D.json"),
    Question("Which versions does an update raise?", (PLAIN, creating(), updating()), ONE, "D.json",
             (f"{DIFFERENCES}: an update raises the version of every given pack",
              lambda _, theirs: listed(theirs) == [1])),
] + [
    Question(f"Does it read our pack with {words}, for a list?", (creating(pack=f"{name}.aar"),), {}, "D.json",
             reads=True)
    for name, words in (("lzfse", "LZFSE"), ("zlib", "zlib"), ("store", "blocks that are stored"))
] + [
    Question(f"What becomes of the depot's script `{path.name}`?", ((
        "convert", "--asset-pack-id", "asked", "--on-demand", f"depots/good/{path.name}", "-o", "C.json"),),
        {"depots": FIXTURES / "depots"}, "C.json", since=2)
    for path in sorted((FIXTURES / "depots/good").glob("*.vdf"))
]
