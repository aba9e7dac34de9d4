// Desktop notifications of jobs that ended while the page was hidden.

import { fileName } from "./names.js";
import { reason } from "./row.js";

/** Milliseconds in which ended jobs are combined into one notification. */
const gathering = 1500;

/** Shows notifications if they are allowed. */
export class Notifications {
  /** @type {import("./types.js").Job[]} */
  #ended = [];

  /** @param {import("./queue.js").Queue} queue */
  constructor(queue) {
    queue.addEventListener("ended", (/** @type {*} */ event) => {
      if (this.state !== "granted" || document.visibilityState === "visible") return;
      if (this.#ended.push(event.detail) === 1) setTimeout(() => this.#show(), gathering);
    });
  }

  /** @returns {"granted"|"denied"|"default"|"missing"} */
  get state() {
    return "Notification" in window && isSecureContext ? Notification.permission : "missing";
  }

  async ask() {
    await Notification.requestPermission();
  }

  #show() {
    const jobs = this.#ended.splice(0);
    const complete = jobs.filter((job) => job.state === "complete").length;
    const [first] = jobs;
    const title = jobs.length === 1 ? `${fileName(first)}: ${first.state}` : `${complete} complete, ${jobs.length - complete} stopped`;
    const body = jobs.length === 1 ? reason(first) : jobs.slice(0, 4).map(fileName).join("\n");
    try {
      const notification = new Notification(title, { body, icon: "/page/icon.svg", tag: "dray" });
      notification.onclick = () => {
        focus();
        if (jobs.length === 1) location.hash = `#/jobs/${first.id}`;
        notification.close();
      };
    } catch {
      // Chromium on Android has the interface, but refuses to use it without a worker.
    }
  }
}
