"""The port that takes the parts of files: it knows no tokens, and is strict about all else."""

import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

import faults

# What HTTP itself needs; every other header must be one of the operation's.
PLAIN = {"host", "content-length", "connection"}
ZEROS = bytes(1 << 20)


class Handler(BaseHTTPRequestHandler):
    """One connection; `store` is set by the program."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    store = None

    def log_message(self, *_):
        pass

    def do_PUT(self):
        store = self.store
        url = urllib.parse.urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or -1)
        fault = faults.take(store, self.command, url.path)
        with store.lock:
            store.requests.append(f"PUT {url.path}")
            store.first_part = store.first_part or time.monotonic()
        if fault and "hold" in fault:
            faults.hold(store, fault)
        if fault and "cut" in fault:
            self.close_connection = True
            return
        if fault and "midway" in fault:
            self.rfile.read(length // 2)
            self.close_connection = True
            return
        if url.path.startswith("/sink/"):
            # For other programs, to compare their speed.
            self.receive(length, None, 0)
            self.answer(200, {})
            store.last_part = time.monotonic()
            return
        refusal, file, offset = self.check(url, length)
        if fault and "status" in fault:
            refusal = fault["status"]
        if not self.receive(length, None if refusal else file, offset):
            self.close_connection = True
            return
        if refusal:
            self.answer(refusal, fault.get("headers", {}) if fault else {})
            return
        with store.lock:
            file["received"][offset] = length
            store.last_part = time.monotonic()
        if fault and "lost" in fault:
            self.close_connection = True
            return
        if fault and "redirect" in fault:
            self.answer(302, {"Location": fault["redirect"]})
            return
        if fault and "late" in fault:
            time.sleep(fault["late"])
        if store.options.part_delay:
            time.sleep(store.options.part_delay)
        self.answer(200, {"ETag": '"part"'})

    def do_GET(self):
        self.store.violation(f"{self.command} {self.path.split('?')[0]} on the parts' port")
        self.answer(405, {})

    do_POST = do_PATCH = do_GET

    def check(self, url, length):
        """The status to refuse with (None to accept), the file and the offset."""
        store = self.store
        if "Authorization" in self.headers:
            store.violation("a part came with an Authorization header")
            return 400, None, 0
        query = urllib.parse.parse_qs(url.query)
        names = url.path.strip("/").split("/")
        with store.lock:
            file = store.files.get(names[1]) if len(names) == 3 and names[0] == "parts" else None
            if file is None:
                return 404, None, 0
            if file["committed"] is not None:
                store.violation("a part came after the commit")
                return 403, None, 0
            if query.get("X-Signature") != [file["signature"]]:
                return 403, None, 0
            if store.now() > file["signed"] + store.options.lifetime:
                return 403, None, 0
            number = int(names[2])
            part = store.options.part_size
            offset = (number - 1) * part
            expected = min(part, file["size"] - offset)
        given = {"content-type": "application/octet-stream", "x-mock-part": str(number)}
        found = {name.lower(): value for name, value in self.headers.items()}
        if length != expected:
            store.violation(f"part {number} came with {length} bytes instead of {expected}")
            return 400, None, 0
        for name, value in given.items():
            if found.get(name) != value:
                store.violation(f"part {number} came without the header {name}: {value}")
                return 403, None, 0
        foreign = set(found) - set(given) - PLAIN
        if foreign:
            store.violation(f"part {number} came with foreign headers: {sorted(foreign)}")
            return 403, None, 0
        return None, file, offset

    def receive(self, length, file, offset):
        """Reads the body into the file, holes for zeros; whether all of it came."""
        out = None
        if file is not None and not self.store.options.discard:
            out = open(file["path"], "r+b")
            out.seek(offset)
        left = length
        buffer = memoryview(bytearray(1 << 20))
        try:
            while left > 0:
                count = self.rfile.readinto(buffer[:min(left, len(buffer))])
                if not count:
                    return False
                left -= count
                if out:
                    if buffer[:count] == ZEROS[:count]:
                        out.seek(count, 1)
                    else:
                        out.write(buffer[:count])
            return True
        except OSError:
            return False
        finally:
            if out:
                out.close()

    def answer(self, status, headers):
        try:
            self.send_response_only(status)
            self.send_header("Content-Length", "0")
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
        except OSError:
            self.close_connection = True
