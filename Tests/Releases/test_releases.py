"""A release in all its forms is made of the built program, installed, run and removed."""

import functools
import hashlib
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import threading
import time
import unittest

from packlib.browser import CHROMIUM, Browser

REPOSITORY = pathlib.Path(__file__).parents[2]
TOOL = os.environ["BA_PACKAGE"]
PRE_COMMIT = os.environ["PRE_COMMIT"]
VERSION = subprocess.run([TOOL, "--version"], check=True, text=True, stdout=subprocess.PIPE).stdout.strip()
TIMEOUT = 600
COMPLETIONS = {
    "share/bash-completion/completions/ba-package", "share/fish/vendor_completions.d/ba-package.fish",
}
MANUAL = {"share/man/man1/ba-package.1"}


class ReleaseTest(unittest.TestCase):
    """A folder for the test, with the installed program in `tree`."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ba-package-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.tree = self.folder / "tree"
        self.run_script("install-program", TOOL, self.tree)
        self.run_script("install-documents", self.tree)
        # As the linker leaves that of a release, which takes half as long to compress.
        self.run_in(self.folder, "strip", self.tree / "bin/ba-package")

    def run_in(self, folder, *words, status=0, **environment):
        done = subprocess.run(
            words, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=TIMEOUT)
        self.assertEqual(done.returncode != 0, status != 0, done.stdout)
        return done.stdout

    def run_script(self, name, *words, **environment):
        return self.run_in(self.folder, REPOSITORY / ".ci" / name, *words, **environment)

    def make(self, script, pattern, out="dist"):
        """What a script makes of the tree."""
        self.run_script(script, self.tree, self.folder / out, SOURCE_DATE_EPOCH="1700000000")
        [file] = (self.folder / out).glob(pattern)
        return file

    def make_twice(self, script, pattern):
        """The same bytes are made at another time, and by whoever is careful about new files; their
        checksum is next to them."""
        first = self.make(script, pattern)
        for path in self.tree.rglob("*"):
            os.utime(path, (1_750_000_000, 1_750_000_000))
        before = os.umask(0o77)
        try:
            second = self.make(script, pattern, "again")
        finally:
            os.umask(before)
        self.assertEqual(first.name, second.name)
        self.assertEqual(first.read_bytes(), second.read_bytes())
        self.assertEqual(
            pathlib.Path(f"{first}.sha256").read_text(),
            f"{hashlib.sha256(first.read_bytes()).hexdigest()}  {first.name}\n")
        return first

    def game(self):
        """A copy of the sample game."""
        shutil.copytree(REPOSITORY / "Fixtures/SampleGame", self.folder / "game")
        return self.folder / "game"

    def check_program(self, program):
        """The program makes a pack."""
        folder = self.game()
        self.run_in(folder, program, "package", "-q", "Packs/Harbour.json", "-o", "Harbour.aar")
        self.run_in(folder, program, "verify", "-q", "Harbour.aar")


    def check_documents(self, prefix):
        """The links of README and the guide lead somewhere, and the sample game is there."""
        folder = prefix / "share/doc/ba-package"
        pages = list(folder.rglob("*.md"))
        self.assertGreater(len(pages), 20)
        for page in pages:
            text = page.read_text("utf-8")
            for link in re.findall(r'\]\(([^)#:]+)(?:#[^)]*)?\)|(?:src|srcset)="([^"]+)"', text):
                self.assertTrue((page.parent / "".join(link)).exists(), f"{page}: {link}")
        self.run_in(folder / "Fixtures/SampleGame", prefix / "bin/ba-package", "validate", "-q", "Packs")


class TarballTest(ReleaseTest):
    def test_is_unpacked_in_a_prefix(self):
        tarball = self.make_twice("dist", "*.tar.gz")
        with tarfile.open(tarball) as archive:
            members = archive.getmembers()
        self.assertEqual({(m.uid, m.gid, m.mtime) for m in members}, {(0, 0, 1700000000)})
        self.assertEqual({m.mode for m in members}, {0o755, 0o644})
        top = tarball.name.removesuffix(".tar.gz")
        self.assertEqual({m.name.split("/")[0] for m in members}, {top})
        prefix = self.folder / "prefix"
        prefix.mkdir()
        (prefix / "README.md").write_text("another program's")
        self.run_in(prefix, "tar", "-xzf", tarball, "--strip-components", "1")
        self.assertEqual({path.name for path in prefix.iterdir()}, {"README.md", "bin", "share"})
        self.assertEqual((prefix / "README.md").read_text(), "another program's")
        sums = (prefix / "share/doc/ba-package/SHA256SUMS").read_text().splitlines()
        named = {line[66:]: line[:64] for line in sums}
        self.assertLessEqual({"bin/ba-package"} | COMPLETIONS | MANUAL, named.keys())
        for name, digest in named.items():
            self.assertEqual(hashlib.sha256((prefix / name).read_bytes()).hexdigest(), digest, name)
        self.check_program(prefix / "bin/ba-package")
        self.check_documents(prefix)

    def test_formula(self):
        """Each system gets its tarball."""
        for number, system in enumerate(("darwin-arm64", "linux-x86_64", "linux-aarch64")):
            (self.folder / f"ba-package-1.2.3-{system}.tar.gz.sha256").write_text(f"{number}" * 64)
            (self.folder / f"ba-package-1.2.3-{system}.tar.gz").touch()
        words = [REPOSITORY / ".ci/formula", "https://example.com", "https://example.com/v1.2.3", self.folder]
        formula = self.run_in(self.folder, *words)
        (self.folder / "ba-package-1.2.3-linux-x86_64.tar.gz.sha256").unlink()
        self.run_in(self.folder, *words, status=1)
        if shutil.which("ruby") is None:
            self.skipTest("there is no ruby")
        (self.folder / "formula.rb").write_text(formula)
        said = self.run_in(self.folder, "ruby", "-w", "-e", textwrap.dedent("""\
            class Formula
              def self.method_missing(name, *words)
                puts "#{name} #{words.join(' ')}"
                yield if block_given?
              end
              def self.test; end
            end
            load "./formula.rb"
            puts BaPackage.instance_methods(false)
            """))
        base = "https://example.com/v1.2.3/ba-package-1.2.3"
        self.assertEqual(said.splitlines(), [
            "desc Make asset packs for apps and games on Apple's platforms",
            "homepage https://example.com",
            "on_macos ", "depends_on {:arch=>:arm64}", "depends_on {:macos=>:sequoia}",
            f"url {base}-darwin-arm64.tar.gz", "sha256 " + "0" * 64,
            "on_linux ", "on_intel ", f"url {base}-linux-x86_64.tar.gz", "sha256 " + "1" * 64,
            "on_arm ", f"url {base}-linux-aarch64.tar.gz", "sha256 " + "2" * 64,
            "install"])


class SetupActionTest(ReleaseTest):
    made = {}

    def setUp(self):
        super().setUp()
        # Made once: compressing takes seconds.
        if not self.made:
            self.made.update((path.name, path.read_bytes())
                             for path in self.make("dist", "*.tar.gz").parent.iterdir())
        folder = self.folder / "release"
        folder.mkdir()
        for name, contents in self.made.items():
            (folder / name).write_bytes(contents)
        [self.tarball] = folder.glob("*.tar.gz")
        action = (REPOSITORY / ".github/actions/setup/action.yml").read_text()
        [script] = re.findall(r"\n      run: \|\n((?:        .*\n|\n)+)", action)
        (self.folder / "script").write_text(textwrap.dedent(script))

    def act(self, status=0, **inputs):
        """Runs the action's script as GitHub does, and gives its output and what PATH gets."""
        paths = self.folder / "paths"
        paths.write_text("")
        inputs = {"VERSION": VERSION, "PROGRAMS": "ba-package", "REPOSITORY": "owner/repository", "REF": "",
                  "URL": self.tarball.parent.as_uri(), "GITHUB_SERVER_URL": "file://",
                  "RUNNER_TEMP": str(self.folder), "GITHUB_PATH": str(paths), **inputs}
        said = self.run_in(
            self.folder, "bash", "--noprofile", "--norc", "-eo", "pipefail", "script", status=status,
            **inputs)
        return said, paths.read_text().splitlines()

    def test_installs_a_release(self):
        said, [path] = self.act()
        self.assertIn(f"ba-package {VERSION}", said)
        self.check_program(f"{path}/ba-package")
        # Once more, from the place and for the tag that GitHub tells.
        place = self.folder / f"owner/repository/releases/download/v{VERSION}"
        shutil.copytree(self.tarball.parent, place)
        said, [again] = self.act(URL="", VERSION="", REF=f"v{VERSION}", GITHUB_SERVER_URL=self.folder.as_uri())
        self.assertNotEqual(path, again)

    def test_refuses_others(self):
        said, paths = self.act(1, VERSION="", REF="main")
        self.assertIn("::error::'main' is no version", said)
        said, paths = self.act(1, PROGRAMS="ba-package ba-nothing")
        self.assertIn("::error::'ba-nothing' is not in this release: ba-package", said)
        self.assertEqual(paths, [])

    def test_refuses_a_damaged_tarball(self):
        with open(self.tarball, "r+b") as file:
            file.seek(1000)
            file.write(b"damage")
        said, paths = self.act(1)
        self.assertIn("FAILED", said)
        self.assertEqual(paths, [])


@unittest.skipUnless(shutil.which("dpkg-deb"), "there is no dpkg-deb")
class DebTest(ReleaseTest):
    def test_is_installed_and_removed(self):
        deb = self.make_twice("deb", "*.deb")
        machine = self.run_in(self.folder, "dpkg", "--print-architecture").strip()
        self.assertEqual(deb.name, f"ba-package_{VERSION}_{machine}.deb")
        listed = self.run_in(self.folder, "dpkg-deb", "--contents", deb)
        self.assertEqual(set(re.findall(r"^(\S+ \S+)", listed, re.M)),
                         {"drwxr-xr-x root/root", "-rwxr-xr-x root/root", "-rw-r--r-- root/root"})
        self.assertNotIn("Depends", self.run_in(self.folder, "dpkg-deb", "--field", deb))

        root = self.folder / "root"
        (root / "var/lib/dpkg/updates").mkdir(parents=True)
        (root / "var/lib/dpkg/info").mkdir()
        (root / "var/lib/dpkg/status").touch()
        dpkg = ["dpkg", f"--root={root}", "--log=/dev/null", "--force-not-root", "--force-bad-path"]
        self.run_in(self.folder, *dpkg, "--install", deb)
        self.assertEqual(self.run_in(self.folder, *dpkg, "--verify", "ba-package"), "")
        files = {str(path.relative_to(root / "usr")) for path in (root / "usr").rglob("*") if path.is_file()}
        documents = {name for name in files if name.startswith("share/doc/ba-package/")}
        self.assertEqual(files - documents, {
            "bin/ba-package", *COMPLETIONS, *(f"{name}.gz" for name in MANUAL),
            "share/zsh/vendor-completions/_ba-package"})
        self.check_documents(root / "usr")
        self.assertIn("license", (root / "usr/share/doc/ba-package/copyright").read_text())
        self.check_program(root / "usr/bin/ba-package")
        self.run_in(self.folder, *dpkg, "--purge", "ba-package")
        self.assertFalse((root / "usr/bin").exists())


class WheelTest(ReleaseTest):
    def test_is_installed_and_removed(self):
        wheel = self.make_twice("wheel", "*.whl")
        environment = self.folder / "environment"
        try:
            self.run_in(self.folder, sys.executable, "-m", "venv", environment)
        except AssertionError:
            self.skipTest("Python has no module venv")
        pip = [environment / "bin/pip", "--disable-pip-version-check", "--no-input"]
        before = set(environment.rglob("*"))
        self.run_in(self.folder, *pip, "install", "-q", "--no-index", wheel)
        for name in ("bin/ba-package", *COMPLETIONS, *MANUAL):
            self.assertEqual((environment / name).read_bytes(), (self.tree / name).read_bytes(), name)
        self.check_program(environment / "bin/ba-package")
        self.check_documents(environment)
        self.run_in(self.folder, *pip, "uninstall", "-q", "-y", "ba-package")
        left = {path for path in environment.rglob("*") if path.is_file()} - before
        self.assertEqual({path for path in left if "__pycache__" not in path.parts}, set())


class SiteTest(unittest.TestCase):
    @unittest.skipUnless(CHROMIUM and shutil.which("docc"), "there is no chromium, or no docc")
    def test_is_made_and_shown(self):
        """Every page is made without a warning, and a browser shows the first and one more."""
        modules = pathlib.Path(TOOL).with_name("Modules")
        if not modules.is_dir():
            self.skipTest(f"there is no {modules}")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="ba-package-test-"))
        self.addCleanup(shutil.rmtree, folder)
        subprocess.run([REPOSITORY / ".ci/docs", modules, folder / "site"], check=True)
        handler = functools.partial(Quiet, directory=folder / "site")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        browser = Browser()
        self.addCleanup(browser.close)
        address = f"http://127.0.0.1:{server.server_port}/documentation/bapackcore/"
        for page, words in [("", "Reads manifests, selects"), ("troubles", "ITMS-90360")]:
            browser.open(address + page)
            deadline = time.monotonic() + TIMEOUT
            while words not in browser.run("document.body.innerText"):
                self.assertLess(time.monotonic(), deadline, page)
                time.sleep(0.1)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


@unittest.skipUnless(os.path.exists(PRE_COMMIT) and shutil.which("git"), "there is no pre-commit, or no git")
class PreCommitTest(ReleaseTest):
    def setUp(self):
        super().setUp()
        self.clone = self.game()
        self.git(self.clone, "init", "-q")

    def git(self, folder, *words):
        return self.run_in(folder, "git", "-c", "user.name=T", "-c", "user.email=t@example.com", *words)

    def check_hook(self, configuration, path):
        """The hook passes, and finds a renamed file."""
        (self.clone / ".pre-commit-config.yaml").write_text(textwrap.dedent(configuration))
        self.git(self.clone, "add", "-A")
        self.git(self.clone, "commit", "-q", "-m", "Start")
        environment = {"PRE_COMMIT_HOME": str(self.folder / "cache"), "PATH": f"{path}:{os.environ['PATH']}"}
        self.assertIn("Passed", self.run_in(self.clone, PRE_COMMIT, "run", "--all-files", **environment))
        self.git(self.clone, "mv", "Sounds/Music/theme.wav", "Sounds/Music/main.wav")
        said = self.run_in(self.clone, PRE_COMMIT, "run", status=1, **environment)
        self.assertRegex(said, r"Failed(?s:.*)there is no file 'Sounds/Music/theme.wav' \[missing-file\]")

    def test_with_the_installed_program(self):
        hooks = self.folder / "hooks"
        hooks.mkdir()
        shutil.copy(REPOSITORY / ".pre-commit-hooks.yaml", hooks)
        self.git(hooks, "init", "-q")
        self.git(hooks, "add", "-A")
        self.git(hooks, "commit", "-q", "-m", "Start")
        revision = self.git(hooks, "rev-parse", "HEAD").strip()
        self.check_hook(f"""\
            repos:
              - repo: {hooks}
                rev: {revision}
                hooks:
                  - id: ba-package-validate-installed
            """, self.tree / "bin")

    def test_with_the_wheel(self):
        wheel = self.make("wheel", "*.whl")
        self.check_hook(f"""\
            repos:
              - repo: local
                hooks:
                  - id: asset-packs
                    name: asset packs
                    language: python
                    additional_dependencies: ["ba-package @ {wheel.as_uri()}"]
                    entry: ba-package validate Packs
                    always_run: true
                    pass_filenames: false
            """, self.folder / "nothing")


class ClientTest(ReleaseTest):
    """A package that depends on the library may have targets with any usual names."""

    NAMES = ("Apps AppStoreConnect Archive AssetPackServer CCurl CGnuTLS CLinux CZlib CommandLine Diagnostics "
             "Files Importers LZFSE Reports Server TestSupport").split()

    @unittest.skipUnless(shutil.which("swift"), "needs Swift")
    def test_names_of_targets_do_not_clash(self):
        client = self.folder / "client"
        for name in self.NAMES:
            (client / "Sources" / name).mkdir(parents=True)
            (client / "Sources" / name / "Value.swift").write_text("let value = 1\n")
        (client / "Package.swift").write_text(textwrap.dedent(f"""\
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
              name: "client", platforms: [.macOS(.v15)],
              dependencies: [.package(name: "ba-package", path: "{REPOSITORY}")],
              targets: {self.NAMES!r}.map {{ .target(name: $0) }} + [
                .target(name: "Client", dependencies: [.product(name: "BAPackCore", package: "ba-package")])
              ])
            """).replace("'", '"'))
        (client / "Sources/Client").mkdir()
        (client / "Sources/Client/Client.swift").write_text("import BAPackCore\n")
        self.run_in(client, "swift", "package", "show-dependencies", BA_TOOLS="serve,upload")


if __name__ == "__main__":
    unittest.main()
