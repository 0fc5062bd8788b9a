"""A server that asks for a name and a password."""

import base64
import concurrent.futures
import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
import time
import unittest
import urllib.parse
import urllib.request

from device import Device, DownloadError
from server import TIMEOUT, TOOL, ServerTest, contents, environment


class UserTest(ServerTest):
    @unittest.skipUnless(shutil.which("curl"), "curl is not installed")
    def test_curl(self):
        pack = self.pack("one", {"1.txt": b"1"})
        server = self.serve(pack, "--host", "localhost", "--user", "tester", password="pass word")
        self.assertEqual(server.urls, [f"https://localhost:{server.port}"])
        plain = f"https://localhost:{server.port}"

        def curl(path, *more):
            done = subprocess.run(
                ["curl", "-s", "-i", "--cacert", server.authority, *more, plain + path],
                capture_output=True, timeout=TIMEOUT)
            self.assertEqual(done.returncode, 0)
            head, _, body = done.stdout.partition(b"\r\n\r\n")
            return int(head.split()[1]), head.decode(), body

        for path in ("/", "/manifest?platform=iOS", "/download-manifest.json", "/assetpacks/one",
                     "/nothing"):
            guesses = [
                ["-u", "tester:wrong"], ["-u", "other:pass word"], ["-u", "tester:"],
                ["-u", "tester:pass wordx"], ["-H", "Authorization: Bearer x"],
                ["-H", "Authorization: Basic"], ["-H", "Authorization: Basic !!!!"],
                ["-H", "Authorization: Basic " + token("tester:pass word") + " x"]]
            for wrong in ([], ["-X", "POST"], ["-I"],
                          *(guesses if path == "/" else guesses[:1])):
                status, head, body = curl(path, *wrong)
                self.assertEqual(status, 401, (path, wrong))
                self.assertIn('WWW-Authenticate: Basic realm="ba-serve", charset="UTF-8"', head)
                self.assertNotIn(b"one", body.replace(b"one is", b""))
        for right in (["-u", "tester:pass word"], ["--anyauth", "-u", "tester:pass word"],
                      ["-H", "Authorization: bAsIc " + token("tester:pass word")],
                      ["-H", "Authorization: Basic  " + token("tester:pass word") + " \t"]):
            status, _, body = curl("/manifest", *right)
            if "--anyauth" in right:
                status, body = re.search(rb"HTTP/1.1 200", body) and 200, body.partition(b"\r\n\r\n")[2]
            self.assertEqual(status, 200)
            url = json.loads(body)["assetPacks"][0]["url"]
            self.assertTrue(url.startswith(server.url + "/assetpacks/one?"), url)
        self.assertEqual(curl("/assetpacks/one", "-u", "tester:pass word")[2], pack.read_bytes())
        self.assertEqual(curl("/nothing", "-u", "tester:pass word")[0], 404)

        # What was tried is in no line of the log, not even as part of a target.
        secret = "s3cret-attempt"
        curl("/manifest", "-u", f"{secret}:{secret}")
        context = ssl.create_default_context(cafile=server.authority)
        with context.wrap_socket(socket.create_connection(("localhost", server.port)),
                                 server_hostname="localhost") as connection:
            connection.sendall(
                f"GET https://tester:{secret}@localhost:{server.port}/manifest HTTP/1.1\r\n"
                f"Host: localhost:{server.port}\r\nConnection: close\r\n\r\n".encode())
            self.assertIn(b" 401 ", connection.recv(4096))
        _, errors = server.stop()
        log = json.dumps(server.rest()) + errors
        self.assertIn('"status": 401', log)
        for hidden in (secret, token(f"{secret}:{secret}"), "pass word", "pass%20word"):
            self.assertNotIn(hidden, log)

    def started_as_text(self, *arguments, password=None):
        """What the start shows to people, and the page that it names."""
        process = subprocess.Popen(
            [TOOL, *arguments, "--port", "0", "--setup-port", "0", "--host", "localhost"], text=True,
            cwd=self.home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            env=environment(self.home, password))
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        text = ""
        while "Compare it" not in text:
            line = process.stdout.readline()
            self.assertNotEqual(line, "", text)
            text += line
        page = re.search(r"Setup page +(\S+)", text)[1]
        # The page is for everybody.
        with urllib.request.urlopen(page, timeout=TIMEOUT) as answer:
            return text, answer.read().decode()

    def test_a_password_is_made(self):
        pack = self.pack("one", {"1.txt": b"1"})
        authority = self.home / ".local/share/ba-serve/authority.pem"
        made = set()
        for _ in range(2):
            text, page = self.started_as_text(pack, "--user", "tester")
            url = re.search(r"URL override +(\S+)", text)[1]
            user = urllib.parse.urlsplit(url)
            self.assertEqual(user.username, "tester")
            self.assertRegex(user.password, "^[a-z2-9]{16}$")
            made.add(user.password)
            self.assertEqual(Device(url, authority).check_for_updates(), ["one"])
            self.assertIn(f"https://localhost:{user.port}", page)
            self.assertIn("with the name and password that ba-serve printed", page)
            for secret in ("tester", user.password):
                self.assertNotIn(secret, page)
            self.assertIn(url, self.run_tool("url-override", url).stdout)
        self.assertEqual(len(made), 2)

    def test_a_given_password_is_shown_nowhere(self):
        pack = self.pack("one", {"1.txt": b"1"})
        text, page = self.started_as_text(pack, "--user", "tester", password="S3cr3t")
        self.assertIn("https://tester:PASSWORD@localhost:", text)
        self.assertIn("PASSWORD stands for that in BA_SERVE_PASSWORD", text)
        self.assertNotIn("S3cr3t", text + page)
        server = self.serve(pack, "--user", "tester", password="S3cr3t", setup_page=True)
        self.assertEqual(Device(server.url, server.authority).check_for_updates(), ["one"])
        processes = subprocess.run(["ps", "-ww", "-o", "args", "-p", str(server.process.pid)],
                                   capture_output=True, text=True)
        _, errors = server.stop()
        log = json.dumps([server.started, *server.rest()]) + errors + processes.stdout
        self.assertNotIn("S3cr3t", log)

    def test_wrong_guesses_are_slow(self):
        """On many connections, too; who has the password doesn't wait, unless that is done."""
        pack = self.pack("one", {"1.txt": b"1"})
        server = self.serve(pack, "--host", "localhost", "--user", "me", password="right")
        trust = ssl.create_default_context(cafile=server.authority)

        def guess(password):
            connection = http.client.HTTPSConnection(
                "localhost", server.port, context=trust, timeout=TIMEOUT)
            connection.request("GET", "/manifest", headers={
                "Authorization": "Basic " + token("me:" + password)})
            status = connection.getresponse().status
            connection.close()
            return status, time.monotonic()

        begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(40) as pool:
            answers = list(pool.map(guess, map(str, range(40))))
            compared = sorted(at - begin for status, at in answers if status == 401)
            self.assertEqual({status for status, _ in answers}, {401, 429})
            self.assertLessEqual(len(compared), 11)
            for count, seconds in enumerate(compared, 1):
                self.assertGreater(seconds, count - 0.5)
        self.assertEqual(guess("wrong")[0], 401)
        begin = time.monotonic()
        for _ in range(20):
            self.assertEqual(guess("right")[0], 200)
        self.assertLess(time.monotonic() - begin, 5)
        hint = server.wait_for("hint")["message"]
        self.assertIn("gave a wrong name or password", hint)

    def test_a_device_downloads_while_packs_change(self):
        versions = [bytes([number]) * 300_000 for number in range(6)]
        self.write("big.bin", versions[0])
        server = self.serve(self.manifest("one", "big.bin"), "--watch", "--host", "localhost", "--user",
                            "me", password="p%40:ss")
        device = Device(server.url, server.authority)
        self.assertEqual(device.check_for_updates(), ["one"])
        for number, data in enumerate(versions[1:], 1):
            listed, = device.fetch_manifest()
            self.write("big.bin", data)
            server.wait_for("packs")
            # The pack that was listed is still there, also for one that is resumed.
            old = device.download(listed, pause_after=100_000)
            self.assertEqual(contents(old)["big.bin"], versions[number - 1])
            self.assertEqual(device.check_for_updates(), ["one"])
            version, pack = device.installed["one"]
            self.assertEqual((version, contents(pack)["big.bin"]), (number, data))
        for user in ("", "me:wrong@"):
            stranger = Device(f"https://{user}localhost:{server.port}", server.authority)
            with self.assertRaisesRegex(DownloadError, "401"):
                stranger.fetch_manifest()

    def test_invalid_values(self):
        pack = self.pack("one", {"1.txt": b"1"})
        alone = "every user of this machine can see the command line"
        for user, password, reason in (
            ("me:S3cr3t", None, alone), (":S3cr3t", "x", alone), ("", "x", "name must be UTF-8"),
            ("a\nb", "x", "one line"), ("a" * 201, "x", "200 bytes"), ("a", "", "password must be"),
            ("a", "S3cr3t\n", "password must be"), ("a", "S3cr3t" * 40, "password must be"),
        ):
            done = self.run_tool(pack, "--user", user, password=password)
            self.assertEqual(done.returncode, 64, user)
            self.assertIn(reason, done.stderr)
            self.assertNotIn("S3cr3t", done.stdout + done.stderr)
        done = self.run_tool(pack, "--user", "me", "--format", "json")
        self.assertEqual(done.returncode, 64)
        self.assertIn("needs a password in the variable BA_SERVE_PASSWORD", done.stderr)
        for url in ("https://me@localhost", "https://:x@localhost", "https://a b:c@localhost"):
            done = self.run_tool("url-override", url)
            self.assertEqual(done.returncode, 64)
            self.assertIn("before '@' must be a name, a colon and a password", done.stderr)


def token(text):
    return base64.b64encode(text.encode()).decode()
