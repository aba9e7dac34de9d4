// Hands links over to dray, for menus and pages of the extension.

import { HostError, host } from "./host.js";
import { MOST_LINKS, outcome, requestFor, uniqueLinks } from "./rules.js";
import { tell } from "./notices.js";

/** The cookies that the browser would send to this URL. */
export async function cookiesFor(url, storeId) {
  const details = { url };
  // Firefox may keep the cookies of each site apart. Those of downloads are the usual ones.
  if (chrome.runtime.getURL("").startsWith("moz-extension:")) details.firstPartyDomain = null;
  if (storeId) details.storeId = storeId;
  try {
    return await chrome.cookies.getAll(details);
  } catch {
    // The user may have denied access to this site. dray then asks without cookies.
    return [];
  }
}

/** The request for a link. Its size and type are not known yet. */
export async function linkRequest(url, referrer, origin, storeId) {
  const cookies = await cookiesFor(url, storeId);
  return requestFor(url, { referrer, userAgent: navigator.userAgent, cookies, origin });
}

/** Adds one link. Returns the answer; `unavailable` if there is none. */
export async function addLink(url, referrer, origin, storeId) {
  try {
    return await host.requestTwice({ type: "add", ...(await linkRequest(url, referrer, origin, storeId)) });
  } catch (error) {
    if (!(error instanceof HostError)) console.error(error);
    return { ok: false, code: "unavailable", message: error.message, advice: error.advice };
  }
}

/** Adds links, and tells what came of it. Returns the answers by URL. */
export async function addLinks(links, referrer, origin, storeId) {
  const unique = uniqueLinks(links);
  if (unique.length === 0) {
    await tell("No links here", "dray found no links of http, https or ftp", { isProblem: true });
    return new Map();
  }
  if (unique.length > MOST_LINKS) {
    await tell("Too many links", `${unique.length} links, and at most ${MOST_LINKS} can be added at once: choose fewer`, { isProblem: true });
    return new Map();
  }
  const answers = await Promise.all(unique.map((link) => addLink(link.url, referrer, origin, storeId)));
  const isFine = answers.every((answer) => answer.ok);
  await tell(isFine ? "Added to dray" : "dray did not take everything", outcome(answers), { isProblem: !isFine });
  return new Map(unique.map((link, at) => [link.url, answers[at]]));
}
