"""HTTP and TLS as curl, openssl and hostile clients see them."""

import datetime
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
import unittest
import unittest.mock

from server import ServerTest, TIMEOUT

DATA = bytes(range(256)) * 1024


class ProtocolTest(ServerTest):
    def setUp(self):
        super().setUp()
        self.archive = self.pack("level one", {"level.bin": DATA})
        self.bytes = self.archive.read_bytes()

    def start(self, *arguments):
        self.server = self.serve(self.archive, *arguments)
        self.trust = ssl.create_default_context(cafile=self.server.authority)
        return self.server

    def ask(self, method, target, host="localhost", **headers):
        """The status, headers and body of an answer."""
        connection = http.client.HTTPSConnection(
            host, self.server.port, context=self.trust, timeout=TIMEOUT)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, target, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def raw(self, request, quiet=TIMEOUT):
        """What comes back for these bytes until the server, which may refuse them before it has
        read all of them, closes the connection or goes quiet for some seconds."""
        with self.connect() as connection:
            connection.settimeout(quiet)
            answer = b""
            try:
                connection.sendall(request)
                while block := connection.recv(1 << 16):
                    answer += block
            except (TimeoutError, ssl.SSLError, ConnectionError):
                pass
            return answer

    def refusal(self, request):
        """The answer to a request that is refused before it is read to its end. Where the server
        closes the connection with bytes in it, the client's system may drop the answer."""
        for _ in range(20):
            if answer := self.raw(request):
                return answer
        raise AssertionError("twenty connections were closed without an answer")

    def connect(self):
        plain = socket.create_connection(("localhost", self.server.port), TIMEOUT)
        return self.trust.wrap_socket(plain, server_hostname="localhost")

    PACK = "/assetpacks/level%20one"

    def test_ranges(self):
        self.start()
        size = len(self.bytes)
        status, headers, body = self.ask("GET", self.PACK)
        self.assertEqual((status, body), (200, self.bytes))
        self.assertEqual(headers["Content-Length"], str(size))
        self.assertEqual(headers["Accept-Ranges"], "bytes")
        self.assertRegex(headers["ETag"], '^"[0-9a-f]{64}"$')
        for header, part in {
            "bytes=0-0": slice(0, 1), "bytes=5-9": slice(5, 10), "bytes=-7": slice(size - 7, size),
            "bytes=100-": slice(100, size), f"bytes=10-{size * 9}": slice(10, size),
            f"bytes=-{size * 9}": slice(0, size), "Bytes= 1 - 2 ": slice(1, 3),
            "bytes=0-99999999999999999999999999": slice(0, size),
        }.items():
            status, headers, body = self.ask("GET", self.PACK, Range=header)
            self.assertEqual((status, body), (206, self.bytes[part]), header)
            self.assertEqual(
                headers["Content-Range"], f"bytes {part.start}-{part.stop - 1}/{size}", header)
        for header in (f"bytes={size}-", "bytes=-0", "bytes=99999999999999999999999999-"):
            status, headers, _ = self.ask("GET", self.PACK, Range=header)
            self.assertEqual((status, headers["Content-Range"]), (416, f"bytes */{size}"), header)
        many = "bytes=" + ",".join(f"{n}-{n}" for n in range(10_000))
        for header in ("bytes=5-1", "bytes=", "lines=0-1", "bytes=a-b", "bytes=0-1,3-4", "bytes=--1"):
            self.assertEqual(self.ask("GET", self.PACK, Range=header)[0], 200, header)
        self.assertIn(b" 431 ", self.refusal(
            f"GET {self.PACK} HTTP/1.1\r\nHost: localhost\r\nRange: {many}\r\n\r\n".encode()))
        self.assertEqual(self.ask("HEAD", self.PACK, Range="bytes=0-1")[0], 200)

    def test_conditions(self):
        self.start()
        _, headers, _ = self.ask("GET", self.PACK)
        tag, date = headers["ETag"], headers["Last-Modified"]
        other = '"another"'
        old = "Thu, 01 Jan 1970 00:00:00 GMT"
        part = {"Range": "bytes=1-2"}
        for expected, conditions in (
            (304, {"If-None-Match": tag}), (304, {"If-None-Match": f"{other}, W/{tag}"}),
            (304, {"If-None-Match": "*"}), (200, {"If-None-Match": other}),
            (304, {"If-Modified-Since": date}), (200, {"If-Modified-Since": old}),
            (200, {"If-None-Match": other, "If-Modified-Since": date}),
            (200, {"If-Match": tag}), (412, {"If-Match": other}), (412, {"If-Unmodified-Since": old}),
            (206, {"If-Range": tag, **part}), (200, {"If-Range": other, **part}),
            (200, {"If-Range": date, **part}), (200, {"If-Range": old, **part}),
            (200, {"If-Range": f"W/{tag}", **part}), (200, {"If-Modified-Since": "yesterday"}),
        ):
            connection = http.client.HTTPSConnection(
                "localhost", self.server.port, context=self.trust, timeout=TIMEOUT)
            connection.request("GET", self.PACK, headers=conditions)
            answer = connection.getresponse()
            body = answer.read()
            self.assertEqual(answer.status, expected, conditions)
            if expected == 304:
                self.assertEqual((body, answer.getheader("ETag")), (b"", tag))
                # The connection can be used again.
                connection.request("HEAD", self.PACK)
                answer = connection.getresponse()
                answer.read()
                self.assertEqual(answer.status, 200)
            connection.close()

    def test_manifest(self):
        """Addresses have the host that was asked for; nothing is kept by caches."""
        self.start()
        for host in ("localhost", "127.0.0.1"):
            for target in ("/manifest?platform=iOS", "/manifest", "/download-manifest.json", "/",
                           f"https://{host}:{self.server.port}/manifest"):
                status, headers, body = self.ask("GET", target, host)
                self.assertEqual((status, headers["Cache-Control"]), (200, "no-store"))
                listed = json.loads(body)["assetPacks"]
                self.assertEqual(
                    [(pack["url"].split("?")[0], pack["downloadSize"]) for pack in listed],
                    [(f"https://{host}:{self.server.port}{self.PACK}", len(self.bytes))])
        self.assertEqual(self.ask("GET", self.PACK + ".aar")[2], self.bytes)

    def test_what_is_refused(self):
        self.start()
        for expected, method, target in (
            (404, "GET", "/nothing"), (404, "GET", "/assetpacks/"), (404, "GET", "/assetpacks/other"),
            (404, "GET", "/assetpacks/../manifest"), (404, "GET", "/../../etc/passwd"),
            (404, "GET", "/assetpacks/%2e%2e%2fmanifest"), (400, "GET", "/manifest%00"),
            (400, "GET", "/manifest%zz"), (405, "PUT", "/manifest"), (405, "DELETE", self.PACK),
            (405, "OPTIONS", "/manifest"), (405, "POST", "/"), (404, "GET", "//manifest"),
        ):
            status, headers, _ = self.ask(method, target)
            self.assertEqual(status, expected, f"{method} {target}")
            if status == 405:
                self.assertEqual(headers["Allow"], "GET, HEAD")
        for target in ("/assetpacks", "/manifests", "//manifest", "/assetpacksother", "/x/manifest"):
            self.assertIn(b"nothing is here", self.ask("GET", target)[2])
        self.assertIn(b"no pack is called 'other'", self.ask("GET", "/assetpacks/other")[2])
        self.assertEqual(self.ask("GET", "/manifest", Host="")[0], 400)
        for host in (f"localhost:{self.server.port ^ 1}", "evil.example", "localhost.evil.example",
                     "localhost:x", "[::1", "a b"):
            self.assertEqual(self.ask("GET", "/manifest", Host=host)[0], 421, host)
            while "no pack is called" in (hint := self.server.wait_for("hint")["message"]):
                pass
            self.assertIn(f" asked for the host '{host}', ", hint)
        self.assertIn(b" 400 ", self.raw(b"GET /manifest HTTP/1.1\r\nConnection: close\r\n\r\n"))
        self.assertIn(b" 400 ", self.raw(b"GET /manifest HTTP/1.0\r\n\r\n"))
        # It doesn't wait for a body that nobody wants.
        post = b"POST /manifest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"
        self.assertIn(b" 405 ", self.raw(post).split(b"\r\n")[0])
        old = self.raw(b"GET /manifest HTTP/1.0\r\nHost: localhost\r\n\r\n")
        self.assertIn(b" 200 ", old.split(b"\r\n")[0])
        long = b"GET /manifest HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100_000 + b"\r\n\r\n"
        self.assertRegex(self.refusal(long), b"^HTTP/1.1 4..")
        self.raw(os.urandom(4096), quiet=2)
        self.assertEqual(self.ask("GET", "/manifest")[0], 200)

    def test_pipelining(self):
        self.start()
        one = b"GET /manifest HTTP/1.1\r\nHost: localhost\r\n\r\n"
        last = b"HEAD /manifest HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        self.assertEqual(self.raw(one * 3 + last).count(b"HTTP/1.1 200 OK"), 4)

    def test_it_keeps_serving(self):
        """Two hundred half-open connections, a slow reader, one who leaves, and floods of bytes."""
        self.start()
        half_open = [socket.create_connection(("localhost", self.server.port)) for _ in range(200)]
        slow = self.connect()
        slow.sendall(b"GET /assetpacks/level%20one HTTP/1.1\r\nHost: localhost\r\n\r\n")
        slow.recv(10)
        leaver = self.connect()
        leaver.sendall(b"GET /assetpacks/level%20one HTTP/1.1\r\nHost: localhost\r\n\r\n")
        leaver.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        leaver.close()
        endless = self.connect()
        try:
            endless.sendall(b"POST /manifest HTTP/1.1\r\nHost: localhost\r\n"
                            b"Content-Length: 99999999999\r\n\r\n" + b"x" * 10_000)
        except (ssl.SSLError, ConnectionError):
            pass
        for _ in range(20):
            self.assertEqual(self.ask("GET", self.PACK)[2], self.bytes)
        for connection in (*half_open, slow, endless):
            connection.close()

    def test_ipv6(self):
        try:
            with socket.socket(socket.AF_INET6) as place:
                place.bind(("::1", 0))
        except OSError:
            self.skipTest("there is no IPv6 here")
        for hosts in ([], ["--host", "localhost"]):
            self.start(*hosts)
            status, _, body = self.ask("GET", "/manifest", "::1")
            self.assertEqual(status, 200)
            self.assertIn(f"https://[::1]:{self.server.port}/assetpacks/".encode(), body)
            self.server.stop()

    @unittest.skipUnless(sys.platform == "linux" and shutil.which("clang"), "needs Linux and clang")
    def test_without_ipv6(self):
        """On a kernel that has none."""
        (self.home / "no6.c").write_text(
            "#include <errno.h>\n#include <sys/syscall.h>\n#include <sys/socket.h>\n#include <unistd.h>\n"
            "int socket(int family, int kind, int protocol) {\n"
            "  if (family == AF_INET6) { errno = EAFNOSUPPORT; return -1; }\n"
            "  return syscall(SYS_socket, family, kind, protocol);\n}\n")
        subprocess.run(["clang", "-shared", "-fPIC", "-o", "no6.so", "no6.c"], cwd=self.home, check=True)
        for hosts in ([], ["--host", "localhost"]):
            with unittest.mock.patch.dict(os.environ, LD_PRELOAD=str(self.home / "no6.so")):
                self.start(*hosts)
            self.assertEqual(self.ask("GET", self.PACK, host="127.0.0.1")[0], 200)
            self.server.stop()

    def test_killed_in_mid_transfer(self):
        """What was downloaded is a prefix; the next start serves the same version and bytes."""
        # Half a minute for the whole pack: long enough to be killed on the way.
        server = self.start("--throttle", "8K")
        connection = http.client.HTTPSConnection(
            "localhost", server.port, context=self.trust, timeout=TIMEOUT)
        connection.request("GET", self.PACK)
        answer = connection.getresponse()
        received = answer.read(2_000)
        server.stop(signal.SIGKILL)
        try:
            while block := answer.read(10_000):
                received += block
        except (OSError, http.client.HTTPException):
            pass
        self.assertLess(len(received), len(self.bytes))
        self.assertTrue(self.bytes.startswith(received))
        connection.close()
        version = server.packs[0]["version"]
        self.start()
        self.assertEqual(self.server.packs[0]["version"], version)
        self.assertEqual(self.ask("GET", self.PACK)[2], self.bytes)

    def test_written_to_in_place(self):
        """No byte of a file that somebody writes to is sent."""
        self.start()
        with open(self.archive, "r+b") as file:
            file.seek(5000)
            file.write(b"changed")
        for _ in range(2):
            self.assertEqual(self.ask("GET", self.PACK)[0], 500)
        self.assertIn("--watch", self.server.wait_for("hint")["message"])
        # It is said once.
        self.server.stop()
        self.assertEqual([event for event in self.server.rest() if event["event"] == "hint"], [])

    def test_written_to_while_it_is_sent(self):
        self.start("--throttle", "20K")
        with self.connect() as connection:
            connection.sendall(f"GET {self.PACK} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            head, _, received = connection.recv(1000).partition(b"\r\n\r\n")
            self.assertIn(b" 200 ", head)
            with open(self.archive, "r+b") as file:
                file.write(self.bytes[::-1])
            while block := connection.recv(1 << 16):
                received += block
        self.assertLess(len(received), len(self.bytes))
        self.assertTrue(self.bytes.startswith(received))
        self.assertIn("was written to after it was opened", self.server.wait_for("hint")["message"])

    def test_stopped_by_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            status, _ = self.start().stop(number)
            self.assertEqual(status, 128 + number)
        # No answer is waited for.
        self.start("--delay", "1000s")
        with self.connect() as connection:
            connection.sendall(f"GET {self.PACK} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            time.sleep(0.2)
            self.assertEqual(self.server.stop()[0], 128 + signal.SIGTERM)

    # With foreign programs

    def openssl(self, *arguments):
        if not shutil.which("openssl"):
            self.skipTest("openssl is not installed")
        done = subprocess.run(
            ["openssl", "s_client", "-connect", f"localhost:{self.server.port}", "-CAfile",
             self.server.authority, "-verify_return_error", *arguments],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT)
        return done.returncode, done.stdout + done.stderr

    def test_openssl(self):
        self.start("--host", "packs.example", "--host", "198.51.100.7", "--host", "Packs.Example")
        hosts = [url.split("/")[2].rsplit(":", 1)[0] for url in self.server.urls]
        self.assertEqual(hosts[:2], ["packs.example", "198.51.100.7"])
        self.assertEqual(len(hosts), len(set(hosts)), hosts)
        if not socket.gethostname().endswith(".local"):
            # Only a name server would know it.
            self.assertNotIn(socket.gethostname().lower(), hosts)
        for name in ("localhost", "packs.example", socket.gethostname().lower()):
            self.assertEqual(self.openssl("-verify_hostname", name)[0], 0, name)
        for address in ("127.0.0.1", "::1", "198.51.100.7"):
            self.assertEqual(self.openssl("-verify_ip", address)[0], 0, address)
        self.assertNotEqual(self.openssl("-verify_hostname", "other.example")[0], 0)
        self.assertIn("TLSv1.3", self.openssl("-tls1_3")[1])
        self.assertRegex(self.openssl("-tls1_2")[1], "Cipher is ECDHE-ECDSA-AES128-GCM-SHA256")
        for refused in (["-tls1_1"], ["-tls1"],
                        ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0"]):
            self.assertNotEqual(self.openssl(*refused)[0], 0, refused)
        self.server.wait_for("hint")

    def test_certificate(self):
        if not shutil.which("openssl"):
            self.skipTest("openssl is not installed")
        loopback = [word for host in ("localhost", "127.0.0.1", "::1") for word in ("--host", host)]
        for key_type, algorithm, hosts in (("ecdsa", "prime256v1", []), ("rsa", "2048 bit", loopback)):
            self.start("--key-type", key_type, *hosts)
            chain = self.openssl("-showcerts")[1]
            leaf = "-----BEGIN" + chain.split("-----BEGIN")[1].split("-----END")[0] \
                + "-----END CERTIFICATE-----\n"
            done = subprocess.run(
                ["openssl", "x509", "-noout", "-text"], input=leaf, capture_output=True, text=True)
            self.assertIn(algorithm, done.stdout)
            for line in ("CA:FALSE", "TLS Web Server Authentication", "Digital Signature",
                         "X509v3 Subject Key Identifier", "X509v3 Authority Key Identifier",
                         "DNS:localhost", "IP Address:127.0.0.1"):
                self.assertIn(line, done.stdout)
            names = re.findall(r"(?:DNS|IP Address):[^,\s]+", done.stdout)
            self.assertEqual(len(names), len(set(names)), names)
            for seconds, expected in ((396 * 86_400, 0), (398 * 86_400, 1)):
                check = subprocess.run(["openssl", "x509", "-checkend", str(seconds)], input=leaf,
                                       capture_output=True, text=True)
                self.assertEqual(check.returncode, expected)
            self.server.stop()

    def test_untrusted_client_is_explained(self):
        self.start()
        with self.assertRaises(ssl.SSLError):
            with socket.create_connection(("localhost", self.server.port)) as plain:
                ssl.create_default_context().wrap_socket(plain, server_hostname="localhost")
        hint = self.server.wait_for("hint")["message"]
        self.assertRegex(hint, "^(127.0.0.1|::1) ")
        self.assertIn("Certificate Trust Settings", hint)

    def test_identity_of_ones_own(self):
        if not shutil.which("openssl"):
            self.skipTest("openssl is not installed")
        certificate, key = self.home / "cert.pem", self.home / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out",
             certificate, "-days", "30", "-subj", "/CN=own", "-addext",
             "subjectAltName=DNS:localhost", "-addext", "extendedKeyUsage=serverAuth"],
            check=True, capture_output=True)
        self.server = self.serve(
            self.archive, "--identity-path", certificate, "--identity-path", key)
        self.trust = ssl.create_default_context(cafile=certificate)
        self.assertEqual(self.ask("GET", self.PACK)[2], self.bytes)
        swapped = self.run_tool(
            self.archive, "--identity-path", key, "--identity-path", certificate)
        self.assertEqual(swapped.returncode, 1)
        self.assertIn("give the certificate first, then its key", swapped.stderr)

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_identities_that_devices_reject(self):
        """What can't be served with ends the program; what devices will reject is said."""
        config = self.home / "openssl.cnf"
        (self.home / "index").touch()

        def openssl(*words):
            subprocess.run(["openssl", *map(str, words)], cwd=self.home, check=True, capture_output=True)

        def key(name):
            openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", name)
            return self.home / name

        def certificate(start, end, names="DNS:localhost", purpose="serverAuth"):
            extensions = [f"subjectAltName={names}"] * bool(names) + [f"extendedKeyUsage={purpose}"] * bool(purpose)
            config.write_text(
                "[ca]\ndefault_ca=own\n[own]\ndatabase=index\nnew_certs_dir=.\nrand_serial=yes\nunique_subject=no\n"
                "default_md=sha256\npolicy=any\nx509_extensions=more\n[any]\ncommonName=supplied\n"
                "[req]\ndistinguished_name=name\n[name]\n[more]\n" + "\n".join(extensions) + "\n")
            openssl("req", "-new", "-config", config, "-key", own, "-subj", "/CN=localhost", "-out", "request")
            openssl("ca", "-batch", "-selfsign", "-config", config, "-keyfile", own, "-in", "request", "-notext",
                    "-out", "cert.pem", "-startdate", f"{start:%Y%m%d%H%M%SZ}", "-enddate", f"{end:%Y%m%d%H%M%SZ}")
            return self.home / "cert.pem"

        own, other = key("own.pem"), key("other.pem")
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        day = datetime.timedelta(days=1)
        for start, end, pair, said in (
                (now - 9 * day, now, own, f"expired on {now:%Y-%m-%d}"),
                (now + day, now + 9 * day, own, f"is not valid before {now + day:%Y-%m-%d}"),
                (now - day, now + day, other, "is not that of the certificate in")):
            done = self.run_tool(self.archive, "--identity-path", certificate(start, end), "--identity-path", pair)
            self.assertEqual((done.returncode, done.stdout), (1, ""), said)
            self.assertIn(said, done.stderr)
        start = now - day
        unnamed = "the certificate has no host in its subject alternative names"
        for given, end, more, shown, said in (
                ((), start + 825 * day, {}, ["localhost"], []),
                ((), start + 826 * day, {}, ["localhost"], ["the certificate is valid for 826 days"]),
                ((), now + day, {"names": ""}, ["localhost"], [unnamed]),
                ((), now + day, {"names": "IP:192.0.2.1"}, ["192.0.2.1"], []),
                ((), now + day, {"names": "DNS:*.ba.example"}, ["localhost"], []),
                (["a.ba.example", "b.a.ba.example", "192.0.2.1", "192.0.2.2"], now + day,
                 {"names": "DNS:*.ba.example,DNS:c.example,IP:192.0.2.1"},
                 ["a.ba.example", "b.a.ba.example", "192.0.2.1", "192.0.2.2", "c.example"],
                 [f"the certificate does not name '{host}', but *.ba.example, c.example, 192.0.2.1"
                  for host in ("b.a.ba.example", "192.0.2.2")]),
                ((), now + day, {"purpose": ""}, ["localhost"], []),
                ((), now + day, {"purpose": "clientAuth"}, ["localhost"],
                 ["the certificate lacks the extended key usage for servers"])):
            server = self.serve(
                self.archive, "--identity-path", certificate(start, end, **more), "--identity-path", own,
                *(word for host in given for word in ("--host", host)))
            self.assertEqual(server.urls, [f"https://{host}:{server.port}" for host in shown])
            warnings = [line for line in server.stop()[1].splitlines() if "the certificate" in line]
            self.assertEqual(len(warnings), len(said), (said, warnings))
            for line, text in zip(warnings, said):
                self.assertIn(f"warning: {text}", line)

    def test_curl_resumes(self):
        if not shutil.which("curl"):
            self.skipTest("curl is not installed")
        self.start()
        part = self.home / "part.aar"
        part.write_bytes(self.bytes[:70_000])
        subprocess.run(
            ["curl", "-sS", "--cacert", self.server.authority, "-C", "-", "-o", part,
             self.server.url + self.PACK], check=True, timeout=TIMEOUT)
        self.assertEqual(part.read_bytes(), self.bytes)


if __name__ == "__main__":
    unittest.main()
