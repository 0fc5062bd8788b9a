"""The page that installs the authority, and the authority itself."""

import fcntl
import http.client
import os
import plistlib
import re
import shutil
import signal
import stat
import subprocess
import sys
import unittest
import unittest.mock
import urllib.parse

from server import ServerTest, TIMEOUT, TOOL, environment


class SetupPageTest(ServerTest):
    def get(self, server, path, method="GET"):
        port = urllib.parse.urlsplit(server.setup_page).port
        connection = http.client.HTTPConnection("localhost", port, timeout=TIMEOUT)
        connection.request(method, path)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.getheader("Content-Type"), body

    def test_profile_only(self):
        server = self.serve(self.pack("one", {"one.txt": b"1"}), setup_page=True)
        status, kind, body = self.get(server, "/authority.mobileconfig")
        self.assertEqual((status, kind), (200, "application/x-apple-aspen-config"))
        profile = plistlib.loads(body)
        self.assertEqual(profile["PayloadType"], "Configuration")
        payload, = profile["PayloadContent"]
        self.assertEqual(payload["PayloadType"], "com.apple.security.root")
        der = self.get(server, "/authority.cer")[2]
        self.assertEqual(payload["PayloadContent"], der)
        self.assertNotEqual(payload["PayloadUUID"], profile["PayloadUUID"])
        self.assertEqual(self.get(server, "/authority.mobileconfig")[2], body)
        with open(server.authority, "rb") as file:
            self.assertEqual(self.get(server, "/authority.pem")[2], file.read())
        for path in ("/authority.key", "/manifest", "/assetpacks/one", "/../authority.key",
                     "/%2e%2e/authority.key"):
            status, _, body = self.get(server, path)
            self.assertEqual(status, 404, path)
            self.assertNotIn(b"PRIVATE", body)
        self.assertEqual(self.get(server, "/", "POST")[0], 405)
        page = self.get(server, "/")[2].decode()
        for url in server.urls:
            self.assertIn(url, page)

    def test_the_name_as_devices_show_it(self):
        """Characters that the text form of names in certificates escapes."""
        with unittest.mock.patch.dict(os.environ, {"USER": 'Doe, "J" + <i>'}):
            server = self.serve(self.pack("one", {"one.txt": b"1"}), setup_page=True)
            self.assertIn('name      ba-serve Doe, "J" + <i> on ', self.run_tool("authority").stdout)
            self.assertIn("ba-serve Doe, &quot;J&quot; + &lt;i&gt; on ", self.get(server, "/")[2].decode())

    def test_a_held_lock(self):
        """Says what it waits for, and the first signal ends that."""
        pack = self.pack("one", {"one.txt": b"1"})
        folder = self.home / ".local/share/ba-serve"
        folder.mkdir(parents=True)
        held = os.open(folder, os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        process = subprocess.Popen(
            [TOOL, pack, "--port", "0", "--no-setup-page"], cwd=self.home, text=True,
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(self.home))
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        self.assertEqual(
            process.stderr.readline(), f"waiting for another ba-serve that is using '{folder}'\n")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(TIMEOUT), 128 + signal.SIGINT)
        self.assertEqual(process.stderr.read(), "error: stopped by SIGINT; nothing was served\n")
        os.close(held)

    def test_key_is_private(self):
        self.assertEqual(self.run_tool("authority").returncode, 0)
        folder = self.home / ".local/share/ba-serve"
        key = folder / "authority.key"
        self.assertEqual(stat.S_IMODE(key.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(folder.stat().st_mode), 0o700)
        key.chmod(0o644)
        refused = self.run_tool("authority")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("can be read by other users", refused.stderr)
        before = key.read_bytes()
        renewed = self.run_tool("authority", "--renew", "--key-type", "rsa")
        self.assertEqual((renewed.returncode, renewed.stderr), (0, "made a new authority\n"))
        self.assertEqual(self.run_tool("authority").stderr, "")
        self.assertNotEqual(key.read_bytes(), before)
        self.assertEqual(stat.S_IMODE(key.stat().st_mode), 0o600)

    def test_a_folder_that_cannot_be_made(self):
        (self.home / ".local").write_bytes(b"a file")
        done = self.run_tool("authority")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"can't create folder '.*/\.local/share'")

    def test_export(self):
        for name, begins in (("a.pem", b"-----BEGIN CERTIFICATE"), ("a.cer", b"0\x82"),
                             ("a.mobileconfig", b"<?xml")):
            self.assertEqual(self.run_tool("authority", "--export", name).returncode, 0)
            self.assertTrue((self.home / name).read_bytes().startswith(begins))
            refused = self.run_tool("authority", "--export", name)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("--force replaces it", refused.stderr)
            self.assertEqual(self.run_tool("authority", "--export", name, "-f").returncode, 0)
        self.assertEqual(self.run_tool("authority", "--export", "a.txt").returncode, 64)

    def test_export_keeps_the_authority_and_devices(self):
        self.assertEqual(self.run_tool("authority").returncode, 0)
        kept = self.home / ".local/share/ba-serve/authority.pem"
        before = kept.read_bytes()
        (self.home / "link.cer").symlink_to(kept)
        for path in (kept, "link.cer"):
            refused = self.run_tool("authority", "--export", path, "--force")
            self.assertEqual(refused.returncode, 1)
            self.assertIn("input", refused.stderr)
            self.assertEqual(kept.read_bytes(), before)
        (self.home / "out.pem").symlink_to("/dev/stdout")
        shown = self.run_tool("authority", "--export", "out.pem")
        self.assertEqual((shown.returncode, shown.stdout.encode()), (0, before))
        self.assertTrue((self.home / "out.pem").is_symlink())

    @unittest.skipUnless(shutil.which("chromium"), "chromium is not installed")
    def test_in_a_browser(self):
        """Chromium lays the page out, obeys its policy, and shows the steps and the address."""
        server = self.serve(self.pack("one", {"one.txt": b"1"}), setup_page=True)
        port = urllib.parse.urlsplit(server.setup_page).port
        picture = self.home / "page.png"
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             f"--user-data-dir={self.home}/browser", "--enable-logging=stderr", "--v=0",
             "--window-size=390,844", f"--screenshot={picture}", f"http://localhost:{port}/"],
            capture_output=True, text=True, timeout=300, env={**os.environ, "HOME": str(self.home)})
        self.assertTrue(picture.is_file(), done.stderr)
        self.assertNotIn("Content Security Policy", done.stderr)
        dom = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             f"--user-data-dir={self.home}/browser", "--dump-dom", f"http://localhost:{port}/"],
            capture_output=True, text=True, timeout=300, env={**os.environ, "HOME": str(self.home)})
        for text in ("Set up this device", "Certificate Trust Settings", "Apple TV",
                     "Apple Vision Pro", server.urls[0], f"http://localhost:{port}/authority.cer"):
            self.assertIn(text, dom.stdout)
        self.assertNotIn("<script", dom.stdout)
        packs = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--ignore-certificate-errors", f"--user-data-dir={self.home}/browser", "--dump-dom",
             server.url],
            capture_output=True, text=True, timeout=300, env={**os.environ, "HOME": str(self.home)})
        self.assertIn(f"https://localhost:{server.port}/assetpacks/one", packs.stdout)


@unittest.skipIf(sys.platform == "darwin", "it would change this Mac's own override")
class OverrideTest(ServerTest):
    def test_url_override(self):
        shown = self.run_tool("url-override", "https://192.0.2.1:8443/")
        self.assertEqual(shown.returncode, 0)
        self.assertIn("enter the URL override\n    https://192.0.2.1:8443\n", shown.stdout)
        for url in ("http://192.0.2.1", "https://a/path", "https://", "https://a:99999", "a"):
            self.assertEqual(self.run_tool("url-override", url).returncode, 64, url)
        self.assertEqual(self.run_tool("url-override").returncode, 64)
        self.assertEqual(self.run_tool("url-override", "--clear").returncode, 0)


class QRCodeTest(ServerTest):
    def test_only_this_machine(self):
        """No phone can follow the address of a server for this machine only."""
        archive = self.pack("one", {"one.txt": b"1"})
        for host, is_local in (("localhost", True), ("phone.example", False)):
            process = subprocess.Popen(
                [TOOL, archive, "--port", "0", "--setup-port", "0", "--host", host], text=True,
                cwd=self.home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                env=environment(self.home))
            self.addCleanup(lambda process=process: (process.kill(), process.communicate()))
            text = ""
            while "Compare it" not in text:
                text += process.stdout.readline()
            self.assertEqual("Only this machine reaches it" in text, is_local, text)
            page = urllib.parse.urlsplit(re.search(r"Setup page +(\S+)", text)[1])
            connection = http.client.HTTPConnection("localhost", page.port, timeout=TIMEOUT)
            connection.request("GET", "/", headers={"Host": page.netloc})
            body = connection.getresponse().read().decode()
            connection.close()
            # The top row of the first finder, which is black, behind a quiet zone.
            self.assertEqual("M4 4h1v1h-1zM5 4h1v1h-1z" in body, not is_local, body)
            self.assertNotRegex(body, r"M[0-3] |M\d+ [0-3]h")

    def test_on_a_terminal(self):
        """Black on white with a quiet zone of four, whatever the colors of the terminal."""
        archive = self.pack("one", {"one.txt": b"1"})
        reader, writer = os.openpty()
        process = subprocess.Popen(
            [TOOL, archive, "--port", "0", "--setup-port", "0"], cwd=self.home,
            stdin=subprocess.DEVNULL, stdout=writer, stderr=writer, env=environment(self.home))
        os.close(writer)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        text = b""
        while len(rows := re.findall("\x1b\\[30;107m(.*?)\x1b\\[0m\r\n", text.decode(errors="ignore"))) < 17:
            text += os.read(reader, 4096)
        os.close(reader)
        modules = []
        for row in rows:
            modules += [[c in "█▀" for c in row], [c in "█▄" for c in row]]
        size = len(modules[0]) - 8
        self.assertIn(size, range(21, 58, 4))
        for index, row in enumerate(modules[:8 + 7]):
            self.assertFalse(any(row[:4]) or any(row[-4:]))
            if index < 4:
                self.assertFalse(any(row))
        finder = [row[4:11] for row in modules[4:11]]
        ring = [[max(abs(x - 3), abs(y - 3)) != 2 for x in range(7)] for y in range(7)]
        self.assertEqual(finder, ring)
        self.assertEqual([row[-11:-4] for row in modules[4:11]], ring)
