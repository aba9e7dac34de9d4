// The limit that holds now, and the switch that replaces all limits by a low one, beside the list of jobs.

import { request } from "./api.js";
import { byId, setText } from "./dom.js";
import * as format from "./format.js";
import { rateOf } from "./timetable.js";

/** The rate of the switch until another one is set. */
const usual = "200 KiB/s";

/** Shows the limit, and switches it. */
export class LimitSwitch {
  #queue;
  #messages;
  #button = byId("slow");

  /** @param {import("./queue.js").Queue} queue @param {import("./messages.js").Messages} messages */
  constructor(queue, messages) {
    this.#queue = queue;
    this.#messages = messages;
    this.#button.addEventListener("click", () => this.#toggle());
    queue.addEventListener("change", () => this.#show());
  }

  #show() {
    const { limits } = this.#queue;
    this.#button.hidden = limits === null;
    if (!limits) return;
    const now = limits.now === null ? "no limit" : `at most ${format.rate(limits.now)}`;
    setText(this.#button.querySelector(".limit-text"), limits.now === null ? "no limit" : `≤ ${format.rate(limits.now)}`);
    this.#button.setAttribute("aria-pressed", String(limits.isSlow));
    this.#button.setAttribute("aria-label", `Slow down, now ${now}`);
    this.#button.title = limits.isSlow ? `Slow: ${now}. Press for the usual limits.` : `Now ${now}. Press for at most ${limits.slow ?? usual}.`;
  }

  async #toggle() {
    const { limits } = this.#queue;
    if (!limits) return;
    const { now, ...rest } = limits;
    try {
      const set = await request("PUT", "/limits", { ...rest, slow: rateOf(limits.slow) ? limits.slow : usual, isSlow: !limits.isSlow });
      this.#queue.setLimits(set);
      this.#messages.show(set.isSlow ? `All jobs together at most ${format.rate(set.now)}` : "The usual limits hold again");
    } catch (error) {
      this.#messages.show(error.message, { problem: true });
    }
  }
}
