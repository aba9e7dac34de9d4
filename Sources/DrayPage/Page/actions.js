// The actions on jobs, and their messages.

import { post, request } from "./api.js";
import { copy, plain } from "./dom.js";
import { count } from "./format.js";
import { fileName } from "./names.js";
import { isWaiting } from "./queue.js";

/** @typedef {import("./types.js").Job} Job */
/** @typedef {"pause"|"resume"|"now"|"retry"|"again"|"remove"|"delete"} ActionName */

/** The states in which an action is possible. @type {Record<ActionName, string[]>} */
const applies = {
  pause: ["active", "queued", "interrupted"],
  resume: ["paused", "interrupted"],
  now: ["queued"],
  retry: ["failed"],
  again: ["complete"],
  remove: ["queued", "active", "paused", "interrupted", "failed", "complete"],
  delete: ["complete"],
};
const done = { pause: "paused", resume: "resumed", now: "to start now", retry: "started over", again: "fetched again", remove: "removed", delete: "removed with its file" };
/** The names of buttons. @type {Record<ActionName, string>} */
export const actionNames = { pause: "Pause", resume: "Resume", now: "Start now", retry: "Retry", again: "Fetch again", remove: "Remove", delete: "Remove and delete the file" };
/** The icons of buttons. @type {Record<ActionName, string>} */
export const actionIcons = { pause: "pause", resume: "resume", now: "resume", retry: "retry", again: "retry", remove: "remove", delete: "remove" };

/** @param {ActionName} action @param {Job} job */
export function canDo(action, job) {
  return applies[action].includes(job.state) && (action !== "now" || isTimed(job)) && (action !== "delete" || Boolean(job.target));
}

/** Whether resuming a job cancels its wait. @param {Job} job */
function isTimed(job) {
  return Math.max(job.startAt ?? 0, job.notBefore ?? 0, job.hold?.until ?? 0) * 1000 > Date.now();
}

/** Whether the settings of a job can be changed. @param {Job} job */
export function canChange(job) {
  return isWaiting(job) || job.state === "failed";
}

/** The most likely action for a job in its state. @param {Job} job @returns {?ActionName} */
export function mainAction(job) {
  if (job.state === "active" || job.state === "queued") return "pause";
  if (job.state === "failed") return "retry";
  return canDo("resume", job) ? "resume" : null;
}

/** Returns what can be copied of a job: names and texts. @param {Job} job @returns {[string, string][]} */
export function copies(job) {
  /** @type {[string, ?string][]} */
  const all = [["path", job.target], ["link", job.finalURL ?? job.url], ["digest", job.digest]];
  return /** @type {*} */ (all.filter(([, text]) => text));
}

/** Carries out actions, and shows messages. */
export class Actions {
  #queue;
  #messages;

  /** @param {import("./queue.js").Queue} queue @param {import("./messages.js").Messages} messages */
  constructor(queue, messages) {
    this.#queue = queue;
    this.#messages = messages;
  }

  /**
   * Applies an action to the jobs for which it is possible.
   * @param {ActionName} action
   * @param {number[]} ids
   */
  async act(action, ids) {
    const jobs = this.#jobs(ids).filter((job) => canDo(action, job));
    if (jobs.length === 0) return;
    await this.#trying(async () => {
      const { results } = await post("/jobs/actions", { action: action === "now" ? "resume" : action, ids: jobs.map((job) => job.id) });
      // Also explain why a removal cannot be undone.
      const isExplained = (/** @type {*} */ result) =>
        result.result === "refused" || ((action === "remove" || action === "delete") && result.result === "done" && !result.undo && result.message);
      for (const result of results.filter(isExplained).slice(0, 3)) {
        this.#messages.show(`Job ${result.id}: ${result.message}`, { problem: true });
      }
      const doneCount = results.filter((/** @type {*} */ result) => result.result === "done").length;
      if (doneCount === 0) return;
      const tokens = results.map((/** @type {*} */ result) => result.undo).filter(Boolean);
      const kept = tokens.length > 0 && tokens.length < doneCount ? `; ${tokens.length} of them can be added again` : "";
      const word = action === "delete" && doneCount > 1 ? "removed with their files" : done[action];
      const text = `${this.#naming(jobs, doneCount)} ${word}${kept}`;
      this.#messages.show(text, tokens.length > 0 ? { undo: () => this.#undo(tokens) } : {});
    });
  }

  /** @param {string} name @param {string} text */
  async copy(name, text) {
    const isDone = await copy(text);
    this.#messages.show(isDone ? `The ${name} is copied` : plain(text));
  }

  /** Pauses, resumes or retries all jobs for which that is possible, shown or not. @param {"pause"|"resume"|"retry"} action */
  async actOnAll(action) {
    await this.#trying(async () => {
      const { results } = await post("/jobs/actions", { action, all: true });
      const number = results.filter((/** @type {*} */ result) => result.result === "done").length;
      this.#messages.show(number === 0 ? `No job to ${action}` : `${count(number, "job")} ${done[action]}`);
    });
  }

  /** Removes the jobs that are complete or failed. Their files stay. */
  async clearFinished() {
    const ids = [...this.#queue.jobs.values()].filter((job) => job.state === "complete" || job.state === "failed").map((job) => job.id);
    if (ids.length === 0) this.#messages.show("No job is finished");
    else await this.act("remove", ids);
  }

  /**
   * Moves waiting jobs.
   * @param {number[]} ids
   * @param {{before?: number, after?: number, place?: "first"|"last"}} place
   */
  async move(ids, place) {
    const moved = this.#jobs(ids).filter(isWaiting).map((job) => job.id);
    if (moved.length === 0 || moved.includes(place.before ?? place.after ?? -1)) return;
    const before = this.#queue.order();
    const after = reordered(before, moved, place);
    this.#queue.setOrder(after);
    try {
      await post("/jobs/move", { ids: moved, ...place });
      // Not the shown order: an event of an earlier move may have arrived meanwhile.
      const [name, position] = [this.#naming(this.#jobs(moved), moved.length), after.indexOf(moved[0]) + 1];
      this.#messages.speak(`${name} moved to place ${position} of ${before.length}`);
    } catch (error) {
      this.#queue.setOrder(before);
      this.#complain(error);
    }
  }

  /** Moves jobs by one place among the shown ones. @param {number[]} ids @param {1|-1} step @param {Job[]} shown */
  moveBy(ids, step, shown) {
    const order = shown.filter(isWaiting).map((job) => job.id);
    const places = ids.map((id) => order.indexOf(id)).filter((place) => place >= 0);
    if (places.length === 0) return;
    const moved = places.sort((a, b) => a - b).map((place) => order[place]);
    const neighbour = step < 0 ? order[places[0] - 1] : order[places[places.length - 1] + 1];
    if (neighbour === undefined) return;
    this.move(moved, step < 0 ? { before: neighbour } : { after: neighbour });
  }

  /** Gives a job a new link, and resumes it. @param {Job} job @param {string} url @returns {Promise<boolean>} */
  async relink(job, url) {
    return this.#mend(job, { url }, `${fileName(job)} has a new link`);
  }

  /** Gives a job a user and a password, and resumes it. @param {Job} job @param {string} user @param {string} password @returns {Promise<boolean>} */
  async identify(job, user, password) {
    return this.#mend(job, { user, password }, `${fileName(job)} is fetched as ${user}`);
  }

  /** @param {Job} job @param {Object<string, string>} change @param {string} text */
  async #mend(job, change, text) {
    return this.#trying(async () => {
      await request("PATCH", `/jobs/${job.id}`, change);
      await post(`/jobs/${job.id}/${job.state === "failed" ? "retry" : "resume"}`);
      this.#messages.show(text);
    });
  }

  /** Puts jobs into a named queue. @param {number[]} ids @param {?string} queue  null takes them out of theirs. */
  async enqueue(ids, queue) {
    const jobs = this.#jobs(ids).filter(canChange);
    let done = 0;
    await this.#trying(async () => {
      for (const job of jobs) {
        await request("PATCH", `/jobs/${job.id}`, { queue });
        done += 1;
      }
    });
    if (done > 0) this.#messages.show(`${count(done, "job")} ${queue === null ? "in no queue" : `in queue ${queue}`}`);
  }

  /** @param {Job} job @param {Object<string, *>} change @throws {import("./api.js").ServiceError} */
  async change(job, change) {
    await request("PATCH", `/jobs/${job.id}`, change);
    this.#messages.show(`${fileName(job)} is changed`);
  }

  /** @param {string[]} tokens */
  #undo(tokens) {
    return this.#trying(async () => {
      const { results } = await post("/jobs/actions", { action: "undo", undo: tokens });
      const back = results.filter((/** @type {*} */ result) => result.result === "done").length;
      const left = results.filter((/** @type {*} */ result) => result.result !== "done" && result.message);
      for (const result of left.slice(0, 3)) this.#messages.show(result.message, { problem: true });
      if (back > 0 || left.length === 0) this.#messages.show(`${count(back, "job")} added again`);
    });
  }

  /** @param {() => Promise<*>} work @returns {Promise<boolean>} whether it worked */
  async #trying(work) {
    try {
      await work();
      return true;
    } catch (error) {
      this.#complain(error);
      return false;
    }
  }

  /** @param {*} error */
  #complain(error) {
    this.#messages.show(error.message, { problem: true });
  }

  /** @param {number[]} ids */
  #jobs(ids) {
    return ids.flatMap((id) => this.#queue.jobs.get(id) ?? []);
  }

  /** @param {Job[]} jobs @param {number} number */
  #naming(jobs, number) {
    return number === 1 && jobs.length === 1 ? fileName(jobs[0]) : count(number, "job");
  }
}

/**
 * Returns an order with some jobs moved.
 * @param {number[]} order
 * @param {number[]} moved
 * @param {{before?: number, after?: number, place?: "first"|"last"}} place
 */
export function reordered(order, moved, place) {
  const leaving = new Set(moved);
  const rest = order.filter((id) => !leaving.has(id));
  let index = place.place === "first" ? 0 : rest.length;
  if (place.before !== undefined) index = rest.indexOf(place.before);
  if (place.after !== undefined) index = rest.indexOf(place.after) + 1;
  rest.splice(index, 0, ...moved);
  return rest;
}
