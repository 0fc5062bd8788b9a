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
        # Any other reason would mean that the versions were agreed on.
        self.assertEqual(set(reasons), {"UNSUPPORTED_PROTOCOL"}, outcome)


if __name__ == "__main__":
    unittest.main()
