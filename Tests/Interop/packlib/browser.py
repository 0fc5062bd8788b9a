"""Drives headless Chromium through its DevTools protocol, over a pair of pipes."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
TIMEOUT = 60


class Browser:
    """A page of headless Chromium. Console errors, exceptions and network requests are collected."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="ba-package-browser-")
        to_browser, self._output = os.pipe()
        self._input, from_browser = os.pipe()

        def connect():
            # Above 4 first, so that neither overwrites the other.
            high = [os.dup(os.dup(os.dup(fd))) for fd in (to_browser, from_browser)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-dev-shm-usage", "--force-color-profile=srgb", f"--user-data-dir={self.home}",
             "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=connect, close_fds=False, env={**os.environ, "HOME": self.home})
        os.close(to_browser)
        os.close(from_browser)
        self._pending = b""
        self._number = 0
        self._session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self._input)
        os.close(self._output)
        shutil.rmtree(self.home, ignore_errors=True)

    def call(self, method, **parameters):
        """Calls a method of the protocol and gives its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def _receive(self):
        while b"\0" not in self._pending:
            received = os.read(self._input, 1 << 20)
            if not received:
                raise AssertionError("the browser has ended")
            self._pending += received
        message, self._pending = self._pending.split(b"\0", 1)
        return json.loads(message)

    def open(self, path, width=1600, height=1000, dark=False):
        """Opens a file or a URL in a window of that size and gives the seconds until it was loaded."""
        self.resize(width, height)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events.clear()
        start = time.monotonic()
        url = str(path)
        self.call("Page.navigate", url=url if "://" in url else "file://" + url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._receive())
            if time.monotonic() - start > TIMEOUT:
                raise AssertionError("the page does not load")
        # A frame that has been drawn.
        self.run("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")
        return time.monotonic() - start

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def run(self, expression):
        """The value of a JavaScript expression, awaited if it is a promise."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def click(self, x, y):
        """A click at a point of the window."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def move(self, x, y):
        """Moves the pointer."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key):
        """Presses a key such as 'Enter' or 'ArrowRight'."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def screenshot(self, whole=False):
        """A PNG of the window, or of the whole page."""
        return base64.b64decode(
            self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"])

    def problems(self):
        """What the console has of errors, and addresses other than the file's that were asked for."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(parameters["exceptionDetails"]))
            elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            elif method == "Runtime.consoleAPICalled":
                found.append(json.dumps(parameters["args"]))
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("file:", "about:", "data:")):
                    found.append(url)
        return found
