// The view of the limits: of the rate, by the clock, of the number of concurrent jobs, and of the times of transfers.

import { get, request } from "./api.js";
import { button, h } from "./dom.js";
import * as format from "./format.js";
import { labelled } from "./labels.js";
import { NamedQueues } from "./namedqueues.js";
import { dayNames, rateOf, readDays, writeDays } from "./timetable.js";
import { week } from "./week.js";

/** @typedef {import("./types.js").TimetableEntry} Entry */

/** Shows and edits the limits. */
export class LimitsView {
  title = "Limits";
  #messages;
  #queue;
  #queues;
  /** @type {Entry[]} */
  #entries = [];
  #picture = h("div");
  #rows = h("div", { class: "entries" });
  #rate = h("input", { id: "limit-rate", placeholder: "no limit", autocomplete: "off", size: 12, "aria-describedby": "limit-hint" });
  #slow = h("input", { id: "limit-slow", placeholder: "200 KiB/s", autocomplete: "off", size: 12, "aria-describedby": "limit-hint" });
  #jobs = h("input", { id: "limit-jobs", placeholder: "auto", autocomplete: "off", size: 6, inputmode: "numeric" });
  #between = h("input", { id: "limit-between", placeholder: "always", list: "windows", autocomplete: "off", size: 20 });
  #problem = h("p", { class: "problem", role: "alert", hidden: true });

  /** @param {import("./messages.js").Messages} messages @param {import("./queue.js").Queue} queue */
  constructor(messages, queue) {
    this.#messages = messages;
    this.#queue = queue;
    this.#queues = new NamedQueues(messages, queue);
  }

  /** @param {HTMLElement} view */
  async show(view) {
    const limits = await get("/limits");
    this.#entries = limits.timetable;
    this.#rate.value = limits.overallRate ?? "";
    this.#slow.value = limits.slow ?? "";
    this.#jobs.value = limits.jobs === "auto" ? "" : limits.jobs;
    this.#between.value = limits.between ?? "";
    view.append(h("form", { onsubmit: (/** @type {Event} */ event) => this.#save(event) },
      h("h2", {}, "Limits"),
      h("section", { class: "fields" },
        h("label", { for: "limit-rate" }, "Rate of all jobs together", this.#rate),
        h("label", { for: "limit-jobs" }, "Jobs at once", this.#jobs),
        h("label", { for: "limit-between" }, "Times of transfers", this.#between),
        h("label", { for: "limit-slow" }, "Rate of the slow switch", this.#slow)),
      h("p", { class: "hint", id: "limit-hint" }, "Bytes a second: 500k, 2 MB/s. Nothing is no limit. The slow switch is beside the list of jobs."),
      h("p", {}, `Now ${limits.now === null ? "there is no limit" : `at most ${format.rate(limits.now)}`}${limits.isSlow ? ": the slow switch is on" : ""}.`),
      h("h3", {}, "Timetable"),
      h("p", { class: "hint" }, "At these times another rate holds. Draw in the picture, move what is there, or use the fields. Where two overlap, the first decides."),
      this.#picture, this.#rows,
      h("div", { class: "buttons" }, button("Add a time", () => this.#add(), { icon: "add" })),
      this.#problem,
      h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, "Save the limits"))));
    this.#draw();
    await this.#queues.load();
    view.append(this.#queues.section);
  }

  /** @param {Entry[]} entries */
  #set(entries) {
    this.#entries = entries;
    this.#draw();
  }

  #draw() {
    this.#drawPicture();
    this.#rows.replaceChildren(...this.#entries.map((entry, index) => this.#row(entry, index)));
  }

  #drawPicture() {
    const label = (/** @type {Entry} */ { rate }) => {
      const bytes = rateOf(rate);
      return bytes === null ? "no limit" : Number.isNaN(bytes) ? "?" : format.rate(bytes);
    };
    this.#picture.replaceChildren(week(this.#entries, { label, changed: (entries) => this.#set(entries) }));
  }

  /** Returns the fields of an entry. @param {Entry} entry @param {number} index */
  #row(entry, index) {
    const change = (/** @type {Partial<Entry>} */ part) => {
      this.#entries = this.#entries.map((other, place) => (place === index ? { ...other, ...part } : other));
      this.#drawPicture();
    };
    const named = (/** @type {string} */ what) => `${what} of time ${index + 1}`;
    const field = (/** @type {"from"|"to"} */ name) => h("input", {
      type: "time", value: entry[name], required: true, "aria-label": named(name === "from" ? "Start" : "End"),
      onchange: (/** @type {*} */ event) => event.target.value && change({ [name]: event.target.value }),
    });
    const rate = h("input", {
      value: entry.rate ?? "", placeholder: "no limit", size: 9, autocomplete: "off", "aria-label": named("Rate"),
      oninput: (/** @type {*} */ event) => change({ rate: event.target.value.trim() || null }),
    });
    return h("div", { class: "entry", role: "group", "aria-label": `Time ${index + 1}` },
      h("span", { class: `swatch hue-${index % 5}`, "aria-hidden": "true" }),
      field("from"), h("span", {}, "to"), field("to"), this.#days(index, change), rate,
      button(`Remove time ${index + 1}`, () => this.#set(this.#entries.filter((_, place) => place !== index)), { icon: "remove", only: true }));
  }

  /** @param {number} index @param {(part: Partial<Entry>) => void} change */
  #days(index, change) {
    const chosen = readDays(this.#entries[index].days);
    const toggle = (/** @type {number} */ day, /** @type {HTMLInputElement} */ box) => {
      const now = readDays(this.#entries[index].days);
      const next = box.checked ? [...now, day] : now.filter((other) => other !== day);
      // An entry needs at least one day.
      if (next.length === 0) box.checked = true;
      else change({ days: writeDays(next) });
    };
    return h("span", { class: "days", role: "group", "aria-label": `Days of time ${index + 1}` }, ...dayNames.map((name, day) =>
      h("label", {}, h("input", {
        type: "checkbox", checked: chosen.includes(day), "aria-label": name,
        onchange: (/** @type {*} */ event) => toggle(day, event.target),
      }), h("span", { "aria-hidden": "true" }, name.slice(0, 2)))));
  }

  #add() {
    this.#set([...this.#entries, { from: "08:00", to: "18:00", days: "mon-fri", rate: "1M" }]);
    this.#rows.lastElementChild?.querySelector("input")?.focus();
  }

  /** @param {Event} event */
  async #save(event) {
    event.preventDefault();
    const rate = this.#rate.value.trim();
    const jobs = this.#jobs.value.trim();
    const slow = this.#slow.value.trim();
    /** @type {[string, ?string][]} */
    const rates = [["Rate of all jobs together", rate], ["Rate of the slow switch", slow],
      ...this.#entries.map((entry, index) => /** @type {[string, ?string]} */ ([`Rate of time ${index + 1}`, entry.rate]))];
    const wrong = rates.find(([, text]) => Number.isNaN(rateOf(text)));
    if (wrong) return this.#complain(`${wrong[0]}: ${wrong[1]} is not a rate; write it like 500k or 2 MB/s`);
    if (jobs !== "" && jobs !== "auto" && !/^[1-9]\d*$/.test(jobs)) return this.#complain("Jobs at once is a number, or nothing for auto");
    try {
      const limits = await request("PUT", "/limits", {
        overallRate: rate || null, slow: slow || null, isSlow: (slow !== "" && this.#queue.limits?.isSlow) || false, timetable: this.#entries, jobs: /^\d+$/.test(jobs) ? Number(jobs) : "auto", between: this.#between.value.trim() || null,
      });
      this.#queue.setLimits(limits);
      this.#complain("");
      this.#messages.show("Limits saved");
    } catch (error) {
      this.#complain(labelled(error.message));
    }
  }

  /** @param {string} text */
  #complain(text) {
    this.#problem.textContent = text;
    this.#problem.hidden = text === "";
  }
}
