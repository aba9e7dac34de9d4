// The named queues, in the view of the limits: their state, and buttons to pause and resume them.

import { get, request } from "./api.js";
import { button, h, plain } from "./dom.js";
import * as format from "./format.js";

/** @typedef {import("./types.js").NamedQueue} NamedQueue */

/** Returns the state and the limits of a queue in words. @param {NamedQueue} queue @returns {string} */
export function words(queue) {
  const waiting = queue.counts.queued + queue.counts.interrupted + queue.counts.paused;
  const word = queue.state === "spent" ? "quota used up" : queue.state;
  const state = queue.opensAt === null ? word : `${word} until ${format.moment(queue.opensAt)}`;
  return [
    state,
    `${queue.counts.active} active, ${waiting} waiting`,
    queue.jobs === null ? "" : `${queue.jobs} at once`,
    queue.rate === null ? "" : `rate ${queue.rate}`,
    queue.between === null ? "" : `between ${queue.between}`,
    queue.quota === null ? "" : `${format.size(queue.quota.used)} of ${format.size(queue.quota.bytes)} this ${queue.quota.period}`,
  ].filter((text) => text !== "").join(" · ");
}

/**
 * Fills a section with the queues; without any it stays empty.
 * @param {HTMLElement} section
 * @param {import("./messages.js").Messages} messages
 */
export async function fill(section, messages) {
  /** @type {NamedQueue[]} */
  const queues = (await get("/queues")).queues;
  if (queues.length === 0) return section.replaceChildren();
  const change = async (/** @type {NamedQueue} */ queue) => {
    const paused = queue.state !== "paused";
    try {
      await request("PATCH", `/queues/${encodeURIComponent(queue.name)}`, { paused });
      messages.show(`Queue ${queue.name} ${paused ? "paused" : "resumed"}`);
      await fill(section, messages);
    } catch (error) {
      messages.show(error.message, { problem: true });
    }
  };
  section.replaceChildren(h("h3", {}, "Named queues"), h("dl", {}, ...queues.flatMap((queue) => [
    h("dt", {}, plain(queue.name)),
    h("dd", {}, plain(words(queue)), " ",
      button(`${queue.state === "paused" ? "Resume" : "Pause"} the queue ${queue.name}`, () => change(queue))),
  ])));
}
