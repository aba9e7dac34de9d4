"""The service from the page's side: it vanishes, requires a secret, and sends text from strangers."""

import time
import unittest
from pathlib import Path

from browser import ActionChains, Keys, PageTest

PAGE = Path(__file__).resolve().parents[2] / "Sources/DrayPage/Page"
#: The files that the page never loads: types for editors, and pictures for telephones.
UNUSED = {"types.js", "icon192.png", "icon512.png", "worker.js"}


class AwayTests(PageTest):
    def test_page_says_so_and_comes_back(self):
        [id] = self.service.add(self.url("file/600M/2M/long.bin"))
        self.open()
        self.until_state(id, "active")
        self.service.stop()
        self.assertIn("does not answer", self.one("#away").text)
        self.until(lambda: "no answer" in self.browser.title, "the title says so")
        self.assertTrue(self.row(id).is_displayed())
        for part in (".c-rate", ".c-left", "#total-rate"):
            self.until(lambda: self.text(part) == "–", f"{part} shows no old rate")
        self.service.start()
        self.until(lambda: not self.all("#away")[0].is_displayed(), "it is back")
        self.until_state(id, "active")
        self.until(lambda: "no answer" not in self.browser.title, "the title does not say so any more")
        [other] = self.service.add(self.url("file/1M/1M/after.bin"))
        self.until_state(other, "complete")


class TabTests(PageTest):
    """Several tabs, and tabs that nobody sees."""

    def tearDown(self):
        first, *others = self.browser.window_handles
        for window in others:
            self.browser.switch_to.window(window)
            self.browser.close()
        self.browser.switch_to.window(first)
        super().tearDown()

    def asleep(self):
        return self.script("return document.body.classList.contains('is-asleep')")

    def test_nine_tabs_are_live(self):
        self.open()
        self.look_at(True)
        # A browser opens six connections to a server: with a stream for each tab, the seventh would get no answer.
        for _ in range(8):
            self.browser.switch_to.new_window("window")
            self.browser.get(f"{self.service.url}/#/")
            self.look_at(True)
        self.service.add(self.url("file/600M/2M/long.bin"))
        for window in self.browser.window_handles:
            self.browser.switch_to.window(window)
            self.until(lambda: "1 active" in self.browser.title, f"{window} counts")
        self.service.call("POST", "/jobs/actions", {"action": "pause", "all": True})
        for window in self.browser.window_handles:
            self.browser.switch_to.window(window)
            self.until(lambda: "active" not in self.browser.title, f"{window} counts no more")

    def test_hidden_tab_sleeps_and_misses_nothing(self):
        [first] = self.service.add(self.url("file/1M/1M/first.bin"), paused=True)
        self.open()
        self.until(lambda: self.shown() == [first], "a row")
        for number in range(2):
            self.look_at(False)
            self.until(self.asleep, "it sleeps")
            self.assertEqual(self.browser.title, "dray")
            self.service.clear()
            [other] = self.service.add(self.url(f"file/1M/1M/{number}.bin"), paused=True)
            self.look_at(True)
            self.until(lambda: self.shown() == [other], "what has changed")
            self.assertFalse(self.asleep())

    def test_tab_without_shared_workers(self):
        self.browser.switch_to.new_window("window")
        self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "delete window.SharedWorker"})
        self.open()
        self.look_at(True)
        self.assertFalse(self.script("return 'SharedWorker' in window"))
        [id] = self.service.add(self.url("file/1M/1M/alone.bin"), paused=True)
        self.until(lambda: self.shown() == [id], "it is live as well")

    def test_service_that_starts_again_is_read_anew(self):
        [id] = self.service.add(self.url("file/1M/1M/before.bin"), paused=True)
        self.open()
        self.until(lambda: self.shown() == [id], "a row")
        self.look_at(False)
        self.until(self.asleep, "it sleeps")
        self.service.stop()
        self.service.start()
        [other] = self.service.add(self.url("file/1M/1M/after.bin"), paused=True)
        self.look_at(True)
        self.until(lambda: self.shown() == [id, other], "all jobs")


class AppTests(PageTest):
    """The page as an app."""

    KEPT = """
      const done = arguments[0];
      caches.open("dray-page").then((copies) => copies.keys()).then((all) => done(all.map((request) => new URL(request.url).pathname)));"""

    def test_opens_while_the_service_is_away(self):
        self.service.add(self.url("file/1M/1M/kept.bin"), paused=True)
        self.open()
        wanted = {"/page/" + file.name for file in PAGE.rglob("*.*") if file.name not in UNUSED | {"index.html"}} | {"/"}
        self.until(lambda: wanted <= set(self.browser.execute_async_script(self.KEPT)), "the files are kept")
        self.service.stop()
        try:
            self.open("?url=https%3A%2F%2Fexample.org%2Fa.iso")
            self.assertIn("does not answer", self.one("#away").text)
            self.until(lambda: "no answer" in self.browser.title, "the title says so")
            self.assertEqual(self.one("#add-urls").get_attribute("value"), "https://example.org/a.iso")
        finally:
            self.service.start()
        self.until(lambda: not self.all("#away")[0].is_displayed(), "it is back")
        self.until(lambda: len(self.shown()) == 1, "the job")

    def test_can_be_installed(self):
        self.open()
        manifest = self.browser.execute_cdp_cmd("Page.getAppManifest", {})
        self.assertEqual(manifest["errors"], [])
        hindrances = [error["errorId"] for error in self.browser.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"]]
        about_page = ("manifest", "no-manifest", "no-acceptable-icon", "cannot-download-icon", "no-icon", "start-url", "no-url-for-service-worker")
        self.assertEqual([name for name in hindrances if name.startswith(about_page)], [])
        sizes = self.browser.execute_async_script("""
          const done = arguments[0];
          const size = (icon) => new Promise((resolve, reject) => {
            const image = new Image();
            image.onload = () => resolve([icon.sizes, `${image.naturalWidth}x${image.naturalHeight}`]);
            image.onerror = reject;
            image.src = icon.src;
          });
          fetch("/page/manifest.webmanifest").then((answer) => answer.json())
            .then((manifest) => Promise.all(manifest.icons.filter((icon) => icon.sizes !== "any").map(size))).then(done, (error) => done(String(error)));""")
        self.assertGreaterEqual(len(sizes), 3)
        for stated, actual in sizes:
            self.assertEqual(stated, actual)


class LoginTests(PageTest):
    secret = "correct horse"

    def test_login_and_logout(self):
        self.service.add(self.url("file/4M/1M/private.bin"), paused=True)
        self.open()
        self.fill("#login-secret", "wrong horse" + Keys.ENTER)
        self.until(lambda: "not the secret" in self.text("#login-problem"), "it is refused")
        self.assertEqual(self.shown(), [])
        self.fill("#login-secret", self.secret + Keys.ENTER)
        self.until(lambda: len(self.shown()) == 1, "the jobs")
        self.until(lambda: self.script("return document.activeElement.getAttribute('role')") == "row", "the list has the focus")
        self.assertNotIn("horse", self.browser.current_url)
        self.assertNotIn("dray=", self.script("return document.cookie"))
        self.open("#/about")
        self.button("Log out").click()
        self.assertTrue(self.one("#login").is_displayed())

    def test_link_that_was_used(self):
        self.open("#login=0123456789abcdef")
        self.assertIn("used already", self.one("#login-problem").text)
        self.fill("#login-secret", self.secret + Keys.ENTER)
        self.until(lambda: not self.all("#login")[0].is_displayed(), "the secret still works")
        self.open("#/about")
        self.button("Log out").click()
        self.one("#login-secret")


class StrangeTextTests(PageTest):
    def test_markup_is_text(self):
        name = "%3Cimg%20src=x%20onerror=%22window.broken=1%22%3E.bin"
        [id] = self.service.add(self.url(f"file/1M/1M/{name}"), paused=True)
        self.open(f"#/jobs/{id}")
        self.until(lambda: "<img src=x" in self.text("#pane h2"), "the name as it is")
        self.assertEqual(self.all("main img"), [])
        self.assertIsNone(self.script("return window.broken"))

    def test_links_lead_to_the_web_only(self):
        self.open()
        results = self.browser.execute_async_script("""
          const done = arguments[0];
          import("/page/dom.js").then(({ link, plain }) => done([
            ...["javascript:alert(1)", "JAVASCRIPT:alert(1)", " javascript:alert(1)", "data:text/html,x", "https://a.b/c"].map((url) => link(url).localName),
            plain("a\\u202eb\\u0007")]));""")
        self.assertEqual(results, ["span", "span", "span", "span", "a", "a\ufffdb\ufffd"])

    def test_policy_forbids_inline_script(self):
        self.open()
        self.script("const script = document.createElement('script'); script.textContent = 'window.broken = 1'; document.body.append(script)")
        self.assertIsNone(self.script("return window.broken"))
        self.browser.get_log("browser")


class ViewTests(PageTest):
    def test_job_page_shows_segments_and_rate(self):
        [id] = self.service.add(self.url("file/600M/4M/large.bin"))
        self.open(f"#/jobs/{id}")
        self.one("#pane svg.strip")
        self.one("#pane .connections li")
        self.one("#pane .graph svg")
        self.until(lambda: "of the file is there" in self.one("#pane svg.strip").get_attribute("aria-label"), "its label")
        for title in ("Request", "Response"):
            self.until(lambda: title in self.text("#pane .facts:last-child"), title)

    def test_limits_are_kept(self):
        self.open("#/limits")
        self.fill("#limit-rate", "2M")
        self.fill("#limit-jobs", "3")
        self.fill("#limit-between", "22:00-06:00")
        self.button("Add a time").click()
        self.button("Save the limits").click()
        self.until_message("Limits saved")
        limits = self.service.call("GET", "/limits")
        self.assertEqual((limits["overallRate"], limits["jobs"], limits["between"]), ("2M", 3, "22:00-06:00"))
        self.assertEqual(limits["timetable"], [{"from": "08:00", "to": "18:00", "days": "mon-fri", "rate": "1M"}])
        self.service.call("PUT", "/limits", {"overallRate": None, "timetable": [], "jobs": "auto", "between": None})

    def test_reason_of_a_wait(self):
        rest = {"overallRate": None, "timetable": [], "jobs": "auto"}
        begin = time.localtime().tm_hour + 6
        self.addCleanup(self.service.call, "PUT", "/limits", {**rest, "between": None})
        times = self.service.call("PUT", "/limits", {**rest, "between": f"{begin % 24:02}:00-{(begin + 1) % 24:02}:00"})["between"]
        [id] = self.service.add(self.url("file/1M/1M/later.bin"))
        self.open()
        self.until(lambda: f"all between {times}" in self.row(id).text, "the times of all jobs")
        self.open("#/limits")
        self.one("#limit-between").send_keys(Keys.CONTROL + "a" + Keys.NULL + Keys.DELETE)
        self.button("Save the limits").click()
        self.until_message("Limits saved")
        self.open()
        self.until_state(id, "complete")

    def test_timetable_is_drawn(self):
        self.open("#/limits")
        track = self.one('.track[data-day="2"]')
        width = track.size["width"]
        ActionChains(self.browser).move_to_element_with_offset(track, -width // 4, 0).click_and_hold().move_by_offset(width // 4, 0).release().perform()
        self.until(lambda: len(self.all(".entry")) == 1, "an entry")
        times = [field.get_attribute("value") for field in self.all(".entry input[type=time]")]
        self.assertEqual(times, ["06:00", "12:00"])
        span = self.one('.track[data-day="2"] .span')
        ActionChains(self.browser).move_to_element(span).click_and_hold().move_by_offset(width // 12, 0).release().perform()
        self.until(lambda: [field.get_attribute("value") for field in self.all(".entry input[type=time]")] == ["08:00", "14:00"], "it has moved")

    def test_wrong_rate_is_refused_here(self):
        self.open("#/limits")
        self.fill("#limit-rate", "fast")
        self.button("Save the limits").click()
        self.assertIn("Rate of all jobs together: fast is not a rate", self.one("#view .problem").text)

    def test_rates_as_they_are_shown(self):
        self.addCleanup(self.service.call, "PUT", "/limits", {"overallRate": None, "timetable": [], "jobs": "auto", "between": None})
        self.open("#/limits")
        self.fill("#limit-rate", "2 MB/s")
        self.fill("#limit-slow", "100 KiB/s")
        self.button("Save the limits").click()
        self.until_message("Limits saved")
        self.open()
        self.until(lambda: "2.0 MiB/s" in self.text("#slow"), "the limit is beside the list")
        self.click("#slow")
        self.until_message("at most 100 KiB/s")
        self.until(lambda: "100 KiB/s" in self.text("#slow") and self.one("#slow").get_attribute("aria-pressed") == "true", "it is slow")
        self.assertEqual(self.service.call("GET", "/limits")["now"], 100 * 1024)
        self.click("#slow")
        self.until_message("usual limits")
        self.assertEqual(self.service.call("GET", "/limits")["now"], 2 * 1024**2)

    def test_settings_of_a_job(self):
        [id] = self.service.add(self.url("file/9M/1M/first.bin"), paused=True, output="first.bin")
        self.open(f"#/jobs/{id}")
        self.field("Name", "#pane").clear()
        self.field("Name", "#pane").send_keys("second.bin")
        self.field("Connections", "#pane").clear()
        self.field("Connections", "#pane").send_keys("2")
        self.field("Limit", "#pane").send_keys("1 MB/s")
        self.button("Set", "#pane").click()
        self.until_message("is changed")
        job = self.service.job(id)
        self.assertTrue(job["target"].endswith("/second.bin"))
        self.assertEqual((job["request"]["maxConnections"], job["request"]["rateLimit"]), (2, 1024**2))
        self.open(f"#/jobs/{id}")
        self.assertEqual(self.field("Limit", "#pane").get_attribute("value"), "1.0 MiB/s")

    def test_what_holds_for_new_jobs(self):
        self.open("#/about")
        self.until(lambda: "retries" in self.text("#view"), "the settings")

    def test_named_queue(self):
        self.open("#/limits")
        self.fill("#queue-new", "night")
        self.button("Set it up").click()
        for name, text in (("Jobs at once", "2"), ("Times", "22:00-06:00"), ("Quota", "10G/day"), ("Rate of its jobs together", "1M")):
            self.field(name, ".queue").send_keys(text)
        self.button("Set night").click()
        self.until_message("Queue night set")
        [queue] = self.service.call("GET", "/queues")["queues"]
        self.assertEqual((queue["jobs"], queue["between"], queue["rate"], queue["quota"]["bytes"]), (2, "22:00-06:00", "1M", 10 * 1024**3))
        # The queues are loaded again after the message, and then shown anew.
        self.until(lambda: "between 22:00-06:00" in self.one(".queue-head").text, "its times")
        self.click(".queue summary")
        self.assertEqual(self.field("Quota", ".queue").get_attribute("value"), "10G/day")
        self.field("Times", ".queue").clear()
        self.field("Times", ".queue").send_keys("at night")
        self.button("Set night").click()
        self.until(lambda: "not a" in self.text(".queue .problem"), "it is refused")
        self.button("Pause the queue night").click()
        self.until_message("Queue night paused")
        self.assertEqual(self.service.call("GET", "/queues")["queues"][0]["state"], "paused")
        self.button("Resume the queue night")
        self.click(".queue summary")
        self.button("Take the limits of night back").click()
        self.until_message("Queue night without limits")
        self.assertEqual(self.service.call("GET", "/queues")["queues"], [])

    def test_queue_of_a_job(self):
        self.service.call("PATCH", "/queues/night", {"paused": True})
        self.addCleanup(self.service.call, "DELETE", "/queues/night")
        [other] = self.service.add(self.url("file/1M/1M/other.bin"), paused=True)
        self.open()
        self.until(lambda: self.shown() == [other], "a row")
        self.click("#add-open")
        self.fill("#add-urls", self.url("file/1M/1M/late.bin"))
        self.click("#add summary")
        self.fill("#add-queue", "night")
        self.fill("#add-between", "00:00-24:00")
        self.click("#add-submit")
        self.until(lambda: len(self.shown()) == 2, "another row")
        [late] = [id for id in self.shown() if id != other]
        job = self.service.job(late)
        self.assertEqual((job["state"], job["queue"]), ("queued", "night"))
        self.until(lambda: "queue night is paused" in self.row(late).text, "the reason of its wait")
        self.click("#view-menu summary")
        self.choose(self.one("#queue-filter"), "night")
        self.until(lambda: self.shown() == [late], "its jobs only")
        self.choose(self.one("#queue-filter"), "none")
        self.until(lambda: self.shown() == [other], "jobs without a queue")
        self.choose(self.one("#queue-filter"), "all")
        self.until(lambda: len(self.shown()) == 2, "all")
        # Several at once, and one on its page.
        self.row(other).find_element("css selector", "input").click()
        self.choose(self.field("Queue of the selected jobs"), "night")
        self.until_message("1 job in queue night")
        self.assertEqual(self.service.job(other)["queue"], "night")
        self.open(f"#/jobs/{late}")
        self.one("#job-queue").send_keys(Keys.CONTROL + "a" + Keys.NULL + Keys.DELETE)
        self.button("Set", "#pane").click()
        self.until_state(late, "complete")
        self.assertIsNone(self.service.job(late)["queue"])

    def test_subscription(self):
        self.open("#/feeds")
        self.fill("#feed-url", self.url("feed.xml"))
        self.fill("#feed-match", "episode-[12]")
        self.button("Subscribe").click()
        self.until_message("Subscribed")
        self.until(lambda: "entries that match episode-[12]" in self.text("#view .cards"), "it is shown")
        [one] = self.service.call("GET", "/subscriptions")["subscriptions"]
        self.assertEqual((one["match"], one["hours"]), ("episode-[12]", 6))
        self.button(f"End the subscription of {self.url('feed.xml')}").click()
        self.until_message("has ended")
        self.assertEqual(self.service.call("GET", "/subscriptions")["subscriptions"], [])

    def test_feed(self):
        self.open("#/feeds")
        self.fill("#feed-url", self.url("feed.xml"))
        self.button("Show its entries").click()
        self.until(lambda: len(self.all(".cards input:not(:disabled)")) == 3, "new entries")
        self.button("Queue what is chosen").click()
        self.until_message("3 jobs added")


if __name__ == "__main__":
    unittest.main()
