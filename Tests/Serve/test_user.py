"""A server that asks for a name and a password."""

import base64
import json
import re
import shutil
import socket
import ssl
import subprocess
import unittest
import urllib.parse
import urllib.request

from device import Device, DownloadError
from server import TIMEOUT, ServerTest, contents


class UserTest(ServerTest):
    @unittest.skipUnless(shutil.which("curl"), "curl is not installed")
    def test_curl(self):
        pack = self.pack("one", {"1.txt": b"1"})
        server = self.serve(pack, "--host", "localhost", "--user", "tester:pass word")
        self.assertEqual(server.urls, [f"https://tester:pass%20word@localhost:{server.port}"])
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
            for wrong in ([], ["-u", "tester:wrong"], ["-u", "other:pass word"], ["-u", "tester:"],
                          ["-u", "tester:pass wordx"], ["-H", "Authorization: Bearer x"],
                          ["-H", "Authorization: Basic"], ["-H", "Authorization: Basic !!!!"],
                          ["-X", "POST"], ["-I"]):
                status, head, body = curl(path, *wrong)
                self.assertEqual(status, 401, (path, wrong))
                self.assertIn('WWW-Authenticate: Basic realm="ba-serve", charset="UTF-8"', head)
                self.assertNotIn(b"one", body.replace(b"one is", b""))
        for right in (["-u", "tester:pass word"], ["--anyauth", "-u", "tester:pass word"],
                      ["-H", "Authorization: bAsIc " + token("tester:pass word")]):
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

    def test_a_password_is_made(self):
        pack = self.pack("one", {"1.txt": b"1"})
        made = set()
        for _ in range(2):
            server = self.serve(pack, "--host", "localhost", "--user", "tester", setup_page=True)
            user = urllib.parse.urlsplit(server.urls[0])
            self.assertEqual(user.username, "tester")
            self.assertRegex(user.password, "^[a-z2-9]{16}$")
            made.add(user.password)
            self.assertEqual(Device(server.url, server.authority).check_for_updates(), ["one"])
            # The page is for everybody, and shows the address.
            with urllib.request.urlopen(server.setup_page, timeout=TIMEOUT) as answer:
                self.assertIn(server.urls[0], answer.read().decode())
            self.assertIn(server.urls[0], self.run_tool("url-override", server.urls[0]).stdout)
            server.stop()
        self.assertEqual(len(made), 2)

    def test_a_device_downloads_while_packs_change(self):
        versions = [bytes([number]) * 300_000 for number in range(6)]
        self.write("big.bin", versions[0])
        server = self.serve(self.manifest("one", "big.bin"), "--watch", "--host", "localhost", "--user",
                            "me:p%40:ss")
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
        for user, reason in ((":x", "name is empty"), ("a:", "password is empty"), ("a\nb", "one line"),
                             ("a" * 201, "200 bytes")):
            done = self.run_tool(pack, "--user", user)
            self.assertEqual(done.returncode, 64)
            self.assertIn(reason, done.stderr)
        for url in ("https://me@localhost", "https://:x@localhost", "https://a b:c@localhost"):
            done = self.run_tool("url-override", url)
            self.assertEqual(done.returncode, 64)
            self.assertIn("before '@' must be a name, a colon and a password", done.stderr)


def token(text):
    return base64.b64encode(text.encode()).decode()
