// Logs in. The secret, or the ticket of a link, is sent to the service once. From then on, the service's cookie and its
// key replace it.

import { keepKey, post } from "./api.js";
import { byId } from "./dom.js";

/** The dialog. */
export class Login {
  #dialog = byId("login");
  #secret = byId("login-secret");
  #problem = byId("login-problem");
  /** Whether the link that led here was refused. */
  #isStale = false;

  /** @param {() => void} done */
  constructor(done) {
    // Without the secret there is nothing to return to.
    this.#dialog.addEventListener("cancel", (/** @type {Event} */ event) => event.preventDefault());
    byId("login-form").addEventListener("submit", async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        await Login.#send(this.#secret.value);
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

  /**
   * Logs in with the ticket of the link that `dray serve` prints, and removes it from the address.
   * @returns {Promise<boolean>} whether the login succeeded
   */
  async follow() {
    if (!location.hash.startsWith("#login=")) return false;
    const ticket = location.hash.slice("#login=".length);
    history.replaceState(null, "", location.pathname);
    try {
      await Login.#send(ticket);
      if (this.#dialog.open) this.#dialog.close();
      this.#isStale = false;
      return true;
    } catch (error) {
      // A link can be used only once. Later the dialog asks for the secret, unless an earlier session goes on.
      this.#isStale = error.status === 401;
      return false;
    }
  }

  /** @param {string} secret */
  static async #send(secret) {
    const { key } = await post("/session", { secret });
    keepKey(key);
  }

  open() {
    if (!this.#dialog.open) this.#dialog.showModal();
    if (this.#isStale) this.#complain("This link was used already, or is too old. `dray serve --link` prints a fresh one.");
    this.#isStale = false;
    this.#secret.focus();
  }

  /** @param {string} text */
  #complain(text) {
    this.#problem.textContent = text;
    this.#problem.hidden = text === "";
  }
}
