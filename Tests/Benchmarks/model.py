#!/usr/bin/env python3
"""Predicts how long packaging takes with more processors than are here.

    model.py [--lzfse] [--rounds N] TREE

Simulates the engine (Sources/BAPackCore/Engine/OrderedPipeline.swift) block by block: slots, claims in
order, delivery in order, writing by whoever delivered. The rates are measured here by limit-benchmark:
packing of each block on one thread, reading, writing to a file by one thread and by two (what two can't do at
once is done under the kernel's lock of the file, for any number), and a step through the engine's lock.
Prints the prediction for 1, 2, 4, 16 and 64 processors, with what was measured for those that are here.
"""

import argparse
import heapq
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("BA_BUILD") or REPOSITORY / ".build/release").absolute()
JOBS = [1, 2, 4, 16, 64]
# Steps through the lock that a block takes: claim, claimed, processed, deliver, delivered, finished.
STEPS = 6


def simulate(rates, jobs):
    """Seconds until the last block is written."""
    packing, sizes = rates["packing"], rates["sizes"]
    count, slots = len(packing), 1 if jobs == 1 else 4 + 3 * jobs
    step = rates["lock"] * STEPS
    # What one thread does beside the kernel's lock of the file, and under it.
    serial = min(rates["writeOfTwo"], rates["write"])
    beside = rates["write"] - serial
    threads = [(0.0, index) for index in range(jobs)]
    heapq.heapify(threads)
    waiting, ready, free_at = [], {}, {}
    claimed = delivered = 0
    lock_free = file_free = last = 0.0
    # Events in order of time: a thread is free and takes the next step that there is.
    while delivered < count:
        now, thread = heapq.heappop(threads)
        if delivered in ready and ready[delivered] <= now:
            scale = sizes[delivered] / 2**20
            lock_free = max(lock_free, now) + step
            file_free = max(file_free, lock_free + beside * scale) + serial * scale
            free_at[delivered % slots] = file_free
            delivered += 1
            last = max(last, file_free)
            heapq.heappush(threads, (file_free, thread))
        elif claimed < count and claimed < delivered + slots and \
                free_at.get(claimed % slots, 0.0) <= now:
            ready[claimed] = now + rates["read"] + packing[claimed]
            claimed += 1
            heapq.heappush(threads, (ready[claimed - 1], thread))
        else:
            # Nothing to do before something else is done.
            times = [time for time, _ in threads if time > now]
            times += [at for at in (ready.get(delivered), free_at.get(claimed % slots)) if at and at > now]
            heapq.heappush(threads, (min(times), thread))
    return last


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lzfse", action="store_true")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("tree", type=Path)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None))
    try:
        run(options, folder)
    finally:
        shutil.rmtree(folder)


def run(options, folder):
    manifest = folder / "bench.json"
    manifest.write_text(json.dumps({
        "assetPackID": "bench", "downloadPolicy": {"onDemand": {}}, "platforms": [],
        "fileSelectors": [{"directory": "."}]}))

    def package(output, *words):
        command = [BUILD / "ba-package", "package", manifest, "--root", options.tree, "--quiet",
                   "--force", "-o", folder / output, *words]
        started = time.monotonic()
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        return time.monotonic() - started

    codec = ["--compression", "lzfse"] if options.lzfse else []
    package("stored.aar", "--compression", "store")
    words = ["--lzfse"] if options.lzfse else []
    rates = json.loads(subprocess.run(
        [BUILD / "limit-benchmark", "rates", *words, folder / "stored.aar", folder],
        check=True, stdout=subprocess.PIPE).stdout)
    milliseconds = {name: f"{rates[name] * 1e3:.2f} ms" for name in ("read", "write", "writeOfTwo")}
    print(f"packing {sum(rates['packing']):.2f} s in {len(rates['packing'])} blocks; a MiB is read in "
          f"{milliseconds['read']}, written in {milliseconds['write']}, by two threads in "
          f"{milliseconds['writeOfTwo']}; {rates['lock'] * 1e9:.0f} ns for a step through the lock")
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    for jobs in JOBS:
        predicted = simulate(rates, jobs)
        line = f"{jobs:3} jobs: {predicted:7.2f} s"
        if jobs == JOBS[0]:
            first = predicted
        line += f", {first / predicted:5.1f} x"
        if jobs <= here:
            measured = min(package("out.aar", *codec, "-j", str(jobs)) for _ in range(options.rounds))
            line += f"; measured {measured:.2f} s"
        print(line)


if __name__ == "__main__":
    main()
