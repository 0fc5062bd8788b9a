"""A server that asks for a name and a password."""

import base64
import concurrent.futures
import functools
import json
import random
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
import unittest
import urllib.parse
import urllib.request

from device import Device, DownloadError
from server import TIMEOUT, TOOL, ServerTest, contents, environment, with_network


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
            user = f"tester:{secret}@"
            for target, host, status in (
                (f"https://{user}localhost:{server.port}/manifest", "", 401),
                (f"HTTPS://{user}localhost:{server.port}/manifest", "", 401),
                (f"ftp://{user}localhost/", "", 401), (f"{user}localhost:443", "", 401),
                ("/manifest", user, 421), (f"https://{user}evil.example/", user, 421),
            ):
                connection.sendall(
                    f"GET {target} HTTP/1.1\r\nHost: {host}localhost:{server.port}\r\n\r\n".encode())
                answer = connection.recv(1 << 16)
                length = int(re.search(rb"Content-Length: (\d+)", answer)[1])
                while len(answer.partition(b"\r\n\r\n")[2]) < length:
                    answer += connection.recv(1 << 16)
                self.assertIn(f" {status} ".encode(), answer[:20], target)
                self.assertNotIn(secret.encode(), answer)
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
            self.assertNotIn("BA_SERVE_PASSWORD", text)
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

    def guess(self, server, password, name="me", source="", address="localhost"):
        """The status and the body of the answer to a password, and when it came."""
        plain = socket.create_connection((address, server.port), TIMEOUT, source and (source, 0))
        with trust(server.authority).wrap_socket(plain, server_hostname="localhost") as connection:
            connection.sendall(
                f"GET /manifest HTTP/1.1\r\nHost: localhost:{server.port}\r\nConnection: close\r\n"
                f"Authorization: Basic {token(f'{name}:{password}')}\r\n\r\n".encode())
            answer = b""
            while block := connection.recv(1 << 16):
                answer += block
        return int(answer.split()[1]), answer, time.monotonic()

    @unittest.skipUnless(sys.platform == "linux", "needs all addresses of 127.0.0.0/8")
    def test_no_wrong_password_is_let_in(self):
        """Thousands, as a few don't show a comparison that is wrong once in a while. Each address
        has one that is answered at once."""
        right = "S3cr3t-pw"
        pack = self.pack("one", {"1.txt": b"1"})
        server = self.serve(pack, "--host", "localhost", "--user", "tester", password=right)
        generator = random.Random()
        near = ["", right.lower(), right.upper(), right + right, right + " ", right + "\n", "PASSWORD"]
        near += [right[:n] for n in range(1, len(right))] + [right[n:] for n in range(1, len(right))]
        near += [right[:n] + chr(ord(right[n]) ^ 1 << bit) + right[n + 1:]
                 for n in range(len(right)) for bit in range(7)]
        letters = [chr(letter) for letter in range(0x21, 0x7f)]
        wrong = [(name, right) for name in ("", "Tester", "teste", "tester1", "tester:", "me")]
        wrong += [("tester", password) for password in near if password != right]
        while len(wrong) < 2000:
            wrong.append(("tester", "".join(generator.choices(letters, k=generator.randint(1, 16)))))

        def attempt(number):
            name, password = wrong[number]
            source = f"127.{number >> 8}.{number & 255}.7"
            status, answer, _ = self.guess(server, password, name, source, "127.0.0.1")
            return status, right.encode() in answer, token(f"tester:{right}").encode() in answer

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual(set(pool.map(attempt, range(len(wrong)))), {(401, False, False)})
        status, answer, _ = self.guess(server, right, "tester", "127.99.0.1", "127.0.0.1")
        self.assertEqual((status, f"//tester:{right}@localhost".encode() in answer), (200, True))

    def test_wrong_guesses_are_slow(self):
        """On many connections, too. Who has the password doesn't wait: see GuessesTests."""
        pack = self.pack("one", {"1.txt": b"1"})
        server = self.serve(pack, "--host", "localhost", "--user", "me", password="right")
        begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(40) as pool:
            answers = list(pool.map(lambda number: self.guess(server, number), map(str, range(40))))
        compared = sorted(at - begin for status, _, at in answers if status == 401)
        self.assertLessEqual({status for status, *_ in answers}, {401, 429})
        for count, seconds in enumerate(compared):
            self.assertGreater(seconds, count)
        self.assertEqual(self.guess(server, "wrong")[0], 401)
        for _ in range(20):
            self.assertEqual(self.guess(server, "right")[0], 200)
        hint = server.wait_for("hint")["message"]
        self.assertIn("gave a wrong name or password", hint)

    @with_network
    def test_neighbours_guess(self):
        """Devices are let in whatever others in their network guess."""
        pack = self.pack("one", {"1.txt": b"1"})
        server = self.serve(pack, "--user", "me", password="right")
        own = "fd00:0:0:1::"

        def ask(host, password):
            return self.guess(server, password, source=f"{own}{host}", address="fd00:0:0:1::1")

        self.assertEqual(ask(9, "right")[0], 200)
        begin, ends, answers = time.monotonic(), threading.Event(), []

        def attack(number):
            while not ends.is_set():
                answers.append(ask(number % 6 + 1, str(number))[0])

        with concurrent.futures.ThreadPoolExecutor(24) as pool:
            attacks = [pool.submit(attack, number) for number in range(24)]
            try:
                while answers.count(401) < 6:
                    self.assertLess(time.monotonic() - begin, TIMEOUT)
                    # This one is known.
                    self.assertEqual(ask(9, "right")[0], 200)
                # These are new.
                for host in (7, 8):
                    self.assertEqual([ask(host, "right")[0] for _ in range(5)], [200] * 5)
            finally:
                ends.set()
            for done in attacks:
                done.result()
        self.assertLessEqual(answers.count(401), time.monotonic() - begin + 1)
        self.assertLessEqual(set(answers), {401, 429})

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
        for password in ("S3cr3t", ""):
            done = self.run_tool(pack, "--port", "0", "--no-setup-page", password=password)
            self.assertEqual((done.returncode, done.stdout), (64, ""))
            self.assertIn("BA_SERVE_PASSWORD protects nothing without '--user'", done.stderr)
            self.assertNotIn("S3cr3t", done.stderr)
        done = self.run_tool(pack, "--user", "me", "--format", "json")
        self.assertEqual(done.returncode, 64)
        self.assertIn("needs a password in the variable BA_SERVE_PASSWORD", done.stderr)
        for url in ("https://me@localhost", "https://:x@localhost", "https://a b:c@localhost"):
            done = self.run_tool("url-override", url)
            self.assertEqual(done.returncode, 64)
            self.assertIn("before '@' must be a name, a colon and a password", done.stderr)

    def test_a_refused_override_shows_no_password(self):
        secret, host = "S3cr3t", "localhost:8443"
        refused = [
            f"https://me:{secret}@{host}/manifest", f"http://me:{secret}@{host}", f"me:{secret}@{host}",
            f"https://me:{secret} @{host}", f" https://me:{secret}@{host}", f"https://me:{secret}@{host}?a",
            f"https://me:{secret}@{host}#a", f"https://me:{secret}@", f"https://me:{secret}@{host}x",
            f"https://me:{secret}", f"https://me:x@{secret}@{host}", f"https://{secret}/x@{host}",
            f"https://:{secret}@{host}", f"https://me:{secret}:x@{host}", f"ttps://me:{secret}@{host}"]
        generator = random.Random()
        for _ in range(60):
            url = list(f"https://me:{secret}@{host}")
            for _ in range(generator.randint(1, 3)):
                place = generator.choice([*range(1, 11), *range(17, len(url))])
                url.insert(place, generator.choice(" /@:#?%\"\\<éx"))
            if secret in "".join(url):
                refused.append("".join(url))
        runs = [["url-override", url] for url in refused]
        runs += [["url-override", f"https://me:x {secret}@{host}".split()[0], f"{secret}@{host}"],
                 ["url-override", "--clear", refused[0]], ["x.aar", "--host", f"https://me:{secret}@{host}"],
                 ["x.aar", "--host", f"me:{secret}@{host}"]]
        for words in runs:
            done = self.run_tool(*words)
            if done.returncode:
                self.assertEqual(done.returncode, 64, words)
                self.assertNotIn(secret, done.stdout + done.stderr)


@functools.cache
def trust(authority):
    return ssl.create_default_context(cafile=authority)


def token(text):
    return base64.b64encode(text.encode()).decode()
