#!/usr/bin/env python3
"""A mock of App Store Connect's API for asset packs. README.md says what it does."""

import argparse
import json
import sys
import tempfile
import threading
from http.server import ThreadingHTTPServer

import api
import faults
import p256
import parts
import store


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        pass  # Clients that are killed close their connections.


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--key", action="append", default=[], metavar="ID=PEM",
                        help="a key's id and the file of its public key")
    parser.add_argument("--issuer", default="57246542-96fe-1a63-e053-0824d011072a")
    parser.add_argument("--individual", action="store_true", help="keys are individual keys")
    parser.add_argument("--role", default="DEVELOPER")
    parser.add_argument("--bundle-id", action="append", default=[])
    parser.add_argument("--app-version", action="append", default=[],
                        metavar="NUMBER[:PLATFORM[:STATE]]",
                        help="a version of the first app; 1.0, which is live, unless given")
    parser.add_argument("--review", type=float, metavar="SECONDS",
                        help="how long the review takes; it doesn't end unless given")
    parser.add_argument("--platforms", default="IOS,MAC_OS", help="those of new versions of packs")
    parser.add_argument("--data", help="the folder for received files")
    parser.add_argument("--part-size", type=int, default=5 << 20)
    parser.add_argument("--page-size", type=int, default=200)
    parser.add_argument("--processing", type=float, default=0.2, metavar="SECONDS")
    parser.add_argument("--lifetime", type=float, default=86400, metavar="SECONDS",
                        help="how long addresses of parts live")
    parser.add_argument("--reissue", type=int, default=1,
                        help="1: expired addresses are made anew when the file is asked for")
    parser.add_argument("--rereserve", type=int, default=1,
                        help="1: a version takes a second reservation of a file")
    parser.add_argument("--refuse-checksums", type=int, default=0)
    parser.add_argument("--tell-checksums", type=int, default=1)
    parser.add_argument("--compare-checksums", type=int, default=1,
                        help="0: a commit with another digest than the file's is accepted")
    parser.add_argument("--intruder", default="", choices=["", "file", "reservation", "bytes"],
                        help="what somebody else adds at the commit: a file, a reservation of one,"
                             " or other bytes")
    parser.add_argument("--ignore-submits", type=int, default=0,
                        help="1: submissions stay drafts, whatever the answer is")
    parser.add_argument("--version-age", type=float, default=0, metavar="SECONDS",
                        help="how long ago new versions were created, by their date")
    parser.add_argument("--operations", default="exact",
                        choices=["exact", "gap", "overlap", "reversed", "null"])
    parser.add_argument("--part-delay", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--discard", action="store_true", help="forget what parts hold")
    parser.add_argument("--clock-offset", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--next-host", default="", help="a foreign host for links to next pages")
    parser.add_argument("--failure", type=json.loads, metavar="JSON",
                        help="stateDetails that versions fail with")
    parser.add_argument("--warnings", type=json.loads, metavar="JSON")
    parser.add_argument("--fail-manifest", type=json.loads, metavar="JSON",
                        help="errors that uploads of a manifest fail with")
    parser.add_argument("--fault", action="append", default=[], type=json.loads, metavar="JSON")
    options = parser.parse_args()
    options.bundle_id = options.bundle_id or ["com.example.game"]
    options.app_version = options.app_version or ["1.0:IOS:READY_FOR_DISTRIBUTION"]
    options.data = options.data or tempfile.mkdtemp(prefix="mock-")

    keys = {}
    for key in options.key:
        name, _, path = key.partition("=")
        with open(path, "rb") as file:
            keys[name] = p256.public_key(file.read())

    state = store.Store(options)
    state.faults = [faults.parse(fault) for fault in options.fault]
    api_server = Server(("127.0.0.1", 0), api.Handler)
    parts_server = Server(("127.0.0.1", 0), parts.Handler)
    api.Handler.store = parts.Handler.store = state
    api.Handler.keys = keys
    api.Handler.parts_address = f"http://127.0.0.1:{parts_server.server_port}"
    print(f"api http://127.0.0.1:{api_server.server_port}")
    print(f"parts {api.Handler.parts_address}", flush=True)
    threading.Thread(target=parts_server.serve_forever, daemon=True).start()
    threading.Thread(target=api_server.serve_forever, daemon=True).start()
    # Ends with whoever started it, who holds the other end of the standard input.
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
