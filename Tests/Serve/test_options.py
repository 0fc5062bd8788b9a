"""Every option is used by a test, and does what its help says."""

import pathlib
import re
import shutil
import socket
import subprocess
import unittest

from device import Device, DownloadError
from server import TOOL, ServerTest, environment, with_network


class OptionTest(ServerTest):
    def test_every_option_is_tested(self):
        sources = "".join(
            file.read_text() for file in pathlib.Path(__file__).parent.glob("*.py"))
        for command in ("serve", "authority", "url-override"):
            done = self.run_tool("help", command)
            self.assertEqual(done.returncode, 0)
            options = re.findall(r"^  (?:-\w, )?(--[a-z-]+)", done.stdout, re.M)
            self.assertIn("COMMON OPTIONS", done.stdout)
            self.assertTrue(options, command)
            for option in options:
                self.assertIn(f'"{option}"', sources, f"no test uses {option} of {command}")

    def test_general_options(self):
        for option in ("--help", "--version"):
            done = self.run_tool("serve", option)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.run_tool("--bogus").returncode, 64)
        offered = self.run_tool("--complete", "serve", "--asset")
        self.assertIn("--asset-pack-versions\t", offered.stdout)

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_manual(self):
        manual = self.run_tool("--generate-manual").stdout
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=manual, text=True,
                              capture_output=True)
        self.assertEqual((done.stdout, done.returncode), ("", 0))

    def test_the_original_command_line(self):
        one, two = self.pack("one", {"1.txt": b"1"}), self.pack("two", {"2.txt": b"2"})
        server = self.serve("serve", one, two, "--host", "localhost", "--asset-pack-versions", "1",
                            "2", "--choose-identity-automatically")
        self.assertEqual(server.urls, [f"https://localhost:{server.port}"])
        self.assertEqual([pack["version"] for pack in server.packs], [1, 2])

    def test_root(self):
        other = self.home / "elsewhere"
        other.mkdir()
        (other / "one.txt").write_bytes(b"one")
        manifest = self.manifest("one", "one.txt")
        refused = self.run_tool(manifest, "--port", "0", "--no-setup-page", "--color", "always")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("\x1b[", refused.stderr)
        self.assertEqual(len(self.serve(manifest, "--root", other).packs), 1)

    def test_links_and_stubs(self):
        outside = self.home / "outside.txt"
        outside.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:"
                            + b"4d7a" * 16 + b"\nsize 4200000\n")
        (self.home / "linked").mkdir()
        (self.home / "linked/one.txt").symlink_to(outside)
        manifest = self.manifest("one", "one.txt")
        root = ("--root", self.home / "linked")
        words = (manifest, *root, "--port", "0", "--no-setup-page")
        self.assertIn("[link-outside-root]", self.run_tool(*words).stderr)
        self.assertIn("[stub-file]", self.run_tool(*words, "--links", "follow").stderr)
        server = self.serve(manifest, *root, "--links", "follow", "--allow-stubs")
        self.assertEqual(len(server.packs), 1)
        (self.home / ".ba-package.json").write_text('{ "links": "follow" }')
        self.assertIn("[stub-file]", self.run_tool(*words).stderr)
        self.assertIn("[link-outside-root]", self.run_tool(*words, "--links", "inside").stderr)

    def test_faults_of_the_command_line(self):
        one = self.pack("one", {"1.bin": bytes(100_000)})
        server = self.serve(one, "--delay", "200ms", "--cut-after", "one=10K", "--wrong-size", "*")
        device = Device(server.url, server.authority)
        listed, = device.fetch_manifest()
        self.assertEqual(listed["downloadSize"], one.stat().st_size - 1)
        with self.assertRaises(DownloadError):
            device.download(listed)
        request = server.wait_for("request", path="/assetpacks/one")
        self.assertEqual((request["bytes"], request["isCut"]), (10_000, True))
        self.assertGreaterEqual(request["seconds"], 0.2)
        for option, value in (("--throttle", "500X"), ("--delay", "5"), ("--cut-after", "x"),
                              ("--fail", "x=5033"), ("--wrong-size", "")):
            done = self.run_tool(one, option, value)
            self.assertEqual(done.returncode, 64, option)
            self.assertRegex(done.stderr, rf"^error: invalid value '{value}' for "
                             rf"'{option} <.*>': [a-z]")
        self.assertIn("--fail <[id=]status>", self.run_tool("help", "serve").stdout)

    def test_the_log_for_people(self):
        one, two = self.pack("one", {"1.bin": bytes(1000)}), self.pack("two", {"2.bin": bytes(10)})
        process = subprocess.Popen(
            [TOOL, one, two, "--port", "0", "--no-setup-page", "--host", "localhost", "--cut-after",
             "one=10"], text=True, cwd=self.home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            env=environment(self.home))
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        while not (found := re.search(r"https://localhost:\d+", line := process.stdout.readline())):
            self.assertNotEqual(line, "")
        device = Device(found[0], self.home / ".local/share/ba-serve/authority.pem")
        listed = {pack["id"]: pack for pack in device.fetch_manifest()}
        with self.assertRaises(DownloadError):
            device.download(listed["one"])
        self.assertEqual(device.download(listed["two"]), two.read_bytes())
        text = ""
        while "/assetpacks/two" not in text:
            text += process.stdout.readline()
        self.assertNotIn("Type 'help'", text)
        start = r"(?m)^\d\d:\d\d:\d\d (?:127\.0\.0\.1|::1) GET "
        size = two.stat().st_size
        for request in ("/manifest\\?platform=iOS 200 .*B", "/assetpacks/one 200 10 B",
                        f"/assetpacks/two 200 {size} B"):
            end = " cut off" if "one" in request else ""
            self.assertRegex(text, rf"{start}{request} \d+\.\d\d\d s{end}$")

    @with_network
    def test_without_a_network(self):
        for host in range(1, 10):
            subprocess.run(["ip", "-6", "addr", "del", f"fd00:0:0:1::{host}/64", "dev", "lo"], check=True)
        if socket.gethostname().endswith(".local"):
            self.skipTest("this machine's name is one for its network")
        server = self.serve(self.pack("one", {"1.txt": b"1"}))
        self.assertEqual(server.urls, [f"https://localhost:{server.port}"])

    def test_packs_are_named_by_file_or_identifier(self):
        folder = self.home / "build"
        folder.mkdir()
        for name, file in (("lantern-harbour", "Harbour"), ("lantern-tower", "Lighthouse")):
            self.pack(name, {f"{name}.bin": b"x"}).rename(folder / f"{file}.aar")
        # What only looks like a manifest isn't served.
        shutil.copy(self.manifest("draft", "lantern-tower.bin"), folder / "Draft.json.orig")
        shutil.copy(folder / "Harbour.aar", folder / "Harbour.aar.bak")
        server = self.serve(folder, "--fail", "Harbour=503", "--fail", "Lighthouse.aar=404")
        device = Device(server.url, server.authority)
        for pack, status in zip(device.fetch_manifest(), (503, 404), strict=True):
            with self.assertRaisesRegex(DownloadError, f"status {status}"):
                device.download(pack)
        server.type("fail Lighthouse=410")
        server.wait_for("answer", message="fail 'lantern-tower': 410")
        for line, message in {
            "fail harbour=503": "no pack is called 'harbour'; did you mean 'Harbour'?",
            "fail lantern-towr=503": "no pack is called 'lantern-towr'; did you mean 'lantern-tower'?",
            "fial Harbour=503": "'fial' is not a command; did you mean 'fail'?",
            "off harbor": "no pack is called 'harbor'; did you mean 'Harbour'?",
            "fail x=503": "no pack is called 'x'; there are 'lantern-harbour', 'lantern-tower'",
        }.items():
            server.type(line)
            self.assertEqual(server.wait_for("error")["message"], message)
        server.type("off Lighthouse")
        server.type("off Harbour")
        server.wait_for("answer", message="no faults are set")

    def test_usage_errors(self):
        one = self.pack("one", {"1.txt": b"1"})
        for arguments in (
            [], [one, "--port", "70000"], [one, "--host", "https://a"], [one, "--host", "a:1"],
            [one, "--identity-path", "a.pem"], [one, "--port", "5", "--setup-port", "5"],
            [one, "--watch", "--asset-pack-versions", "1"],
            [one, "--setup-port", "1", "--no-setup-page"], ["url-override", "--clear", "https://a"],
        ):
            self.assertEqual(self.run_tool(*arguments).returncode, 64, arguments)
