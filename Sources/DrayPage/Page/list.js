// The list of jobs. Only visible rows exist, regardless of the number of jobs.

import { Row } from "./row.js";

/** @typedef {import("./types.js").Job} Job */

/** The number of extra rows above and below the visible ones. */
const margin = 4;

/**
 * A list that draws only visible rows. Events: `selection`, `open` (`detail` is an id).
 */
export class JobList extends EventTarget {
  /** @type {Job[]} */
  items = [];
  /** The selected jobs. @type {Set<number>} */
  selected = new Set();
  /** The job that has the focus, or will get it. */
  current = -1;
  /** The job whose page is open. */
  openID = -1;
  /** Whether jobs can be moved in the present order. */
  movable = true;
  rowHeight = 44;
  /** @type {Map<number, Row>} */
  #rows = new Map();
  /** @type {Row[]} */
  #spare = [];
  /** The index of each job in the list. @type {Map<number, number>} */
  #indices = new Map();
  #viewport;
  #body;
  #queue;
  #asked = false;

  /** @param {HTMLElement} viewport @param {HTMLElement} body @param {import("./queue.js").Queue} queue */
  constructor(viewport, body, queue) {
    super();
    this.#viewport = viewport;
    this.#body = body;
    this.#queue = queue;
    viewport.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.#measure()).observe(viewport);
  }

  /** @param {Job[]} items */
  setItems(items) {
    const place = Math.max(0, this.indexOf(this.current));
    this.items = items;
    this.#indices = new Map(items.map((job, index) => [job.id, index]));
    // If the job is gone, the next one takes its place.
    if (!this.#indices.has(this.current)) this.current = items[Math.min(place, items.length - 1)]?.id ?? -1;
    for (const id of this.selected) {
      if (!this.#queue.jobs.has(id)) this.selected.delete(id);
    }
    this.draw();
  }

  /** Returns the index of a job in the list; -1 if it is not shown. @param {number} id */
  indexOf(id) {
    return this.#indices.get(id) ?? -1;
  }

  /** Draws before the next frame. */
  draw() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#drawNow();
    });
  }

  #drawNow() {
    const { scrollTop, clientHeight } = this.#viewport;
    const first = Math.max(0, Math.floor(scrollTop / this.rowHeight) - margin);
    const end = Math.min(this.items.length, Math.ceil((scrollTop + clientHeight) / this.rowHeight) + margin);
    const focused = this.#body.contains(document.activeElement);
    const shown = this.items.slice(first, end).map((_, offset) => first + offset);
    const current = this.indexOf(this.current);
    // Keep the current row: it has the focus, or is the list's place in the order of Tab.
    if (current >= 0 && current < first) shown.unshift(current);
    if (current >= end) shown.push(current);
    this.#body.style.height = `${this.items.length * this.rowHeight}px`;
    this.#body.setAttribute("aria-rowcount", String(this.items.length));
    this.#free(new Set(shown.map((index) => this.items[index].id)));
    let place = this.#body.firstElementChild;
    for (const index of shown) {
      const row = this.#rowFor(index);
      // Rows follow the order of the list, for screen readers.
      if (row.element === place) place = place.nextElementSibling;
      else this.#body.insertBefore(row.element, place);
    }
    if (focused && !this.#body.contains(document.activeElement)) {
      const place = this.#rows.get(this.current)?.element ?? this.#viewport.closest("[tabindex]");
      /** @type {?HTMLElement} */ (place)?.focus({ preventScroll: true });
    }
  }

  /** @param {Set<number>} kept */
  #free(kept) {
    for (const [id, row] of this.#rows) {
      if (kept.has(id)) continue;
      row.element.remove();
      this.#rows.delete(id);
      this.#spare.push(row);
    }
  }

  /** @param {number} index */
  #rowFor(index) {
    const job = this.items[index];
    const row = this.#rows.get(job.id) ?? this.#spare.pop() ?? new Row();
    this.#rows.set(job.id, row);
    row.element.style.transform = `translateY(${index * this.rowHeight}px)`;
    row.show(job, this.#queue, {
      index,
      selected: this.selected.has(job.id),
      current: job.id === this.current,
      open: job.id === this.openID,
      movable: this.movable,
    });
    return row;
  }

  #measure() {
    const probe = document.createElement("div");
    probe.className = "row";
    this.#viewport.append(probe);
    this.rowHeight = probe.offsetHeight || this.rowHeight;
    probe.remove();
    this.draw();
  }

  /** Makes a job the current one, scrolls to it, and gives it the focus. @param {number} index @param {boolean} [focus] */
  goTo(index, focus = true) {
    const job = this.items[Math.max(0, Math.min(this.items.length - 1, index))];
    if (!job) return;
    this.current = job.id;
    this.reveal(job.id);
    this.#drawNow();
    if (focus) this.#rows.get(job.id)?.element.focus({ preventScroll: true });
  }

  /** Scrolls so that a job is visible. @param {number} id */
  reveal(id) {
    const top = this.indexOf(id) * this.rowHeight;
    const { scrollTop, clientHeight } = this.#viewport;
    if (top < 0) return;
    if (top < scrollTop) this.#viewport.scrollTop = top;
    else if (top + this.rowHeight > scrollTop + clientHeight) this.#viewport.scrollTop = top + this.rowHeight - clientHeight;
  }

  /** @param {number} id @param {boolean} on */
  select(id, on) {
    if (on) this.selected.add(id);
    else this.selected.delete(id);
    this.#selectionChanged();
  }

  /** Selects all jobs between two. @param {number} from @param {number} to  Indices. */
  selectRange(from, to) {
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) this.selected.add(this.items[index].id);
    this.#selectionChanged();
  }

  selectAll() {
    this.selected = new Set(this.items.map((job) => job.id));
    this.#selectionChanged();
  }

  clearSelection() {
    this.selected.clear();
    this.#selectionChanged();
  }

  /**
   * Returns the selected jobs if `id` is one of them, otherwise only that job, in the displayed order.
   * @param {number} id
   */
  meant(id) {
    if (!this.selected.has(id)) return [id];
    return [...this.selected].sort((a, b) => this.indexOf(a) - this.indexOf(b));
  }

  /** The number of rows that fit. */
  get page() {
    return Math.max(1, Math.floor(this.#viewport.clientHeight / this.rowHeight) - 1);
  }

  #selectionChanged() {
    this.dispatchEvent(new Event("selection"));
    this.draw();
  }
}
