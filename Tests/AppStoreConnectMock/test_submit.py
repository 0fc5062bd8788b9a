"""Submissions: batches of ten packs, an app version, items of others, and runs that are killed."""

import random
import unittest

from lab import APP, LONG, UploadCase

NAMES = [f"pack-{n:02}" for n in range(25)]


class SubmitCase(UploadCase):
    def seed(self, *packs, versions=("1.0:IOS:READY_FOR_DISTRIBUTION",)):
        """An app with processed packs and these versions, and nothing else."""
        self.mock.call("/mock/reset", {})
        self.mock.call("/mock/packs", packs)
        self.mock.call("/mock/app-versions", versions)

    def submit(self, *words):
        return self.run_tool("submit", "--app", APP, *words)

    def review(self, outcome="approve"):
        self.mock.call("/mock/review", outcome)

    def submissions(self, **wanted):
        return [s for s in self.mock.state()["submissions"]
                if all(s[key] == value for key, value in wanted.items())]

    def names_of(self, *submissions):
        names = {v["id"]: p["identifier"]
                 for p in self.mock.state()["packs"] for v in p["versions"]}
        return [names[v] for s in submissions for v in s["versions"]]

    def assert_all_arrived(self):
        """Each pack and the app version are in one submission, and each submission was submitted."""
        state = self.mock.state()
        self.assertEqual(
            sorted(self.names_of(*state["submissions"])),
            sorted(p["identifier"] for p in state["packs"]))
        new = [v["id"] for v in state["appVersions"] if v["number"] == "2.0"]
        self.assertEqual([v for s in state["submissions"] for v in s["appVersions"]], new)
        for submission in state["submissions"]:
            self.assertNotEqual(submission["state"], "READY_FOR_REVIEW")
            self.assertLessEqual(len(submission["versions"]), 10)
            self.assertTrue(submission["versions"] + submission["appVersions"])
        self.assertEqual([p["versions"][0]["review"] for p in state["packs"]].count(None), 0)


class Batches(SubmitCase):
    words = ("--all", "--app-version", "2.0")

    def seed_release(self):
        self.seed(*NAMES, versions=["1.0:IOS:READY_FOR_DISTRIBUTION", "2.0:IOS"])

    def test_25_packs_and_an_app_version(self):
        self.seed_release()
        first = self.submit(*self.words)
        self.assertEqual(first.status, 3, first)
        self.assertTrue(first.out.startswith("app version 2.0 for iOS: submitted for review\n"))
        self.assertEqual(first.out.count("submitted for review"), 11)
        self.assertEqual(first.err, "15 packs are left; repeat this command\n")
        # A second submission may be under review, if it has no app version.
        second = self.submit(*self.words)
        self.assertEqual(second.status, 3, second)
        self.assertIn("10 packs are live or under review\n", second.out)
        self.assertIn("app version 2.0 for iOS is already waiting for review\n", second.out)
        self.assertIn("pack-19 version 1: submitted for review\n", second.out)
        third = self.submit(*self.words)
        self.assertEqual(third.status, 3, third)
        self.assertIn("a submission without an app version is under review", third.err)
        self.assertIn("5 packs are left; repeat this command after the review\n", third.err)
        self.review()
        last = self.submit(*self.words)
        self.assertEqual((last.status, last.err), (0, ""), last)
        self.assertIn(
            "app version 2.0 for iOS is already live; the packs are submitted without it\n", last.out)
        self.assert_all_arrived()
        again = self.submit(*self.words)
        self.assertEqual(again.status, 1, again)
        self.assertIn(
            "app version 2.0 for iOS is already live, and no pack is left to submit", again.err)
        again = self.submit("--all")
        self.assertEqual(again.status, 0, again)
        self.assertEqual(again.out, "nothing to submit: 25 packs are live or under review\n")
        self.assertEqual(len(self.submissions()), 3)

    def test_killed_at_any_request(self):
        """SIGKILL while a request is carried out or is not; then the command is repeated."""
        seed = 20261122
        print(f"seed {seed}", end=" ", flush=True)
        source = random.Random(seed)
        self.seed_release()
        self.repeat()
        total = len(self.requests(""))
        for _ in range(100 if LONG else 12):
            self.seed_release()
            number = source.randrange(total)
            self.mock.faults(
                {"on": " /v1/", "skip": number, source.choice(["late", "hang"]): 60})
            self.repeat(kill_at=number + 1)
            self.assert_all_arrived()

    def repeat(self, kill_at=None):
        """Repeats the command until nothing is left; kills it at a request."""
        killed = False
        for _ in range(9):
            process = self.popen("submit", "--app", APP, *self.words)
            if kill_at:
                self.wait_until(
                    lambda: process.poll() is not None or len(self.requests("")) >= kill_at)
                if process.poll() is None:
                    process.kill()
                    kill_at = None
                    self.mock.faults()
            out, err = process.communicate()
            killed = killed or process.returncode == -9
            if self.is_end(process.returncode, out + err, killed):
                return
            if process.returncode == 3 and "after the review" in err:
                self.review()
        self.fail("packs are left")

    def is_end(self, status, text, killed):
        """Whether nothing is left: a run that is killed at the end may have done it all."""
        if killed and "is already live, and no pack is left to submit" in text:
            self.assertEqual(status, 1)
            return True
        self.assertIn(status, (0, 3, -9), text)
        return status == 0

    def test_releases_of_all_sizes(self):
        """Reviews end and the program is killed at random requests; the same command ends it all."""
        seed = 20261124
        print(f"seed {seed}", end=" ", flush=True)
        source = random.Random(seed)
        counts = []
        for _ in range(30 if LONG else 6):
            count = source.randrange(26)
            with self.subTest(count=count):
                self.seed(*NAMES[:count], versions=["1.0:IOS:READY_FOR_DISTRIBUTION", "2.0:IOS"])
                counts.append(self.repeat_whatever_happens(source))
                self.assert_all_arrived()
        # Some went on after the app version had become live.
        self.assertGreater(sum(counts), 0)

    def repeat_whatever_happens(self, source):
        """Repeats the command until nothing is left; how often it went on without the app version."""
        killed, without = False, 0
        for _ in range(30):
            moment, kind = source.randrange(40), source.choice(["review", "late", "hang", None])
            fault = {"on": " /v1/", "skip": moment}
            if source.random() < 0.3:
                self.review()
            self.mock.faults(*{"review": [fault | {"review": "approve"}], None: []}.get(
                kind, [fault | {kind: 60}]))
            process = self.popen("submit", "--app", APP, *self.words)
            if kind in ("late", "hang"):
                self.wait_for_fault(process)
                process.kill()
            out, err = process.communicate()
            without += "the packs are submitted without it" in out
            killed = killed or process.returncode == -9
            if self.is_end(process.returncode, out + err, killed):
                return without
        self.fail("the release doesn't end")

    def test_failures_at_each_request(self):
        """Requests without an answer or with a server error don't add anything twice."""
        self.seed("harbour", "lighthouse", versions=["1.0:IOS:READY_FOR_DISTRIBUTION", "2.0:IOS"])
        self.assertEqual(self.submit(*self.words).status, 0)
        actions = [{"status": 500}, {"lost": 1}, {"cut": 1}]
        for number in range(len(self.requests(""))):
            for action in actions if LONG else [actions[number % 3]]:
                self.seed(
                    "harbour", "lighthouse", versions=["1.0:IOS:READY_FOR_DISTRIBUTION", "2.0:IOS"])
                self.mock.faults({"on": " /v1/", "skip": number, **action})
                outcome = self.submit(*self.words)
                self.assertEqual(outcome.status, 0, (number, action, outcome))
                self.assert_all_arrived()

    def test_filling_only(self):
        self.seed(*NAMES[:12])
        for _ in range(2):
            outcome = self.submit("--all", "--no-submit")
            self.assertEqual(outcome.status, 3, outcome)
            self.assertIn("pack-09 version 1: in a submission, which is not submitted yet", outcome.out)
            self.assertEqual(len(self.submissions(state="READY_FOR_REVIEW")), 1)
        self.assertEqual(self.submit("--all").status, 3)
        self.assertEqual(len(self.submissions(state="WAITING_FOR_REVIEW")), 1)

    def test_plan(self):
        self.seed_release()
        outcome = self.submit(*self.words, "--dry-run", "--verbose")
        self.assertEqual(outcome.status, 3, outcome)
        self.assertIn("app version 2.0 for iOS: would be submitted\n", outcome.out)
        self.assertEqual(outcome.out.count("POST /v1/reviewSubmissionItems"), 11)
        self.assertEqual(outcome.out.count("PATCH /v1/"), 1)
        self.assertEqual(self.submissions(), [])
        document = self.submit(*self.words, "--dry-run", "--format", "json").json
        self.assertEqual((len(document["items"]), len(document["left"])), (10, 15))
        self.assertEqual(document["appVersion"], "2.0")


class FirstRelease(SubmitCase):
    def test_together(self):
        self.seed(*NAMES[:10], versions=["2.0:IOS"])
        self.assertEqual(self.submit("--all", "--app-version", "2.0").status, 0)
        self.assertEqual(len(self.submissions()), 1)
        self.assert_all_arrived()

    def test_refusals(self):
        self.seed(*NAMES[:12], versions=["1.0:IOS"])
        for words, message in [
            (["--all"], "together with an app version; --app-version adds it: the app has 1.0"),
            (["--all", "--app-version", "1.0"], "there is no room for pack-10 and pack-11; submit"),
            (["pack-01", "--app-version", "1.1"], "no version 1.1; it has 1.0 for iOS"),
            (["arc-01", "pack-13", "pack"],
             "has no asset packs 'arc-01', 'pack-13' (did you mean 'pack-03'?) and 'pack' (did you"
             " mean 'pack-00'?)"),
        ]:
            outcome = self.submit(*words)
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn(message, outcome.err)
        self.assertEqual(self.submissions(), [])
        self.assertEqual(self.submit("pack-01", "--app-version", "1.0").status, 0)
        outcome = self.submit("pack-02", "--app-version", "1.0")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("app version 1.0 for iOS was submitted without pack-02", outcome.err)


class Others(SubmitCase):
    """What others put into a submission stays there."""

    def test_joining(self):
        self.seed(*NAMES[:4], versions=["1.0:IOS:READY_FOR_DISTRIBUTION", "2.0:IOS"])
        self.assertEqual(
            self.submit("pack-00", "--app-version", "2.0", "--no-submit").status, 0)
        self.mock.call("/mock/event", "IOS")
        outcome = self.submit("pack-01", "pack-02")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn(
            "an open submission has app version 2.0 for iOS, pack-00 version 1 and another item, not"
            " asked for here; --join adds to it", outcome.err)
        self.assertEqual(self.submit("pack-01", "pack-02", "--join").status, 0)
        submission, = self.submissions()
        self.assertEqual(self.names_of(submission), ["pack-00", "pack-01", "pack-02"])
        self.assertEqual((submission["events"], len(submission["appVersions"])), (1, 1))
        self.assertEqual(submission["state"], "WAITING_FOR_REVIEW")

    def test_what_others_add_meanwhile(self):
        """Before the last look it stops the command; after that it is named."""
        for words in (["pack-00"], ["pack-00", "--join"]):
            self.seed("pack-00")
            self.mock.faults({"on": "POST /v1/reviewSubmissionItems", "event": "IOS"})
            outcome = self.submit(*words)
            submission, = self.submissions()
            if "--join" in words:
                self.assertEqual(outcome.status, 0, outcome)
                self.assertIn("another item: in the same submission, and submitted with it", outcome.out)
            else:
                self.assertEqual(outcome.status, 1, outcome)
                self.assertIn("an open submission has another item, not asked for here", outcome.err)
                self.assertEqual(submission["state"], "READY_FOR_REVIEW")
        for form in ("text", "json"):
            self.seed("pack-00")
            self.mock.faults({"on": "PATCH", "event": "IOS"})
            outcome = self.submit("pack-00", "--format", form)
            self.assertEqual(outcome.status, 0, outcome)
            if form == "json":
                self.assertEqual(outcome.json["others"], ["another item"])
            else:
                self.assertIn("pack-00 version 1: submitted for review\nanother item: in", outcome.out)

    def test_a_draft_is_not_submitted(self):
        self.seed("pack-00")
        self.mock.set(ignore_submits=1)
        outcome = self.submit("pack-00")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertNotIn("submitted for review", outcome.out)
        self.assertIn("the submission is still a draft", outcome.err)
        self.mock.set(ignore_submits=0)
        self.assertEqual(self.submit("pack-00").status, 0)

    def test_another_run(self):
        for request in ("POST /v1/reviewSubmissions$", "POST /v1/reviewSubmissionItems", "PATCH"):
            self.seed("pack-00")
            self.mock.faults({"on": request, "status": 409})
            outcome = self.submit("pack-00")
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn("another run may be submitting", outcome.err)

    def test_an_app_version_that_is_live(self):
        self.seed("harbour", versions=[
            "1.0:IOS:READY_FOR_DISTRIBUTION", "1.1:IOS:PENDING_DEVELOPER_RELEASE", "2.0:IOS"])
        outcome = self.submit("harbour", "--app-version", "1.2")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("it has 2.0 for iOS, 1.0 for iOS (live) and 1.1 for iOS\n", outcome.err)
        self.assertEqual(self.submissions(), [])
        # One that was approved and not released: the packs of later batches follow it.
        self.assertEqual(self.submit("harbour", "--app-version", "1.1").status, 0)
        outcome = self.submit("harbour", "--app-version", "1.0")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn(
            "app version 1.0 for iOS is already live, and no pack is left to submit", outcome.err)

    def test_packs_with_a_language(self):
        self.seed("harbour")
        self.upload(self.pack("dialogue", language="de"), "--create", "--wait")
        outcome = self.submit("--all", "--dry-run")
        self.assertIn(
            "note: 1 pack has a language; localized packs were for TestFlight only", outcome.err)
        self.assertNotIn("localized", self.submit("harbour").err)

    def test_the_submission_of_the_app_version_is_joined(self):
        self.seed("harbour", "bridge", versions=["1.0:IOS:READY_FOR_DISTRIBUTION", "2.0:IOS"])
        self.submit("harbour", "--app-version", "2.0", "--no-submit")
        self.assertEqual(self.submit("--all", "--app-version", "2.0").status, 0)
        self.assertEqual(len(self.submissions()), 1)
        self.assert_all_arrived()

    def test_a_version_that_is_not_processed(self):
        self.seed("bridge")
        self.mock.set(processing=1000)
        self.upload(self.pack("harbour"), "--create")
        outcome = self.submit("harbour@1")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("version 1 of 'harbour' is in state PROCESSING; only one that is COMPLETE", outcome.err)
        self.assertEqual(self.submissions(), [])

    def test_another_version_of_a_pack(self):
        self.seed("bridge")
        self.upload(self.pack("harbour"), "--create")
        self.assertEqual(self.submit("harbour", "--no-submit").status, 0)
        self.upload(self.pack("harbour", seed=2))
        outcome = self.submit("harbour", "--join")
        self.assertIn("an open submission has version 1 of 'harbour'; submit harbour@1", outcome.err)
        self.assertEqual(self.submit("harbour@1").status, 0)

    def test_an_app_version_under_review(self):
        self.seed("harbour", versions=["1.0:IOS:READY_FOR_DISTRIBUTION", "1.1:IOS", "2.0:IOS"])
        self.assertEqual(self.submit("harbour", "--app-version", "1.1").status, 0)
        outcome = self.submit("harbour", "--app-version", "2.0")
        self.assertEqual(outcome.status, 3, outcome)
        self.assertIn("a submission with an app version is under review", outcome.err)
        self.review("reject")
        outcome = self.submit("harbour", "--app-version", "2.0")
        self.assertIn("a submission with an app version has unresolved issues", outcome.err)

    def test_platforms(self):
        self.seed("harbour", versions=["1.0:IOS:READY_FOR_DISTRIBUTION", "2.0:IOS", "2.0:MAC_OS"])
        outcome = self.submit("harbour", "--app-version", "2.0")
        self.assertIn("app version 2.0 is there for iOS and macOS; give the platform", outcome.err)
        outcome = self.submit("harbour", "--app-version", "2.0", "--platform", "macOS")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertEqual(self.submissions()[0]["platform"], "MAC_OS")

    def test_platform_of_a_newer_store(self):
        self.seed("harbour", versions=["1.0:IOS:READY_FOR_DISTRIBUTION", "2.0:IOS", "2.0:GLASS_OS"])
        outcome = self.submit("harbour", "--app-version", "2.0")
        self.assertIn("app version 2.0 is there for iOS and GLASS_OS; give", outcome.err)
        for wrong, meant in {"ios": "iOS", "GLAS_OS": "GLASS_OS", "iPadOS": "iOS"}.items():
            outcome = self.submit("harbour", "--app-version", "2.0", "--platform", wrong)
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn(f"'{wrong}' is not a platform; did you mean '{meant}'?", outcome.err)
        self.assertEqual(self.submissions(), [])
        outcome = self.submit("harbour", "--app-version", "2.0", "--platform", "GLASS_OS")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertEqual(self.submissions()[0]["platform"], "GLASS_OS")

    def test_words(self):
        for words in ([], ["--all", "harbour"]):
            outcome = self.submit(*words)
            self.assertEqual(outcome.status, 64, outcome)
            self.assertIn("either identifiers of asset packs or '--all'", outcome.err)
        for word in ("harbour@1@2", "harbour@@1", "harbour@", "harbour@x"):
            outcome = self.submit(word)
            self.assertEqual(outcome.status, 64, outcome)
            self.assertIn("expected an identifier such as harbour or harbour@3", outcome.err)


if __name__ == "__main__":
    unittest.main()
