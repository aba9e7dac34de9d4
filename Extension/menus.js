// Menus on links, selections and pages.

import { addLink, addLinks } from "./jobs.js";
import { tell } from "./notices.js";
import { fetchable, linksInText, sentence, shortURL, uniqueLinks } from "./rules.js";

const LINKS = ["http://*/*", "https://*/*", "ftp://*/*"];

export async function createMenus() {
  await chrome.contextMenus.removeAll();
  const create = (id, title, contexts, more = {}) => chrome.contextMenus.create({ id, title, contexts, ...more });
  create("link", "Download with dray", ["link"], { targetUrlPatterns: LINKS });
  create("continue", "Continue a stopped download with this link…", ["link"], { targetUrlPatterns: LINKS });
  create("media", "Download this with dray", ["image", "video", "audio"], { targetUrlPatterns: LINKS });
  create("selection", "Download the selected links with dray", ["selection"]);
  create("page", "Choose links of this page for dray…", ["page", "action"]);
}

export async function menuClicked(info, tab) {
  const page = info.frameUrl || info.pageUrl || tab?.url;
  switch (info.menuItemId) {
    case "link":
      return await one(info.linkUrl, page, tab);
    case "media":
      return await one(info.srcUrl, page, tab);
    case "continue":
      return await chooseJob(info.linkUrl, page, tab);
    case "selection":
      return await addSelection(tab, info.frameId ?? 0, page);
    case "page":
      return await chooseLinks(tab);
  }
}

async function one(url, page, tab) {
  if (fetchable(url) === null) return await tell("dray cannot fetch this link", "It is none of http, https or ftp: save it with the browser", { isProblem: true });
  const answer = await addLink(url, page, "link", tab?.cookieStoreId);
  if (answer.ok) return await tell("Added to dray", answer.output || shortURL(url));
  return await tell(answer.code === "exists" ? "dray has this already" : "dray did not take the link", sentence(answer), { isProblem: true });
}

async function chooseJob(url, page, tab) {
  const fields = new URLSearchParams({ url, page: page ?? "", store: tab?.cookieStoreId ?? "" });
  await openBeside(tab, `continue.html?${fields}`);
}

/** Opens a page of the extension behind a tab, which a menu outside of tabs does not have. */
async function openBeside(tab, page) {
  const place = tab ? { index: tab.index + 1 } : {};
  await chrome.tabs.create({ url: chrome.runtime.getURL(page), ...place });
}

async function tellUnreadable() {
  const reason = "The browser shows it to no extension, or access to this site was denied. Allow access in the browser's list of extensions, or use the menu of a link";
  await tell("dray cannot read this page", reason, { isProblem: true });
}

export async function addSelection(tab, frame, page) {
  const found = await collect({ tabId: tab?.id, frameIds: [frame] }, true);
  if (found.problem) return await tellUnreadable();
  await addLinks(found.links, page, "selection", tab.cookieStoreId);
}

/** Opens the page where links of a tab are chosen. */
export async function chooseLinks(tab) {
  const found = await collect({ tabId: tab?.id, allFrames: true }, false);
  if (found.problem) return await tellUnreadable();
  const key = `links-${crypto.randomUUID()}`;
  const links = uniqueLinks(found.links).slice(0, 5000);
  await chrome.storage.session.set({ [key]: { title: tab.title ?? "", page: tab.url ?? "", links, storeId: tab.cookieStoreId } });
  await openBeside(tab, `links.html#${key}`);
}

async function collect(target, onlySelected) {
  try {
    const results = await chrome.scripting.executeScript({ target, func: linksInPage, args: [onlySelected] });
    const frames = results.map((result) => result.result).filter((result) => result);
    const written = frames.flatMap((frame) => linksInText(frame.text));
    return { links: [...frames.flatMap((frame) => frame.links), ...written] };
  } catch {
    return { links: [], problem: true };
  }
}

/** Runs within the page, so it can refer to nothing outside. */
function linksInPage(onlySelected) {
  const chosen = getSelection();
  const ranges = Array.from({ length: chosen.rangeCount }, (_, at) => chosen.getRangeAt(at));
  // A selection often ends at the very beginning of the next link, so something of the link must be in it.
  const isChosen = (link) =>
    ranges.some((range) => {
      if (!range.intersectsNode(link)) return false;
      const part = document.createRange();
      part.selectNodeContents(link);
      if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0) part.setStart(range.startContainer, range.startOffset);
      if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) part.setEnd(range.endContainer, range.endOffset);
      return part.toString() !== "" || part.cloneContents().querySelector("img, svg, picture") !== null;
    });
  const links = [];
  for (const link of document.querySelectorAll("a[href], area[href]")) {
    if (typeof link.href !== "string" || (onlySelected && !isChosen(link))) continue;
    links.push({ url: link.href, text: (link.textContent || link.title || "").slice(0, 400) });
    if (links.length === 5000) break;
  }
  return { links, text: onlySelected ? chosen.toString().slice(0, 200_000) : "" };
}
