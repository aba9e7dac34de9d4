// A row of the list. It shows one job at a time, and is reused for other jobs.

import { actionNames, canDo, mainAction } from "./actions.js";
import { h, icon, plain, setAttribute, setFill, setText } from "./dom.js";
import * as format from "./format.js";
import { fileName, host } from "./names.js";
import { isWaiting } from "./queue.js";

/** @typedef {import("./types.js").Job} Job */

/** The elements of a row. The list handles the events of all rows. */
export class Row {
  id = -1;
  #state = "";
  #stateIcon = h("span", { class: "state-icon" });
  #name = h("a", { class: "name", tabindex: "-1" });
  #host = h("span", { class: "host" });
  #word = h("span", { class: "word" });
  #detail = h("span", { class: "detail" });
  #fill = h("span", { class: "fill" });
  #bar = h("div", { class: "bar", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100" }, this.#fill);
  #percent = h("span", { class: "percent" });
  #size = h("span");
  #rate = h("span");
  #left = h("span");
  #check = h("input", { type: "checkbox", tabindex: "-1" });
  #main = h("button", { type: "button", class: "icon-only", tabindex: "-1" });
  #remove = h("button", { type: "button", class: "icon-only", tabindex: "-1", "data-action": "remove" }, icon("remove"));
  #handle = h("span", { class: "handle", "aria-hidden": "true" }, icon("handle"));
  element = h("div", { role: "row", class: "row", tabindex: "-1" },
    h("span", { role: "gridcell", class: "c-select" }, this.#handle, this.#check),
    h("span", { role: "gridcell", class: "c-state" }, this.#stateIcon, this.#word),
    h("span", { role: "gridcell", class: "c-name" }, this.#name, h("span", { class: "second" }, this.#host, this.#detail)),
    h("span", { role: "gridcell", class: "c-bar" }, this.#bar, this.#percent),
    h("span", { role: "gridcell", class: "c-size" }, this.#size),
    h("span", { role: "gridcell", class: "c-rate" }, this.#rate),
    h("span", { role: "gridcell", class: "c-left" }, this.#left),
    h("span", { role: "gridcell", class: "c-actions" }, this.#main, this.#remove));

  /**
   * Shows a job.
   * @param {Job} job
   * @param {import("./queue.js").Queue} queue
   * @param {{index: number, selected: boolean, current: boolean, open: boolean, movable: boolean}} how
   */
  show(job, queue, how) {
    const numbers = queue.numbers(job);
    const name = fileName(job);
    if (this.id !== job.id) {
      this.id = job.id;
      this.element.dataset.id = String(job.id);
      this.#name.setAttribute("href", `#/jobs/${job.id}`);
    }
    setText(this.#name, name);
    setText(this.#host, host(job));
    setAttribute(this.#name, "title", name);
    this.#showState(job, name);
    setText(this.#detail, detail(job, numbers));
    // A job that only tries to connect has a reason to show, and no rate.
    const connects = job.state === "active" && numbers.phase !== null && numbers.phase !== "receiving" && !numbers.rate;
    this.element.classList.toggle("connects", connects);
    setAttribute(this.#detail, "title", job.error ? plain(job.error.message) : null);
    this.#showBar(job, numbers, name);
    setText(this.#size, job.state === "complete" ? format.size(numbers.received) : sizes(numbers));
    setText(this.#rate, job.state === "active" ? (numbers.rate === null ? "–" : format.rate(numbers.rate)) : "");
    setText(this.#left, time(job, numbers));
    this.#showPlace(how);
  }

  /** @param {Job} job @param {string} name */
  #showState(job, name) {
    if (this.#state !== job.state) {
      this.#state = job.state;
      this.element.dataset.state = job.state;
      this.#stateIcon.replaceChildren(icon(job.state));
      setText(this.#word, job.state);
    }
    const action = mainAction(job);
    if (this.#main.dataset.action !== (action ?? "more")) {
      this.#main.dataset.action = action ?? "more";
      this.#main.replaceChildren(icon(action ?? "more"));
      setAttribute(this.#main, "aria-haspopup", action ? null : "menu");
    }
    label(this.#main, action ? `${actionNames[action]} ${name}` : `Path, link and more of ${name}`);
    this.#remove.hidden = !canDo("remove", job);
    label(this.#remove, `Remove ${name}`);
    setAttribute(this.#check, "aria-label", `Select ${name}`);
    this.element.classList.toggle("waits", isWaiting(job));
  }

  /** @param {Job} job @param {ReturnType<import("./queue.js").Queue["numbers"]>} numbers @param {string} name */
  #showBar(job, numbers, name) {
    const percent = job.state === "complete" ? 100 : format.percent(numbers.received, numbers.size);
    const unknown = percent === null && job.state === "active";
    // Show a bar only for a job that has begun and not ended.
    this.element.classList.toggle("no-bar", job.state === "complete" || job.state === "failed" || (numbers.received === 0 && job.state !== "active"));
    this.#bar.classList.toggle("unknown", unknown);
    setFill(this.#fill, percent ?? 0);
    setAttribute(this.#bar, "aria-label", `Progress of ${name}`);
    setAttribute(this.#bar, "aria-valuenow", percent);
    setText(this.#percent, percent === null ? "" : `${percent} %`);
  }

  /** @param {{index: number, selected: boolean, current: boolean, open: boolean, movable: boolean}} how */
  #showPlace(how) {
    setAttribute(this.element, "aria-rowindex", how.index + 1);
    setAttribute(this.element, "aria-selected", String(how.selected));
    setAttribute(this.element, "tabindex", how.current ? 0 : -1);
    for (const control of [this.#name, this.#check, this.#main, this.#remove]) {
      setAttribute(control, "tabindex", how.current ? 0 : -1);
    }
    this.#check.checked = how.selected;
    this.element.classList.toggle("open", how.open);
    this.element.classList.toggle("movable", how.movable);
  }
}

/** @param {HTMLElement} control @param {string} text */
function label(control, text) {
  setAttribute(control, "aria-label", text);
  setAttribute(control, "title", text);
}

/**
 * Returns the second line: why a job is not progressing, or its progress.
 * @param {Job} job
 * @param {*} numbers
 * @returns {string}
 */
export function detail(job, numbers) {
  if (job.error && (job.state === "failed" || job.state === "interrupted")) return reason(job);
  if (job.state === "active") {
    if (numbers.phase && numbers.phase !== "receiving") return job.error ? `${numbers.phase} after: ${reason(job)}` : numbers.phase;
    return numbers.connections > 1 ? `${numbers.connections} connections` : "";
  }
  if (job.state === "queued") return wait(job, numbers) || plain(job.note ?? "");
  if (job.state === "complete" && job.digest && job.digestSource !== "computed") return `${job.digest.split("=")[0]} verified`;
  return job.note ? plain(job.note) : "";
}

/** The waits of which the rest of the job says nothing. @type {Object<string, string>} */
const wordsOfWaits = { disk: "waits for room on the disk", origin: "its server has enough jobs", lease: "its program does not answer" };

/** Returns why a queued job waits. @param {Job} job @param {*} numbers */
function wait(job, numbers) {
  const now = Date.now() / 1000;
  if (job.after.length > 0) return `after ${numbers.after.map((/** @type {*} */ other) => (other.id ? fileName(other) : `job ${other}`)).join(", ")}`;
  if ((job.startAt ?? 0) > now) return `starts ${format.moment(job.startAt ?? 0)}`;
  if ((job.hold?.until ?? 0) > now) return held(job);
  if ((job.notBefore ?? 0) > now) return `tries again at ${format.moment(job.notBefore ?? 0)}${job.error ? `: ${reason(job)}` : ""}`;
  const queue = job.queue ? inQueue(job.queue, numbers.queue) : "";
  if (queue && numbers.queue && numbers.queue.state !== "open") return queue;
  if (job.between) return `between ${plain(job.between)}`;
  // Of all jobs. Those that were active when it closed may still be stopping.
  const other = job.waits && wordsOfWaits[job.waits.for];
  if (other) return other;
  if (numbers.between && !numbers.busy) return `all between ${plain(numbers.between)}`;
  if (queue) return queue;
  if (job.group) return plain(job.group.name);
  return numbers.busy ? "waits for a free place" : "";
}

/**
 * Returns why a job of a named queue waits.
 * @param {string} name
 * @param {?import("./types.js").NamedQueue} queue
 */
export function inQueue(name, queue) {
  const words = { open: "", paused: " is paused", spent: " has used up its quota", closed: " is closed" }[queue?.state ?? "open"];
  const until = words && queue?.opensAt ? ` until ${format.moment(queue.opensAt)}` : "";
  return `queue ${plain(name)}${words}${until}`;
}

/** Returns the reason for a hold on a job. @param {Job} job @returns {string} */
export function held(job) {
  if (!job.hold) return "";
  const other = plain(job.hold.origin.replace(/^[a-z0-9]+:\/\//, ""));
  const asked = job.hold.status ? `answered ${job.hold.status}` : "asked to wait";
  const whom = job.hold.job && job.hold.job !== job.id ? ` to job ${job.hold.job}` : "";
  return `waits until ${format.moment(job.hold.until)}: ${other === host(job) ? "server" : other} ${asked}${whom}`;
}

/** Returns the message of an error without the URL, which is shown already, and without the advice. @param {Job} job */
export function reason(job) {
  const message = plain(job.error?.message ?? "");
  const start = message.startsWith(`${job.url}: `) ? job.url.length + 2 : 0;
  const end = message.indexOf("; ", start);
  return message.slice(start, end < 0 ? undefined : end);
}

/** @param {{received: number, size: ?number}} numbers */
function sizes(numbers) {
  if (numbers.received === 0) return numbers.size === null ? "" : format.size(numbers.size);
  return format.pair(numbers.received, numbers.size);
}

/** @param {Job} job @param {{received: number, size: ?number, rate: ?number}} numbers */
function time(job, numbers) {
  if (job.state === "active") {
    if (numbers.rate === null) return "–";
    return numbers.size === null ? "" : format.remaining((numbers.size - numbers.received) / numbers.rate);
  }
  if (job.finishedAt === null) return "";
  const moment = format.moment(job.finishedAt);
  return moment.length > 5 ? moment : `at ${moment}`;
}
