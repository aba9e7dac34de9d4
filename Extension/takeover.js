// Takes a download over from the browser, which has the head of the answer by then. The browser's own download is given up only when
// dray has the job on disk. Otherwise the browser keeps it.

import { HostError, host } from "./host.js";
import { cookiesFor } from "./jobs.js";
import { tell } from "./notices.js";
import { continued, endOf, fileName, isFetched, requestFor, sentence, shortURL, sizeText, undoing } from "./rules.js";

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
  const name = fileName(item.filename) || shortURL(item.url);
  let answer;
  try {
    answer = await ask(item, settings, size);
  } catch (error) {
    // Whatever it is, the browser's download must go on.
    if (!(error instanceof HostError)) console.error(error);
    answer = { ok: false, code: error.kind, message: error.message, advice: error.kind === "slow" ? undefined : error.advice };
  }
  if (answer.ok) {
    if (await giveUp(item)) {
      if (settings.tellsOfSuccess) await tell(answer.kept > 0 ? `dray continues ${name}` : "dray takes over", successText(answer, name));
      watch(answer.job, item, name).catch((error) => console.error(error));
      return true;
    }
    // The browser was faster, and its file is whole; or the user has cancelled the download. dray's job is not needed.
    await takeBack(answer, name);
    return false;
  }
  const [now] = await chrome.downloads.search({ id: item.id });
  if (endOf(now) === "canceled") return false;
  let text = `${name}: ${sentence(answer)}`;
  if (pauses && !(await goOn(item))) text += ". It is paused: resume it in the browser's list of downloads";
  const id = answer.code === "away" ? "away" : null;
  await tell("The browser keeps this download", text, { isProblem: true, id });
  return false;
}

/** Lets a paused download go on. Returns `false` if it stays paused. */
async function goOn(item) {
  try {
    await chrome.downloads.resume(item.id);
    return true;
  } catch {
    // A download that was not paused, or is over, cannot be resumed either.
    const [now] = await chrome.downloads.search({ id: item.id });
    return now?.paused !== true || now.canResume === false;
  }
}

function successText(answer, name) {
  const what = answer.kept > 0 ? `with this link, at ${sizeText(answer.kept)}` : answer.output || name;
  return answer.message ? `${what}: ${answer.message}` : what;
}

/** Removes a job that is not needed, or stops it again if it was there before. */
async function takeBack(answer, name) {
  const action = undoing(answer);
  if (action === null) return;
  const result = await host.request({ type: action, job: answer.job }).catch((error) => ({ ok: false, message: error.message }));
  if (result.ok) return;
  // A job that is complete, stopped or gone cannot be undone, and nothing is fetched twice.
  if (!isFetched(await host.request({ type: "list" }).catch(() => null), answer.job)) return;
  const command = `dray ${action} ${answer.number ?? answer.job}`;
  await tell("dray fetches this, too", `${name}: ${sentence(result)}. Run: ${command}`, { isProblem: true });
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
      const late = (answer) => takeBack({ ...answer, job: stopped.job, continues: true }, facts.name);
      const answer = await host.request({ type: "relink", job: stopped.job, ...request }, late);
      if (answer.ok) return { job: stopped.job, kept: stopped.bytes, ...answer, existing: true, continues: true };
    }
  }
  // An answer that comes after the browser went on must not leave a second download of the file.
  return await host.requestTwice({ type: "add", ...request }, (answer) => takeBack(answer, facts.name));
}

/**
 * Ends the browser's download and removes it from the browser's list. Returns `false` if it is complete already, or if the user has
 * cancelled it while dray was asked. Chromium shows that only after the file has its name, so there dray keeps the job.
 */
async function giveUp(item) {
  const [before] = await chrome.downloads.search({ id: item.id });
  if (endOf(before) !== "open") return false;
  // It fails for a download that has just ended, which the search shows.
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
    // The next look may succeed.
    if (!answer?.ok) continue;
    const found = answer.jobs?.find((listed) => listed.job === job);
    if (found === undefined || found.state === "complete") return;
    if (found.state === "failed" || (found.state === "interrupted" && found.bytes === 0)) {
      const text = `${found.message || found.state}. Click here to let the browser download it.`;
      await tell(`dray cannot fetch ${name}`, text, { isProblem: true, id: `${OFFER}${item.url}` });
      return;
    }
  }
}

/** Lets the browser fetch what dray could not. Downloads that an extension began are never taken over. Returns whether it has begun. */
export async function letBrowserFetch(url) {
  try {
    await chrome.downloads.download({ url });
    return true;
  } catch (error) {
    await tell("The browser cannot download this", `${shortURL(url)}: ${error.message}. Open its page again, and click the link`, { isProblem: true });
    return false;
  }
}
