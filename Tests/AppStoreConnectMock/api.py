"""The API's port: JSON:API documents as App Store Connect answers them."""

import json
import time
import urllib.parse
import uuid
from datetime import datetime, timezone
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler

import faults
import tokens

LETTERS = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")


class Refusal(Exception):
    """An answer with `errors`."""

    def __init__(self, status, code, detail, pointer=None, parameter=None):
        super().__init__(detail)
        self.status = status
        error = {
            "id": str(uuid.uuid4()), "status": str(status), "code": code,
            "title": TITLES.get(status, "The request was refused."), "detail": detail,
        }
        if pointer:
            error["source"] = {"pointer": pointer}
        if parameter:
            error["source"] = {"parameter": parameter}
        self.body = {"errors": [error]}


TITLES = {
    400: "A parameter has an invalid value",
    401: "Authentication credentials are missing or invalid.",
    403: "This request is forbidden for security reasons",
    404: "The specified resource does not exist",
    409: "The provided entity includes an attribute with an invalid value",
    429: "The request rate limit has been reached.",
    500: "An unexpected error occurred.",
}


def date(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds")


class Handler(BaseHTTPRequestHandler):
    """One connection. `store`, `keys` and `parts_address` are set by the program."""

    protocol_version = "HTTP/1.1"
    server_version = "AppStoreConnectMock"
    disable_nagle_algorithm = True
    store = keys = parts_address = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.handle_request()

    do_POST = do_PATCH = do_DELETE = do_GET

    def handle_request(self):
        url = urllib.parse.urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        fault = faults.take(self.store, self.command, url.path)
        if fault and "midway" in fault:
            self.rfile.read(length // 2)
            self.close_connection = True
            return
        body = self.rfile.read(length)
        if url.path.startswith("/mock/"):
            self.control(url, body)
            return
        with self.store.lock:
            self.store.requests.append(f"{self.command} {self.path}")
        if fault and "hold" in fault:
            faults.hold(self.store, fault)
        if fault and "review" in fault:
            with self.store.lock:
                self.store.review(fault["review"])
        if fault and "hang" in fault:
            time.sleep(fault["hang"])
        if fault and ("cut" in fault or "hang" in fault):
            self.close_connection = True
            return
        if fault and "status" in fault:
            refusal = Refusal(
                fault["status"], fault.get("code", "UNEXPECTED_ERROR"),
                fault.get("detail", "scripted"), fault.get("pointer"))
            self.answer(fault["status"], refusal.body, fault.get("headers", {}))
            return
        if fault and "redirect" in fault:
            self.answer(302, None, {"Location": fault["redirect"]})
            return
        if fault and "garbage" in fault:
            self.send(200, b"<html>It works!</html>", {})
            return
        if fault and "echo" in fault:
            text = f"{self.headers.get('Authorization')} {self.path}"
            with self.store.lock:
                for file in self.store.files.values():
                    text += f" {self.part_url(file, 1)}"
            status = fault["echo"]
            self.answer(status, Refusal(status, "UNEXPECTED_ERROR", text).body, {})
            return
        if fault and "event" in fault:
            with self.store.lock:
                self.add_event(fault["event"])
        try:
            status, document = self.route(url, body)
        except Refusal as refusal:
            status, document = refusal.status, refusal.body
        if fault and "lost" in fault:
            self.close_connection = True
            return
        if fault and "late" in fault:
            time.sleep(fault["late"])
        self.answer(status, document, {})

    def answer(self, status, document, headers):
        body = b"" if document is None else json.dumps(document).encode()
        self.send(status, body, headers)

    def send(self, status, body, headers):
        try:
            self.send_response_only(status)
            self.send_header("Date", formatdate(self.store.now(), usegmt=True))
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("X-Rate-Limit", "user-hour-lim:3500;user-hour-rem:3400;")
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    # Control, without a token

    def control(self, url, body):
        store = self.store
        if url.path == "/mock/state":
            query = urllib.parse.parse_qs(url.query)
            self.answer(200, store.dump("digests" in query), {})
        elif url.path == "/mock/faults":
            with store.lock:
                if body:
                    store.faults = [faults.parse(fault) for fault in json.loads(body)]
                self.answer(200, store.faults, {})
        elif url.path == "/mock/options":
            with store.lock:
                for name, value in json.loads(body).items():
                    if not hasattr(store.options, name):
                        raise ValueError(name)
                    setattr(store.options, name, value)
            self.answer(200, {}, {})
        elif url.path == "/mock/packs":
            with store.lock:
                for identifier in json.loads(body):
                    version = store.add_version(
                        store.add_pack(next(iter(store.apps)), identifier)["id"])
                    version["committed"] = 0
            self.answer(200, {}, {})
        elif url.path == "/mock/app-versions":
            with store.lock:
                store.app_versions.clear()
                for text in json.loads(body):
                    store.add_app_version(*text.split(":"))
            self.answer(200, {}, {})
        elif url.path == "/mock/event":
            with store.lock:
                self.add_event(json.loads(body))
            self.answer(200, {}, {})
        elif url.path == "/mock/review":
            with store.lock:
                store.review(json.loads(body))
            self.answer(200, {}, {})
        elif url.path == "/mock/reset":
            with store.lock:
                for records in (store.packs, store.versions, store.files, store.submissions,
                                store.items, store.requests):
                    records.clear()
            self.answer(200, {}, {})
        elif url.path == "/mock/used-bytes":
            with store.lock:
                for pack in store.packs.values():
                    pack["extraBytes"] = json.loads(body)
            self.answer(200, {}, {})
        else:
            self.answer(404, {}, {})

    # The API

    def route(self, url, body):
        store = self.store
        reason = tokens.problem(
            self.headers.get("Authorization"), store.options, self.keys, store.now())
        if reason:
            raise Refusal(
                401, "NOT_AUTHORIZED",
                "Provide a properly configured and signed bearer token, and make sure that it has "
                "not expired. Learn more about Generating Tokens for API Requests "
                "https://developer.apple.com/go/?id=api-generating-tokens")
        if self.command != "GET":
            if store.options.role not in ("ADMIN", "APP_MANAGER", "DEVELOPER"):
                raise Refusal(
                    403, "FORBIDDEN_ERROR",
                    "The API key in use does not allow this request")
            if self.headers.get("Content-Type") != "application/json":
                raise Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "the body is not application/json")
        parts = url.path.strip("/").split("/")
        if parts[:1] != ["v1"]:
            raise Refusal(404, "NOT_FOUND", "there is no such path")
        query = {k: v[0] for k, v in urllib.parse.parse_qs(url.query).items()}
        data = {}
        if self.command != "GET":
            try:
                data = json.loads(body)["data"]
            except (ValueError, KeyError, TypeError):
                raise Refusal(400, "PARAMETER_ERROR.INVALID", "the body is no document") from None
        name = "_".join([self.command.lower()] + parts[1:2] + parts[3:])
        method = getattr(self, name, None)
        if method is None:
            raise Refusal(405, "METHOD_NOT_ALLOWED", f"{self.command} is not allowed here")
        with store.lock:
            if store.options.review is not None:
                store.review("approve", store.options.review)
            return method(parts[2] if len(parts) > 2 else None, query, data)

    def find(self, records, id_, kind):
        if id_ not in records:
            raise Refusal(404, "NOT_FOUND", f"There is no resource of type '{kind}' with id '{id_}'")
        return records[id_]

    def related(self, data, name, kind, records):
        try:
            link = data["relationships"][name]["data"]
            if link["type"] != kind:
                raise KeyError
        except (KeyError, TypeError):
            raise Refusal(
                409, "ENTITY_ERROR.RELATIONSHIP.REQUIRED",
                f"You must provide a value for the relationship '{name}'",
                f"/data/relationships/{name}") from None
        return self.find(records, link["id"], kind)

    def typed(self, data, kind, id_=None):
        if data.get("type") != kind or (id_ is not None and data.get("id") != id_):
            raise Refusal(409, "ENTITY_ERROR", f"the document is not of type '{kind}'", "/data/type")

    def page(self, query, path, records, included=()):
        limit = int(query.get("limit", 50))
        if not 1 <= limit <= 200:
            raise Refusal(400, "PARAMETER_ERROR.INVALID", "limit is 1 to 200", parameter="limit")
        limit = min(limit, self.store.options.page_size)
        start = int(query.get("cursor", 0))
        document = {"data": records[start:start + limit], "links": {"self": self.path}}
        document["meta"] = {"paging": {"total": len(records), "limit": limit}}
        if start + limit < len(records):
            rest = {k: v for k, v in query.items() if k != "cursor"} | {"cursor": start + limit}
            host = self.store.options.next_host or f"http://{self.headers['Host']}"
            document["links"]["next"] = f"{host}{path}?{urllib.parse.urlencode(rest)}"
        if included:
            document["included"] = list(included)
        return 200, document

    # Apps and packs

    def get_apps(self, id_, query, _):
        if id_:
            self.find(self.store.apps, id_, "apps")
            return 200, {"data": self.app(id_)}
        wanted = query.get("filter[bundleId]")
        ids = [i for i, app in self.store.apps.items() if wanted in (None, app["bundleId"])]
        return self.page(query, "/v1/apps", [self.app(i) for i in ids])

    def app(self, id_):
        return {"type": "apps", "id": id_, "attributes": self.store.apps[id_]}

    def get_apps_appStoreVersions(self, id_, query, _):
        self.find(self.store.apps, id_, "apps")
        records = [
            v for v in self.store.app_versions.values()
            if v["app"] == id_ and query.get("filter[versionString]") in (None, v["number"])
            and query.get("filter[platform]") in (None, v["platform"])
        ]
        return self.page(
            query, f"/v1/apps/{id_}/appStoreVersions", [self.app_version(v) for v in records])

    def app_version(self, record):
        return {
            "type": "appStoreVersions", "id": record["id"],
            "attributes": {
                "versionString": record["number"], "platform": record["platform"],
                "appVersionState": record["state"],
            },
        }

    def get_apps_backgroundAssets(self, id_, query, _):
        self.find(self.store.apps, id_, "apps")
        wanted = query.get("filter[assetPackIdentifier]")
        if wanted and not set(wanted) <= LETTERS | {","}:
            raise Refusal(
                400, "PARAMETER_ERROR.INVALID", f"'{wanted}' is not a valid filter value",
                parameter="filter[assetPackIdentifier]")
        packs = [
            p for p in self.store.packs.values()
            if p["app"] == id_ and (not wanted or p["identifier"] in wanted.split(","))
        ]
        if "filter[archived]" in query:
            packs = [p for p in packs if str(p["archived"]).lower() == query["filter[archived]"]]
        packs.sort(key=lambda p: p["identifier"])
        return self.page(query, f"/v1/apps/{id_}/backgroundAssets", [self.pack(p) for p in packs])

    def pack(self, pack):
        return {
            "type": "backgroundAssets", "id": pack["id"],
            "attributes": {
                "assetPackIdentifier": pack["identifier"], "archived": pack["archived"],
                "createdDate": date(pack["created"]),
                "usedBytes": self.store.used_bytes(pack),
            },
        }

    def post_backgroundAssets(self, _id, _query, data):
        self.typed(data, "backgroundAssets")
        identifier = data.get("attributes", {}).get("assetPackIdentifier") or ""
        self.related(data, "app", "apps", self.store.apps)
        app = data["relationships"]["app"]["data"]["id"]
        if not identifier or not set(identifier) <= LETTERS or identifier.strip("-") != identifier:
            raise Refusal(
                409, "ENTITY_ERROR.ATTRIBUTE.INVALID",
                "The asset pack identifier has characters that are not allowed. (ITMS-91133)",
                "/data/attributes/assetPackIdentifier")
        if any(p["app"] == app and p["identifier"] == identifier for p in self.store.packs.values()):
            raise Refusal(
                409, "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE",
                f"The asset pack identifier '{identifier}' has already been used",
                "/data/attributes/assetPackIdentifier")
        return 201, {"data": self.pack(self.store.add_pack(app, identifier))}

    def get_backgroundAssets(self, id_, _query, _data):
        return 200, {"data": self.pack(self.find(self.store.packs, id_, "backgroundAssets"))}

    def patch_backgroundAssets(self, id_, _query, data):
        pack = self.find(self.store.packs, id_, "backgroundAssets")
        self.typed(data, "backgroundAssets", id_)
        if data.get("attributes", {}).get("archived") is not True:
            raise Refusal(
                409, "ENTITY_ERROR.ATTRIBUTE.INVALID", "an archived pack stays archived",
                "/data/attributes/archived")
        pack["archived"] = True
        return 200, {"data": self.pack(pack)}

    # Versions

    def get_backgroundAssets_versions(self, id_, query, _):
        self.find(self.store.packs, id_, "backgroundAssets")
        versions = self.store.versions_of(id_)
        included = []
        for name in filter(None, query.get("include", "").split(",")):
            included += [r for v in versions for r in self.included(v, name)]
        return self.page(
            query, f"/v1/backgroundAssets/{id_}/versions",
            [self.version(v) for v in versions], included)

    def get_backgroundAssetVersions(self, id_, query, _):
        version = self.find(self.store.versions, id_, "backgroundAssetVersions")
        document = {"data": self.version(version)}
        included = []
        for name in filter(None, query.get("include", "").split(",")):
            included += self.included(version, name)
        if included:
            document["included"] = included
        return 200, document

    RELEASES = {
        "internalBetaRelease": ("backgroundAssetVersionInternalBetaReleases", "i-"),
        "externalBetaRelease": ("backgroundAssetVersionExternalBetaReleases", "e-"),
        "appStoreRelease": ("backgroundAssetVersionAppStoreReleases", "s-"),
    }

    def included(self, version, name):
        if name in ("assetFile", "manifestFile"):
            kind = "ASSET" if name == "assetFile" else "MANIFEST"
            files = [f for f in self.store.files_of(version["id"]) if f["type"] == kind]
            return [self.file(f) for f in files[-1:]]
        if name in self.RELEASES and self.store.version_state(version) == "COMPLETE":
            kind, prefix = self.RELEASES[name]
            state = self.store.internal_state(version)
            if name == "externalBetaRelease" and state != "SUPERSEDED":
                state = "READY_FOR_BETA_SUBMISSION"
            if name == "appStoreRelease":
                state = version["review"] or "PREPARE_FOR_SUBMISSION"
            return [{"type": kind, "id": prefix + version["id"], "attributes": {"state": state}}]
        if name == "backgroundAsset":
            return [self.pack(self.store.packs[version["pack"]])]
        return []

    def version(self, version):
        state = self.store.version_state(version)
        attributes = {
            "createdDate": date(version["created"] - self.store.options.version_age),
            "platforms": version["platforms"], "locale": version["locale"],
            "state": state, "stateDetails": None, "version": str(version["number"]),
        }
        if version["failure"] and state == "FAILED":
            attributes["stateDetails"] = version["failure"]
        elif state == "COMPLETE" and self.store.options.warnings:
            attributes["stateDetails"] = {"warnings": self.store.options.warnings}
        relationships = {}
        for name in (*self.RELEASES, "assetFile", "manifestFile"):
            records = self.included(version, name)
            link = {"type": records[0]["type"], "id": records[0]["id"]} if records else None
            relationships[name] = {"data": link}
        return {
            "type": "backgroundAssetVersions", "id": version["id"], "attributes": attributes,
            "relationships": relationships,
        }

    def post_backgroundAssetVersions(self, _id, _query, data):
        self.typed(data, "backgroundAssetVersions")
        pack = self.related(data, "backgroundAsset", "backgroundAssets", self.store.packs)
        if pack["archived"]:
            raise Refusal(409, "STATE_ERROR", "the asset pack is archived")
        return 201, {"data": self.version(self.store.add_version(pack["id"]))}

    def get_backgroundAssetVersions_backgroundAssetUploadFiles(self, id_, query, _):
        self.find(self.store.versions, id_, "backgroundAssetVersions")
        return self.page(
            query, f"/v1/backgroundAssetVersions/{id_}/backgroundAssetUploadFiles",
            [self.file(f) for f in self.store.files_of(id_)])

    # Files

    def post_backgroundAssetUploadFiles(self, _id, _query, data):
        self.typed(data, "backgroundAssetUploadFiles")
        version = self.related(
            data, "backgroundAssetVersion", "backgroundAssetVersions", self.store.versions)
        attributes = data.get("attributes", {})
        kind, name = attributes.get("assetType"), attributes.get("fileName")
        size = attributes.get("fileSize")
        if kind not in ("ASSET", "MANIFEST") or not name or type(size) is not int or size < 1:
            raise Refusal(409, "ENTITY_ERROR.ATTRIBUTE.REQUIRED", "an attribute is missing", "/data")
        earlier = [f for f in self.store.files_of(version["id"]) if f["type"] == kind]
        if version["committed"] is not None or (earlier and not self.store.options.rereserve):
            raise Refusal(
                409, "STATE_ERROR.ENTITY_STATE_INVALID", "the version has a file of this type")
        file = self.store.add_file(version["id"], kind, name, size)
        return 201, {"data": self.file(file)}

    def get_backgroundAssetUploadFiles(self, id_, _query, _data):
        return 200, {"data": self.file(self.find(self.store.files, id_, "backgroundAssetUploadFiles"))}

    def patch_backgroundAssetUploadFiles(self, id_, _query, data):
        store = self.store
        file = self.find(store.files, id_, "backgroundAssetUploadFiles")
        self.typed(data, "backgroundAssetUploadFiles", id_)
        attributes = data.get("attributes", {})
        if file["committed"] is not None:
            raise Refusal(409, "STATE_ERROR", "the file has been uploaded", "/data")
        checksums = attributes.get("sourceFileChecksums")
        if checksums and (store.options.refuse_checksums or "composite" in checksums):
            raise Refusal(
                409, "ENTITY_ERROR.ATTRIBUTE.INVALID",
                "The provided checksum is not valid", "/data/attributes/sourceFileChecksums")
        if attributes.get("uploaded") is not True:
            raise Refusal(409, "ENTITY_ERROR.ATTRIBUTE.INVALID", "uploaded", "/data/attributes/uploaded")
        missing = store.missing(file)
        if missing:
            raise Refusal(
                409, "ENTITY_ERROR.ATTRIBUTE.INVALID",
                f"The file is {file['size'] - missing} bytes, where {file['size']} were announced",
                "/data/attributes/fileSize")
        if checksums:
            given = checksums.get("file", {})
            if given.get("algorithm") != "SHA_256" or (
                    store.options.compare_checksums and given.get("hash") != store.digest(file)):
                raise Refusal(
                    409, "ENTITY_ERROR.ATTRIBUTE.INVALID", "The checksum doesn't match",
                    "/data/attributes/sourceFileChecksums/file")
            file["checksums"] = {"file": given}
        file["committed"] = store.now()
        if file["type"] == "ASSET":
            version = store.versions[file["version"]]
            version["locale"] = store.language(file)
            version["committed"] = store.now()
            version["failure"] = store.options.failure
            if store.options.intruder in ("file", "reservation"):
                other = store.add_file(version["id"], "ASSET", "other.aar", 1)
                if store.options.intruder == "file":
                    other["committed"] = store.now()
            if store.options.intruder == "bytes":
                file["checksums"] = {"file": {"algorithm": "SHA_256", "hash": 64 * "0"}}
        return 200, {"data": self.file(file)}

    def part_url(self, file, number):
        expires = int(file["signed"] + self.store.options.lifetime)
        return (
            f"{self.parts_address}/parts/{file['id']}/{number}"
            f"?Expires={expires}&X-Signature={file['signature']}")

    def file(self, file):
        store = self.store
        ranges = store.operations(file)
        operations = None
        if ranges is not None:
            operations = [
                {
                    "method": "PUT", "url": self.part_url(file, number), "length": length,
                    "offset": offset, "partNumber": number,
                    "requestHeaders": [
                        {"name": "Content-Type", "value": "application/octet-stream"},
                        {"name": "x-mock-part", "value": str(number)},
                    ],
                    "expiration": date(file["signed"] + store.options.lifetime),
                }
                for offset, length in ranges
                for number in [offset // store.options.part_size + 1]
            ]
        state = {"state": store.file_state(file), "errors": [], "warnings": []}
        if state["state"] == "FAILED":
            state["errors"] = store.options.fail_manifest
        return {
            "type": "backgroundAssetUploadFiles", "id": file["id"],
            "attributes": {
                "assetDeliveryState": state, "assetToken": None, "assetType": file["type"],
                "fileName": file["name"], "fileSize": file["size"],
                "sourceFileChecksums": file["checksums"] if store.options.tell_checksums else None,
                "uploadOperations": operations,
            },
        }

    # Review

    def get_reviewSubmissions(self, id_, query, _):
        if id_:
            record = self.find(self.store.submissions, id_, "reviewSubmissions")
            return 200, {"data": self.submission(record)}
        states = query.get("filter[state]")
        records = [
            s for s in self.store.submissions.values()
            if query.get("filter[app]") in (None, s["app"])
            and (states is None or s["state"] in states.split(","))
            and query.get("filter[platform]") in (None, s["platform"])
        ]
        return self.page(query, "/v1/reviewSubmissions", [self.submission(s) for s in records])

    def submission(self, record):
        return {
            "type": "reviewSubmissions", "id": record["id"],
            "attributes": {
                "platform": record["platform"], "state": record["state"],
                "submittedDate": date(record["submitted"]) if record["submitted"] else None,
            },
        }

    def add_submission(self, app, platform):
        record = {
            "id": str(uuid.uuid4()), "app": app, "submitted": None, "state": "READY_FOR_REVIEW",
            "platform": platform,
        }
        self.store.submissions[record["id"]] = record
        return record

    def post_reviewSubmissions(self, _id, _query, data):
        self.typed(data, "reviewSubmissions")
        self.related(data, "app", "apps", self.store.apps)
        app = data["relationships"]["app"]["data"]["id"]
        platform = data.get("attributes", {}).get("platform")
        if any(s["app"] == app and s["platform"] == platform and s["state"] == "READY_FOR_REVIEW"
               for s in self.store.submissions.values()):
            raise Refusal(409, "STATE_ERROR", "there is an open submission already")
        return 201, {"data": self.submission(self.add_submission(app, platform))}

    def add_event(self, platform):
        draft = next((s for s in self.store.submissions.values()
                      if s["state"] == "READY_FOR_REVIEW"), None)
        draft = draft or self.add_submission(next(iter(self.store.apps)), platform)
        self.store.add_item(draft["id"], "appEvent", str(uuid.uuid4()))

    def get_reviewSubmissions_items(self, id_, query, _):
        self.find(self.store.submissions, id_, "reviewSubmissions")
        shown = query.get("include", "").split(",")
        records = [i for i in self.store.items.values() if i["submission"] == id_]
        return self.page(
            query, f"/v1/reviewSubmissions/{id_}/items", [self.item(i, shown) for i in records])

    def item(self, record, shown):
        # A relationship has its data only if it is included.
        relationships = {
            name: {"data": {"type": name + "s", "id": record["of"]} if name == record["kind"] else None}
            for name in shown if name
        }
        return {
            "type": "reviewSubmissionItems", "id": record["id"],
            "attributes": {"state": "READY_FOR_REVIEW"}, "relationships": relationships,
        }

    def post_reviewSubmissionItems(self, _id, _query, data):
        store = self.store
        self.typed(data, "reviewSubmissionItems")
        submission = self.related(data, "reviewSubmission", "reviewSubmissions", store.submissions)
        if submission["state"] != "READY_FOR_REVIEW":
            raise Refusal(409, "STATE_ERROR", "the submission was submitted")
        if "appStoreVersion" in data["relationships"]:
            kind = "appStoreVersion"
            version = self.related(data, kind, "appStoreVersions", store.app_versions)
            if version["platform"] != submission["platform"]:
                raise Refusal(409, "STATE_ERROR", "the app version is for another platform")
            if store.has_app_version(submission) or version["state"] not in (
                    "PREPARE_FOR_SUBMISSION", "DEVELOPER_REJECTED", "REJECTED"):
                raise Refusal(409, "STATE_ERROR", "the app version can't be submitted")
        else:
            kind = "backgroundAssetVersion"
            version = self.related(data, kind, "backgroundAssetVersions", store.versions)
            others = [store.versions[i["of"]] for i in store.items_of(submission, kind)]
            if len(others) >= 10:
                raise Refusal(409, "STATE_ERROR", "a submission has at most ten asset packs")
            if any(other["pack"] == version["pack"] for other in others):
                raise Refusal(409, "STATE_ERROR", "a submission has one version of an asset pack")
            if store.version_state(version) != "COMPLETE" or version["review"] not in (
                    None, "REJECTED"):
                raise Refusal(409, "STATE_ERROR", "the version can't be submitted")
        record = store.add_item(submission["id"], kind, version["id"])
        version["review" if kind == "backgroundAssetVersion" else "state"] = "READY_FOR_REVIEW"
        return 201, {"data": self.item(record, [kind])}

    def patch_reviewSubmissions(self, id_, _query, data):
        store = self.store
        record = self.find(store.submissions, id_, "reviewSubmissions")
        self.typed(data, "reviewSubmissions", id_)
        if data.get("attributes", {}).get("submitted") is not True or not store.items_of(record):
            raise Refusal(409, "STATE_ERROR", "there is nothing to submit")
        if record["state"] != "READY_FOR_REVIEW":
            raise Refusal(409, "STATE_ERROR", "the submission was submitted")
        with_app = store.has_app_version(record)
        under_review = [
            s for s in store.submissions.values()
            if s["app"] == record["app"] and s["state"] in ("WAITING_FOR_REVIEW", "UNRESOLVED_ISSUES")
            and (None in (s["platform"], record["platform"]) or s["platform"] == record["platform"])
        ]
        if any(store.has_app_version(s) == with_app for s in under_review):
            raise Refusal(
                409, "STATE_ERROR",
                "one submission with an app version and one without can be under review")
        approved = any(v["app"] == record["app"] and v["state"] == "READY_FOR_DISTRIBUTION"
                       for v in store.app_versions.values())
        if not approved and not with_app:
            raise Refusal(
                409, "STATE_ERROR",
                "before the first approval, packs must be submitted with the app version")
        if store.options.ignore_submits:
            return 200, {"data": self.submission(record)}
        record["submitted"] = store.now()
        record["state"] = "WAITING_FOR_REVIEW"
        for reviewed, key in store.reviewed(record):
            reviewed[key] = "WAITING_FOR_REVIEW"
        return 200, {"data": self.submission(record)}
