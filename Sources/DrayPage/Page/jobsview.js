// The view of the jobs: the list with its filters, and the actions on selected jobs.

import { arrange } from "./arrange.js";
import { actionNames, canChange, canDo } from "./actions.js";
import { button, byId, h, icon, plain, setText } from "./dom.js";
import { listenToDrags } from "./drag.js";
import * as format from "./format.js";
import { JobList } from "./list.js";
import { listenToList, pauseOrResume } from "./listinput.js";
import { isWaiting, states } from "./queue.js";

/** Combines the list and its tools. */
export class JobsView {
  list;
  #queue;
  #actions;
  #add;
  #loaded = false;
  #asked = false;
  /** @type {import("./arrange.js").Filter} */
  #filter = { state: null, queue: null, text: "", sort: "queue" };
  /** The offered queues. */
  #names = "[]";
  /** @type {Map<?string, {element: HTMLElement, count: HTMLElement}>} */
  #chips = new Map();

  /**
   * @param {import("./queue.js").Queue} queue
   * @param {import("./actions.js").Actions} actions
   * @param {{open: (id: number) => void, add: () => void, escape: () => void}} page
   */
  constructor(queue, actions, page) {
    this.#queue = queue;
    this.#actions = actions;
    this.#add = page.add;
    const [viewport, body] = [byId("viewport"), byId("rows")];
    this.list = new JobList(viewport, body, queue);
    listenToList(body, this.list, actions, { ...page, search: () => byId("search").focus(), escape: () => this.#escape(page.escape) });
    listenToDrags(viewport, body, this.list, actions);
    this.#makeChips();
    this.#makeMenu();
    this.#listenToTools();
    this.list.addEventListener("selection", () => this.#showBulk());
    queue.addEventListener("change", () => this.refresh());
    queue.addEventListener("progress", () => this.list.draw());
  }

  /** Records that the jobs are loaded. Before that, an empty list means nothing. */
  loaded() {
    this.#loaded = true;
    this.refresh();
  }

  /** Shows changes before the next frame. */
  refresh() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#show();
    });
  }

  #show() {
    const counts = this.#queue.counts();
    for (const [state, { element, count }] of this.#chips) {
      const number = state === null ? this.#queue.jobs.size : counts[state];
      setText(count, format.grouped(number));
      // Hidden with the focus on it, it would lose the focus.
      element.hidden = number === 0 && state !== null && state !== this.#filter.state && element !== document.activeElement;
    }
    this.#offerQueues();
    this.list.movable = this.#filter.sort === "queue";
    this.list.setItems(arrange(this.#queue, this.#filter));
    this.#showEmpty();
    this.#showBulk();
  }

  /** Offers the named queues, once there are some. */
  #offerQueues() {
    const chosen = this.#filter.queue;
    const names = this.#queue.queueNames();
    // The last job of the shown queue may have gone.
    if (chosen && !names.includes(chosen)) names.push(chosen);
    const key = JSON.stringify(names);
    if (key === this.#names) return;
    this.#names = key;
    byId("queue-names").replaceChildren(...names.map((name) => h("option", { value: name })));
    byId("queue-choice").hidden = names.length === 0;
    byId("queue-filter").replaceChildren(h("option", { value: "all", selected: chosen === null }, "all"), ...queueOptions(names, chosen));
  }

  #makeChips() {
    for (const state of [null, ...states]) {
      const count = h("span", { class: "count" });
      const element = h("button", { type: "button", class: "chip", "data-state": state ?? "all", "aria-pressed": String(state === null), hidden: state !== null },
        state === null ? null : icon(state), state ?? "all", " ", count);
      element.addEventListener("click", () => this.#setFilter({ state }));
      this.#chips.set(state, { element, count });
      byId("states").append(element);
    }
    byId("states").addEventListener("focusout", () => this.refresh());
  }

  /** Fills the menu of actions on all jobs. */
  #makeMenu() {
    const menu = byId("all-jobs");
    const offer = (/** @type {string} */ name, /** @type {string} */ icon, /** @type {() => void} */ action) =>
      button(name, () => {
        menu.open = false;
        menu.firstElementChild.focus();
        action();
      }, { icon });
    byId("all-jobs-actions").replaceChildren(
      offer("Select all", "complete", () => this.list.selectAll()),
      offer("Pause all", "pause", () => this.#actions.actOnAll("pause")),
      offer("Resume all", "resume", () => this.#actions.actOnAll("resume")),
      offer("Clear finished", "remove", () => this.#actions.clearFinished()));
    addEventListener("click", (event) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
    menu.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape" || !menu.open) return;
      menu.open = false;
      menu.firstElementChild.focus();
    });
  }

  /**
   * Handles a key that is pressed outside of the list.
   * @param {string} key
   * @returns {boolean} whether it means something
   */
  key(key) {
    if (key === "n") {
      this.#add();
      return true;
    }
    if (byId("jobs-region").hidden) return false;
    if (key === "/") {
      byId("search").focus();
      return true;
    }
    if (key !== "p" || this.list.items.length === 0) return false;
    pauseOrResume(this.list, this.#actions, [...this.list.selected][0] ?? this.list.current);
    return true;
  }

  #listenToTools() {
    const search = byId("search");
    search.addEventListener("input", () => this.#setFilter({ text: search.value }));
    search.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "ArrowDown" || event.key === "Enter") this.list.goTo(0);
    });
    byId("sort").addEventListener("change", (/** @type {*} */ event) => this.#setFilter({ sort: event.target.value }));
    byId("queue-filter").addEventListener("change", (/** @type {*} */ event) =>
      this.#setFilter({ queue: event.target.value === "all" ? null : event.target.value.slice(1) }));
  }

  /** @param {Partial<import("./arrange.js").Filter>} change */
  #setFilter(change) {
    Object.assign(this.#filter, change);
    for (const [state, { element }] of this.#chips) element.setAttribute("aria-pressed", String(state === this.#filter.state));
    byId("viewport").scrollTop = 0;
    this.refresh();
  }

  #showEmpty() {
    const empty = byId("empty");
    const none = this.#loaded && this.list.items.length === 0;
    if (none === !empty.hidden && none === (empty.childElementCount > 0) && empty.dataset.any === String(this.#queue.jobs.size > 0)) return;
    empty.hidden = !none;
    empty.dataset.any = String(this.#queue.jobs.size > 0);
    if (!none) return empty.replaceChildren();
    if (this.#queue.jobs.size > 0) {
      empty.replaceChildren(h("p", {}, "No job passes this filter."), button("Show all jobs", () => this.#showAll()));
    } else {
      empty.replaceChildren(icon("cart"), h("h2", {}, "Nothing to fetch yet"),
        h("p", {}, "Paste links, or drop a list or a Metalink file anywhere on this page. ",
          "dray fetches the files, goes on where it stopped, and checks that they are whole."),
        button("Add jobs", this.#add, { icon: "add", class: "primary" }));
    }
  }

  #showAll() {
    byId("search").value = "";
    byId("queue-filter").value = "all";
    this.#setFilter({ state: null, queue: null, text: "" });
    byId("search").focus();
  }

  #showBulk() {
    const bulk = byId("bulk");
    const ids = [...this.list.selected];
    const jobs = ids.flatMap((id) => this.#queue.jobs.get(id) ?? []);
    const key = JSON.stringify([ids.length, this.list.movable, [...new Set(jobs.map((job) => job.state))].sort(), this.#names]);
    bulk.hidden = ids.length === 0;
    if (bulk.dataset.key === key) return;
    const focused = bulk.contains(document.activeElement) ? document.activeElement?.getAttribute("data-name") : null;
    bulk.dataset.key = key;
    bulk.replaceChildren(h("span", { class: "bulk-count" }, `${format.count(ids.length, "job")} selected`), ...this.#bulkButtons(jobs));
    if (focused) bulk.querySelector(`[data-name="${focused}"]`)?.focus();
  }

  /** @param {import("./types.js").Job[]} jobs */
  #bulkButtons(jobs) {
    const buttons = [];
    const ids = () => this.list.meant([...this.list.selected][0]);
    const offer = (/** @type {string} */ name, /** @type {string} */ icon, /** @type {() => void} */ action) => {
      const element = button(name, action, { icon });
      element.dataset.name = name;
      buttons.push(element);
    };
    for (const action of /** @type {const} */ (["pause", "resume", "now", "retry", "again", "remove"])) {
      if (jobs.some((job) => canDo(action, job))) {
        offer(actionNames[action], action === "again" ? "retry" : action === "now" ? "resume" : action, () => this.#actions.act(action, ids()));
      }
    }
    if (this.list.movable && jobs.some(isWaiting)) {
      offer("First", "first", () => this.#actions.move(ids(), { place: "first" }));
      offer("Up", "up", () => this.#actions.moveBy(ids(), -1, this.list.items));
      offer("Down", "down", () => this.#actions.moveBy(ids(), 1, this.list.items));
      offer("Last", "last", () => this.#actions.move(ids(), { place: "last" }));
    }
    if (this.#names !== "[]" && jobs.some(canChange)) buttons.push(this.#queueChoice(ids));
    offer("Select all", "complete", () => this.list.selectAll());
    offer("Select none", "close", () => this.list.clearSelection());
    return buttons;
  }

  /** Returns the choice of a queue for the selected jobs. @param {() => number[]} ids */
  #queueChoice(ids) {
    return h("select", {
      "aria-label": "Queue of the selected jobs", "data-name": "Queue",
      onchange: (/** @type {*} */ event) => {
        if (event.target.value) this.#actions.enqueue(ids(), event.target.value.slice(1) || null);
        event.target.value = "";
      },
    }, h("option", { value: "" }, "Queue…"), ...queueOptions(this.#queue.queueNames(), null));
  }

  /** @param {() => void} otherwise */
  #escape(otherwise) {
    if (this.list.selected.size > 0) this.list.clearSelection();
    else otherwise();
  }
}

/** Returns the options for jobs without a queue and for each queue. @param {string[]} names @param {?string} chosen */
function queueOptions(names, chosen) {
  return ["", ...names].map((name) => h("option", { value: `=${name}`, selected: name === chosen }, name === "" ? "none" : plain(name)));
}
