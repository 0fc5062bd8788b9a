#!/usr/bin/env python3
"""Measures ba-upload against the mock: bench.py BA_UPLOAD BA_PACKAGE

Throughput beside `curl -T` with as many connections, on the same parts; memory with small and large
packs; a sparse pack of 4 GiB and one byte; fifty packs in one call."""

import hashlib
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

os.environ["BA_UPLOAD"], os.environ["BA_PACKAGE"] = map(os.path.abspath, sys.argv[1:3])
sys.dont_write_bytecode = True

from lab import APP, Mock, UploadCase

PART = 16 << 20
JOBS = 4


class Bench(UploadCase):
    mock_options = ("--discard", "--part-size", str(PART))

    def stored(self, identifier, size, zeros=False):
        """A pack of exactly `size` bytes, which is not compressed."""
        root = self.folder / f"root-{identifier}"
        root.mkdir()
        manifest = self.folder / f"{identifier}.json"
        manifest.write_text(
            '{"assetPackID": "%s", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS"],'
            ' "fileSelectors": [{"file": "data.bin"}]}' % identifier)
        path = self.folder / f"{identifier}.aar"
        guess = size - 1000
        for _ in range(4):
            with (root / "data.bin").open("wb") as file:
                if zeros:
                    file.truncate(guess)
                else:
                    block = os.urandom(1 << 20)
                    for start in range(0, guess, 1 << 20):
                        file.write(block[:min(1 << 20, guess - start)])
            subprocess.run(
                [os.environ["BA_PACKAGE"], "-q", "-f", "--compression", "store", manifest, "--root",
                 root, "-o", path], check=True)
            if path.stat().st_size == size:
                break
            guess += size - path.stat().st_size
        (root / "data.bin").unlink()
        subprocess.run(["fallocate", "--dig-holes", path], check=False)
        return path

    def timed(self, path, mock):
        """Seconds of the whole run and of the parts, and the peak of memory in MiB."""
        self.mock = mock
        start = time.monotonic()
        run = subprocess.run(
            ["/usr/bin/time", "-f", "%M", os.environ["BA_UPLOAD"], path, "--app", APP, "--create",
             "--jobs", str(JOBS)], env=self.environment(), cwd=self.folder, capture_output=True,
            text=True)
        assert run.returncode == 0, run
        return (time.monotonic() - start, mock.state()["seconds"],
                int(run.stderr.split()[-1]) / 1024)

    def curl(self, path):
        """Seconds that curl takes for the same parts."""
        mock = self.start(*self.mock_options)
        folder = self.folder / "parts"
        folder.mkdir(exist_ok=True)
        subprocess.run(["split", "-b", str(PART), path, folder / "p"], check=True)
        words = []
        for file in sorted(folder.iterdir()):
            words += ["-T", str(file), "-H", "Expect:", f"{mock.parts}/sink/{file.name}"]
            words.append("--next")
        subprocess.run(
            ["curl", "-s", "-Z", "--parallel-max", str(JOBS), *words[:-1]], check=True)
        seconds = mock.state()["seconds"]
        for file in folder.iterdir():
            file.unlink()
        return seconds

    def test_throughput(self):
        path = self.stored("large", 1 << 30)
        ours, theirs, memory = [], [], []
        for _ in range(3):
            whole, parts, peak = self.timed(path, self.start(*self.mock_options))
            pathlib.Path(f"{path}.upload.json").unlink()
            ours.append(parts)
            memory.append(peak)
            theirs.append(self.curl(path))
        a, b = statistics.median(ours), statistics.median(theirs)
        print(f"\n1 GiB in parts of 16 MiB, {JOBS} at once: ba-upload {1024 / a:.0f} MiB/s,"
              f" curl -T {1024 / b:.0f} MiB/s ({b / a:.2f}x), peak memory {max(memory):.1f} MiB")

    def test_memory(self):
        for size in (1 << 20, 1 << 28, 1 << 30):
            path = self.stored(f"pack-{size}", size)
            whole, _, peak = self.timed(path, self.start(*self.mock_options))
            print(f"\npack of {size >> 20} MiB: {whole:.2f} s, peak memory {peak:.1f} MiB")

    def test_sparse(self):
        size = (1 << 32) + 1
        path = self.stored("sparse", size, zeros=True)
        assert path.stat().st_size == size, path.stat().st_size
        mock = self.start("--part-size", str(64 << 20))
        whole, parts, peak = self.timed(path, mock)
        digest = subprocess.run(["sha256sum", path], capture_output=True, text=True).stdout.split()[0]
        file = mock.versions("sparse")[0]["files"][0]
        assert file["committed"] and file["size"] == size and file["sha256"] == digest
        print(f"\n4 GiB + 1 byte: {whole:.1f} s, {parts:.1f} s of them for parts,"
              f" peak memory {peak:.1f} MiB, every byte right")

    def test_fifty(self):
        paths = [self.pack(f"pack-{n}", size=100_000, seed=n) for n in range(50)]
        start = time.monotonic()
        outcome = self.upload(*paths, "--create", "--wait")
        assert outcome.status == 0, outcome
        first = time.monotonic() - start
        start = time.monotonic()
        again = self.upload(*paths)
        assert again.out.count("unchanged") == 50
        print(f"\n50 packs: {first:.2f} s, again {time.monotonic() - start:.2f} s")


if __name__ == "__main__":
    import unittest
    sys.argv[1:3] = []
    unittest.main()
