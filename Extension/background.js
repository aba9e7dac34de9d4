// The background of the extension: connects events of the browser with decisions (rules.js) and what follows (takeover.js, menus.js).
// A service worker is stopped when it is idle, so whatever must outlive that is in `chrome.storage.session`.

import { createMenus, menuClicked } from "./menus.js";
import { OFFER, handOver, letBrowserFetch } from "./takeover.js";
import { fetchable, keyHeld, noteAnswer, noteClick, noteRequest, settingsFrom, sizeOf, verdict, wasUnsafe, withSize } from "./rules.js";

/** The kinds of requests whose answers can become downloads. */
const TYPES = ["main_frame", "sub_frame", "object", "other"];

/** Requests that may not be repeated, clicks with the key held, origins that asked for a password. */
const seen = { unsafe: {}, clicks: [], logins: [] };
const restored = chrome.storage.session.get("seen").then(({ seen: kept }) => {
  if (!kept) return;
  seen.unsafe = { ...kept.unsafe, ...seen.unsafe };
  seen.clicks = [...kept.clicks, ...seen.clicks];
  seen.logins = [...new Set([...kept.logins, ...seen.logins])];
});

async function keep() {
  await restored;
  await chrome.storage.session.set({ seen });
}

async function settings() {
  return settingsFrom((await chrome.storage.local.get("settings")).settings);
}

async function judged(item) {
  await restored;
  const chosen = await settings();
  const now = Date.now();
  const origins = [item.url, item.finalUrl].map((url) => fetchable(url)?.origin);
  const facts = {
    wasUnsafe: wasUnsafe(seen.unsafe, item, now),
    hasLogin: origins.some((origin) => seen.logins.includes(origin)),
    keyHeld: keyHeld(seen.clicks, item, now),
  };
  return { chosen, ...verdict(item, chosen, facts) };
}

// Without access to sites, nobody says which requests may be repeated, and there are no cookies: the browser keeps everything.
async function hasAccess() {
  return await chrome.permissions.contains({ origins: ["<all_urls>"] });
}

/** The lengths of files by URL. */
let lengths = {};

async function consider(item, pauses) {
  const { take, chosen } = await judged(item);
  if (take && (await hasAccess())) await handOver(item, chosen, pauses, lengths[item.finalUrl || item.url]);
}

if (chrome.downloads.onDeterminingFilename) {
  // Chromium: no file has its name yet, and no dialog was shown.
  chrome.downloads.onDeterminingFilename.addListener((item, suggest) => {
    consider(item, true)
      .catch((error) => console.error(error))
      .finally(() => {
        try {
          suggest();
        } catch {
          // The download is over, or the browser has stopped waiting for the name.
        }
      });
    return true;
  });
} else {
  // Firefox: a pause would end the connection, and a link may work only once, so the browser goes on until dray has the job.
  // The head of an answer is reported a moment after the download has begun.
  const sized = async (item) => {
    for (let look = 0; look < 10 && sizeOf(withSize(item, lengths)) === null; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return withSize(item, lengths);
  };
  chrome.downloads.onCreated.addListener((item) => {
    if (item.state !== "in_progress") return;
    sized(item)
      .then((known) => consider(known, false))
      .catch((error) => console.error(error));
  });
}

chrome.webRequest.onBeforeRequest.addListener(
  (request) => {
    const records = noteRequest(seen.unsafe, request);
    if (records === null) return;
    seen.unsafe = records;
    keep();
  },
  { urls: ["<all_urls>"], types: TYPES },
);

chrome.webRequest.onHeadersReceived.addListener(
  (answer) => {
    lengths = noteAnswer(lengths, answer);
  },
  { urls: ["<all_urls>"], types: TYPES },
  ["responseHeaders"],
);

chrome.webRequest.onAuthRequired.addListener(
  (request) => {
    const origin = fetchable(request.url)?.origin;
    if (request.isProxy || !origin || seen.logins.includes(origin)) return;
    seen.logins = [...seen.logins, origin].slice(-200);
    keep();
  },
  { urls: ["<all_urls>"] },
);

chrome.runtime.onMessage.addListener((message, sender) => {
  if (sender.id !== chrome.runtime.id || message?.type !== "not-this-time") return;
  seen.clicks = noteClick(seen.clicks, { url: message.url, time: Date.now() });
  keep();
});

chrome.runtime.onInstalled.addListener(createMenus);
chrome.runtime.onStartup.addListener(createMenus);
chrome.contextMenus.onClicked.addListener((info, tab) => {
  menuClicked(info, tab).catch((error) => console.error(error));
});
chrome.notifications.onClicked.addListener((id) => {
  chrome.notifications.clear(id);
  if (id.startsWith(OFFER)) letBrowserFetch(id.slice(OFFER.length)).catch((error) => console.error(error));
});
