#!/usr/bin/env python3
"""Takes pictures of the page, with the mock's demonstration, into `shots/` (or the directory that is given). With PAGE_PROGRAM they are
of that program, which fetches from origin.py: the two of the README."""

import os
import sys
import time
from pathlib import Path

from browser import open_browser
from origin import Origin
from service import Service

#: Name, fragment, width, height, dark, a script, seconds to wait before the picture.
PICTURES = [
    ("list", "#/", 1440, 900, False, "", 2),
    ("list-dark", "#/", 1440, 900, True, "", 2),
    ("job", "#/jobs/4", 1440, 900, False, "", 14),
    ("job-dark", "#/jobs/4", 1440, 900, True, "", 14),
    ("failed", "#/jobs/10", 1440, 900, False, "", 2),
    ("selection", "#/", 1440, 900, False, "for (const box of [...document.querySelectorAll('.row input')].slice(4, 8)) box.click()", 2),
    ("add", "#add=https%3A%2F%2Fexample.org%2Fa.iso", 1440, 900, False, "document.querySelector('#add summary').click()", 2),
    ("limits", "#/limits", 1440, 900, False, "", 2),
    ("feeds", "#/feeds", 1440, 900, True, "document.getElementById('feed-url').value = 'https://podcasts.example.org/feed.xml'; document.querySelector('#view form').requestSubmit()", 2),
    ("about", "#/about", 1440, 900, False, "", 2),
    ("narrow", "#/", 360, 740, False, "", 2),
    ("narrow-dark", "#/jobs/10", 360, 740, True, "", 2),
    ("narrow-add", "#add=https%3A%2F%2Fexample.org%2Fa.iso", 360, 740, False, "", 2),
    ("narrow-limits", "#/limits", 360, 740, False, "", 2),
    ("4k", "#/jobs/4", 3840, 2160, True, "", 8),
]

#: Paths below the origin that a real program fetches for the pictures.
FETCHED = ["file/1500M/9M/debian-13.2.0-amd64-DVD-1.iso", "file/400M/4M/model-q4.safetensors", "file/200M/2M/map-tiles.pmtiles",
           "file/3M/9M/notes.txt", "missing/old-release.bin", *(f"file/90M/1M/backup-{day}.img" for day in ("mon", "tue", "wed"))]
REAL = [("page-job", "#/jobs/1", 1280, 860, True, "", 9), ("page-list", "#/", 1280, 520, False, "", 3)]


def look(browser, width, height, dark):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def take(browser, directory, url, pictures):
    for name, fragment, width, height, dark, script, wait in pictures:
        look(browser, width, height, dark)
        browser.get("about:blank")
        browser.get(f"{url}/{fragment}")
        time.sleep(wait)
        if script:
            browser.execute_script(script)
            time.sleep(1)
        browser.save_screenshot(str(directory / f"{name}.png"))
        print(directory / f"{name}.png", flush=True)


def take_real(browser, directory):
    origin, service = Origin(), Service()
    try:
        service.add(*(f"{origin.url}/{path}" for path in FETCHED))
        take(browser, directory, service.url, REAL)
    finally:
        service.close()
        origin.close()


def main():
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "shots"
    directory.mkdir(parents=True, exist_ok=True)
    browser = open_browser()
    services = []
    try:
        if os.environ.get("PAGE_PROGRAM"):
            return take_real(browser, directory)
        for arguments, pictures in (
            (["--demo"], PICTURES),
            (["--demo", "--jobs", "10000"], [("10000", "#/", 1440, 900, False, "document.getElementById('viewport').scrollTop = 200000", 4)]),
            ([], [("empty", "#/", 1440, 900, False, "", 2), ("empty-dark", "#/", 1440, 900, True, "", 2)]),
        ):
            services.append(Service(*arguments))
            take(browser, directory, services[-1].url, pictures)
        services[-1].stop()
        time.sleep(1)
        browser.save_screenshot(str(directory / "away.png"))
        services.pop()
        secret = Service(secret="s")
        services.append(secret)
        take(browser, directory, secret.url, [("login", "#/", 1440, 900, False, "", 2)])
    finally:
        browser.quit()
        for service in services:
            service.close()


if __name__ == "__main__":
    main()
