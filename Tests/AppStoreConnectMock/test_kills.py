"""Runs that are killed, and what the next one makes of it."""

import json
import pathlib
import random
import shutil
import time
import unittest

from lab import APP, LONG, UploadCase


class EachRequest(UploadCase):
    """A failure at each request of an upload; then the same command again."""

    # The last two kill the program, before the request is carried out and after.
    KINDS = [
        *({"status": number} for number in (400, 401, 403, 404, 408, 409, 410, 422, 429, 500, 503)),
        *({name: 1} for name in ("cut", "lost", "midway", "garbage", "hang")),
        {"hold": 1}, {"late": 60}]

    def test_all_kinds(self):
        """One pack, one version, one file that is committed, and the right bytes."""
        path = self.pack("harbour", size=25_000)
        words = (path, "--app", APP, "--create", "--wait", "--jobs", "1", "--manifest-first")
        self.assertEqual(self.run_tool(*words).status, 0)
        total = len([r for r in self.requests("") if "/mock/" not in r])
        self.assertGreater(total, 15)
        done = 0
        for number in range(total):
            for kind in self.KINDS if LONG else [self.KINDS[number * 7 % len(self.KINDS)]]:
                with self.subTest(number=number, kind=kind):
                    self.mock.call("/mock/reset", {})
                    pathlib.Path(f"{path}.upload.json").unlink()
                    self.mock.faults({"on": " /(v1|parts)/", "skip": number, **kind})
                    process = self.popen(*words)
                    if "hold" in kind or "late" in kind:
                        self.wait_for_fault(process)
                        process.kill()
                    out, err = process.communicate()
                    self.assertEqual(self.mock.call("/mock/faults")[0]["times"], 0)
                    self.mock.faults()
                    if process.returncode != 0:
                        outcome = self.run_tool(*words)
                        self.assertEqual(outcome.status, 0, (out, err, outcome))
                    self.assertEqual(len(self.mock.state()["packs"]), 1)
                    self.assert_uploaded(path, "harbour", 1)
                    done += 1
        print(f"{done} failures at {total} requests", end=" ", flush=True)


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
            words = ["--create", "--wait"]
            if number % 3 == 0:
                # On another machine, there is no receipt.
                pathlib.Path(f"{path}.upload.json").unlink(missing_ok=True)
                words.append("--continue")
            outcome = self.upload(path, *words)
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
            fault = {"late": 60} if times else {"status": 500, "times": 9}
            self.mock.faults({"on": "PATCH", **fault})
            process = self.popen(path, "--app", APP, "--create")
            known = len(self.requests("PATCH"))
            self.wait_until(lambda: len(self.requests("PATCH")) > known)
            process.kill()
            process.communicate()
            self.assertEqual(self.receipt(path)["uploads"][0]["current"]["state"], "committing")
            self.mock.faults()
            outcome = self.upload(path, "--wait")
            self.assertEqual(outcome.status, 0, outcome)
            self.assert_uploaded(path, name, 1)
        self.assert_nothing_left()

    def stop(self, path, on, kind):
        """SIGKILL when a request has met a fault."""
        self.mock.faults({"on": on, **kind})
        process = self.popen(path, "--app", APP)
        self.wait_for_fault(process)
        process.kill()
        process.communicate()
        self.mock.faults()

    def test_killed_while_creating_a_version(self):
        """The receipt tells which versions there were, so a new one without a file is its own."""
        path = self.pack("harbour")
        self.assertEqual(self.upload(path, "--create").status, 0)
        other = shutil.copy(self.pack("harbour", seed=3), self.folder / "other.aar")
        self.pack("harbour", seed=2)
        create = "POST /v1/backgroundAssetVersions"
        self.stop(path, create, {"late": 60})
        self.assertEqual(self.receipt(path)["uploads"][0]["current"]["state"], "creating")
        outcome = self.upload(path)
        self.assertEqual(outcome.status, 0, outcome)
        self.assert_uploaded(path, "harbour", 2)
        # No version was created, but somebody created one since, and reserved a file.
        self.pack("harbour", seed=4)
        self.stop(path, create, {"hang": 60})
        self.assertEqual(self.receipt(path)["uploads"][0]["current"]["state"], "creating")
        self.stop(other, "PUT", {"hold": 1})
        outcome = self.upload(path)
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("version 3 of 'harbour' awaits another file", outcome.err)

    def test_parts_that_arrived_are_not_sent_again(self):
        self.mock.set(part_delay=0.5)
        path = self.pack("harbour", size=200_000)
        process = self.popen(path, "--app", APP, "--create", "--jobs", "2")
        file = pathlib.Path(f"{path}.upload.json")
        self.wait_until(lambda: file.exists() and len(
            self.receipt(path)["uploads"][0].get("current", {}).get("parts", [])) >= 4)
        process.kill()
        process.communicate()
        done = len(self.receipt(path)["uploads"][0]["current"]["parts"])
        self.mock.set(part_delay=0)
        before = len(self.requests("PUT"))
        outcome = self.upload(path)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn("continuing version 1,", outcome.err)
        # The mock may note a part only now that each of the two jobs had begun to send.
        after = len(self.requests("PUT")) - before
        self.assertIn(after - (21 - done), (0, 1, 2))
        self.assert_uploaded(path, "harbour", 1)


if __name__ == "__main__":
    unittest.main()
