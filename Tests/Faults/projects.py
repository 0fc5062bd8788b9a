"""Small projects that state much: converting them takes memory and output that grow with the file."""

import resource
import shutil

from harness import Row, crash, write
from limits import MIB, least_memory

MEMORY = 256
OUTPUT = 1 << 20
TEXT = """{ objects = {
P = { isa = PBXProject; mainGroup = G; targets = (T, ); attributes = { KnownAssetTags = (%(known)s); }; };
T = { isa = PBXNativeTarget; name = App; buildConfigurationList = L; buildPhases = (R, ); };
L = { isa = XCConfigurationList; buildConfigurations = (C, ); defaultConfigurationName = Release; };
C = { isa = XCBuildConfiguration; baseConfigurationReference = X; name = Release; buildSettings = { %(settings)s }; };
X = { isa = PBXFileReference; path = a.xcconfig; }; F = { isa = PBXFileReference; path = f; };
G = { isa = PBXGroup; children = (X, %(top)s, ); };
R = { isa = PBXResourcesBuildPhase; files = (%(files)s, ); };
B = { isa = PBXBuildFile; fileRef = %(file)s; settings = { ASSET_TAGS = (%(tags)s, ); }; };
%(more)s }; rootObject = P; }
"""
USUAL = {"known": "", "settings": "", "top": "F", "files": "B", "file": "F", "tags": "a", "more": ""}


def numbered(text, count):
    return "".join(text.replace("#", str(i)) for i in range(count))


def group(name, *children, kind="VariantGroup", more=""):
    return f"{name} = {{ isa = PBX{kind}; {more} children = ({', '.join(children)}, ); }};\n"


def projects():
    """The name, the varying parts, and the other files of each project."""
    yield "a circle of groups", {"top": "V", "file": "V", "more": group("V", "W") + group("W", "V")}, {}
    yield "groups twice in each other", {
        "top": "V0", "file": "V0",
        "more": "".join(group(f"V{i}", f"V{i + 1}", f"V{i + 1}") for i in range(30))}, {}
    yield "a chain of groups", {"top": "F, G0", "more": "".join(
        group(f"G{i}", f"G{i + 1}", kind="Group", more="path = %s;" % ("n" * 60))
        for i in range(8000))}, {}
    yield "a file many times in its group", {"top": "F, " * 150_000}, {}
    yield "a shared group of languages", {
        "top": "V", "file": "V", "tags": numbered("t#, ", 10_000),
        "files": numbered("B#, ", 15_000) + "B",
        "more": group("V", numbered("F#, ", 8000)) + numbered(
            "F# = { isa = PBXFileReference; path = f; };\n", 8000) + numbered(
            "B# = { isa = PBXBuildFile; fileRef = V; };\n", 15_000)}, {}
    yield "many tags of a file", {"tags": numbered("t#, ", 100_000)}, {}
    yield "many known tags", {"known": numbered("t#, ", 100_000)}, {}
    yield "many tags in a catalog", {
        "top": "F, A", "files": "B, D", "more": "A = { isa = PBXFileReference; path = A.xcassets; };"
        "D = { isa = PBXBuildFile; fileRef = A; };"}, {
        "A.xcassets/a.dataset/f": "x", "A.xcassets/a.dataset/Contents.json":
        '{"data": [{"filename": "f"}], "properties": {"on-demand-resource-tags": ["a"%s]}}'
        % numbered(', "t#"', 90_000)}
    yield "many settings", {}, {"a.xcconfig": numbered("K# = 1\n", 90_000)}
    yield "many included settings", {}, {
        "a.xcconfig": '#include "b.xcconfig"\n' * 900, "b.xcconfig": numbered("K# = 1\n", 5000)}
    key = "ON_DEMAND_RESOURCES_PREFETCH_ORDER"
    yield "settings inherited many times", {
        "settings": f'{key} = ({"$(inherited), " * 20_000});'.replace("$(inherited)", '"$(inherited)"')}, {
        "a.xcconfig": f"{key} = {'a ' * 20_000}\n"}
    yield "a long word", {}, {"a.xcconfig": "K = " + "a" * 1_000_000 + "\n"}


def bounded(lab, name, parts, files, limit):
    folder = lab.folder()
    try:
        write(folder / "P.xcodeproj/project.pbxproj", TEXT % (USUAL | parts))
        write(folder / "f", "x")
        for path, text in files.items():
            write(folder / path, text)
        result = lab.run(
            ["convert", "P.xcodeproj", "--output-directory", "out"], folder, timeout=600,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit * MIB, limit * MIB)))
        wrong = crash(result)
        if wrong or result.code not in (0, 1):
            return f"{name}: {wrong or result.code}: {result.err[:200]!r}"
        if not result.err.strip() or len(result.err) > OUTPUT:
            return f"{name}: {len(result.err)} bytes of messages"
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def attacks(lab):
    least = least_memory(lab)
    row = Row("projects that ask for much", note=f"within {MEMORY} MiB")
    for name, parts, files in projects():
        row.runs += 1
        failure = bounded(lab, name, parts, files, least + MEMORY)
        if failure:
            row.failures.append(failure)
    yield row
