"""Files and folders are exchanged for others while the program works, before each of its calls."""

import os
import shutil

from harness import Row, crash, noise, snapshot, write

SECRET = b"SECRET!!"


def variables(a, b, mode="swap", lacks=""):
    """Those of the shim for two files that are exchanged."""
    return {"FAULT_A": a, "FAULT_B": b, "FAULT_MODE": mode, "FAULT_LACKS": lacks}


def swap(lab, prepare, words, check, at):
    """Exchanges what `prepare` names before call `at`, and has `check` judge the result."""
    folder = lab.folder()
    try:
        a, b, *_ = prepared = prepare(folder)
        result = lab.run(words, folder, variables(*prepared) | {"FAULT_AT": at})
        wrong = crash(result) or check(lab, folder, result)
        return f"{' '.join(words[:2])}: swap of '{a}' and '{b}' at {at}: {wrong}" if wrong else None
    finally:
        shutil.rmtree(folder)


def calls(lab, prepare, words):
    """The number of calls at which something can be exchanged, and the number of the first rename."""
    folder = lab.folder()
    counts = folder / "counts"
    lab.run(words, folder, variables(*prepare(folder)) | {"FAULT_COUNTS": counts})
    found = dict(map(str.split, counts.read_text().splitlines()))
    shutil.rmtree(folder)
    return int(found["swap"]), int(found["first-rename"])


# Packaging

def same_size_and_time(folder):
    """Another file of the same size and times."""
    old = folder / "Files/Levels/large.bin"
    new = folder / "Outside/large.bin"
    write(new, noise(old.stat().st_size, 9))
    times = old.stat()
    os.utime(new, ns=(times.st_atime_ns, times.st_mtime_ns))
    return "Files/Levels/large.bin", "Outside/large.bin"


def linked_folder(folder):
    """A link to a folder outside the repository, with files of the same sizes and times."""
    outside = folder.parent / f"outside-{folder.name}"
    inside = folder / "Files/Levels"
    for name in ("large.bin", "deep/b.bin"):
        status = (inside / name).stat()
        write(outside / name, SECRET * (status.st_size // 8) + b"!" * (status.st_size % 8))
        os.utime(outside / name, ns=(status.st_atime_ns, status.st_mtime_ns))
    (folder / "Outside").symlink_to(outside)
    return "Files/Levels", "Outside"


def folder_of_manifests(folder):
    """A folder of two manifests in the place of one."""
    for name in ("a.json", "b.json"):
        write(folder / "Outside" / name, (folder / "Harbour.json").read_bytes())
    return "Harbour.json", "Outside"


def check_list(lab, folder, result):
    """Without an error, there is a pack for what was found at first: the manifest or the folder."""
    if result.code:
        return None if result.err.strip() else f"exit {result.code} without a reason"
    made = sorted(p.name for p in (folder / "packs").iterdir())
    return None if made in (["Harbour.aar"], ["a.aar", "b.aar"]) else f"made {made}"


def check_pack(lab, folder, result):
    """Each file of the pack is one of the two that had its name, whole; none is from outside."""
    shutil.rmtree(folder.parent / f"outside-{folder.name}", ignore_errors=True)
    if result.code != 0:
        return "a pack was left" if (folder / "P.aar").exists() else None
    done = lab.run(["cat", "P.aar", "Files/Levels/large.bin"], folder)
    if done.code != 0:
        return f"the pack can't be read: {done.err!r}"
    if SECRET in done.out:
        return "a file from outside the repository was packed"
    known = [
        path.read_bytes()
        for path in (folder / "Files/Levels/large.bin", folder / "Outside/large.bin",
                     lab.scenes / "base/Files/Levels/large.bin") if path.is_file()]
    return None if done.out in known else "a mixture of two files was packed"


# Extracting

PRECIOUS = b"precious\n"


INSIDE = ".fresh.ba-package-*.tmp/Files/Levels"


def other_folder(folder):
    """A folder with files of its own, under the names of the pack's."""
    write(folder / "Outside/deep/b.bin", PRECIOUS)
    write(folder / "Outside/large.bin", PRECIOUS)
    return INSIDE, "Outside"


def other_names(folder):
    """A folder with files of its own, none of which the pack has."""
    write(folder / "Outside/mine/b.bin", PRECIOUS)
    write(folder / "Outside/mine.bin", PRECIOUS)
    return INSIDE, "Outside"


def other_link(folder):
    other_folder(folder)
    (folder / "Link").symlink_to("Outside")
    return INSIDE, "Link"


def target(folder):
    """The empty target."""
    other_folder(folder)
    return "empty", "Outside"


def target_for_a_link(folder):
    other_link(folder)
    return "empty", "Link"


def staging_for_a_link(folder):
    """The temporary folder."""
    other_link(folder)
    return ".fresh.ba-package-*.tmp", "Link"


def staging_for_a_folder(folder):
    other_folder(folder)
    return ".fresh.ba-package-*.tmp", "Outside"


def file_that_has_to_go(folder):
    """A file that is removed again, as the pack can't be extracted where case makes no difference."""
    other_folder(folder)
    return ".fresh.ba-package-*.tmp/case/levels/large.bin", "Outside/large.bin", "swap", "case"


def check_fresh(lab, folder, result):
    """What was extracted is published, or nothing is."""
    wrong = check_kept(lab, folder, result)
    fresh = folder / "fresh"
    if wrong or result.code != 0:
        return wrong or ("there is a target in spite of the error" if os.path.lexists(fresh) else None)
    if fresh.is_symlink() or (fresh / "large.bin").exists():
        return "something else was published"
    return None if (fresh / "Files/Levels/large.bin").is_file() else "nothing was published"


def check_kept(lab, folder, result):
    """Nobody else's file is gone or changed, wherever it is now."""
    kept = {os.path.realpath(p) for p in folder.rglob("*") if p.is_file() and p.read_bytes() == PRECIOUS}
    return None if len(kept) == 2 else f"{2 - len(kept)} of the files that were there before are gone"


def check_untouched(lab, folder, result):
    """Nothing was written to somebody else's folder."""
    wrong = check_kept(lab, folder, result)
    if wrong:
        return wrong
    theirs, = (path.parent for path in folder.rglob("mine.bin"))
    found = sorted(p.name for p in theirs.iterdir())
    return None if found == ["mine", "mine.bin"] else f"somebody else's folder has {found}"


# Writing to a pipe

PIPES = {}


def pipe_for_a_file(folder):
    """A pipe that has a reader, which is exchanged for a file."""
    os.mkfifo(folder / "Pipe")
    PIPES[folder] = os.open(folder / "Pipe", os.O_RDWR)
    write(folder / "Precious", PRECIOUS)
    return "Pipe", "Precious"


def check_precious(lab, folder, result):
    os.close(PIPES.pop(folder))
    kept = [p for p in (folder / "Pipe", folder / "Precious") if p.is_file() and p.read_bytes() == PRECIOUS]
    return None if kept else f"a file that was there before is overwritten: {result}"


# Fixing

EDIT = b"// mine\n"


def saved_edit(folder):
    """A manifest with a typo, and the same with an edit."""
    text = (folder / "Harbour.json").read_bytes().replace(b"fileSelectors", b"fileSelektors")
    write(folder / "Typo.json", text)
    write(folder / "Edited.json", text + EDIT)
    return "Typo.json", "Edited.json"


def saved_edit_without_exchange(folder):
    return *saved_edit(folder), "swap", "rename2"


def saved_edits(folder):
    """That the file is saved twice, at two calls in a row: the last time as it was."""
    return *saved_edit(folder), "swap2"


def check_edits(lab, folder, result):
    """What was saved last is there, unless the run ends well."""
    if result.code == 0:
        return check_edit(lab, folder, result)
    text = (folder / "Typo.json").read_bytes()
    return None if b"fileSelektors" in text and not text.endswith(EDIT) else "what was saved last is lost"


def check_edit(lab, folder, result):
    """The edit is there, whether it was saved before the fix, meanwhile, or after it."""
    text = (folder / "Typo.json").read_bytes()
    # A thread of the program exchanges them, which may end before it does.
    is_saved = not (folder / "Edited.json").read_bytes().endswith(EDIT)
    if is_saved and not text.endswith(EDIT):
        return f"the edit is lost: exit {result.code}: {result.err[:200]!r}"
    strays = [name for name in snapshot(folder) if name.endswith(".tmp")]
    return f"strays: {strays}" if strays else None


# The last number is of calls after the last look at a name, where no system can tell.
RACES = [
    ("package: manifest for a folder", folder_of_manifests,
     ["package", "Harbour.json", "--output-directory", "packs", "-j", "1", "-k"], check_list),
    ("validate --fix: an edit is saved", saved_edit, ["validate", "--fix", "Typo.json"], check_edit),
    ("validate --fix: an edit, without an exchange", saved_edit_without_exchange,
     ["validate", "--fix", "Typo.json"], check_edit, 8),
    ("template: pipe for a file", pipe_for_a_file, ["template", "-o", "Pipe"], check_precious),
    ("extract, in vain: file for another", file_that_has_to_go,
     ["extract", "case.aar", "-o", "fresh", "-j", "1"], check_kept, 1),
    ("validate --fix: two edits are saved", saved_edits, ["validate", "--fix", "Typo.json"], check_edits),
    ("package: file of same size and time", same_size_and_time,
     ["package", "Harbour.json", "-o", "P.aar", "-j", "1"], check_pack),
    ("package: folder for a link to outside", linked_folder,
     ["package", "Harbour.json", "-o", "P.aar", "-j", "1"], check_pack),
    *((f"extract: {name}", prepare, ["extract", "new.aar", "-o", into, "-j", "1"], check)
      for name, prepare, into, check in (
          ("folder for another", other_folder, "fresh", check_kept),
          ("folder for one with other names", other_names, "fresh", check_untouched),
          ("folder for a link", other_link, "fresh", check_kept),
          ("target for another", target, "empty", check_kept),
          ("target for a link", target_for_a_link, "empty", check_kept),
          ("temporary folder for a link", staging_for_a_link, "fresh", check_fresh),
          ("temporary folder for another", staging_for_a_folder, "fresh", check_fresh))),
]


def attacks(lab):
    for name, prepare, words, check, *unseen in RACES:
        row = Row(name)
        count, rename = calls(lab, prepare, words)
        numbers = range(1, count + 1)
        if words[0] != "extract":
            numbers = lab.sample(numbers, 40)
        if words[0] == "validate":
            # Here, each counts.
            numbers = sorted({*numbers, *range(rename - 20, rename + 21)})
        row.runs = len(numbers)
        row.failures = [
            f for f in lab.each(numbers, lambda n: swap(lab, prepare, words, check, n)) if f]
        if len(row.failures) <= sum(unseen):
            row.failures = []
        yield row
