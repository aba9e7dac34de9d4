"""Menus on links, selections and pages."""

import json

from extension import By
from test_takeover import TakeoverTest


class Links(TakeoverTest):
    def menu(self, item, **info):
        """Chooses an entry of the context menu in the tab that is shown, as the browser reports it."""
        address = self.browser.current_url
        self.call("""
          const { menuClicked } = await import("/menus.js");
          const [tab] = (await chrome.tabs.query({})).filter((tab) => tab.url === args[0]);
          await menuClicked({ menuItemId: args[1], pageUrl: args[0], frameId: 0, ...args[2] }, tab);""", address, item, info)

    def until_tab(self, page):
        """Waits for a tab with a page of the extension, and shows that page. The driver does not see all tabs that extensions open."""
        find = "return (await chrome.tabs.query({})).map((tab) => tab.url).find((url) => url.includes(`/${args[0]}`));"
        self.browser.get(self.until(lambda: self.call(find, page), f"a tab with {page}"))

    def test_menus_exist(self):
        titles = self.call("""
          const { createMenus } = await import("/menus.js");
          await createMenus();
          const ids = ["link", "continue", "media", "selection", "page"];
          await Promise.all(ids.map((id) => chrome.contextMenus.update(id, { enabled: true })));
          return ids.length;""")
        self.assertEqual(titles, 5)

    def test_a_link(self):
        self.open("/login")
        self.open("/page?names=/private/menu.bin")
        self.menu("link", linkUrl=f"{self.site.url}/private/menu.bin")
        [request] = self.asked()
        self.assertEqual((request["url"], request["origin"]), (f"{self.site.url}/private/menu.bin", "link"))
        self.assertEqual([cookie["name"] for cookie in request["cookies"]], ["session"])
        self.assertEqual(self.notices()[0][0], "Added to dray")

    def test_a_selection(self):
        self.open("/hundred")
        self.browser.execute_script("""
          const items = document.querySelectorAll("li");
          const range = document.createRange();
          range.setStartBefore(items[10]);
          range.setEndAfter(items[14]);
          getSelection().addRange(range);""")
        self.menu("selection")
        self.assertEqual(sorted(request["url"] for request in self.asked()), [f"{self.site.url}/files/{number:03}.bin" for number in range(10, 15)])
        self.assertEqual(self.notices(), [("Added to dray", "5 added")])

    def test_a_hundred_links(self):
        self.open("/hundred")
        self.menu("page")
        self.until_tab("links.html")
        self.until(lambda: self.browser.find_element(By.ID, "count").text == "100 of 100 chosen", "all links")
        self.browser.find_element(By.ID, "filter").send_keys("09")
        self.until(lambda: self.browser.find_element(By.ID, "count").text == "11 of 100 chosen", "some links")
        self.browser.find_element(By.ID, "filter").clear()
        self.browser.find_element(By.ID, "filter").send_keys(".bin")
        self.until(lambda: self.browser.find_element(By.ID, "count").text == "100 of 100 chosen", "all links")
        self.press("Download with dray")
        self.until(lambda: self.browser.find_element(By.ID, "count").text == "100 added", "the result")
        self.assertEqual(self.notices(), [("Added to dray", "100 added")])
        self.assertEqual(len({job["url"] for job in self.jobs()}), 100)

    def test_continue(self):
        stopped = {"job": "job-7", "number": 7, "name": "big.iso", "url": "http://127.0.0.1:1/big.iso", "state": "interrupted",
                   "bytes": 3 << 20, "size": 9 << 20, "rate": 0, "message": "403 Forbidden"}
        (self.place / "jobs").write_text(json.dumps([stopped]))
        self.open("/page?names=/files/other-name.iso")
        self.menu("continue", linkUrl=f"{self.site.url}/files/other-name.iso")
        self.until_tab("continue.html")
        self.press("Continue big.iso")
        [request] = self.until(lambda: self.asked("relink"), "the link")
        self.assertEqual((request["job"], request["url"]), ("job-7", f"{self.site.url}/files/other-name.iso"))
        self.until(lambda: self.notices() == [("dray continues big.iso", "with this link, at 3.0 MiB")], "a notice")


