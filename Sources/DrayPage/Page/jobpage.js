// The page of one job: everything about it, live.

import { get } from "./api.js";
import { actionIcons, actionNames, canChange, canDo, copies } from "./actions.js";
import { button, h, icon, plain, setFill, setText } from "./dom.js";
import * as facts from "./facts.js";
import * as format from "./format.js";
import { graph } from "./graph.js";
import { labelled } from "./labels.js";
import { fileName, host } from "./names.js";
import { remedy } from "./remedy.js";
import { detail, reason } from "./row.js";
import { strip } from "./strip.js";

/** @typedef {import("./types.js").Job} Job */

/** Milliseconds between two updates of an active job's parts, and the minimum between two updates of its details. */
const interval = 1000;

/** Shows a job in the pane. */
export class JobPage {
  #pane;
  #queue;
  #actions;
  #close;
  #id = -1;
  /**
   * The last shown state of the job, for finding out whether the details must be loaded again.
   * @type {Job|undefined}
   */
  #shown;
  #state = "";
  /** Whether the details were loaded less than an interval ago, and whether they have become outdated since. */
  #resting = false;
  #stale = false;
  #heading = h("h2", { tabindex: "-1" });
  #head = h("div", { class: "job-head" });
  #numbers = h("div", { class: "numbers" });
  #fill = h("span", { class: "fill" });
  #bar = h("div", { class: "bar large", role: "progressbar", "aria-label": "Progress", "aria-valuemin": "0", "aria-valuemax": "100" }, this.#fill);
  #buttons = h("div", { class: "buttons" });
  #trouble = h("div");
  #strip = h("div", { class: "strip-box" });
  #graph = h("div", { class: "graph-box" });
  #settings = h("div", { class: "facts settings" });
  #facts = h("div", { class: "facts" });

  /**
   * @param {HTMLElement} pane
   * @param {import("./queue.js").Queue} queue
   * @param {import("./actions.js").Actions} actions
   * @param {() => void} close
   */
  constructor(pane, queue, actions, close) {
    this.#pane = pane;
    this.#queue = queue;
    this.#actions = actions;
    this.#close = close;
    queue.addEventListener("change", () => this.#changed());
    queue.addEventListener("progress", () => this.#id >= 0 && !document.hidden && this.#showNumbers());
    setInterval(() => this.#look(), interval);
    pane.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !(event.target instanceof HTMLInputElement)) close();
    });
  }

  /** @param {number} id */
  open(id) {
    if (this.#id !== id) {
      this.#id = id;
      this.#shown = undefined;
      this.#state = "";
      for (const part of [this.#strip, this.#graph, this.#facts, this.#settings, this.#trouble]) part.replaceChildren();
      this.#pane.replaceChildren(
        h("header", {}, this.#heading, button("Close the job", this.#close, { icon: "close", only: true })),
        this.#head, this.#bar, this.#numbers, this.#buttons, this.#trouble, this.#strip, this.#graph, this.#settings, this.#facts);
      this.#pane.scrollTop = 0;
    }
    this.#pane.hidden = false;
    this.#changed();
    this.#look();
    this.#heading.focus({ preventScroll: true });
  }

  hide() {
    this.#id = -1;
    this.#pane.hidden = true;
  }

  /** @returns {Job|undefined} */
  get #job() {
    return this.#queue.jobs.get(this.#id);
  }

  #changed() {
    if (this.#id < 0) return;
    const job = this.#job;
    if (!job) {
      setText(this.#heading, `Job ${this.#id}`);
      this.#head.replaceChildren("There is no such job. It may have been removed.");
      for (const part of [this.#numbers, this.#buttons, this.#trouble, this.#strip, this.#graph, this.#settings, this.#facts]) part.replaceChildren();
      this.#bar.hidden = true;
      return;
    }
    if (job === this.#shown) return;
    this.#shown = job;
    setText(this.#heading, fileName(job));
    this.#showNumbers();
    const state = JSON.stringify([job.state, job.error, job.url, job.finalURL, job.size, job.attempts, job.priority, job.queue, job.hold, job.notBefore, job.startAt]);
    if (state === this.#state) return;
    this.#state = state;
    this.#pane.dataset.state = job.state;
    this.#head.replaceChildren(
      h("span", { class: "badge", "data-state": job.state }, icon(job.state), job.state),
      h("span", {}, `job ${job.id}`), h("span", {}, host(job)));
    this.#showButtons(job);
    this.#showTrouble(job);
    this.#loadDetails();
  }

  #showNumbers() {
    const job = this.#job;
    if (!job) return;
    const numbers = this.#queue.numbers(job);
    const percent = job.state === "complete" ? 100 : format.percent(numbers.received, numbers.size);
    this.#bar.hidden = job.state === "failed";
    this.#bar.classList.toggle("unknown", percent === null && job.state === "active");
    setFill(this.#fill, percent ?? 0);
    if (percent === null) this.#bar.removeAttribute("aria-valuenow");
    else this.#bar.setAttribute("aria-valuenow", String(percent));
    const left = job.state === "active" && numbers.size !== null && numbers.rate !== null
      ? format.remaining((numbers.size - numbers.received) / numbers.rate) : "";
    const texts = [
      percent === null || job.state === "failed" ? "" : `${percent} %`,
      job.state === "failed" ? "" : format.pair(numbers.received, numbers.size),
      job.state === "active" ? (numbers.rate === null ? "–" : format.rate(numbers.rate)) : "",
      left && `${left} left`,
      job.state === "failed" || job.state === "interrupted" ? "" : detail(job, numbers),
    ].filter(Boolean);
    this.#numbers.replaceChildren(...texts.map((text) => h("span", {}, text)));
    const drawn = job.state === "active" ? graph(this.#queue.history(job.id)) : null;
    this.#graph.replaceChildren(...(drawn ? [h("h3", {}, "Rate"), drawn] : []));
  }

  /** @param {Job} job */
  #showButtons(job) {
    const focused = this.#buttons.contains(document.activeElement);
    const { id } = job;
    const act = (/** @type {*} */ action) => () => this.#actions.act(action, [id]);
    const buttons = [];
    for (const action of /** @type {const} */ (["resume", "now", "pause", "retry", "again"])) {
      const look = { icon: actionIcons[action], class: ["resume", "now", "retry"].includes(action) ? "primary" : undefined };
      if (canDo(action, job)) buttons.push(button(actionNames[action], act(action), look));
    }
    for (const [name, text] of copies(job)) buttons.push(button(`Copy ${name}`, () => this.#actions.copy(name, text), { icon: "copy" }));
    for (const action of /** @type {const} */ (["remove", "delete"])) {
      if (canDo(action, job)) buttons.push(button(actionNames[action], act(action), { icon: "remove" }));
    }
    this.#buttons.replaceChildren(...buttons);
    if (focused) buttons[0].focus();
  }

  /** @param {Job} job */
  #showTrouble(job) {
    const help = remedy(job);
    this.#trouble.replaceChildren();
    if (help) {
      this.#trouble.append(h("div", { class: "trouble" },
        h("h3", {}, reason(job) || "It stopped"),
        h("p", {}, help.text),
        help.password ? this.#passwordForm(job) : null,
        help.newLink ? this.#linkForm(job) : null,
        h("details", {}, h("summary", {}, "The whole message"), h("p", { class: "mono" }, plain(job.error?.message ?? "")))));
    }
  }

  /** Returns the form for a new link. @param {Job} job */
  #linkForm(job) {
    const input = h("input", { type: "url", id: "new-link", placeholder: "https://…", autocomplete: "off", required: true, spellcheck: "false" });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#actions.relink(job, input.value.trim());
    };
    return h("form", { class: "inline", onsubmit: submit },
      h("label", {}, "New link", input), h("button", { type: "submit" }, job.state === "failed" ? "Retry with it" : "Resume with it"));
  }

  /** Returns the form for a user name and a password. @param {Job} job */
  #passwordForm(job) {
    const user = h("input", { id: "job-user", autocomplete: "off", required: true, spellcheck: "false", size: 14 });
    const password = h("input", { id: "job-password", type: "password", autocomplete: "off", size: 14 });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#actions.identify(job, user.value, password.value);
      password.value = "";
    };
    return h("form", { class: "inline", onsubmit: submit },
      h("label", {}, "User", user), h("label", {}, "Password", password),
      h("button", { type: "submit" }, "Log in"));
  }

  /** Loads the details, at most once per interval. */
  async #loadDetails() {
    this.#stale = this.#resting;
    if (this.#resting) return;
    this.#resting = true;
    const id = this.#id;
    try {
      const details = await get(`/jobs/${id}`);
      if (id === this.#id) this.#showDetails(details);
    } catch (error) {
      if (id === this.#id) this.#facts.replaceChildren(h("p", { class: "hint" }, error.message));
    }
    setTimeout(() => {
      this.#resting = false;
      if (this.#stale && this.#id >= 0) this.#loadDetails();
    }, interval);
  }

  /** @param {*} details */
  #showDetails(details) {
    const wasOpen = this.#facts.querySelector("details")?.open ?? false;
    const sections = [facts.file, facts.request, facts.response, facts.digests, facts.attempts].map((section) => section(details));
    this.#facts.replaceChildren(...sections.filter((section) => section !== null));
    const fields = this.#facts.querySelector("details");
    if (fields) fields.open = wasOpen;
    // Do not replace a form in which the user is typing.
    if (!this.#settings.contains(document.activeElement)) this.#settings.replaceChildren(this.#settingsForm(details));
    if (details.state !== "active") this.#strip.replaceChildren(...this.#stripOf({ size: details.segments.length && details.size, done: details.segments, fetching: [] }));
  }

  /** Returns the form for the settings that can be changed in the job's state. @param {*} details */
  #settingsForm(details) {
    if (details.state === "complete") return "";
    const slash = details.target?.lastIndexOf("/") ?? -1;
    const limit = details.request.rateLimit;
    /** Key, label, present value, placeholder and the list of values. Those of an active job come first. @type {[string, string, string, string, string?][]} */
    const all = [
      ["limitRate", "Limit", limit === null ? "" : format.rate(limit), "no limit"],
      ["priority", "Priority", String(details.priority), "0"],
      ["between", "Times", details.between ?? "", "always", "windows"],
      ["queue", "Queue", details.queue ?? "", "none", "queue-names"],
      ["output", "Name", details.target?.slice(slash + 1) ?? "", "as the server names it"],
      ["directory", "Folder", details.target?.slice(0, slash) ?? "", "as it is"],
      ["connections", "Connections", String(details.request.maxConnections), "as it is"],
    ];
    const offered = canChange(details) ? all : all.slice(0, 3);
    const inputs = offered.map(([key, , value, placeholder, list]) => h("input", {
      id: `job-${key}`, value, placeholder, list, autocomplete: "off", spellcheck: "false", inputmode: key === "priority" || key === "connections" ? "numeric" : null,
    }));
    const problem = h("p", { class: "problem", role: "alert", hidden: true });
    const submit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const job = this.#job;
      if (!job) return;
      /** @type {Object<string, *>} */
      const change = {};
      offered.forEach(([key, , value], index) => {
        const text = inputs[index].value.trim();
        if (text === value || (text === "" && (key === "directory" || key === "connections"))) return;
        change[key] = key === "priority" || key === "connections" ? Number(text) : text || null;
      });
      problem.hidden = true;
      if (Object.keys(change).length === 0) return;
      try {
        await this.#actions.change(job, change);
      } catch (error) {
        problem.textContent = labelled(error.message);
        problem.hidden = false;
      }
    };
    return h("section", {}, h("h3", {}, "Settings"),
      h("form", { onsubmit: submit },
        h("div", { class: "fields narrow" }, ...offered.map(([, label], index) => h("label", {}, label, inputs[index]))), problem,
        h("div", { class: "buttons" }, h("button", { type: "submit" }, "Set"),
          canChange(details) ? null : h("span", { class: "hint" }, "Pause the job to change more"))));
  }

  /** @param {import("./types.js").Parts} parts */
  #stripOf(parts) {
    const drawn = strip(parts);
    return drawn.length > 0 ? [h("h3", {}, "Segments"), ...drawn] : [];
  }

  /** Loads the parts and their connections. */
  async #look() {
    const id = this.#id;
    if (id < 0 || document.hidden || this.#job?.state !== "active") return;
    try {
      const parts = await get(`/jobs/${id}/parts`);
      if (id === this.#id && this.#job?.state === "active") this.#strip.replaceChildren(...this.#stripOf(parts));
    } catch {
      // Live reports problems with the connection.
    }
  }
}
