"""What all attacks share: the preloaded shim, a small repository, and runs that are judged.

A run starts from a fresh copy of a scene (a folder with manifests, files and packs). It is judged by
the files it left against the same command without a fault:

- exit 0: the same files and the same output;
- any other exit: files as they were, with a reason on stderr;
- never a crash, a hang, or a file that belongs to neither state.
"""

import concurrent.futures
import dataclasses
import hashlib
import os
import pathlib
import random
import shutil
import signal
import stat
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT = 120
HANG = 1000
SEED = 20250101


def build_shim(folder):
    """Compiles the shim; None without a C compiler or Linux."""
    if sys.platform != "linux":
        return None
    for compiler in ("clang", "cc", "gcc"):
        if shutil.which(compiler):
            shim = folder / "shim.so"
            subprocess.run(
                [compiler, "-shared", "-fPIC", "-O1", "-o", shim, HERE / "shim.c", "-ldl"],
                check=True)
            return shim
    return None


@dataclasses.dataclass
class Result:
    """How a run ended: its exit code (negative for a signal), and what it said."""
    code: int
    out: bytes
    err: bytes


@dataclasses.dataclass
class Row:
    """A line of the table: an attack, how often it ran, and what went wrong."""
    name: str
    runs: int = 0
    failures: list = dataclasses.field(default_factory=list)
    note: str = ""


class Lab:
    """The program under attack, a scratch folder, and the scenes."""

    def __init__(self, tool, is_long):
        self.tool = str(tool)
        self.is_long = is_long
        # Memory spares the disk a hundred thousand syncs; the program's calls are the same there.
        shared = "/dev/shm"
        self.scratch = pathlib.Path(
            tempfile.mkdtemp(prefix="faults-", dir=shared if os.access(shared, os.W_OK) else None))
        self.shim = build_shim(self.scratch)
        self.scenes = self.scratch / "scenes"
        self.random = random.Random(SEED)
        self._number = 0
        if self.shim:
            self.run(["--version"], self.scratch, {"FAULT_COUNTS": self.scratch / "version"})
            if not (self.scratch / "version").exists():
                raise SystemExit(f"'{tool}' can't preload anything: it must be linked dynamically")
        make_scene(self, self.scenes / "base")

    def close(self):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def run(self, words, cwd, shim=None, stdin=b"", timeout=TIMEOUT, **options):
        """Runs the program; `shim` has the variables of the shim, if it is preloaded."""
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no"}
        if shim is not None:
            env |= {"LD_PRELOAD": str(self.shim)} | {k: str(v) for k, v in shim.items()}
        try:
            done = subprocess.run(
                [self.tool, *words], cwd=cwd, env=env, input=stdin, capture_output=True,
                timeout=timeout, **options)
        except subprocess.TimeoutExpired:
            return Result(HANG, b"", b"")
        return Result(done.returncode, done.stdout, done.stderr)

    def folder(self, scene="base"):
        """A fresh copy of a scene, which the caller removes."""
        self._number += 1
        copy = self.scratch / f"run-{os.getpid()}-{self._number}-{random.getrandbits(32):08x}"
        shutil.copytree(self.scenes / scene, copy, symlinks=True)
        return copy

    def each(self, items, body):
        """Calls `body` with each item on several threads; yields the results in order."""
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            yield from pool.map(body, items)

    def sample(self, items, most):
        """All items in a long run, else `most` of them, spread by a fixed seed."""
        items = list(items)
        if self.is_long or len(items) <= most:
            return items
        return [items[i] for i in sorted(self.random.sample(range(len(items)), most))]


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


MANIFEST = """{
  "assetPackID": "harbour",
  "downloadPolicy": { "onDemand": {} },
  "fileSelectors": [{ "directory": "Files" }],
  "platforms": ["iOS"]
}
"""


def noise(count, seed):
    return random.Random(seed).randbytes(count)


def make_scene(lab, folder):
    """A repository of a few files (one of several blocks), packs of it, a list and a script."""
    write(folder / "Files/a.txt", "first\n" * 40)
    write(folder / "Files/Empty/none", "")
    write(folder / "Files/Levels/deep/b.bin", noise(5000, 1))
    write(folder / "Files/Levels/large.bin", noise(400_000, 2) + b"text " * 400_000)
    write(folder / "Files/run.sh", "#!/bin/sh\n")
    os.chmod(folder / "Files/run.sh", 0o755)
    write(folder / "Harbour.json", MANIFEST)
    write(folder / "depot.vdf", DEPOT)
    write(folder / "Second.json", MANIFEST.replace("harbour", "second").replace(
        '"directory": "Files"', '"file": "Files/a.txt"'))

    def make(*words):
        result = lab.run(words, folder)
        if result.code != 0:
            raise SystemExit(f"the scene can't be made: {words}: {result.err.decode()}")

    make("package", "Harbour.json", "-o", "old.aar", "-q")
    write(folder / "Files/a.txt", "second\n" * 30)
    write(folder / "Harbour.json", MANIFEST.replace("harbour", "lighthouse"))
    make("package", "Harbour.json", "-o", "other.aar", "-q")
    write(folder / "Harbour.json", MANIFEST)
    make("package", "Harbour.json", "-o", "new.aar", "-q")
    make("package", "Harbour.json", "-o", "lzfse.aar", "-q", "--compression", "lzfse")
    for name in "Levels/large.bin", "Z", "z":
        write(folder / "Case" / name, noise(5000, 3))
    write(folder / "Case.json", MANIFEST.replace('"Files"', '"Case"'))
    make("package", "Case.json", "-o", "case.aar", "-q")
    (folder / "empty").mkdir(mode=0o750)
    make("download-manifest", "create", "old.aar", *LIST, "-o", "List.json", "-q")


LIST = ["--ios", "--download-base-url", "https://example.com/packs"]

DEPOT = r'''"DepotBuild"
{
  "DepotID" "1001"
  "ContentRoot" "Files"
  "FileMapping" { "LocalPath" "*" "DepotPath" "." "Recursive" "1" }
  "FileExclusion" "*.pdb"
}
'''


@dataclasses.dataclass
class Case:
    """A command line, and how its run is to be judged."""
    name: str
    words: list
    scene: str = "base"
    stdin: str = ""
    # What the file system does not have: see the shim.
    lacks: str = ""
    # Whether a killed run is followed by the same command with --force, as a person would.
    forces: bool = False
    # Whether all output is published in one step, and the command refuses to run over it.
    is_whole: bool = False
    # Files of which some may be new after an error, when the error names each.
    parts: tuple = ()
    # Folders that are made for output, and may stay.
    folders: tuple = ()
    writes: bool = True

    def run(self, lab, folder, stdin, shim=None, more=()):
        """Runs the command in `folder`, with the variables `shim` if it is to be preloaded."""
        if self.lacks:
            shim = (shim or {}) | {"FAULT_LACKS": self.lacks}
        return lab.run([*self.words, *more], folder, shim, stdin)


J = ["-j", "1"]
CASES = [
    Case("package", ["package", "Harbour.json", "-o", "P.aar", *J], forces=True),
    Case("package --force", ["package", "Harbour.json", "-o", "old.aar", "--force", *J]),
    Case("package, no unnamed files", ["package", "Harbour.json", "-o", "P.aar", *J],
         lacks="tmpfile", forces=True),
    Case("package --force, no unnamed files",
         ["package", "Harbour.json", "-o", "old.aar", "--force", *J], lacks="tmpfile"),
    Case("template, links only", ["template", "-o", "T.json"], lacks="tmpfile,rename2",
         forces=True),
    Case("package, lzfse", ["package", "Harbour.json", "-o", "P.aar", "--compression", "lzfse", *J],
         forces=True),
    Case("package, 3 jobs", ["package", "Harbour.json", "-o", "P.aar", "-j", "3"], forces=True),
    Case("package, two manifests",
         ["package", "Harbour.json", "Second.json", "--output-directory", "packs", *J],
         forces=True, parts=("packs/",), folders=("packs",)),
    Case("package, two manifests, 3 jobs",
         ["package", "Harbour.json", "Second.json", "--output-directory", "packs", "-j", "3"],
         forces=True, parts=("packs/",), folders=("packs",)),
    Case("report", ["report", "new.aar", "--since", "old.aar", "--title", "Packs", "-o", "R.html", *J],
         forces=True),  # without a title, it is named after the folder, which is another each time
    Case("report, standard output", ["report", "Harbour.json", "--format", "json", *J],
         writes=False),
    Case("package --dry-run", ["package", "Harbour.json", "-o", "Dry.aar", "--dry-run"], writes=False),
    Case("validate", ["validate", "Harbour.json", "--coverage", "."], writes=False),
    Case("evaluate", ["evaluate", "Harbour.json"], writes=False),
    Case("template", ["template", "-o", "T.json"], forces=True),
    Case("template --force", ["template", "-o", "Harbour.json", "--force"]),
    Case("template --from", ["template", "--from", "Files", "--output-directory", "Made"],
         forces=True, parts=("Made/",), folders=("Made",)),
    Case("convert", ["convert", "depot.vdf", "--asset-pack-id", "x", "--on-demand", "-o", "C.json"],
         forces=True),
    Case("list", ["list", "-l", "new.aar", *J], writes=False),
    Case("info", ["info", "new.aar", *J], writes=False),
    Case("verify", ["verify", "new.aar", "--against", ".", *J], writes=False),
    Case("verify, standard input", ["verify", "-", *J], stdin="new.aar", writes=False),
    Case("cat", ["cat", "new.aar", "Files/Levels/large.bin", *J], writes=False),
    Case("diff", ["diff", "new.aar", "lzfse.aar", *J], writes=False),
    Case("extract", ["extract", "new.aar", "-o", "out", *J], is_whole=True),
    Case("extract, 3 jobs", ["extract", "new.aar", "-o", "out", "-j", "3"], is_whole=True),
    Case("extract, lzfse", ["extract", "lzfse.aar", "-o", "out", *J], is_whole=True),
    Case("extract into an empty folder", ["extract", "new.aar", "-o", "empty", *J], is_whole=True),
    Case("extract, standard input", ["extract", "-", "-o", "out", *J], stdin="new.aar",
         is_whole=True),
    Case("extract, plain renames only", ["extract", "new.aar", "-o", "out", *J],
         lacks="rename2", is_whole=True),
    Case("download-manifest create",
         ["download-manifest", "create", "new.aar", "other.aar", *LIST, "-o", "D.json", *J],
         forces=True, parts=("D.digests.json",)),
    Case("download-manifest update",
         ["download-manifest", "update", "List.json", "--asset-pack-paths", "new.aar", "other.aar",
          *LIST, *J], parts=("List.digests.json",)),
]


def snapshot(folder):
    """All files below `folder`: their modes and a digest; folders too, as they may be strays."""
    found = {}
    for at, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(at, name)
            status = os.lstat(path)
            kind = stat.filemode(status.st_mode)
            if stat.S_ISREG(status.st_mode):
                with open(path, "rb") as file:
                    kind += " " + hashlib.sha1(file.read()).hexdigest()
            elif stat.S_ISLNK(status.st_mode):
                kind += " " + os.readlink(path)
            found[os.path.relpath(path, folder)] = kind
    return found


def is_named(case, name, result):
    """Whether a run of `case` said that it changed this file, or the folder that it is in."""
    said = result.err + result.out
    return name.startswith(case.parts or ("\0",)) and (
        name.encode() in said
        or any(f"'{parent}'".encode() in said for parent in pathlib.PurePath(name).parents))


def unnamed_changes(case, before, state, result):
    """The files that a failed run changed without naming them or a folder they are in, but for folders
    made for output."""
    changed = {n for n in before.keys() | state.keys() if before.get(n) != state.get(n)}
    return sorted(n for n in changed - set(case.folders) if not is_named(case, n, result))


def crash(result):
    """What ended the process, if it did not end by itself."""
    if result.code == HANG:
        return f"did not end in {TIMEOUT} seconds"
    if result.code < 0:
        return f"ended by {signal.Signals(-result.code).name}"
    if result.code >= 128 and result.code not in (129, 130, 141, 143):
        return f"exit {result.code}"
    return None
