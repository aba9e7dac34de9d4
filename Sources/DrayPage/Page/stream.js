// The page's way to the events of the service: the hub in the worker that all tabs share. Where a browser has no such
// workers, as on most telephones, the page has a hub of its own.

import { sessionKey } from "./api.js";
import { Hub } from "./hub.js";

/** The connection of this tab. */
export class Stream {
  #hear;
  /** @type {?MessagePort} */
  #port = null;
  /** @type {?Hub} */
  #own = null;
  /** Counts the calls of {@link join}. News for an earlier one that are still on their way are dropped. */
  #turn = 0;
  #hasJoined = false;

  /** @param {import("./hub.js").Tab} hear  Takes what the hub sends after {@link join}. */
  constructor(hear) {
    this.#hear = (/** @type {import("./hub.js").News} */ news) => this.#hasJoined && hear(news);
  }

  /** Asks for all events after `cursor`; empty for those from now on. @param {string} cursor */
  join(cursor) {
    this.#connect();
    this.#hasJoined = true;
    this.#turn += 1;
    if (this.#own) this.#own.join(this.#hear, cursor);
    else this.#port?.postMessage({ turn: this.#turn, cursor, key: sessionKey() });
  }

  leave() {
    this.#hasJoined = false;
    this.#own?.leave(this.#hear);
    this.#port?.postMessage({ turn: 0 });
  }

  /** Leaves the worker. A page in the back/forward cache must not hold anything. */
  close() {
    this.leave();
    this.#port?.close();
    this.#port = null;
  }

  #connect() {
    if (this.#own || this.#port) return;
    if (!("SharedWorker" in window)) return this.#makeOwn();
    try {
      const worker = new SharedWorker("/page/hub.js", { name: "dray", type: "module" });
      worker.addEventListener("error", () => this.#fallBack());
      this.#port = worker.port;
      this.#port.onmessage = ({ data }) => data.turn === this.#turn && this.#hear(data.news);
    } catch {
      this.#makeOwn();
    }
  }

  #makeOwn() {
    this.#own = new Hub();
  }

  /** The worker cannot be loaded. */
  #fallBack() {
    if (this.#own) return;
    this.#port = null;
    this.#makeOwn();
    this.#hear({ kind: "lost" });
  }
}
