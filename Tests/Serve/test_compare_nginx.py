"""Asks ba-serve and nginx the same forty questions about one file, and shows both answers.

    Tests/Serve/run TOOL test_compare_nginx            (as a test: unexplained differences fail)
    BA_SERVE=TOOL python3 test_compare_nginx.py        (prints the table)

Both serve the same archive over TLS with the same certificate. Where they differ, the table says
why; a difference without a reason is an error.
"""

import os
import shutil
import socket
import ssl
import subprocess
import sys
import time
import unittest

from server import TIMEOUT, ServerTest

PATH = "/assetpacks/pack"
TAG, DATE = "{tag}", "{date}"

# The name; the request after its first line, or all of it in bytes; why the answers may differ.
GET, HOST = f"GET {PATH} HTTP/1.1", "Host: localhost"
RANGE_SYNTAX = "RFC 9110, 14.2: a Range that is not valid is ignored; nginx refuses it"
QUESTIONS = [
    ("whole", [GET, HOST], None),
    ("HEAD", [f"HEAD {PATH} HTTP/1.1", HOST], None),
    ("first byte", [GET, HOST, "Range: bytes=0-0"], None),
    ("middle", [GET, HOST, "Range: bytes=100-199"], None),
    ("open end", [GET, HOST, "Range: bytes=1000-"], None),
    ("suffix", [GET, HOST, "Range: bytes=-100"], None),
    ("suffix longer than the file", [GET, HOST, "Range: bytes=-999999999"], None),
    ("end beyond the file", [GET, HOST, "Range: bytes=10-999999999"], None),
    ("start beyond the file", [GET, HOST, "Range: bytes=999999999-"], None),
    ("empty suffix", [GET, HOST, "Range: bytes=-0"], None),
    ("end before start", [GET, HOST, "Range: bytes=9-5"], RANGE_SYNTAX),
    ("nothing but a dash", [GET, HOST, "Range: bytes=-"], RANGE_SYNTAX),
    ("another unit", [GET, HOST, "Range: lines=1-2"], None),
    ("two ranges", [GET, HOST, "Range: bytes=0-1,5-6"],
     "one range is served; several get the whole file, as RFC 9110, 14.2, allows"),
    ("number of 26 digits", [GET, HOST, "Range: bytes=0-99999999999999999999999999"],
     "a last byte beyond the file means its end, however far; nginx refuses numbers beyond 64 bits"),
    ("HEAD with a range", [f"HEAD {PATH} HTTP/1.1", HOST, "Range: bytes=0-1"],
     "RFC 9110, 14.2: ranges are for GET only"),
    ("If-None-Match", [GET, HOST, f"If-None-Match: {TAG}"], None),
    ("If-None-Match, weak", [GET, HOST, f"If-None-Match: W/{TAG}"], None),
    ("If-None-Match, list", [GET, HOST, f'If-None-Match: "x", {TAG}'], None),
    ("If-None-Match, any", [GET, HOST, "If-None-Match: *"], None),
    ("If-None-Match, another", [GET, HOST, 'If-None-Match: "x"'], None),
    ("If-Modified-Since", [GET, HOST, f"If-Modified-Since: {DATE}"], None),
    ("If-Modified-Since, long ago", [GET, HOST, "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT"],
     None),
    ("If-Modified-Since, no date", [GET, HOST, "If-Modified-Since: yesterday"], None),
    ("If-Match, another", [GET, HOST, 'If-Match: "x"'], None),
    ("If-Unmodified-Since, long ago",
     [GET, HOST, "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT"], None),
    ("If-Range, tag", [GET, HOST, "Range: bytes=5-9", f"If-Range: {TAG}"], None),
    ("If-Range, date", [GET, HOST, "Range: bytes=5-9", f"If-Range: {DATE}"],
     "RFC 9110, 13.1.5: a date is no strong validator, as two builds may have the same"),
    ("If-Range, another", [GET, HOST, "Range: bytes=5-9", 'If-Range: "x"'], None),
    ("nothing there", ["GET /assetpacks/other HTTP/1.1", HOST], None),
    ("dots", ["GET /assetpacks/../assetpacks/pack HTTP/1.1", HOST],
     "dots are not resolved: no client that sends them means well"),
    ("encoded letter", ["GET /assetpacks/%70ack HTTP/1.1", HOST], None),
    ("broken encoding", ["GET /assetpacks/%zz HTTP/1.1", HOST], None),
    ("NUL", ["GET /assetpacks/pack%00 HTTP/1.1", HOST], None),
    ("POST", [f"POST {PATH} HTTP/1.1", HOST, "Content-Length: 0"], None),
    ("PUT", [f"PUT {PATH} HTTP/1.1", HOST, "Content-Length: 0"], None),
    ("HTTP/1.0", [f"GET {PATH} HTTP/1.0", HOST], None),
    ("no Host", [GET], None),
    ("two at once", [f"HEAD {PATH} HTTP/1.1", HOST, "", GET, HOST, "Range: bytes=0-9"], None),
    ("header of 100 kB", [GET, HOST, "X-Long: " + "x" * 100_000],
     "431 is the status for this since RFC 6585; nginx says 400"),
]

CONFIGURATION = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr emerg;
events {{ worker_connections 256; }}
http {{
  access_log off; default_type application/octet-stream; keepalive_timeout 60;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi; sendfile on; tcp_nopush on;
  server {{
    listen 127.0.0.1:{port} ssl; ssl_certificate {certificate}; ssl_certificate_key {key};
    ssl_protocols TLSv1.2 TLSv1.3; root {folder}/root;
  }}
}}
"""


class Nginx:
    """nginx with one folder, over TLS."""

    def __init__(self, folder, certificate, key, files):
        self.folder = folder
        (folder / "root/assetpacks").mkdir(parents=True)
        for name, file in files.items():
            os.link(file, folder / "root/assetpacks" / name)
        for path in (folder, *folder.parents[:-1]):
            if path.owner() == "root" and len(path.parts) > 2:
                path.chmod(0o755)
        # Somebody else may take the port first.
        for _ in range(5):
            if self.start(folder, certificate, key):
                return
        raise AssertionError("nginx does not start")

    def start(self, folder, certificate, key):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        configuration = folder / "nginx.conf"
        configuration.write_text(CONFIGURATION.format(
            folder=folder, port=self.port, certificate=certificate, key=key))
        self.process = subprocess.Popen(["nginx", "-p", folder, "-c", configuration])
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), TIMEOUT).close()
                return self.process.poll() is None
            except OSError:
                time.sleep(0.05)
        return False

    def stop(self):
        self.process.terminate()
        self.process.wait(TIMEOUT)


def make_identity(folder, algorithm=("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")):
    """A certificate that signs itself, and its key."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", *algorithm, "-nodes", "-keyout", key, "-out",
         certificate, "-days", "30", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost,IP:127.0.0.1", "-addext", "extendedKeyUsage=serverAuth"],
        check=True, capture_output=True)
    return certificate, key


def exchange(port, trust, request):
    """What comes back for a request. It may be refused before it is sent to its end."""
    plain = socket.create_connection(("127.0.0.1", port), TIMEOUT)
    with trust.wrap_socket(plain, server_hostname="localhost") as connection:
        answer = b""
        try:
            connection.sendall(request)
            while block := connection.recv(1 << 16):
                answer += block
        except (OSError, ssl.SSLError):
            pass
        return answer


def ask(port, trust, lines, tag, date):
    """The status, the range and the size of the body of an answer; what was sent as it is."""
    request = "\r\n".join(lines).replace(TAG, tag).replace(DATE, date)
    # Where a server closes a connection with bytes in it, the answer may get lost.
    for _ in range(20):
        if answer := exchange(
                port, trust, (request + "\r\nConnection: close\r\n\r\n").encode()):
            break
    if "" in lines:
        # The first answer has no body: the second counts.
        first, _, answer = answer.partition(b"\r\n\r\n")
        if not first.startswith(b"HTTP/1.1 200 "):
            return 0, {}, b""
    head, _, body = answer.partition(b"\r\n\r\n")
    head = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
    status = int(head[0].split()[1]) if len(head[0].split()) > 1 else 0
    return status, headers, body


class CompareTest(ServerTest):
    @unittest.skipUnless(shutil.which("nginx") and shutil.which("openssl"), "nginx is not installed")
    def test_compare(self):
        rows, unexplained = self.compare()
        self.assertEqual(len(rows), 40)
        self.assertEqual(unexplained, [])

    def compare(self):
        archive = self.pack("pack", {"data.bin": bytes(range(256)) * 400})
        certificate, key = make_identity(self.home)
        trust = ssl.create_default_context(cafile=certificate)
        server = self.serve(archive, "--identity-path", certificate, "--identity-path", key)
        folder = self.home / "nginx"
        folder.mkdir()
        nginx = Nginx(folder, certificate, key, {"pack": archive})
        self.addCleanup(nginx.stop)
        ports = (server.port, nginx.port)
        known = []
        for port in ports:
            _, headers, _ = ask(port, trust, [GET, HOST], "", "")
            known.append((headers["etag"], headers["last-modified"]))
        self.assertEqual(known[0][1], known[1][1])
        rows, unexplained = [], []
        for name, lines, reason in QUESTIONS:
            answers = []
            for port, (tag, date) in zip(ports, known):
                status, headers, body = ask(port, trust, lines, tag, date)
                # Words for people differ; ranges and packs may not.
                body = body if status in (200, 206) else b""
                answers.append((status, headers.get("content-range", ""), body))
            same = answers[0] == answers[1]
            rows.append((name, *(self.shown(answer) for answer in answers),
                         "" if same else reason or "?"))
            if not same and reason is None:
                unexplained.append(rows[-1])
        return rows, unexplained

    @staticmethod
    def shown(answer):
        status, part, body = answer
        return " ".join(filter(None, [str(status), part.removeprefix("bytes ")]))


def main():
    test = CompareTest("test_compare")
    test.setUp()
    try:
        rows, unexplained = test.compare()
    finally:
        test.doCleanups()
    print("| request | ba-serve | nginx | why |\n| --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
