#!/usr/bin/env python3
"""Advises how to divide an app's files into packs, so that updates cost players less.

    ba-package report Packs -o 1.0.json         # at each release; keep the file
    split-advice.py --packs 8 1.0.json 1.1.json 1.2.json

Devices load whole packs: a change of 40 bytes in a pack of 300 MB is a download of 300 MB. What changed
together in the updates between the given releases is put together, and kept apart from what didn't; packs
with another policy, platform or language are never mixed. The past need not repeat."""

import argparse
import collections
import json
import sys

# What a download of a pack costs besides its files: headers, its manifest, requests.
PACK_COST = 16 << 10

Kind = collections.namedtuple("Kind", "policy events platforms language")


def read(path):
    """The packs of a report, by identifier: the kind, the download and the files of each."""
    try:
        with open(path, encoding="utf-8") as file:
            return release(json.load(file))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"'{path}' is not the JSON of 'ba-package report': {error!r}") from error


def release(report):
    packs = {}
    for pack in report["packs"]:
        kind = Kind(pack.get("downloadPolicy", ""), tuple(pack.get("installationEventTypes", ())),
                    tuple(pack.get("platforms", ())), pack.get("language"))
        # How a file is compressed isn't a change of it.
        files = {file["path"]: (file["compressedSize"], {
            key: file[key] for key in file if key not in ("compressedSize", "blocks")})
            for file in pack["files"]}
        same = {path: facts for path, (_, facts) in files.items()}
        packs[pack.get("assetPackID", pack["file"])] = (
            kind, pack["downloadSize"], files, (pack.get("manifestSHA256"), same))
    return packs


def players_of(packs):
    """Those who differ in the packs that they have: a platform and a language, None for no other."""
    kinds = [pack[0] for pack in packs.values()]
    platforms = sorted({name for kind in kinds for name in kind.platforms}) or [None]
    languages = sorted({kind.language for kind in kinds if kind.language}) or [None]
    return [(platform, language) for platform in platforms for language in languages]


def has(player, kind):
    return (not kind.platforms or player[0] in kind.platforms) and kind.language in (None, player[1])


class Group:
    """Files of one kind in a pack: their sizes after each update, and whether it changed one."""

    def __init__(self, kind, sizes, changes, files=()):
        self.kind, self.sizes, self.changes, self.files = kind, sizes, changes, list(files)
        self.downloads = [size and change and size + PACK_COST for size, change in zip(sizes, changes)]
        self.cost = sum(self.downloads)

    def more(self, other):
        """What it costs that the two are one."""
        return sum(a + b + PACK_COST for a, b, c, d in zip(
            self.sizes, other.sizes, self.changes, other.changes) if (c or d) and a + b) \
            - self.cost - other.cost

    def __add__(self, other):
        return Group(self.kind, [a + b for a, b in zip(self.sizes, other.sizes)],
                     [a or b for a, b in zip(self.changes, other.changes)], self.files + other.files)


def units(releases, per_file):
    """What stays together: the files directly in a folder, or each file."""
    owners = collections.defaultdict(list)
    for kind, _, files, _ in releases[-1].values():
        for path in files:
            owners[path].append(kind)
    kinds = list(dict.fromkeys(pack[0] for pack in releases[-1].values()))

    def place(path, kind):
        """The kind of the file in the newest release, and its unit."""
        known = owners.get(path) or kinds
        if kind not in known:
            kind = next((one for one in known if one.language == kind.language), known[0])
        return kind, path if per_file else path.rpartition("/")[0]

    updates = len(releases) - 1
    found = collections.defaultdict(lambda: ([0] * updates, [False] * updates, []))
    last = {}
    for number, packs in enumerate(releases):
        now, shares = {}, {}
        for kind, _, files, _ in packs.values():
            for path, (share, facts) in files.items():
                unit = place(path, kind)
                now[unit, path, unit[0]], shares[unit, path, unit[0]] = facts, share
        for key in now.keys() | last.keys() if number else ():
            sizes, changes, _ = found[key[0]]
            sizes[number - 1] += shares.get(key, 0)
            changes[number - 1] |= now.get(key) != last.get(key)
        last = now
    for unit, path, _ in last:
        found[unit][2].append(path)
    return [Group(unit[0], *found[unit]) for unit in sorted(found, key=str)]


def divide(groups, maximum, players):
    """At most `maximum` groups that cost the player with the most bytes little."""
    alike = {}
    for group in groups:
        key = group.kind, tuple(group.changes)
        alike[key] = alike[key] + group if key in alike else group
    parts, packs = list(alike.values()), list(alike.values())
    while True:
        loads = [(player, sum(pack.cost for pack in packs if has(player, pack.kind))) for player in players]
        best = None
        for first, one in enumerate(packs):
            for other in packs[first + 1:]:
                if one.kind == other.kind:
                    more = one.more(other)
                    most = max(load + more * has(player, one.kind) for player, load in loads)
                    if best is None or (most, more) < best[0]:
                        best = (most, more), one, other
        if best is None or best[0][1] > 0 and len(packs) <= maximum:
            break
        packs = [pack for pack in packs if pack not in best] + [best[1] + best[2]]
    # Parts are moved as long as that saves bytes.
    owner = {id(part): next(n for n, pack in enumerate(packs) if set(part.files) <= set(pack.files)
                            and pack.kind == part.kind) for part in parts if part.files}
    moved = True
    while moved:
        moved = False
        for part in parts:
            old = owner.get(id(part))
            for new, pack in enumerate(packs):
                if old is None or new == old or pack.kind != part.kind:
                    continue
                none = Group(part.kind, [0] * len(part.sizes), [False] * len(part.sizes))
                rest = sum((one for one in parts if owner.get(id(one)) == old and one is not part), none)
                if rest.cost + pack.more(part) + part.cost < packs[old].cost:
                    packs[old], packs[new], moved = rest, pack + part, True
                    owner[id(part)] = old = new
    return [pack for pack in packs if pack.files]


def advise(releases, maximum, per_file=False):
    """One player's downloads for each update, today's and with the proposed packs, and these packs: none
    if no better ones were found. The player is the one who downloaded the most for all updates together."""
    if (kinds := len({pack[0] for pack in releases[-1].values()})) > maximum:
        raise ValueError(f"{kinds} packs are the fewest: policy, platforms and languages differ")
    players = players_of(releases[-1])

    def downloads(player):
        return [sum(size for name, (kind, size, _, facts) in new.items()
                    if has(player, kind) and (name not in old or old[name][3] != facts))
                for old, new in zip(releases, releases[1:])]

    player = max(players, key=lambda one: sum(downloads(one)))
    today = downloads(player)
    packs = divide(units(releases, per_file), maximum, players)
    most = max(sum(pack.cost for pack in packs if has(one, pack.kind)) for one in players)
    if most >= sum(today):
        return player, today, today, []
    own = zip(*(pack.downloads for pack in packs if has(player, pack.kind)))
    return player, today, [sum(update) for update in own], sorted(packs, key=lambda one: sum(one.changes))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--packs", type=int, default=8, help="the most packs to propose (default: 8)")
    parser.add_argument("--per-file", action="store_true", help="divide folders, too")
    parser.add_argument("report", nargs="+", help="reports of two releases or more, in order")
    options = parser.parse_args()
    if len(options.report) < 2:
        parser.error("give the reports of two releases or more")
    try:
        releases = [read(path) for path in options.report]
        player, today, proposed, packs = advise(releases, options.packs, options.per_file)
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
    who = " with ".join(filter(None, player))
    print(f"For {len(today)} updates, a player{who and ' of ' + who} downloaded {sum(today):,} bytes.")
    if not packs:
        return print(f"No division into at most {options.packs} packs was found that costs less.")
    print(f"With these {len(packs)} packs, it would have been about {sum(proposed):,}.")
    for path, old, new in zip(options.report[1:], today, proposed):
        print(f"  {path}: {old:,} -> {new:,}")
    for pack in packs:
        places = sorted(set(pack.files) if options.per_file else {p.rpartition("/")[0] for p in pack.files})
        print(f"\n{len(pack.files)} files, {pack.sizes[-1]:,} bytes, changed by {sum(pack.changes)} updates; "
              + ", ".join(filter(None, [pack.kind.policy, *pack.kind.platforms, pack.kind.language])))
        print("\n".join(f"  {place or '(top)'}" for place in places))


if __name__ == "__main__":
    main()
