"""Downloads that change hands, and those that must not."""

import json

from extension import ID, By, ExtensionTest, Keys
from testsite import SIZE, SMALL, contents


class TakeoverTest(ExtensionTest):
    def setUp(self):
        super().setUp()
        self.mood("ok")
        for name in ("jobs", "log"):
            (self.place / name).unlink(missing_ok=True)
        self.browser.switch_to.new_window("tab")

    def mood(self, how):
        (self.place / "mood").write_text(how)

    def asked(self, *kinds):
        """The requests that the fake host got."""
        log = self.place / "log"
        lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        return [line for line in lines if line["type"] in (kinds or ("add",))]

    def jobs(self):
        jobs = self.place / "jobs"
        return json.loads(jobs.read_text()) if jobs.exists() else []

    def open(self, path):
        self.browser.get(f"{self.site.url}{path}")

    def follow(self, target, *keys):
        """Clicks a link to a path, with keys held."""
        self.open(f"/page?names={target}")
        self.click(self.browser.find_element(By.CSS_SELECTOR, "a"), *keys)

    def until_taken(self, name):
        request = self.until(lambda: next((one for one in self.asked() if one.get("name") == name), None), f"dray is asked to take {name}")
        self.until(lambda: self.notices(), "a notice")
        self.assertEqual(self.downloads(), [])
        self.assertEqual(self.files(), {})
        return request

    def until_kept(self, path, size=SIZE):
        """Waits until the browser has the file, whole."""
        name = path.rsplit("/", 1)[-1]
        self.until(lambda: [item["state"] for item in self.downloads()] == ["complete"], f"the browser has {name}")
        self.assertEqual(self.files(), {name: contents(path, size)})


class HandingOver(TakeoverTest):
    def test_a_link(self):
        self.follow("/files/disk.bin")
        request = self.until_taken("disk.bin")
        self.assertEqual(request["url"], f"{self.site.url}/files/disk.bin")
        self.assertEqual((request["size"], request["mime"], request["origin"]), (SIZE, "application/octet-stream", "download"))
        self.assertEqual((request["post"], request["cookies"]), (False, []))
        self.assertEqual(request["referrer"], f"{self.site.url}/page?names=/files/disk.bin")
        self.assertIn("Chrome/", request["userAgent"])
        self.assertEqual([job["name"] for job in self.jobs()], ["disk.bin"])
        self.assertEqual(self.notices(), [("dray takes over", "/downloads/disk.bin")])
        # One request of the browser only: what it began is not fetched twice.
        self.assertEqual(len(self.site.requests("/files/disk.bin")), 1)

    def test_a_redirect(self):
        self.follow("/moved/far.bin")
        self.assertEqual(self.until_taken("far.bin")["url"], f"{self.site.url}/files/far.bin")

    def test_a_file_behind_a_login(self):
        self.open("/login")
        self.follow("/private/own.bin")
        cookies = self.until_taken("own.bin")["cookies"]
        self.assertEqual([(cookie["name"], cookie["value"], cookie["path"], cookie["httpOnly"]) for cookie in cookies],
                         [("session", "secret", "/private", True)])

    def test_host_that_dies_once(self):
        self.mood("die-once")
        self.follow("/files/twice.bin")
        self.until(lambda: self.jobs(), "the job")
        self.until_taken("twice.bin")
        self.assertEqual(len(self.asked()), 2)

    def test_host_that_dies_after_it_has_the_job(self):
        self.mood("die-late")
        self.follow("/files/late.bin")
        self.until_taken("late.bin")
        self.assertEqual(len(self.jobs()), 1)

    def test_a_stopped_job_continues(self):
        stopped = {"job": "job-1", "number": 1, "name": "again.bin", "url": f"{self.site.url}/signed/again.bin?key=old", "state": "interrupted",
                   "bytes": 1 << 20, "size": SIZE, "rate": 0, "message": "403 Forbidden. Link expired?"}
        (self.place / "jobs").write_text(json.dumps([stopped]))
        self.follow("/signed/again.bin?key=new")
        [request] = self.until(lambda: self.asked("relink"), "the link")
        self.assertEqual((request["job"], request["url"]), ("job-1", f"{self.site.url}/signed/again.bin?key=new"))
        self.until(lambda: self.notices(), "a notice")
        self.assertEqual(self.notices(), [("dray continues again.bin", "with this link, at 1.0 MiB")])
        self.assertEqual((self.downloads(), self.asked("add"), len(self.jobs())), ([], [], 1))

    def test_what_dray_cannot_fetch_goes_back(self):
        self.mood("fail")
        self.follow("/files/back.bin")
        self.until(lambda: len(self.notices()) == 2, "both notices")
        title, text = self.notices()[1]
        self.assertEqual(title, "dray cannot fetch back.bin")
        self.assertIn("403 Forbidden", text)
        self.mood("ok")
        self.browser.get(f"chrome-extension://{ID}/popup.html")
        self.press("Let the browser download it")
        self.until_kept("/files/back.bin")
        self.assertEqual(len(self.asked()), 1)


class StayingWithTheBrowser(TakeoverTest):
    def test_a_form(self):
        self.open("/form")
        self.browser.find_element(By.CSS_SELECTOR, "button").click()
        self.until_kept("/posted/report.bin")
        self.assertEqual([method for method, _ in self.site.requests("/posted/report.bin")], ["POST"])
        self.assertEqual(self.asked(), [])

    def test_a_small_file(self):
        self.follow("/small/note.bin")
        self.until_kept("/small/note.bin", SMALL)
        self.assertEqual(self.asked(), [])

    def test_a_type(self):
        self.set(neverTypes=["bin"])
        self.follow("/files/typed.bin")
        self.until_kept("/files/typed.bin")
        self.assertEqual(self.asked(), [])

    def test_the_key(self):
        self.set(key="Alt")
        self.follow("/files/key.bin", Keys.ALT)
        self.until_kept("/files/key.bin")
        self.assertEqual(self.asked(), [])

    def test_refused(self):
        self.mood("refuse")
        self.follow("/files/refused.bin")
        self.until_kept("/files/refused.bin")
        self.assertEqual(self.notices(), [("The browser keeps this download", "refused.bin: the test refuses. ask another time")])
        # It was paused, not begun once more.
        self.assertEqual(len(self.site.requests("/files/refused.bin")), 1)

    def test_host_that_dies(self):
        self.mood("die")
        self.follow("/files/dies.bin")
        self.until_kept("/files/dies.bin")
        [(title, text)] = self.notices()
        self.assertEqual(title, "The browser keeps this download")
        self.assertIn("dray ended before it answered", text)

    def test_host_that_is_silent(self):
        self.mood("silent")
        self.follow("/files/silent.bin")
        self.until_kept("/files/silent.bin")
        [(_, text)] = self.notices()
        self.assertIn("did not answer in time", text)

    def test_other_version(self):
        self.mood("other-version")
        self.restart_host()
        self.follow("/files/version.bin")
        self.until_kept("/files/version.bin")
        [(_, text)] = self.notices()
        self.assertIn("dray speaks version 2", text)

    def test_dray_is_away(self):
        manifest = self.home / ".config/chromium/NativeMessagingHosts/dev.dray.browser.json"
        hidden = manifest.rename(manifest.with_suffix(".away"))
        self.addCleanup(hidden.rename, manifest)
        self.restart_host()
        self.follow("/files/away.bin")
        self.until_kept("/files/away.bin")
        self.assertEqual(self.notices(), [
            ("The browser keeps this download", "away.bin: dray is not set up for this browser. Run: dray browser install")])
        self.browser.get(f"chrome-extension://{ID}/popup.html")
        self.until(lambda: "dray browser install" in self.browser.find_element(By.ID, "problem").text, "the popup says it, too")
