"""Two uploads of one asset pack at the same time: bytes are never mixed, and never two files in one
version; what can't go well ends with a sentence."""

import hashlib
import json
import os
import pathlib
import shutil
import signal
import unittest

from lab import APP, UploadCase


class Together(UploadCase):
    """A stands still after its third part, while B is run in another folder."""

    def begin(self, path, *words):
        self.mock.set(part_delay=0.4)
        process = self.popen(path, "--app", APP, "--create", "--jobs", "1", *words)
        self.addCleanup(process.kill)
        self.wait_until(lambda: len(self.requests("PUT")) >= 3)
        process.send_signal(signal.SIGSTOP)
        self.mock.set(part_delay=0)
        return process

    def finish(self, process, status=0):
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate()
        self.assertEqual(process.returncode, status, out + err)
        return out + err

    def other(self, **options):
        """B's pack, with the same name in another folder."""
        path = self.pack("harbour", name="B.aar", **options)
        folder = self.folder / "elsewhere"
        folder.mkdir()
        return pathlib.Path(shutil.move(path, folder / "harbour.aar"))

    def assert_stopped(self, outcome, reason="which somebody else may be sending"):
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("version 1 of 'harbour' awaits", outcome.err)
        self.assertIn(reason, outcome.err)
        self.assertIn("--continue", outcome.err)
        self.assertIn("--force-new-version", outcome.err)

    def test_other_bytes_of_the_same_size(self):
        self.mock.set(compare_checksums=0)
        path = self.pack("harbour", size=100_000)
        process = self.begin(path)
        other = self.other(size=100_000, seed=2)
        self.assertEqual(other.stat().st_size, path.stat().st_size)
        self.assert_stopped(self.upload(other, "--create"))
        self.finish(process)
        self.assert_uploaded(path, "harbour", 1)

    def test_other_bytes_where_the_store_compares_digests(self):
        path = self.pack("harbour", size=100_000)
        process = self.begin(path)
        self.assert_stopped(self.upload(self.other(size=100_000, seed=2), "--create"))
        self.finish(process)
        self.assert_uploaded(path, "harbour", 1)

    def test_other_bytes_of_another_size(self):
        path = self.pack("harbour", size=100_000)
        process = self.begin(path)
        other = self.other(size=90_000, seed=2)
        outcome = self.upload(other, "--create")
        self.assert_stopped(outcome, "awaits another file, 'harbour.aar' with 100,")
        self.finish(process)
        self.assert_uploaded(path, "harbour", 1)
        # When A is done, B's pack is the next version.
        self.assertEqual(self.upload(other).status, 0)
        self.assert_uploaded(other, "harbour", 2)

    def test_the_same_bytes(self):
        path = self.pack("harbour", size=100_000)
        process = self.begin(path)
        other = self.other(size=100_000)
        self.assert_stopped(self.upload(other, "--create"))
        self.finish(process)
        self.assert_uploaded(path, "harbour", 1)
        self.assertIn("version 1: unchanged", self.upload(other).out)

    def test_the_same_path(self):
        path = self.pack("harbour", size=100_000)
        process = self.begin(path)
        outcome = self.upload(path, "--create")
        self.assertIn(f"another process is uploading '{path}'", outcome.err)
        self.finish(process)
        self.assert_uploaded(path, "harbour", 1)

    def test_a_pack_that_is_replaced(self):
        path = self.pack("harbour", size=100_000)
        kept = self.folder / "kept.aar"
        shutil.copy(path, kept)
        process = self.begin(path)
        self.wait_until(pathlib.Path(f"{path}.upload.json").exists)
        os.replace(self.pack("harbour", name="B.aar", size=100_000, seed=2), path)
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn(f"another process is uploading '{path}'", outcome.err)
        self.finish(process)
        self.assert_uploaded(kept, "harbour", 1)

    def test_another_file_before_the_commit(self):
        """B insists, with another size, and commits first."""
        path = self.pack("harbour", size=100_000)
        process = self.begin(path)
        other = self.other(size=5000, seed=2)
        self.assertEqual(self.upload(other, "--continue").status, 0)
        text = self.finish(process, status=1)
        self.assertIn("somebody else is sending a file to version 1 of 'harbour', too", text)
        self.assert_uploaded(other, "harbour", 1)
        # The receipt doesn't claim the version.
        self.assertEqual(self.upload(path).status, 0)
        self.assert_uploaded(path, "harbour", 2)


    def test_a_long_upload(self):
        """After an hour, B takes the version that A is still sending, but not A's addresses."""
        path = self.pack("harbour", size=100_000)
        process = self.begin(path)
        other = self.other(size=100_000, seed=2)
        self.mock.set(version_age=4000, compare_checksums=0)
        self.assertEqual(self.upload(other).status, 0)
        text = self.finish(process, status=1)
        self.assertIn("somebody else is sending a file to version 1 of 'harbour', too", text)
        self.assert_uploaded(other, "harbour", 1)


class Commits(UploadCase):
    """What the server tells after the commit."""

    def test_a_second_file(self):
        self.mock.set(intruder="file")
        path = self.pack("harbour")
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("version 1 of 'harbour' has a second file", outcome.err)
        self.mock.set(intruder="")
        # Such a version does not count as this pack.
        self.assertEqual(self.upload(path).status, 0)
        self.assert_uploaded(path, "harbour", 2)

    def test_a_reservation_after_the_commit(self):
        """Another run began at nearly the same time; it ends with an error, and not this one."""
        self.mock.set(intruder="reservation")
        path = self.pack("harbour")
        self.assertEqual(self.upload(path, "--create").status, 0)
        self.assert_uploaded_first(path)

    def assert_uploaded_first(self, path):
        version, = self.mock.versions("harbour")
        digests = [f["sha256"] for f in version["files"] if f["committed"]]
        self.assertEqual(digests, [hashlib.sha256(path.read_bytes()).hexdigest()])

    def test_a_version_that_appears_while_other_packs_are_sent(self):
        self.assertEqual(self.upload(self.pack("lighthouse"), "--create").status, 0)
        path, slow = self.pack("lighthouse", seed=2), self.pack("harbour", size=100_000)
        folder = self.folder / "elsewhere"
        folder.mkdir()
        shutil.copy(path, folder)
        self.mock.set(part_delay=0.4)
        process = self.popen(slow, path, "--app", APP, "--create", "--jobs", "1")
        self.wait_until(lambda: len(self.requests("PUT")) >= 8)
        self.mock.set(part_delay=0)
        process.send_signal(signal.SIGSTOP)
        self.assertEqual(self.upload(folder / path.name).status, 0)
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 0, out + err)
        self.assertIn("lighthouse version 2: unchanged", out)
        self.assert_uploaded(path, "lighthouse", 2)

    def test_another_digest(self):
        self.mock.set(intruder="bytes")
        path = self.pack("harbour")
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("has other bytes than", outcome.err)
        self.mock.set(intruder="")
        self.assertEqual(self.upload(path).status, 0)
        self.assert_uploaded(path, "harbour", 2)


class Abandoned(UploadCase):
    """A version that an earlier run left, without its receipt."""

    def setUp(self):
        super().setUp()
        self.path = self.pack("harbour")
        self.mock.faults({"on": "PUT", "status": 400, "times": 9})
        self.assertEqual(self.upload(self.path, "--create").status, 1)
        self.mock.faults()
        pathlib.Path(f"{self.path}.upload.json").unlink()

    def test_after_an_hour(self):
        self.mock.set(version_age=3500)
        outcome = self.upload(self.path)
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("was created 58 minutes ago and there is no receipt of it here", outcome.err)
        self.assertIn("58 minutes", self.upload(self.path, "--dry-run").err)
        self.mock.set(version_age=3700)
        self.assertEqual(self.upload(self.path).status, 0)
        self.assert_uploaded(self.path, "harbour", 1)

    def test_by_the_servers_clock(self):
        self.mock.set(clock_offset=500)
        self.mock.set(version_age=3550)
        self.assertEqual(self.upload(self.path).status, 0)

    def test_another_pack_never(self):
        self.mock.set(version_age=1_000_000)
        other = self.pack("harbour", size=20_000, seed=2)
        outcome = self.upload(other)
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("awaits another file", outcome.err)

    def test_continue(self):
        self.assertEqual(self.upload(self.path, "--continue").status, 0)
        self.assert_uploaded(self.path, "harbour", 1)

    def test_a_new_version(self):
        self.assertEqual(self.upload(self.path, "--force-new-version").status, 0)
        self.assert_uploaded(self.path, "harbour", 2)

    def test_not_both(self):
        outcome = self.upload(self.path, "--continue", "--force-new-version")
        self.assertEqual(outcome.status, 64, outcome)


class Receipts(UploadCase):
    """Receipts are regular files, or nothing at all."""

    def test_links_and_others(self):
        path = self.pack("harbour")
        receipt = pathlib.Path(f"{path}.upload.json")
        target = self.folder / "target"
        target.write_text("precious")
        for make, kind in [
            (lambda: receipt.symlink_to(target), "a symbolic link"),
            (lambda: receipt.symlink_to(self.folder / "nothing"), "a symbolic link"),
            (lambda: os.mkfifo(receipt), "a named pipe"), (receipt.mkdir, "a folder"),
        ]:
            make()
            outcome = self.upload(path, "--create")
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn(f"is {kind}; remove it", outcome.err)
            receipt.rmdir() if kind == "a folder" else receipt.unlink()
        self.assertEqual(target.read_text(), "precious")
        self.assertFalse((self.folder / "nothing").exists())
        self.assertEqual(self.mock.state()["packs"], [])

    def test_doctored_sizes(self):
        path = self.pack("harbour", size=100_000)
        self.mock.faults({"on": "PUT .*/5$", "status": 400, "times": 9})
        self.assertEqual(self.upload(path, "--create", "--jobs", "1").status, 1)
        self.mock.faults()
        receipt = pathlib.Path(f"{path}.upload.json")
        good = receipt.read_text()
        for size, parts, message in [
            (10**19, [[0, 56 * 10**17]], "continuing version 1\n"),
            (None, [[0, 56 * 10**17]], "can't be used: a value is missing or invalid"),
            (None, [[0, 60_000]] * 2, "can't be used: a value is missing or invalid"),
            (2**64 - 1, [[0, 2**64 - 1]] * 2, "can't be used: a value is missing or invalid"),
        ]:
            document = json.loads(good)
            current = document["uploads"][0]["current"]
            current["size"] = size or current["size"]
            current["parts"] = parts
            receipt.write_text(json.dumps(document))
            self.mock.faults({"on": "PUT", "status": 400, "times": 99})
            outcome = self.upload(path)
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn(message, outcome.err)
            self.assertNotIn("EB", outcome.err)
        self.mock.faults()
        receipt.write_text(good)
        self.assertEqual(self.upload(path).status, 0)
        self.assert_uploaded(path, "harbour", 1)

    def test_the_stores_digest_counts(self):
        path = self.pack("harbour")
        self.assertEqual(self.upload(path, "--create").status, 0)
        receipt = pathlib.Path(f"{path}.upload.json")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        path = self.pack("harbour", seed=2)
        receipt.write_text(receipt.read_text().replace(
            digest, hashlib.sha256(path.read_bytes()).hexdigest()))
        self.assertEqual(self.upload(path).status, 0)
        self.assert_uploaded(path, "harbour", 2)

    def test_a_link_that_appears_meanwhile(self):
        path = self.pack("harbour", size=100_000)
        self.mock.set(part_delay=0.4)
        process = self.popen(path, "--app", APP, "--create", "--jobs", "1")
        self.wait_until(lambda: len(self.requests("PUT")) >= 3)
        target = self.folder / "target"
        target.write_text("precious")
        receipt = pathlib.Path(f"{path}.upload.json")
        receipt.unlink()
        receipt.symlink_to(target)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 1, err)
        self.assertEqual(target.read_text(), "precious")


if __name__ == "__main__":
    unittest.main()
