"""Clients, readers and files that mean harm: nobody else notices them, and nothing grows."""

import concurrent.futures
import http.client
import ipaddress
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import ssl
import subprocess
import time
import unittest

from device import Device
from server import ServerTest, TIMEOUT, TOOL, environment, with_network
from test_load import memory

SEED = int(os.environ.get("BA_SEED") or 1)
HOST = "Host: localhost\r\n"


class HostileTest(ServerTest):
    def start(self, *arguments, **options):
        if not arguments:
            arguments = (self.pack("level", {"level.bin": bytes(range(256)) * 400}),)
        self.server = self.serve(*arguments, **options)
        self.trust = ssl.create_default_context(cafile=self.server.authority)
        return self.server

    def connect(self, address="localhost"):
        plain = socket.create_connection((address, self.server.port), TIMEOUT)
        return self.trust.wrap_socket(plain, server_hostname=address)

    def raw(self, request):
        """What comes back until the server closes the connection."""
        with self.connect() as connection:
            connection.settimeout(5)
            answer = b""
            try:
                connection.sendall(request if isinstance(request, bytes) else request.encode())
                while block := connection.recv(1 << 16):
                    answer += block
            except (TimeoutError, ssl.SSLError, ConnectionError):
                pass
            return answer

    def ask(self, target, host="localhost", **headers):
        connection = http.client.HTTPSConnection(
            host, self.server.port, context=self.trust, timeout=TIMEOUT)
        connection.request("GET", target, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body

    def own_address(self):
        """An address of this machine that is not loopback."""
        for url in self.server.urls:
            address = url.split("//")[1].rsplit(":", 1)[0]
            if re.fullmatch(r"[0-9.]+", address) and not address.startswith("127."):
                return address
        self.skipTest("this machine has no IPv4 address but loopback")

    # The log

    def unread(self, *arguments):
        """A server whose output nobody reads, after enough requests to fill the pipe."""
        archive = self.pack("level", {"level.bin": b"x"})
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        process = subprocess.Popen(
            [TOOL, archive, "--port", str(port), "--no-setup-page", *arguments], cwd=self.home,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(self.home))
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                socket.create_connection(("localhost", port), 1).close()
                break
            except OSError:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.05)
        connection = http.client.HTTPSConnection("localhost", port, context=trust, timeout=TIMEOUT)
        for _ in range(4000):
            connection.request("GET", "/" + "x" * 90)
            self.assertEqual(connection.getresponse().read()[:3], b"404")
        connection.close()
        return process

    def test_a_log_that_nobody_reads_stops_nothing(self):
        process = self.unread()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(TIMEOUT), 128 + signal.SIGINT)

    def test_a_second_signal_ends_at_once(self):
        process = self.unread()
        process.send_signal(signal.SIGINT)
        time.sleep(1)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        # Not what the first one would end with.
        self.assertEqual(process.wait(TIMEOUT), -signal.SIGTERM)

    def test_dropped_lines_are_counted(self):
        process = self.unread("--format", "json")
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        lines = []

        def read():
            for line in process.stdout:
                lines.append(json.loads(line))
                if lines[-1]["event"] == "warning":
                    return

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            # The pipe, and a megabyte of the queue, take what 4000 short lines are; more is dropped.
            port = int(next(iter(self.first_urls(process, lines))).rsplit(":", 1)[1])
            connection = http.client.HTTPSConnection("localhost", port, context=trust, timeout=TIMEOUT)
            for _ in range(8000):
                connection.request("GET", "/" + "x" * 90)
                connection.getresponse().read()
            connection.close()
            pool.submit(read).result(TIMEOUT)
        self.assertRegex(lines[-1]["message"], r"^\d+ lines of the log were dropped")
        dropped = int(lines[-1]["message"].split()[0])
        requests = sum(line["event"] == "request" for line in lines)
        self.assertEqual(requests + dropped, 12_000)

    @staticmethod
    def first_urls(process, lines):
        lines.append(json.loads(process.stdout.readline()))
        return lines[0]["urls"]

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_stops_nothing(self):
        archive = self.pack("level", {"level.bin": b"x"})
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
        for form in ("text", "json"):
            with socket.socket() as free, open("/dev/full", "wb") as full:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
                free.close()
                process = subprocess.Popen(
                    [TOOL, archive, "--port", str(port), "--host", "127.0.0.1", "--no-setup-page",
                     "--format", form], cwd=self.home, stdin=subprocess.DEVNULL, stdout=full,
                    stderr=subprocess.PIPE, text=True, env=environment(self.home))
            self.addCleanup(lambda: (process.kill(), process.communicate()))
            # The line with the start is the first that is lost.
            self.assertRegex(process.stderr.readline(), "^warning: the log can't be written "
                             r"\(no space left on device\): its lines are dropped until it can\n$")
            connection = http.client.HTTPSConnection("127.0.0.1", port, context=trust, timeout=TIMEOUT)
            for _ in range(100):
                connection.request("GET", "/manifest")
                self.assertEqual(connection.getresponse().read()[:1], b"{")
            connection.close()
            process.send_signal(signal.SIGTERM)
            errors = process.communicate(timeout=TIMEOUT)[1]
            self.assertEqual(process.returncode, 128 + signal.SIGTERM)
            # The start, the requests, and in JSON the end.
            lines = 101 if form == "text" else 102
            self.assertEqual(
                re.findall("warning: .*", errors), [f"warning: {lines} lines of the log were not written"])

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs a disk that can be full")
    def test_a_disk_with_room_again(self):
        """A file may have a limit of its size, as a disk has."""
        archive = self.pack("level", {"level.bin": b"x"})
        log = self.home / "log"
        with open(log, "wb") as output:
            process = subprocess.Popen(
                [TOOL, archive, "--port", "0", "--host", "127.0.0.1", "--no-setup-page", "--format", "json"],
                cwd=self.home, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, text=True,
                env=environment(self.home))
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        end = time.monotonic() + TIMEOUT
        while not log.read_bytes().endswith(b"\n"):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        port = int(json.loads(log.read_text())["urls"][0].rsplit(":", 1)[1])
        trust = ssl.create_default_context()
        trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE

        def ask():
            connection = http.client.HTTPSConnection("127.0.0.1", port, context=trust, timeout=TIMEOUT)
            for _ in range(10):
                connection.request("GET", "/manifest")
                connection.getresponse().read()
            connection.close()

        size = log.stat().st_size
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size + 50, resource.RLIM_INFINITY))
        ask()
        self.assertIn("can't be written", process.stderr.readline())
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        ask()
        self.assertRegex(process.stderr.readline(), r"^warning: \d+ lines? of the log w(as|ere) not written\n$")
        process.terminate()
        process.wait(TIMEOUT)
        self.assertEqual(json.loads(log.read_text().splitlines()[-1])["event"], "answer")

    # What requests leave

    def test_names_are_cut(self):
        """Neither the log nor memory grows with what clients send."""
        server = self.start()
        before = memory(server.process.pid, "VmRSS") if os.path.exists("/proc/self/status") else 0

        def ask(number):
            for step in range(80):
                name = f"{number}.{step}." + "%01" * 8_000
                status, body = self.ask("/assetpacks/" + name)
                self.assertEqual(status, 404)
                self.assertLess(len(body), 1000)

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(ask, range(4)))
        self.raw(f"GET /{'y' * 5000}?platform={'z' * 5000} HTTP/1.1\r\nHost: {'h' * 5000}\r\n\r\n")
        self.raw("A" * 5000 + " / HTTP/1.1\r\n" + HOST + "\r\n")
        if before:
            self.assertLess(memory(server.process.pid, "VmRSS") - before, 30 << 20)
        server.stop()
        events = server.rest()
        hints = [event for event in events if event["event"] == "hint"]
        self.assertTrue(1 <= len(hints) <= 40, len(hints))
        for event in events:
            self.assertLess(len(json.dumps(event)), 2000, event["event"])

    def test_methods_and_headers(self):
        """What is no token is refused, and nothing in it reaches the terminal."""
        server = self.start()
        pack = "GET /assetpacks/level HTTP/1.1\r\n"
        smuggled = "GET /smuggled HTTP/1.1\r\n" + HOST + "\r\n"
        for request in (
            "\033]0;owned\007\033[2JGET / HTTP/1.1\r\n" + HOST + "\r\n",
            "G\u202eT / HTTP/1.1\r\n" + HOST + "\r\n",
            pack + HOST + f"Content-Length : {len(smuggled)}\r\n\r\n" + smuggled,
            pack + HOST + "X\ty: 1\r\n\r\n",
            pack + HOST + f"Content-Length: 0\r\nContent-Length: {len(smuggled)}\r\n\r\n" + smuggled,
            pack + HOST + "Content-Length: 0\r\ncontent-length: 0\r\n\r\n",
            pack + HOST + "X: a\rb\r\n\r\n",
            pack + HOST + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + smuggled,
            pack + HOST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
            pack + HOST + "Transfer-Encoding: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            + smuggled,
            pack + HOST * 257 + "\r\n",
            pack + HOST + "Host: localhost\r\n\r\n",
            pack + HOST + "host: evil.example\r\n\r\n",
        ):
            answer = self.raw(request)
            self.assertTrue(answer == b"" or answer.startswith(b"HTTP/1.1 400 "), (request, answer))
            self.assertLessEqual(answer.count(b"HTTP/1.1 "), 1, request)
        self.assertEqual(self.ask("/manifest")[0], 200)
        server.stop()
        for event in server.rest():
            self.assertNotIn("smuggled", event.get("path", ""))
            self.assertRegex(event.get("method", ""), r"^[\x20-\x7e…]{0,80}$")

    def test_ports_of_others(self):
        self.start()
        for port in (0, 1, 443, self.server.port % 65535 + 1):
            answer = self.raw(
                f"GET /manifest HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n")
            self.assertIn(b" 421 ", answer.split(b"\r\n")[0])
        listed = json.loads(self.ask("/manifest")[1])["assetPacks"][0]
        self.assertIn(f"https://localhost:{self.server.port}/", listed["url"])

    def test_mutated_hosts(self):
        """No other name leads here, in the header or in the target."""
        self.start(self.pack("level", {"level.bin": b"x"}), "--host", "localhost")

        def is_own(host):
            name, colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
            if not colon:
                name = name or host
            elif not re.fullmatch(f"0*{self.server.port}", port):
                return False
            if name[:1] + name[-1:] == "[]":
                try:
                    return ipaddress.IPv6Address(name[1:-1]).packed == bytes(15) + b"\1"
                except ValueError:
                    return False
            return name.lower() in ("localhost", "127.0.0.1")

        generator = random.Random()
        hosts = []
        while len(hosts) < 150:
            host = list(generator.choice(("localhost", "127.0.0.1", "[::1]")) + f":{self.server.port}")
            for _ in range(generator.randint(1, 3)):
                place = generator.randrange(len(host))
                host[place:place + generator.randint(0, 1)] = generator.choice(".:[]@%-_a2LO\\")
            hosts.append("".join(host))
        for host in [*hosts, "localhost.", "localhost.evil.example", "evil.example", "::1", "localhost:"]:
            for target, header in (("/manifest", host), (f"https://{host}/manifest", "localhost")):
                # A name and a password before a host are not a part of it, in a target.
                bare = host.rpartition("@")[2] if header != host else host
                answer = self.raw(
                    f"GET {target} HTTP/1.1\r\nHost: {header}\r\nConnection: close\r\n\r\n")
                allowed = b"200" if is_own(bare) else b"4"
                self.assertEqual(answer[9:9 + len(allowed)], allowed, (target, header))

    # Connections

    def test_an_address_does_not_take_all_connections(self):
        self.start()
        address = self.own_address()
        crowd = []
        for _ in range(150):
            crowd.append(socket.create_connection((address, self.server.port), TIMEOUT))
        closed = set()
        end = time.monotonic() + TIMEOUT
        while len(closed) < 50 and time.monotonic() < end:
            time.sleep(1)
            for connection in crowd:
                connection.setblocking(False)
                try:
                    if connection.recv(1) == b"":
                        closed.add(connection)
                except BlockingIOError:
                    pass
                except ConnectionError:
                    closed.add(connection)
        self.assertEqual(len(closed), 50)
        self.assertEqual(self.ask("/manifest")[0], 200)
        for connection in crowd:
            connection.close()
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                self.connect(address).close()
                return
            except OSError:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.1)

    def test_a_request_has_a_deadline(self):
        """Half a request, with another byte every second; a handshake that never begins; a body
        that never ends. A transfer that is slow for other reasons has none."""
        self.start(self.pack("level", {"level.bin": os.urandom(2_000_000)}), "--throttle", "4K")
        begin = time.monotonic()
        silent = socket.create_connection(("localhost", self.server.port), TIMEOUT)
        dribbles = [self.connect(), self.connect()]
        dribbles[0].sendall(b"GET / HTTP/1.1\r\nX: ")
        dribbles[1].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
        download = self.connect()
        download.sendall(b"GET /assetpacks/level HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received = 0
        ended = {}
        while len(ended) < 3 and time.monotonic() - begin < TIMEOUT:
            for number, connection in enumerate([silent, *dribbles]):
                if number in ended:
                    continue
                connection.settimeout(0.01)
                try:
                    if number:
                        connection.sendall(b"x")
                    if not connection.recv(100):
                        ended[number] = time.monotonic() - begin
                except TimeoutError:
                    pass
                except (ssl.SSLError, OSError):
                    ended[number] = time.monotonic() - begin
            received += len(download.recv(2000))
            time.sleep(1)
        self.assertEqual(len(ended), 3, ended)
        for seconds in ended.values():
            self.assertGreater(seconds, 15)
        while time.monotonic() - begin < 24:
            received += len(download.recv(2000))
        self.assertGreater(len(download.recv(2000)), 0)
        for connection in (silent, *dribbles, download):
            connection.close()

    @with_network
    def test_slow_readers_make_room(self):
        """Those who take some bytes now and then don't keep all places of their network."""
        self.start(self.pack("level", {"level.bin": bytes(3_000_000)}))
        crowd = []

        def read_slowly(number):
            plain = socket.socket(socket.AF_INET6)
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            plain.settimeout(TIMEOUT)
            plain.bind((f"fd00:0:0:1::{number % 8 + 2}", 0))
            plain.connect(("fd00:0:0:1::1", self.server.port))
            connection = self.trust.wrap_socket(plain, server_hostname="localhost")
            connection.sendall(b"GET /assetpacks/level HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertTrue(connection.recv(10))
            crowd.append(connection)

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(read_slowly, range(400)))
        begin = time.monotonic()
        while time.monotonic() - begin < 6:
            for connection in crowd[::20]:
                connection.recv(10)
            time.sleep(0.5)
        for host in range(1, 9):
            plain = socket.create_connection(
                ("fd00:0:0:1::1", self.server.port), TIMEOUT, (f"fd00:0:0:1::{host}", 0))
            with self.trust.wrap_socket(plain, server_hostname="localhost") as connection:
                connection.sendall(b"GET /assetpacks/level HTTP/1.1\r\nHost: localhost\r\n"
                                   b"Connection: close\r\n\r\n")
                received = 0
                while block := connection.recv(1 << 16):
                    received += len(block)
            self.assertGreater(received, 3_000_000)
        for connection in crowd:
            connection.close()

    # Lists and packs

    def test_a_touched_pack_is_sent(self):
        """Also to those who are receiving it. Other bytes of the same size are not."""
        for watch in ((), ("--watch",)):
            archive = self.pack("level", {"level.bin": os.urandom(400_000)})
            whole = archive.read_bytes()
            self.start(archive, "--throttle", "1M", *watch)
            with self.connect() as connection:
                connection.sendall(b"GET /assetpacks/level HTTP/1.1\r\nHost: localhost\r\n"
                                   b"Connection: close\r\n\r\n")
                answer = connection.recv(1000)
                for seconds in (1_000_000_000, 2_000_000_000):
                    os.utime(archive, (seconds, seconds))
                    answer += connection.recv(1000)
                while block := connection.recv(1 << 16):
                    answer += block
            self.assertEqual(answer.partition(b"\r\n\r\n")[2], whole)
            self.assertEqual(self.ask("/assetpacks/level"), (200, whole))
            if not watch:
                for place in (5, len(whole) // 2, len(whole) - 1):
                    with open(archive, "r+b") as file:
                        file.seek(place)
                        file.write(bytes([whole[place] ^ 1]))
                    self.assertEqual(self.ask("/assetpacks/level")[0], 500)
                    with open(archive, "r+b") as file:
                        file.seek(place)
                        file.write(bytes([whole[place]]))
                    self.assertEqual(self.ask("/assetpacks/level"), (200, whole))
            self.server.stop()

    def test_a_list_matches_its_packs(self):
        archive = self.pack("level", {"level.bin": os.urandom(50_000)})
        self.start(archive, "--watch")
        device = Device(self.server.url, self.server.authority)
        listed, = device.fetch_manifest()
        first = archive.read_bytes()
        self.assertRegex(listed["url"], r"/assetpacks/level\?version=0-[0-9a-f]{16}$")
        self.pack("level", {"level.bin": os.urandom(90_000)})
        self.server.wait_for("packs")
        self.assertEqual(device.download(listed), first)
        self.assertEqual(device.download(device.fetch_manifest()[0]), archive.read_bytes())
        target = "/assetpacks/level?version="
        for wrong in ("0", "7", "0-" + "0" * 16, "%00", "x" * 1000):
            self.assertEqual(self.ask(target + wrong)[0], 404, wrong)
        self.assertEqual(self.ask("/assetpacks/level")[1], archive.read_bytes())

    @unittest.skipUnless(os.path.exists("/proc/self/fd"), "needs /proc")
    def test_replaced_packs_are_closed(self):
        archives = [self.pack(f"pack{n}", {f"{n}.bin": os.urandom(1000)}) for n in range(3)]
        self.start(*archives, "--watch")

        def replace(number):
            self.pack(f"pack{number}", {f"{number}.bin": os.urandom(1000)})
            self.server.wait_for("packs")

        # Nobody knows these.
        for number in range(3):
            replace(number)
        self.assertEqual(self.deleted(), 0)
        # A device knows these, but at most sixteen packs.
        device = Device(self.server.url, self.server.authority)
        lists = []
        for turn in range(20):
            lists += [pack for pack in device.fetch_manifest() if pack["id"] == f"pack{turn % 3}"]
            replace(turn % 3)
        self.assertLessEqual(self.deleted(), 16)
        self.assertGreater(self.deleted(), 0)
        self.assertEqual(len(device.download(lists[-1])), lists[-1]["downloadSize"])
        path = lists[0]["url"].split(str(self.server.port))[1]
        status, body = self.ask(path)
        self.assertEqual((status, b"was replaced" in body), (404, True))

    def deleted(self):
        """The number of open packs without a name, once transfers have ended."""
        folder = f"/proc/{self.server.process.pid}/fd"
        for _ in range(100):
            found = []
            for name in os.listdir(folder):
                try:
                    found.append(os.readlink(f"{folder}/{name}"))
                except FileNotFoundError:
                    pass
            count = sum(".aar (deleted)" in target for target in found)
            if count == 0:
                break
            time.sleep(0.01)
        return count

    # Trust

    def test_the_fingerprint_is_shown(self):
        self.start(setup_page=True)
        shown = self.run_tool("authority").stdout
        fingerprint = re.search(r"SHA-256 +((?:[0-9A-F]{2}:){31}[0-9A-F]{2})\n", shown)[1]
        page = self.setup("localhost")
        self.assertIn(fingerprint, page)
        self.assertIn("compare", page)
        self.assertEqual(self.server.started["authoritySHA256"], fingerprint)
        self.server.stop()
        process = subprocess.Popen(
            [TOOL, self.game.parent / "level.aar", "--port", "0", "--no-setup-page"], text=True,
            cwd=self.home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            env=environment(self.home))
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        lines = []
        while "Compare it" not in "".join(lines[-1:]):
            lines.append(process.stdout.readline())
            self.assertNotEqual(lines[-1], "", lines)
        self.assertIn(f"  SHA-256     {fingerprint}\n", lines)

    def setup(self, host):
        port = int(self.server.setup_page.rstrip("/").rsplit(":", 1)[1])
        with socket.create_connection(("localhost", port), TIMEOUT) as connection:
            connection.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            answer = b""
            while block := connection.recv(1 << 16):
                answer += block
        return answer.decode()

    def test_the_setup_page_checks_its_host(self):
        self.start(setup_page=True)
        port = self.server.setup_page.rstrip("/").rsplit(":", 1)[1]
        for host in ("x; touch pwned;#", "evil.example", f"localhost:{self.server.port}",
                     f"evil.example:{port}", "localhost:1", "$(id)"):
            answer = self.setup(host)
            self.assertIn(" 421 ", answer.split("\r\n")[0], host)
            self.assertNotIn("curl", answer)
        self.assertIn(f"curl -O http://localhost:{port}/authority.cer", self.setup(f"localhost:{port}"))

    def test_half_an_authority(self):
        folder = self.home / ".local/share/ba-serve"
        self.assertEqual(self.run_tool("authority").returncode, 0)
        key = (folder / "authority.key").read_bytes()
        certificate = (folder / "authority.pem").read_bytes()
        (folder / "authority.pem").unlink()
        missing = self.run_tool("authority")
        self.assertEqual((missing.returncode, missing.stdout), (1, ""))
        self.assertRegex(missing.stderr, "authority.pem', the certificate of .* is missing")
        self.assertIn("authority --renew", missing.stderr)
        self.assertEqual((folder / "authority.key").read_bytes(), key)
        (folder / "authority.pem").write_bytes(certificate)
        self.assertEqual(self.run_tool("authority").returncode, 0)
        (folder / "authority.key").write_bytes(b"")
        empty = self.run_tool("authority")
        self.assertEqual(empty.returncode, 1)
        self.assertRegex(empty.stderr, "authority.key': .*authority --renew")

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_identity_files_of_everybody(self):
        certificate, key = self.home / "cert.pem", self.home / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
             "-nodes", "-keyout", key, "-out", certificate, "-days", "30", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost", "-addext", "extendedKeyUsage=serverAuth"],
            check=True, capture_output=True)
        archive = self.pack("level", {"level.bin": b"x"})
        for modes, warnings in (((0o644, 0o600), 0), ((0o644, 0o640), 1), ((0o666, 0o602), 2)):
            certificate.chmod(modes[0])
            key.chmod(modes[1])
            server = self.serve(archive, "--identity-path", certificate, "--identity-path", key)
            errors = server.stop()[1]
            self.assertEqual(errors.count("warning: other users can"), warnings, errors)

    # Fuzz

    def test_mutated_requests(self):
        """Whatever comes, the answer is one of HTTP's, the log is JSON, and packs stay whole."""
        print(f"seed {SEED}")
        generator = random.Random(SEED)
        server = self.start(setup_page=True)
        whole = self.ask("/assetpacks/level")[1]
        secret = (self.home / ".local/share/ba-serve/authority.key").read_bytes().split(b"\n")[1]
        version = json.loads(self.ask("/manifest")[1])["assetPacks"][0]["url"].split("=")[1]
        seeds = [
            f"GET /manifest?platform=iOS HTTP/1.1\r\nHost: localhost:{server.port}\r\n\r\n",
            f"GET /assetpacks/level?version={version} HTTP/1.1\r\n{HOST}Range: bytes=5-9\r\n\r\n",
            f"HEAD /assetpacks/level HTTP/1.1\r\n{HOST}If-Range: \"x\"\r\nRange: bytes=-5\r\n\r\n",
            f"GET https://localhost:{server.port}/ HTTP/1.1\r\n{HOST}Content-Length: 5\r\n\r\nhello",
            f"POST / HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        ]
        pieces = [b"\r\n", b"\0", b"\x1b[2J", b" ", b":", b"%00", b"%", b"/../", b"Host: localhost\r\n",
                  b"9" * 30, b"\xff\xfe", b"\xe2\x80\xae", b"version=", b"?", b"&", b"[::1]:1",
                  b"Content-Length : 9\r\n", b"x" * 3000]
        setup_port = int(server.setup_page.rstrip("/").rsplit(":", 1)[1])
        for step in range(300):
            request = bytearray(generator.choice(seeds).encode())
            for _ in range(generator.randint(1, 4)):
                place = generator.randrange(len(request))
                change = generator.randrange(3)
                if change == 0:
                    request[place] = generator.randrange(256)
                elif change == 1:
                    request[place:place] = generator.choice(pieces)
                else:
                    del request[place:place + generator.randint(1, 20)]
            if step % 4 == 0:
                connection = socket.create_connection(("localhost", setup_port), TIMEOUT)
            else:
                connection = self.connect()
            answer = b""
            try:
                connection.settimeout(TIMEOUT)
                connection.sendall(bytes(request))
                if isinstance(connection, ssl.SSLSocket):
                    connection.unwrap().close()
                else:
                    connection.shutdown(socket.SHUT_WR)
                while block := connection.recv(1 << 16):
                    answer += block
            except (OSError, ValueError):
                pass
            connection.close()
            self.assertTrue(not answer or answer.startswith(b"HTTP/1."), (request, answer[:100]))
            self.assertNotIn(secret, answer)
        self.assertEqual(self.ask("/assetpacks/level")[1], whole)
        self.assertEqual(server.stop()[0], 128 + signal.SIGTERM)
        for event in server.rest():
            text = json.dumps(event, ensure_ascii=False)
            self.assertIsNone(re.search("[\x00-\x1f\x7f-\x9f\u202e]", text), text)


if __name__ == "__main__":
    unittest.main()
