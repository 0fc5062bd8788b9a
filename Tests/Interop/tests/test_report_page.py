"""The page that 'report' writes, in a real browser."""

import json
import os
import struct
import subprocess
import unittest

from packlib.browser import CHROMIUM, Browser
from tests.tool import TOOL, ToolTest


@unittest.skipUnless(CHROMIUM, "chromium is not installed")
class ReportPageTest(ToolTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def report(self, *arguments):
        """Writes report.html and opens it; checks that there are no problems."""
        page = self.folder / "report.html"
        subprocess.run([TOOL, "report", *arguments, "-f", "-o", page], check=True, cwd=self.folder,
                       stderr=subprocess.DEVNULL)
        return page

    def sample(self):
        """Two packs with folders, a duplicate, and hostile names."""
        self.write("Music/theme.ogg", os.urandom(60_000))
        self.write("Music/copy.ogg", (self.repository / "Music/theme.ogg").read_bytes())
        self.write("Video/intro.mp4", os.urandom(2_200_000))
        self.write("Levels/one/map.json", b"[1, 2, 3]" * 4_000)
        self.write("Levels/two/map.json", b"[4, 5, 6]" * 3_000)
        self.write("Levels/two/<\u2028b>\u202egnp.exe", b"x" * 500)
        self.write("</script><script>window.stolen = 1<", b"y" * 400)
        self.write("</script><img src=x onerror=window.stolen=1>/a.png", b"z" * 300)
        self.select("Music/", "Levels/one/")
        self.package(output="one.aar")
        self.select({"directory": "."}, assetPackID="all-files", downloadPolicy={"onDemand": {}})
        self.package(output="two.aar")
        self.write("Extra/unused.txt", b"in no pack")

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)}).innerText")

    def middle(self, name):
        """Where the treemap draws a folder or file of its first level: asks the page's tooltip."""
        box = self.browser.run(
            "(() => { const canvas = document.getElementById('canvas');"
            " canvas.scrollIntoView({block: 'center'}); const box = canvas.getBoundingClientRect();"
            " return [box.left, box.top, box.width, box.height]; })()")
        for step in range(1, 400):
            x = box[0] + box[2] * (step % 20 + 0.5) / 20
            y = box[1] + box[3] * (step // 20 + 0.5) / 20
            self.browser.move(x, y)
            if self.browser.run("!document.getElementById('tip').hidden") \
                    and self.text("#tip").startswith(name):
                return x, y
        self.fail(f"the treemap does not show {name}")

    def test_shows_packs_and_files(self):
        self.sample()
        self.browser.open(self.report(
            "packs", "--since", "packs/one.aar", "--coverage", "repository", "--root",
            "repository"))
        self.assertEqual(self.browser.problems(), [])
        body = self.text("body")
        for text in ("test-pack", "all-files", "Largest files", "Hardly compressed", "Duplicates",
                     "Changes", "In no pack", "10 Mbit/s", "Music/theme.ogg", "Video/intro.mp4"):
            self.assertIn(text, body)
        self.assertIn("</script><script>window.stolen = 1<", body)
        self.assertIn("</script><img src=x onerror=window.stolen=1>/a.png", body)
        self.assertIn("Levels/two/<\\u{2028}b>\\u{202E}gnp.exe", body)
        # A pack of everything takes the new file too when it is made again.
        self.assertIn("Every file in 'repository' is in a pack.", body)
        self.browser.open(self.report("packs/one.aar", "--coverage", "repository", "--root",
                                      "repository"))
        self.assertIn("Extra/unused.txt\t10 B", self.text("body"))
        self.assertIsNone(self.browser.run("window.stolen"))
        self.assertEqual(self.browser.run("document.images.length"), 0)

    def test_sizes_are_those_of_the_json(self):
        self.sample()
        page = self.report("packs")
        done = subprocess.run([TOOL, "report", "packs", "--format", "json"], check=True,
                              cwd=self.folder, stdout=subprocess.PIPE)
        expected = json.loads(done.stdout)
        for pack in expected["packs"]:
            pack.pop("manifestSHA256")
            for file in pack["files"]:
                file.pop("sha256")
        self.browser.open(page)
        shown = self.browser.run("JSON.parse(document.getElementById('data').textContent)")
        self.assertEqual(shown, expected)
        for pack in expected["packs"]:
            share = sum(file["compressedSize"] for file in pack["files"])
            self.assertLess(share, pack["downloadSize"])
            self.assertEqual(pack["downloadSize"], os.path.getsize(self.folder / pack["file"]))

    def test_clicks_and_keys(self):
        self.sample()
        self.browser.open(self.report("packs/two.aar"))
        run, press = self.browser.run, self.browser.press
        self.assertTrue(self.text("#crumbs").startswith("All files"))
        self.browser.click(*self.middle("Video/"))
        self.assertTrue(self.text("#crumbs").startswith("All files / Video"), self.text("#crumbs"))
        run("document.querySelector('#crumbs button').click()")
        self.assertTrue(self.text("#crumbs").startswith("All files "))
        run("document.getElementById('canvas').focus()")
        press("Home")
        first = self.text("#said")
        self.assertTrue(first.startswith("Video/: 1 file,"), first)
        press("ArrowRight")
        self.assertNotEqual(self.text("#said"), first)
        press("Home")
        press("Enter")
        self.assertTrue(self.text("#crumbs").startswith("All files / Video"))
        self.assertIn("blocks: ", self.text("#said"))
        press("End")
        press("Escape")
        self.assertTrue(self.text("#crumbs").startswith("All files "))
        self.assertEqual(self.text("#said"), first)
        # The area by uncompressed size, and sorted tables.
        run("const choice = document.getElementById('size-choice'); choice.value = 'size';"
            " choice.dispatchEvent(new Event('change'))")
        run("document.querySelector('#packs th button').click()")
        self.assertEqual(run("document.querySelector('#packs th').getAttribute('aria-sort')"),
                         "descending")
        self.assertEqual(self.browser.problems(), [])

    def test_one_pack_of_several(self):
        self.sample()
        self.browser.open(self.report("packs"))
        counts = []
        for pack in ("all", "0", "1"):
            self.browser.run(
                f"(() => {{ const choice = document.getElementById('pack-choice');"
                f" choice.value = '{pack}'; choice.dispatchEvent(new Event('change')); }})()")
            counts.append(self.text("#crumbs").split(" files")[1].split()[-1])
        self.assertEqual([int(count) for count in counts], [11, 3, 8])

    def test_narrow_and_wide(self):
        self.sample()
        page = self.report("packs")
        for width in (360, 1600):
            for dark in (False, True):
                self.browser.open(page, width, 900, dark)
                self.assertEqual(self.browser.problems(), [])
                wide = self.browser.run("document.documentElement.scrollWidth")
                self.assertLessEqual(wide, width, "the page scrolls sideways")
                self.assertGreater(
                    self.browser.run("document.getElementById('canvas').clientHeight"), 300)
                background = self.browser.run("getComputedStyle(document.body).backgroundColor")
                self.assertEqual(background, "rgb(23, 24, 26)" if dark else "rgb(255, 255, 255)")
                self.assertTrue(self.browser.screenshot().startswith(b"\x89PNG"))

    def test_prints_whole_tables(self):
        self.sample()
        self.browser.open(self.report("packs", "--coverage", "repository"), 700, 1000, dark=True)
        self.addCleanup(self.browser.call, "Emulation.setEmulatedMedia", media="")
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        cut = self.browser.run(
            "[...document.querySelectorAll('table')].filter("
            "(table) => table.offsetWidth > document.body.clientWidth + 1).length")
        self.assertEqual(cut, 0)
        self.assertEqual(self.browser.run("getComputedStyle(document.body).backgroundColor"),
                         "rgb(255, 255, 255)")

    def test_many_files(self):
        """Forty thousand files are drawn; opening them takes less than a second on a free machine."""
        entries = []
        for number in range(40_000):
            path = f"Contents/{number % 40}/{number % 1000}/{number}.{'png' if number % 3 else 'json'}"
            data = b"%d" % number * (1 + number % 50)
            fields = b"TYP1F" + b"PATP" + struct.pack("<H", len(path)) + path.encode() + b"DATA" \
                + struct.pack("<H", len(data))
            entries.append(b"AA01" + struct.pack("<H", 6 + len(fields)) + fields + data)
        (self.packs / "many.aar").write_bytes(b"".join(entries))
        page = self.report("packs")
        self.browser.open(page)
        self.assertEqual(self.browser.problems(), [])
        self.assertIn("40,000", self.text("#totals"))
        self.assertTrue(self.text("#crumbs").startswith("All files"))


if __name__ == "__main__":
    unittest.main()
