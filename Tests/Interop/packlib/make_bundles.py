"""Apps with a downloader extension as they are built: folders for macOS and iOS, and .ipa archives,
with Mach-O executables and code signatures written by hand. Each of `BROKEN` differs from the good one
in one way."""

import copy
import io
import plistlib
import struct
import zipfile

POINT = "com.apple.background-asset-downloader-extension"
GROUPS = "com.apple.security.application-groups"
GROUP = "group.com.example.game"
TEAM = "com.apple.developer.team-identifier"
SANDBOX = "com.apple.security.app-sandbox"
# Load commands and platforms of <mach-o/loader.h>.
LC_CODE_SIGNATURE, LC_VERSION_MIN_MACOSX, LC_BUILD_VERSION = 0x1D, 0x24, 0x32
MACOS, IOS, TVOS, CATALYST, VISIONOS = 1, 2, 3, 6, 11


def blob(magic, content):
    return struct.pack(">II", magic, 8 + len(content)) + content


def signature(entitlements, der=True):
    """A superblob with a code directory and the entitlements in XML, and in something like DER."""
    blobs = [(0, blob(0xFADE0C02, bytes(36)))]
    if entitlements is not None:
        blobs.append((5, blob(0xFADE7171, plistlib.dumps(entitlements))))
    if der:
        blobs.append((7, blob(0xFADE7172, b"\x70\x02\x02\x01")))
    place, index = 12 + 8 * len(blobs), b""
    for kind, data in blobs:
        index += struct.pack(">II", kind, place)
        place += len(data)
    return struct.pack(">III", 0xFADE0CC0, place, len(blobs)) + index + b"".join(d for _, d in blobs)


def mach_o(commands=(), signed=None, order="<", bits=64, code=b"\x90" * 4096):
    """A program with these load commands, pairs of a number and content."""
    commands = [struct.pack(order + "II", kind, 8 + len(rest)) + rest for kind, rest in commands]
    header = 32 if bits == 64 else 28
    size = sum(map(len, commands)) + (16 if signed is not None else 0)
    if signed is not None:
        commands.append(struct.pack(
            order + "IIII", LC_CODE_SIGNATURE, 16, header + size + len(code), len(signed)))
    magic = 0xFEEDFACF if bits == 64 else 0xFEEDFACE
    start = struct.pack(order + "7I", magic, 0x0100000C, 0, 2, len(commands), size, 0x85)
    return start + bytes(header - 28) + b"".join(commands) + code + (signed or b"")


def build_version(platform, order="<"):
    return LC_BUILD_VERSION, struct.pack(order + "IIII", platform, 26 << 16, 26 << 16, 0)


def fat(*images, wide=False):
    """A universal binary."""
    table, data = b"", b""
    start = 4096
    for image in images:
        place = start + len(data)
        table += struct.pack(">IIQQII", 0x0100000C, 0, place, len(image), 12, 0) if wide else \
            struct.pack(">IIIII", 0x0100000C, 0, place, len(image), 12)
        data += image + bytes(-len(image) % 4096)
    head = struct.pack(">II", 0xCAFEBABF if wide else 0xCAFEBABE, len(images)) + table
    return head + bytes(start - len(head)) + data


class App:
    """What a bundle is made from; `change` breaks it."""

    def __init__(self, mac=False):
        self.mac, self.name, self.folder = mac, "Game.app", "Extensions"
        self.binary = self.deflated = True
        system = {"LSMinimumSystemVersion": "26.0"} if mac else {"MinimumOSVersion": "26.0"}
        common = {"CFBundleShortVersionString": "1.2", "CFBundleVersion": "34"}
        self.info = {
            "CFBundleIdentifier": "com.example.game", "CFBundleExecutable": "Game",
            "CFBundlePackageType": "APPL", "BAAppGroupID": GROUP, "BAHasManagedAssetPacks": True,
            "BAUsesAppleHosting": True, **common, **system}
        self.extension = {
            "CFBundleIdentifier": "com.example.game.downloader", "CFBundleExecutable": "Downloader",
            "CFBundlePackageType": "XPC!", "CFBundleDisplayName": "Downloader", "EXAppExtensionAttributes":
                {"EXExtensionPointIdentifier": POINT}, **common, **system}
        self.info["DTXcode"] = self.extension["DTXcode"] = "2700"
        self.entitlements = {GROUPS: ["group.other", GROUP], TEAM: "ABCDE12345"}
        self.extension_entitlements = {GROUPS: [GROUP], TEAM: "ABCDE12345"}

    def files(self):
        """The files by path, relative to the folder of the app."""
        contents = "Contents/" if self.mac else ""
        programs = contents + ("MacOS/" if self.mac else "")
        style = plistlib.FMT_BINARY if self.binary else plistlib.FMT_XML
        files = {
            contents + "Info.plist": plistlib.dumps(self.info, fmt=style),
            programs + "Game": self.program(self.entitlements)}
        if self.extension is not None:
            inner = f"{contents}{self.folder}/Downloader.appex/"
            files[inner + contents + "Info.plist"] = plistlib.dumps(self.extension, fmt=style)
            files[inner + programs + "Downloader"] = self.program(self.extension_entitlements)
        return files

    def program(self, entitlements):
        image = mach_o([build_version(MACOS if self.mac else IOS)], signature(entitlements))
        return fat(image, image) if self.mac else image

    def write(self, folder):
        """Writes the bundle into the folder."""
        for path, data in self.files().items():
            file = folder / self.name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return folder / self.name

    def ipa(self):
        """The bytes of an archive with the bundle."""
        output = io.BytesIO()
        method = zipfile.ZIP_DEFLATED if self.deflated else zipfile.ZIP_STORED
        with zipfile.ZipFile(output, "w", method) as archive:
            for path, data in self.files().items():
                archive.writestr(f"Payload/{self.name}/{path}", data)
        return output.getvalue()


def own_server(app):
    """Turns the good app into one whose packs are on a server of its own; see `OWN`."""
    app.info.pop("BAUsesAppleHosting")
    app.info.update({
        "BAManifestURL": "https://cdn.example.com/packs.json",
        "BAInitialDownloadRestrictions": {
            "BADownloadDomainAllowList": ["cdn.example.com"], "BADownloadAllowance": 1 << 30,
            "BAEssentialDownloadAllowance": 1 << 30},
        "BAEssentialMaxInstallSize": 1 << 30, "BAMaxInstallSize": 1 << 30})


def change(part, key, value=None):
    """A change that sets a key, or with None removes it."""
    def apply(app):
        values = getattr(app, part)
        if value is None:
            del values[key]
        else:
            values[key] = copy.deepcopy(value)
    return apply


def no_extension(app):
    app.extension = None


def plug_in(app):
    app.folder = "PlugIns"


def http(app):
    own_server(app)
    app.info["BAManifestURL"] = "http://cdn.example.com/packs.json"


def no_url(app):
    own_server(app)
    del app.info["BAManifestURL"]


def small(app):
    own_server(app)
    app.info["BAEssentialMaxInstallSize"] = 3


# What is broken: the rule of the only finding, a word of its message, whether the packs are on an own
# server, and the change.
BROKEN = {
    "no extension": ("extension-missing", "no downloader", False, no_extension),
    "in PlugIns": ("extension-place", "PlugIns", False, plug_in),
    "wrong point": ("extension-point", "is 'com.apple.background-downloader'", False, change(
        "extension", "EXAppExtensionAttributes",
        {"EXExtensionPointIdentifier": "com.apple.background-downloader"})),
    "no point": ("extension-point", "has no extension point", False,
                 change("extension", "EXAppExtensionAttributes")),
    "NSExtension": ("extension-old-keys", "NSExtension", False, change(
        "extension", "NSExtension", {"NSExtensionPointIdentifier": POINT})),
    "identifier": ("extension-identifier", "com.example.gamedownloader", False, change(
        "extension", "CFBundleIdentifier", "com.example.gamedownloader")),
    "versions": ("extension-version", "1.3", False, change(
        "extension", "CFBundleShortVersionString", "1.3")),
    "no group in Info.plist": ("app-info-missing", "BAAppGroupID", False,
                               change("info", "BAAppGroupID")),
    "group not in the app's": ("app-group-of-app", "group.other", False, change(
        "entitlements", GROUPS, ["group.other"])),
    "group not in the extension's": ("app-group-of-extension", "no app group", False, change(
        "extension_entitlements", GROUPS)),
    "different groups": ("app-groups-differ", "in common", False, change(
        "extension_entitlements", GROUPS, ["group.third"])),
    "not managed": ("app-info-missing", "BAHasManagedAssetPacks", False, change(
        "info", "BAHasManagedAssetPacks")),
    "hosting": ("app-info-missing", "BAUsesAppleHosting", False, change("info", "BAUsesAppleHosting")),
    "no manifest URL": ("app-info-missing", "BAManifestURL", True, no_url),
    "manifest URL without TLS": ("app-info-value", "https://", True, http),
    "small size": ("app-info-size", "BAEssentialMaxInstallSize", True, small),
    "no display name": ("extension-name", "CFBundleDisplayName", False,
                        change("extension", "CFBundleDisplayName")),
    "no team": ("team-identifier", "'Game.app'", False, change("entitlements", TEAM)),
    "extension without a team": ("team-identifier", "Downloader.appex", False,
                                 change("extension_entitlements", TEAM)),
    "too old for Xcode": ("system-of-xcode", "14.4", False,
                          change("extension", "MinimumOSVersion", "14.4")),
    "early system": ("minimum-system", "18.0", False, change("info", "MinimumOSVersion", "18.0")),
}
