"""Runs the sessions with ba-serve that README and the guide show.

A fenced block marked `console ba-serve` is run in a copy of the sample game; what a line shows is what
happens. Lines that begin with `$` are commands, `>` continues one, `…` stands for any lines. Before the
first, the packs are in `build`. The ports are replaced by free ones.
"""

import random
import re
import shutil
import socket
import subprocess
import unittest

import server
from server import PACKAGER, REPOSITORY, ServerTest, environment

DOCUMENTS = [REPOSITORY / "README.md", *sorted(REPOSITORY.glob("Sources/*/*.docc/*.md"))]
BLOCK = re.compile(r"^```console ba-serve\n(.*?)^```$", re.M | re.S)


def sessions(block):
    """The commands of a block, each with the lines that it shows."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(([line[2:]], []))
        elif line.startswith("> "):
            found[-1][0].append(line[2:])
        else:
            found[-1][1].append(line)
    return [("\n".join(script), [line for line in shown if line]) for script, shown in found]


def matches(expected, actual):
    if not expected:
        return not actual
    if expected[0] == "…":
        return any(matches(expected[1:], actual[skipped:]) for skipped in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and matches(expected[1:], actual[1:])


def free_ports(count):
    """Ports that nobody listens at, and that the system gives to nobody by itself."""
    found = []
    for port in random.sample(range(20_000, 32_000), 200):
        with socket.socket() as free:
            try:
                free.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(str(port))
        if len(found) == count:
            return found
    raise AssertionError("no free ports")


@unittest.skipUnless(shutil.which("curl"), "curl is not installed")
class DocumentTest(ServerTest):
    def test_documents(self):
        shown = {path.stem: BLOCK.findall(path.read_text()) for path in DOCUMENTS}
        self.assertTrue(any(shown.values()), "no document shows a session")
        for name, blocks in shown.items():
            if blocks:
                with self.subTest(name):
                    self.run_blocks(name, blocks)

    def run_blocks(self, name, blocks):
        folder = self.home / name
        shutil.copytree(REPOSITORY / "Fixtures/SampleGame", folder)
        subprocess.run([PACKAGER, "package", "Packs", "-o", "build", "-q"], check=True, cwd=folder)
        ports = dict(zip(("8443", "8444"), free_ports(2)))
        # The documents use the ports that are the default.
        programs = folder.with_name(folder.name + ".bin")
        programs.mkdir()
        wrapper = programs / "ba-serve"
        wrapper.write_text(f"""#!/bin/sh
exec '{server.TOOL}' "$@" --port {ports["8443"]} --setup-port {ports["8444"]}
""")
        wrapper.chmod(0o755)
        variables = environment(self.home)
        variables["PATH"] = f"{programs}:{server.TOOL.parent}:{variables['PATH']}"
        for block in blocks:
            for script, shown in sessions(block):
                for port, other in ports.items():
                    script = script.replace(port, other)
                done = subprocess.run(
                    ["sh", "-c", "exec 2>&1\n" + script], cwd=folder, env=variables, timeout=300,
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
                output = done.stdout
                for port, other in ports.items():
                    output = output.replace(other, port)
                lines = [line for line in output.splitlines() if line]
                self.assertTrue(matches(shown, lines), f"{name}: $ {script} shows\n{output}")
