// The view of the jobs: the list with its filters, and the actions on selected jobs.

import { arrange } from "./arrange.js";
import { actionIcons, actionNames, canChange, canDo } from "./actions.js";
import { button, byId, h, icon, plain, setText } from "./dom.js";
import { listenToDrags } from "./drag.js";
import * as format from "./format.js";
import { JobList } from "./list.js";
import { listenToList, pauseOrResume } from "./listinput.js";
import { isWaiting, states } from "./queue.js";

/** The headings of the list, with the class of their column and the order that they stand for. @type {[string, string, import("./arrange.js").Filter["sort"]][]} */
const headings = [["#", "queue", "queue"], ["State", "state", "state"], ["Name", "name", "name"], ["Size", "size", "size"], ["Rate", "rate", "rate"], ["Time", "left", "left"]];

/** Combines the list and its tools. */
export class JobsView {
  list;
  /** Whether the list gets the focus once it is there, as after a login. */
  wantsFocus = false;
  #queue;
  #actions;
  #add;
  #loaded = false;
  #asked = false;
  /** @type {import("./arrange.js").Filter} */
  #filter = { state: null, queue: null, text: "", sort: "queue", backwards: false };
  /** @type {HTMLElement[]} */
  #heads = [];
  /** When the jobs were sorted by their rates. */
  #sorted = 0;
  #keys;
  /** The offered queues. */
  #names = "[]";
  /** @type {Map<?string, {element: HTMLElement, count: HTMLElement}>} */
  #chips = new Map();

  /**
   * @param {import("./queue.js").Queue} queue
   * @param {import("./actions.js").Actions} actions
   * @param {{open: (id: number) => void, add: () => void, keys: () => void, escape: () => void}} page
   */
  constructor(queue, actions, page) {
    this.#queue = queue;
    this.#actions = actions;
    this.#add = page.add;
    this.#keys = page.keys;
    const [viewport, body] = [byId("viewport"), byId("rows")];
    this.list = new JobList(viewport, body, queue);
    listenToList(body, this.list, actions, { ...page, search: () => byId("search").focus(), escape: () => this.#escape(page.escape) });
    listenToDrags(viewport, body, this.list, actions);
    this.#makeChips();
    this.#makeMenu();
    this.#makeHeads();
    this.#listenToTools();
    this.list.addEventListener("selection", () => this.#showBulk());
    queue.addEventListener("change", () => this.refresh());
    queue.addEventListener("progress", () => {
      const changes = this.#filter.sort === "rate" || this.#filter.sort === "left";
      // Rows that change places more often cannot be read.
      if (changes && Date.now() - this.#sorted > 2000) this.refresh();
      else this.list.draw();
    });
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
    this.#sorted = Date.now();
    const { shown, counts } = arrange(this.#queue, this.#filter);
    for (const [state, { element, count }] of this.#chips) {
      const number = state === null ? Object.values(counts).reduce((sum, one) => sum + one, 0) : counts[state];
      setText(count, format.grouped(number));
      // Hidden with the focus on it, it would lose the focus.
      element.hidden = number === 0 && state !== null && state !== this.#filter.state && element !== document.activeElement;
    }
    this.#offerQueues();
    this.list.movable = this.#filter.sort === "queue" && !this.#filter.backwards;
    this.list.setItems(shown);
    byId("heads").hidden = shown.length === 0;
    this.#showEmpty();
    this.#showBulk();
    if (this.wantsFocus && this.#loaded && !document.querySelector("dialog[open]")) {
      this.wantsFocus = false;
      if (shown.length > 0) this.list.goTo(0);
      else byId("add-open").focus();
    }
  }

  #makeHeads() {
    byId("heads").append(...headings.map(([text, column, sort]) => {
      const head = h("button", { type: "button", class: `head h-${column}`, onclick: () => this.#sortBy(sort) }, text, h("span", { class: "arrow", "aria-hidden": "true" }));
      this.#heads.push(head);
      return head;
    }));
    this.#showOrder();
  }

  /** Sorts by a heading; backwards if the list is sorted by it. @param {import("./arrange.js").Filter["sort"]} sort */
  #sortBy(sort) {
    this.#setFilter({ sort, backwards: sort === this.#filter.sort && !this.#filter.backwards });
  }

  /** Shows the present order at the headings and in the menu. */
  #showOrder() {
    const { sort, backwards, queue } = this.#filter;
    headings.forEach(([text, , own], index) => {
      const isOwn = own === sort;
      this.#heads[index].setAttribute("aria-pressed", String(isOwn));
      this.#heads[index].setAttribute("aria-label", `${text === "#" ? "Place in the queue" : text}${isOwn ? `: sorted${backwards ? " backwards" : ""}` : ": sort by it"}`);
      setText(this.#heads[index].querySelector(".arrow"), isOwn ? (backwards ? " ↑" : " ↓") : "");
    });
    byId("sort").value = sort;
    byId("backwards").checked = backwards;
    const order = sort === "queue" && !backwards ? "Order" : `${byId("sort").selectedOptions[0].text}${backwards ? " ↑" : ""}`;
    setText(byId("order-now"), queue === null ? order : `${order} · ${queue === "" ? "no queue" : plain(queue)}`);
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

  /** Fills the menu of actions on all jobs, and closes both menus when something else is used. */
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
      offer("Retry failed", "retry", () => this.#actions.actOnAll("retry")),
      offer("Clear finished", "remove", () => this.#actions.clearFinished()));
    for (const one of [menu, byId("view-menu")]) {
      addEventListener("click", (event) => {
        if (!one.contains(event.target)) one.open = false;
      });
      one.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape" || !one.open) return;
        one.open = false;
        one.firstElementChild.focus();
      });
    }
  }

  /**
   * Handles a key that is pressed outside of the list.
   * @param {string} key
   * @returns {boolean} whether it means something
   */
  key(key) {
    if (key === "n" || key === "?") {
      if (key === "n") this.#add();
      else this.#keys();
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
    byId("backwards").addEventListener("change", (/** @type {*} */ event) => this.#setFilter({ backwards: event.target.checked }));
    byId("queue-filter").addEventListener("change", (/** @type {*} */ event) =>
      this.#setFilter({ queue: event.target.value === "all" ? null : event.target.value.slice(1) }));
  }

  /** @param {Partial<import("./arrange.js").Filter>} change */
  #setFilter(change) {
    Object.assign(this.#filter, change);
    for (const [state, { element }] of this.#chips) element.setAttribute("aria-pressed", String(state === this.#filter.state));
    // In a narrow window, the chosen one comes first.
    if ("state" in change) byId("states").scrollLeft = 0;
    this.#showOrder();
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
    for (const action of /** @type {const} */ (["pause", "resume", "now", "retry", "again", "remove", "delete"])) {
      if (jobs.some((job) => canDo(action, job))) offer(actionNames[action], actionIcons[action], () => this.#actions.act(action, ids()));
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
