// Takes a download over from the browser, which has the head of the answer by then. The browser's own download is given up only when
// dray has the job on disk. Otherwise the browser keeps it.

import { HostError, host } from "./host.js";
import { cookiesFor } from "./jobs.js";
import { tell } from "./notices.js";
import { continued, fileName, requestFor, sentence, sizeText } from "./rules.js";

/** The id of the notification that offers a file to the browser: the URL follows. */
export const OFFER = "offer:";
/** When a job that was taken over is looked at, in milliseconds after another. */
const LOOKS = [1_000, 2_000, 4_000];

/**
 * Hands a download over. Returns whether dray has it.
 * @param item The browser's DownloadItem.
 * @param pauses Whether the browser can pause without ending the connection.
 * @param size The length of the file, if the head of the answer said it. dray refuses a file of another length, such as a page for the login.
 */
export async function handOver(item, settings, pauses, size) {
  if (pauses) await chrome.downloads.pause(item.id).catch(() => {});
  const name = fileName(item.filename) || item.url;
  let answer;
  try {
    answer = await ask(item, settings, size);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    answer = { ok: false, code: error.kind, message: error.message };
  }
  if (answer.ok) {
    if (await giveUp(item)) {
      if (settings.tellsOfSuccess) await tell(answer.kept > 0 ? `dray continues ${name}` : "dray takes over", successText(answer, name));
      watch(answer.job, item, name);
      return true;
    }
    // The browser was faster. Its file is whole, so dray's job is not needed.
    await takeBack(answer);
    return false;
  }
  if (pauses) await chrome.downloads.resume(item.id).catch(() => {});
  const id = answer.code === "away" ? "away" : null;
  await tell("The browser keeps this download", `${name}: ${sentence(answer)}`, { isProblem: true, id });
  return false;
}

function successText(answer, name) {
  const what = answer.kept > 0 ? `with this link, at ${sizeText(answer.kept)}` : answer.output || name;
  return answer.message ? `${what}: ${answer.message}` : what;
}

/** Removes a job that is not needed, unless it was there before. */
async function takeBack(answer) {
  if (answer.ok && answer.job && !answer.existing) await host.request({ type: "remove", job: answer.job }).catch(() => {});
}

/** Asks dray to continue a stopped job with this link, or else to add one. */
async function ask(item, settings, size) {
  const url = item.finalUrl || item.url;
  const facts = {
    name: fileName(item.filename),
    size,
    mime: item.mime,
    referrer: item.referrer,
    userAgent: navigator.userAgent,
    cookies: await cookiesFor(url, item.cookieStoreId),
    origin: "download",
  };
  const request = requestFor(url, facts);
  if (settings.continuesStopped) {
    const stopped = continued(await host.request({ type: "matches", url, name: request.name, size: request.size }));
    if (stopped !== null) {
      const answer = await host.request({ type: "relink", job: stopped.job, ...request });
      if (answer.ok) return { job: stopped.job, kept: stopped.bytes, ...answer, existing: true };
    }
  }
  // An answer that comes after the browser went on must not leave a second download of the file.
  return await host.requestTwice({ type: "add", ...request }, takeBack);
}

/** Ends the browser's download and removes it from the browser's list. Returns `false` if it is complete already. */
async function giveUp(item) {
  await chrome.downloads.cancel(item.id).catch(() => {});
  const [now] = await chrome.downloads.search({ id: item.id });
  if (now?.state === "complete") return false;
  await chrome.downloads.erase({ id: item.id }).catch(() => {});
  return true;
}

/** Looks at a job for a moment: a site may refuse dray what it gave the browser, and the user can then let the browser fetch it. */
async function watch(job, item, name) {
  for (const pause of LOOKS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const answer = await host.request({ type: "list" }).catch(() => null);
    const found = answer?.jobs?.find((listed) => listed.job === job);
    if (found === undefined || found.state === "complete") return;
    if (found.state === "failed" || (found.state === "interrupted" && found.bytes === 0)) {
      const text = `${found.message || found.state}. Click here to let the browser download it.`;
      await tell(`dray cannot fetch ${name}`, text, { isProblem: true, id: `${OFFER}${item.url}` });
      return;
    }
  }
}

/** Lets the browser fetch what dray could not. Downloads that an extension began are never taken over. */
export async function letBrowserFetch(url) {
  await chrome.downloads.download({ url });
}
