// Filters and sorts the jobs. Pure, and fast enough for 10,000 jobs at each key press.

import { fileName, host } from "./names.js";
import { isWaiting, states } from "./queue.js";

/** @typedef {import("./types.js").Job} Job */
/**
 * @typedef {object} Filter
 * @property {?string} state  Only this one; null for all.
 * @property {?string} queue  Only this named queue; empty for jobs without one, null for all.
 * @property {string} text    All of its words must occur.
 * @property {"queue"|"newest"|"name"|"size"|"state"|"rate"|"left"} sort
 * @property {boolean} backwards
 */

/** The searched text of each job. A changed job is a new object. @type {WeakMap<Job, string>} */
const searched = new WeakMap();
const compareNames = new Intl.Collator(undefined, { numeric: true }).compare;

/**
 * Returns the matching jobs, in order, and the number of jobs in each state that match but for it.
 * @param {import("./queue.js").Queue} queue
 * @param {Filter} filter
 * @returns {{shown: Job[], counts: Object<string, number>}}
 */
export function arrange(queue, filter) {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = [];
  const counts = Object.fromEntries(states.map((state) => [state, 0]));
  for (const job of queue.jobs.values()) {
    if (filter.queue !== null && (job.queue ?? "") !== filter.queue) continue;
    if (words.length > 0 && !words.every((word) => text(job).includes(word))) continue;
    counts[job.state] += 1;
    if (!filter.state || job.state === filter.state) shown.push(job);
  }
  shown.sort(order(queue, filter.sort));
  return { shown: filter.backwards ? shown.reverse() : shown, counts };
}

/** @param {import("./queue.js").Queue} queue @param {Filter["sort"]} sort @returns {(a: Job, b: Job) => number} */
function order(queue, sort) {
  switch (sort) {
    case "newest": return (a, b) => b.addedAt - a.addedAt || b.id - a.id;
    case "name": return (a, b) => compareNames(fileName(a), fileName(b)) || a.id - b.id;
    case "size": return by((job) => -(job.size ?? -1));
    case "state": return (a, b) => states.indexOf(a.state) - states.indexOf(b.state) || within(queue, a, b);
    case "rate": return by((job) => -(queue.progress.get(job.id)?.rate ?? -1));
    case "left": return by((job) => left(queue, job));
    default: return (a, b) => rank(a) - rank(b) || within(queue, a, b);
  }
}

/** Compares by a number, otherwise by age. @param {(job: Job) => number} number @returns {(a: Job, b: Job) => number} */
function by(number) {
  return (a, b) => number(a) - number(b) || a.id - b.id;
}

/** Returns the seconds until a job is complete; active jobs of unknown end and others come later. @param {import("./queue.js").Queue} queue @param {Job} job */
function left(queue, job) {
  if (job.state !== "active") return Number.MAX_VALUE;
  const { received, size, rate } = queue.numbers(job);
  return size !== null && rate ? (size - received) / rate : Number.MAX_SAFE_INTEGER;
}

/** Active jobs, then the queue (in which a paused job keeps its place), then ended jobs. @param {Job} job */
function rank(job) {
  if (job.state === "active") return 0;
  if (isWaiting(job)) return 1;
  return job.state === "failed" ? 2 : 3;
}

/**
 * The order within a rank: by place if there is one, otherwise the newest end first.
 * @type {(queue: import("./queue.js").Queue, a: Job, b: Job) => number}
 */
function within(queue, a, b) {
  if (!isWaiting(a) && a.finishedAt !== null && b.finishedAt !== null) return b.finishedAt - a.finishedAt || b.id - a.id;
  return queue.byPlace(a, b);
}

/** @param {Job} job */
function text(job) {
  let text = searched.get(job);
  if (text === undefined) {
    text = `${job.id} ${fileName(job)} ${host(job)} ${job.url} ${job.group?.name ?? ""} ${job.queue ?? ""}`.toLowerCase();
    searched.set(job, text);
  }
  return text;
}
