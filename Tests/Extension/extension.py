"""Chromium with the extension, a site to download from, and dray's end of the connection, which is fake or real."""

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from testsite import Site

HERE = Path(__file__).resolve().parent
EXTENSION = HERE.parents[1] / "Extension"
ID = "kipjceeimpomiagpajmakapkldihnefc"
#: A word of each in the command line of the host.
HOSTS = (b"fake_host.py", b"browser-host")
#: The time limit of a wait, in seconds.
LIMIT = 30


def own_variables(home):
    """The places of a user who has nothing but this test."""
    places = {"XDG_CONFIG_HOME": ".config", "XDG_STATE_HOME": ".local/state", "XDG_DATA_HOME": ".local/share"}
    return {"HOME": str(home), **{name: f"{home}/{place}" for name, place in places.items()}}


def open_browser(home, size=(1000, 800)):
    options = Options()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    arguments = [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--force-device-scale-factor=1", "--lang=en",
        f"--window-size={size[0]},{size[1]}", f"--user-data-dir={home}/.config/chromium", f"--load-extension={EXTENSION}",
        "--disable-features=DisableLoadExtensionCommandLineSwitch",
    ]
    for argument in arguments:
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": f"{home}/Downloads", "download.prompt_for_download": False})
    variables = {**os.environ, **own_variables(home)}
    return webdriver.Chrome(options=options, service=Driver(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"), env=variables))


class ExtensionTest(unittest.TestCase):
    """One browser for a class; each test begins without jobs, downloads and notices, and with the default options."""

    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="dray-extension-"))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        cls.site = Site()
        cls.addClassCleanup(cls.site.close)
        cls.set_up_host()
        cls.open_inside()
        cls.addClassCleanup(cls.browser.quit)
        cls.inside = cls.browser.current_window_handle

    @classmethod
    def open_inside(cls):
        """Opens the browser, and in it a page of the extension, in which the tests look at the browser's state."""
        for _ in range(5):
            cls.browser = open_browser(cls.home)
            cls.browser.set_page_load_timeout(10)
            # Now and then the first tab hangs while the browser loads the extension. Then another browser is tried.
            with contextlib.suppress(WebDriverException):
                end = time.monotonic() + 10
                while time.monotonic() < end and not cls.is_loaded():
                    time.sleep(0.05)
                cls.browser.get(f"chrome-extension://{ID}/options.html")
                if cls.browser.title == "dray: options":
                    cls.browser.set_page_load_timeout(LIMIT)
                    return
            cls.browser.quit()
        raise AssertionError("the browser does not load the extension")

    @classmethod
    def is_loaded(cls):
        targets = cls.browser.execute_cdp_cmd("Target.getTargets", {})["targetInfos"]
        return any(target["url"] == f"chrome-extension://{ID}/background.js" for target in targets)

    @classmethod
    def set_up_host(cls):
        """The fake host."""
        cls.place = cls.home / "fake"
        cls.place.mkdir()
        (cls.place / "mood").write_text("ok")
        launcher = cls.home / "browser-host"
        launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{HERE}/fake_host.py" "{cls.place}"\n')
        launcher.chmod(0o755)
        cls.register(launcher)

    @classmethod
    def register(cls, launcher):
        hosts = cls.home / ".config/chromium/NativeMessagingHosts"
        hosts.mkdir(parents=True, exist_ok=True)
        manifest = {"name": "dev.dray.browser", "description": "dray", "path": str(launcher), "type": "stdio",
                    "allowed_origins": [f"chrome-extension://{ID}/"]}
        (hosts / "dev.dray.browser.json").write_text(json.dumps(manifest))

    def setUp(self):
        self.look_inside()
        self.call("""
          const items = await chrome.downloads.search({});
          for (const item of items) {
            await chrome.downloads.cancel(item.id).catch(() => {});
            await chrome.downloads.erase({ id: item.id });
          }
          for (const id of Object.keys(await chrome.notifications.getAll())) await chrome.notifications.clear(id);
          await chrome.storage.local.clear();
          await chrome.storage.session.clear();""")
        shutil.rmtree(self.home / "Downloads", ignore_errors=True)

    # Inside the extension

    def look_inside(self):
        for handle in self.browser.window_handles:
            if handle != self.inside:
                self.browser.switch_to.window(handle)
                self.browser.close()
        self.browser.switch_to.window(self.inside)

    def call(self, script, *arguments):
        """Runs an asynchronous script in a page of the extension and returns its result."""
        back = self.browser.current_window_handle
        self.browser.switch_to.window(self.inside)
        try:
            result = self.browser.execute_async_script(
                "const done = arguments[arguments.length - 1]; const given = [...arguments].slice(0, -1);"
                f"(async (...args) => {{ {script} }})(...given).then((value) => done({{ value }}), (error) => done({{ error: String(error.stack ?? error) }}));",
                *arguments)
        finally:
            if back in self.browser.window_handles:
                self.browser.switch_to.window(back)
        if "error" in result:
            raise AssertionError(result["error"])
        return result.get("value")

    def downloads(self):
        return self.call("return await chrome.downloads.search({});")

    def files(self):
        """The files in the browser's directory of downloads, by name."""
        place = self.home / "Downloads"
        return {file.name: file.read_bytes() for file in place.iterdir()} if place.exists() else {}

    def set(self, **settings):
        self.call("await chrome.storage.local.set({ settings: args[0] });", settings)

    def notices(self):
        """Titles and texts of the notices that were shown."""
        notices = self.call("return (await chrome.storage.session.get('notices')).notices ?? [];")
        return [(notice["title"], notice["message"]) for notice in notices]

    def restart_host(self):
        """Ends the host's processes of this test, so that the next request starts another one."""
        for number in self.host_processes():
            os.kill(number, signal.SIGKILL)
        self.until(lambda: not self.host_processes(), "the host has ended")

    def host_processes(self):
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (process / "cmdline").read_bytes()
                if str(self.home).encode() in words and any(host in words for host in HOSTS):
                    found.append(int(process.name))
        return found

    # Acting

    def button(self, name):
        """The button with that accessible name, if it is there."""
        return next((found for found in self.browser.find_elements(By.TAG_NAME, "button") if found.is_displayed() and found.accessible_name == name), None)

    def press(self, name):
        """Clicks the button with that accessible name, as soon as it is there."""
        def pressed():
            if button := self.button(name):
                button.click()
                return True

        self.until(pressed, f"a click on {name}")

    def click(self, element, *keys):
        actions = ActionChains(self.browser)
        for key in keys:
            actions.key_down(key)
        actions.click(element)
        for key in keys:
            actions.key_up(key)
        actions.perform()

    # Waiting

    def until(self, condition, what):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            # A page may replace an element between two looks.
            with contextlib.suppress(StaleElementReferenceException):
                if found := condition():
                    return found
            time.sleep(0.05)
        raise AssertionError(f"did not happen: {what}")


__all__ = ["By", "EXTENSION", "ExtensionTest", "HERE", "ID", "Keys", "LIMIT"]
