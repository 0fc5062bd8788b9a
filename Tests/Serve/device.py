"""Plays a device under a development override: what it asks of a server, in the order it does.

    python3 device.py URL CA.pem [PLATFORM]

A device replaces path and query of the override by /manifest?platform=..., then downloads each pack
from the address in the manifest, four at a time. Addresses must be https and name the host of the
override. More bytes than declared end a download; one that was cut is resumed by Range and If-Range
where the first answer had an ETag and accepted ranges. A challenge is answered with the name and the
password in the address, where it has them.
"""

import base64

import concurrent.futures
import hashlib
import http.client
import json
import ssl
import sys
import urllib.parse

AT_ONCE = 4
BLOCK = 1 << 16


class DownloadError(Exception):
    """A download that failed as a device reports it."""


class Device:
    def __init__(self, override, authority, platform="iOS"):
        self.override = urllib.parse.urlsplit(override)
        if self.override.scheme != "https":
            raise DownloadError("the override is not https")
        self.platform = platform
        self.trust = ssl.create_default_context(cafile=authority)
        self.trust.minimum_version = ssl.TLSVersion.TLSv1_2
        self.installed = {}     # identifier: (version, bytes)

    def request(self, connection, path, headers, address):
        """The answer to a request; a challenge is answered once."""
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        challenge = answer.getheader("WWW-Authenticate", "")
        if answer.status == 401 and challenge.startswith("Basic ") and address.password:
            answer.read()
            user = f"{urllib.parse.unquote(address.username)}:{urllib.parse.unquote(address.password)}"
            token = base64.b64encode(user.encode()).decode()
            connection.request("GET", path, headers={**headers, "Authorization": "Basic " + token})
            answer = connection.getresponse()
        return answer

    def connect(self):
        return http.client.HTTPSConnection(
            self.override.hostname, self.override.port, context=self.trust, timeout=120)

    def fetch_manifest(self):
        """The packs that the server has for this platform."""
        connection = self.connect()
        answer = self.request(
            connection, "/manifest?" + urllib.parse.urlencode({"platform": self.platform}),
            {"Cache-Control": "no-cache", "Pragma": "no-cache"}, self.override)
        body = answer.read()
        connection.close()
        if answer.status >= 400:
            raise DownloadError(f"the manifest: status {answer.status}")
        return json.loads(body)["assetPacks"]

    def check_for_updates(self):
        """Downloads what is new or has a higher version, and removes what is not listed any more.
        Returns the identifiers that were downloaded."""
        listed = {pack["id"]: pack for pack in self.fetch_manifest()}
        for identifier in set(self.installed) - set(listed):
            del self.installed[identifier]
        wanted = [pack for identifier, pack in listed.items()
                  if identifier not in self.installed
                  or pack["version"] > self.installed[identifier][0]]
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for pack, data in zip(wanted, pool.map(self.download, wanted)):
                self.installed[pack["id"]] = (pack["version"], data)
        return [pack["id"] for pack in wanted]

    def download(self, pack, pause_after=None):
        """The bytes of a pack. With `pause_after` the connection is dropped after that many, and the
        download is resumed."""
        address = urllib.parse.urlsplit(pack["url"])
        if address.scheme != "https":
            raise DownloadError("-205: the address of the pack is not https")
        if (address.hostname, address.port) != (self.override.hostname, self.override.port):
            raise DownloadError(f"202: the domain {address.netloc} is not allowed")
        data, tag = self._get(address, pack["downloadSize"], {}, pause_after)
        if pause_after is None or len(data) == pack["downloadSize"]:
            return data
        if tag is None:
            return self._get(address, pack["downloadSize"], {}, None)[0]
        rest = {"Range": f"bytes={len(data)}-", "If-Range": tag}
        return self._get(address, pack["downloadSize"], rest, None, data)[0]

    def _get(self, address, declared, headers, pause_after, before=b""):
        connection = self.connect()
        try:
            path = address.path + (f"?{address.query}" if address.query else "")
            answer = self.request(connection, path, headers, address)
            if answer.status >= 400:
                raise DownloadError(f"status {answer.status}")
            if answer.status == 200:
                before = b""    # the pack is another one now
            elif answer.status == 206:
                first = answer.getheader("Content-Range").split()[1].split("-")[0]
                if int(first) != len(before):
                    raise DownloadError("the server sent another range")
            else:
                raise DownloadError(f"status {answer.status}")
            can_resume = answer.getheader("Accept-Ranges") == "bytes"
            tag = answer.getheader("ETag") if can_resume else None
            data = bytearray(before)
            while block := answer.read(BLOCK):
                data += block
                if len(data) > declared:
                    raise DownloadError("101: more bytes than declared")
                if pause_after is not None and len(data) >= pause_after:
                    return bytes(data), tag
            length = answer.getheader("Content-Length")
            if len(data) - len(before) != int(length):
                raise DownloadError("the connection was lost")
            return bytes(data), tag
        except (OSError, http.client.HTTPException) as error:
            raise DownloadError(f"the connection was lost: {error}") from error
        finally:
            connection.close()


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 64
    device = Device(*arguments)
    for identifier in device.check_for_updates():
        version, data = device.installed[identifier]
        print(f"{identifier}: version {version}, {len(data):,} bytes, "
              f"SHA-256 {hashlib.sha256(data).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
