// One stream of events for all tabs of the page: a browser opens six connections to a server, and nine tabs need one
// each. Runs in a worker that the tabs share; see stream.js.

import { eventsURL, keepKey } from "./api.js";

/** The events that the page reads. */
const names = ["job", "removed", "progress", "order", "beat", "reset"];
/** Seconds of silence after which a connection counts as dead. The service sends a beat every 5 s. */
const silence = 13;

/**
 * A message to a tab: the stream is open; it is lost, and the tab has to join again; or an event.
 * @typedef {{kind: "open"|"lost"}|{kind: "event", name: string, data: string, cursor: string}} News
 * @typedef {(news: News) => void} Tab
 */

/** The stream and its tabs. Without a tab there is no stream. */
export class Hub {
  /** @type {Set<Tab>} */
  #tabs = new Set();
  /** @type {?EventSource} */
  #source = null;
  #isOpen = false;
  #cursor = "";
  #heard = 0;

  constructor() {
    // A machine that has slept does not notice a dead connection.
    setInterval(() => this.#source && Date.now() - this.#heard > silence * 1000 && this.#lose(), 1000);
  }

  /**
   * Sends the events to a tab from now on.
   * @param {Tab} tab
   * @param {string} cursor  The last event that the tab knows. Empty if it loads all jobs once the stream is open.
   */
  join(tab, cursor) {
    this.#tabs.add(tab);
    if (!this.#source) return this.#follow(cursor);
    const known = cursor === "" ? "later" : compared(cursor, this.#cursor);
    // The other tabs get some events twice, which changes nothing.
    if (known === "earlier") this.#follow(cursor);
    else if (this.#isOpen) tab({ kind: "open" });
    if (known === "unknown") tab({ kind: "event", name: "reset", data: "{}", cursor: "" });
  }

  /** @param {Tab} tab */
  leave(tab) {
    this.#tabs.delete(tab);
    if (this.#tabs.size === 0) this.#close();
  }

  /** @param {string} cursor */
  #follow(cursor) {
    this.#close();
    this.#cursor = cursor;
    this.#heard = Date.now();
    const source = new EventSource(eventsURL(cursor));
    this.#source = source;
    for (const name of names) {
      source.addEventListener(name, (event) => {
        if (source !== this.#source) return;
        this.#heard = Date.now();
        if (event.lastEventId) this.#cursor = event.lastEventId;
        this.#tell({ kind: "event", name, data: event.data, cursor: event.lastEventId });
      });
    }
    source.onopen = () => {
      if (source !== this.#source) return;
      this.#heard = Date.now();
      this.#isOpen = true;
      this.#tell({ kind: "open" });
    };
    source.onerror = () => {
      if (source === this.#source) this.#lose();
    };
  }

  /** Each tab asks the service what is wrong, and joins again. */
  #lose() {
    this.#close();
    this.#tell({ kind: "lost" });
  }

  #close() {
    this.#source?.close();
    this.#source = null;
    this.#isOpen = false;
    this.#cursor = "";
  }

  /** @param {News} news */
  #tell(news) {
    for (const tab of this.#tabs) tab(news);
  }
}

/**
 * Compares two cursors, `ERA-NUMBER`.
 * @param {string} one
 * @param {string} other
 * @returns {"earlier"|"later"|"unknown"} where the first is; `later` if they are equal
 */
function compared(one, other) {
  const [first, second] = [one, other].map((cursor) => /^(.*)-(\d+)$/.exec(cursor));
  if (!first || !second || first[1] !== second[1]) return "unknown";
  return Number(first[2]) < Number(second[2]) ? "earlier" : "later";
}

// In a shared worker, each connection is a tab.
if ("SharedWorkerGlobalScope" in globalThis) {
  const hub = new Hub();
  addEventListener("connect", (/** @type {*} */ event) => {
    const [port] = event.ports;
    let turn = 0;
    const tab = (/** @type {News} */ news) => port.postMessage({ turn, news });
    port.onmessage = (/** @type {MessageEvent} */ { data }) => {
      if (data.turn === 0) return hub.leave(tab);
      turn = data.turn;
      keepKey(data.key);
      hub.join(tab, data.cursor);
    };
  });
}
