"""Keys where people have them, tokens that are refused, and secrets that stay secret."""

import base64
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import unittest

from lab import APP, ISSUER, KEY_ID, LONG, UploadCase


class Keys(UploadCase):
    """Keys, tokens, and how refused ones are explained."""

    def setUp(self):
        super().setUp()
        self.path = self.pack("harbour", size=1000)

    def refused(self, message, **environment):
        outcome = self.upload(self.path, "--create", environment=environment)
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn(message, outcome.err)
        return outcome

    def test_wrong_key(self):
        other = self.folder / "other" / f"AuthKey_{KEY_ID}.p8"
        other.parent.mkdir()
        self.make_key(other, self.folder / "other.pem")
        outcome = self.refused("HTTP status 401", ASC_KEY_PATH=str(other))
        self.assertIn("[NOT_AUTHORIZED]", outcome.err)
        self.assertIn("check that the key is not revoked, the key id, the issuer id", outcome.err)

    def test_wrong_issuer(self):
        self.refused("HTTP status 401", ASC_ISSUER_ID="00000000-0000-0000-0000-000000000000")

    def test_wrong_key_id(self):
        self.refused("HTTP status 401", ASC_KEY_ID="ZZZZZ99999")

    def test_ids(self):
        """An id is a part of a file's name, and of a token."""
        source = random.Random(20261126)
        for _ in range(400 if LONG else 40):
            word = "".join(source.choices("AZaz09-", k=source.randint(0, 39)))
            place, odd = source.randint(0, len(word)), source.choice("/.\\:\"' \n\t\x01_+=@é中")
            for name in ("ASC_KEY_ID", "ASC_ISSUER_ID"):
                for wrong in (word[:place] + odd + word[place:], "A" * source.randint(41, 60)):
                    self.refused(f"{name}: expected the id of a key or an issuer", **{name: wrong})

    def test_role(self):
        self.mock.set(role="MARKETING")
        self.refused("the key needs the role Admin, App Manager or Developer")

    def test_clock(self):
        self.mock.set(clock_offset=-7200)
        self.refused("this machine's clock is 2 hours ahead of the server's")
        self.mock.set(clock_offset=-100)
        self.refused(" seconds ahead of the server's")
        # Dates in headers have no fractions, and an answer takes its time.
        self.mock.set(clock_offset=1530)
        self.refused("this machine's clock is 25 minutes behind the server's")

    def test_a_small_difference_is_no_problem(self):
        for offset in (-60, 60):
            self.mock.set(clock_offset=offset)
            self.assertEqual(self.upload(self.path, "--create").status, 0)

    def test_individual_key(self):
        self.mock.set(individual=True)
        path = self.folder / f"ApiKey_{KEY_ID}.p8"
        shutil.copy(self.key, path)
        outcome = self.upload(self.path, "--create", environment={"ASC_KEY_PATH": str(path)})
        self.assertEqual(outcome.status, 0, outcome)

    def test_folders_that_altool_searches(self):
        home = self.folder / "home"
        for folder in [
            self.folder / "private_keys", home / "private_keys", home / ".private_keys",
            home / ".appstoreconnect/private_keys", self.folder / "own",
        ]:
            folder.mkdir(parents=True)
            shutil.copy(self.key, folder)
            outcome = self.upload(self.path, "--create", environment={
                "ASC_KEY_PATH": "", "ASC_KEY_ID": KEY_ID,
                "API_PRIVATE_KEYS_DIR": str(self.folder / "own")})
            self.assertEqual(outcome.status, 0, outcome)
            shutil.rmtree(folder)
        outcome = self.upload(self.path, environment={"ASC_KEY_PATH": "", "ASC_KEY_ID": KEY_ID})
        self.assertIn(f"there is no 'AuthKey_{KEY_ID}.p8' or 'ApiKey_{KEY_ID}.p8' in", outcome.err)

    def test_environments(self):
        pem = self.key.read_text()
        none = {"ASC_KEY_PATH": "", "ASC_ISSUER_ID": ""}
        fastlane = "APP_STORE_CONNECT_API_KEY_"
        file = self.folder / "fastlane.json"
        file.write_text(json.dumps({"key_id": KEY_ID, "issuer_id": ISSUER, "key": pem}))
        for environment in [
            {"ASC_KEY_ID": KEY_ID, "ASC_ISSUER_ID": ISSUER, "ASC_PRIVATE_KEY": pem},
            {"ASC_KEY_ID": KEY_ID, "ASC_ISSUER_ID": ISSUER,
             "ASC_PRIVATE_KEY": pem.replace("\n", "\\n")},
            {"ASC_KEY_ID": KEY_ID, "ASC_ISSUER_ID": ISSUER,
             "ASC_PRIVATE_KEY": base64.b64encode(pem.encode()).decode()},
            {"ASC_KEY_ID": KEY_ID, "ASC_ISSUER_ID": ISSUER,
             "ASC_PRIVATE_KEY_B64": base64.b64encode(pem.encode()).decode()},
            {fastlane + "KEY_ID": KEY_ID, fastlane + "ISSUER_ID": ISSUER, fastlane + "KEY": pem},
            {fastlane + "KEY_ID": KEY_ID, fastlane + "ISSUER_ID": ISSUER,
             fastlane + "KEY_FILEPATH": str(self.key)},
            {fastlane + "PATH": str(file)},
        ]:
            outcome = self.upload(self.path, "--create", environment=none | environment)
            self.assertEqual(outcome.status, 0, (environment, outcome))
        outcome = self.upload(self.path, "--key", file, environment=none)
        self.assertEqual(outcome.status, 0, outcome)

    def test_keys_of_everybody(self):
        link = self.folder / "link" / self.key.name
        link.parent.mkdir()
        link.symlink_to(self.key)
        for mode, verb in ((0o600, None), (0o400, None), (0o644, "read"), (0o640, "read"),
                           (0o666, "replace"), (0o602, "replace")):
            self.key.chmod(mode)
            for path in (self.key, link):
                outcome = self.upload(
                    self.path, "--create", "--quiet", environment={"ASC_KEY_PATH": str(path)})
                self.assertEqual(outcome.status, 0, outcome)
                warning = f"warning: other users can {verb} the API key '{path}'; 'chmod 600'"
                self.assertEqual(warning in outcome.err, verb is not None, outcome)
                self.assertEqual("warning" in outcome.err, verb is not None, outcome)

    def test_no_key(self):
        self.refused("there is no API key", ASC_KEY_PATH="")
        self.refused("; give --issuer-id", ASC_ISSUER_ID="")
        bad = self.folder / "AuthKey_BAD.p8"
        bad.write_text("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
        self.refused("is not a private key on P-256", ASC_KEY_PATH=str(bad))
        rsa = subprocess.run(["openssl", "genrsa", "2048"], capture_output=True).stdout
        bad.write_bytes(rsa)
        self.refused("is not a private key on P-256", ASC_KEY_PATH=str(bad))

    def test_no_plain_http_to_others(self):
        for address in ("http://api.example.com", "http://127.0.0.1.example.com", "ftp://x",
                        "http://user:word@127.0.0.1", "https://", f"{self.mock.api}/prefix",
                        f"{self.mock.api}?x", f"{self.mock.api}/#f"):
            for outcome in (self.upload(self.path, "--api", address),
                            self.upload(self.path, environment={"BA_UPLOAD_API": address})):
                self.assertEqual(outcome.status, 64, outcome)
                self.assertNotIn(f"{address}'", outcome.err)
                self.assertNotIn("word", outcome.err)
        self.assertEqual(self.upload(self.path, "--create", "--api", self.mock.api + "/").status, 0)

    def test_another_api_is_named(self):
        process = self.popen("status", "--app", APP, "--api", "https://127.0.0.1.invalid:1")
        line = process.stderr.readline()
        process.kill()
        process.communicate()
        self.assertEqual(line, "note: the API is at https://127.0.0.1.invalid:1, not Apple's\n")


class Misplaced(UploadCase):
    """Keys and tokens in variables and options that are meant for something else."""

    PATHS = ("ASC_PRIVATE_KEY_PATH", "ASC_KEY_PATH", "APP_STORE_CONNECT_API_KEY_PATH",
             "APP_STORE_CONNECT_API_KEY_KEY_FILEPATH")
    OTHERS = ("ASC_KEY_ID", "ASC_ISSUER_ID", "APP_STORE_CONNECT_API_KEY_KEY_ID",
              "APP_STORE_CONNECT_API_KEY_ISSUER_ID", "API_PRIVATE_KEYS_DIR", "BA_UPLOAD_API")
    OPTIONS = ("--key", "--key-id", "--issuer-id", "--api", "--app", "an argument")

    def setUp(self):
        super().setUp()
        pem = self.key.read_text()
        body = "".join(line for line in pem.splitlines() if "-" not in line)
        token = ".".join(
            base64.urlsafe_b64encode(part).decode().rstrip("=")
            for part in (b'{"alg":"ES256"}', b'{"iss":"57246542"}', bytes(range(64))))
        document = json.dumps({"key_id": KEY_ID, "issuer_id": ISSUER, "key": pem})
        self.keys = {
            "PEM": pem, "escaped": pem.replace("\n", "\\n"),
            "Base64": base64.b64encode(pem.encode()).decode(),
            "lines of Base64": base64.encodebytes(pem.encode()).decode(), "fastlane": document,
        }
        self.others = {
            "body": body, "beginning": body[:120], "token": token,
            "fastlane in Base64": base64.b64encode(document.encode()).decode(),
            "shifted": base64.b64encode(b" " + pem.encode()).decode(),
            "unknown": base64.b64encode(bytes(range(128))).decode(),
        }

    def assert_hidden(self, outcome, form):
        """No twelve characters of it, whatever is between them."""
        text = "".join((outcome.out + outcome.err).split())
        form = "".join(form.split())
        for start in range(len(form) - 12):
            self.assertNotIn(form[start:start + 12], text)

    def status(self, *words, **environment):
        base = {"ASC_KEY_PATH": "", "ASC_KEY_ID": KEY_ID}
        return self.run_tool(
            "status", "--app", APP, "--timeout", "1", *words, environment=base | environment)

    def test_variables(self):
        for name in self.PATHS + self.OTHERS:
            for kind, form in (self.keys | self.others).items():
                with self.subTest(name=name, kind=kind):
                    good = {} if name in self.PATHS + ("API_PRIVATE_KEYS_DIR",) else {
                        "ASC_KEY_PATH": str(self.key)}
                    if name.startswith("APP_STORE"):
                        good |= {name.replace("APP_STORE_CONNECT_API_KEY_", "ASC_"): ""}
                    outcome = self.status(**good | {name: form})
                    self.assert_hidden(outcome, form)
                    if name in self.PATHS and kind in self.keys:
                        self.assertEqual(outcome.status, 0, outcome)
                    elif name in self.PATHS and kind in ("shifted", "fastlane in Base64"):
                        continue
                    else:
                        self.assertIn(outcome.status, (1, 64), outcome)
                        self.assertIn(name, outcome.err)

    def test_options(self):
        for option in self.OPTIONS:
            for kind, form in (self.keys | self.others).items():
                words = [f"{option}={form}"] if option.startswith("--") else [form]
                for words in [words] + ([[option, form]] if option.startswith("--") else []):
                    with self.subTest(option=option, kind=kind, words=len(words)):
                        outcome = self.status(*words, ASC_KEY_PATH=str(self.key))
                        self.assert_hidden(outcome, form)
                        self.assertIn(outcome.status, (1, 64), outcome)
                        self.assertIn(option, outcome.err)

    def test_rare_forms(self):
        """Parts of keys, and keys that are encoded twice, where nobody expects a key."""
        source = random.Random(20261124)
        forms = []
        for number in range(8 if LONG else 2):
            pem = self.keys["PEM"]
            if number:
                pem = base64.encodebytes(
                    bytes.fromhex("308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b02"
                                  "01010420") + source.randbytes(102)).decode()
                pem = f"-----BEGIN PRIVATE KEY-----\n{pem}-----END PRIVATE KEY-----\n"
            der = base64.b64decode("".join(pem.splitlines()[1:-1]))
            sec1 = base64.b64encode(bytes.fromhex("30770201010420") + der[36:68] + bytes.fromhex(
                "a00a06082a8648ce3d030107a14403420004") + der[-64:]).decode()
            forms += [
                sec1, sec1[64:128], pem.splitlines()[2],
                base64.b64encode(base64.b64encode(pem.encode())).decode(), pem.encode().hex(),
                der.hex().upper(), *(base64.b64encode(pem.encode(name)).decode()
                                     for name in ("utf-16", "utf-16-le", "utf-16-be"))]
        for number, form in enumerate(forms):
            options = ("--app", "--platform", "--app-version", "--key", "--format", "an argument")
            for option in options if LONG else [options[number % 6], options[(number + 1) % 6]]:
                words = [f"{option}={form}"] if option.startswith("--") else [form]
                outcome = self.run_tool("submit", "--app", APP, "--all", *words)
                self.assertEqual(outcome.status, 64, outcome)
                self.assert_hidden(outcome, form)
                self.assertIn("or what looks like one, which is not shown", outcome.err)
            for name in self.PATHS[:2] + ("API_PRIVATE_KEYS_DIR", "HOME"):
                outcome = self.status(**{name: form})
                self.assertEqual(outcome.status, 1, outcome)
                self.assert_hidden(outcome, form)

    def test_what_looks_like_no_key(self):
        """Long names, digests in paths, and random names of files that exist, are shown."""
        names = [
            "Users/Anna/Projects/LanternKeeper2/Build/Packs/HarbourTownAndLighthouseLevels",
            "cache/" + 8 * "3f786850" + "/HarbourLevelsOfTheSecondChapter",
            "BUILDS/LANTERNKEEPER2/RELEASE/PACKS/HARBOURTOWNANDLIGHTHOUSE",
            "nix/store/0c6kzph7l0dcbfmjap64f0czdafn3b7x-harbour/Packs/Harbour"]
        for name in names:
            outcome = self.upload(f"{name}.aar")
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn(f"there is no '{name}.aar'", outcome.err)
        path = self.pack("harbour")
        name = base64.b64encode(random.Random(1).randbytes(48)).decode().replace("/", "x")
        self.assert_hidden(self.upload(f"{name}.aar", "--create"), name)
        path = path.rename(self.folder / f"{name}.aar")
        outcome = self.upload(path.name, "--create")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn(f"{path.name}: harbour version 1", outcome.out)

    def test_a_file_with_other_contents(self):
        file = self.folder / "fastlane.json"
        file.write_text(json.dumps({"key_id": self.keys["PEM"], "key": self.keys["PEM"]}))
        outcome = self.status(ASC_KEY_PATH=str(file), ASC_ISSUER_ID="")
        self.assert_hidden(outcome, self.keys["PEM"])
        self.assertIn(f"'{file}': expected the id", outcome.err)
        # A file that was cut off, after the key.
        document = json.dumps({"key_id": KEY_ID, "issuer_id": ISSUER, "key": self.key.read_text()})
        file.write_text(document)
        self.assertEqual(self.status(ASC_KEY_PATH=str(file), ASC_ISSUER_ID="").status, 0)
        file.write_text(document[:-1])
        outcome = self.status(ASC_KEY_PATH=str(file), ASC_ISSUER_ID="")
        self.assert_hidden(outcome, "cut off")
        self.assertIn("is not fastlane's JSON file of a key", outcome.err)


class Secrets(UploadCase):
    def test_tokens_of_the_server(self):
        """In the address of a next page, and one of an earlier run in the store's remarks."""
        token = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiI1NzI0In0.c2lnbmF0dXJl"
        self.mock.set(warnings=[{"code": "1", "description": f"sent with {token}"}])
        self.upload(self.pack("harbour"), "--create")
        outcome = self.run_tool("status", "--app", APP)
        self.assertIn("sent with [secret] [1]", outcome.out)
        self.upload(self.pack("bridge"), "--create")
        self.mock.set(page_size=1, next_host=f"{self.mock.api}/{token}")
        outcome = self.run_tool("status", "--app", APP, "--verbose")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("GET /[secret]/v1/apps/", outcome.err)
        self.assertEqual(outcome.err.count("/[secret]/"), 2)
        self.assertNotIn("eyJ", outcome.out + outcome.err)

    def test_secrets_appear_nowhere(self):
        """Key, tokens and presigned addresses: not in outputs, receipts or arguments."""
        path = self.pack("harbour", size=100_000)
        secrets = [line for line in self.key.read_text().split("\n") if line and "-" not in line]
        seen = []
        # The server repeats the token and addresses in its errors.
        self.mock.faults(
            {"on": "GET /v1/backgroundAssetVersions", "echo": 500},
            {"on": "POST /v1/backgroundAssetUploadFiles", "echo": 500},
            {"on": "PATCH", "echo": 400}, {"on": "PUT .*/2$", "status": 500},
            {"on": "PUT .*/3$", "cut": 1})
        self.mock.set(part_delay=1)
        process = self.popen(path, "--app", APP, "--create", "--verbose")
        self.wait_until(lambda: self.requests("PUT"))
        if sys.platform == "linux":
            for name in ("cmdline", "limits"):
                seen.append(pathlib.Path(f"/proc/{process.pid}/{name}").read_text())
            self.assertRegex(seen[1], r"Max core file size\s+0\s+0")
        out, err = process.communicate()
        self.assertEqual(process.returncode, 1, err)
        self.assertIn("Bearer [secret] /v1/backgroundAssetUploadFiles/", err)
        self.assertIn("/1?...", err)
        seen += [out, err, pathlib.Path(f"{path}.upload.json").read_text()]
        for file in self.folder.glob("*.tmp"):
            seen.append(file.read_text())
        text = "\n".join(seen)
        self.assertNotIn("Bearer ey", text)
        self.assertNotIn("eyJ", text)
        self.assertNotIn("X-Signature=", text)
        self.assertNotIn("Expires=", text)
        for secret in secrets:
            self.assertNotIn(secret, text)

    @unittest.skipUnless(sys.platform == "linux", "Linux only")
    def test_the_memory_can_not_be_read(self):
        """The files of a process that can be dumped belong to its user, otherwise to root."""
        user = os.getuid() or 65534
        options = {"user": user, "cwd": "/"} if os.getuid() == 0 else {}
        program = shutil.copy(os.environ["BA_UPLOAD"], self.folder / "program")
        self.folder.chmod(0o755)
        self.mock.faults({"on": "GET /v1", "hold": 1})
        environment = {"ASC_KEY_PATH": "", "ASC_KEY_ID": KEY_ID, "ASC_PRIVATE_KEY": self.key.read_text()}
        process = subprocess.Popen(
            [program, "status", "--app", APP], env=self.environment(**environment),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        other = subprocess.Popen(["sleep", "300"], **options)
        try:
            self.wait_until(lambda: process.poll() is not None or self.requests("GET"))
            owners = [os.stat(f"/proc/{p.pid}/mem").st_uid for p in (process, other)]
        finally:
            other.kill()
            other.communicate()
            self.mock.faults()
            out, err = process.communicate()
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(owners, [0, user])


if __name__ == "__main__":
    unittest.main()
