"""Chromium, driven by selenium, and the actions of tests on the page."""

import os
import unittest

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from origin import Origin
from service import LIMIT, Service


def open_browser():
    options = Options()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--force-device-scale-factor=1", "--lang=en"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Driver(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")))


class PageTest(unittest.TestCase):
    """A service, a server to download from, and a browser; each test begins without jobs."""

    arguments = ()
    secret = None

    @classmethod
    def setUpClass(cls):
        cls.origin = Origin()
        cls.service = Service(*cls.arguments, secret=cls.secret)
        cls.browser = open_browser()
        cls.addClassCleanup(cls.origin.close)
        cls.addClassCleanup(cls.service.close)
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        self.service.clear()
        self.look(1280, 900)

    def tearDown(self):
        severe = [entry["message"] for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE"]
        # The browser's own messages about answers that a test provokes.
        self.assertEqual([text for text in severe if "Failed to load resource" not in text and "ERR_" not in text], [])

    def look(self, width, height, dark=False, calm=False):
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"},
        ]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def open(self, fragment="#/"):
        self.browser.get("about:blank")
        self.browser.get(f"{self.service.url}/{fragment}")
        self.until(lambda: self.script("return document.readyState") == "complete", "the page is loaded")

    def url(self, path):
        return f"{self.origin.url}/{path}"

    # Reading the page

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.until(lambda: next((found for found in self.all(selector) if found.is_displayed()), None), selector)

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def until(self, condition, what):
        # Elements may have vanished: rows come and go, pages reload.
        return WebDriverWait(self.browser, LIMIT, 0.05, ignored_exceptions=[StaleElementReferenceException]).until(lambda _: condition(), what)

    def row(self, id):
        return self.one(f'[role="row"][data-id="{id}"]')

    def shown(self):
        """The ids of the rows, in order."""
        return self.script("return [...document.querySelectorAll('[role=row][data-id]')].map((row) => Number(row.dataset.id))")

    def until_state(self, id, state):
        self.until(lambda: self.script(
            "return document.querySelector(`[role=row][data-id='${arguments[0]}']`)?.dataset.state", id) == state, f"job {id} is {state}")

    def until_message(self, part):
        self.until(lambda: part in self.text("#messages"), f"a message with {part!r}")

    def field(self, name, within="body"):
        """The field with that accessible name."""
        fields = f"{within} :is(input, select, textarea)"
        return self.until(lambda: next((found for found in self.all(fields) if found.is_displayed() and found.accessible_name == name), None), name)

    # Acting on the page

    def look_at(self, seen):
        """Makes the tab visible or hidden, as its script sees it."""
        self.script("""
          Object.defineProperty(document, "hidden", { value: !arguments[0], configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));""", seen)

    def choose(self, field, text):
        """Chooses an option by its text."""
        Select(field).select_by_visible_text(text)

    def click(self, selector):
        self.one(selector).click()

    def button(self, name, within="body"):
        """The button with that accessible name."""
        return self.until(lambda: next((found for found in self.all(f"{within} button") if found.is_displayed() and found.accessible_name == name), None), name)

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def chord(self, modifier, key):
        ActionChains(self.browser).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def fill(self, selector, text):
        field = self.one(selector)
        field.clear()
        field.send_keys(text)


__all__ = ["ActionChains", "By", "Keys", "PageTest"]
