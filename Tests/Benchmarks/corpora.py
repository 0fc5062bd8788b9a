"""Real game data, from Debian's packages, in a cache folder outside the repository."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

CACHE = Path(
    os.environ.get("BENCH_CACHE")
    or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ba-package-bench"
)

SETS = {
    "small": ["supertux-data"],
    "stk": ["supertuxkart-data"],
    "0ad": ["0ad-data"],
    "all": ["supertux-data", "supertuxkart-data", "0ad-data"],
}


def tree(package):
    """The folder of a package's unpacked data, which is fetched unless it is there."""
    folder = CACHE / package
    if not folder.is_dir():
        unpack(deb(package), folder)
    drop_dangling_links(folder)
    return folder


def deb(package):
    """The path of a package's archive, downloaded unless it is there."""
    folder = CACHE / "debs"
    folder.mkdir(parents=True, exist_ok=True)
    found = sorted(folder.glob(f"{package}_*.deb"))
    if not found:
        if not shutil.which("apt-get"):
            sys.exit(f"bench: {package} comes from Debian's archive through apt-get, "
                     f"which is not here; put its files into '{CACHE / package}' yourself")
        print(f"downloading {package} to '{folder}'", file=sys.stderr)
        subprocess.run(["apt-get", "download", "-q", package], cwd=folder, check=True)
        found = sorted(folder.glob(f"{package}_*.deb"))
    return found[-1]


def unpack(archive, folder):
    """Unpacks a package whole or not at all; what is one big zip inside is unpacked in its turn."""
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    subprocess.run(["dpkg-deb", "-x", archive, part], check=True)
    for inner in list(part.rglob("public.zip")):
        with zipfile.ZipFile(inner) as contents:
            contents.extractall(inner.parent)
        inner.unlink()
    part.rename(folder)


def drop_dangling_links(folder):
    """Removes links into other packages: no tool could pack what they name."""
    for path, folders, files in os.walk(folder):
        for name in folders + files:
            entry = os.path.join(path, name)
            if os.path.islink(entry) and not os.path.exists(entry):
                os.unlink(entry)


def contents(folder):
    """The number of files below a folder, and their bytes."""
    count = size = 0
    for path, _, files in os.walk(folder):
        for name in files:
            count += 1
            size += os.stat(os.path.join(path, name)).st_size
    return count, size
