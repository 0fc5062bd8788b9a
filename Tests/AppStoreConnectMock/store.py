"""What the mock remembers: apps, packs, versions, files and review submissions."""

import hashlib
import json
import os
import pathlib
import secrets
import sys
import threading
import time
import uuid

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Interop"))

from packlib import read_archive
from packlib.damage import Damage


class Store:
    """All records, behind one lock. Times are seconds since 1970 by the mock's own clock."""

    def __init__(self, options):
        self.lock = threading.RLock()
        self.options = options
        self.apps = {}
        self.packs = {}
        self.versions = {}
        self.files = {}
        self.submissions = {}
        self.items = {}
        # What a client must never do; a test asserts that this stays empty.
        self.violations = []
        self.requests = []
        self.faults = []
        # When the first part began and the last one ended.
        self.first_part = self.last_part = None
        for number, bundle_id in enumerate(options.bundle_id):
            self.apps[str(6740000001 + number)] = {"bundleId": bundle_id, "name": bundle_id}
        self.app_versions = {}
        for text in options.app_version:
            self.add_app_version(*text.split(":"))

    def now(self):
        return time.time() + self.options.clock_offset

    def violation(self, text):
        with self.lock:
            self.violations.append(text)

    # Records

    def add_pack(self, app, identifier):
        record = {
            "id": str(uuid.uuid4()), "app": app, "identifier": identifier, "archived": False,
            "created": self.now(), "extraBytes": 0,
        }
        self.packs[record["id"]] = record
        return record

    def add_app_version(self, number, platform="IOS", state="PREPARE_FOR_SUBMISSION"):
        record = {
            "id": str(uuid.uuid4()), "app": next(iter(self.apps)), "number": number,
            "platform": platform, "state": state,
        }
        self.app_versions[record["id"]] = record
        return record

    def add_item(self, submission, kind, id_):
        """An item of a submission: `kind` is its relationship."""
        record = {"id": str(uuid.uuid4()), "submission": submission, "kind": kind, "of": id_}
        self.items[record["id"]] = record
        return record

    def add_version(self, pack):
        numbers = [v["number"] for v in self.versions.values() if v["pack"] == pack]
        record = {
            "id": str(uuid.uuid4()), "pack": pack, "number": max(numbers, default=0) + 1,
            "created": self.now(), "committed": None, "failure": None, "review": None,
            "platforms": self.options.platforms.split(","),
            "locale": None,
        }
        self.versions[record["id"]] = record
        return record

    def add_file(self, version, kind, name, size):
        record = {
            "id": str(uuid.uuid4()), "version": version, "type": kind, "name": name, "size": size,
            "signature": secrets.token_urlsafe(24), "signed": self.now(), "committed": None,
            "checksums": None, "received": {}, "path": None,
        }
        record["path"] = os.path.join(self.options.data, record["id"])
        with open(record["path"], "wb") as file:
            file.truncate(size)
        self.files[record["id"]] = record
        return record

    def files_of(self, version):
        return [f for f in self.files.values() if f["version"] == version]

    def versions_of(self, pack):
        return sorted(
            (v for v in self.versions.values() if v["pack"] == pack), key=lambda v: v["number"])

    # States

    def version_state(self, version):
        if version["committed"] is None:
            return "AWAITING_UPLOAD"
        if self.now() < version["committed"] + self.options.processing:
            return "PROCESSING"
        return "FAILED" if version["failure"] else "COMPLETE"

    def file_state(self, file):
        if file["committed"] is None:
            return "AWAITING_UPLOAD"
        version = self.versions[file["version"]]
        if file["type"] == "MANIFEST":
            if self.now() < file["committed"] + self.options.processing:
                return "UPLOAD_COMPLETE"
            return "FAILED" if self.options.fail_manifest else "COMPLETE"
        return "COMPLETE" if self.version_state(version) == "COMPLETE" else "UPLOAD_COMPLETE"

    def newest_complete(self, pack):
        done = [v for v in self.versions_of(pack) if self.version_state(v) == "COMPLETE"]
        return done[-1] if done else None

    def internal_state(self, version):
        """That of internal testing, which has the newest processed version."""
        newest = self.newest_complete(version["pack"])
        return "READY_FOR_TESTING" if newest is version else "SUPERSEDED"

    def used_bytes(self, pack):
        """What counts of a pack: the largest version that can be tested or sold."""
        sizes = [
            f["size"] for v in self.versions_of(pack["id"])
            if self.version_state(v) == "COMPLETE"
            and (self.internal_state(v), v["review"]) != ("SUPERSEDED", "SUPERSEDED")
            for f in self.files_of(v["id"]) if f["type"] == "ASSET" and f["committed"] is not None
        ]
        return pack["extraBytes"] + max(sizes, default=0)

    # Review

    def items_of(self, submission, kind=None):
        return [i for i in self.items.values()
                if i["submission"] == submission["id"] and kind in (None, i["kind"])]

    def has_app_version(self, submission):
        return bool(self.items_of(submission, "appStoreVersion"))

    def reviewed(self, submission):
        """What a submission's items submit: the records of packs' and of the app's versions."""
        for item in self.items_of(submission):
            if item["kind"] == "backgroundAssetVersion":
                yield self.versions[item["of"]], "review"
            elif item["kind"] == "appStoreVersion":
                yield self.app_versions[item["of"]], "state"

    def review(self, outcome, seconds=0):
        """The review is done with all submissions that it has had for so many seconds."""
        for submission in self.submissions.values():
            if submission["state"] != "WAITING_FOR_REVIEW":
                continue
            if self.now() < submission["submitted"] + seconds:
                continue
            submission["state"] = "COMPLETE" if outcome == "approve" else "UNRESOLVED_ISSUES"
            for record, key in self.reviewed(submission):
                if outcome == "approve" and key == "review":
                    for earlier in self.versions_of(record["pack"]):
                        if earlier["review"] == "READY_FOR_DISTRIBUTION":
                            earlier["review"] = "SUPERSEDED"
                record[key] = "READY_FOR_DISTRIBUTION" if outcome == "approve" else "REJECTED"

    # Parts

    def operations(self, file):
        """Byte ranges that tile the file; None after the commit, as the store answers then."""
        if file["committed"] is not None or self.options.operations == "null":
            return None
        if self.now() > file["signed"] + self.options.lifetime:
            if self.options.reissue:
                file["signature"] = secrets.token_urlsafe(24)
                file["signed"] = self.now()
        size, part = file["size"], self.options.part_size
        ranges = [(at, min(part, size - at)) for at in range(0, size, part)]
        if self.options.operations == "gap" and len(ranges) > 1:
            del ranges[1]
        if self.options.operations == "overlap" and len(ranges) > 1:
            ranges[1] = (ranges[1][0] - 1, ranges[1][1] + 1)
        if self.options.operations == "reversed":
            ranges.reverse()
        return ranges

    def digest(self, file):
        """SHA-256 of what was received."""
        digest = hashlib.sha256()
        with open(file["path"], "rb") as data:
            while block := data.read(1 << 20):
                digest.update(block)
        return digest.hexdigest()

    @staticmethod
    def language(file):
        """The language of a small pack; for others this reader is too slow."""
        if file["size"] > 100_000:
            return None
        with open(file["path"], "rb") as data:
            try:
                archive = read_archive.Archive(data)
                for entry in archive.entries():
                    if entry.path == b"Manifest.json":
                        return json.loads(b"".join(archive.contents(entry.blobs[-1]))).get("language")
            except (Damage, ValueError):
                return None

    def missing(self, file):
        """Bytes of the file that no part brought."""
        ranges = sorted((o, o + n) for o, n in file["received"].items())
        at = 0
        for start, end in ranges:
            if start > at:
                return start - at
            at = max(at, end)
        return file["size"] - at

    # For tests

    def dump(self, digests):
        with self.lock:
            packs = []
            for pack in self.packs.values():
                versions = []
                for version in self.versions_of(pack["id"]):
                    files = []
                    for file in self.files_of(version["id"]):
                        entry = {
                            "id": file["id"], "type": file["type"], "name": file["name"],
                            "size": file["size"], "committed": file["committed"] is not None,
                            "missing": self.missing(file), "checksums": file["checksums"],
                        }
                        if digests:
                            entry["sha256"] = self.digest(file)
                        files.append(entry)
                    versions.append({
                        "id": version["id"], "number": version["number"],
                        "state": self.version_state(version), "review": version["review"],
                        "files": files,
                    })
                packs.append({
                    "id": pack["id"], "app": pack["app"], "identifier": pack["identifier"],
                    "archived": pack["archived"], "versions": versions,
                })
            submissions = [
                {"id": s["id"], "state": s["state"], "platform": s["platform"],
                 "versions": [i["of"] for i in self.items_of(s, "backgroundAssetVersion")],
                 "appVersions": [i["of"] for i in self.items_of(s, "appStoreVersion")],
                 "events": len(self.items_of(s, "appEvent"))}
                for s in self.submissions.values()
            ]
            return {
                "packs": packs, "submissions": submissions,
                "appVersions": list(self.app_versions.values()), "violations": list(self.violations),
                "requests": list(self.requests), "faults": list(self.faults),
                "seconds": (self.last_part or 0) - (self.first_part or 0),
            }
