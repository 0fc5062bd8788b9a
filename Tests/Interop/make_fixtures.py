"""Writes the golden archives: Fixtures/archives/{good,damaged,hostile}/NAME.aar and index.json.

    make_fixtures.py [FOLDER]

The bytes depend on nothing but these scripts and Fixtures/lzfse.
"""

import json
import pathlib
import sys

import fixtures_damaged
import fixtures_good
import fixtures_hostile

FOLDER = pathlib.Path(__file__).parents[2] / "Fixtures" / "archives"
ABOUT = """Archives written by Tests/Interop/make_fixtures.py. 'good' must be read: 'entries' says what \
each holds, 'pack' whether it is a whole asset pack. 'damaged' and 'hostile' must be refused: 'refuse' \
says by whom (read: by everything that reads the place; limit: with the limit beside it; verify: only by what asks for an \
asset pack; extract: by extract and verify), 'reason' is a short id, 'where' the block or entry and its \
offset in the file or in the archive stream; with 'optional' a reader may take it. 'escapes' must not \
come to be: absolute paths, or paths relative to the folder of an extraction."""


def files():
    """Every file by its path below the folder."""
    index = {"about": ABOUT}
    made = {}
    for name, module in (("good", fixtures_good), ("damaged", fixtures_damaged),
                         ("hostile", fixtures_hostile)):
        index[name] = [said for said, _ in module.CASES]
        for said, data in module.CASES:
            path = f"{name}/{said['name']}.aar"
            assert path not in made, path
            made[path] = data
    lines = [f' "about": {json.dumps(ABOUT)}']
    for name in ("good", "damaged", "hostile"):
        items = ",\n".join("  " + json.dumps(said, ensure_ascii=True) for said in index[name])
        lines.append(f' "{name}": [\n{items}\n ]')
    made["index.json"] = ("{\n" + ",\n".join(lines) + "\n}\n").encode()
    return made


def main(arguments):
    folder = pathlib.Path(arguments[0]) if arguments else FOLDER
    made = files()
    for old in folder.glob("*/*.aar"):
        if str(old.relative_to(folder)) not in made:
            old.unlink()
    for path, data in made.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    print(f"{len(made) - 1} archives, {sum(map(len, made.values())):,} bytes, in {folder}")


if __name__ == "__main__":
    main(sys.argv[1:])
