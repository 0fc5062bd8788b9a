"""What becomes of the output when it exists, can't be written, or a run is stopped."""

import os
import random
import resource
import shutil
import signal
import subprocess
import time
import unittest

from tests.tool import NOBODY, TIMEOUT, TOOL, ToolTest, environment, shell_status

ROOT = os.geteuid() == 0


class Existing(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data/a", "a" * 5000)
        self.select("data/")
        self.pack = self.packs / "pack.aar"

    def test_is_refused_and_kept(self):
        self.pack.write_bytes(b"old")
        self.refused("pack.aar", "--force")

    def test_is_refused_although_it_is_empty_or_a_dangling_link(self):
        self.pack.write_bytes(b"")
        self.refused("--force")
        self.pack.unlink()
        self.pack.symlink_to("not-there")
        self.run_tool(status=1)
        self.assertEqual(os.listdir(self.packs), ["pack.aar"])
        self.assertEqual(os.readlink(self.pack), "not-there")

    def test_force_replaces_it_in_one_step(self):
        self.pack.write_bytes(b"old")
        with open(self.pack, "rb") as old:
            self.package("--force")
            self.assertEqual(old.read(), b"old", "the old file was written over")
        self.check()
        self.assertEqual(os.listdir(self.packs), ["pack.aar"])
        self.package("-f")
        self.check()

    def test_force_replaces_an_equal_file_too(self):
        self.package("-f")
        right, before = self.pack.read_bytes(), self.pack.stat()
        for old in (right, right + b"0", right[:-1], right[:-1] + b"0", b"0" + right[1:]):
            self.pack.write_bytes(old)
            with open(self.pack, "rb") as file:
                self.package("-f")
                self.assertNotEqual(os.fstat(file.fileno()).st_ino, self.pack.stat().st_ino)
                self.assertEqual(file.read(), old)
            self.assertEqual(self.pack.read_bytes(), right)
        self.assertEqual(os.listdir(self.packs), ["pack.aar"])

    def test_force_without_an_old_file(self):
        self.package("--force")
        self.check()

    def test_a_directory_is_never_replaced(self):
        self.pack.mkdir()
        self.refused("pack.aar")
        self.refused("pack.aar", arguments=["--force"])

    def test_failure_keeps_the_old_file_in_spite_of_force(self):
        self.pack.write_bytes(b"old")
        self.select("data/", "missing")
        self.refused("missing", arguments=["--force"])

    def test_the_mode_of_a_new_file_follows_the_umask(self):
        for mask, mode in ((0o022, 0o644), (0o027, 0o640)):
            self.pack.unlink(missing_ok=True)
            self.package(before=lambda mask=mask: os.umask(mask))
            self.assertEqual(self.pack.stat().st_mode & 0o777, mode)

    def test_a_replaced_file_keeps_its_mode(self):
        self.pack.write_bytes(b"old")
        self.pack.chmod(0o600)
        self.package("--force", before=lambda: os.umask(0o022))
        self.assertEqual(self.pack.stat().st_mode & 0o777, 0o600)


class Places(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data/a", "a" * 5000)
        self.select("data/")

    def test_another_extension(self):
        self.refused(".aar", status=64, output="pack.zip")
        self.refused(".aar", status=64, output=".aar")

    def test_missing_folders_are_made(self):
        self.package(output="missing/deep/pack.aar")
        self.check()

    def test_a_folder_made_for_nothing_is_removed(self):
        self.select("data/", "missing")
        self.refused("missing", output="other/pack.aar")
        self.assertFalse((self.packs / "other").exists())

    def test_a_file_for_a_folder(self):
        (self.packs / "plain").write_text("x")
        self.refused("plain", output="plain/pack.aar")

    def test_unwritable_folder(self):
        self.packs.chmod(0o555)
        more = {"user": NOBODY} if ROOT else {}
        self.refused("packs", **more)
        self.packs.chmod(0o755)

    def test_a_relative_output_is_relative_to_the_working_directory(self):
        os.mkdir(self.folder / "work")
        subprocess.run([self.command()[0], "package", "../Manifest.json", "-o", "here.aar", "--root",
                        "../repository", "-q"], cwd=self.folder / "work", check=True, timeout=TIMEOUT)
        self.check(pack=self.folder / "work/here.aar")
        self.assertEqual(os.listdir(self.folder / "work"), ["here.aar"])


class FullDisk(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data/noise", random.Random(1).randbytes(6 << 20))
        self.select("data/")

    def test_full_file_system(self):
        if not ROOT or not shutil.which("mount"):
            self.skipTest("mounting a small file system needs root")
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(self.packs)],
                                 stderr=subprocess.PIPE)
        if mounted.returncode:
            self.skipTest(f"no small file system can be mounted: {mounted.stderr.decode().strip()}")
        try:
            (self.packs / "pack.aar").write_bytes(b"old")
            self.refused("pack.aar", "space", arguments=["--force"])
            self.refused("space", output="new.aar")
            self.refused("space", output="new.aar", arguments=["-j1"])
        finally:
            subprocess.run(["umount", str(self.packs)], check=True)

    def test_limit_of_a_files_size(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 20, 2 << 20))

        (self.packs / "pack.aar").write_bytes(b"old")
        self.refused("pack.aar", arguments=["--force"], before=limit)
        self.refused("new.aar", output="new.aar", before=limit)


class Git(ToolTest):
    def test_a_signal_ends_one_that_prints_without_an_end(self):
        self.write("data/a", "text")
        self.select("data/", sourceRoot=".")
        manifest = shutil.copy(self.manifest, self.repository)
        subprocess.run(["git", "init", "-q", self.repository], check=True)
        here = self.folder
        git = here / "git"
        git.write_text(f"#!/bin/sh\n: > {here}/started\nwhile printf x; do sleep 0.02; done\n")
        git.chmod(0o755)
        run = subprocess.Popen(
            [TOOL, "validate", manifest], env=environment(PATH=f"{here}:{os.environ['PATH']}"),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(run.kill)
        while not (here / "started").exists():
            self.assertIsNone(run.poll())
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        _, error = run.communicate(timeout=TIMEOUT)
        self.assertEqual(shell_status(run.returncode), 128 + signal.SIGINT, error)


class Stopped(ToolTest):
    """A run is stopped while its output grows. The input is large enough to take seconds."""

    def setUp(self):
        super().setUp()
        source = random.Random(9)
        words = [source.randbytes(source.randrange(2, 12)) for _ in range(4000)]
        part = b"".join(source.choice(words) for _ in range(700_000))
        for number in range(12):
            self.write(f"data/part{number:02}", part)
        self.select("data/")

    def start(self, *arguments, **place):
        """A run of which some output is already written, and which waits for SIGCONT."""
        before = self.sizes()
        run = subprocess.Popen(
            self.command("-j1", "--compression-level", "9", *arguments, **place), cwd=self.folder,
            env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        self.addCleanup(run.stderr.close)
        self.addCleanup(lambda: run.poll() is None and run.kill())
        deadline = time.monotonic() + TIMEOUT
        while (self.sizes() == before and not self.writes_unnamed(run)
               and time.monotonic() < deadline):
            self.assertIsNone(run.poll(), "the run ended before it could be stopped")
            time.sleep(0.005)
        run.send_signal(signal.SIGSTOP)
        self.assertLess(time.monotonic(), deadline, "no output came to be")
        self.assertIsNone(run.poll(), "the run ended before it could be stopped")
        return run

    def finish(self, run):
        """Lets the run go on, and gives what it wrote to standard error."""
        run.send_signal(signal.SIGCONT)
        return run.communicate(timeout=TIMEOUT)[1].decode()

    def sizes(self):
        """Names and sizes in the output folder."""
        with os.scandir(self.packs) as entries:
            return sorted((entry.name, entry.stat().st_size) for entry in entries)

    def writes_unnamed(self, run):
        """Whether the run has written to a file without a name in the output folder."""
        folder = f"/proc/{run.pid}/fd"
        try:
            for descriptor in os.listdir(folder):
                path = f"{folder}/{descriptor}"
                target = os.readlink(path)
                if (target.startswith(f"{self.packs}/") and target.endswith(" (deleted)")
                        and os.stat(path).st_size > 0):
                    return True
        except OSError:
            pass  # no /proc, or the descriptor is closed again
        return False

    def hole(self):
        """A file that takes minutes to pack: even on a busy machine, the run has not ended yet."""
        hole = self.write("data/zeros")
        os.truncate(hole, 64 << 30)
        self.addCleanup(lambda: os.path.exists(hole) and os.remove(hole))
        return hole

    def stop(self, number, *arguments, **place):
        before = self.listing()
        hole = self.hole()
        run = self.start(*arguments, **place)
        run.send_signal(number)
        error = self.finish(run)
        self.assertEqual(shell_status(run.returncode), 128 + number, error)
        self.assertEqual(self.listing(), before, "the output folder has changed")
        os.remove(hole)

    def test_by_sigint(self):
        self.stop(signal.SIGINT)

    def test_by_sigterm(self):
        self.stop(signal.SIGTERM)

    def test_the_old_file_is_kept(self):
        (self.packs / "pack.aar").write_bytes(b"old")
        self.stop(signal.SIGTERM, "--force")
        self.stop(signal.SIGINT, "--force")
        # And the next run is not disturbed by the last.
        self.package("--force")
        self.check()

    def test_what_a_killed_run_leaves_does_not_disturb_the_next(self):
        hole = self.hole()
        run = self.start()
        run.kill()
        run.wait()
        os.remove(hole)
        self.assertNotIn("pack.aar", os.listdir(self.packs))
        self.package()
        self.check()

    def test_a_file_that_shrinks_while_it_is_packed(self):
        before = self.listing()
        run = self.start()
        os.truncate(self.repository / "data/part11", 1000)
        error = self.finish(run)
        self.assertEqual(run.returncode, 1, error)
        self.assertIn("data/part11", error)
        self.assertEqual(self.listing(), before)

    def test_a_file_that_grows_while_it_is_packed(self):
        before = self.listing()
        run = self.start()
        with open(self.repository / "data/part11", "ab") as file:
            file.write(b"more")
        error = self.finish(run)
        self.assertEqual(run.returncode, 1, error)
        self.assertIn("data/part11", error)
        self.assertEqual(self.listing(), before)

    def test_an_output_that_comes_to_be_meanwhile_is_not_replaced(self):
        run = self.start()
        (self.packs / "pack.aar").write_bytes(b"somebody else's")
        error = self.finish(run)
        self.assertEqual(run.returncode, 1, error)
        self.assertIn("--force", error)
        self.assertEqual(self.listing(), {"pack.aar": b"somebody else's"})
