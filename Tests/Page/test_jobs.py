"""Adding jobs, watching them, and all actions on them."""

import tempfile
import unittest

from browser import ActionChains, Keys, PageTest


class AddingTests(PageTest):
    def test_empty_list_invites_to_add(self):
        self.open()
        self.assertIn("Nothing to fetch yet", self.one("#empty").text)
        self.button("Add jobs", "#empty").click()
        self.assertTrue(self.one("#add").is_displayed())

    def test_added_job_comes_to_its_end(self):
        self.open()
        # The page itself notes the values, because on a busy machine the driver would miss some.
        self.script("""
            window.values = []
            new MutationObserver((changes) => window.values.push(...changes.map((change) => change.target.getAttribute("aria-valuenow"))))
              .observe(document.body, {subtree: true, attributes: true, attributeFilter: ["aria-valuenow"]})""")
        self.click("#add-open")
        self.fill("#add-urls", self.url("file/3M/1M/whole.bin"))
        self.click("#add-submit")
        self.until_message("1 job added")
        [id] = self.until(self.shown, "a row")
        self.until(lambda: "active" in self.browser.title, "the title counts")
        self.until_state(id, "complete")
        self.assertGreater(len(set(self.script("return window.values"))), 3, "the bar moves")
        self.assertEqual(self.service.job(id)["received"], 3 * 1024**2)
        self.until(lambda: self.browser.title == "dray", "the title says nothing any more")

    def test_many_urls_and_settings(self):
        self.open()
        self.click("#add-open")
        urls = [self.url(f"file/1M/1M/part-{number}.bin") for number in range(20)]
        self.script("const field = document.getElementById('add-urls'); field.value = arguments[0]; field.dispatchEvent(new Event('input'))", "\n".join(urls))
        self.until(lambda: self.one("#add-submit").text == "Add 20 jobs", "the service has counted them")
        self.click("#add summary")
        self.fill("#add-headers", "X-One: 1\nX-Two: 2")
        self.fill("#add-priority", "3")
        self.click("#add-paused")
        self.click("#add-submit")
        self.until(lambda: len(self.shown()) == 20, "20 rows")
        details = self.service.job(self.shown()[0])
        self.assertEqual((details["state"], details["priority"], len(details["request"]["fields"])), ("paused", 3, 2))

    def test_links_are_read_as_on_the_command_line(self):
        self.open()
        self.click("#add-open")
        one, two = (self.url(f"file/1M/1M/{name}.bin") for name in ("one", "two"))
        bare = self.url("file/1M/1M/part[1-3].bin").removeprefix("http://")
        self.fill("#add-urls", f"{one} {two}\n{bare}")
        self.until(lambda: self.one("#add-submit").text == "Add 5 jobs", "two on a line, no scheme, a pattern")
        self.until(lambda: "free" in self.text("#add-space"), "the free space")
        self.assertIn("https", self.text("#add-schemes"))
        self.click("#add-look")
        self.until(lambda: "5 files together: " in self.text("#add-probe"), "the sum")
        self.fill("#add-urls", "file:///etc/passwd")
        self.until(lambda: "file" in self.text("#add-probe") and "not allowed" in self.text("#add-probe"), "it says so before")
        self.fill("#add-urls", f"{one} {two}\n{bare}")
        self.click("#add-submit")
        self.until(lambda: len(self.shown()) == 5, "five rows")

    def test_user_and_password_when_adding(self):
        self.open()
        self.click("#add-open")
        self.fill("#add-urls", self.url("locked/1M/1M/private.bin"))
        self.click("#add summary")
        self.fill("#add-user", "ann")
        self.fill("#add-password", "secret")
        self.click("#add-submit")
        [id] = self.until(self.shown, "a row")
        self.until_state(id, "complete")

    def test_pasted_text(self):
        self.open()
        self.script("""
          const transfer = new DataTransfer();
          transfer.setData("text/plain", arguments[0]);
          document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true }));""", "example.org/a[1-2].iso")
        self.until(lambda: self.one("#add-submit").text == "Add 2 jobs", "it is read like what is typed")

    def test_file_that_is_a_list(self):
        self.open()
        self.click("#add-open")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(f"{self.url('file/1M/1M/listed.bin')}\n  out=other.bin\n")
            file.flush()
            self.all("#add-choose")[0].send_keys(file.name)
            self.until(lambda: "The file" in self.text("#add-file"), "the file is taken")
            self.click("#add-submit")
        self.until(lambda: len(self.shown()) == 1, "a row")

    def test_dropped_metalink(self):
        self.open()
        text = f'<?xml version="1.0"?>\n<metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="m.bin"><url>{self.url("file/1M/1M/m.bin")}</url></file></metalink>'
        self.script("""
          const transfer = new DataTransfer();
          transfer.items.add(new File([arguments[0]], "m.meta4"));
          document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));""", text)
        self.until(lambda: "m.meta4" in self.text("#add-file"), "the file is taken")
        self.click("#add-submit")
        self.until(lambda: len(self.shown()) == 1, "a row")

    def test_dropped_link(self):
        self.open()
        url = self.url("file/1M/1M/dropped.bin")
        drag = """
          const transfer = new DataTransfer();
          transfer.setData("text/uri-list", arguments[1]);
          document.body.dispatchEvent(new DragEvent(arguments[0], { dataTransfer: transfer, bubbles: true, cancelable: true }));"""
        self.script(drag, "dragenter", url)
        self.assertIn("Drop links", self.one("#dropping").text)
        self.script(drag, "drop", url)
        self.until(lambda: self.one("#add-urls").get_attribute("value") == url, "it is in the dialog")
        self.assertFalse(self.all("#dropping")[0].is_displayed())

    def test_refused_url_stays_in_the_dialog(self):
        self.open()
        self.click("#add-open")
        self.fill("#add-urls", "not a url")
        self.click("#add-submit")
        self.assertIn("is not a URL", self.one("#add-problem").text)
        self.assertEqual(self.one("#add-urls").get_attribute("value"), "not a url")

    def test_link_that_is_sent_here(self):
        for fragment in ("#add=https%3A%2F%2Fexample.org%2Fa.iso%3Fb%3D1", "#add=web%2Bdray%3Ahttps%3A%2F%2Fexample.org%2Fa.iso%3Fb%3D1", "?url=https%3A%2F%2Fexample.org%2Fa.iso%3Fb%3D1", "?title=A%20file&text=See%20https%3A%2F%2Fexample.org%2Fa.iso%3Fb%3D1"):
            with self.subTest(fragment):
                self.open(fragment)
                self.assertEqual(self.one("#add-urls").get_attribute("value"), "https://example.org/a.iso?b=1")
                self.assertNotIn("example.org", self.browser.current_url)

    def test_cancelled_input_does_not_come_back(self):
        self.open()
        for cancel in (lambda: self.click("#add-cancel"), lambda: self.press(Keys.ESCAPE)):
            self.click("#add-open")
            self.fill("#add-urls", "not a url")
            cancel()
            self.until(lambda: not self.all("#add")[0].is_displayed(), "it is closed")
            self.click("#add-open")
            self.assertEqual(self.one("#add-urls").get_attribute("value"), "")
            self.click("#add-cancel")

    def test_what_a_server_says_of_a_url(self):
        self.open()
        self.click("#add-open")
        self.fill("#add-urls", self.url("file/8M/1M/look.bin"))
        self.click("#add-look")
        self.until(lambda: "8.0 MiB" in self.text("#add-probe"), "the size")


class ActionTests(PageTest):
    def test_pause_and_resume(self):
        [id] = self.service.add(self.url("file/600M/2M/long.bin"))
        self.open()
        self.until_state(id, "active")
        self.button("Pause long.bin").click()
        self.until_state(id, "paused")
        self.button("Resume long.bin").click()
        self.until_state(id, "active")

    def test_failure_and_retry_with_a_new_link(self):
        [id] = self.service.add(self.url("missing/moved.bin"))
        self.open()
        self.until_state(id, "failed")
        self.assertIn("404 Not Found", self.row(id).text)
        self.row(id).find_element("css selector", ".name").click()
        self.assertIn("new link", self.one(".trouble p").text)
        self.fill("#new-link", self.url("file/2M/1M/moved.bin"))
        self.button("Retry with it").click()
        self.until_state(id, "complete")
        self.until(lambda: self.text("#pane .badge") == "complete", "the job's page follows")
        self.assertEqual(self.all(".trouble"), [])

    def test_advice_fits_the_failure(self):
        self.open()
        texts = self.browser.execute_async_script("""
          const [failures, done] = arguments;
          import("/page/remedy.js").then(({ remedy }) => done(failures.map(([state, code, message]) =>
            remedy({ state, received: 1, error: { code, message: `http://a.b/c: ${message}`, httpStatus: null } }).text)));""", [
            ("failed", "integrity", "it is a web page, not a ZIP archive, and was kept as /c.html-instead; it may be a page to log in"),
            ("failed", "integrity", "the digest is sha-256=00, expected 11; check the given digest"),
            ("failed", "integrity", "2 bytes came, expected 3; check the given size"),
            ("interrupted", "network", "the transfer took longer than the allowed 6 s; `dray run` continues from there"),
        ])
        for text, part in zip(texts, ("sent a page", "checksum", "check the given size.", "time limit")):
            self.assertIn(part, text)
        self.assertEqual(["thrown away" in text for text in texts], [False, True, False, False])
        self.assertFalse([text for text in texts if "could not be reached" in text])

    def test_sizes_in_two_units(self):
        self.open()
        texts = self.browser.execute_async_script("""
          const [pairs, done] = arguments;
          import("/page/format.js").then(({ pair }) => done(pairs.map(([received, size]) => pair(received, size))));""",
            [(0, 1400 * 1024**2), (94_500_000, 1500 * 1024**2), (12 * 1024**2, 300 * 1024**2)])
        self.assertEqual(texts, ["0.0/1.3 GiB", "90.1 MiB/1.4 GiB", "12.0/300 MiB"])

    def test_start_now_is_offered(self):
        self.open()
        offered = self.browser.execute_async_script("""
          const done = arguments[0], now = Date.now() / 1000;
          import("/page/actions.js").then(({ canDo }) => done([{}, { startAt: now + 60 }, { notBefore: now + 60 }, { hold: { until: now + 60 } },
            { startAt: now - 60 }].map((wait) => canDo("now", { state: "queued", ...wait }))));""")
        self.assertEqual(offered, [False, True, True, True, False])

    def test_user_and_password(self):
        [id] = self.service.add(self.url("locked/1M/1M/private.bin"))
        self.open()
        self.until(lambda: self.service.job(id)["state"] in ("failed", "interrupted"), "it is refused")
        self.open(f"#/jobs/{id}")
        self.fill("#job-user", "ann")
        self.fill("#job-password", "secret")
        self.button("Log in", "#pane").click()
        self.until_state(id, "complete")

    def test_wrong_password(self):
        [id] = self.service.add(self.url("locked/1M/1M/private.bin"))
        self.open(f"#/jobs/{id}")
        self.assertIn("user name and a password", self.one(".trouble p").text)
        self.assertTrue(self.one("#new-link").is_displayed())
        self.button("Log in", "#pane").click()
        self.assertIn(self.service.job(id)["state"], ("failed", "interrupted"), "a user name is required")

    def test_new_link_where_access_is_refused(self):
        [id] = self.service.add(self.url("expired/1M/1M/shared.bin"))
        self.open(f"#/jobs/{id}")
        self.assertIn("fresh one", self.one(".trouble p").text)
        self.assertEqual(self.all("#job-user"), [])
        self.fill("#new-link", self.url("file/1M/1M/shared.bin"))
        self.one(".trouble button").click()
        self.until_state(id, "complete")

    def test_complete_row_offers_path_link_and_digest(self):
        [id] = self.service.add(self.url("file/1M/1M/whole.bin"))
        self.open()
        self.until_state(id, "complete")
        self.browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": self.service.url})
        job = self.service.job(id)
        for name in ("path", "link") + (("digest",) if job["digest"] else ()):
            self.button("Path, link and more of whole.bin").click()
            left, top, right, bottom, scrolled = self.script("""
              const box = document.querySelector(".row-menu").getBoundingClientRect();
              return [box.left, box.top, box.right, box.bottom, document.documentElement.scrollTop + document.body.scrollTop];""")
            self.assertTrue(0 <= left and right <= 1280 and 0 <= top and bottom <= 900 and scrolled == 0, (left, top, right, bottom, scrolled))
            self.button(f"Copy the {name}", ".row-menu").click()
            self.until_message(f"The {name} is copied")
            text = self.browser.execute_async_script("navigator.clipboard.readText().then(arguments[0], (error) => arguments[0](String(error)))")
            self.assertEqual(text, {"path": job["target"], "link": job["url"], "digest": job["digest"]}[name])
        self.script("arguments[0].focus()", self.row(id))
        self.chord(Keys.SHIFT, Keys.F10)
        self.until(lambda: self.script("return document.activeElement.getAttribute('role')") == "menuitem", "the menu by the keyboard")
        self.press(Keys.ARROW_UP)
        self.assertIn("delete the file", self.script("return document.activeElement.textContent"))
        self.press(Keys.ESCAPE)
        self.until(lambda: self.script("return document.activeElement.getAttribute('role')") == "row", "back in the row")

    def test_file_is_deleted_with_its_job(self):
        [id] = self.service.add(self.url("file/1M/1M/gone.bin"))
        self.open()
        self.until_state(id, "complete")
        target = self.service.job(id)["target"]
        self.script("arguments[0].focus()", self.row(id))
        self.chord(Keys.SHIFT, Keys.DELETE)
        self.until(lambda: self.shown() == [], "it is gone")
        self.until_message("gone.bin removed with its file")
        self.button("Undo").click()
        [back] = self.until(self.shown, "it is back")
        self.until_state(back, "complete")
        self.assertEqual(self.service.job(back)["target"], target)

    def test_retry_failed(self):
        ids = self.service.add(*(self.url(f"missing/{number}.bin") for number in range(2)))
        self.open()
        for id in ids:
            self.until_state(id, "failed")
        self.for_all("Retry failed")
        self.until_message("2 jobs started over")
        self.until(lambda: all(self.service.job(id)["attempts"] == 2 for id in ids), "a second attempt each")

    def test_reason_of_a_job_that_cannot_connect(self):
        self.open()
        texts = self.browser.execute_async_script("""
          const done = arguments[0], now = Date.now() / 1000;
          const job = { state: "queued", url: "http://a.b/c", after: [], startAt: null, hold: null, notBefore: now + 60,
            error: { message: "http://a.b/c: a.b refused the connection (3 tries); try again" } };
          import("/page/row.js").then(({ detail }) => done([detail(job, {}), detail({ ...job, state: "active" }, { phase: "connecting" })]));""")
        self.assertRegex(texts[0], r"^tries again at .*: a\.b refused the connection \(3 tries\)$")
        self.assertEqual(texts[1], "connecting after: a.b refused the connection (3 tries)")

    def test_fetch_again(self):
        [id] = self.service.add(self.url("file/1M/1M/twice.bin"))
        self.open(f"#/jobs/{id}")
        self.until(lambda: self.text("#pane .badge") == "complete", "it is complete")
        self.button("Fetch again").click()
        self.until(lambda: len(self.shown()) == 2, "another job")
        self.until_message("twice.bin fetched again")

    def for_all(self, name):
        self.click("#all-jobs summary")
        self.button(name, "#all-jobs").click()

    def test_all_jobs(self):
        waiting = self.service.add(*(self.url(f"file/90M/1M/{number}.bin") for number in range(3)), paused=True)
        [broken] = self.service.add(self.url("missing/gone.bin"))
        [done] = self.service.add(self.url("file/1M/1M/done.bin"))
        self.open()
        self.until_state(broken, "failed")
        self.until_state(done, "complete")
        self.for_all("Resume all")
        self.until_message("3 jobs resumed")
        self.for_all("Pause all")
        for id in waiting:
            self.until_state(id, "paused")
        self.for_all("Select all")
        self.assertIn("5 jobs selected", self.one("#bulk").text)
        self.for_all("Clear finished")
        self.until(lambda: sorted(self.shown()) == sorted(waiting), "the others are left")
        self.until_message("2 jobs removed")

    def test_retry(self):
        [id] = self.service.add(self.url("missing/again.bin"))
        self.open()
        self.until_state(id, "failed")
        self.button("Retry again.bin").click()
        self.until(lambda: self.service.job(id)["attempts"] == 2, "a second attempt")

    def test_interrupted_keeps_its_bar(self):
        [id] = self.service.add(self.url("flaky/8M/half.bin"))
        self.open()
        self.until_state(id, "interrupted")
        value = self.row(id).find_element("css selector", "[role=progressbar]").get_attribute("aria-valuenow")
        self.assertGreaterEqual(int(value), 40)

    def test_removal_is_undone(self):
        ids = self.service.add(self.url("file/4M/1M/a.bin"), self.url("file/4M/1M/b.bin"), paused=True)
        self.open()
        self.button("Remove a.bin").click()
        self.until(lambda: self.shown() == [ids[1]], "it is gone")
        self.button("Undo").click()
        self.until(lambda: len(self.shown()) == 2, "it is back")
        self.until(lambda: self.shown()[1] == ids[1], "in its place")

    def test_several_at_once(self):
        self.service.add(*(self.url(f"file/4M/1M/{number}.bin") for number in range(5)), paused=True)
        self.open()
        self.until(lambda: len(self.shown()) == 5, "rows")
        first = self.row(self.shown()[0])
        self.script("arguments[0].focus()", first)
        self.chord(Keys.CONTROL, "a")
        self.assertIn("5 jobs selected", self.one("#bulk").text)
        self.button("Remove", "#bulk").click()
        self.until(lambda: self.shown() == [], "all are gone")
        self.until_message("5 jobs removed")


class OrderTests(PageTest):
    def setUp(self):
        super().setUp()
        self.ids = self.service.add(*(self.url(f"file/4M/1M/{name}.bin") for name in "abcde"), paused=True)
        self.open()
        self.until(lambda: self.shown() == self.ids, "rows in the order of the queue")

    def until_order(self, places):
        expected = [self.ids[place] for place in places]
        self.until(lambda: self.shown() == expected, f"{places} are shown")
        self.until(lambda: self.service.call("GET", "/queue")["ids"] == expected, f"{places} are the queue")

    def test_dragging(self):
        handle = self.row(self.ids[3]).find_element("css selector", ".handle")
        height = self.row(self.ids[0]).size["height"]
        ActionChains(self.browser).click_and_hold(handle).move_by_offset(0, -height).move_by_offset(0, -2 * height).release().perform()
        self.until_order([3, 0, 1, 2, 4])

    def test_dragging_that_is_given_up(self):
        handle = self.row(self.ids[3]).find_element("css selector", ".handle")
        ActionChains(self.browser).click_and_hold(handle).move_by_offset(0, -100).send_keys(Keys.ESCAPE).release().perform()
        self.until_order([0, 1, 2, 3, 4])

    def test_keys(self):
        self.script("arguments[0].focus()", self.row(self.ids[2]))
        self.chord(Keys.ALT, Keys.ARROW_UP)
        self.until_order([0, 2, 1, 3, 4])
        self.chord(Keys.ALT, Keys.END)
        self.until_order([0, 1, 3, 4, 2])
        self.until(lambda: "place 5 of 5" in self.text("#spoken"), "it is said")
        self.until(lambda: self.script("return document.activeElement.dataset.id") == str(self.ids[2]), "the focus goes with the job")

    def test_headings_sort(self):
        self.button("Name: sort by it", "#heads").click()
        self.until(lambda: self.shown() == self.ids, "by name")
        self.button("Name: sorted", "#heads").click()
        self.until(lambda: self.shown() == self.ids[::-1], "backwards")
        for name in ("State", "Size", "Rate", "Time"):
            self.button(f"{name}: sort by it", "#heads").click()
            self.button(f"{name}: sorted", "#heads")
        self.button("Place in the queue: sort by it", "#heads").click()
        self.until(lambda: self.shown() == self.ids, "the queue")
        self.click("#view-menu summary")
        self.choose(self.one("#sort"), "name")
        self.click("#backwards")
        self.until(lambda: self.shown() == self.ids[::-1], "the menu does the same")

    def test_counts_follow_the_search(self):
        self.fill("#search", "a.bin")
        self.until(lambda: self.shown() == self.ids[:1], "one job")
        self.assertEqual([self.text(f"#states [data-state={state}] .count") for state in ("all", "paused")], ["1", "1"])

    def test_question_mark_shows_the_keys(self):
        self.script("arguments[0].focus()", self.row(self.ids[2]))
        self.press("?")
        self.assertIn("Shift Delete", self.one("dialog[open]").text)
        self.press(Keys.ESCAPE)
        self.until(lambda: self.script("return document.activeElement.dataset.id") == str(self.ids[2]), "the focus is where it was")

    def test_selected_jobs_go_together(self):
        for place in (1, 3):
            self.row(self.ids[place]).find_element("css selector", "input").click()
        self.button("First", "#bulk").click()
        self.until_order([1, 3, 0, 2, 4])


if __name__ == "__main__":
    unittest.main()
