"""What the tests share: a key, a mock, packs, and runs of the program."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
KEY_ID = "ABCDE12345"
ISSUER = "57246542-96fe-1a63-e053-0824d011072a"
APP = "6740000001"
LONG = os.environ.get("BA_LONG") == "1"


class Mock:
    """A running mock."""

    def __init__(self, folder, *options):
        self.process = subprocess.Popen(
            [sys.executable, HERE / "mock.py", "--key", f"{KEY_ID}={folder / 'public.pem'}",
             "--data", folder / "data", "--part-size", "10000", "--processing", "0", *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.api = self.process.stdout.readline().split()[1]
        self.parts = self.process.stdout.readline().split()[1]

    def stop(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def call(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.api + path, data)) as answer:
            return json.load(answer)

    def faults(self, *faults):
        self.call("/mock/faults", list(faults))

    def set(self, **options):
        self.call("/mock/options", options)

    def state(self):
        return self.call("/mock/state?digests=1")

    def versions(self, identifier):
        packs = [p for p in self.state()["packs"] if p["identifier"] == identifier]
        assert len(packs) == 1, packs
        return packs[0]["versions"]


class Outcome:
    """How a run ended."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    @property
    def json(self):
        return json.loads(self.out)

    def __repr__(self):
        return f"exit {self.status}\n{self.out}\n{self.err}"


class UploadCase(unittest.TestCase):
    """A folder, a key and a mock for each test; the program is called by `upload`."""

    mock_options = ()

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ba-upload-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "data").mkdir()
        self.key = self.folder / f"AuthKey_{KEY_ID}.p8"
        self.make_key(self.key, self.folder / "public.pem")
        self.mock = self.start(*self.mock_options)

    def tearDown(self):
        state = self.mock.state()
        self.assertEqual(state["violations"], [])

    def start(self, *options):
        mock = Mock(self.folder, *options)
        self.addCleanup(mock.stop)
        return mock

    def make_key(self, private, public):
        pem = subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
            check=True, capture_output=True).stdout
        private.write_bytes(pem)
        private.chmod(0o600)
        subprocess.run(
            ["openssl", "pkey", "-in", private, "-pubout", "-out", public], check=True)

    def pack(self, identifier, size=35_000, name=None, seed=1, compression="lzfse", **keys):
        """Makes a pack with one file of random bytes, and returns its path."""
        root = self.folder / f"root-{identifier}-{seed}"
        root.mkdir(exist_ok=True)
        (root / "data.bin").write_bytes(random.Random(seed).randbytes(size))
        manifest = self.folder / f"{identifier}.json"
        manifest.write_text(json.dumps({
            "assetPackID": identifier, "downloadPolicy": {"onDemand": {}},
            "fileSelectors": [{"file": "data.bin"}], "platforms": ["iOS"], **keys}))
        path = self.folder / (name or f"{identifier}.aar")
        subprocess.run(
            [os.environ["BA_PACKAGE"], "-q", "-f", manifest, "--root", root, "-o", path,
             "--compression", compression, "--hosting", "self"],
            check=True)
        return path

    def wait_until(self, condition):
        """Waits until something is so, which only a failure does not bring about."""
        end = time.monotonic() + 300
        while not condition():
            self.assertLess(time.monotonic(), end, "it did not come about")
            time.sleep(0.02)

    def wait_for_fault(self, process):
        """Waits until a request meets the only fault, or the process ends."""
        self.wait_until(lambda: process.poll() is not None
                        or not self.mock.call("/mock/faults")[0]["times"])

    def requests(self, method):
        return [r for r in self.mock.state()["requests"] if r.startswith(method)]

    def environment(self, **more):
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "LC_ALL": "C",
            "BA_UPLOAD_API": self.mock.api, "ASC_ISSUER_ID": ISSUER,
            "ASC_KEY_PATH": str(self.key), **more}

    def popen(self, *words, **options):
        environment = self.environment(**options.pop("environment", {}))
        return subprocess.Popen(
            [os.environ["BA_UPLOAD"], *map(str, words)], cwd=self.folder, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            **{"stdin": subprocess.DEVNULL, **options})

    def run_tool(self, *words, **options):
        process = self.popen(*words, **options)
        out, err = process.communicate(timeout=300)
        return Outcome(process.returncode, out, err)

    def upload(self, *words, **options):
        return self.run_tool(*words, "--app", "com.example.game", **options)

    # Checks

    def assert_uploaded(self, path, identifier, number, mock=None):
        """Version `number` is the newest, is complete, and has the pack's bytes."""
        import hashlib
        versions = (mock or self.mock).versions(identifier)
        self.assertEqual(len(versions), number, versions)
        newest = versions[-1]
        self.assertEqual(newest["state"], "COMPLETE")
        assets = [f for f in newest["files"] if f["type"] == "ASSET" and f["committed"]]
        self.assertEqual(len(assets), 1, newest)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        self.assertEqual(assets[0]["sha256"], digest)
        self.assertEqual(assets[0]["size"], path.stat().st_size)

    def assert_nothing_left(self):
        """No version waits."""
        for pack in self.mock.state()["packs"]:
            for version in pack["versions"]:
                self.assertNotEqual(version["state"], "AWAITING_UPLOAD")
                self.assertTrue(any(file["committed"] for file in version["files"]))

    def receipt(self, path):
        return json.loads(pathlib.Path(f"{path}.upload.json").read_text())
