"""Builds packs with Bazel: in its sandbox, and from a cache that another clone has filled."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

TOOL = os.environ["BA_PACKAGE"]
FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"

PACKS = {
    "harbour": ("Harbour", ["Credits.txt", "Levels/order.txt", "Levels/01-harbour", "Sounds/Effects",
                            "Textures", "Dialogue/en", "Dialogue/de", "Tools"]),
    "lighthouse": ("Lighthouse", ["Levels/02-lighthouse", "Sounds/Music/theme.wav"]),
    "dialogue": ("Dialogue-ja", ["Dialogue/ja", "Voices/ja"]),
}

NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    root {folder}/cache;
    client_max_body_size 0;
    location / {{
      dav_methods PUT;
      create_full_put_path on;
    }}
  }}
}}
"""


def nginx():
    """The program, which is not always in the path; None if it lacks WebDAV."""
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
    if program:
        options = subprocess.run([program, "-V"], capture_output=True, text=True).stderr
        if "http_dav_module" in options:
            return program
    return None


@unittest.skipUnless(shutil.which("bazel"), "bazel is not installed")
@unittest.skipUnless(nginx(), "nginx with its module for WebDAV is not installed")
class BazelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="ba-bazel-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cache = cls.folder / "nginx"
        (cache / "cache").mkdir(parents=True)
        # The workers of nginx may run as another user.
        for folder in (cls.folder, cache, cache / "cache"):
            folder.chmod(0o777)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            cls.port = probe.getsockname()[1]
        configuration = cache / "nginx.conf"
        configuration.write_text(NGINX.format(folder=cache, port=cls.port))
        server = subprocess.Popen([nginx(), "-p", cache, "-c", configuration],
                                  stderr=subprocess.DEVNULL)
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.terminate)
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", cls.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError((cache / "error.log").read_text())

    def clone(self, name):
        """A workspace with the sample game, in a folder of its own."""
        root = self.folder / name / "game"
        shutil.copytree(FIXTURES / "SampleGame", root)
        (root / "tools").mkdir()
        shutil.copy2(TOOL, root / "tools" / "ba-package")
        shutil.copy2(FIXTURES / "Workflows" / "asset_pack.bzl", root / "tools")
        (root / "tools" / "BUILD").write_text('exports_files(["ba-package"])\n')
        (root / "WORKSPACE").write_text("")
        rules = ['load("//tools:asset_pack.bzl", "asset_pack")']
        for target, (manifest, sources) in PACKS.items():
            patterns = [s if "." in s.split("/")[-1] else s + "/**" for s in sources]
            rules.append(f'asset_pack(name = "{target}", manifest = "Packs/{manifest}.json", '
                         f"srcs = glob({patterns!r}))")
        (root / "BUILD").write_text("\n".join(rules) + "\n")
        self.addCleanup(self.bazel, root, "shutdown")
        return root

    def bazel(self, root, *arguments):
        output = root.parent / "output"
        return subprocess.run(
            ["bazel", f"--output_user_root={output}", "--max_idle_secs=60", *arguments], cwd=root,
            capture_output=True, text=True,
            env={"PATH": os.environ["PATH"], "HOME": str(root.parent), "USER": "builder", "LC_ALL": "C.UTF-8"})

    def build(self, root):
        """Builds all packs; the number of processes of each kind."""
        result = self.bazel(
            root, "build", "//:all", "--spawn_strategy=sandboxed", "--noshow_progress",
            f"--remote_cache=http://127.0.0.1:{self.port}")
        self.assertEqual(result.returncode, 0, result.stderr)
        line = re.search(r"INFO: \d+ process(?:es)?: (.*)\.", result.stderr).group(1)
        kinds = {}
        for part in line.split(", "):
            number, kind = part.split(" ", 1)
            kinds["sandbox" if "sandbox" in kind else kind] = int(number)
        kinds.pop("internal", None)
        return kinds

    def check(self, root):
        """Compares the packs with those that the program makes of the files themselves."""
        for target, (manifest, _) in PACKS.items():
            expected = root.parent / "expected.aar"
            subprocess.run([TOOL, "package", f"Packs/{manifest}.json", "-o", expected, "--force",
                            "--quiet", "--compression", "lzfse"], cwd=root, check=True)
            pack = root / "bazel-bin" / f"{target}.aar"
            self.assertEqual(pack.read_bytes(), expected.read_bytes(), target)

    def test_packs_are_made_once_for_all_clones(self):
        first = self.clone("first")
        self.assertEqual(self.build(first), {"sandbox": 3})
        self.check(first)
        self.assertEqual(self.build(first), {})

        second = self.clone("second")
        self.assertEqual(self.build(second), {"remote cache hit": 3})
        self.check(second)

        (second / "Textures" / "title.png").write_bytes(b"another title\n")
        self.assertEqual(self.build(second), {"sandbox": 1})
        self.check(second)

    def test_a_file_that_is_not_declared_is_missing(self):
        root = self.clone("undeclared")
        build = root / "BUILD"
        build.write_text(build.read_text().replace("'Sounds/Music/theme.wav'", ""))
        result = self.bazel(root, "build", "//:lighthouse", "--spawn_strategy=sandboxed")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("there is no file 'Sounds/Music/theme.wav'", result.stderr)


if __name__ == "__main__":
    unittest.main()
