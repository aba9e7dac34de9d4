// The facts about a job, as tables: request, response, digests, attempts.

import { h, link, plain } from "./dom.js";
import * as format from "./format.js";

/** Fields of a table: name and value. @typedef {[string, string|number|Node|null|undefined]} Fact */

/** @param {string} title @param {Fact[]} facts */
function table(title, facts) {
  const shown = facts.filter(([, value]) => value || value === 0);
  if (shown.length === 0) return null;
  return h("section", {}, h("h3", {}, title),
    h("dl", {}, ...shown.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value instanceof Node ? value : plain(String(value)))])));
}

/** @param {string} text */
const mono = (text) => h("span", { class: "mono" }, plain(text));

/** Header fields. @param {{name: string, value: string}[]} fields */
function fieldList(fields) {
  if (fields.length === 0) return null;
  return h("details", {}, h("summary", {}, format.count(fields.length, "field")),
    h("ul", {}, ...fields.map(({ name, value }) => h("li", { class: "mono" }, `${plain(name)}: ${plain(value)}`))));
}

/** @param {*} details */
export function file(details) {
  return table("File", [
    ["target", details.target && mono(details.target)],
    ["queue", details.queue],
    ["times", details.between],
    ["after", details.after[0] && h("span", {}, ...details.after.map((/** @type {number} */ id) => h("a", { href: `#/jobs/${id}` }, `job ${id} `)))],
    ["group", details.group?.name],
    ["added", format.moment(details.addedAt, true)],
    ["ended", details.finishedAt === null ? null : format.moment(details.finishedAt, true)],
    ["note", details.note],
  ]);
}

/** @param {*} details */
export function request(details) {
  const { request, mirrors } = details;
  return table("Request", [
    [request.method, link(details.url)],
    ["mirrors", mirrors.length > 0 ? h("ul", {}, ...mirrors.map((/** @type {string} */ url) => h("li", {}, link(url)))) : null],
    ["fields", request.fields.length > 0 ? h("ul", {}, ...request.fields.map((/** @type {string} */ field) => h("li", { class: "mono" }, plain(field)))) : null],
    ["user agent", request.userAgent],
    ["connections", `at most ${request.maxConnections}`],
    ["retries", request.retries],
    ["if it exists", request.onConflict],
    ["certificates", request.insecure ? "not checked" : null],
  ]);
}

/** @param {*} details */
export function response(details) {
  const { response, validators } = details;
  if (!response) return null;
  return table("Response", [
    ["status", response.status === null ? null : `${response.status}${response.httpVersion ? `, HTTP/${response.httpVersion}` : ""}`],
    ["final URL", response.finalURL === details.url ? null : link(response.finalURL)],
    ["redirects", response.redirects.length || null],
    ["server", response.address && `${response.address} port ${response.port}`],
    ["TLS", response.tls?.version],
    ["type", response.mediaType],
    ["resumable", response.resumable ? "yes" : `no: ${response.resumableReason}`],
    ["ETag", validators.etag && mono(validators.etag)],
    ["last modified", validators.lastModified],
    ["first byte", response.timings && `after ${Math.round(response.timings.firstByte * 1000)} ms`],
    ["fields", fieldList(response.fields)],
  ]);
}

/** @param {*} details */
export function digests(details) {
  return table("Digests", [
    [details.digestSource === "computed" ? "recorded" : "verified", details.digest && mono(details.digest)],
    ["from", details.digestSource],
    ["expected", details.expectedDigest && mono(details.expectedDigest)],
    ...details.offeredDigests.map((/** @type {{digest: string, source: string}} */ { digest, source }) => [`offered (${plain(source)})`, mono(digest)]),
  ]);
}

/** @param {*} details */
export function attempts(details) {
  const history = details.attemptHistory;
  if (history.length === 0) return null;
  return h("section", {}, h("h3", {}, "Attempts"),
    h("ol", { class: "attempts" }, ...[...history].reverse().map((/** @type {*} */ attempt) => h("li", {},
      h("div", {}, h("strong", {}, plain(attempt.outcome)),
        ` ${format.moment(attempt.startedAt, true)}, after ${format.elapsed(attempt.endedAt - attempt.startedAt)}`,
        attempt.lastByte === null ? "" : `, ${format.size(attempt.lastByte - (attempt.firstByte ?? 0))}`),
      attempt.message ? h("div", { class: "hint" }, plain(attempt.message)) : null))));
}
