"""Runs that are killed, and what the next one makes of it."""

import json
import pathlib
import random
import time
import unittest

from lab import APP, LONG, UploadCase


class Kills(UploadCase):
    mock_options = ("--part-delay", "0.02")

    def test_killed_at_random_moments(self):
        """SIGKILL at any time, then the same command again: one version, every byte right."""
        moments = 100 if LONG else 15
        seed = 20261121
        print(f"seed {seed}", end=" ", flush=True)
        source = random.Random(seed)
        start = time.monotonic()
        self.assertEqual(self.upload(self.pack("warm-up", size=90_000), "--create").status, 0)
        whole = time.monotonic() - start
        for number in range(moments):
            name = f"pack-{number}"
            path = self.pack(name, size=90_000, seed=number)
            process = self.popen(path, "--app", APP, "--create", "--jobs", "2")
            time.sleep(source.uniform(0, whole))
            process.kill()
            process.communicate()
            if number % 3 == 0:
                # On another machine, there is no receipt.
                pathlib.Path(f"{path}.upload.json").unlink(missing_ok=True)
            outcome = self.upload(path, "--create", "--wait")
            self.assertEqual(outcome.status, 0, outcome)
            self.assert_uploaded(path, name, 1)
            litter = [p.name for p in self.folder.iterdir() if name in p.name and ".tmp" in p.name]
            self.assertLessEqual(len(litter), 1)
        self.assert_nothing_left()

    def test_killed_while_committing(self):
        """The receipt says whose bytes were committed, where the server tells no digest."""
        self.mock.set(tell_checksums=0)
        for times in (1, 0):
            name = f"commit-{times}"
            path = self.pack(name)
            # The answer to the commit is late, or the commit is not carried out.
            fault = {"late": 3} if times else {"status": 500, "times": 9}
            self.mock.faults({"on": "PATCH", **fault})
            process = self.popen(path, "--app", APP, "--create")
            while not any(r.startswith("PATCH") for r in self.mock.state()["requests"][-1:]):
                time.sleep(0.02)
            process.kill()
            process.communicate()
            self.assertEqual(self.receipt(path)["uploads"][0]["current"]["state"], "committing")
            self.mock.faults()
            outcome = self.upload(path, "--wait")
            self.assertEqual(outcome.status, 0, outcome)
            self.assert_uploaded(path, name, 1)
        self.assert_nothing_left()

    def test_parts_that_arrived_are_not_sent_again(self):
        self.mock.set(part_delay=0.15)
        path = self.pack("harbour", size=200_000)
        process = self.popen(path, "--app", APP, "--create", "--jobs", "2")
        while True:
            receipt = pathlib.Path(f"{path}.upload.json")
            if receipt.exists() and json.loads(receipt.read_text())["uploads"][0].get(
                    "current", {}).get("parts"):
                break
            time.sleep(0.02)
        process.kill()
        process.communicate()
        done = len(self.receipt(path)["uploads"][0]["current"]["parts"])
        before = len([r for r in self.mock.state()["requests"] if r.startswith("PUT")])
        outcome = self.upload(path)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn("continuing version 1,", outcome.err)
        after = len([r for r in self.mock.state()["requests"] if r.startswith("PUT")]) - before
        self.assertEqual(after, 21 - done)
        self.assert_uploaded(path, "harbour", 1)


if __name__ == "__main__":
    unittest.main()
