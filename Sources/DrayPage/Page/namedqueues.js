// The named queues, in the view of the limits: their state, and forms for their limits and times.

import { get, request } from "./api.js";
import { button, h, plain } from "./dom.js";
import * as format from "./format.js";
import { labelled } from "./labels.js";

/** @typedef {import("./types.js").NamedQueue} NamedQueue */

/** The settings with a field each. @type {{key: "jobs"|"rate"|"between"|"quota"|"directory", label: string, hint: string, list?: string}[]} */
const fields = [
  { key: "jobs", label: "Jobs at once", hint: "no limit" },
  { key: "rate", label: "Rate of its jobs together", hint: "no limit" },
  { key: "between", label: "Times", hint: "always", list: "windows" },
  { key: "quota", label: "Quota", hint: "none, or 10G/day" },
  { key: "directory", label: "Directory", hint: "the service's own" },
];

/** Returns the state and the limits of a queue in words. @param {NamedQueue} queue @returns {string} */
export function words(queue) {
  const waiting = queue.counts.queued + queue.counts.interrupted + queue.counts.paused;
  const word = queue.state === "spent" ? "quota used up" : queue.state;
  const state = queue.opensAt === null ? word : `${word} until ${format.moment(queue.opensAt)}`;
  return [
    state,
    `${queue.counts.active} active, ${waiting} waiting`,
    queue.jobs === null ? "" : `${queue.jobs} at once`,
    queue.rate === null ? "" : `rate ${queue.rate}`,
    queue.between === null ? "" : `between ${queue.between}`,
    queue.quota === null ? "" : `${format.size(queue.quota.used)} of ${format.size(queue.quota.bytes)} this ${queue.quota.period}`,
  ].filter((text) => text !== "").join(" · ");
}

/** Writes a number of bytes as the service reads it: `10G`. @param {number} bytes */
export function short(bytes) {
  let unit = 0;
  for (; bytes > 0 && bytes % 1024 === 0 && unit < 4; unit += 1) bytes /= 1024;
  return `${bytes}${["", "k", "M", "G", "T"][unit]}`;
}

/** Returns a setting as text; empty without one. @param {NamedQueue} queue @param {string} key */
function written(queue, key) {
  if (key === "quota") return queue.quota === null ? "" : `${short(queue.quota.bytes)}/${queue.quota.period}`;
  return String(/** @type {*} */ (queue)[key] ?? "");
}

/** The named queues. */
export class NamedQueues {
  #messages;
  #queue;
  #list = h("div", { class: "queues" });
  #name = h("input", { id: "queue-new", autocomplete: "off", spellcheck: "false", size: 14 });
  /** The section of the view. */
  section = h("section", {}, h("h3", {}, "Named queues"),
    h("p", { class: "hint" }, "Parts of the queue with limits and times of their own. A job names its queue when it is added, or on its page."),
    this.#list, h("form", { class: "inline", onsubmit: (/** @type {Event} */ event) => this.#make(event) },
      h("label", { for: "queue-new" }, "New queue"), this.#name, h("button", { type: "submit" }, "Set it up")));

  /** @param {import("./messages.js").Messages} messages @param {import("./queue.js").Queue} queue */
  constructor(messages, queue) {
    this.#messages = messages;
    this.#queue = queue;
  }

  async load() {
    /** @type {NamedQueue[]} */
    const queues = (await get("/queues")).queues;
    this.#queue.setNamed(queues);
    this.#list.replaceChildren(...queues.map((queue) => this.#card(queue)));
  }

  /** @param {NamedQueue} queue */
  #card(queue) {
    const isPaused = queue.state === "paused";
    const toggle = () => this.#send("PATCH", queue.name, { paused: !isPaused }, isPaused ? "resumed" : "paused");
    return h("div", { class: "queue" },
      h("div", { class: "queue-head" }, h("strong", {}, plain(queue.name)), h("span", {}, plain(words(queue))), h("span", { class: "space" }),
        button(`${isPaused ? "Resume" : "Pause"} the queue ${queue.name}`, toggle, { icon: isPaused ? "resume" : "pause", only: true })),
      h("details", {}, h("summary", { "aria-label": `Limits of the queue ${queue.name}` }, "Limits"), this.#form(queue)));
  }

  /** @param {NamedQueue} queue */
  #form(queue) {
    const problem = h("p", { class: "problem", role: "alert", hidden: true });
    const inputs = fields.map(({ key, hint, list }) => h("input", {
      value: written(queue, key), placeholder: hint, list, autocomplete: "off", spellcheck: "false", inputmode: key === "jobs" ? "numeric" : null,
    }));
    const save = (/** @type {Event} */ event) => {
      event.preventDefault();
      /** @type {Object<string, *>} */
      const change = {};
      fields.forEach(({ key }, index) => {
        const text = inputs[index].value.trim();
        if (text !== written(queue, key)) change[key] = text === "" ? null : key === "jobs" ? Number(text) : text;
      });
      if (Number.isNaN(change.jobs)) return complain(problem, "Jobs at once is a number, or nothing");
      this.#send("PATCH", queue.name, change, "set", problem);
    };
    return h("form", { onsubmit: save },
      h("div", { class: "fields" }, ...fields.map(({ label }, index) => h("label", {}, label, inputs[index]))), problem,
      h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, `Set ${queue.name}`),
        button(`Take the limits of ${queue.name} back`, () => this.#send("DELETE", queue.name, {}, "without limits", problem))));
  }

  /** Shows an empty form for another queue. It exists once something is set. @param {Event} event */
  #make(event) {
    event.preventDefault();
    const name = this.#name.value.trim();
    if (name === "") return this.#name.focus();
    const counts = { queued: 0, active: 0, complete: 0, failed: 0, interrupted: 0, paused: 0 };
    const card = this.#card({ name, state: "open", opensAt: null, jobs: null, rate: null, between: null, directory: null, quota: null, counts });
    card.querySelector("details").open = true;
    this.#list.append(card);
    this.#name.value = "";
    card.querySelector("input").focus();
  }

  /**
   * @param {string} method
   * @param {string} name
   * @param {*} change
   * @param {string} word  The result, for the message.
   * @param {HTMLElement} [problem]  The place for the reason of a refusal.
   */
  async #send(method, name, change, word, problem) {
    try {
      await request(method, `/queues/${encodeURIComponent(name)}`, change);
      this.#messages.show(`Queue ${plain(name)} ${word}`);
      await this.load();
    } catch (error) {
      if (problem) complain(problem, plain(labelled(error.message)));
      else this.#messages.show(error.message, { problem: true });
    }
  }
}

/** @param {HTMLElement} place @param {string} text */
function complain(place, text) {
  place.textContent = text;
  place.hidden = false;
}
