"""The same extension in Firefox, which is driven by Marionette, its own protocol. Skipped where Firefox is not installed."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import extension
from extension import EXTENSION, HERE, LIMIT
from testsite import SIZE, SMALL, Site, contents

FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")


class Marionette:
    """Messages are JSON arrays behind their length and a colon: [0, id, command, parameters] and [1, id, error, result]."""

    def __init__(self, port):
        end = time.monotonic() + LIMIT
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), LIMIT)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)
        self.input, self.last = self.socket.makefile("rb"), 0
        self.receive()

    def receive(self):
        length = b""
        while (byte := self.input.read(1)) != b":":
            length += byte
        return json.loads(self.input.read(int(length)))

    def __call__(self, command, **parameters):
        self.last += 1
        text = json.dumps([0, self.last, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self.receive()
        if error:
            raise AssertionError(f"{command}: {error['message']}")
        return result

    def close(self):
        self.input.close()
        self.socket.close()


@unittest.skipUnless(FIREFOX, "needs firefox: not installed")
class Firefox(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="dray-firefox-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        cls.site = Site()
        cls.addClassCleanup(cls.site.close)
        cls.place, profile = cls.home / "fake", cls.home / "profile"
        for directory in (cls.place, profile, cls.home / "Downloads"):
            directory.mkdir()
        launcher = cls.home / "browser-host"
        launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{HERE}/fake_host.py" "{cls.place}"\n')
        launcher.chmod(0o755)
        manifest = {"name": "dev.dray.browser", "description": "dray", "path": str(launcher), "type": "stdio", "allowed_extensions": ["dray@dray.dev"]}
        # The second is the place of newer versions.
        for place in (".mozilla", ".config/mozilla"):
            hosts = cls.home / place / "native-messaging-hosts"
            hosts.mkdir(parents=True)
            (hosts / "dev.dray.browser.json").write_text(json.dumps(manifest))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        settings = {
            "marionette.port": port, "browser.download.folderList": 2, "browser.download.dir": f"{cls.home}/Downloads",
            "browser.download.useDownloadDir": True, "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False, "app.update.enabled": False,
        }
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in settings.items()))
        words = [FIREFOX, "--headless", "--marionette", "-remote-allow-system-access", "--no-remote", "--profile", profile]
        cls.firefox = subprocess.Popen(words, env={**os.environ, **extension.own_variables(cls.home)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.addClassCleanup(cls.end)
        cls.ask = Marionette(port)
        cls.addClassCleanup(cls.ask.close)
        cls.ask("WebDriver:NewSession", capabilities={})
        cls.ask("Addon:Install", path=str(EXTENSION), temporary=True)
        cls.ask("Marionette:SetContext", value="chrome")
        host = cls.ask("WebDriver:ExecuteScript", script="return WebExtensionPolicy.getByID('dray@dray.dev').mozExtensionHostname", args=[])["value"]
        cls.ask("Marionette:SetContext", value="content")
        cls.ask("WebDriver:Navigate", url=f"moz-extension://{host}/options.html")
        cls.inside = cls.ask("WebDriver:GetWindowHandles")[0]
        cls.tab = cls.ask("WebDriver:NewWindow", type="tab")["handle"]

    @classmethod
    def end(cls):
        cls.firefox.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            cls.firefox.wait(10)
        cls.firefox.kill()
        cls.firefox.wait()

    def setUp(self):
        (self.place / "mood").write_text("ok")
        for name in ("jobs", "log"):
            (self.place / name).unlink(missing_ok=True)
        for file in (self.home / "Downloads").iterdir():
            file.unlink()
        self.call("await chrome.storage.session.clear(); await chrome.downloads.erase({});")

    def call(self, script, *arguments):
        self.ask("WebDriver:SwitchToWindow", handle=self.inside)
        result = self.ask(
            "WebDriver:ExecuteAsyncScript", args=list(arguments),
            script="const done = arguments[arguments.length - 1]; const args = [...arguments];"
            f"(async () => {{ {script} }})().then((value) => done({{ value }}), (error) => done({{ error: String(error) }}));")["value"]
        self.assertNotIn("error", result)
        return result.get("value")

    def follow(self, target, selector="a", page="/page?names="):
        self.ask("WebDriver:SwitchToWindow", handle=self.tab)
        self.ask("WebDriver:Navigate", url=f"{self.site.url}{page}{target}")
        self.ask("WebDriver:ExecuteScript", script="document.querySelector(arguments[0]).click()", args=[selector])

    def added(self):
        log = self.place / "log"
        lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return [line for line in lines if line["type"] == "add"]

    def jobs(self):
        jobs = self.place / "jobs"
        return json.loads(jobs.read_text()) if jobs.exists() else None

    def notices(self):
        return self.call("return ((await chrome.storage.session.get('notices')).notices ?? []).map((notice) => [notice.title, notice.message]);")

    def files(self):
        return {file.name: file.read_bytes() for file in (self.home / "Downloads").iterdir()}

    def until(self, condition, what):
        end = time.monotonic() + LIMIT
        while not (found := condition()):
            self.assertLess(time.monotonic(), end, f"did not happen: {what}")
            time.sleep(0.1)
        return found

    def until_kept(self, path, size=SIZE):
        states = "return (await chrome.downloads.search({})).map((item) => item.state);"
        self.until(lambda: self.call(states) == ["complete"], f"the browser has {path}")
        self.assertEqual(self.files(), {path.rsplit("/", 1)[-1]: contents(path, size)})

    def test_taken_over(self):
        """The browser goes on until dray has the job, so the file must not end before."""
        self.follow("/slow/big.bin")
        self.until(self.notices, "a notice")
        self.assertEqual(self.notices(), [["dray takes over", "/downloads/big.bin"]])
        [request] = self.added()
        self.assertEqual((request["url"], request["name"], request["size"]), (f"{self.site.url}/slow/big.bin", "big.bin", SIZE))
        self.assertIn("Firefox/", request["userAgent"])
        self.assertEqual((self.call("return await chrome.downloads.search({})"), self.files()), ([], {}))

    def test_login(self):
        self.follow("", "body", page="/login")
        self.follow("/private/own.bin")
        [request] = self.until(self.added, "dray is asked")
        self.assertEqual([cookie["name"] for cookie in request["cookies"]], ["session"])
        self.until_kept("/private/own.bin")
        self.until(lambda: self.jobs() == [], "no job is left")

    def test_browser_that_is_faster(self):
        """It has the file already, so dray's job goes."""
        self.follow("/files/fast.bin")
        self.until_kept("/files/fast.bin")
        self.until(self.added, "dray is asked")
        self.until(lambda: self.jobs() == [], "no job is left")

    def test_what_stays(self):
        self.follow("", "button", page="/form")
        self.until_kept("/posted/report.bin")
        self.setUp()
        self.follow("/small/note.bin")
        self.until_kept("/small/note.bin", SMALL)
        self.assertEqual(self.added(), [])

    def test_refused(self):
        (self.place / "mood").write_text("refuse")
        self.follow("/files/refused.bin")
        self.until_kept("/files/refused.bin")
        self.until(self.notices, "a notice")
        self.assertEqual(self.notices(), [["The browser keeps this download", "refused.bin: the test refuses. ask another time"]])

    def test_rules(self):
        tables = json.loads((HERE / "rules.json").read_text())
        results = self.call("""
          const rules = await import("/rules.js");
          return Object.entries(args[0]).map(([name, rows]) => [name, rows.map((row) => rules[name](...row.given) ?? null)]);""", tables)
        for name, got in results:
            self.assertEqual(got, [row["expected"] for row in tables[name]], name)
