"""`app-info` with built apps, archives, projects and extensions."""

import json
import os
import pathlib
import plistlib
import random
import re
import resource
import shutil
import struct
import subprocess
import zipfile

from packlib import make_bundles as bundles
from packlib.make_bundles import App, BROKEN
from tests.tool import SEED, TIMEOUT, TOOL, ToolTest, environment

ROUNDS = int(os.environ.get("BA_ROUNDS") or 300)
MEMORY = 256 << 20


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class BundleTest(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("data.bin", bytes(1000))
        self.select("data.bin")
        self.package("--hosting", "self", "-q")

    def app_info(self, *arguments, cwd=None):
        return subprocess.run(
            [TOOL, "app-info", *map(str, arguments)], cwd=cwd or self.folder, env=environment(),
            stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, preexec_fn=limit)

    def findings(self, what, own=False, *more):
        """The findings as pairs of a rule and a message."""
        host = ["--hosting", "self", "--manifest-url", "https://cdn.example.com/packs.json", self.pack] \
            if own else []
        done = self.app_info("--check", what, "--format", "json", *host, *more)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        found = json.loads(done.stdout)["findings"] if done.stdout else []
        self.assertEqual(done.returncode, int(any(f["severity"] == "error" for f in found)))
        return [(f["rule"], f["message"]) for f in found]

    def forms(self, app, folder):
        """The app as a folder, and for iOS as two kinds of archive."""
        folder.mkdir()
        yield app.write(folder)
        if not app.mac:
            for app.deflated in (True, False):
                path = folder / f"Game{app.deflated}.ipa"
                path.write_bytes(app.ipa())
                yield path

    def test_good_apps_have_no_findings(self):
        for number, (mac, binary, own) in enumerate(
                (mac, binary, own) for mac in (False, True) for binary in (False, True)
                for own in (False, True)):
            app = App(mac)
            app.binary = binary
            if own:
                bundles.own_server(app)
            for form in self.forms(app, self.folder / f"good{number}"):
                self.assertEqual(self.findings(form, own), [], form)
        done = self.app_info("--check", "good0/Game.app", "--hosting", "apple")
        self.assertEqual((done.stdout, done.stderr), (b"", b"good0/Game.app: no findings\n"))

    def test_each_broken_app_has_one_finding(self):
        self.assertGreaterEqual(len(BROKEN), 15)
        for number, (name, (rule, word, own, change)) in enumerate(BROKEN.items()):
            for mac in (False, True):
                app = App(mac)
                if mac and name == "early system":
                    app.info["LSMinimumSystemVersion"] = "15.4"
                    word = "15.4"
                else:
                    change(app)
                for form in self.forms(app, self.folder / f"broken{number}{mac}"):
                    with self.subTest(name, form=form):
                        (found, message), = self.findings(form, own)
                        self.assertEqual(found, rule)
                        self.assertIn(word, message)

    def test_a_language_needs_a_later_system(self):
        self.select("data.bin", language="de")
        self.package("--hosting", "self", "-q", output="de.aar")
        app = App().write(self.folder)
        (rule, message), = self.findings(app, False, self.packs / "de.aar")
        self.assertEqual(rule, "minimum-system")
        self.assertIn("27.0", message)
        self.assertEqual(self.findings(app, False, self.packs / "de.aar", "--rule",
                                       "minimum-system=off"), [])

    def test_entitlements_that_can_not_be_checked(self):
        app, form = App(), self.folder / "a.ipa"
        unsigned = bundles.mach_o([bundles.build_version(bundles.IOS)])
        only_der = bundles.mach_o([], bundles.signature(None))
        for image in (unsigned, only_der, b"#!/bin/sh\n", bundles.mach_o([], b"\0" * 99)):
            app.program = lambda entitlements, image=image: image
            form.write_bytes(app.ipa())
            self.assertEqual([rule for rule, _ in self.findings(form)], ["entitlements-unknown"] * 2)

    def test_large_executables_and_64_bit_sizes(self):
        app, form = App(), self.folder / "a.ipa"
        app.program = lambda entitlements: bundles.mach_o(
            [bundles.build_version(bundles.IOS)], bundles.signature(entitlements), code=bytes(70 << 20))
        form.write_bytes(app.ipa())
        self.assertEqual(self.findings(form), [])
        self.assertLess(self.peak_of("--check", form), MEMORY)
        with zipfile.ZipFile(form, "w") as archive:
            for path, data in App().files().items():
                with archive.open(f"Payload/Game.app/{path}", "w", force_zip64=True) as file:
                    file.write(data)
        self.assertEqual(self.findings(form), [])

    def peak_of(self, *arguments):
        """The memory of a run in bytes."""
        child = subprocess.Popen([TOOL, "app-info", *map(str, arguments)], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output = child.stdout.read()
        child.stdout.close()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.assertIn(child.returncode, (0, 1), output)
        return usage.ru_maxrss << 10

    def test_hostile_archives_are_refused(self):
        form = self.folder / "a.ipa"

        def check(expected, entries, **more):
            with zipfile.ZipFile(form, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, data in entries:
                    archive.writestr(name, data)
            (rule, message), = self.findings(form)
            self.assertEqual(rule, "bundle-unreadable")
            self.assertIn(expected, message)

        link = zipfile.ZipInfo("Payload/Game.app/Info.plist")
        link.external_attr = 0o120777 << 16
        check("symbolic link", [(link, "/etc/passwd")])
        check("named '../../x'", [("../../x", ""), ("Payload/Game.app/Info.plist", "")])
        check("named '/x'", [("/x", "")])
        check("no app", [("a", "")])
        check("2 apps", [("Payload/A.app/a", ""), ("Payload/B.app/a", "")])
        check("no Info.plist", [("Payload/A.app/a", "")])
        check("larger than", [("Payload/A.app/Info.plist", bytes(200 << 20))])
        self.assertLess(self.peak_of("--check", form), MEMORY)
        for data in (b"", b"PK\3\4", b"PK\5\6" + bytes(18), b"PK\5\6" + b"\xff" * 18):
            form.write_bytes(data)
            (rule, _), = self.findings(form)
            self.assertEqual(rule, "bundle-unreadable")

    def test_work_on_an_archive_is_limited(self):
        form = self.folder / "a.ipa"
        program = bundles.mach_o([bundles.build_version(bundles.IOS)], bundles.signature({}),
                                 code=bytes(70 << 20))
        good = App().files()
        part = "Extensions/Downloader.appex/"
        with zipfile.ZipFile(form, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in good.items():
                archive.writestr(f"Payload/Game.app/{name}", data)
            for number in range(20):
                for name, data in good.items():
                    if name.startswith(part):
                        archive.writestr(f"Payload/Game.app/Extensions/E{number}.appex/{name[len(part):]}",
                                         data if name.endswith(".plist") else program)
        (rule, message), = self.findings(form)
        self.assertEqual(rule, "bundle-unreadable")
        self.assertIn("larger than 1.1 GB", message)

        with zipfile.ZipFile(form, "w") as archive:
            archive.writestr("Payload/Game.app/Info.plist", good["Info.plist"])
            archive.writestr("Payload/Game.app/Game", good["Game"])
            archive.filelist[1].header_offset = archive.filelist[0].header_offset
        self.assertIn("overlap", self.findings(form)[0][1])

        # Only the first image of a universal program is read.
        app, place = App(), 40 << 20
        image = bundles.mach_o([bundles.build_version(bundles.IOS)], bundles.signature(app.entitlements))
        head = struct.pack(">II", 0xCAFEBABE, 32)
        head += struct.pack(">IIIII", 0x0100000C, 0, place, len(image), 12) * 32
        app.program = lambda entitlements: head + bytes(place - len(head)) + image
        form.write_bytes(app.ipa())
        self.assertEqual(self.findings(form), [])

    def test_findings_are_limited(self):
        path = self.folder / "Info.plist"
        path.write_text("<plist><dict>" + "<key>BAManifestURL</key><string>a</string>" * 5000
                        + "</dict></plist>")
        self.assertEqual(len(self.findings(path)), 1000)

    def test_links_are_not_followed(self):
        outside = App().write(self.folder)
        for part in ("Info.plist", "Extensions", "Game", "Extensions/Downloader.appex",
                     "Extensions/Downloader.appex/Info.plist"):
            folder = self.folder / part.replace("/", "-")
            folder.mkdir()
            app = App().write(folder)
            target = app / part
            shutil.rmtree(target) if target.is_dir() else target.unlink()
            target.symlink_to(outside / part)
            (rule, message), = self.findings(app)
            self.assertEqual(rule, "bundle-unreadable")
            self.assertIn(f"'{part}' is a symbolic link", message)
        (app / "Extensions/Downloader.appex/Info.plist").unlink()
        os.mkfifo(app / "Extensions/Downloader.appex/Info.plist")
        self.assertIn("a named pipe", self.findings(app)[0][1])
        app = App()
        app.info["CFBundleExecutable"] = "../../outside"
        (self.folder / "outside").write_bytes(app.program(app.entitlements))
        self.assertEqual([rule for rule, _ in self.findings(app.write(self.folder / "a"))],
                         ["entitlements-unknown"])

    def test_binary_property_lists(self):
        """Trees that refer to themselves, and ones that grow."""
        form = self.folder / "Info.plist"

        def binary(objects, top=0):
            data, places = b"bplist00", []
            for item in objects:
                places.append(len(data))
                data += item
            table = b"".join(place.to_bytes(4, "big") for place in places)
            return data + table + bytes(6) + b"\4\1" + (len(objects)).to_bytes(8, "big") + \
                top.to_bytes(8, "big") + len(data).to_bytes(8, "big")

        form.write_bytes(plistlib.dumps(App().info, fmt=plistlib.FMT_BINARY))
        self.assertEqual(self.findings(form), [])
        grows = [b"\xaf\x10\x20" + bytes([n + 1]) * 32 for n in range(20)] + [b"\x09"]
        for objects in ([b"\xa1\0"], grows, [b"\xd1\0\0"], [b"\x5f\x13" + b"\xff" * 8], [b"\xa1\x63"],
                        [b"\x6f\x13" + b"\x7f" * 8], [b"\x1f"], [b"\xaf\x13\0\0\0\0\0\0\xff\xff"], []):
            form.write_bytes(binary(objects))
            (rule, message), = self.findings(form)
            self.assertEqual(rule, "property-list-syntax", message)
            self.assertLess(self.peak_of("--check", form), MEMORY)

    def test_mutated_bundles_end_in_a_result(self):
        """BA_ROUNDS=10000 for a long run; a folder and an archive in turn."""
        chance = random.Random(SEED)
        print(f"seed {SEED}")
        form, peak, rules = self.folder / "Mutated.ipa", 0, {}
        for number in range(ROUNDS):
            app = App(chance.random() < 0.5)
            app.binary, app.deflated = chance.random() < 0.7, chance.random() < 0.5
            if number % 2:
                what = form
                form.write_bytes(self.mutated(app.ipa(), chance))
            else:
                what = self.folder / f"mutated{number}"
                what.mkdir()
                what = app.write(what)
                path = chance.choice(sorted(app.files()))
                file = what / path
                file.write_bytes(self.mutated(file.read_bytes(), chance))
            with self.subTest(number=number):
                done = self.app_info("--check", what)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                for rule in re.findall(rb"\[([a-z-]+)\]\n", done.stdout):
                    rules[rule] = rules.get(rule, 0) + 1
            if what != form:
                shutil.rmtree(what.parent)
        # The largest of all children.
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
        self.assertLess(peak, MEMORY)
        self.assertGreater(len(rules), 3, rules)

    @staticmethod
    def mutated(data, chance):
        data = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            # The ends have the headers, and code has nothing to break.
            place = chance.choice([chance.randrange(len(data)), chance.randrange(min(400, len(data))),
                                   max(0, len(data) - 1 - chance.randrange(1200))])
            kind = chance.randrange(6)
            if kind < 2:
                data[place] ^= 1 << chance.randrange(8)
            elif kind == 2:
                data[place] = chance.choice([0, 255, 127, 128, chance.randrange(256)])
            elif kind == 3:
                data[place:place + 8] = chance.choice([b"\xff", b"\0", b"\x7f"]) * 8
            elif kind == 4:
                del data[place:place + chance.choice([1, 8, 500])]
            else:
                start = chance.randrange(len(data))
                data[place:place] = data[start:start + chance.randrange(200)]
            data = data or bytearray(b"x")
        return bytes(data)

    def test_only_code_for_macos_is_found_in_packs(self):
        build, image, least = bundles.build_version, bundles.mach_o, bundles.LC_VERSION_MIN_MACOSX
        phone = image([build(bundles.IOS)])
        code = {
            "mac": (True, image([build(bundles.MACOS)])),
            "mac32": (True, image([build(bundles.MACOS)], bits=32)),
            "old": (True, image([(0x19, bytes(64)), (least, bytes(8))])),
            "big": (True, image([build(bundles.MACOS, ">")], order=">")),
            "big32": (True, image([(least, bytes(8))], order=">", bits=32)),
            "catalyst": (True, image([build(bundles.CATALYST)])),
            "fat": (True, bundles.fat(phone, image([build(bundles.MACOS)]))),
            "fat64": (True, bundles.fat(phone, image([build(bundles.MACOS)]), wide=True)),
            "phone": (False, phone),
            "tv": (False, image([build(bundles.TVOS)])),
            "vision": (False, image([build(bundles.VISIONOS)])),
            "phone-old": (False, image([(0x25, bytes(8))])),
            "fat-phone": (False, bundles.fat(phone, phone)),
            "none": (False, image()),
            "class": (False, bytes.fromhex("cafebabe00000041") + bytes(100)),
            "no-size": (False, phone[:32] + bytes(100)),
            "endless": (False, image([(1, b"")] * 9)[:60] + b"\xff" * 100),
            "far": (False, bundles.fat(phone)[:16] + b"\xff" * 60),
        }
        for name, (_, data) in code.items():
            self.write(f"code/{name}", data, mode=0o755)
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
                "--app-group", bundles.GROUP, "--hosting", hosting)
            self.assertEqual(done.returncode, 0, done.stderr)
            text = (folder / "Downloader/DownloaderExtension.swift").read_text()
            self.assertIn(f"struct DownloaderExtension: {protocol} {{", text)
            self.assertEqual("import StoreKit" in text, hosting == "apple")
            info = plistlib.loads((folder / "Downloader/Info.plist").read_bytes())
            self.assertEqual(info["EXAppExtensionAttributes"],
                             {"EXExtensionPointIdentifier": bundles.POINT})
            self.assertEqual(info["CFBundlePackageType"], "XPC!")
            self.assertEqual(info["CFBundleDisplayName"], "$(PRODUCT_NAME)")
            self.assertNotIn("NSExtension", info)
            for name in ("App", "DownloaderExtension"):
                groups = plistlib.loads((folder / f"Downloader/{name}.entitlements").read_bytes())
                self.assertEqual(groups, {bundles.GROUPS: [bundles.GROUP], bundles.SANDBOX: True})

    def test_extension_is_all_or_nothing(self):
        words = ("--extension", "Downloader", "--bundle-id", "com.example.game", "--app-group",
                 bundles.GROUP)
        folder = self.folder / "Downloader"
        folder.mkdir()
        (folder / "App.entitlements").write_text("mine")
        done = self.app_info(*words)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"'Downloader/App.entitlements'", done.stderr)
        self.assertEqual(self.listing(folder), {"App.entitlements": b"mine"})
