// The decisions of the extension, without calls to the browser. Tests/Extension/rules.test.js has their tables.

export const MIB = 1024 * 1024;
/** The most links that are handed over at once. */
export const MOST_LINKS = 1000;

export const KEYS = ["Alt", "Shift", "Control", "none"];

export const DEFAULTS = Object.freeze({
  enabled: true,
  minimumSize: MIB,
  takesUnknownSize: true,
  neverHosts: [],
  alwaysHosts: [],
  neverTypes: [],
  alwaysTypes: [],
  key: "Alt",
  continuesStopped: true,
  tellsOfSuccess: true,
});

/** Settings from the browser's storage. A value that is missing or wrong counts as the default. */
export function settingsFrom(stored) {
  const settings = { ...DEFAULTS };
  if (typeof stored !== "object" || stored === null) return settings;
  for (const [name, usual] of Object.entries(DEFAULTS)) {
    const value = stored[name];
    if (Array.isArray(usual)) {
      if (Array.isArray(value)) settings[name] = value.filter((entry) => typeof entry === "string").slice(0, 500);
    } else if (name === "key") {
      if (KEYS.includes(value)) settings.key = value;
    } else if (typeof usual === "number") {
      if (Number.isFinite(value) && value >= 0) settings[name] = value;
    } else if (typeof value === typeof usual) {
      settings[name] = value;
    }
  }
  return settings;
}

/** The entries of a field of the options: separated by blanks, commas or line ends, in lower case, none twice. */
export function entriesFrom(text) {
  return [...new Set(text.toLowerCase().split(/[\s,;]+/).filter((entry) => entry !== ""))].slice(0, 500);
}

/** A host of the options, which may be typed as a URL or with `*.` in front; "" if there is none in it. */
export function hostFrom(entry) {
  const bare = entry.replace(/^\*?\./, "");
  try {
    return new URL(bare.includes("://") ? bare : `http://${bare}`).hostname;
  } catch {
    return "";
  }
}

/** Whether a host is one of the entries, or below one: `example.org` stands for `files.example.org`, too. */
export function hostMatches(host, entries) {
  return entries.some((entry) => {
    const wanted = hostFrom(entry);
    return wanted !== "" && (host === wanted || host.endsWith(`.${wanted}`));
  });
}

/** Whether a file is of one of the types: `iso` and `.iso` are ends of names, `video/*` and `application/pdf` are MIME types. */
export function typeMatches(name, mime, entries) {
  const file = name.toLowerCase();
  const type = mime.toLowerCase().split(";")[0].trim();
  return entries.some((entry) => {
    if (entry.includes("/")) return entry.endsWith("/*") ? type.startsWith(entry.slice(0, -1)) : type === entry;
    const end = entry.replace(/^\*?\.?/, "");
    return end !== "" && file.endsWith(`.${end}`);
  });
}

/** The URL, if dray can fetch it. */
export function fetchable(text) {
  try {
    const url = new URL(text);
    return ["http:", "https:", "ftp:"].includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/** The last part of a path: Firefox names the whole path of a download. */
export function fileName(path) {
  return (path ?? "").split(/[/\\]/).pop();
}

/** The number of bytes, if the browser knows it. */
export function sizeOf(item) {
  const size = [item.fileSize, item.totalBytes].find((value) => Number.isFinite(value) && value > 0);
  return size ?? null;
}

// `file` only means a type such as .deb or .exe; anything else is a warning that the browser must be able to show.
const UNSUSPICIOUS = ["safe", "file", "accepted", undefined];

/**
 * Whether dray takes a download over. Otherwise `why` names the reason, and the browser keeps the download.
 * @param item The browser's DownloadItem.
 * @param facts What else is known: `wasUnsafe` (the request was no GET), `hasLogin` (the browser sent a password that it does not show
 *   to extensions), `keyHeld` (the user wants the browser to keep it).
 */
export function verdict(item, settings, facts = {}) {
  const leave = (why) => ({ take: false, why });
  const final = fetchable(item.finalUrl || item.url);
  if (!settings.enabled) return leave("off");
  if (final === null) return leave("scheme");
  if (item.byExtensionId) return leave("extension");
  if (item.incognito) return leave("private");
  if (!UNSUSPICIOUS.includes(item.danger)) return leave("warning");
  if (facts.wasUnsafe) return leave("method");
  if (facts.hasLogin) return leave("login");
  if (facts.keyHeld) return leave("key");

  const hosts = [final, fetchable(item.url), fetchable(item.referrer)].filter((url) => url !== null).map((url) => url.hostname);
  const isHost = (entries) => hosts.some((host) => hostMatches(host, entries));
  const isType = (entries) => typeMatches(fileName(item.filename) || final.pathname, item.mime ?? "", entries);
  if (isHost(settings.neverHosts)) return leave("host");
  if (isType(settings.neverTypes)) return leave("type");
  if (isHost(settings.alwaysHosts) || isType(settings.alwaysTypes)) return { take: true };

  const size = sizeOf(item);
  if (size === null) return settings.takesUnknownSize ? { take: true } : leave("size");
  return size >= settings.minimumSize ? { take: true } : leave("size");
}

// Requests that may not be repeated. The browser does not say by which method a download was asked for, so each URL that was asked by
// anything but GET stays with the browser for a while.

const UNSAFE_FOR = 10 * 60_000; // milliseconds
const MOST_RECORDS = 200;

/** The records with a request that is not safe to repeat; `null` if it is safe. */
export function noteRequest(records, { url, method, timeStamp }) {
  if (method === "GET" || fetchable(url) === null) return null;
  const recent = Object.entries(records).filter(([old, time]) => old !== url && timeStamp - time <= UNSAFE_FOR);
  return Object.fromEntries([...recent.slice(1 - MOST_RECORDS), [url, timeStamp]]);
}

/**
 * Whether the answer to a download came from a request that may not be repeated. A form that is answered with a redirect to a file
 * (303) is fetched by GET: only the last URL counts.
 */
export function wasUnsafe(records, item, now) {
  const time = records[item.finalUrl || item.url];
  return time !== undefined && now - time <= UNSAFE_FOR;
}

// Sizes. Firefox does not say the size of a download that begins, and Chromium says that of a compressed answer, which is not the file's.
// So the lengths of recent answers are kept.

const MOST_LENGTHS = 50;

/** The lengths with that of an answer, unless its head does not say the length of the file. */
export function noteAnswer(lengths, { url, statusCode, responseHeaders }) {
  const field = (name) => responseHeaders?.find((header) => header.name.toLowerCase() === name)?.value?.trim();
  const length = field("content-length") ?? "";
  const isEncoded = (field("content-encoding") ?? "identity").toLowerCase() !== "identity";
  const isKnown = statusCode === 200 && !isEncoded && /^\d{1,15}$/.test(length);
  const others = Object.entries(lengths).filter(([other]) => other !== url);
  return Object.fromEntries([...others.slice(1 - MOST_LENGTHS), ...(isKnown ? [[url, Number(length)]] : [])]);
}

/** A download with its size, if the browser does not say it. */
export function withSize(item, lengths) {
  const size = lengths[item.finalUrl || item.url];
  return sizeOf(item) === null && size > 0 ? { ...item, fileSize: size } : item;
}

// The key for "not this time".

const SAME_LINK_FOR = 120_000; // a server may take long to answer
const ANY_LINK_FOR = 8_000; // a script may go elsewhere than the link says

/** Adds a click with the key held. */
export function noteClick(clicks, { url, time }) {
  return [...clicks.filter((click) => time - click.time <= SAME_LINK_FOR), { url: url ?? null, time }].slice(-20);
}

/** Whether a download began by a click with the key held. */
export function keyHeld(clicks, item, now) {
  return clicks.some((click) => {
    const age = now - click.time;
    return age <= ANY_LINK_FOR || (age <= SAME_LINK_FOR && (click.url === item.url || click.url === item.finalUrl));
  });
}

// Messages to dray

/** The referrer that a browser would send by its default policy: the origin only to other sites, nothing from https to http. */
export function referrerFor(page, target) {
  const from = fetchable(page);
  const to = fetchable(target);
  if (from === null || to === null || (from.protocol === "https:" && to.protocol !== "https:")) return undefined;
  if (from.origin !== to.origin) return `${from.origin}/`;
  return from.origin + from.pathname + from.search;
}

/** The fields of cookies that dray needs. */
export function cookiesFrom(cookies) {
  return cookies.slice(0, 300).map((cookie) => {
    const { name, value, domain, path, secure, httpOnly, hostOnly, expirationDate } = cookie;
    const copy = { name, value, domain, path, secure, httpOnly, hostOnly };
    return expirationDate === undefined ? copy : { ...copy, expirationDate };
  });
}

/** The fields of `add` and `relink` for a URL. */
export function requestFor(url, { name, size, mime, referrer, userAgent, cookies, origin }) {
  const request = { url, post: false, origin, userAgent, cookies: cookiesFrom(cookies ?? []) };
  if (name) request.name = name;
  if (Number.isSafeInteger(size) && size > 0) request.size = size;
  if (mime) request.mime = mime;
  const from = referrerFor(referrer, url);
  if (from) request.referrer = from;
  return request;
}

/**
 * What became of the browser's download while dray was asked: `complete`, `canceled` by the user, or `open`.
 * @param item The browser's DownloadItem as it is now; nothing if the user removed it from the list.
 */
export function endOf(item) {
  if (!item) return "canceled";
  if (item.state === "complete") return "complete";
  // Firefox says the same of a download that the user has paused.
  return item.state === "interrupted" && item.error === "USER_CANCELED" && !item.paused ? "canceled" : "open";
}

/** The action that undoes an answer whose job is not needed; `null` if there is none. A job that was there before is never removed. */
export function undoing(answer) {
  if (!answer?.ok || !answer.job) return null;
  if (answer.continues) return "pause";
  return answer.existing ? null : "remove";
}

/** Whether dray fetches a job now or later, by its answer to `list`. Without an answer, the job may be fetched. */
export function isFetched(answer, job) {
  if (!answer?.ok) return true;
  return (answer.jobs ?? []).some((listed) => listed.job === job && (listed.state === "active" || listed.state === "queued"));
}

/** The stopped job that a download certainly continues: the only one of the same name and size whose link was refused. */
export function continued(answer) {
  const certain = (answer?.matches ?? []).filter((match) => match.certain === true && typeof match.job === "string");
  return certain.length === 1 ? certain[0] : null;
}

// Links of pages

/** The links that dray can fetch, none twice, without fragments. */
export function uniqueLinks(links) {
  const found = new Map();
  for (const link of links) {
    const url = fetchable(link.url);
    if (url === null) continue;
    url.hash = "";
    if (!found.has(url.href)) found.set(url.href, { url: url.href, text: (link.text ?? "").trim().replace(/\s+/g, " ").slice(0, 200) });
  }
  return [...found.values()];
}

/** The URLs in a text, without the punctuation behind them. */
export function linksInText(text) {
  return [...text.matchAll(/\b(?:https?|ftp):\/\/[^\s<>"'`]+/gi)].map((found) => ({ url: found[0].replace(/[.,;:!?)\]}]+$/, ""), text: "" }));
}

/** The links that have all words in their URL or text; `.iso` is the end of a path. */
export function filtered(links, words) {
  const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return links.filter((link) => {
    const whole = `${link.url} ${link.text}`.toLowerCase();
    const path = new URL(link.url).pathname.toLowerCase();
    return wanted.every((word) => (word.startsWith(".") ? path.endsWith(word) : whole.includes(word)));
  });
}

/** What is said after several links were handed over. */
export function outcome(answers) {
  const added = answers.filter((answer) => answer.ok).length;
  const known = answers.filter((answer) => !answer.ok && answer.code === "exists").length;
  const others = answers.filter((answer) => !answer.ok && answer.code !== "exists");
  const parts = [`${added} added`];
  if (known > 0) parts.push(`${known} already there`);
  if (others.length > 0) parts.push(`${others.length} refused: ${sentence(others[0])}`);
  return parts.join(", ");
}

// Texts

/** Message and advice of an answer that is not ok. */
export function sentence(answer) {
  return [answer?.message, answer?.advice].filter((part) => typeof part === "string" && part !== "").join(". ").slice(0, 500) || "no reason given";
}

/** The file name and the host of a URL. The rest may contain secrets, which do not belong into notices. */
export function shortURL(text) {
  const url = fetchable(text);
  if (url === null) return "the link";
  const name = fileName(url.pathname);
  return name === "" ? url.host : `${name} of ${url.host}`;
}

/** A number of bytes, as dray writes it: rounded down. */
export function sizeText(bytes) {
  if (!Number.isFinite(bytes) || bytes < 0) return "?";
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${(Math.floor(value * 10) / 10).toFixed(1)} ${units[unit]}`;
}

/** A time in seconds as `1:02:03`, `2:03` or `4 s`. */
export function timeText(seconds) {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (parts[0] === 0) parts.shift();
  return parts.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** The line below a job's bar. */
export function jobText(job) {
  const size = job.size > 0 ? `${sizeText(job.bytes)} of ${sizeText(job.size)}` : sizeText(job.bytes);
  if (job.state === "complete") return sizeText(job.size ?? job.bytes);
  if (job.state !== "active") return [job.state, job.bytes > 0 ? size : "", job.message ?? ""].filter((part) => part !== "").join(" · ");
  const parts = [size];
  if (job.rate > 0) parts.push(`${sizeText(job.rate)}/s`);
  if (job.rate > 0 && job.size > job.bytes) parts.push(`${timeText((job.size - job.bytes) / job.rate)} left`);
  return parts.join(" · ");
}

/** The actions that a job's state allows, in the order of their buttons. */
export function actionsFor(state) {
  switch (state) {
    case "active":
    case "queued":
      return ["pause", "remove"];
    case "paused":
    case "interrupted":
      return ["resume", "remove"];
    case "failed":
      return ["retry", "remove"];
    default:
      return ["remove"];
  }
}
