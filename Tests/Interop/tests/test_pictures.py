"""The pictures of terminals in README and the guide show what the program prints. BA_PACKAGE_RECORD=1
makes them again."""

import importlib.machinery
import importlib.util
import os
import pathlib
import tempfile
import unittest

from .tool import REPOSITORY, TOOL


def pictures():
    loader = importlib.machinery.SourceFileLoader("pictures", str(REPOSITORY / ".ci/pictures"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("pictures", loader))
    loader.exec_module(module)
    return module


class Pictures(unittest.TestCase):
    def test_terminals(self):
        module = pictures()
        with tempfile.TemporaryDirectory() as folder:
            made = dict(module.terminals(pathlib.Path(folder), TOOL))
        self.assertGreater(len(made), 3)
        for name, contents in made.items():
            with self.subTest(name):
                if os.environ.get("BA_PACKAGE_RECORD"):
                    module.save(name, contents)
                self.assertEqual(contents, (module.PICTURES / name).read_bytes())


if __name__ == "__main__":
    unittest.main()
