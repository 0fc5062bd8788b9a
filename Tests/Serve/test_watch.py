"""Packs that are made from manifests, and made again when files change."""

import concurrent.futures
import os
import shutil
import time

from device import Device, DownloadError
from server import ServerTest, contents


class WatchTest(ServerTest):
    def device(self, server):
        return Device(server.url, server.authority)

    def wait_for_contents(self, server, device, path, data, pack="art"):
        """Waits until the device has these bytes: each step of a save may make a pack."""
        while True:
            try:
                device.check_for_updates()
            except DownloadError:
                pass    # It was replaced meanwhile.
            if contents(device.installed[pack][1]).get(path) == data:
                return
            server.wait_for("packs")

    def test_edit_an_asset(self):
        """One save, and the next check for updates has it, with a higher version."""
        self.write("Art/Sky/blue.txt", b"blue")
        self.write("Art/readme.txt", b"read me")
        self.manifest("art", fileSelectors=[{"directory": "Art"}])
        self.write("Downloads.json", b'{"assetPacks": []}')
        server = self.serve(self.game, "--watch")
        device = self.device(server)
        self.assertEqual(device.check_for_updates(), ["art"])
        self.assertEqual(contents(device.installed["art"][1])["Art/Sky/blue.txt"], b"blue")

        for version, (path, data) in enumerate({
            "Art/Sky/blue.txt": b"light blue",          # written in place
            "Art/Sky/night/stars.txt": b"stars",        # in a new folder
            "Art/Sky/night/moon.txt": b"moon",          # in that
        }.items(), 1):
            self.write(path, data)
            self.wait_for_contents(server, device, path, data)
            self.assertGreaterEqual(device.installed["art"][0], version)

        # Editors write beside the file and rename.
        other = self.write("Art/Sky/.blue.tmp", b"dark blue")
        os.rename(other, self.game / "Art/Sky/blue.txt")
        self.assertIn("art: version", server.wait_for("packs")["message"])
        self.wait_for_contents(server, device, "Art/Sky/blue.txt", b"dark blue")

    def test_a_folder_that_cannot_be_watched(self):
        closed = self.game / "Closed"
        closed.mkdir()
        os.rename(self.pack("one", {"one.txt": b"1"}), closed / "one.aar")
        closed.chmod(0o311)
        server = self.serve(closed / "one.aar", "--watch", under=[] if os.geteuid() else [
            "setpriv", "--bounding-set=-dac_override,-dac_read_search"])
        self.assertIn(f"warning: can't watch '{closed}': permission denied", server.stop()[1])

    def test_a_mistake_keeps_the_last_pack(self):
        self.write("one.txt", b"one")
        manifest = self.manifest("one", "one.txt")
        server = self.serve(manifest, "--watch")
        device = self.device(server)
        device.check_for_updates()
        manifest.write_text("{ nonsense")
        self.assertIn("no pack was made of", server.wait_for("error")["message"])
        self.assertEqual(device.check_for_updates(), [])
        self.manifest("one", "one.txt", userInfo={"part": 2})
        # A manifest that says something else about the same files is the same version.
        server.wait_for("packs")
        self.assertEqual(device.fetch_manifest()[0]["userInfo"], {"part": 2})

    def test_errors_end_no_watching(self):
        """What is wrong outside the folder of the manifest is noticed again when it is mended."""
        pointer = (b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d7a" * 16
                   + b"\nsize 4200000\n")

        def remove():
            self.path.unlink()

        def mend():
            self.path.write_bytes(b"mended")

        def move():
            os.rename(self.path.parent, self.game / "Assets/elsewhere")

        def move_back():
            mended = self.game / "Assets/elsewhere/a.txt"
            mended.write_bytes(b"mended")
            os.rename(mended.parent, self.path.parent)

        def replace():
            other = self.path.with_name("new")
            other.write_bytes(b"mended")
            os.rename(other, self.path)

        ways = {
            "removed": (remove, mend),
            "moved": (move, move_back),
            "pointer": (lambda: self.path.write_bytes(pointer), replace),
            "link": (lambda: (remove(), self.path.symlink_to("/etc/hostname")), replace),
            "pipe": (lambda: (remove(), os.mkfifo(self.path)), replace),
        }
        for name, (breaks, mends) in ways.items():
            with self.subTest(name):
                shutil.rmtree(self.game)
                self.path = self.write("Assets/sub/a.txt", b"before")
                self.write("Assets/b.txt", b"b")
                (self.game / "Packs").mkdir()
                self.manifest("Packs/art", "Assets/sub/a.txt", "Assets/b.txt", assetPackID="art",
                              sourceRoot="..")
                server = self.serve(self.game / "Packs", "--watch")
                device = self.device(server)
                device.check_for_updates()
                breaks()
                self.assertIn("no pack was made of", server.wait_for("error")["message"])
                # Another folder's change is another error, not the end.
                self.write("Assets/b.txt", b"c")
                self.assertIn("no pack was made of", server.wait_for("error")["message"])
                mends()
                self.wait_for_contents(server, device, "Assets/sub/a.txt", b"mended")
                server.stop()

    def test_a_new_manifest_is_mended(self):
        """What a manifest that never made a pack selects is watched, also if it isn't there."""
        self.write("Packs/one.txt", b"one")
        self.manifest("Packs/one", "one.txt", assetPackID="one")
        server = self.serve(self.game / "Packs", "--watch")
        self.manifest("Packs/art", "Sky/blue.txt", assetPackID="art", sourceRoot="../Art")
        server.wait_for("error")
        self.write("Art/Sky/blue.txt", b"blue")
        self.assertIn("art: new", server.wait_for("packs")["message"])

    def test_an_empty_folder_is_watched(self):
        self.write("Art/one.txt", b"one")
        (self.game / "Art/Sky").mkdir()
        server = self.serve(self.manifest("art", fileSelectors=[{"directory": "Art"}]), "--watch")
        device = self.device(server)
        device.check_for_updates()
        self.write("Art/Sky/blue.txt", b"blue")
        self.wait_for_contents(server, device, "Art/Sky/blue.txt", b"blue")

    def test_changes_while_packs_are_read(self):
        """A large pack takes a while; what changes in it is not lost."""
        large = self.pack("large", {"large.bin": os.urandom(150_000_000)})
        small = self.pack("art", {"a.txt": b"old"})
        new = self.pack("other", {"a.txt": b"new"}, assetPackID="art")

        def change():
            time.sleep(0.3)
            os.rename(new, small)

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            done = pool.submit(change)
            server = self.serve(small, large, "--watch")
            done.result()
        device = self.device(server)
        self.wait_for_contents(server, device, "a.txt", b"new")

        self.write("Art/one.txt", b"one")
        self.manifest("more", fileSelectors=[{"directory": "Art"}])
        server = self.serve(self.game / "more.json", "--watch")
        big = self.game / "Art/new/big.bin"
        big.parent.mkdir()
        shutil.copy(self.game / "large.bin", big)
        time.sleep(0.4)
        self.write("Art/new/late.txt", b"late")
        device = self.device(server)
        self.wait_for_contents(server, device, "Art/new/late.txt", b"late", pack="more")

    def test_links_are_watched(self):
        """A link to the packs, one to that link, and one in the source root, each exchanged."""
        for color in ("blue", "green"):
            os.makedirs(self.game / color)
            self.pack("art", {"a.txt": color.encode()}).rename(self.game / color / "art.aar")
        current, packs = self.game / "current", self.home / "Packs"
        current.symlink_to("blue")
        packs.symlink_to("game/current")
        server = self.serve(packs, "--watch")
        device = self.device(server)
        device.check_for_updates()
        (self.game / "next").symlink_to("green")
        os.rename(self.game / "next", current)
        self.wait_for_contents(server, device, "a.txt", b"green")
        (self.home / "next").symlink_to("game/blue")
        os.rename(self.home / "next", packs)
        self.wait_for_contents(server, device, "a.txt", b"blue")
        server.stop()

        self.write("Shared/sky.txt", b"blue")
        (self.game / "Art").mkdir()
        (self.game / "Art/sky.txt").symlink_to("../Shared/sky.txt")
        server = self.serve(self.manifest("art", "Art/sky.txt"), "--watch")
        device = self.device(server)
        device.check_for_updates()
        self.write("Shared/sky.txt", b"grey")
        self.wait_for_contents(server, device, "Art/sky.txt", b"grey")

    def test_a_folder_above_is_exchanged(self):
        """A named file, and a folder above the one it is in; nothing changes in the source root."""
        for folder in ("Art", "../New"):
            self.write(f"{folder}/Sky/Night/stars.txt", folder.encode())
        server = self.serve(self.manifest("art", "Art/Sky/Night/stars.txt"), "--watch")
        device = self.device(server)
        device.check_for_updates()
        os.rename(self.game / "Art/Sky", self.home / "Old")
        os.rename(self.home / "New/Sky", self.game / "Art/Sky")
        self.wait_for_contents(server, device, "Art/Sky/Night/stars.txt", b"../New")

    def same_but_for(self, contents):
        """Packs with the size and the time of modification of each other."""
        made = []
        for data in contents:
            made.append(self.pack("art", {"a.txt": data}).read_bytes())
        self.assertEqual(len(set(map(len, made))), 1)
        return made

    def test_written_in_place_with_its_time_kept(self):
        """As rsync --inplace --times does: another version, and the old list has nothing else."""
        before, after = self.same_but_for([b"before", b"after!"])
        archive = self.home / "art.aar"
        archive.write_bytes(before)
        os.utime(archive, (1_700_000_000, 1_700_000_000))
        server = self.serve(archive, "--watch")
        device = self.device(server)
        listed, = device.fetch_manifest()
        device.check_for_updates()
        with open(archive, "r+b") as file:
            file.write(after)
            file.flush()
            os.utime(archive, (1_700_000_000, 1_700_000_000))
        self.wait_for_contents(server, device, "a.txt", b"after!")
        self.assertEqual(device.installed["art"][0], 1)
        with self.assertRaises(DownloadError):
            device.download(listed)

    def test_packs_come_and_go(self):
        folder = self.home / "packs"
        folder.mkdir()
        os.rename(self.pack("first", {"first.txt": b"1"}), folder / "first.aar")
        server = self.serve(folder, "--watch")
        device = self.device(server)
        self.assertEqual(device.check_for_updates(), ["first"])
        os.rename(self.pack("second", {"second.txt": b"2"}), folder / "second.aar")
        self.assertIn("second: new", server.wait_for("packs")["message"])
        self.assertEqual(device.check_for_updates(), ["second"])
        os.remove(folder / "first.aar")
        self.assertIn("first: gone", server.wait_for("packs")["message"])
        device.check_for_updates()
        self.assertEqual(list(device.installed), ["second"])

    def test_made_once(self):
        """A second start finds the pack of the same files in the cache."""
        self.write("one.txt", b"one")
        manifest = self.manifest("one", "one.txt")
        self.serve(manifest).stop()
        folder = self.home / ".cache/ba-serve/packs"
        archives = {file: file.stat().st_mtime_ns for file in folder.glob("*.aar")}
        self.assertEqual(len(archives), 1)
        for private in (folder, folder.parent):
            self.assertEqual(private.stat().st_mode & 0o077, 0, private)
        time.sleep(0.02)
        self.serve(manifest).stop()
        self.assertEqual({file: file.stat().st_mtime_ns for file in folder.glob("*.aar")}, archives)
        self.serve(manifest, "--compression", "lzfse").stop()
        self.assertNotEqual(
            {file: file.stat().st_mtime_ns for file in folder.glob("*.aar")}, archives)


    def test_another_pack_with_the_size_the_time_and_the_inode(self):
        """As after rm and cp -p: another version; a damaged file is verified again."""
        before, after = self.same_but_for([b"before", b"after!"])
        archive = self.home / "art.aar"

        def put(data):
            # Written in place, as the same inode can't be had on every file system by rm and cp.
            with open(archive, "r+b") as file:
                file.write(data)
            os.utime(archive, (1_700_000_000, 1_700_000_000))

        tags = []
        for version, data in enumerate((before, after)):
            put(data)
            server = self.serve(archive)
            device = self.device(server)
            device.check_for_updates()
            self.assertEqual(device.installed["art"], (version, data))
            listed, = device.fetch_manifest()
            tags.append(listed["url"].split("version=")[1])
            server.stop()
        self.assertNotEqual(tags[0].split("-")[1], tags[1].split("-")[1])
        # Known packs are not read again, unless anything touched them.
        middle = len(after) // 2
        put(after[:middle] + bytes(byte ^ 0xFF for byte in after[middle:middle + 30])
            + after[middle + 30:])
        done = self.run_tool(archive, "--port", "0", "--no-setup-page")
        self.assertEqual(done.returncode, 1)
        self.assertIn("ba-package verify", done.stderr)


class RefusalTest(ServerTest):
    def refused(self, *arguments):
        done = self.run_tool(*arguments, "--port", "0", "--no-setup-page")
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_packs_that_do_not_go_together(self):
        one = self.pack("one", {"same.txt": b"1"})
        two = self.pack("two", {"same.txt": b"2"})
        self.assertIn("'same.txt' is not the same in", self.refused(one, two))
        again = one.with_name("again.aar")
        again.write_bytes(one.read_bytes())
        self.assertIn("have the same identifier, 'one'", self.refused(one, again))

    def test_packs_for_different_platforms_may_differ(self):
        one = self.pack("one", {"same.txt": b"1"}, platforms=["iOS"])
        two = self.pack("two", {"same.txt": b"2"}, platforms=["macOS"])
        server = self.serve(one, two)
        self.assertEqual(len(Device(server.url, server.authority).fetch_manifest()), 1)
        self.assertIn("'two' is for macOS", server.wait_for("hint")["message"])

    def test_packs_for_different_languages_may_differ(self):
        packs = [self.pack(name, {"same.txt": name.encode()}, language=language)
                 for name, language in (("one", "de"), ("two", "en"))]
        server = self.serve(*packs)
        self.assertEqual([pack.get("language") for pack in server.packs], ["de", "en"])
        again = self.pack("three", {"same.txt": b"3"}, language="en-US")
        self.assertIn("'same.txt' is not the same in", self.refused(*packs, again))

    def test_damaged_pack(self):
        archive = self.pack("one", {"one.txt": b"1" * 5000})
        data = bytearray(archive.read_bytes())
        archive.write_bytes(data[:-10])
        self.assertIn("ba-package verify", self.refused(archive))

    def test_packs_of_any_name(self):
        archive = self.pack("one", {"one.txt": b"1"})
        other = archive.with_name("one.pack")
        archive.rename(other)
        self.assertEqual(len(self.serve(other).packs), 1)
        other.write_bytes(b"something else")
        self.assertIn("one.pack", self.refused(other))
        self.assertIn("there is no", self.refused(archive))

    def test_versions(self):
        one = self.pack("one", {"one.txt": b"1"})
        two = self.pack("two", {"two.txt": b"2"})
        server = self.serve(one, two, "--asset-pack-versions", "7", "9")
        self.assertEqual([pack["version"] for pack in server.packs], [7, 9])
        server.stop()
        self.assertIn("1 version for 2 packs", self.refused(one, two, "--asset-pack-versions", "3"))
        lower = self.serve(one, two, "--asset-pack-versions", "6", "9")
        self.assertIn("goes down from 7 to 6", lower.stop()[1])
        for version, warning in (6, "still 6: devices that have it won't download it again"), (8, None):
            self.pack("one", {"one.txt": b"contents %d" % version})
            said = self.serve(one, two, "--asset-pack-versions", str(version), "9").stop()[1]
            self.assertIn(warning or "", said)
            self.assertEqual("warning" in said, bool(warning), said)

    def test_taken_port(self):
        one = self.pack("one", {"one.txt": b"1"})
        server = self.serve(one)
        done = self.run_tool(one, "--port", str(server.port), "--no-setup-page")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"port {server.port} is in use", done.stderr)
        self.assertIn(f":{server.port}", done.stderr.split("see '")[1])
        done = self.run_tool(one, "--port", "0", "--setup-port", str(server.port))
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"port {server.port} is in use", done.stderr)

    def test_unknown_pack_for_a_fault(self):
        one = self.pack("one", {"one.txt": b"1"})
        self.assertIn(
            "no pack is called 'two'; there are 'one'", self.refused(one, "--fail", "two=503"))
        self.assertIn("did you mean 'one'?", self.refused(one, "--fail", "onne=503"))
        for name in ("one", "two"):
            (self.home / f"of-{name}").mkdir()
            self.pack(name, {f"{name}.txt": b"1"}).rename(self.home / f"of-{name}/Pack.aar")
        self.assertIn(
            "'Pack' is the file of several packs: 'one' and 'two'",
            self.refused(self.home / "of-one", self.home / "of-two", "--fail", "Pack=503"))
