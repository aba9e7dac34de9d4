"""Accessibility of the page: names, roles, contrast, keys, narrow windows, less motion, announcements."""

import gzip
import unittest
from pathlib import Path

from browser import Keys, PageTest

HERE = Path(__file__).resolve().parent
CHECKS = (HERE / "checks.js").read_text()
PAGE = HERE.parents[1] / "Sources/DrayPage/Page"
WIDTHS = (360, 800, 1280, 3840)
#: The most elements that Tab may reach before the list, so that the page stays usable with the keyboard.
MOST_STOPS = 22


class RuleTests(PageTest):
    def setUp(self):
        super().setUp()
        [self.broken] = self.service.add(self.url("missing/gone.bin"))
        # One retry: the waits between five take half a minute.
        flaky = {"list": f"{self.url('flaky/8M/half.bin')}\n  retries=1\n"}
        self.half = self.service.call("POST", "/jobs", flaky)["jobs"][0]["id"]
        [self.done] = self.service.add(self.url("file/1M/1M/done.bin"))
        self.open()
        for id, state in ((self.broken, "failed"), (self.half, "interrupted"), (self.done, "complete")):
            self.until_state(id, state)
        [self.live] = self.service.add(self.url("file/90M/1M/live.bin"))
        [waiting] = self.service.add(self.url("file/9M/1M/waits.bin"), paused=True)
        self.until_state(self.live, "active")
        self.until_state(waiting, "paused")

    def check(self, what):
        for dark in (False, True):
            for width in WIDTHS:
                with self.subTest(what, dark=dark, width=width):
                    # Without motion, so that no colour is measured during a transition.
                    self.look(width, 900, dark=dark, calm=True)
                    self.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
                    self.assertEqual(self.script(CHECKS), [])

    def test_list(self):
        self.check("list")

    def test_selection(self):
        self.row(self.live).find_element("css selector", "input").click()
        self.check("selection")

    def test_job(self):
        for id in (self.broken, self.half, self.done, self.live):
            self.open(f"#/jobs/{id}")
            self.until(lambda: "Attempts" in self.text("#pane .facts:last-child") or id == self.live, "its facts")
            self.check(f"job {self.service.job(id)['state']}")

    def test_dialog(self):
        self.click("#add-open")
        self.click("#add summary")
        self.check("dialog")

    def test_views(self):
        self.service.call("PUT", "/limits", {"overallRate": "2M", "timetable": [{"from": "22:00", "to": "06:00", "days": "mon-fri,sun", "rate": None}], "jobs": 2})
        for view in ("limits", "feeds", "about"):
            self.open(f"#/{view}")
            self.one("#view h2")
            self.check(view)
        self.service.call("PUT", "/limits", {"overallRate": None, "timetable": [], "jobs": "auto"})

    def test_empty(self):
        self.service.clear()
        self.one("#empty h2")
        self.check("empty")

    def test_states_differ_by_more_than_colour(self):
        marks = self.script("""
          return Object.fromEntries([...document.querySelectorAll('[role=row][data-id]')].map((row) =>
            [row.dataset.state, row.querySelector('.c-state').innerText.trim() + ' ' + row.querySelector('.state-icon use').getAttribute('href')]))""")
        self.assertGreaterEqual(len(marks), 5)
        self.assertEqual(len(set(marks.values())), len(marks))
        for state, mark in marks.items():
            self.assertTrue(mark.startswith(state))


class KeyTests(PageTest):
    FOCUS = """
      const element = document.activeElement;
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      return {
        id: element.id || element.dataset.id || element.getAttribute("aria-label") || element.textContent.trim(),
        role: element.getAttribute("role"), outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
        x: Math.round(box.left), y: Math.round(box.top + box.height / 2) };"""

    def focus(self):
        return self.script(self.FOCUS)

    def tab_to(self, condition, what):
        for _ in range(MOST_STOPS):
            self.press(Keys.TAB)
            focus = self.focus()
            self.assertTrue(focus["outline"], f"the focus is visible on {focus}")
            self.assertTrue(focus["seen"], f"the focus is in the window on {focus}")
            if condition(focus):
                return focus
        self.fail(f"Tab does not lead to {what}")

    def test_everything_by_keys(self):
        self.open()
        self.one("#empty h2")
        self.tab_to(lambda focus: focus["id"] == "add-open", "the button that adds")
        self.press(Keys.ENTER)
        self.until(lambda: self.focus()["id"] == "add-urls", "the field has the focus")
        # Large files: a job that ends changes its place.
        self.press(self.url("file/600M/1M/first.bin"), Keys.ENTER, self.url("file/600M/1M/second.bin"))
        self.chord(Keys.CONTROL, Keys.ENTER)
        self.until(lambda: len(self.shown()) == 2, "two jobs")
        self.until(lambda: self.focus()["id"] == "add-open", "the focus is where it was")
        first, second = sorted(self.shown())
        for id in (first, second):
            self.until_state(id, "active")
        self.tab_to(lambda focus: focus["role"] == "row", "the list")
        self.press(Keys.HOME)
        self.assertEqual(self.focus()["id"], str(first))
        self.press("p")
        self.until_state(first, "paused")
        self.until(lambda: self.shown() == [second, first], "it waits below the active one")
        self.assertEqual(self.focus()["id"], str(first), "the focus goes with it")
        self.press("p")
        self.until_state(first, "active")
        self.until(lambda: self.shown() == [first, second], "it goes on, in its place")
        self.assertEqual(self.focus()["id"], str(first), "the focus goes with it")
        self.press(Keys.HOME, Keys.ARROW_DOWN)
        self.assertEqual(self.focus()["id"], str(second))
        self.press(Keys.ENTER)
        self.one("#pane h2")
        self.until(lambda: self.script("return document.activeElement.localName") == "h2", "the job's heading has the focus")
        self.press(Keys.ESCAPE)
        self.until(lambda: self.focus()["role"] == "row", "back in the list")
        self.press("/")
        self.assertEqual(self.focus()["id"], "search")
        self.press("first", Keys.ENTER)
        self.until(lambda: self.shown() == [first], "only one is shown")
        self.until(lambda: self.focus()["id"] == str(first), "it has the focus")
        self.press(Keys.DELETE)
        self.until(lambda: self.shown() == [], "it is removed")
        self.until_message("first.bin removed")
        self.chord(Keys.CONTROL, "z")
        self.until(lambda: len(self.shown()) == 1, "it is back")
        self.script("arguments[0].focus()", self.row(self.shown()[0]))
        self.press(Keys.DELETE)
        self.until_message("removed")

    def test_focus_goes_with_the_eye(self):
        self.service.add(*(self.url(f"file/1M/1M/{number}.bin") for number in range(3)), paused=True)
        self.open()
        self.until(lambda: len(self.shown()) == 3, "rows")
        stops = []
        self.tab_to(lambda focus: stops.append((focus["y"], focus["x"])) or focus["role"] == "row", "the list")
        rows = [y // 40 for y, _ in stops[1:]]
        self.assertEqual(rows, sorted(rows), "from the top to the bottom")

    def test_focus_goes_to_the_next_job(self):
        ids = self.service.add(*(self.url(f"file/1M/1M/{number}.bin") for number in range(4)), paused=True)
        self.open()
        self.script("arguments[0].focus()", self.row(ids[1]))
        self.press(Keys.DELETE)
        self.until(lambda: len(self.shown()) == 3, "it is removed")
        self.until(lambda: self.focus()["id"] == str(ids[2]), "the next has the focus")

    def test_focus_survives_changes_and_scrolling(self):
        ids = self.service.add(*(self.url(f"file/1M/1M/{number:03}.bin") for number in range(200)), paused=True)
        self.open()
        self.script("arguments[0].focus()", self.row(ids[2]))
        self.script("document.getElementById('viewport').scrollTop = 5000")
        self.service.add(self.url("file/1M/1M/another.bin"), paused=True)
        self.until(lambda: "201" in self.text("#states"), "another job")
        self.assertEqual(self.focus()["id"], str(ids[2]))
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.focus()["id"], str(ids[3]))
        self.assertTrue(self.focus()["seen"])

    def test_focus_stays_on_a_filter_that_has_no_job_any_more(self):
        [id] = self.service.add(self.url("file/600M/1M/first.bin"), paused=True)
        self.open()
        self.until_state(id, "paused")
        self.script("arguments[0].focus()", self.one("#states [data-state=paused]"))
        self.service.call("POST", "/jobs/actions", {"action": "resume", "ids": [id]})
        self.until_state(id, "active")
        self.assertEqual(self.text("#states [data-state=paused] .count"), "0")
        self.assertEqual(self.script("return document.activeElement.dataset.state"), "paused")
        self.press(Keys.TAB)
        self.until(lambda: not self.all("#states [data-state=paused]")[0].is_displayed(), "it goes when the focus has gone")

    def test_the_list_keeps_its_place(self):
        ids = self.service.add(*(self.url(f"file/1M/1M/{number:03}.bin") for number in range(200)), paused=True)
        self.open()
        self.script("arguments[0].focus()", self.row(ids[2]))
        self.script("document.activeElement.blur(); document.getElementById('viewport').scrollTop = 5000")
        self.until(lambda: ids[150] in self.shown() or len(self.shown()) > 5 and self.shown()[1] > ids[50], "it is scrolled")
        places = self.script("return [...document.querySelectorAll('[role=row][tabindex=\"0\"]')].map((row) => Number(row.dataset.id))")
        self.assertEqual(places, [ids[2]])

    def test_keys_from_the_start(self):
        [id] = self.service.add(self.url("file/90M/1M/first.bin"), paused=True)
        self.open()
        self.until(lambda: self.shown() == [id], "a row")
        self.press("p")
        self.until(lambda: self.service.job(id)["state"] != "paused", "it goes on")
        self.press("/")
        self.assertEqual(self.focus()["id"], "search")
        self.press("npn")
        self.assertFalse(self.all("#add")[0].is_displayed(), "letters go into the field")
        self.open()
        self.until(lambda: self.shown() == [id], "a row")
        self.press("n")
        self.until(lambda: self.focus()["id"] == "add-urls", "the dialog is open")

    def test_skip_link(self):
        self.open()
        self.press(Keys.TAB)
        self.assertTrue(self.focus()["seen"])
        self.press(Keys.ENTER)
        self.assertEqual(self.focus()["id"], "jobs-region")


class QuietTests(PageTest):
    def test_live_regions_do_not_chatter(self):
        self.open()
        self.script("""
          window.said = [];
          for (const region of document.querySelectorAll('[role=status], [role=alert], [aria-live]')) {
            new MutationObserver(() => region.textContent && window.said.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
          }""")
        ids = self.service.add(*(self.url(f"file/2M/1M/{number}.bin") for number in range(8)))
        for id in ids:
            self.until_state(id, "complete")
        self.until(lambda: len(self.script("return window.said")) > 0, "something is said")
        said = self.script("return window.said")
        # Eight jobs with some hundred changes of their progress.
        self.assertLess(len(said), 8, said)
        self.assertFalse([text for text in said if "%" in text or "MiB/s" in text])

    def test_less_motion(self):
        self.service.add(self.url("file/90M/1M/live.bin"))
        self.look(1280, 900, calm=True)
        self.open()
        self.one("[role=row]")
        moving = self.script("""
          return [...document.querySelectorAll('*')].filter((element) => {
            const style = getComputedStyle(element);
            return style.animationName !== 'none' || (style.transitionDuration !== '0s' && style.transitionProperty !== 'none' && style.transitionProperty !== 'all');
          }).length""")
        self.assertEqual(moving, 0)

    def test_narrow(self):
        self.service.add(self.url("file/90M/1M/a-name-that-is-a-good-deal-longer-than-a-telephone-is-wide-and-then-some.iso"))
        self.look(360, 740)
        self.open()
        row = self.one("[role=row]")
        self.until(lambda: "/s" in self.text(".c-rate") and "%" in self.text(".percent") and self.text(".c-left"), "rate, percent and time left")
        cells = row.find_elements("css selector", ".percent, .c-rate, .c-left, .c-size")
        self.until(lambda: all(cell.is_displayed() for cell in cells), "all of them at once: without a rate no time is left")
        for cell in cells:
            self.assertLessEqual(cell.rect["x"] + cell.rect["width"], 360)
        self.assertLessEqual(self.one("header.top").size["height"], 72)
        for control in row.find_elements("css selector", "button, input, .name"):
            box = control.rect
            self.assertLessEqual(box["x"] + box["width"], 360)
        row.find_element("css selector", ".name").click()
        self.one("#pane h2")
        self.assertFalse(self.one("#pane").rect["width"] < 350)
        self.button("Close the job").click()
        self.one("[role=row]")


class PlaceTests(PageTest):
    """Where things are, by their boxes."""

    BOX = "const box = arguments[0].getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]"

    def box(self, element):
        return self.script(self.BOX, element)

    def test_reason_stays_below_the_name(self):
        [id] = self.service.add(self.url("missing/gone.bin"))
        self.open()
        self.until_state(id, "failed")
        self.script("document.querySelector('.detail').textContent = 'a reason that needs more than three lines on a telephone '.repeat(4)")
        for width in (360, 768):
            with self.subTest(width=width):
                self.look(width, 740)
                name, second, state, row = (self.box(element) for element in (*(self.one(part) for part in (".name", ".second", ".c-state")), self.row(id)))
                self.assertGreaterEqual(second[1], name[3] - 1)
                self.assertLessEqual(second[3], row[3] + 1)
                self.assertLess(abs(second[1] - state[1]), 4, "it begins in the line of the state")

    def test_menu_is_in_the_window(self):
        self.service.call("PATCH", "/queues/night", {"paused": True})
        self.addCleanup(self.service.call, "DELETE", "/queues/night")
        [id] = self.service.add(self.url("file/1M/1M/a.bin"), paused=True)
        for fragment in ("#/", f"#/jobs/{id}"):
            self.open(fragment)
            self.until(lambda: self.script("return !document.getElementById('queue-choice').hidden"), "the queues are offered")
            self.script("for (const name of ['all-jobs', 'view-menu']) document.getElementById(name).open = true")
            for width in WIDTHS:
                for menu in ("#all-jobs-actions", ".sheet"):
                    with self.subTest(fragment, width=width, menu=menu):
                        self.look(width, 740)
                        left, _, right, bottom = self.box(self.all(menu)[0])
                        self.assertTrue(0 <= left and right <= width and bottom <= 740, (left, right, bottom))

    def test_chosen_filter_stays_in_sight(self):
        self.service.add(*(self.url(f"file/1M/1M/{number}.bin") for number in range(3)), paused=True)
        [broken] = self.service.add(self.url("missing/gone.bin"))
        self.look(360, 740)
        self.open()
        self.until_state(broken, "failed")
        self.script("document.querySelector('#states [data-state=failed]').click()")
        self.until(lambda: self.shown() == [broken], "it is chosen")
        for scroll in (0, 1000):
            self.script("document.getElementById('states').scrollLeft = arguments[0]", scroll)
            left, _, right, _ = self.box(self.one("#states [data-state=failed]"))
            self.assertTrue(0 <= left and right <= 360, (left, right))

    def test_one_row_of_tools(self):
        self.service.add(*(self.url(f"file/600M/1M/{number}.bin") for number in range(9)), paused=True)
        for path in ("missing/gone.bin", "file/1M/1M/done.bin"):
            self.service.add(self.url(path))
        self.open()
        self.until(lambda: self.one("#states [data-state=failed]") and self.one("#states [data-state=complete]"), "states")
        tops = [self.box(self.one(part))[1] for part in ("#states", "#search", "#slow", "#view-menu", "#all-jobs")]
        self.assertLess(max(tops) - min(tops), 12, tops)
        # What is not needed is the name's.
        for width, least in ((1280, 350), (1920, 900)):
            self.look(width, 900)
            self.assertGreater(self.one(".c-name").size["width"], least)

    def test_digest_fits_into_the_pane(self):
        [id] = self.service.add(self.url("missing/gone.bin"))
        self.open(f"#/jobs/{id}")
        self.one(".trouble h3")
        self.script("document.querySelector('.trouble h3').textContent = 'the digest is sha-256=' + '0'.repeat(64)")
        for width in WIDTHS:
            self.look(width, 740)
            self.assertLessEqual(*self.script("const pane = document.getElementById('pane'); return [pane.scrollWidth, pane.clientWidth]"))

    def test_header_keeps_its_height(self):
        self.look(360, 740)
        self.open()
        self.one("#empty h2")
        before = self.one("header.top").size["height"]
        self.service.add(self.url("file/90M/1M/live.bin"))
        self.until(lambda: "/s" in self.text("#total-rate"), "the total")
        self.assertEqual(self.one("header.top").size["height"], before)

    def test_cell_of_the_checkbox_selects(self):
        [id] = self.service.add(self.url("file/1M/1M/a.bin"), paused=True)
        self.look(360, 740)
        self.open()
        cell = self.row(id).find_element("css selector", ".c-select")
        self.assertGreaterEqual(cell.size["height"], 40)
        self.browser.execute_script("arguments[0].click()", cell)
        self.until(lambda: "1 job selected" in self.text("#bulk"), "it is selected")
        self.assertEqual(self.script("return location.hash"), "#/")


class SizeTests(unittest.TestCase):
    def test_page_is_small(self):
        files = list(PAGE.rglob("*.*"))
        size = sum(file.stat().st_size for file in files)
        print(f"{len(files)} files, {size} bytes")
        packed = sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)
        print(f"{packed} bytes compressed")
        # A quarter of a second over a line of 10 Mbit/s. A proxy that compresses sends a third.
        self.assertLessEqual(size, 240_000)
        self.assertLessEqual(packed, 90_000)

    def test_nothing_comes_from_elsewhere(self):
        for file in PAGE.rglob("*.*"):
            if file.suffix == ".png":
                continue
            for line in file.read_text().splitlines():
                self.assertNotRegex(line, r"(src|href|import|url\()\W*https?://", file.name)
                self.assertNotRegex(line, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", file.name)


if __name__ == "__main__":
    unittest.main()
