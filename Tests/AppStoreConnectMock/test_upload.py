"""The road itself: first upload, unchanged, changed, resumed, several packs, checks before."""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import time
import unittest

from lab import APP, Outcome, UploadCase

TERMINAL = pathlib.Path(__file__).parents[1] / "BACommandLineTests/Support/terminal.py"


class Road(UploadCase):
    def test_first_unchanged_changed(self):
        path = self.pack("harbour")
        first = self.upload(path, "--create", "--wait")
        self.assertEqual(first.status, 0, first)
        self.assertIn("harbour version 1: uploaded 35.", first.out)
        self.assertIn("ready for internal testing", first.out)
        self.assert_uploaded(path, "harbour", 1)

        second = self.upload(path, "--wait")
        self.assertEqual(second.status, 0, second)
        self.assertIn("harbour version 1: unchanged", second.out)
        posts = [r for r in self.mock.state()["requests"] if r.startswith("POST")]
        self.assertEqual(len(posts), 3)

        path = self.pack("harbour", seed=2)
        third = self.upload(path, "--wait")
        self.assertEqual(third.status, 0, third)
        self.assert_uploaded(path, "harbour", 2)
        self.assert_nothing_left()

    def test_going_back_is_a_new_version(self):
        one = self.pack("harbour", name="one.aar")
        two = self.pack("harbour", name="two.aar", seed=2)
        for path in (one, two):
            self.assertEqual(self.upload(path, "--create").status, 0)
        again = self.upload(one)
        self.assertIn("version 3: uploaded", again.out, again)

    def test_unchanged_on_another_machine(self):
        path = self.pack("harbour")
        self.upload(path, "--create")
        pathlib.Path(f"{path}.upload.json").unlink()
        again = self.upload(path)
        self.assertIn("version 1: unchanged", again.out, again)
        # The receipt has it from now on.
        self.assertEqual(self.receipt(path)["uploads"][0]["uploaded"][0]["version"], "1")

    def test_without_digests_from_the_server_the_receipt_knows(self):
        self.mock.set(tell_checksums=0)
        path = self.pack("harbour")
        self.upload(path, "--create")
        self.assertIn("unchanged", self.upload(path).out)
        pathlib.Path(f"{path}.upload.json").unlink()
        self.assertIn("version 2: uploaded", self.upload(path).out)

    def test_force_new_version(self):
        path = self.pack("harbour")
        self.upload(path, "--create")
        again = self.upload(path, "--force-new-version")
        self.assertIn("version 2: uploaded", again.out, again)

    def test_many_packs_and_json(self):
        paths = [self.pack(f"pack-{n}", size=1000 + n, seed=n) for n in range(50)]
        outcome = self.upload(*paths, "--create", "--wait", "--format", "json")
        self.assertEqual(outcome.status, 0, outcome)
        packs = outcome.json["packs"]
        self.assertEqual([p["outcome"] for p in packs], ["uploaded"] * 50)
        self.assertEqual({p["state"] for p in packs}, {"COMPLETE"})
        self.assertEqual(outcome.json["app"], APP)
        for n, path in enumerate(paths):
            self.assert_uploaded(path, f"pack-{n}", 1)
        # All packs are looked up with one request.
        lists = [r for r in self.mock.state()["requests"] if "/backgroundAssets?" in r]
        self.assertEqual(len(lists), 1)

    def test_folder(self):
        for name in ("harbour", "lighthouse"):
            path = self.pack(name)
            (self.folder / "build").mkdir(exist_ok=True)
            path.rename(self.folder / "build" / path.name)
        outcome = self.upload("build", "--create")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn("build/harbour.aar: harbour version 1: uploaded", outcome.out)
        self.assertEqual(self.upload("build").out.count("unchanged"), 2)
        (self.folder / "empty").mkdir()
        self.assertIn("no asset packs in 'empty'", self.upload("empty").err)

    def test_pages(self):
        self.mock.set(page_size=2)
        paths = [self.pack(f"pack-{n}", size=1000, seed=n) for n in range(5)]
        self.assertEqual(self.upload(*paths, "--create").status, 0)
        again = self.upload(*paths)
        self.assertEqual(again.out.count("unchanged"), 5, again)

    def test_a_link_to_another_server_is_not_followed(self):
        paths = [self.pack(f"pack-{n}", size=1000, seed=n) for n in range(3)]
        self.upload(*paths, "--create")
        self.mock.set(page_size=2, next_host="https://evil.example.com")
        outcome = self.upload(*paths)
        self.assertEqual(outcome.status, 1)
        self.assertIn("the link to the next page leads elsewhere", outcome.err)

    def test_parts_in_any_order(self):
        self.mock.set(operations="reversed")
        path = self.pack("harbour")
        self.assertEqual(self.upload(path, "--create", "--jobs", "1").status, 0)
        self.assert_uploaded(path, "harbour", 1)

    def test_dry_run_changes_nothing(self):
        path = self.pack("harbour")
        outcome = self.upload(path, "--create", "--manifest-first", "--dry-run", "--verbose")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertEqual(outcome.out.count("POST /v1/"), 4)
        self.assertEqual(outcome.out.count("PATCH /v1/"), 2)
        state = self.mock.state()
        self.assertEqual(state["packs"], [])
        self.assertTrue(all(r.startswith("GET") for r in state["requests"]))
        self.assertFalse(pathlib.Path(f"{path}.upload.json").exists())

    def test_plan(self):
        known = self.pack("known")
        self.assertEqual(self.upload(known, "--create").status, 0)
        changed = self.pack("known", name="changed.aar", seed=2)
        paths = [self.pack("harbour"), self.pack("lighthouse", compression="zlib")]
        outcome = self.upload(*paths, changed, "--create", "--dry-run")
        self.assertRegex(outcome.out, (
            r"^2 new packs with permanent names, 70\.\d kB, version 1 each\n"
            r"1 changed pack, 35\.\d kB\n"
            r".*harbour.aar: 35\.\d kB as version 1 of a new asset pack with the permanent name"
            r" 'harbour'\n"
            r".*lighthouse.aar: .*\n"
            r".*changed.aar: 35\.\d kB as version 2\n$"))
        document = self.upload(*paths, changed, "--create", "--dry-run", "--format", "json").json
        self.assertEqual(["warning" in p for p in document["packs"]], [False, True, False])
        outcome = self.upload(known, "--dry-run", "--verbose")
        self.assertNotIn("POST", outcome.out)
        self.assertNotIn("changed", outcome.out)
        self.assertIn("1 pack with nothing to send\n", outcome.out)
        self.assertIn("nothing to send; version 1 has these bytes", outcome.out)

    def test_zlib(self):
        paths = [self.pack(f"pack-{number}", name=f"{number}.aar", compression=compression)
                 for number, compression in enumerate(("zlib", "lzfse", "zlib", "store"))]
        for words in (["--dry-run"], ["--quiet"]):
            outcome = self.upload(*[path.name for path in paths], "--create", *words)
            self.assertEqual(outcome.status, 0, outcome)
            self.assertEqual(outcome.err.count("warning"), 1)
            self.assertIn(
                "warning: '0.aar', '2.aar': compressed with zlib; nobody has reported", outcome.err)
        self.assertEqual(self.upload(paths[1], paths[3]).err, "")

    def test_summary(self):
        path = self.pack("harbour")
        summary = self.folder / "summary.md"
        summary.write_text("before\n")
        self.upload(path, "--create", environment={"GITHUB_STEP_SUMMARY": str(summary)})
        text = summary.read_text()
        self.assertTrue(text.startswith("before\n### Asset packs of app 6740000001\n"))
        self.assertIn("| harbour | uploaded | 1 | 35.", text)

    def test_a_summary_to_a_pipe(self):
        path = self.pack("harbour")
        outcome = self.upload(path, "--create", environment={"GITHUB_STEP_SUMMARY": "/dev/stdout"})
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn("### Asset packs of app 6740000001", outcome.out)


class Checks(UploadCase):
    def assert_nothing_sent(self):
        self.assertEqual(self.mock.state()["requests"], [])

    def test_a_receipt_is_a_regular_file(self):
        path = self.pack("harbour")
        receipt, precious = pathlib.Path(f"{path}.upload.json"), self.folder / "precious"
        precious.write_text("{}")
        for make, kind in ((lambda: receipt.symlink_to(precious), "a symbolic link"),
                           (lambda: os.mkfifo(receipt), "a named pipe"),
                           (receipt.mkdir, "a folder")):
            make()
            outcome = self.upload(path, "--create")
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn(f"upload.json' is {kind}", outcome.err)
            self.assertEqual(self.mock.state()["packs"], [])
            receipt.rmdir() if receipt.is_dir() else receipt.unlink()
        self.assertEqual(precious.read_text(), "{}")

    def test_no_output_is_a_pack(self):
        path = self.pack("harbour")
        before = pathlib.Path(path).read_bytes()
        for variables, link in (({"GITHUB_STEP_SUMMARY": str(path)}, None),
                                ({}, pathlib.Path(f"{path}.upload.json"))):
            if link:
                os.link(path, link)
            outcome = self.upload(path, "--create", environment=variables)
            self.assertEqual(outcome.status, 1, outcome)
            self.assertEqual(pathlib.Path(path).read_bytes(), before)
            self.assertEqual(self.mock.state()["packs"], [])

    def test_damaged_pack(self):
        good, bad = self.pack("good"), self.pack("bad")
        data = bytearray(bad.read_bytes())
        del data[-100:]
        bad.write_bytes(data)
        outcome = self.upload(good, bad, "--create")
        self.assertEqual(outcome.status, 1)
        self.assertIn("1 pack of 2 can't be uploaded; nothing was sent", outcome.err)
        self.assert_nothing_sent()

    def test_the_stores_rules(self):
        path = self.pack("under_score", **{})
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 1)
        self.assertIn("ITMS-91133", outcome.err)
        self.assert_nothing_sent()

    def test_one_identifier_twice(self):
        one, two = self.pack("harbour", name="one.aar"), self.pack("harbour", name="two.aar", seed=2)
        outcome = self.upload(one, two, "--create")
        self.assertEqual(outcome.status, 1)
        self.assertIn("have the same identifier 'harbour'", outcome.err)
        self.assert_nothing_sent()

    def test_missing_files(self):
        self.pack("harbour")
        os.mkfifo(self.folder / "pipe.aar")
        for name, message in [("none.aar", "there is no 'none.aar'\n"),
                              ("pipe.aar", "'pipe.aar' is a named pipe, not a pack\n"),
                              ("harbor.aar", "there is no 'harbor.aar'; did you mean 'harbour.aar'?")]:
            outcome = self.upload(name)
            self.assertEqual(outcome.status, 1)
            self.assertIn(message, outcome.err)
        self.assert_nothing_sent()

    def test_create_is_asked_for(self):
        outcome = self.upload(self.pack("harbour"))
        self.assertEqual(outcome.status, 1)
        self.assertIn("app 6740000001 has no asset pack 'harbour'; --create", outcome.err)
        self.assertEqual(self.mock.state()["packs"], [])
        known = self.pack("known")
        self.upload(known, "--create")
        paths = [self.pack("harbour"), self.pack("known", seed=2), self.pack("bridge")]
        for words in ([], ["--dry-run"]):
            outcome = self.upload(*paths, *words)
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn(
                "no asset packs 'harbour', 'bridge'; --create creates them, with permanent names",
                outcome.err)
            self.assertEqual("known.aar: 35" in outcome.out, bool(words))
        self.assertEqual(len(self.mock.versions("known")), 1)
        self.assertEqual(len(self.mock.state()["packs"]), 1)

    def test_unknown_app(self):
        path = self.pack("harbour")
        outcome = self.run_tool(path, "--app", "com.example.other")
        self.assertIn("no access to an app with the bundle identifier 'com.example.other'", outcome.err)
        outcome = self.run_tool(path, "--app", "12345")
        self.assertIn("HTTP status 404", outcome.err)

    def test_archived_pack(self):
        path = self.pack("harbour")
        self.upload(path, "--create")
        self.run_tool("archive", "harbour", "--app", APP, "--permanently")
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 1)
        self.assertIn("is archived, and its name can't be used again", outcome.err)

    def test_archiving_is_confirmed(self):
        """On a terminal only the identifier confirms, and nothing elsewhere but the option."""
        self.upload(self.pack("harbour"), "--create")
        outcome = self.run_tool("archive", "harbour", "--app", APP)
        self.assertEqual(outcome.status, 1)
        self.assertIn("there is no terminal to ask", outcome.err)
        source = random.Random(1)
        wrong = ["", "\x04", "y", "yes", "Harbour", "harbour ", " harbour", "harbou", "harbourr", "harbour\\n"]
        wrong += ["".join(source.choices("harbou", k=7)) for _ in range(20)]
        for typed in [word for word in wrong if word != "harbour"]:
            outcome = self.answer(typed)
            self.assertEqual(outcome.status, 1, (typed, outcome))
            self.assertIn("not confirmed, and not archived", outcome.err)
        self.assertEqual(self.archived(), [False])
        outcome = self.answer("harbour")
        self.assertEqual((outcome.status, outcome.out), (0, "harbour: archived\n"), outcome)
        self.assertIn("Archive 'harbour' with 1 version?", outcome.err)
        self.assertEqual(self.archived(), [True])
        known = len(self.requests("PATCH"))
        outcome = self.run_tool("archive", "harbour", "--app", APP, "--permanently")
        self.assertEqual((outcome.status, outcome.out), (0, "harbour: already archived\n"), outcome)
        self.assertEqual(len(self.requests("PATCH")), known)

    def archived(self):
        return [pack["archived"] for pack in self.mock.state()["packs"]]

    def answer(self, typed):
        """Archives a pack, as asked on a terminal."""
        terminal, end = os.openpty()
        try:
            process = self.popen("archive", "harbour", "--app", APP, stdin=end)
            os.write(terminal, typed.encode() + b"\n\x04")
            out, err = process.communicate(timeout=300)
        finally:
            os.close(terminal)
            os.close(end)
        return Outcome(process.returncode, out, err)

    def test_room(self):
        """The largest version of each pack counts; the store decides."""
        self.upload(self.pack("harbour"), "--create")
        self.mock.call("/mock/used-bytes", 200_000_000_000 - 36_000)
        # Another version of the pack takes no more than the larger one.
        outcome = self.upload(self.pack("harbour", seed=2))
        self.assertEqual((outcome.status, outcome.err), (0, ""), outcome)
        for words in (["--dry-run"], []):
            outcome = self.upload(self.pack("lighthouse"), "--create", *words)
            self.assertEqual(outcome.status, 0, outcome)
            self.assertIn(
                "warning: the largest versions of the app's asset packs would have 200.0 GB; App Store"
                " Connect allows 200.0 GB for an app\n", outcome.err)
        # What is there already is no reason to warn.
        self.assertNotIn("warning", self.upload(self.pack("lighthouse", seed=2)).err)

    def test_archived_packs_take_no_room(self):
        self.upload(self.pack("harbour"), "--create")
        self.mock.call("/mock/used-bytes", 200_000_000_000)
        self.run_tool("archive", "harbour", "--app", APP, "--permanently")
        outcome = self.upload(self.pack("lighthouse"), "--create")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertNotIn("warning", outcome.err)

    def test_number_of_packs(self):
        self.mock.call("/mock/packs", [f"pack-{n}" for n in range(200)])
        outcome = self.upload(self.pack("harbour"), "--create")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn("warning: the app would have 201 asset packs; App Store Connect allows 200",
                      outcome.err)
        self.assertNotIn("warning", self.upload(self.pack("harbour", seed=2)).err)

    def test_damaged_receipt(self):
        path = self.pack("harbour")
        receipt = pathlib.Path(f"{path}.upload.json")
        for text in ("{", '{"schemaVersion": 2}', '{"schemaVersion": 1, "uploads": [{}]}'):
            receipt.write_text(text)
            outcome = self.upload(path, "--create")
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn("can't be used", outcome.err)
            self.assertEqual(receipt.read_text(), text)

    def test_two_runs_at_once(self):
        path = self.pack("harbour", size=200_000)
        self.mock.set(part_delay=0.2)
        first = self.popen(path, "--app", APP, "--create", "--jobs", "2")
        while not pathlib.Path(f"{path}.upload.json").exists():
            pass
        second = self.upload(path, "--create")
        self.assertIn("another process is uploading", second.err, second)
        out, err = first.communicate()
        self.assertEqual(first.returncode, 0, err)
        self.assert_uploaded(path, "harbour", 1)


class Words(UploadCase):
    """The command line itself."""

    def test_the_value_of_wait_may_be_left_out(self):
        path = self.pack("harbour")
        self.assertEqual(self.upload(path, "--create", "--wait=1").status, 0)
        for word in ("--wait=0", "--wait=1441", "--wait=", "--wait=x"):
            outcome = self.upload(path, word)
            self.assertEqual(outcome.status, 64, outcome)
            self.assertIn("--wait[=<minutes>]", outcome.err)
        # A word behind it is a pack.
        outcome = self.upload(path, "--wait", "5")
        self.assertIn("'5'", outcome.err)

    def test_completions_and_manual(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.run_tool("--generate-completion-script", shell)
            self.assertIn("--complete", script.out)
            if shutil.which(shell):
                check = subprocess.run([shell, "-n"], input=script.out, text=True,
                                       capture_output=True)
                self.assertEqual((check.returncode, check.stderr), (0, ""))
        self.assertIn("--manifest-first\t", self.run_tool("--complete", "upload", "--man").out)
        manual = self.run_tool("--generate-manual").out
        self.assertIn(".It Fl Fl wait Ns Oo = Ns Ar minutes Oc", manual)
        if shutil.which("mandoc"):
            lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=manual, text=True,
                                  capture_output=True)
            self.assertEqual((lint.stdout, lint.stderr), ("", ""))

    def test_progress_on_a_terminal(self):
        path = self.pack("harbour", size=200_000)
        self.mock.set(part_delay=0.2)
        terminal = subprocess.run(
            [sys.executable, TERMINAL, os.environ["BA_UPLOAD"], path, "--app", APP, "--create",
             "--jobs", "3"], cwd=self.folder, env=self.environment(),
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual(terminal.returncode, 0, terminal)
        self.assertRegex(terminal.stdout, r"%  \d+\.\d kB of 200\.\d kB  .*/s  .* left  3 parts")


class NewerValues(UploadCase):
    def test_upload_and_status(self):
        """A pack with a platform, a policy and an event that this version doesn't know."""
        events = {"installationEventTypes": ["firstInstallation"]}
        for name, policy, old, new, warning in (
                ("glass", {"essential": events}, b"firstInstallation", b"firstLaunchOfGame",
                 "'firstLaunchOfGame' is not an event that this"),
                ("idle", {"onDemand": {}}, b"onDemand", b"whenIdle", "unknown key 'whenIdle'")):
            path = self.pack(
                name, compression="store", platforms=["iOS", "visionOS"], downloadPolicy=policy)
            path.write_bytes(
                path.read_bytes().replace(b"visionOS", b"glassOS1").replace(old, new))
            self.mock.set(platforms="IOS,GLASS_OS,MAC_OS,TV_OS")
            outcome = self.upload(path, "--create", "--wait")
            self.assertEqual(outcome.status, 0, outcome)
            self.assertIn("warning: 'glassOS1' is not a platform that this", outcome.err)
            self.assertIn(f"warning: {warning}", outcome.err)
            self.assert_uploaded(path, name, 1)
        outcome = self.run_tool("status", "--app", APP)
        self.assertIn("  iOS, GLASS_OS, macOS, tvOS  ", outcome.out)


class Commands(UploadCase):
    def setUp(self):
        super().setUp()
        self.upload(self.pack("harbour"), "--create")
        self.mock.set(platforms="IOS,MAC_OS,TV_OS,VISION_OS")
        self.upload(self.pack("lighthouse", language="de"), "--create")
        self.mock.set(platforms="IOS,MAC_OS")
        self.upload(self.pack("harbour", seed=2))

    def test_status(self):
        outcome = self.run_tool("status", "--app", APP)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertTrue(outcome.out.startswith("app 6740000001: 2 asset packs, 70."), outcome)
        rows = [" ".join(line.split()) for line in outcome.out.split("\n")[1:]]
        self.assertEqual(rows, [
            "Asset pack Version Language Platforms Internal External App Store",
            "harbour 2 iOS, macOS ready for testing not submitted not submitted",
            "harbour 1 iOS, macOS superseded superseded not submitted",
            "lighthouse 1 de all ready for testing not submitted not submitted", ""])
        self.assertLessEqual(max(map(len, outcome.out.split("\n"))), 100)
        document = self.run_tool("status", "harbour", "--app", APP, "--format", "json").json
        self.assertEqual([v["version"] for v in document["packs"][0]["versions"]], ["2", "1"])

    def test_storage(self):
        self.assertEqual(self.run_tool("status", "--app", APP).err, "")
        self.mock.call("/mock/used-bytes", 85_000_000_000)
        for words in ([], ["harbour"]):
            outcome = self.run_tool("status", "--app", APP, *words)
            self.assertIn("170.0 GB of 200.0 GB used (85.0%)", outcome.out)
            self.assertEqual(
                outcome.err, "warning: 85.0% of the app's storage is used; 30.0 GB are left\n")

    def test_versions_that_count(self):
        """Of each pack the largest that can be tested or sold."""
        def used():
            return self.run_tool("status", "--app", APP, "--format", "json").json["usedBytes"]

        def upload(seed, size):
            path = self.pack("bridge", size=size, seed=seed)
            self.assertEqual(self.upload(path, "--create").status, 0)
            return path.stat().st_size
        before = used()
        sizes = [upload(1, 50_000)]
        self.assertEqual(used() - before, sizes[0])
        sizes.append(upload(2, 20_000))
        # The first can still be submitted.
        self.assertEqual(used() - before, sizes[0])
        self.mock.set(failure={"errors": [{"code": "91133", "description": "Bad."}]})
        upload(3, 90_000)
        self.assertEqual(used() - before, sizes[0])
        self.mock.set(failure=None, processing=1000)
        sizes.append(upload(4, 80_000))
        # The mock processes all versions again.
        self.assertEqual(used(), 0)
        self.mock.set(processing=0)
        self.assertEqual(used() - before, sizes[2])
        # Of those that are live, the last one counts.
        upload(5, 30_000)
        for version in (4, 5):
            self.run_tool("submit", f"bridge@{version}", "--app", APP)
            self.mock.call("/mock/review", "approve")
        self.assertEqual(used() - before, sizes[0])
        self.run_tool("archive", "bridge", "--app", APP, "--permanently")
        self.assertEqual(used(), before)

    def test_watch(self):
        self.mock.set(processing=1000)
        self.upload(self.pack("harbour", seed=3))
        before = len(self.requests("GET"))
        process = self.popen("status", "harbour", "--watch", "--app", APP)
        program = self.popen("status", "harbour", "--watch", "--app", APP, "--format", "json")
        self.assertEqual(program.stdout.readline(), "{\n")
        shown = ""
        while "processing\n" not in shown:
            shown += process.stdout.readline() or self.fail(shown)
        # A second between two looks, and more later.
        one = len(self.requests("GET")) - before
        time.sleep(1)
        self.assertLessEqual(len(self.requests("GET")) - before, 3 * one)
        self.assertRegex(shown, r"harbour +3 +iOS, macOS +processing\n")
        self.mock.set(processing=0)
        self.assertIn("harbour version 3: ready for testing\n", process.stdout.read())
        process.communicate()
        self.assertEqual(process.returncode, 0)
        self.assertEqual(program.stdout.read().count("\n{\n"), 1)
        program.communicate()

    def test_submit(self):
        rehearsal = self.run_tool("submit", "harbour", "--app", APP, "--dry-run")
        self.assertIn("harbour version 2: would be submitted", rehearsal.out)
        self.assertEqual(self.mock.state()["submissions"], [])
        outcome = self.run_tool("submit", "harbour@1", "lighthouse", "--app", APP)
        self.assertEqual(outcome.status, 0, outcome)
        submissions = self.mock.state()["submissions"]
        self.assertEqual(len(submissions), 1)
        self.assertEqual(submissions[0]["state"], "WAITING_FOR_REVIEW")
        self.assertEqual(len(submissions[0]["versions"]), 2)

    def test_submit_twice(self):
        words = ["submit", "harbour", "lighthouse", "--app", APP]
        self.assertEqual(self.run_tool("submit", "harbour", "--app", APP).status, 0)
        outcome = self.run_tool(*words)
        self.assertEqual(outcome.status, 3, outcome)
        self.assertIn("harbour version 2 is already waiting for review\n", outcome.out)
        self.mock.call("/mock/review", "approve")
        outcome = self.run_tool(*words)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertEqual(outcome.out, (
            "harbour version 2 is already live\nlighthouse version 1: submitted for review\n"))
        known = len(self.requests("P"))
        outcome = self.run_tool(*words)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn("lighthouse version 1 is already waiting for review\n", outcome.out)
        rehearsal = self.run_tool(*words, "--dry-run", "--verbose")
        self.assertNotIn("/v1/", rehearsal.out)
        self.assertEqual(len(self.requests("P")), known)
        self.assertEqual(len(self.mock.state()["submissions"]), 2)

    def test_all_unknown_packs_are_named(self):
        outcome = self.run_tool("status", "harbor", "harbour", "bridge", "--app", APP)
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn(
            "no asset packs 'harbor' (did you mean 'harbour'?) and 'bridge'\n", outcome.err)

    def test_submit_goes_on_with_its_own(self):
        self.mock.faults({"on": "PATCH /v1/reviewSubmissions", "status": 500, "times": 8})
        process = self.popen("submit", "harbour", "lighthouse", "--app", APP)
        while not any("PATCH" in r for r in self.mock.state()["requests"] if "review" in r):
            pass
        process.kill()
        process.communicate()
        self.mock.faults()
        outcome = self.run_tool("submit", "harbour", "lighthouse", "--app", APP)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertEqual(len(self.mock.state()["submissions"]), 1)

    def test_submit_refuses(self):
        for words, message in [
            (["harbour", "harbour@1"], "'harbour' is given twice"),
            (["harbor"], "did you mean 'harbour'?"),
            (["harbour@7"], "has no version 7"),
        ]:
            outcome = self.run_tool("submit", *words, "--app", APP)
            self.assertEqual(outcome.status, 1)
            self.assertIn(message, outcome.err)
        self.assertEqual(self.run_tool("submit", "harbour@x", "--app", APP).status, 64)

    def test_archive_is_confirmed(self):
        outcome = self.run_tool("archive", "harbour", "--app", APP)
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("can't be undone", outcome.err)
        self.assertFalse(any(p["archived"] for p in self.mock.state()["packs"]))
        outcome = self.run_tool("archive", "harbour", "--app", APP, "--permanently")
        self.assertEqual(outcome.status, 0, outcome)
        archived = [p["identifier"] for p in self.mock.state()["packs"] if p["archived"]]
        self.assertEqual(archived, ["harbour"])


if __name__ == "__main__":
    unittest.main()
