"""`app-info`: an app's Info.plist and the files of its extension; and code for macOS in packs."""

import json
import os
import plistlib
import random
import re
import shutil
import subprocess
import unittest
import zipfile

from packlib import mach_o as programs
from tests.tool import FIXTURES, SEED, TIMEOUT, TOOL, ToolTest, environment

GROUP = "group.com.example.game"
URL = "https://cdn.example.com/packs.json"
KEYS = {"BAAppGroupID": GROUP, "BAHasManagedAssetPacks": True}
HOSTED = {**KEYS, "BAUsesAppleHosting": True}
OWN = {
    **KEYS, "BAManifestURL": URL, "BAEssentialMaxInstallSize": 1 << 30, "BAMaxInstallSize": 1 << 30,
    "BAInitialDownloadRestrictions": {
        "BADownloadDomainAllowList": ["cdn.example.com"], "BADownloadAllowance": 1 << 30,
        "BAEssentialDownloadAllowance": 1 << 30}}
# Keys of an app that has a good list, a change, and the rule of the only finding and a word of it.
BROKEN = [
    (HOSTED, {"BAAppGroupID": None}, "app-info-missing", "BAAppGroupID"),
    (HOSTED, {"BAHasManagedAssetPacks": None}, "app-info-missing", "BAHasManagedAssetPacks"),
    (HOSTED, {"BAUsesAppleHosting": None}, "app-info-missing", "BAUsesAppleHosting"),
    (HOSTED, {"BAMaxInstallSize": 1}, "app-info-extra", "BAMaxInstallSize"),
    (OWN, {"BAManifestURL": None}, "app-info-missing", "BAManifestURL"),
    (OWN, {"BAManifestURL": URL.replace("https", "http")}, "app-info-value", "https://"),
    (OWN, {"BAEssentialMaxInstallSize": 3}, "app-info-size", "BAEssentialMaxInstallSize")]


class AppInfoTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.bin", bytes(1000))
        self.select("data.bin")
        self.package("--hosting", "self", "-q")

    def app_info(self, *arguments):
        return subprocess.run(
            [TOOL, "app-info", *map(str, arguments)], cwd=self.folder, env=environment(),
            stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)

    def findings(self, keys, own=False):
        """The findings about a list with these keys, as pairs of a rule and a message."""
        path = self.folder / "Info.plist"
        path.write_bytes(plistlib.dumps(keys) if isinstance(keys, dict) else keys)
        host = ["--hosting", "self", "--manifest-url", URL, self.pack] if own else []
        done = self.app_info("--check", path, "--format", "json", *host)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        found = json.loads(done.stdout)["findings"]
        self.assertEqual(done.returncode, int(any(f["severity"] == "error" for f in found)))
        return [(f["rule"], f["message"]) for f in found]

    def test_good_lists_have_no_findings_and_each_broken_one_has_one(self):
        # A list of a real app has more keys, also on the systems that it runs on.
        more = {"CFBundleExecutable": "Game", "MinimumOSVersion": "18.0", "UIDeviceFamily": [1, 2]}
        for keys in (HOSTED, OWN):
            self.assertEqual(self.findings({**more, **keys}, keys is OWN), [])
        for keys, change, rule, word in BROKEN:
            broken = {key: value for key, value in {**more, **keys, **change}.items()
                      if value is not None}
            with self.subTest(change):
                (found, message), = self.findings(broken, keys is OWN)
                self.assertEqual(found, rule)
                self.assertIn(word, message)

    def test_what_is_no_list_in_xml_is_refused(self):
        """With the file that is to be named, or the command that makes it."""
        for contents in ("Game.app", "Mac.app/Contents"):
            (self.folder / contents).mkdir(parents=True)
            (self.folder / contents / "Info.plist").write_bytes(
                plistlib.dumps(HOSTED, fmt=plistlib.FMT_BINARY))
        (self.folder / "Empty.app").mkdir()
        with zipfile.ZipFile(self.folder / "Game.ipa", "w") as archive:
            archive.writestr("Payload/Game.app/Info.plist", plistlib.dumps(HOSTED))
        for name, word in {
                "Game.app": "a folder; name the app's Info.plist: 'Game.app/Info.plist'",
                "Mac.app": "a folder; name the app's Info.plist: 'Mac.app/Contents/Info.plist'",
                "Empty.app": "a folder; name the app's Info.plist in it",
                "Game.ipa": "an archive; unzip it",
                "Game.app/Info.plist": "'plutil -convert xml1 -o Info.xml Game.app/Info.plist'"}.items():
            done = self.app_info("--check", name, "--hosting", "apple")
            self.assertEqual((done.returncode, done.stdout), (1, b""))
            self.assertIn(f"error: '{name}' is ".encode(), done.stderr)
            self.assertIn(word.encode(), done.stderr)

    def test_findings_are_limited(self):
        self.assertEqual(len(self.findings(
            b"<plist><dict>" + b"<key>BAManifestURL</key><string>a</string>" * 5000
            + b"</dict></plist>")), 1000)

    # Constants

    def constants(self, *arguments):
        """The constants that --swift writes for a pack with --paths: accessors and values."""
        done = self.app_info("--swift", "Names.swift", "--paths", "--root", "repository", *arguments)
        self.assertEqual((done.returncode, done.stdout), (0, b""), done.stderr)
        kind, pack, found = "", "", []
        for line in (self.folder / "Names.swift").read_bytes().decode().split("\n"):
            if match := re.fullmatch(r"(  )?enum (.+) \{", line):
                kind, pack = (kind, match[2] + ".") if match[1] else (match[2], "")
            elif match := re.fullmatch(r" +static let (`.+`) = \".*\"", line):
                found.append(f"{kind}.{pack}{match[1]}")
        return found

    # Names that mean something in Swift, or end what they are in.
    NAMES = ["init", "self", "Self", "Type", "Protocol", "_", "$0", "$", "$a", "super", "class", "let",
             "0", "+", "-", "...", "a.b", '"', "\\", "\\(x)", "`", "\n", "\r", "\t", "#", '"#', "*", "\u00e9", "\u2028", "\ufeff",
             "\u202e", "\ue000", "\U0001f469\u200d\U0001f680",
             "\U0001f1e9\U0001f1ea", "\u0301", "\u65e5\u672c", "\u0641", "\U00013000", " ", "\u00a0", "\x7f",
             "\u2026", "\u00a7", "\u2200", "e\u0301x", "any", "\u0378"]

    @unittest.skipUnless(shutil.which("swiftc"), "swiftc isn't installed")
    def test_constants_are_the_names(self):
        """500 hostile paths and some identifiers, compiled and printed: each is the name, to the byte."""
        chance = random.Random(SEED)
        print(f"seed {SEED}")
        names = set(self.NAMES)
        while len(names) < 500:
            name = "".join(chance.choice(self.NAMES) for _ in range(chance.randint(2, 6)))
            names.add(name.encode()[:200].decode(errors="ignore"))
        # Taken names get an underscore, so none has one here.
        names = sorted(name for name in names if name not in (".", "..") and (name == "_" or name[0] != "_"))
        for name in names:
            self.write(name, name.encode())
        for number, identifier in enumerate(["class", "0-init", "self.Type"]):
            self.select(*names, assetPackID=identifier)
            self.manifest.rename(self.folder / f"{number}.json")
        identifiers = ["0-init", "class", "self.Type"]
        expected = identifiers + sorted(names, key=str.encode) * 3
        found = self.constants("--hosting", "self", "0.json", "1.json", "2.json")
        self.assertEqual(len(found), len(expected))
        with open(self.folder / "main.swift", "w", newline="") as file:
            file.writelines(f'print({name}, terminator: "\\0")\n' for name in found)
        subprocess.run(["swiftc", "-Onone", "Names.swift", "main.swift", "-o", "names"], cwd=self.folder,
                       check=True, timeout=TIMEOUT)
        printed = subprocess.run([self.folder / "names"], check=True, capture_output=True).stdout
        self.assertEqual(printed.split(b"\0")[:-1], [name.encode() for name in expected])

    def test_constants_are_refused_where_names_meet(self):
        """Names that Swift can't tell apart, and more than it compiles in a while."""
        for one, other in (("\u00e9", "e\u0301"), ("a`", "a_60_"), ("self", "_self")):
            for name in (one, other):
                self.write(name, b"")
            self.select(one, other)
            done = self.app_info("--swift", "Names.swift", "--paths", "--root", "repository", self.manifest)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"would both be `", done.stderr)
            self.assertFalse((self.folder / "Names.swift").exists())
        for number in range(2001):
            self.write(f"d/{number}", b"1")
        self.select("d/")
        done = self.app_info("--swift", "Names.swift", "--root", "repository", self.manifest)
        self.assertEqual(done.returncode, 0)
        done = self.app_info("--swift", "Names.swift", "--paths", "--root", "repository", self.manifest)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"2,000 files", done.stderr)
        (self.repository / "d/0").unlink()
        self.assertEqual(len(self.constants(self.manifest)), 2001)

    def test_constants_are_written_once_and_over_nothing_else(self):
        file = self.folder / "Names.swift"
        self.assertIn(b"written", self.app_info("--swift", file, self.pack).stderr)
        os.utime(file, (5, 5))
        before = file.stat()
        self.assertIn(b"unchanged", self.app_info("--swift", file, self.pack).stderr)
        self.assertEqual((file.stat().st_ino, file.stat().st_mtime), (before.st_ino, 5))
        self.assertIn(b"written", self.app_info("--swift", file, "--paths", self.pack).stderr)
        for other in (file.read_bytes()[1:], b"", b"import Foundation\n"):
            file.write_bytes(other)
            done = self.app_info("--swift", file, self.pack)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"exists and wasn't made by --swift", done.stderr)
            self.assertEqual(file.read_bytes(), other)
        done = self.app_info("--swift", self.manifest, "--root", "repository", self.manifest)
        self.assertEqual((done.returncode, done.stdout), (1, b""))

    def test_the_example_is_of_the_sample_game(self):
        done = subprocess.run(
            [TOOL, "app-info", "--swift", self.folder / "A.swift", "--paths", "Packs"], cwd=FIXTURES / "SampleGame",
            env=environment(), capture_output=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "A.swift").read_bytes(), (FIXTURES / "Examples/AssetPacks.swift").read_bytes())

    def test_only_code_for_macos_is_found_in_packs(self):
        build, image, least = programs.build_version, programs.mach_o, programs.LC_VERSION_MIN_MACOSX
        phone = image([build(programs.IOS)])
        code = {
            "mac": (True, image([build(programs.MACOS)])),
            "mac32": (True, image([build(programs.MACOS)], bits=32)),
            "old": (True, image([(0x19, bytes(64)), (least, bytes(8))])),
            "big": (True, image([build(programs.MACOS, ">")], order=">")),
            "big32": (True, image([(least, bytes(8))], order=">", bits=32)),
            "catalyst": (True, image([build(programs.CATALYST)])),
            "fat": (True, programs.fat(phone, image([build(programs.MACOS)]))),
            "fat64": (True, programs.fat(phone, image([build(programs.MACOS)]), wide=True)),
            "phone": (False, phone),
            "tv": (False, image([build(programs.TVOS)])),
            "vision": (False, image([build(programs.VISIONOS)])),
            "phone-old": (False, image([(0x25, bytes(8))])),
            "fat-phone": (False, programs.fat(phone, phone)),
            "none": (False, image()),
            "class": (False, bytes.fromhex("cafebabe00000041") + bytes(100)),
            "no-size": (False, phone[:32] + bytes(100)),
            "endless": (False, image([(1, b"")] * 9)[:60] + b"\xff" * 100),
            "far": (False, programs.fat(phone)[:16] + b"\xff" * 60),
            # A class of Java 1.1, in the place of whose 45 images there is one for macOS.
            "class-45": (False, re.sub(b"^(....)....", rb"\1\0\0\0-", programs.fat(
                image([build(programs.MACOS)])), flags=re.DOTALL)),
            "empty-command": (True, image([(1, b""), build(programs.MACOS)])),
        }
        for offset in (2**64 - 1, 2**64 - 33, 2**63, 2**63 - 1, 2**63 - 33):
            code[f"at-{offset}"] = (False, bytes.fromhex("cafebabf00000001") + bytes(8)
                                    + offset.to_bytes(8, "big") + bytes(100))
        for size in range(40):
            code[f"cut-{size}"] = (False, code["mac32"][1][:size])
        for name, (_, data) in code.items():
            self.write(f"code/{name}", data, mode=0o755)
        # What isn't executable may be a library, unless its name says that it is text or media.
        for name, found in (("lib", True), ("lib.ttf", True), ("lib.dat", True), ("lib.png", False), ("lib.lua", False)):
            code[name] = (found, code["mac"][1])
            self.write(f"code/{name}", code["mac"][1], mode=0o644)
        self.select("code/")
        error = self.run_tool(output="code.aar")
        self.assertEqual(
            sorted(re.findall(r"'code/(\S+)' is executable code for macOS", error)),
            sorted(name for name, (found, _) in code.items() if found))

    # An extension

    def test_extension_files(self):
        for hosting, protocol in (("apple", "StoreDownloaderExtension"),
                                  ("self", "ManagedDownloaderExtension")):
            folder = self.folder / hosting
            done = self.app_info(
                "--extension", folder / "Downloader", "--bundle-id", "com.example.game",
                "--app-group", GROUP, "--hosting", hosting)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (folder / "Downloader/DownloaderExtension.swift").read_text()
            self.assertIn(f"struct DownloaderExtension: {protocol} {{", text)
            self.assertEqual("import StoreKit" in text, hosting == "apple")
            info = plistlib.loads((folder / "Downloader/Info.plist").read_bytes())
            self.assertEqual(info["EXAppExtensionAttributes"],
                             {
                "EXExtensionPointIdentifier": "com.apple.background-asset-downloader-extension"})
            self.assertEqual(info["CFBundlePackageType"], "XPC!")
            self.assertEqual(info["CFBundleDisplayName"], "$(PRODUCT_NAME)")
            self.assertNotIn("NSExtension", info)
            for name in ("App", "DownloaderExtension"):
                groups = plistlib.loads((folder / f"Downloader/{name}.entitlements").read_bytes())
                self.assertEqual(groups, {
                    "com.apple.security.application-groups": [GROUP],
                    "com.apple.security.app-sandbox": True})

    def test_extension_is_all_or_nothing(self):
        words = ("--extension", "Downloader", "--bundle-id", "com.example.game", "--app-group",
                 GROUP)
        folder = self.folder / "Downloader"
        folder.mkdir()
        (folder / "App.entitlements").write_text("mine")
        done = self.app_info(*words)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"'Downloader/App.entitlements'", done.stderr)
        self.assertEqual(self.listing(folder), {"App.entitlements": b"mine"})
