// Logging in: the secret, or the ticket of a link, goes to the service once, and the service's cookie stands for it from then on.

import { post } from "./api.js";
import { byId } from "./dom.js";

/** The dialog. */
export class Login {
  #dialog = byId("login");
  #secret = byId("login-secret");
  #problem = byId("login-problem");

  /** @param {() => void} done */
  constructor(done) {
    // Nothing is behind it without the secret.
    this.#dialog.addEventListener("cancel", (/** @type {Event} */ event) => event.preventDefault());
    byId("login-form").addEventListener("submit", async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        await post("/session", { secret: this.#secret.value });
        this.#secret.value = "";
        this.#complain("");
        this.#dialog.close();
        done();
      } catch (error) {
        this.#complain(error.status === 401 ? "That is not the secret" : error.message);
        this.#secret.select();
      }
    });
  }

  /** Logs in by the ticket of the link that `dray serve` prints. It is not kept in the address. @returns {Promise<boolean>} whether it did */
  async follow() {
    if (!location.hash.startsWith("#login=")) return false;
    const ticket = location.hash.slice("#login=".length);
    history.replaceState(null, "", location.pathname);
    try {
      await post("/session", { secret: ticket });
      if (this.#dialog.open) this.#dialog.close();
      return true;
    } catch {
      // A link is good for one time: later the dialog asks.
      return false;
    }
  }

  open() {
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#secret.focus();
  }

  /** @param {string} text */
  #complain(text) {
    this.#problem.textContent = text;
    this.#problem.hidden = text === "";
  }
}
