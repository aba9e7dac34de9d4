// Synchronizes the page with the service: loads the jobs, follows the events, and reconnects after interruptions.

import { eventsURL, get, ServiceError } from "./api.js";

/** Seconds of silence after which a connection counts as dead. The service sends a beat every 15 s. */
const silence = 40;
/** Seconds between two attempts to connect: the minimum and the maximum. */
const [firstDelay, longestDelay] = [1, 10];
/** Seconds between two looks at the named queues, while jobs wait in one. */
const namedInterval = 30;

/**
 * The connection to the service. Events: `status`; see {@link Live#status}.
 */
export class Live extends EventTarget {
  /** @type {"starting"|"connected"|"away"|"locked"} */
  status = "starting";
  /** @type {?import("./types.js").Service} */
  service = null;
  #queue;
  /** @type {?EventSource} */
  #source = null;
  #cursor = "";
  #delay = firstDelay;
  /** @type {number|undefined} */
  #timer;
  #heard = 0;
  /** Whether the order is being loaded, and whether it has changed since then. */
  #ordering = false;
  #orderStale = false;
  /** The number of the last attempt to connect. Earlier attempts give up. */
  #attempt = 0;

  /** @param {import("./queue.js").Queue} queue */
  constructor(queue) {
    super();
    this.#queue = queue;
    setInterval(() => this.#listen(), 5000);
    setInterval(() => this.#loadNamed(), namedInterval * 1000);
    addEventListener("online", () => this.#wake());
    // A browser allows few connections per server. A page in the back/forward cache must not hold one.
    addEventListener("pagehide", () => this.#source?.close());
    addEventListener("pageshow", (event) => event.persisted && this.connect());
    document.addEventListener("visibilitychange", () => !document.hidden && this.#wake());
  }

  /** Loads everything and follows the events. Called at the start and after a login. */
  async connect() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
    const attempt = ++this.#attempt;
    try {
      const service = await get("/service");
      const same = this.service?.started === service.started && this.#cursor !== "";
      this.service = service;
      if (!same) await this.#load();
      if (attempt === this.#attempt) this.#follow();
      this.#loadNamed();
    } catch (error) {
      if (attempt === this.#attempt) this.#lost(error);
    }
  }

  async #load() {
    /** @type {import("./types.js").Job[]} */
    const jobs = [];
    let next = null;
    do {
      const page = await get(`/jobs?limit=2000${next === null ? "" : `&after=${next}`}`);
      jobs.push(...page.jobs);
      // Use the cursor of the first page. Changes during the loading are then reported again.
      if (next === null) this.#cursor = page.cursor;
      next = page.next;
    } while (next !== null);
    const { ids } = await get("/queue");
    this.#queue.replace(jobs, ids);
  }

  /** Loads the state of the named queues, which says why their jobs wait. */
  async #loadNamed() {
    if (this.status === "away" || this.status === "locked" || document.hidden) return;
    if (![...this.#queue.jobs.values()].some((job) => job.queue && job.state === "queued")) return;
    try {
      this.#queue.setNamed((await get("/queues")).queues);
    } catch {
      // The event stream notices that the service is away.
    }
  }

  #follow() {
    const source = new EventSource(eventsURL(this.#cursor));
    this.#source = source;
    /** @param {string} name @param {(data: *) => void} action */
    const on = (name, action) =>
      source.addEventListener(name, (event) => {
        if (source !== this.#source) return;
        this.#heard = Date.now();
        if (event.lastEventId) this.#cursor = event.lastEventId;
        action(JSON.parse(event.data));
      });
    on("job", (job) => this.#queue.put(job));
    on("removed", ({ id }) => this.#queue.remove(id));
    on("progress", (report) => this.#queue.report(report));
    on("order", () => this.#loadOrder());
    on("beat", () => {});
    on("reset", () => {
      this.#cursor = "";
      this.connect();
    });
    source.onopen = () => {
      this.#heard = Date.now();
      this.#delay = firstDelay;
      this.#setStatus("connected");
    };
    source.onerror = () => {
      if (source === this.#source) this.#lost(null);
    };
  }

  async #loadOrder() {
    this.#orderStale = this.#ordering;
    if (this.#ordering) return;
    this.#ordering = true;
    try {
      const { ids } = await get("/queue");
      if (!this.#orderStale) this.#queue.setOrder(ids);
    } catch (error) {
      this.#lost(error);
    }
    this.#ordering = false;
    if (this.#orderStale) this.#loadOrder();
  }

  /** @param {*} error */
  #lost(error) {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#timer);
    if (error instanceof ServiceError && error.status === 401) return this.#setStatus("locked");
    if (error && !(error instanceof ServiceError)) throw error;
    this.#setStatus("away");
    this.#timer = setTimeout(() => this.connect(), this.#delay * 1000);
    this.#delay = Math.min(longestDelay, this.#delay * 1.5);
  }

  /** Closes a connection after a long silence. A machine that has slept does not notice a dead connection. */
  #listen() {
    if (this.#source && this.status === "connected" && Date.now() - this.#heard > silence * 1000) this.#lost(null);
  }

  #wake() {
    if (this.status === "away") this.connect();
    else this.#listen();
  }

  /** @param {Live["status"]} status */
  #setStatus(status) {
    if (status === this.status) return;
    this.status = status;
    this.dispatchEvent(new Event("status"));
  }
}
