"""Pictures of the extension's pages, light and dark.

    python screenshots.py [DIR]     DIR instead of shots/
"""

import sys
import unittest
from pathlib import Path

from extension import By
from test_pages import JOBS, Pages

PLACE = Path(sys.argv[1] if len(sys.argv) > 1 else "shots")


class Pictures(Pages):
    def size(self, width, height):
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def runTest(self):
        PLACE.mkdir(exist_ok=True)
        self.some_jobs()
        for dark in (False, True):
            look = "dark" if dark else "light"
            self.size(400, 480)
            self.show("popup.html", dark)
            self.until(lambda: len(self.browser.find_elements(By.CSS_SELECTOR, ".job")) == len(JOBS), "the jobs")
            self.until(lambda: self.browser.find_element(By.ID, "about").text, "its version")
            self.browser.save_screenshot(str(PLACE / f"popup-{look}.png"))
            self.size(760, 960)
            self.show("options.html", dark)
            self.until(lambda: "Connected" in self.browser.find_element(By.ID, "connection").text, "dray")
            self.browser.save_screenshot(str(PLACE / f"options-{look}.png"))
        self.size(760, 420)
        self.show("continue.html?url=https://example.org/new.iso")
        self.until(lambda: self.button(f"Continue {JOBS[2]['name']}"), "the job")
        self.browser.save_screenshot(str(PLACE / "continue.png"))
        self.call("""await chrome.storage.session.set({ "links-x": { title: "A page", page: "https://example.org/", links:
          Array.from({ length: 40 }, (_, at) => ({ url: `https://example.org/files/disk-${at}.iso`, text: at % 3 ? `Disk ${at}` : "" })) } });""")
        self.show("links.html#links-x")
        self.browser.refresh()
        self.until(lambda: self.browser.find_element(By.ID, "count").text == "40 of 40 chosen", "the links")
        self.browser.save_screenshot(str(PLACE / "links.png"))


result = unittest.TextTestRunner().run(unittest.TestSuite([Pictures()]))
sys.exit(0 if result.wasSuccessful() else 1)
