"""The service from the page's side: it vanishes, requires a secret, and sends text from strangers."""

import unittest

from browser import ActionChains, Keys, PageTest


class AwayTests(PageTest):
    def test_page_says_so_and_comes_back(self):
        [id] = self.service.add(self.url("file/600M/2M/long.bin"))
        self.open()
        self.until_state(id, "active")
        self.service.stop()
        self.assertIn("does not answer", self.one("#away").text)
        self.assertTrue(self.row(id).is_displayed())
        self.service.start()
        self.until(lambda: not self.all("#away")[0].is_displayed(), "it is back")
        self.until_state(id, "active")
        [other] = self.service.add(self.url("file/1M/1M/after.bin"))
        self.until_state(other, "complete")


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
        self.assertNotIn("horse", self.browser.current_url)
        self.assertNotIn("dray=", self.script("return document.cookie"))
        self.open("#/about")
        self.button("Log out").click()
        self.assertTrue(self.one("#login").is_displayed())


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
        self.assertIn("of the file is there", self.one("#pane svg.strip").get_attribute("aria-label"))
        for title in ("Request", "Response"):
            self.until(lambda: title in self.text("#pane .facts:last-child"), title)

    def test_limits_are_kept(self):
        self.open("#/limits")
        self.fill("#limit-rate", "2M")
        self.fill("#limit-jobs", "3")
        self.fill("#limit-window", "00:00-24:00")
        self.button("Add a time").click()
        self.button("Save the limits").click()
        self.until_message("Limits saved")
        limits = self.service.call("GET", "/limits")
        self.assertEqual((limits["overallRate"], limits["jobs"]), ("2M", 3))
        self.assertEqual(limits["timetable"], [{"from": "08:00", "to": "18:00", "days": "mon-fri", "rate": "1M"}])
        self.assertTrue(limits["window"])
        self.service.call("PUT", "/limits", {"overallRate": None, "timetable": [], "jobs": "auto", "window": None})

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
        self.assertIn("fast is not a rate", self.one("#view .problem").text)

    def test_feed(self):
        self.open("#/feeds")
        self.fill("#feed-url", self.url("feed.xml"))
        self.button("Show its entries").click()
        self.until(lambda: len(self.all(".cards input:not(:disabled)")) == 3, "new entries")
        self.button("Queue what is chosen").click()
        self.until_message("3 jobs added")


if __name__ == "__main__":
    unittest.main()
