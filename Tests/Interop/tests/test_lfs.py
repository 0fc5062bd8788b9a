"""The example script for clones with Git LFS pointers, with the real git-lfs and a remote in a folder. The
agent that git-lfs has for such remotes is called by a script that records which objects are fetched."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from .tool import FIXTURES, TOOL

AGENT = '#!/bin/sh\nexec tee -a "$TRANSFERS" | git-lfs standalone-file\n'
CONFIGURATION = """
[user]
  name = T
  email = t@example.com
[filter "lfs"]
  clean = git-lfs clean -- %f
  smudge = git-lfs smudge -- %f
  process = git-lfs filter-process
  required = true
[lfs]
  standalonetransferagent = recording
[lfs "customtransfer.recording"]
  path = record-transfers
  concurrent = false
"""
MANIFEST = """{ "assetPackID": "%s", "downloadPolicy": { "onDemand": {} }, "platforms": [],
  "fileSelectors": [{ "directory": "%s" }] }
"""
ODD_NAMES = ["a[1]*?{b}.bin", "back\\slash.bin", " two words ", "!x", "#y", "$(z)'\"`.bin", "é", "~",
             "no break\u00a0", "end\\"]


class PointersTest(unittest.TestCase):
    def setUp(self):
        for program in ("git", "git-lfs"):
            if shutil.which(program) is None:
                self.skipTest(f"there is no {program}")
        self.folder = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="ba-package-test-")))
        self.addCleanup(shutil.rmtree, self.folder)
        binaries = self.folder / "bin"
        binaries.mkdir()
        (binaries / "ba-package").symlink_to(TOOL)
        (binaries / "record-transfers").write_text(AGENT)
        (binaries / "record-transfers").chmod(0o755)
        (self.folder / "config").write_text(CONFIGURATION)
        self.transfers = self.folder / "transfers"
        self.environment = {
            **os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "TRANSFERS": str(self.transfers),
            "GIT_CONFIG_GLOBAL": str(self.folder / "config"), "GIT_CONFIG_SYSTEM": os.devnull,
            "BA_PACKAGE_COMPRESSION": "lzfse", "CACHE": str(self.folder / "cache")}

        self.source = self.folder / "source"
        self.source.mkdir()
        for pack, folder in (("Harbour", "Harbour"), ("Lighthouse", "Lighthouse"),
                             ("Odd", "Odd/[folder]")):
            self.write(f"Packs/{pack}.json", MANIFEST % (pack.lower(), folder))
        for number in range(4):
            self.write(f"Harbour/{number}.bin", f"harbour {number}")
            self.write(f"Lighthouse/deep/{number}.bin", f"lighthouse {number}")
        # The same names elsewhere, which no pack has.
        self.write("0.bin", "top")
        self.write("Odd/0.bin", "odd")
        self.write("Elsewhere/Harbour/0.bin", "elsewhere")
        self.write("Lighthouse/plain.txt", "no pointer")
        for name in ODD_NAMES:
            self.write(f"Odd/[folder]/{name}", f"odd {name}")
        self.write(".gitattributes",
                   "*.bin filter=lfs diff=lfs merge=lfs -text\nOdd/** filter=lfs diff=lfs merge=lfs -text\n")
        shutil.copy(FIXTURES / "Workflows/changed-packs", self.folder / "changed-packs")
        self.run_in("", "git", "init", "-q", "--bare", "-b", "main", "origin.git")
        self.run_in("source", "git", "init", "-q", "-b", "main")
        self.run_in("source", "git", "remote", "add", "origin", self.remote)
        self.push()

    @property
    def remote(self):
        return f"file://{self.folder}/origin.git"

    def write(self, path, text):
        file = self.source / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run_in(self, folder, *words, status=0, **changes):
        done = subprocess.run(
            words, cwd=self.folder / folder, env={**self.environment, **changes}, capture_output=True,
            encoding="utf-8", timeout=300)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status == 0 else done.stderr

    def push(self):
        self.run_in("source", "git", "add", "-A")
        self.run_in("source", "git", "commit", "-q", "-m", "Change")
        self.run_in("source", "git", "push", "-q", "origin", "main")
        self.run_in("source", "git", "lfs", "push", "origin", "main")

    def clone(self, name, has_files=False):
        self.run_in("", "git", "clone", "-q", self.remote, name,
                    GIT_LFS_SKIP_SMUDGE="0" if has_files else "1")

    def digests(self, folder, *options):
        return self.run_in(folder, "ba-package", "digest", "--inputs", *options, "Packs")

    def fetched(self):
        """The objects that were fetched from the remote since the last call."""
        text = self.transfers.read_text() if self.transfers.exists() else ""
        self.transfers.unlink(missing_ok=True)
        return sorted(line.split('"oid":"')[1][:64] for line in text.splitlines()
                      if '"event":"download"' in line)

    def objects(self, *texts):
        return sorted(hashlib.sha256(text.encode()).hexdigest() for text in texts)

    def pack(self, folder, *command, **changes):
        """The packs that the script gave to its command, and the objects that it fetched."""
        self.fetched()
        log = self.folder / "log"
        log.unlink(missing_ok=True)
        script = f'for pack; do printf "%s\\n" "$pack" >>"{log}"; done; ' + " ".join(command)
        self.run_in(folder, self.folder / "changed-packs", "sh", "-c", script, "sh", **changes)
        packs = log.read_text().splitlines() if log.exists() else []
        return packs, self.fetched()

    def check(self, folder, *names):
        """The packs are those of a clone with all files."""
        shutil.rmtree(self.folder / "full", ignore_errors=True)
        self.clone("full", has_files=True)
        self.run_in("full", "ba-package", "package", "-q", "Packs", "--output-directory", "build")
        for name in names:
            self.assertEqual((self.folder / folder / "build" / name).read_bytes(),
                             (self.folder / "full/build" / name).read_bytes())

    def test_only_what_changed_is_fetched(self):
        self.clone("full", has_files=True)
        self.fetched()
        self.clone("pointers")
        released = self.digests("pointers")
        self.assertEqual(released, self.digests("full"))
        self.assertEqual(self.fetched(), [])
        self.assertEqual(
            self.pack("pointers"),
            (["build/Harbour.aar", "build/Lighthouse.aar", "build/Odd.aar"], self.objects(
                *(f"harbour {number}" for number in range(4)),
                *(f"lighthouse {number}" for number in range(4)),
                *(f"odd {name}" for name in ODD_NAMES))))
        self.check("pointers", "Harbour.aar", "Lighthouse.aar", "Odd.aar")
        self.assertEqual(self.digests("pointers"), released)
        self.assertEqual((self.folder / "cache/released.digests").read_text(), released)
        self.assertEqual(self.pack("pointers"), ([], []))

        # Another clone, another state: one digest differs, and the objects of one pack are fetched.
        self.write("Harbour/2.bin", "harbour 2, rebuilt")
        self.push()
        self.clone("next")
        (self.folder / "released").write_text(released)
        self.assertEqual(self.digests("next", "--changed-from", "../released"), "Packs/Harbour.json\n")
        self.assertEqual(
            self.pack("next"),
            (["build/Harbour.aar"], self.objects(
                "harbour 0", "harbour 1", "harbour 2, rebuilt", "harbour 3")))
        self.assertEqual(os.listdir(self.folder / "next/build"), ["Harbour.aar"])
        self.check("next", "Harbour.aar")
        self.assertEqual(self.digests("next"), self.digests("full"))
        # The old pack is in no release any more.
        self.assertEqual(len(list((self.folder / "cache").glob("*.aar"))), 3)

        # A mixture: one of the pack's files is here.
        self.write("Lighthouse/plain.txt", "changed")
        self.push()
        self.clone("mixture")
        self.run_in("mixture", "git", "lfs", "pull", "--include", "/Lighthouse/deep/0.bin")
        self.assertEqual(
            self.pack("mixture"),
            (["build/Lighthouse.aar"], self.objects(*(f"lighthouse {number}" for number in (1, 2, 3)))))
        self.check("mixture", "Lighthouse.aar")

    def test_odd_names_are_fetched_one_by_one(self):
        self.clone("clone")
        for name in ODD_NAMES:
            manifest = json.loads(MANIFEST % ("one", ""))
            manifest["fileSelectors"] = [{"file": f"Odd/[folder]/{name}"}]
            (self.folder / "clone/One.json").write_text(json.dumps(manifest))
            line = self.run_in("clone", "ba-package", "evaluate", "--lfs-include", "One.json")
            self.fetched()
            self.run_in("clone", "git", "lfs", "fetch", "--include", line.removesuffix("\n"))
            with self.subTest(name):
                self.assertEqual(self.fetched(), self.objects(f"odd {name}"))

    def test_what_failed_is_done_again(self):
        self.clone("pointers")
        packs = ["build/Harbour.aar", "build/Lighthouse.aar", "build/Odd.aar"]
        self.run_in("pointers", self.folder / "changed-packs", "false", status=1)
        self.assertEqual(len(self.fetched()), 8 + len(ODD_NAMES))
        # The packs come from the cache, in another clone, too.
        self.clone("other")
        self.assertEqual(self.pack("other"), (packs, []))
        self.check("other", "Harbour.aar", "Lighthouse.aar", "Odd.aar")
        self.assertEqual(self.pack("other"), ([], []))

    def test_without_a_command_nothing_is_released(self):
        self.clone("pointers")
        self.run_in("pointers", self.folder / "changed-packs")
        self.assertEqual(len(self.fetched()), 8 + len(ODD_NAMES))
        packs, objects = self.pack("pointers")
        self.assertEqual((len(packs), objects), (3, []))

    def test_a_cache_of_rclone(self):
        if shutil.which("rclone") is None:
            self.skipTest("there is no rclone")
        cache = f":local:{self.folder}/bucket/packs"
        self.clone("pointers")
        self.run_in("pointers", self.folder / "changed-packs", "false", status=1, CACHE=cache)
        self.fetched()
        self.clone("other")
        packs, objects = self.pack("other", CACHE=cache)
        self.assertEqual((len(packs), objects), (3, []))
        self.assertEqual(self.pack("other", CACHE=cache), ([], []))
        self.check("other", "Harbour.aar", "Lighthouse.aar", "Odd.aar")

    def test_a_list_longer_than_an_argument(self):
        texts = []
        for number in range(1500):
            texts.append(f"long {number}")
            self.write(f"Long/{number}-{'x' * 90}.bin", texts[-1])
        self.write("Long/other.bin", "no part of the pack")
        self.write("Packs/Long.json", MANIFEST.replace("directory", "filePattern") % (
            "long", "Long/*-*.bin"))
        self.push()
        self.clone("pointers")
        self.assertGreater(
            len(self.run_in("pointers", "ba-package", "evaluate", "--lfs-include", "Packs")), 128 << 10)
        _, objects = self.pack("pointers", PACKS="Packs/Long.json")
        self.assertEqual(objects, self.objects(*texts))

    def test_a_comma_is_refused(self):
        self.write("Harbour/a,b.bin", "comma")
        self.write("Packs/Comma.json", MANIFEST.replace("directory", "file") % (
            "comma", "Harbour/a,b.bin"))
        self.push()
        self.clone("pointers")
        error = self.run_in("pointers", self.folder / "changed-packs", status=1,
                            PACKS="Packs/Comma.json")
        self.assertIn("'Harbour/a,b.bin' alone, since commas", error)
        self.assertEqual(self.fetched(), [])
        # Its folder has no other pointers than the pack.
        self.run_in("pointers", self.folder / "changed-packs", PACKS="Packs/Harbour.json")
        self.assertEqual(len(self.fetched()), 5)
        self.check("pointers", "Harbour.aar")


if __name__ == "__main__":
    unittest.main()
