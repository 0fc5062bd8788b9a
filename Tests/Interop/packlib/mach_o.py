"""Mach-O executables, by hand."""

import struct

# Load commands and platforms of <mach-o/loader.h>.
LC_VERSION_MIN_MACOSX, LC_BUILD_VERSION = 0x24, 0x32
MACOS, IOS, TVOS, CATALYST, VISIONOS = 1, 2, 3, 6, 11


def mach_o(commands=(), order="<", bits=64, code=b"\x90" * 4096):
    """A program with these load commands, pairs of a number and content."""
    commands = [struct.pack(order + "II", kind, 8 + len(rest)) + rest for kind, rest in commands]
    header = 32 if bits == 64 else 28
    size = sum(map(len, commands))
    magic = 0xFEEDFACF if bits == 64 else 0xFEEDFACE
    start = struct.pack(order + "7I", magic, 0x0100000C, 0, 2, len(commands), size, 0x85)
    return start + bytes(header - 28) + b"".join(commands) + code


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
