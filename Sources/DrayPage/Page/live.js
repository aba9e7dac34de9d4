// Synchronizes the page with the service: loads the jobs, follows the events, and reconnects after interruptions.

import { get, ServiceError } from "./api.js";
import { Stream } from "./stream.js";

/** @typedef {import("./hub.js").News} News */
/** @typedef {Extract<News, {kind: "event"}>} StreamEvent */

/** Seconds between two attempts to connect: the minimum and the maximum. */
const [firstDelay, longestDelay] = [1, 10];
/** Seconds between two looks at the named queues and the limits. */
const namedInterval = 30;
/** Seconds after which a hidden tab needs no events. */
const hiddenDelay = 5;

/**
 * The connection to the service. Events: `status`; see {@link Live#status} and {@link Live#isAsleep}.
 */
export class Live extends EventTarget {
  /** @type {"starting"|"connected"|"away"|"locked"} */
  status = "starting";
  /** Whether the tab is hidden and gets no events. The queue is as it was. */
  isAsleep = false;
  /** @type {?import("./types.js").Service} */
  service = null;
  #queue;
  #isNeeded;
  #stream = new Stream((news) => this.#hear(news));
  #cursor = "";
  /** The events since the stream was opened, while the jobs are loaded; null afterwards. @type {?StreamEvent[]} */
  #held = null;
  #delay = firstDelay;
  /** @type {number|undefined} */
  #timer;
  /** @type {number|undefined} */
  #sleepTimer;
  /** Whether the order is being loaded, and whether it has changed since then. */
  #ordering = false;
  #orderStale = false;
  /** The number of the last attempt to connect, and of the last one that loads the jobs. Earlier attempts give up. */
  #attempt = 0;
  #loading = 0;

  /**
   * @param {import("./queue.js").Queue} queue
   * @param {() => boolean} isNeeded  Whether a hidden tab needs the events.
   */
  constructor(queue, isNeeded) {
    super();
    this.#queue = queue;
    this.#isNeeded = isNeeded;
    setInterval(() => this.#loadNamed(), namedInterval * 1000);
    addEventListener("online", () => this.#wake());
    addEventListener("pagehide", () => this.#stream.close());
    addEventListener("pageshow", (event) => event.persisted && this.connect());
    document.addEventListener("visibilitychange", () => this.#look());
  }

  /** Loads everything and follows the events. Called at the start and after a login. */
  async connect() {
    clearTimeout(this.#timer);
    this.#stream.leave();
    this.#setAsleep(false);
    const attempt = ++this.#attempt;
    try {
      const service = await get("/service");
      if (attempt !== this.#attempt) return;
      if (this.service?.started !== service.started) this.#cursor = "";
      this.service = service;
      // The stream is opened first, so that no change is missed between the two.
      this.#held = this.#cursor === "" ? [] : null;
      this.#stream.join(this.#cursor);
    } catch (error) {
      if (attempt === this.#attempt) this.#lost(error);
    }
  }

  /** @param {News} news */
  #hear(news) {
    if (news.kind === "open") this.#opened();
    else if (news.kind === "lost") this.#lost(null);
    else if (this.#held) this.#held.push(news);
    else this.#take(news);
  }

  async #opened() {
    const attempt = this.#attempt;
    this.#delay = firstDelay;
    if (this.#held) {
      // The hub may have opened its stream again, at an earlier event.
      if (this.#loading === attempt) return;
      this.#loading = attempt;
      try {
        await this.#load(attempt);
      } catch (error) {
        if (attempt === this.#attempt) this.#lost(error);
        return;
      }
      if (attempt !== this.#attempt) return;
      const held = this.#held ?? [];
      this.#held = null;
      // Some are older than what was loaded. The newer ones follow.
      for (const event of held) if (attempt === this.#attempt) this.#take(event);
    }
    if (attempt !== this.#attempt) return;
    this.#setStatus("connected");
    this.#loadNamed();
    if (document.hidden) this.#look();
  }

  /** @param {number} attempt */
  async #load(attempt) {
    /** @type {import("./types.js").Job[]} */
    const jobs = [];
    let [next, cursor] = [null, ""];
    do {
      const page = await get(`/jobs?limit=2000${next === null ? "" : `&after=${next}`}`);
      jobs.push(...page.jobs);
      if (next === null) cursor = page.cursor;
      next = page.next;
    } while (next !== null);
    const { ids } = await get("/queue");
    if (attempt !== this.#attempt) return;
    this.#cursor = cursor;
    this.#queue.replace(jobs, ids);
  }

  /** @param {StreamEvent} event */
  #take(event) {
    if (event.cursor) this.#cursor = event.cursor;
    const data = JSON.parse(event.data);
    switch (event.name) {
      case "job": return this.#queue.put(data);
      case "removed": return this.#queue.remove(data.id);
      case "progress": return this.#queue.report(data);
      case "order": return void this.#loadOrder();
      case "reset":
        this.#cursor = "";
        this.connect();
    }
  }

  /** Loads the named queues and the limits, which say why jobs wait. */
  async #loadNamed() {
    if (this.status !== "connected" || document.hidden) return;
    try {
      const [{ queues }, limits] = await Promise.all([get("/queues"), get("/limits")]);
      this.#queue.setNamed(queues);
      this.#queue.setLimits(limits);
    } catch {
      // The event stream notices that the service is away.
    }
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
    this.#attempt += 1;
    this.#stream.leave();
    clearTimeout(this.#timer);
    if (error instanceof ServiceError && error.status === 401) return this.#setStatus("locked");
    if (error && !(error instanceof ServiceError)) throw error;
    this.#setStatus("away");
    this.#timer = setTimeout(() => this.connect(), this.#delay * 1000);
    this.#delay = Math.min(longestDelay, this.#delay * 1.5);
  }

  // Hidden tabs

  #look() {
    clearTimeout(this.#sleepTimer);
    if (document.hidden) this.#sleepTimer = setTimeout(() => this.#sleep(), hiddenDelay * 1000);
    else this.#wake();
  }

  #sleep() {
    if (!document.hidden || this.status !== "connected" || this.#isNeeded()) return;
    this.#attempt += 1;
    this.#stream.leave();
    this.#setAsleep(true);
  }

  #wake() {
    if (document.hidden) return;
    if (this.isAsleep || this.status === "away") this.connect();
  }

  /** @param {boolean} isAsleep */
  #setAsleep(isAsleep) {
    if (isAsleep === this.isAsleep) return;
    this.isAsleep = isAsleep;
    this.dispatchEvent(new Event("status"));
  }

  /** @param {Live["status"]} status */
  #setStatus(status) {
    if (status === this.status) return;
    this.status = status;
    this.dispatchEvent(new Event("status"));
  }
}
