"""Everything that goes wrong on the way: each fault once, and what is left behind."""

import hashlib
import os
import pathlib
import random
import signal
import time
import unittest

from lab import APP, LONG, UploadCase

POSTS = ["backgroundAssets", "backgroundAssetVersions", "backgroundAssetUploadFiles"]


class Requests(UploadCase):
    """Faults of single requests; the run goes well all the same, and nothing is made twice."""

    def assert_one_of_each(self, path):
        self.assert_uploaded(path, "harbour", 1)
        self.assert_nothing_left()
        self.assertEqual(len(self.mock.state()["packs"]), 1)
        self.assertEqual(len(self.mock.versions("harbour")[0]["files"]), 1)

    def goes_well(self, *faults):
        path = self.pack("harbour")
        self.mock.faults(*faults)
        outcome = self.upload(path, "--create", "--wait")
        self.assertEqual(outcome.status, 0, outcome)
        self.assert_one_of_each(path)
        left = [f for f in self.mock.state()["faults"] if f["times"]]
        self.assertEqual(left, [], "a fault was not met")
        return outcome

    def test_a_post_whose_answer_is_lost_is_not_repeated(self):
        self.goes_well(*({"on": f"POST /v1/{name}$", "lost": 1} for name in POSTS))
        posts = [r for r in self.mock.state()["requests"] if r.startswith("POST")]
        self.assertEqual(len(posts), 3)

    def test_a_post_that_was_not_carried_out_is_repeated(self):
        self.goes_well(*({"on": f"POST /v1/{name}$", "status": 500} for name in POSTS))

    def test_a_post_that_was_cut_off(self):
        self.goes_well(*({"on": f"POST /v1/{name}$", "cut": 1} for name in POSTS))

    def test_a_commit_whose_answer_is_late(self):
        path = self.pack("harbour")
        self.mock.faults({"on": "PATCH", "late": 9})
        outcome = self.upload(path, "--create", "--timeout", "4")
        self.assertEqual(outcome.status, 0, outcome)
        self.assert_one_of_each(path)
        patches = [r for r in self.mock.state()["requests"] if r.startswith("PATCH")]
        self.assertEqual(len(patches), 1)

    def test_a_commit_whose_answer_is_lost(self):
        self.goes_well({"on": "PATCH", "lost": 1})
        patches = [r for r in self.mock.state()["requests"] if r.startswith("PATCH")]
        self.assertEqual(len(patches), 1)

    def test_a_commit_that_failed(self):
        self.goes_well({"on": "PATCH", "status": 503})

    def test_too_many_requests(self):
        start = time.monotonic()
        self.goes_well({
            "on": "GET /v1/apps/", "status": 429, "code": "RATE_LIMIT_EXCEEDED",
            "headers": {"Retry-After": "2"}})
        self.assertGreaterEqual(time.monotonic() - start, 2)

    def test_gets_are_repeated(self):
        self.goes_well(
            {"on": "GET /v1/apps$", "cut": 1}, {"on": "GET /v1/apps/", "status": 500},
            {"on": "GET /v1/backgroundAssetVersions/", "status": 408})

    def test_a_token_may_end_early(self):
        self.goes_well({"on": "GET /v1/backgroundAssetVersions/", "status": 401})

    def test_parts_are_sent_again(self):
        self.goes_well(
            {"on": "PUT .*/3$", "midway": 1}, {"on": "PUT .*/1$", "cut": 1},
            {"on": "PUT .*/2$", "status": 500}, {"on": "PUT .*/4$", "lost": 1})

    def test_a_part_is_slowed_down(self):
        self.goes_well({"on": "PUT .*/2$", "status": 429, "headers": {"Retry-After": "1"}})

    def test_part_refused(self):
        path = self.pack("harbour")
        self.mock.faults({"on": "PUT .*/2$", "status": 400})
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 1)
        self.assertIn("part 2 of", outcome.err)
        self.assertIn("refused with HTTP status 400", outcome.err)
        self.assertEqual(self.upload(path).status, 0)
        self.assert_one_of_each(path)

    def test_a_redirection_is_not_followed(self):
        path = self.pack("harbour")
        self.mock.faults({"on": "PUT .*/2$", "redirect": self.mock.parts + "/elsewhere"})
        outcome = self.upload(path, "--create")
        self.assertIn("refused with HTTP status 302", outcome.err)
        self.mock.faults({"on": "GET", "redirect": self.mock.parts + "/elsewhere"})
        outcome = self.upload(path, "--create")
        self.assertIn("a redirection, which the API doesn't use", outcome.err)

    def test_an_answer_that_is_not_json(self):
        self.mock.faults({"on": "GET", "garbage": 1})
        outcome = self.upload(self.pack("harbour"), "--create")
        self.assertEqual(outcome.status, 1)
        self.assertIn("it is not JSON", outcome.err)

    def test_gives_up(self):
        path = self.pack("harbour")
        self.mock.faults({"on": "GET /v1/apps$", "status": 404, "detail": "no such\u001b[31m app"})
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 1)
        self.assertIn("HTTP status 404", outcome.err)
        self.assertIn("no such\\u{1B}[31m app", outcome.err)

    def test_expired_addresses(self):
        path = self.pack("harbour")
        self.mock.set(lifetime=-1)
        # The new addresses are late, so that they are good when they arrive.
        self.mock.faults({"on": "GET /v1/backgroundAssetUploadFiles/", "late": 4})
        process = self.popen(path, "--app", APP, "--create")
        self.wait_until(lambda: self.requests("GET /v1/backgroundAssetUploadFiles/"))
        self.mock.set(lifetime=3600)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("asking for new ones", err)
        self.assert_uploaded(path, "harbour", 1)

    def test_a_part_whose_address_has_expired(self):
        path = self.pack("harbour")
        self.mock.faults({"on": "PUT .*/3$", "status": 403})
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn("asking for new ones", outcome.err)
        self.assert_uploaded(path, "harbour", 1)

    def test_addresses_that_never_work(self):
        path = self.pack("harbour")
        self.mock.faults({"on": "PUT", "status": 403, "times": 1000})
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 1)
        self.assertIn("refused each address it gave", outcome.err)
        versions = self.mock.versions("harbour")
        self.assertEqual(len(versions), 1)
        self.assertEqual(len(versions[0]["files"]), 2)

    def test_digest_refused(self):
        path = self.pack("harbour")
        self.mock.set(refuse_checksums=1)
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn("did not accept a SHA-256", outcome.err)
        self.assert_one_of_each(path)

    def test_parts_that_leave_a_gap(self):
        path = self.pack("harbour")
        for kind, message in [("gap", "bytes 10000 to 19999 are in no part"),
                              ("overlap", "byte 9999 is in two parts")]:
            self.mock.set(operations=kind)
            outcome = self.upload(path, "--create")
            self.assertEqual(outcome.status, 1)
            self.assertIn(message, outcome.err)
        self.assertFalse([r for r in self.mock.state()["requests"] if r.startswith("PUT")])
        self.mock.set(operations="exact")
        self.assertEqual(self.upload(path).status, 0)
        self.assert_one_of_each(path)

    def test_no_plan(self):
        self.mock.set(operations="null")
        path = self.pack("harbour")
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 1)
        self.assertIn("the reservation has no parts, in state 'AWAITING_UPLOAD'", outcome.err)
        self.mock.set(operations="exact")
        self.assertEqual(self.upload(path).status, 0)
        self.assert_one_of_each(path)

    def test_no_server(self):
        path = self.pack("harbour")
        process = self.popen(
            path, "--app", APP, "--verbose", environment={"BA_UPLOAD_API": "http://127.0.0.1:1"})
        while not process.stderr.readline().startswith("again in"):
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 143, err)

    def test_a_signal_ends_a_long_pause(self):
        self.mock.faults({"on": "GET", "status": 429, "headers": {"Retry-After": "500"}})
        process = self.popen(self.pack("harbour"), "--app", APP, "--verbose")
        while not process.stderr.readline().startswith("again in"):
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143, err)
        self.assertIn("the same command continues", err)


class Changes(UploadCase):
    """Packs that somebody changes while they are sent, to a store that doesn't compare digests."""

    mock_options = ("--compare-checksums", "0", "--tell-checksums", "0")

    def setUp(self):
        super().setUp()
        self.bytes = []
        for seed in (1, 2):
            path = self.pack("harbour", 50_000, name=f"{seed}.aar", seed=seed, compression="store")
            self.bytes.append(path.read_bytes())
        self.assertEqual(*map(len, self.bytes))
        self.path = self.folder / "pack.aar"

    def write(self, number):
        """Writes the pack of this number in place, and keeps its time."""
        status = self.path.stat()
        with self.path.open("r+b") as file:
            file.write(self.bytes[number])
        os.utime(self.path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def begin(self, *others):
        """Uploads the first pack; the store has nothing before."""
        self.mock.call("/mock/reset", {})
        for path in (self.path, pathlib.Path(f"{self.path}.upload.json")):
            path.unlink(missing_ok=True)
        self.path.write_bytes(self.bytes[0])
        return self.popen(*others, self.path, "--app", APP, "--create", "--jobs", "1")

    def held(self, action, request, skip=0, others=()):
        """Uploads the first pack, and does something when this request has arrived."""
        self.mock.faults({"on": request, "skip": skip, "hold": 1})
        process = self.begin(*others)
        self.wait_for_fault(process)
        action()
        self.mock.faults()
        out, err = process.communicate()
        return process.returncode, err

    def committed(self):
        """The bytes that the store has, by their numbers here."""
        digests = [hashlib.sha256(bytes_).hexdigest() for bytes_ in self.bytes]
        return [digests.index(file["sha256"]) for pack in self.mock.state()["packs"]
                for version in pack["versions"] for file in version["files"] if file["committed"]]

    def assert_the_second_follows(self):
        """The same command uploads the second pack, and no version is lost."""
        before = self.committed()
        outcome = self.upload(self.path, "--create")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertEqual(self.committed(), before if before == [1] else [*before, 1])
        self.assert_nothing_left()

    def test_at_each_request(self):
        """Written in place, of the same size and with the same time: refused before the commit."""
        outcomes = []
        for skip in range(14):
            with self.subTest(skip=skip):
                status, err = self.held(lambda: self.write(1), " /(v1|parts)/", skip)
                outcomes.append(status)
                if status == 1:
                    self.assertIn("changed while it was uploaded, and was not committed", err)
                    self.assertEqual(self.committed(), [])
                else:
                    self.assertEqual((status, self.committed()), (0, [0]), err)
                self.assert_the_second_follows()
        # Up to the last of six parts, before which five requests are made.
        self.assertEqual(outcomes, [1] * 11 + [0] * 3)

    def test_forms(self):
        def truncate():
            os.truncate(self.path, 20_000)

        def refill():
            truncate()
            self.write(1)

        def append():
            with self.path.open("ab") as file:
                file.write(b"x")

        def replace():
            (self.folder / "new").write_bytes(self.bytes[1])
            (self.folder / "new").rename(self.path)

        for action, status in (
                (lambda: self.write(1), 1), (truncate, 1), (refill, 1), (append, 1), (replace, 0),
                (self.path.unlink, 0), (lambda: self.path.rename(self.folder / "away"), 0),
                (lambda: self.write(0), 0), (self.path.touch, 0), (lambda: self.path.chmod(0o400), 0)):
            found, err = self.held(action, "PUT .*/2$")
            self.assertEqual(found, status, err)
            self.assertEqual(self.committed(), [] if status else [0])
            # What was sent meanwhile is sent again, as it may have been something else.
            if not status:
                self.assertEqual([r[-1] for r in self.requests("PUT")], list("1223456"))

    def test_while_another_pack_is_sent(self):
        """No version is created."""
        status, err = self.held(lambda: self.write(1), "PUT", others=[self.pack("first")])
        self.assertEqual(status, 1, err)
        self.assertIn("changed while it was uploaded", err)
        self.assertEqual([p["identifier"] for p in self.mock.state()["packs"]], ["first"])

    def test_at_random_moments(self):
        """Again and again, with one pack or the other: what is committed is one of them."""
        seed = 20261124
        print(f"seed {seed}", end=" ", flush=True)
        source = random.Random(seed)
        self.mock.set(part_size=5000)
        for _ in range(100 if LONG else 10):
            process = self.begin()
            while process.poll() is None:
                self.write(source.randrange(2))
                time.sleep(source.uniform(0, 0.3))
            out, err = process.communicate()
            self.assertIn(process.returncode, (0, 1), err)
            self.assertEqual(len(self.committed()), 1 - process.returncode)
            self.write(1)
            self.assert_the_second_follows()


class Store(UploadCase):
    """What the store says about packs."""

    def test_the_stores_errors(self):
        path = self.pack("harbour")
        self.mock.set(failure={
            "errors": [{"code": "91133", "description": "The identifier is bad."}],
            "warnings": [{"code": "91139", "description": "Platforms overlap."}], "infos": []})
        outcome = self.upload(path, "--create", "--wait")
        self.assertEqual(outcome.status, 2, outcome)
        self.assertIn("error: The identifier is bad. [91133]", outcome.err)
        self.assertIn("warning: Platforms overlap. [91139]", outcome.err)
        self.assertIn("rejected by the store", outcome.out)
        receipt = pathlib.Path(f"{path}.upload.json").read_text()
        self.assertIn('"failed"', receipt)
        # The same bytes are not sent again, and no version is spent.
        self.mock.set(failure=None)
        again = self.upload(path)
        self.assertEqual(again.status, 2, again)
        self.assertIn("unchanged since the store rejected it", again.out)
        self.assertEqual(len(self.mock.versions("harbour")), 1)
        forced = self.upload(path, "--force-new-version", "--wait")
        self.assertEqual(forced.status, 0, forced)
        changed = self.pack("harbour", seed=2)
        self.assertEqual(self.upload(changed).status, 0)

    def test_what_was_uploaded_before_an_error_is_told(self):
        paths = [self.pack(name, name=f"{name}.aar") for name in ("a", "b")]
        self.assertEqual(self.upload(*paths, "--create").status, 0)
        paths = [self.pack(name, name=f"{name}.aar", seed=2) for name in ("a", "b")]
        self.mock.faults({"on": "POST /v1/backgroundAssetVersions$", "skip": 1, "status": 403})
        outcome = self.upload(*paths)
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("a.aar: a version 2", outcome.out)
        self.assertIn("HTTP status 403", outcome.err)

    def test_the_stores_warnings(self):
        self.mock.set(warnings=[{"code": "91148", "description": "Careful."}])
        path = self.pack("harbour")
        outcome = self.upload(path, "--create", "--wait", "--format", "json")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertEqual(outcome.json["packs"][0]["findings"], [
            {"severity": "warning", "code": "91148", "message": "Careful."}])

    def test_waiting_ends(self):
        self.mock.set(processing=1000)
        path = self.pack("harbour")
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 0)
        self.assertIn("the store is processing it", outcome.out)
        known = len(self.requests("GET /v1/backgroundAssetVersions/"))
        process = self.popen(path, "--app", APP, "--wait")
        self.wait_until(
            lambda: len(self.requests("GET /v1/backgroundAssetVersions/")) >= known + 2)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 143, err)
        self.assertIn("the same command continues", err)
        self.mock.set(processing=0)
        again = self.upload(path, "--wait")
        self.assertIn("version 1: unchanged, ready for internal testing", again.out, again)

    @unittest.skipUnless(LONG, "takes a minute: BA_LONG=1")
    def test_the_time_to_wait_is_over(self):
        self.mock.set(processing=1000)
        outcome = self.upload(self.pack("harbour"), "--create", "--wait=1")
        self.assertEqual(outcome.status, 3, outcome)
        self.assertIn("harbour version 1: uploaded 35.", outcome.out)
        self.assertIn("; the store is still processing it\n", outcome.out)

    def test_manifest_first(self):
        path = self.pack("harbour")
        outcome = self.upload(path, "--create", "--manifest-first", "--wait")
        self.assertEqual(outcome.status, 0, outcome)
        files = self.mock.versions("harbour")[0]["files"]
        self.assertEqual([f["type"] for f in files], ["MANIFEST", "ASSET"])
        manifest = (self.folder / "harbour.json").read_bytes()
        self.assertEqual(files[0]["sha256"], hashlib.sha256(manifest).hexdigest())

    def test_manifest_refused(self):
        path = self.pack("harbour")
        # It isn't known at once.
        self.mock.set(fail_manifest=[{"code": "91140", "description": "onDemand is null."}], processing=1)
        outcome = self.upload(path, "--create", "--manifest-first")
        self.assertEqual(outcome.status, 2, outcome)
        self.assertIn("onDemand is null. [91140]", outcome.err)
        # Nothing of the pack was sent; the version takes the corrected one.
        self.assertEqual([f["type"] for f in self.mock.versions("harbour")[0]["files"]], ["MANIFEST"])
        self.mock.set(fail_manifest=None)
        path = self.pack("harbour", platforms=["iOS", "macOS"])
        outcome = self.upload(path, "--manifest-first", "--wait")
        self.assertEqual(outcome.status, 0, outcome)
        self.assert_uploaded(path, "harbour", 1)

    def test_one_refusal_does_not_stop_the_others(self):
        good, bad = self.pack("good"), self.pack("bad")
        self.mock.faults({
            "on": "POST /v1/backgroundAssets$", "status": 409,
            "code": "ENTITY_ERROR.ATTRIBUTE.INVALID", "detail": "The name is taken.",
            "pointer": "/data/attributes/assetPackIdentifier"})
        outcome = self.upload(bad, good, "--create", "--wait")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn(
            "The name is taken. (/data/attributes/assetPackIdentifier)"
            " [ENTITY_ERROR.ATTRIBUTE.INVALID]", outcome.err)
        self.assert_uploaded(good, "good", 1)

    def test_a_version_that_takes_no_second_reservation(self):
        path = self.pack("harbour")
        self.mock.set(rereserve=0)
        self.mock.faults({"on": "PUT", "status": 400, "times": 100})
        self.assertEqual(self.upload(path, "--create").status, 1)
        self.mock.faults()
        changed = self.pack("harbour", seed=2, size=36_000)
        outcome = self.upload(changed, "--wait")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn("version 1 accepts no other file; creating another version", outcome.err)
        self.assert_uploaded(changed, "harbour", 2)

    def test_a_changed_pack_uses_the_version_that_waits(self):
        path = self.pack("harbour")
        self.mock.faults({"on": "PUT .*/4$", "status": 400})
        self.assertEqual(self.upload(path, "--create").status, 1)
        # The same size, so that the reservation fits too; all parts are sent again.
        changed = self.pack("harbour", seed=2)
        outcome = self.upload(changed, "--wait")
        self.assertEqual(outcome.status, 0, outcome)
        self.assert_uploaded(changed, "harbour", 1)


if __name__ == "__main__":
    unittest.main()
