#!/usr/bin/env python3
"""Draws the chart of README and the guide: what kinds.py recorded for all kinds of data together, as
size and time against Apple's open encoder. It needs nothing but Python.

    picture.py [FILE]
"""

import json
import math
import sys
from pathlib import Path

import kinds
import record

PICTURE = Path(__file__).resolve().parents[2] / "Sources/BAPackCore/BAPackCore.docc/speed.svg"
ROWS = {
    kinds.BASE: kinds.BASE, "ba-package, level 1": "lzfse 1", "ba-package, level 5": "lzfse 5",
    "ba-package, level 9": "lzfse 9", "zstd -3": "zstd -3", "zstd -19": "zstd -19",
    "zlib -9, as by pigz": "zlib -9",
}
WIDTH, NAMES, GAP, BAR, STEP, TOP = 840, 170, 24, 15, 24, 46
PANEL = (WIDTH - NAMES - GAP) // 2 - 62
STYLE = """
  text { font: 13px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328 }
  .head { font-weight: 600 }
  .ours { fill: #0969da }
  .other { fill: #8c959f }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .ours { fill: #4493f8 }
    .other { fill: #656c76 }
  }
"""


def bar(x, y, length, name, label):
    kind = "ours" if name.startswith("ba-package") else "other"
    yield f'<rect class="{kind}" x="{x}" y="{y}" width="{length:.1f}" height="{BAR}" rx="2"/>'
    yield f'<text x="{x + length + 6:.1f}" y="{y + BAR - 3}">{label}</text>'


def chart(found):
    """The lines of an SVG. Lengths of times are logarithms: each tenth of a bar is the same
    factor."""
    raw, made = kinds.rows(found)["all together"]
    base = made[kinds.BASE]["packed"]
    times = {name: 1000 * made[key]["packing"] * kinds.MIB / raw for name, key in ROWS.items()}
    sizes = {name: made[key]["packed"] / base for name, key in ROWS.items()}
    least, most = min(times.values()) / 2, max(times.values())
    height = TOP + STEP * len(ROWS) + 8
    right = NAMES + PANEL + 62 + GAP
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" ' \
          f'width="{WIDTH}" height="{height}" role="img">'
    yield "<title>Sizes and times of ba-package, Apple's encoder, zstd and zlib</title>"
    yield f"<style>{STYLE}</style>"
    yield f'<text class="head" x="{NAMES}" y="18">Size, of Apple\'s encoder</text>'
    yield f'<text class="head" x="{right}" y="18">Processor time for a MiB</text>'
    yield f'<text x="{NAMES}" y="36">shorter is a smaller download</text>'
    yield f'<text x="{right}" y="36">shorter is faster; a logarithmic scale</text>'
    for number, name in enumerate(ROWS):
        y = TOP + STEP * number
        yield f'<text x="{NAMES - 10}" y="{y + BAR - 3}" text-anchor="end">{name}</text>'
        length = PANEL * sizes[name] / max(sizes.values())
        yield from bar(NAMES, y, length, name, f"{sizes[name]:.1%}")
        length = PANEL * math.log(times[name] / least) / math.log(most / least)
        yield from bar(right, y, length, name, f"{times[name]:.3g} ms")
    yield "</svg>"


def main(arguments):
    found = json.loads(record.FILE.read_text()).get("kinds")
    if not found:
        sys.exit(f"picture: '{record.FILE}' has no kinds: run 'make bench RECORD=1'")
    path = Path(arguments[0]) if arguments else PICTURE
    path.write_text("\n".join(chart(found)) + "\n")


main(sys.argv[1:])
