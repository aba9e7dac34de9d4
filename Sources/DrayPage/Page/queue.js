// The page's data about jobs. It only stores values and reports changes: the service decides, the views draw.

import { RateHistory } from "./history.js";

/** @typedef {import("./types.js").Job} Job */
/** @typedef {import("./types.js").Progress} Progress */

/** The states, in the order of the filters. @type {import("./types.js").State[]} */
export const states = ["active", "queued", "paused", "interrupted", "failed", "complete"];

/** Whether a job is in a state in which its place in the queue can be changed. @param {Job} job */
export const isWaiting = (job) => job.state === "queued" || job.state === "paused" || job.state === "interrupted";

/** The number of jobs whose rate history is kept. */
const histories = 100;

/**
 * The jobs. Events: `change` (of jobs or their order), `progress` (only numbers of active jobs), `ended` (`detail` is a
 * job that became complete, failed or interrupted while the page was open).
 */
export class Queue extends EventTarget {
  /** @type {Map<number, Job>} */
  jobs = new Map();
  /** @type {Map<number, Progress>} */
  progress = new Map();
  /** The place of each waiting job. @type {Map<number, number>} */
  places = new Map();
  /** The named queues. @type {Map<string, import("./types.js").NamedQueue>} */
  named = new Map();
  /** The times at which all jobs are transferred; null for always. @type {?string} */
  between = null;
  /** Bytes per second, for all jobs. */
  rate = 0;
  /** The limits of all jobs. @type {?import("./types.js").Limits} */
  limits = null;
  /** Whether the service does not answer, so that rates are old. */
  isAway = false;
  /** @type {Map<number, RateHistory>} */
  #histories = new Map();

  /** Replaces everything. @param {Job[]} jobs @param {number[]} order */
  replace(jobs, order) {
    this.jobs = new Map(jobs.map((job) => [job.id, job]));
    this.progress.clear();
    this.rate = 0;
    this.setOrder(order);
  }

  /** @param {Job} job */
  put(job) {
    const before = this.jobs.get(job.id);
    this.jobs.set(job.id, job);
    if (job.state !== "active") this.progress.delete(job.id);
    this.#changed();
    const ended = job.state === "complete" || job.state === "failed" || job.state === "interrupted";
    if (before && before.state !== job.state && ended) this.dispatchEvent(new CustomEvent("ended", { detail: job }));
  }

  /** @param {number} id */
  remove(id) {
    this.jobs.delete(id);
    this.progress.delete(id);
    this.#histories.delete(id);
    this.#changed();
  }

  /** @param {{jobs: Progress[], rate: number}} report */
  report(report) {
    this.rate = report.rate;
    this.progress = new Map(report.jobs.map((progress) => [progress.id, progress]));
    for (const progress of report.jobs) this.history(progress.id).add(Date.now() / 1000, progress.rate);
    this.dispatchEvent(new Event("progress"));
  }

  /** Returns the names of the named queues: of those with settings, and of those that jobs name. */
  queueNames() {
    const names = new Set(this.named.keys());
    for (const job of this.jobs.values()) if (job.queue) names.add(job.queue);
    return [...names].sort((a, b) => a.localeCompare(b));
  }

  /** @param {import("./types.js").NamedQueue[]} queues */
  setNamed(queues) {
    this.named = new Map(queues.map((queue) => [queue.name, queue]));
    this.#changed();
  }

  /** @param {import("./types.js").Limits} limits */
  setLimits(limits) {
    this.limits = limits;
    this.between = limits.between === "off" ? null : limits.between ?? null;
    this.#changed();
  }

  /** @param {boolean} isAway */
  setAway(isAway) {
    if (isAway === this.isAway) return;
    this.isAway = isAway;
    this.dispatchEvent(new Event("progress"));
  }

  /** @param {number[]} ids  Waiting jobs, in the order of the queue. */
  setOrder(ids) {
    this.places = new Map(ids.map((id, place) => [id, place]));
    this.#changed();
  }

  /** Returns the ids of waiting jobs, in the order of the queue. */
  order() {
    return [...this.jobs.values()].filter(isWaiting).sort(this.byPlace).map((job) => job.id);
  }

  /**
   * Compares by place. A job whose place is not yet known is placed by priority and age.
   * @type {(a: Job, b: Job) => number}
   */
  byPlace = (a, b) => {
    const [placeOfA, placeOfB] = [this.places.get(a.id), this.places.get(b.id)];
    if (placeOfA !== undefined && placeOfB !== undefined) return placeOfA - placeOfB;
    return b.priority - a.priority || a.id - b.id;
  };

  /** Returns the history of a job's rate. @param {number} id */
  history(id) {
    let history = this.#histories.get(id);
    if (!history) {
      history = new RateHistory();
      this.#histories.set(id, history);
      if (this.#histories.size > histories) this.#histories.delete(this.#histories.keys().next().value);
    }
    return history;
  }

  /** Returns the number of jobs in each state. @returns {Object<string, number>} */
  counts() {
    const counts = Object.fromEntries(states.map((state) => [state, 0]));
    for (const job of this.jobs.values()) counts[job.state] += 1;
    return counts;
  }

  /** Returns the received and expected bytes of all active and queued jobs of known size. */
  totals() {
    const totals = { received: 0, size: 0, unknown: 0 };
    for (const job of this.jobs.values()) {
      if (job.state !== "active" && job.state !== "queued") continue;
      const { received, size } = this.numbers(job);
      if (size === null) totals.unknown += 1;
      else {
        totals.received += received;
        totals.size += size;
      }
    }
    return totals;
  }

  /** Returns the newest numbers of a job. @param {Job} job */
  numbers(job) {
    const live = this.progress.get(job.id);
    return {
      received: live?.received ?? job.received,
      size: live?.size ?? job.size,
      /** null while it is not known. */
      rate: this.isAway ? null : live?.rate ?? 0,
      connections: live?.connections ?? 0,
      phase: live?.phase ?? null,
      /** Whether other jobs are transferred. */
      busy: this.progress.size > 0,
      queue: (job.queue && this.named.get(job.queue)) || null,
      between: this.between,
      /** The jobs that it waits for, or their ids. */
      after: job.after.map((id) => this.jobs.get(id) ?? id),
    };
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
