"""The page that 'report' writes: its HTML without script, and in a real browser."""

import html.parser
import json
import os
import struct
import subprocess
import unittest

from packlib.browser import CHROMIUM, Browser
from tests.tool import TOOL, ToolTest


class PageParser(html.parser.HTMLParser):
    """The tables of a page as lists of rows; a cell is its text, the number that it is sorted by, and
    whether it is a heading."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.texts, self._cell, self._places = {}, {}, None, []
        self.feed(text)
        self.close()

    def handle_starttag(self, name, attributes):
        attributes = dict(attributes)
        if name == "section":
            self._section = attributes["id"]
        elif name == "table":
            self.tables[self._section] = self._table = {"thead": [], "tbody": [], "tfoot": []}
        elif name in ("thead", "tbody", "tfoot"):
            self._part = name
        elif name == "tr":
            self._table[self._part].append([])
        elif name in ("td", "th"):
            self._cell = ["", attributes.get("data-v"), attributes.get("scope")]
            self._table[self._part][-1].append(self._cell)
        self._places.append(name)

    def handle_endtag(self, name):
        if name in self._places:
            while self._places.pop() != name:
                pass
        if name in ("td", "th"):
            self._cell = None

    def handle_data(self, data):
        place = self._places[-1] if self._places else ""
        if place == "caption":
            self._table["caption"] = data
        elif self._cell is not None:
            self._cell[0] += data
        elif place in ("title", "h1", "h2", "p", "dd", "dt", "code", "script"):
            self.texts.setdefault(place, []).append(data)

    def column(self, section, title):
        """The values of a column: numbers if it has some, else texts."""
        table = self.tables[section]
        number = [cell[0] for cell in table["thead"][0]].index(title)
        cells = [row[number] for row in table["tbody"]]
        return [text if value is None else int(value) for text, value, _ in cells]


class ReportTest(ToolTest):
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



class PageWithoutScriptTest(ReportTest):
    """The page as a program reads it that runs no script."""

    def read(self, *arguments):
        return PageParser(self.report(*arguments).read_text())

    def json(self, *arguments):
        done = subprocess.run([TOOL, "report", *arguments, "--format", "json"], check=True,
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return json.loads(done.stdout)

    def test_tables_agree_with_json(self):
        self.sample()
        arguments = ("packs", "--since", "packs/one.aar", "--coverage", "repository", "--root",
                     "repository")
        page, report = self.read(*arguments), self.json(*arguments)
        packs, totals = report["packs"], report["totals"]
        self.assertEqual(
            dict(zip(page.column("packs", "Pack"), page.column("packs", "Download"))),
            {pack["assetPackID"]: pack["downloadSize"] for pack in packs})
        self.assertEqual(sum(page.column("packs", "Size")), totals["size"])
        self.assertEqual(sum(page.column("packs", "Files")), totals["files"])
        # Everything that is downloaded is in the list of folders.
        self.assertEqual(sum(page.column("map", "Size")), totals["downloadSize"])
        self.assertIn("headers and manifests", page.column("map", "Name"))
        files = [file for pack in packs for file in pack["files"]]
        self.assertEqual(page.column("files", "Compressed"),
                         sorted((file["compressedSize"] for file in files), reverse=True))
        self.assertEqual(sum(page.column("duplicates", "Uncompressed")), totals["wastedSize"])
        self.assertEqual(sum(page.column("duplicates", "Wasted")), totals["wastedDownload"])
        self.assertEqual(sum(page.column("changes", "Players download")),
                         report["changes"]["downloadSize"])
        self.assertEqual(len(page.column("changed-files", "File")),
                         sum(len(pack["files"]) for pack in report["changes"]["packs"]))
        self.assertIn("repository", page.texts["code"])
        self.assertIn(" is in a pack.", page.texts["p"])
        self.assertEqual(page.texts["dt"][:2], ["Players download", "Download"])
        for name, table in page.tables.items():
            self.assertTrue(table["caption"], name)
            width = len(table["thead"][0])
            self.assertTrue(all(cell[2] == "col" for cell in table["thead"][0]))
            for row in table["tbody"] + table["tfoot"]:
                self.assertEqual(len(row), width, name)
                self.assertEqual([cell[2] for cell in row], ["row"] + [None] * (width - 1))

    def test_data_for_the_script(self):
        self.sample()
        page, report = self.read("packs"), self.json("packs")
        data = json.loads(page.texts["script"][0])
        for shown, pack in zip(data["packs"], report["packs"]):
            self.assertEqual(shown["download"], pack["downloadSize"])
            self.assertEqual(shown["files"][1::4], [file["size"] for file in pack["files"]])
            self.assertEqual(shown["files"][2::4],
                             [file["compressedSize"] for file in pack["files"]])
            for path, kind in zip(shown["files"][::4], shown["files"][3::4]):
                expected = {"ogg": "Audio", "mp4": "Video", "json": "Text and data",
                            "png": "Images"}.get(path.rsplit(".")[-1], "Other")
                self.assertEqual(data["types"][kind], expected)

    def test_same_columns_are_left_out(self):
        for number in range(7):
            self.write(f"{number}.bin", os.urandom(1_000_000 + 350_000 * number))
            self.select(f"{number}.bin", assetPackID=f"pack-{number}",
                        downloadPolicy={"onDemand": {}}, platforms=[])
            self.package(output=f"{number}.aar")
        page = self.read("packs", "--rate", "3", "--rate", "1000")
        titles = [cell[0] for cell in page.tables["packs"]["thead"][0]]
        self.assertEqual(titles, ["Pack", "Download", "Share", "Size", "Ratio", "Files",
                                  "At 3 Mbit/s"])
        self.assertIn("All packs have the policy onDemand and are for all platforms.", "".join(page.texts["p"]))
        self.assertEqual(page.column("packs", "Pack")[0], "pack-6")
        rows, foot = page.tables["packs"]["tbody"], page.tables["packs"]["tfoot"][0]
        shares = [float(row[titles.index("Share")][0].rstrip("%")) for row in rows]
        self.assertAlmostEqual(sum(shares), 100, delta=0.05 * len(shares))
        self.assertEqual(foot[titles.index("Share")][0], "100.0%")
        # A time is that of its row, and is not rounded so that the rows add up to the last.
        times = [int(row[titles.index("At 3 Mbit/s")][0].rstrip(" s")) for row in rows]
        self.assertEqual(times, [round(size * 8 / 3e6) for size in page.column("packs", "Download")])

    def test_findings_and_budgets(self):
        self.write("Big.bin", os.urandom(20_000))
        self.write("Art.psd", os.urandom(2_000))
        (self.folder / ".ba-package.json").write_text(
            '{"root": "repository", "sizeBudgets": {"packs": {"big": "10 kB"}}}')
        self.write("Packs/big.json", json.dumps(
            {"assetPackID": "big", "downloadPolicy": {"onDemand": {}}, "platforms": [],
             "fileSelectors": [{"filePattern": "*.bin"}, {"filePattern": "Art.*"}]}).encode())
        page = self.read("repository/Packs")
        self.assertEqual(sorted(page.column("findings", "Rule")), ["size-budget", "source-art"])
        self.assertTrue(all(place.startswith("repository/Packs/big.json:1:")
                            for place in page.column("findings", "Where")))
        text = self.report("repository/Packs").read_text()
        self.assertIn("2 warnings", text)
        self.assertIn("220.0% of 10.0 kB", text)

    def test_old_builds(self):
        for name in ("A.bin", "B.bin"):
            self.write(name, os.urandom(100))
        self.write("Packs/one.json", json.dumps(
            {"assetPackID": "one", "downloadPolicy": {"onDemand": {}}, "platforms": [],
             "fileSelectors": [{"filePattern": "*.bin"}]}).encode())
        arguments = ("repository/Packs", "--root", "repository")
        (self.folder / "old.json").write_text(json.dumps(self.json(*arguments)))
        (self.repository / "B.bin").unlink()
        page = self.read(*arguments, "--since", "old.json")
        self.assertEqual(page.column("losses", "Rule"), ["path-removed"])
        self.assertIn("'B.bin', which is in no pack now", page.column("losses", "Finding")[0])

    def test_title(self):
        self.sample()
        self.assertEqual(self.read("packs").texts["title"],
                         [f"Asset packs of {self.folder.name}"])
        first = self.report("packs", "--title", "<b>1.2</b> & more").read_bytes()
        page = PageParser(first.decode())
        self.assertEqual(page.texts["title"], page.texts["h1"])
        self.assertEqual("".join(page.texts["h1"]), "<b>1.2</b> & more")
        self.assertEqual(self.report("packs", "--title", "<b>1.2</b> & more").read_bytes(), first)

    def test_tile_levels_are_no_models(self):
        self.write("Levels/a.stl", b"(supertux-tiles 1)" * 20)
        self.write("Models/b.stl", bytes(84 + 50 * 7))
        self.select("Levels/", "Models/")
        self.package(output="one.aar")
        page = self.read("packs")
        self.assertEqual(
            dict(zip(page.column("files", "File"), page.column("files", "Type"))),
            {"Levels/a.stl": "Text and data", "Models/b.stl": "Models and scenes"})


@unittest.skipUnless(CHROMIUM, "chromium is not installed")
class ReportPageTest(ReportTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

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
        for text in ("test-pack", "all-files", "Files", "Players download", "Duplicates",
                     "Changes", "In no pack", "10 Mbit/s", "Music/theme.ogg", "Video/intro.mp4"):
            self.assertIn(text, body)
        self.assertIn("</script><script>window.stolen = 1<", body)
        self.assertIn("</script><img src=x onerror=window.stolen=1>/a.png", body)
        self.assertIn("Levels/two/<\\u{2028}b>\\u{202E}gnp.exe", body)
        # A pack of everything takes the new file too when it is made again.
        self.assertIn("Every file in repository is in a pack.", body)
        self.browser.open(self.report("packs/one.aar", "--coverage", "repository", "--root",
                                      "repository"))
        self.assertIn("Extra/\t10 B\t1", self.text("body"))
        self.assertIsNone(self.browser.run("window.stolen"))
        self.assertEqual(self.browser.run("document.images.length"), 0)

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
        self.assertIn(", Video", self.text("#said"))
        press("End")
        press("Escape")
        self.assertTrue(self.text("#crumbs").startswith("All files "))
        self.assertEqual(self.text("#said"), first)
        # The area by uncompressed size, and sorted tables.
        run("const choice = document.getElementById('size-choice'); choice.value = 'size';"
            " choice.dispatchEvent(new Event('change'))")
        run("document.querySelector('#files th button').click()")
        self.assertEqual(run("document.querySelector('#files th').getAttribute('aria-sort')"),
                         "ascending")
        self.assertEqual(self.browser.problems(), [])

    def test_many_folders_are_gathered_by_their_names(self):
        for number in range(120):
            self.write(f"{'cave' if number % 2 else 'sky'}-{number:03}/a.txt", os.urandom(900))
        self.select({"directory": "."})
        self.package(output="one.aar")
        self.browser.open(self.report("packs"))
        self.browser.click(*self.middle("cave-*/: 60 files"))
        self.assertTrue(self.text("#crumbs").startswith("All files / cave-* 60 files"),
                        self.text("#crumbs"))
        self.browser.click(*self.middle("cave-"))
        self.assertRegex(self.text("#crumbs"), r"^All files / cave-\* / cave-\d\d\d 1 file,")
        # The folder stays open when the map is drawn anew.
        self.browser.run("const area = document.getElementById('size-choice'); area.value = 'size';"
                         " area.dispatchEvent(new Event('change'))")
        self.assertRegex(self.text("#crumbs"), r"^All files / cave-\* / cave-\d\d\d 1 file,")
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

    def test_search_filter_and_order(self):
        self.sample()
        for number in range(300):
            self.write(f"Many/{number:03}.txt", b"x" * number)
        self.select("Many/", assetPackID="many")
        self.package(output="many.aar")
        self.browser.open(self.report("packs"))
        run = self.browser.run
        rows = "[...document.querySelectorAll('#files tbody tr')].map((row) => row.cells[%d].innerText)"
        self.assertEqual(len(run(rows % 0)), 50)
        run("document.querySelector('#files > button').click()")
        self.assertEqual(len(run(rows % 0)), 250)
        run("const search = document.getElementById('search'); search.value = 'LEVELS map';"
            " search.dispatchEvent(new Event('input'))")
        self.assertEqual(sorted(set(run(rows % 0))), ["Levels/one/map.json", "Levels/two/map.json"])
        self.assertTrue(self.text("#files > p").startswith("3 of 311 files, "))
        run("document.getElementById('search').value = '';"
            " document.getElementById('hardly').click()")
        found = set(run(rows % 0))
        self.assertLess({"Music/copy.ogg", "Music/theme.ogg", "Video/intro.mp4"}, found)
        self.assertFalse([path for path in found if path.startswith("Many/")])
        run("document.getElementById('hardly').click()")
        # A type of the legend filters map, list and table.
        legend = "[...document.querySelectorAll('#legend button')]"
        self.assertEqual(run(f"{legend}.some((button) => button.innerText.includes('Models'))"),
                         False)
        run(f"{legend}.find((button) => button.innerText.startsWith('Audio')).click()")
        self.assertTrue(self.text("#crumbs").startswith("All files 4 files, 240.0 kB"))
        self.assertEqual(set(run(rows % 4)), {"Audio"})
        self.assertEqual(run("document.querySelector('#map tbody').innerText.split('\\t')[0]"),
                         "Music/")
        run(f"{legend}.find((button) => button.innerText.startsWith('Audio')).click()")
        self.assertIn("311 files", self.text("#crumbs"))
        # Numbers are first sorted from the largest, texts from A.
        run("document.querySelectorAll('#files th button')[2].click()")
        self.assertEqual(run(rows % 0)[0], "Video/intro.mp4")
        run("document.querySelectorAll('#packs th button')[0].click()")
        names = "[...document.querySelectorAll('#packs tbody th')].map((cell) => cell.innerText)"
        self.assertEqual(run(names), ["all-files", "many", "test-pack"])
        # Colors by pack, with their sizes in the legend.
        run("const way = document.getElementById('color-choice'); way.value = 'pack';"
            " way.dispatchEvent(new Event('change'))")
        self.assertEqual(sorted(run(f"{legend}.map((button) => button.innerText.split(' ')[0])")),
                         ["all-files", "many", "test-pack"])
        self.assertEqual(self.browser.problems(), [])

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
                low = self.browser.run(
                    "[...document.querySelectorAll('button, select, input, .totals a')].filter("
                    "(node) => node.offsetParent && node.getBoundingClientRect().height < 23.5)"
                    ".map((node) => node.outerHTML)")
                self.assertEqual(low, [], "low targets of fingers")
                background = self.browser.run("getComputedStyle(document.body).backgroundColor")
                self.assertEqual(background, "rgb(23, 24, 26)" if dark else "rgb(255, 255, 255)")
                self.assertTrue(self.browser.screenshot().startswith(b"\x89PNG"))

    def test_rows_on_a_phone_are_low(self):
        """A column beyond the edge that wraps would make rows high that look empty."""
        self.write("b.txt", b"x" * 500)
        for tag in ("de", "en", "fr"):
            self.write(f"{tag}/a.txt", os.urandom(900))
            self.select({"directorySource": tag, "directoryDestination": "Voices"},
                        {"fileSource": "b.txt", "fileDestination": f"{tag}.txt"}, language=tag,
                        assetPackID=f"voices-{tag}")
            self.package(output=f"{tag}.aar")
        self.browser.open(self.report("packs"), 390, 900)
        high = "[...document.querySelectorAll('#players tbody tr')].map((row) => row.offsetHeight)"
        self.assertLess(max(self.browser.run(high)), 60)
        edge = "document.querySelector('#players td.bar').getBoundingClientRect().right"
        self.assertLess(self.browser.run(edge), 391)

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
        self.assertIn("40,000", self.text(".totals"))
        self.assertTrue(self.text("#crumbs").startswith("All files"))


if __name__ == "__main__":
    unittest.main()
