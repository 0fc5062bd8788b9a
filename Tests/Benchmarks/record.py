"""The ratios of the last recorded run on each machine, and the sizes and times of each kind of data,
in record.json."""

import json
import sys
from pathlib import Path

FILE = Path(__file__).with_name("record.json")
# A ratio may be worse by this share: machines are never quite quiet.
TOLERANCE = 0.25


def keep_kinds(kinds):
    """Records what kinds.py measured."""
    machines = json.loads(FILE.read_text()) if FILE.exists() else {}
    write(machines | {"kinds": kinds})


def write(machines):
    FILE.write_text(json.dumps(machines, indent=2, sort_keys=True) + "\n")


def compare(machine, aims, records):
    """Whether no ratio is much worse than recorded; what isn't recorded yet, or all of it with
    `records`, is recorded."""
    machines = json.loads(FILE.read_text()) if FILE.exists() else {}
    known = {} if records else machines.get(machine, {})
    found = {aim.text: aim.goodness for aim in aims if aim.goodness is not None}
    worse = {
        name: value for name, value in found.items()
        if name in known and value < known[name] * (1 - TOLERANCE)
    }
    for name, value in worse.items():
        print(f"bench: {name}: {1 - value / known[name]:.0%} worse than recorded", file=sys.stderr)
    new = {name: round(value, 3) for name, value in found.items() if name not in known}
    if new:
        machines[machine] = machines.get(machine, {}) | new
        write(machines)
        print(f"bench: {len(new)} ratios recorded in '{FILE}'", file=sys.stderr)
    return not worse
