"""10,000 jobs: only visible rows are drawn, and nothing lags."""

import os
import time
import unittest

from browser import PageTest

COUNT = 10_000
#: Rows that may exist: those that fit into 900 pixels, with some above and below.
MOST_ROWS = 40
#: Milliseconds of script and layout for one change of filter; a lag is felt from 100 on, and this machine is shared.
SLOWEST = 250
#: The most milliseconds for a frame while the list scrolls.
SLOWEST_FRAME = 50
#: Whether slow times fail. Not in the gate, where other steps run at the same time.
MEASURES = os.environ.get("PAGE_TIMES") == "judge"


class ManyTests(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.service.clear()
        for start in range(0, COUNT, 1000):
            urls = [f"{cls.origin.url}/file/{number % 900 + 1}k/1M/tile-{number:05}.tif" for number in range(start, start + 1000)]
            cls.service.add(*urls, paused=True)

    def setUp(self):
        self.look(1280, 900)
        self.open()
        self.until(lambda: "10,000" in self.text("#states"), "all jobs are loaded")

    def measured(self, change):
        """The milliseconds from a change to the frame that shows it."""
        return self.browser.execute_async_script("""
          const done = arguments[arguments.length - 1];
          const start = performance.now();
          CHANGE
          requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));""".replace("CHANGE", change))

    def rows(self):
        return self.script("return document.querySelectorAll('[role=row]').length")

    def test_only_what_is_seen_exists(self):
        self.assertLess(self.rows(), MOST_ROWS)
        self.until(lambda: self.one("#rows").get_attribute("aria-rowcount") == str(COUNT), "they are drawn, a frame after they are counted")
        for place in (0.5, 1):
            self.script("const list = document.getElementById('viewport'); list.scrollTop = list.scrollHeight * arguments[0]", place)
            self.until(lambda: self.script("return [...document.querySelectorAll('[role=row]')].some((row) => { const box = row.getBoundingClientRect(); return box.top < 800 && box.bottom > 300; })"), "rows are drawn")
            self.assertLess(self.rows(), MOST_ROWS)
        self.assertLess(self.script("return document.querySelectorAll('*').length"), 1800)

    def test_search_does_not_lag(self):
        times = []
        for text in ("t", "ti", "tile-0", "tile-01", "tile-012", "tile-0123", "tile-01234", ""):
            times.append(self.measured(f"const field = document.getElementById('search'); field.value = '{text}'; field.dispatchEvent(new Event('input'));"))
        print(f"search in {COUNT} jobs: {', '.join(f'{value:.0f}' for value in times)} ms")
        if MEASURES:
            self.assertLess(sorted(times)[len(times) // 2], SLOWEST)
        self.fill("#search", "tile-04321")
        self.until(lambda: len(self.shown()) == 1, "one job")

    def test_scrolling_keeps_its_frames(self):
        frames = self.browser.execute_async_script("""
          const done = arguments[0], list = document.getElementById("viewport"), times = [];
          let last = performance.now();
          const frame = (now) => {
            times.push(now - last);
            last = now;
            list.scrollTop += 700;
            times.length < 120 ? requestAnimationFrame(frame) : done(times.slice(1).sort((a, b) => a - b));
          };
          requestAnimationFrame(frame);""")
        print(f"scrolling: median frame {frames[len(frames) // 2]:.1f} ms, 95th percentile {frames[int(len(frames) * 0.95)]:.1f} ms")
        self.assertEqual(len(frames), 119)
        if MEASURES:
            self.assertLess(frames[len(frames) // 2], SLOWEST_FRAME)

    def test_order_by_name_and_size(self):
        for order, first in (("name", "tile-00000.tif"), ("newest", "tile-09999.tif"), ("state", "tile-00000.tif"), ("left", "tile-00000.tif")):
            start = time.monotonic()
            self.script("const sort = document.getElementById('sort'); sort.value = arguments[0]; sort.dispatchEvent(new Event('change'))", order)
            self.until(lambda: first in self.text("#rows"), f"{first} is the first")
            print(f"order by {order}: {time.monotonic() - start:.2f} s")


if __name__ == "__main__":
    unittest.main()
