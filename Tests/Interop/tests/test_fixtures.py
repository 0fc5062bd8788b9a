"""The golden archives: the committed files are the generator's, and the reader agrees with the index."""

import json
import unittest

from fixtures import make
from packlib import read_archive
from packlib.damage import Damage

FOLDER = make.FOLDER
INDEX = json.loads((FOLDER / "index.json").read_text())
OPTIONS = {"read": {}, "limit": {}, "verify": {"pack": True}, "extract": {"safe": True}}


class Fixtures(unittest.TestCase):
    def test_committed_files_are_the_generators(self):
        made = make.files()
        there = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*")
                 if path.is_file() and FOLDER / "made" not in path.parents}  # by ba-package
        self.assertEqual(there, set(made))
        for path, data in made.items():
            self.assertEqual((FOLDER / path).read_bytes(), data, path)

    def test_good_archives_hold_what_the_index_says(self):
        for said in INDEX["good"]:
            path = FOLDER / "good" / f"{said['name']}.aar"
            with self.subTest(said["name"]):
                self.assertEqual(read_archive.read(path), said["entries"])
                if said["pack"]:
                    read_archive.read(path, safe=True, pack=True)

    def test_other_archives_are_refused_for_their_reason(self):
        for kind in "damaged", "hostile":
            for said in INDEX[kind]:
                path = FOLDER / kind / f"{said['name']}.aar"
                with self.subTest(said["name"]):
                    with self.assertRaises(Damage) as caught:
                        read_archive.read(path, limit=said.get("limit"), **OPTIONS[said["refuse"]])
                    self.assertEqual(caught.exception.reason, said["reason"], caught.exception)
                    where = caught.exception.where
                    self.assertEqual({key: where.get(key) for key in said.get("where", {})},
                                     said.get("where", {}), caught.exception)

    def test_what_verify_or_extract_refuse_can_be_listed(self):
        # Except for paths with a NUL byte, the bytes of these archives are valid.
        for kind in "damaged", "hostile":
            for said in INDEX[kind]:
                if said["refuse"] != "read":
                    with self.subTest(said["name"]):
                        read_archive.read(FOLDER / kind / f"{said['name']}.aar")
