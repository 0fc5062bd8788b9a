"""A device's session: what it downloads is what was packed."""

import http.client
import os
import random
import re
import ssl
import subprocess
import urllib.parse
import urllib.request

from device import Device, DownloadError
from server import PACKAGER, TIMEOUT, ServerTest, contents

SEED = int(os.environ.get("BA_SEED") or 1)


class DeviceTest(ServerTest):
    def setUp(self):
        super().setUp()
        print(f"seed {SEED}")
        self.random = random.Random(SEED)

    def device(self, server, platform="iOS"):
        return Device(server.url, server.authority, platform)

    def test_session(self):
        """Manifest, all packs at once, one cut and resumed, one changed, a higher version."""
        files = {f"pack{number}": {f"data{number}/{part}.bin": self.random.randbytes(200_000)
                                   for part in range(3)} for number in range(6)}
        archives = [self.pack(name, parts) for name, parts in files.items()]
        phone_only = self.pack("phone", {"phone.txt": b"phone"}, platforms=["iOS"])
        mac_only = self.pack("mac", {"mac.txt": b"mac"}, platforms=["macOS"])
        server = self.serve(*archives, phone_only, mac_only, "--watch")

        phone = self.device(server)
        self.assertEqual(sorted(phone.check_for_updates()), sorted([*files, "phone"]))
        for name, parts in files.items():
            self.assertEqual(contents(phone.installed[name][1]),
                             {**parts, "Manifest.json": self.manifest_of(name)})
        mac = self.device(server, "macOS")
        self.assertIn("mac", mac.check_for_updates())
        self.assertNotIn("phone", mac.installed)
        self.assertEqual(phone.check_for_updates(), [])

        # One is paused after its first third and resumed.
        listed = {pack["id"]: pack for pack in phone.fetch_manifest()}
        resumed = phone.download(listed["pack3"], pause_after=200_000)
        self.assertEqual(resumed, archives[3].read_bytes())
        ranged = server.wait_for("request", status=206, path="/assetpacks/pack3")
        self.assertRegex(ranged["range"], r"^bytes=\d+-$")

        # One changes: its version is higher, and a download that was paused begins anew.
        before = archives[2].read_bytes()
        cut = before[:150_000]
        tag = phone._get(urllib.parse.urlsplit("/assetpacks/pack2"), len(before), {}, 1)[1]
        files["pack2"] = {"data2/0.bin": self.random.randbytes(300_000)}
        self.pack("pack2", files["pack2"])
        server.wait_for("packs")
        after = archives[2].read_bytes()
        rest = phone._get(urllib.parse.urlsplit("/assetpacks/pack2"), len(after),
                          {"Range": "bytes=150000-", "If-Range": tag}, None, cut)[0]
        self.assertEqual(rest, after)
        self.assertEqual(phone.check_for_updates(), ["pack2"])
        self.assertEqual(phone.installed["pack2"], (1, after))

    def manifest_of(self, name):
        return (self.game / f"{name}.json").read_bytes()

    def test_newer_platforms_policies_and_events(self):
        """Packs with names that this version doesn't know: listed as they are, for nobody else."""
        events = {"installationEventTypes": ["firstInstallation"]}
        both = self.pack("both", {"b": b"b"}, platforms=["iOS", "visionOS"])
        glass = self.pack("glass", {"g": b"g"}, platforms=["visionOS"])
        idle = self.pack("idle", {"i": b"i"}, downloadPolicy={"onDemand": {}})
        launch = self.pack("launch", {"l": b"l"}, downloadPolicy={"essential": events})
        for archive in both, glass, idle, launch:
            archive.write_bytes(
                archive.read_bytes().replace(b"visionOS", b"glassOS1")
                .replace(b"onDemand", b"whenIdle" if archive == idle else b"onDemand")
                .replace(b"firstInstallation", b"firstLaunchOfGame"))
        server = self.serve(both, glass, idle, launch)
        for platform, others in {
                "iOS": ["both"], "macOS": [], "visionOS": [], "GlassOS1": ["both", "glass"],
                "otherOS": ["both", "glass"]}.items():
            listed = {pack["id"]: pack for pack in self.device(server, platform).fetch_manifest()}
            self.assertEqual(sorted(listed), sorted([*others, "idle", "launch"]), platform)
            self.assertEqual(listed["idle"]["downloadPolicy"], {"whenIdle": {}})
            self.assertEqual(
                listed["launch"]["downloadPolicy"],
                {"essential": {"installationEventTypes": ["firstLaunchOfGame"]}})
        hint = server.wait_for("hint")["message"]
        self.assertIn("'glass' is for glassOS1, so it was left out", hint)
        # Nothing was left out for the others.
        server.stop()
        left_out = [event["message"] for event in server.rest() if event["event"] == "hint"]
        self.assertEqual([re.search(r"packs for (\w+)", each)[1] for each in left_out],
                         ["macOS", "visionOS"])

    def test_versions_are_remembered(self):
        """They rise when the contents change, across starts, and only then."""
        archive = self.pack("level", {"level.txt": b"one"})
        seen = []
        for contents_ in (b"one", b"one", b"two", b"two", b"one"):
            self.pack("level", {"level.txt": contents_})
            server = self.serve(archive)
            seen.append(server.packs[0]["version"])
            server.stop()
        self.assertEqual(seen, [0, 0, 1, 1, 2])

    def test_manifest_of_the_packager(self):
        """The manifest is what download-manifest create makes, but the URLs have the versions."""
        archives = [
            self.pack("one", {"1.txt": b"1"}, userInfo={"part": [1, "é"]}),
            self.pack("two words", {"2.txt": b"2"}, platforms=["iOS", "macOS"], downloadPolicy={
                "essential": {"installationEventTypes": ["firstInstallation"]}}),
        ]
        server = self.serve(*archives)
        output = self.home / "Downloads.json"
        subprocess.run(
            [PACKAGER, "download-manifest", "create", *archives, "--ios", "--download-base-url",
             f"{server.url}/assetpacks", "-o", output], check=True, capture_output=True)
        connection = self.device(server).connect()
        connection.request("GET", "/manifest?platform=iOS")
        listed = connection.getresponse().read()
        labels = re.findall(rb"\?version=(\d+)-[0-9a-f]{16}\"", listed)
        self.assertEqual(labels, [b"0", b"0"])
        self.assertEqual(re.sub(rb"\?version=[^\"]*", b"", listed), output.read_bytes())
        connection.close()

    def test_replaced_file_does_not_mix_packs(self):
        """A transfer goes on with the pack that it began with."""
        archive = self.pack("big", {"big.bin": self.random.randbytes(3_000_000)})
        first = archive.read_bytes()
        server = self.serve(archive, "--throttle", "20M", "--watch")
        device = self.device(server)
        connection = device.connect()
        connection.request("GET", "/assetpacks/big")
        answer = connection.getresponse()
        start = answer.read(1000)
        self.pack("big", {"big.bin": self.random.randbytes(3_000_000)})
        server.wait_for("packs")
        self.assertEqual(start + answer.read(), first)
        connection.close()
        second = device.download(device.fetch_manifest()[0])
        self.assertEqual(second, archive.read_bytes())

    def test_faults(self):
        """Each fault does what it says, for one pack and for all, set at the start and while running."""
        data = self.random.randbytes(100_000)
        one, two = self.pack("one", {"one.bin": data}), self.pack("two", {"two.bin": data})
        server = self.serve(one, two, "--fail", "one=503")
        device = self.device(server)
        listed = {pack["id"]: pack for pack in device.fetch_manifest()}
        with self.assertRaisesRegex(DownloadError, "status 503"):
            device.download(listed["one"])
        self.assertEqual(device.download(listed["two"]), two.read_bytes())

        server.type("off fail")
        server.wait_for("answer", message="no faults are set")
        self.assertEqual(device.download(listed["one"]), one.read_bytes())

        server.type("cut-after two=30K")
        server.wait_for("answer", message="cut-after 'two': 30.0 kB")
        with self.assertRaisesRegex(DownloadError, "connection was lost"):
            device.download(listed["two"])
        cut = server.wait_for("request", isCut=True, path="/assetpacks/two")
        self.assertEqual(cut["bytes"], 30_000)
        self.assertEqual(device.download(listed["one"]), one.read_bytes())

        server.type("wrong-size one")
        server.wait_for("answer", message="wrong-size 'one': on")
        wrong = {pack["id"]: pack for pack in device.fetch_manifest()}
        self.assertEqual(wrong["one"]["downloadSize"], one.stat().st_size - 1)
        with self.assertRaisesRegex(DownloadError, "101"):
            device.download(wrong["one"])

        server.type("off")
        server.type("delay 300ms")
        server.wait_for("answer", message="delay all packs: 300 ms")
        device.download(listed["one"])
        slow = server.wait_for("request", path="/assetpacks/one", status=200, isCut=False,
                               bytes=one.stat().st_size)
        while slow["seconds"] < 0.3:
            slow = server.wait_for("request", path="/assetpacks/one", status=200, isCut=False)
        server.type("off delay")
        server.type("throttle 200K")
        server.wait_for("answer", message="throttle all packs: 200.0 kB/s")
        device.download(listed["two"])
        throttled = server.wait_for("request", path="/assetpacks/two", status=200, isCut=False,
                                    bytes=two.stat().st_size)
        while throttled["seconds"] < 0.4:
            throttled = server.wait_for("request", path="/assetpacks/two", status=200, isCut=False)

        # A limit that is set when more was sent already.
        server.type("throttle 10K")
        server.wait_for("answer", message="throttle all packs: 10.0 kB/s")
        trust = ssl.create_default_context(cafile=server.authority)
        with urllib.request.urlopen(listed["two"]["url"], context=trust, timeout=TIMEOUT) as answer:
            self.assertEqual(len(answer.read(1000)), 1000)
            server.type("cut-after two=1")
            with self.assertRaises(http.client.IncompleteRead):
                answer.read()
        self.assertEqual(device.fetch_manifest(), list(listed.values()))

        server.type("fail three=404")
        error = server.wait_for("error")
        self.assertEqual(error["message"], "no pack is called 'three'; there are 'one', 'two'")
        server.type("quit")
        self.assertEqual(server.process.wait(TIMEOUT), 0)
