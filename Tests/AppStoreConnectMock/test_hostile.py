"""Servers that mean harm, and what they may do: nothing but end in an error."""

import json
import socket
import ssl
import subprocess
import threading
import time
import unittest
import warnings

from lab import APP, UploadCase


class Server:
    """Answers each connection to a free port with `answer(connection)`, in a thread."""

    def __init__(self, case, answer):
        self.answer = answer
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        case.addCleanup(self.listener.close)
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection:
            try:
                self.answer(connection)
            except OSError:
                pass


def request(connection):
    """The head of the next request; None at the end."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return None
        data += more
    return data.decode()


class Transport(UploadCase):
    def test_old_versions_of_tls_are_refused(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
             "-keyout", self.folder / "server.key", "-out", self.folder / "server.pem"],
            check=True, capture_output=True)
        reasons = []

        def handshake(connection):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.folder / "server.pem", self.folder / "server.key")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                context.minimum_version = ssl.TLSVersion.TLSv1
                context.maximum_version = ssl.TLSVersion.TLSv1_1
            context.set_ciphers("ALL:@SECLEVEL=0")
            try:
                context.wrap_socket(connection, server_side=True)
            except ssl.SSLError as error:
                reasons.append(error.reason)

        server = Server(self, handshake)
        outcome = self.run_tool(
            "status", "--app", APP, "--timeout", "1", "--api", f"https://localhost:{server.port}")
        self.assertEqual(outcome.status, 1, outcome)
        # If a version had been agreed on, the certificate would be the reason.
        self.assertIn("UNSUPPORTED_PROTOCOL", reasons, outcome)


class Answers(UploadCase):
    """An API whose answers are made up by `self.versions` and `self.headers`."""

    def setUp(self):
        super().setUp()
        self.headers = {}
        self.details = None
        self.number = "1"
        self.used = 0
        self.versions = "made up"
        self.next = self.first = None
        self.pages = 0
        self.token = None
        self.interim = b""
        self.server = Server(self, self.answer)

    def answer(self, connection):
        while head := request(connection):
            path = head.split()[1]
            words = [line.split(": ", 1) for line in head.split("\r\n")[1:] if line]
            self.token = dict(words)["Authorization"].split()[1]
            body = json.dumps(self.document(path.split("?")[0])).encode()
            lines = ["HTTP/1.1 200 OK", f"Content-Length: {len(body)}"]
            lines += [f"{name}: {value()}" for name, value in self.headers.items()]
            connection.sendall(self.interim + "\r\n".join(lines + ["", ""]).encode() + body)

    def document(self, path):
        pack = {"type": "backgroundAssets", "id": "p", "attributes": {
            "assetPackIdentifier": "harbour", "usedBytes": self.used}}
        if path.endswith("/versions"):
            version = {"type": "backgroundAssetVersions", "id": "v", "attributes": {
                "version": self.number, "state": "FAILED", "stateDetails": self.details and
                {"errors": [{"code": "1", "description": self.details()}]}}}
            return {"data": [version] if self.versions == "made up" else self.versions}
        if path.endswith("/backgroundAssets"):
            self.pages += 1
            links = {"next": self.next(self.pages)} if self.next else {}
            return {"data": [pack, pack], "links": {**links, "first": self.first}}
        return {"data": {"type": "apps", "id": APP}}

    def status(self, *words):
        return self.run_tool(
            "status", "--app", APP, "--api", self.server.url, "--timeout", "1", *words)

    def test_versions_are_digits(self):
        self.assertEqual(self.status().status, 0)
        for number in ("\x1b]0;owned\x07", "+1", "::set-output name=a::b", "<img src=x>", "", "-1", "1.5",
                       "9" * 30, None, 7):
            self.number = number
            outcome = self.status()
            self.assertEqual(outcome.status, 1, (number, outcome))
            self.assertIn("must be digits", outcome.err)
            self.assertNotIn("\x1b", outcome.err)
            self.assertFalse(any(line.startswith("::") for line in outcome.err.split("\n")))

    def test_the_token_is_never_shown(self):
        # With a combining character, it is another string, but the same bytes.
        self.details = lambda: f"{self.token}\u0301 {self.token.split('.')[2]} \x1b[31m\u202e"
        self.headers = {"X-Rate-Limit": lambda: self.token}
        for words in (["-v"], ["--format", "json"]):
            outcome = self.status(*words)
            self.assertEqual(outcome.status, 0, outcome)
            for part in self.token.split("."):
                self.assertNotIn(part, outcome.out + outcome.err)
            self.assertIn("[secret]", outcome.out)
            self.assertIn("\\u{1B}[31m", outcome.out.replace("\\\\", "\\"))
            self.assertIn("\\u{202E}", outcome.out.replace("\\\\", "\\"))
        self.assertIn("200 ([secret])", self.status("-v").err)

    def test_sums_of_large_numbers(self):
        self.used = 2 ** 64 - 1
        outcome = self.status()
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn("2.2 TB of 200.0 GB used", outcome.out)

    def test_the_storage_is_nearly_full_from_four_fifths_on(self):
        # Two packs use 160 GB of 200.
        for self.used, is_told in (80_000_000_000 - 1, False), (80_000_000_000, True):
            self.assertEqual("% of the app's storage is used" in str(self.status()), is_told, self.used)

    def test_a_list_has_resources(self):
        for self.versions in (None, {}, "v", 1, [1], [{"id": "v"}], [{"type": "backgroundAssetVersions"}],
                              [{"type": 1, "id": "v"}], [{"type": "a", "id": ""}], [{"type": "a", "id": 1}]):
            outcome = self.status()
            self.assertEqual(outcome.status, 1, (self.versions, outcome))
            self.assertIn("'data' is not a list of resources", outcome.err)

    def test_headers_of_an_interim_answer_are_not_those_of_the_answer(self):
        self.interim = b"HTTP/1.1 103 Early Hints\r\nX-Rate-Limit: early\r\n\r\n"
        outcome = self.status("-v")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertNotIn("early", outcome.err)

    def test_a_list_ends(self):
        address = f"{self.server.url}/v1/apps/{APP}/backgroundAssets?page="
        for follower, first, message, pages in (
                (str, None, "the list has more than 1,000 pages", 1000),
                (lambda page: "2", None, "the link to the next page leads elsewhere", 2),
                (str, "a" * (15 << 20), "the list has more than 33,554,432 bytes", 3)):
            self.next = lambda page, follower=follower: address + follower(page)
            self.first, self.pages = first, 0
            outcome = self.status("--timeout", "60")
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn(message, outcome.err)
            self.assertEqual(self.pages, pages)

    def test_an_answer_has_a_size(self):
        self.details = lambda: "a" * (16 << 20)
        outcome = self.status("--timeout", "60")
        self.assertIn("the response has more than 16,777,216 bytes", outcome.err)

    def test_headers_have_a_size(self):
        self.headers = {f"X-A{n}": lambda: "a" * 50_000 for n in range(100)}
        outcome = self.status()
        self.assertEqual(outcome.status, 1, outcome)


class Patience(UploadCase):
    """Calls end after ten times the time without a byte, or ten minutes."""

    def seconds(self, server, *words):
        start = time.monotonic()
        outcome = self.run_tool("status", "--app", APP, "--api", server.url, *words)
        self.assertEqual(outcome.status, 1, outcome)
        return time.monotonic() - start, outcome

    def test_answers_that_drip(self):
        def drip(connection):
            request(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while True:
                connection.sendall(b"  ")
                time.sleep(0.1)

        seconds, outcome = self.seconds(Server(self, drip), "--timeout", "1")
        self.assertIn("the response was not complete in time", outcome.err)
        self.assertGreater(seconds, 9)

    def test_silence(self):
        _, outcome = self.seconds(Server(self, lambda c: time.sleep(60)), "--timeout", "1")
        self.assertRegex(outcome.err, "too slow|not complete in time")

    def test_long_pauses_are_not_made(self):
        for value in ("999999999", str(2 ** 63 - 1), "nan", "Fri, 31 Dec 9999 23:59:59 GMT"):
            def refuse(connection):
                while request(connection):
                    connection.sendall(
                        b"HTTP/1.1 429 Slow\r\nContent-Length: 0\r\nRetry-After: "
                        + value.encode() + b"\r\n\r\n")

            # A run that paused would not have ended in time.
            _, outcome = self.seconds(Server(self, refuse), "--timeout", "1")
            self.assertIn("HTTP status 429", outcome.err)
            if value != "nan":
                self.assertRegex(outcome.err, r"try again in [\d,]{11,} seconds")

    def test_a_part_is_not_waited_for_an_hour(self):
        path = self.pack("harbour")
        self.mock.faults(
            {"on": "PUT .*/2$", "status": 429, "times": 9, "headers": {"Retry-After": "3000"}})
        outcome = self.upload(path, "--create")
        self.assertEqual(outcome.status, 1)
        self.assertIn("part 2 of", outcome.err)


if __name__ == "__main__":
    unittest.main()
