#!/usr/bin/env python3
"""Estimates where the time goes when an app's packs are made by several machines.

    machines.py [--packs N] [--terabytes T] [--changed SHARE] [--help]

A model on paper: nothing is run. Each pack is a job, as in Fixtures/Workflows/pack-matrix.yml: the machine
fetches the files, finds the digest, and then either makes the pack or fetches it from the cache. With a
clone on each machine, only the files of packs that changed are fetched, and packs that did not change stay
where they are, as with 'package --if-changed'.

The sizes of the packs are lognormal, from a fixed seed; the largest packs start first. The rates are options,
in MB/s for one machine. The default for 'package' is that of README's table for 0 A.D., LZFSE and two
processors, and for 'digest' what one of them does; the rest is what a gigabit network moves. Prints the hours
until the last job ends with 1, 8 and 64 machines, and the share of each step.
"""

import argparse
import heapq
import random

MACHINES = (1, 8, 64)
STEPS = ("fetch files", "digest", "package", "fetch pack", "store pack")


def sizes(count, terabytes, seed):
    """Sizes in MB; the largest packs of a game are tens of times the median."""
    generator = random.Random(seed)
    drawn = [generator.lognormvariate(0, 1.2) for _ in range(count)]
    scale = terabytes * 1e6 / sum(drawn)
    return sorted((scale * size for size in drawn), reverse=True)


def steps(size, changed, way, rates):
    """Seconds of each step for one pack."""
    packed = size * rates.ratio
    made = changed or way == "no cache"
    return (
        0 if way == "clones" and not changed else size / rates.fetch,
        size / rates.digest if way == "cache" else 0,
        size / rates.package if made else 0,
        0 if made or way == "clones" else packed / rates.fetch,
        packed / rates.store if made and way == "cache" else 0,
    )


def schedule(jobs, machines):
    """Hours until the last job ends, if each machine takes the next one when it is free."""
    free = [0.0] * machines
    for job in jobs:
        heapq.heappush(free, heapq.heappop(free) + sum(job))
    return max(free) / 3600


def show(title, jobs):
    total = [sum(job[i] for job in jobs) for i in range(len(STEPS))]
    shares = ", ".join(
        f"{name} {100 * part / sum(total):.0f}%" for name, part in zip(STEPS, total) if part)
    hours = "".join(f"{schedule(jobs, machines):9.1f} h" for machines in MACHINES)
    print(f"{title:<28}{hours}   {shares}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packs", type=int, default=400)
    parser.add_argument("--terabytes", type=float, default=2)
    parser.add_argument("--changed", type=float, default=0.05, help="share of the packs (0.05)")
    parser.add_argument("--fetch", type=float, default=110, help="reading files or packs, MB/s (110)")
    parser.add_argument("--store", type=float, default=110, help="storing a pack, MB/s (110)")
    parser.add_argument("--digest", type=float, default=600, help="MB/s (600)")
    parser.add_argument("--package", type=float, default=350, help="MB/s (350)")
    parser.add_argument("--ratio", type=float, default=0.7, help="size of packs to files (0.7)")
    parser.add_argument("--seed", type=int, default=1)
    rates = parser.parse_args()
    packs = sizes(rates.packs, rates.terabytes, rates.seed)
    print(f"{rates.packs} packs of {rates.terabytes:g} TB, the largest of {packs[0] / 1000:.1f} GB; "
          f"seed {rates.seed}")
    print(" " * 28 + "".join(f"{machines:>5} mach." for machines in MACHINES))
    changes = random.Random(rates.seed + 1).sample(range(len(packs)), round(rates.changed * len(packs)))
    changed = set(changes)
    show("from nothing", [steps(size, True, "no cache", rates) for size in packs])
    for way in ("no cache", "cache", "clones"):
        show(f"{len(changed)} packs changed, {way}",
             [steps(size, index in changed, way, rates) for index, size in enumerate(packs)])


if __name__ == "__main__":
    main()
