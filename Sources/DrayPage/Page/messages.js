// Short messages: shown in a corner, spoken by screen readers, and removed after a while. One of them may offer an
// undo.

import { button, byId, h } from "./dom.js";

/** Seconds for which a message is shown: without and with an offer. */
const [short, long] = [5, 15];
/** Seconds between two spoken messages. Messages in between are spoken together. */
const pause = 2;
/** The maximum number of simultaneous messages. */
const most = 4;

/** The messages of the page. */
export class Messages {
  #shown = byId("messages");
  #spoken = byId("spoken");
  /** @type {string[]} */
  #waiting = [];
  #speaking = false;
  /** @type {?() => void} */
  #undo = null;

  /**
   * @param {string} text
   * @param {{undo?: () => void, problem?: boolean}} [options]
   */
  show(text, options = {}) {
    const message = h("div", { class: options.problem ? "message problem" : "message" }, h("span", {}, text));
    /** @type {number|undefined} */
    let timer;
    const end = () => {
      clearTimeout(timer);
      message.remove();
      if (this.#undo === undo) this.#undo = null;
    };
    const undo = () => {
      end();
      options.undo?.();
    };
    if (options.undo) {
      message.append(button("Undo", undo));
      this.#undo = undo;
    }
    message.append(button("Close this message", end, { icon: "close", only: true }));
    const wait = () => {
      timer = setTimeout(end, (options.undo || options.problem ? long : short) * 1000);
    };
    // Keep the message while the user is about to use it.
    for (const event of ["pointerenter", "focusin"]) message.addEventListener(event, () => clearTimeout(timer));
    for (const event of ["pointerleave", "focusout"]) message.addEventListener(event, wait);
    wait();
    this.#shown.append(message);
    while (this.#shown.children.length > most) this.#shown.firstElementChild.remove();
    this.speak(options.undo ? `${text}. Undo with Control Z.` : text);
  }

  /** Speaks to screen readers only. @param {string} text */
  speak(text) {
    this.#waiting.push(text);
    if (!this.#speaking) this.#speakNext();
  }

  /** Undoes the newest action that can be undone. @returns {boolean} whether there was one */
  undo() {
    const undo = this.#undo;
    undo?.();
    return undo !== null;
  }

  #speakNext() {
    this.#speaking = this.#waiting.length > 0;
    if (!this.#speaking) return;
    this.#spoken.textContent = this.#waiting.splice(0).slice(-3).join(". ");
    setTimeout(() => this.#speakNext(), pause * 1000);
  }
}
