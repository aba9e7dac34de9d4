"""The decisions, row by row, and the pages of the extension."""

import base64
import hashlib
import json
from pathlib import Path

from extension import HERE, ID, By
from test_takeover import TakeoverTest

CHECKS = (HERE.parent / "Page/checks.js").read_text()
MIB = 1 << 20
JOBS = [
    {"job": "a", "number": 4, "name": "debian-13.2.0-amd64-netinst.iso", "state": "active", "bytes": 300 * MIB, "size": 700 * MIB, "rate": 12 * MIB, "message": ""},
    {"job": "b", "number": 5, "name": "of-unknown-size.tar", "state": "active", "bytes": 5 * MIB, "size": None, "rate": MIB, "message": ""},
    {"job": "c", "number": 6, "name": "model-00001-of-00030-with-a-name-that-is-much-longer-than-the-window.safetensors", "state": "interrupted",
     "bytes": 1200 * MIB, "size": 4700 * MIB, "rate": 0, "message": "403 Forbidden. Link expired?"},
    {"job": "d", "number": 2, "name": "gone.zip", "state": "failed", "bytes": 0, "size": None, "rate": 0, "message": "404 Not Found: check the URL"},
    {"job": "e", "number": 1, "name": "done.pdf", "state": "complete", "bytes": 3 * MIB, "size": 3 * MIB, "rate": 0, "message": ""},
]


class Pages(TakeoverTest):
    def show(self, page, dark=False):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.browser.get(f"chrome-extension://{ID}/{page}")

    def some_jobs(self):
        (self.place / "jobs").write_text(json.dumps([{**job, "url": f"https://example.org/{job['job']}"} for job in JOBS]))

    def check(self, what):
        with self.subTest(what):
            self.assertEqual(self.browser.execute_script(CHECKS), [])

    def test_rules(self):
        tables = json.loads((HERE / "rules.json").read_text())
        results = self.call("""
          const rules = await import("/rules.js");
          return Object.entries(args[0]).map(([name, rows]) => [name, rows.map((row) => rules[name](...row.given) ?? null)]);""", tables)
        for name, got in results:
            for row, value in zip(tables[name], got, strict=True):
                with self.subTest(f"{name}: {row['when']}"):
                    self.assertEqual(value, row["expected"])

    def test_a_port_that_has_closed(self):
        """The browser closes a port before it says so. A request at that moment is sent again, over another port."""
        answer = self.call("""
          const { Host } = await import("/host.js");
          const real = chrome.runtime.connectNative;
          const ports = [];
          chrome.runtime.connectNative = () => {
            const heard = [];
            const number = ports.length;
            const postMessage = ({ id }) => {
              if (ports[number].isClosed) throw new Error("disconnected port");
              setTimeout(() => heard.forEach((hear) => hear({ id, ok: true, version: 1, number })));
            };
            ports.push({ onMessage: { addListener: (hear) => heard.push(hear) }, onDisconnect: { addListener() {} }, disconnect() {}, postMessage });
            return ports[number];
          };
          try {
            const host = new Host();
            await host.request({ type: "list" });
            ports[0].isClosed = true;
            return await host.requestTwice({ type: "add" });
          } finally {
            chrome.runtime.connectNative = real;
          }""")
        self.assertEqual((answer["ok"], answer["number"]), (True, 1))

    def test_popup(self):
        self.some_jobs()
        self.show("popup.html")
        self.until(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".job")) == len(JOBS), "the jobs")
        bars = self.until(lambda: {bar.accessible_name: (bar.get_attribute("value"), bar.get_attribute("max")) for bar in self.browser.find_elements(By.TAG_NAME, "progress") if bar.is_displayed()}, "the bars")
        self.assertEqual(bars[JOBS[0]["name"]], (str(300 * MIB), str(700 * MIB)))
        self.assertEqual(len(bars), 3)
        # Keyboard: the focus stays on a row's button while its state changes, and the row itself is not built anew.
        pause = self.until(lambda: self.button(f"Pause {JOBS[0]['name']}"), "the button")
        pause.send_keys("\n")
        self.until(lambda: self.asked("pause"), "the pause")
        focused = "return document.activeElement.ariaLabel"
        # Asked in one step, because the buttons may be replaced between two.
        self.until(lambda: self.browser.execute_script(focused) == f"Resume {JOBS[0]['name']}", "the focus is on Resume")
        self.browser.switch_to.active_element.send_keys("\n")
        self.until(lambda: self.asked("resume"), "the resume")
        self.press("Retry gone.zip")
        self.until(lambda: self.asked("retry"), "the retry")
        self.press("Remove done.pdf")
        self.until(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".job")) == len(JOBS) - 1, "the job is gone")
        # Unfinished bytes take two clicks.
        self.press("Remove of-unknown-size.tar")
        self.assertEqual(len(self.asked("remove")), 1)
        self.press("Really remove of-unknown-size.tar")
        self.until(lambda: len(self.asked("remove")) == 2, "the removal")
        self.until(lambda: self.browser.find_element(By.ID, "about").text == "dray 1.0", "its version")

    def test_switch(self):
        self.show("popup.html")
        box = self.until(lambda: self.browser.find_element(By.ID, "enabled"), "the switch")
        self.until(box.is_selected, "it is on")
        box.click()
        self.until(lambda: self.call("return (await chrome.storage.local.get('settings')).settings?.enabled") is False, "it is off")
        self.follow("/files/off.bin")
        self.until_kept("/files/off.bin")
        self.assertEqual(self.asked(), [])

    def test_options(self):
        self.show("options.html")
        self.until(lambda: "Connected to dray 1.0" in self.browser.find_element(By.ID, "connection").text, "dray")
        size = self.browser.find_element(By.NAME, "minimum")
        size.clear()
        size.send_keys("2.5")
        self.browser.find_element(By.NAME, "neverHosts").send_keys("mail.example.org, Example.com")
        self.browser.find_element(By.NAME, "takesUnknownSize").click()
        self.press("Save")
        self.until(lambda: self.browser.find_element(By.ID, "saved").text == "Saved.", "it is saved")
        stored = self.call("return (await chrome.storage.local.get('settings')).settings")
        self.assertEqual((stored["minimumSize"], stored["neverHosts"], stored["takesUnknownSize"]), (int(2.5 * MIB), ["mail.example.org", "example.com"], False))
        self.show("options.html")
        self.until(lambda: self.browser.find_element(By.NAME, "minimum").get_attribute("value") == "2.5", "it was kept")

    def test_accessible(self):
        self.some_jobs()
        for dark in (False, True):
            self.show("popup.html", dark)
            self.until(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".job")) == len(JOBS), "the jobs")
            self.check(f"popup, dark: {dark}")
            self.show("options.html", dark)
            self.until(lambda: "Connected" in self.browser.find_element(By.ID, "connection").text, "dray")
            self.check(f"options, dark: {dark}")
            self.show("continue.html?url=https://example.org/new.iso", dark)
            self.until(lambda: self.button(f"Continue {JOBS[2]['name']}"), "the job")
            self.check(f"continue, dark: {dark}")
            self.call("""await chrome.storage.session.set({ "links-x": { title: "A page", page: "https://example.org/", links:
              [1, 2, 3].map((number) => ({ url: `https://example.org/files/${number}.iso`, text: `Disk ${number}` })) } });""")
            self.show("links.html#links-x", dark)
            self.browser.refresh()
            self.until(lambda: self.browser.find_element(By.ID, "count").text == "3 of 3 chosen", "the links")
            self.check(f"links, dark: {dark}")

    def test_manifest(self):
        manifest = json.loads(Path(HERE.parents[1], "Extension/manifest.json").read_text())
        # The ID that `dray browser install` registers.
        digest = hashlib.sha256(base64.b64decode(manifest["key"])).hexdigest()[:32]
        self.assertEqual("".join(chr(ord("a") + int(digit, 16)) for digit in digest), ID)
        self.assertNotIn("content_security_policy", manifest)
        self.assertNotIn("externally_connectable", manifest)
        self.assertNotIn("web_accessible_resources", manifest)
        for page in Path(HERE.parents[1], "Extension").glob("*.[hj][ts]*"):
            text = page.read_text()
            for word in ("innerHTML", "eval(", "http-equiv", 'src="http', "import(\"http"):
                self.assertNotIn(word, text, page.name)
