"""A browser driven through ChromeDriver: the few calls of the WebDriver protocol that the tests need."""
import base64
import json
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--hide-scrollbars"]


class Browser:
    def __init__(self, width=1280, height=1400, dark=False, script_seconds=120):
        self.profile = tempfile.mkdtemp()
        self.process = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.process.stdout:
            if "successfully on port" in line:
                port = int(line.rsplit("port", 1)[1].strip(" .\n"))
                break
        self.base = f"http://127.0.0.1:{port}"
        flags = FLAGS + [f"--user-data-dir={self.profile}", f"--window-size={width},{height}"]
        if dark:
            flags.append("--force-dark-mode")
        options = {"args": flags, "binary": shutil.which("chromium")}
        made = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = "/session/" + made["sessionId"]
        self.call("POST", self.session + "/timeouts", {"script": 1000 * script_seconds})

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=320) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            said = json.load(error)["value"]
            kind = TimeoutError if said["error"] == "script timeout" else AssertionError
            raise kind(f"{path}: {said['message']}") from None

    def open(self, address):
        self.call("POST", self.session + "/url", {"url": address})

    def run(self, script, *arguments):
        return self.call("POST", self.session + "/execute/sync", {"script": script, "args": arguments})

    def find(self, selector):
        found = self.call("POST", self.session + "/element", {"using": "css selector", "value": selector})
        return self.session + "/element/" + found[ELEMENT]

    def click(self, selector):
        self.call("POST", self.find(selector) + "/click", {})

    def type(self, selector, text):
        self.call("POST", self.find(selector) + "/value", {"text": text})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def wait(self, condition, seconds=30):
        """Until the JavaScript expression is true; its value."""
        end = time.monotonic() + seconds
        while True:
            value = self.run("return " + condition)
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"not true after {seconds} s: {condition}")
            time.sleep(0.05)

    def errors(self):
        entries = self.call("POST", self.session + "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]

    def size(self, width, height):
        """Of the page: windows themselves cannot be as narrow as a phone."""
        self.call("POST", self.session + "/goog/cdp/execute", {
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def scheme(self, name):
        self.call("POST", self.session + "/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia",
            "params": {"features": [{"name": "prefers-color-scheme", "value": name}]}})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", self.session + "/screenshot")))

    def close(self):
        try:
            self.call("DELETE", self.session)
        finally:
            self.process.terminate()
            self.process.wait()
            shutil.rmtree(self.profile, ignore_errors=True)
