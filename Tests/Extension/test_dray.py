"""The same with dray itself: `dray browser install` registers it, Chromium starts it, and files arrive. With PAGE_PROGRAM only."""

import os
import re
import subprocess
import unittest

import extension
from extension import By, ExtensionTest
from testsite import contents

PROGRAM = os.environ.get("PAGE_PROGRAM")


@unittest.skipUnless(PROGRAM, "needs program: PAGE_PROGRAM names none")
class Dray(ExtensionTest):
    @classmethod
    def set_up_host(cls):
        cls.files_place = cls.home / "dray"
        cls.files_place.mkdir()
        (cls.home / ".config/chromium").mkdir(parents=True)
        cls.dray("browser", "install", "--chromium", "--dir", str(cls.files_place))

    @classmethod
    def dray(cls, *words):
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("DRAY_", "XDG_")) and "proxy" not in name.lower()}
        variables |= extension.own_variables(cls.home)
        return subprocess.run([PROGRAM, *words], env=variables, check=True, capture_output=True, text=True, timeout=60).stdout

    def setUp(self):
        super().setUp()
        self.browser.switch_to.new_window("tab")

    def follow(self, target):
        self.browser.get(f"{self.site.url}/page?names={target}")
        self.click(self.browser.find_element(By.CSS_SELECTOR, "a"))

    def until_there(self, path):
        name = path.rsplit("/", 1)[-1]
        place = self.files_place / name
        self.until(place.exists, f"dray has published {name}")
        self.assertEqual(place.read_bytes(), contents(path))
        self.assertEqual((self.downloads(), self.files()), ([], {}))

    def test_login_and_redirect(self):
        self.browser.get(f"{self.site.url}/login")
        self.follow("/private/own.bin")
        self.until_there("/private/own.bin")
        self.assertNotIn("secret", self.dray("list", "--json"))
        self.follow("/moved/far.bin")
        self.until_there("/files/far.bin")

    def test_hundred(self):
        self.browser.get(f"{self.site.url}/hundred")
        self.call("""
          const { chooseLinks } = await import("/menus.js");
          const [tab] = (await chrome.tabs.query({})).filter((tab) => tab.url.endsWith("/hundred"));
          await chooseLinks(tab);""")
        find = "return (await chrome.tabs.query({})).map((tab) => tab.url).find((url) => url.includes('/links.html'));"
        self.browser.get(self.until(lambda: self.call(find), "the links"))
        self.press("Download with dray")
        self.until(lambda: self.browser.find_element(By.ID, "count").text == "100 added", "all are added")
        self.until(lambda: len(list(self.files_place.glob("0??.bin"))) == 100, "all have arrived")

    def test_killed(self):
        """A host that is killed after its answer loses nothing, and the next download starts another one."""
        self.follow("/files/before.bin")
        self.until_there("/files/before.bin")
        self.restart_host()
        self.follow("/files/after.bin")
        self.until_there("/files/after.bin")

    def test_continue(self):
        self.site.valid = [["old"]]
        self.call("""
          const { addLink } = await import("/jobs.js");
          return await addLink(args[0], "", "link");""", f"{self.site.url}/held/link.bin?key=old")
        self.until(lambda: '"interrupted"' in self.dray("list", "--json", "--all"), "the link has expired")
        self.site.valid = [["new"]]
        self.follow("/held/link.bin?key=new")
        self.until_there("/held/link.bin")
        # The first half was kept.
        asked = [fields.get("Range", "") for _, fields in self.site.requests("/held/link.bin?key=new")]
        self.assertTrue(any(re.fullmatch(r"bytes=[1-9]\d*-\d*", range) for range in asked), asked)
