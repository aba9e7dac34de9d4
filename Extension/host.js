// Talks to `dray browser-host` by native messaging (protocol version 1). A connection is opened by the first request, and closed after
// some idle seconds, so that dray's process lives only while it is needed.

const NAME = "dev.dray.browser";
const VERSION = 1;
const IDLE = 5_000; // milliseconds
const LIMIT = 10_000;
/** How long a late answer is waited for, after the limit. */
const LATEST = 60_000;

const ADVICE = {
  away: "Run: dray browser install",
  lost: "Run: dray doctor",
  slow: "Look at the list of dray's button whether it has the file",
};

/** An answer did not come. `kind` is `away` (dray is not set up for this browser), `lost` (its process ended) or `slow`. */
export class HostError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
    this.advice = ADVICE[kind];
  }
}

export class Host {
  #port = null;
  #greeting = null;
  #pending = new Map();
  #last = 0;
  #idle = null;

  /** Sends `hello` if it is not connected. Returns its answer. */
  hello() {
    if (this.#greeting === null) {
      const greeting = this.#greet();
      this.#greeting = greeting;
      // Another request tries it again.
      greeting.catch(() => {
        if (this.#greeting === greeting) this.close();
      });
    }
    return this.#greeting;
  }

  /**
   * Sends a request and returns its answer, whether it is ok or not.
   * @param late Called with an answer that comes after the limit.
   * @throws HostError
   */
  async request(message, late = null) {
    const greeting = await this.hello();
    if (!greeting.ok) return greeting;
    return await this.#send(message, late);
  }

  /** Sends a request once more if dray's process ended before it answered. A job that it had accepted counts as accepted. */
  async requestTwice(message, late = null) {
    try {
      return await this.request(message, late);
    } catch (error) {
      if (error.kind !== "lost") throw error;
      const answer = await this.request(message, late);
      return answer.code === "exists" && answer.job ? { ...answer, ok: true, existing: true } : answer;
    }
  }

  close() {
    this.#port?.disconnect();
    this.#closed();
  }

  async #greet() {
    let port;
    try {
      port = chrome.runtime.connectNative(NAME);
    } catch (error) {
      throw new HostError("away", `the browser does not start dray: ${error.message}`);
    }
    this.#port = port;
    port.onMessage.addListener((answer) => this.#received(answer));
    port.onDisconnect.addListener(() => {
      // Firefox has the reason in the port.
      const reason = (port.error ?? chrome.runtime.lastError)?.message ?? "";
      if (this.#port === port) this.#ended(reason);
    });
    const version = chrome.runtime.getManifest().version;
    const answer = await this.#send({ type: "hello", version: VERSION, extension: version });
    if (answer.ok && answer.version !== VERSION) {
      this.close();
      return { ok: false, code: "unavailable", message: `dray speaks version ${answer.version} of the protocol`, advice: "Update dray and this extension" };
    }
    return answer;
  }

  #send(message, late = null) {
    const port = this.#port;
    if (port === null) return Promise.reject(new HostError("lost", "dray ended"));
    const id = (this.#last += 1);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (late === null) this.#pending.delete(id);
        else this.#pending.set(id, { resolve: late, reject() {}, timer: setTimeout(() => this.#forget(id), LATEST) });
        reject(new HostError("slow", "dray did not answer in time"));
        this.#rest();
      }, LIMIT);
      this.#pending.set(id, { resolve, reject, timer });
      clearTimeout(this.#idle);
      try {
        port.postMessage({ ...message, id });
      } catch (error) {
        // The port has closed, and its event is still to come. The next request opens another port.
        port.disconnect();
        this.#ended(error.message);
      }
    });
  }

  #forget(id) {
    this.#pending.delete(id);
    this.#rest();
  }

  #received(answer) {
    const waiting = this.#pending.get(answer?.id);
    if (waiting === undefined) return;
    this.#pending.delete(answer.id);
    clearTimeout(waiting.timer);
    waiting.resolve(answer);
    this.#rest();
  }

  #ended(reason) {
    const isAway = /not found|no such native|forbidden/i.test(reason);
    const error = isAway
      ? new HostError("away", "dray is not set up for this browser")
      : new HostError("lost", reason === "" ? "dray ended before it answered" : `dray ended before it answered (${reason})`);
    const waiting = [...this.#pending.values()];
    this.#closed();
    for (const { reject, timer } of waiting) {
      clearTimeout(timer);
      reject(error);
    }
  }

  #closed() {
    clearTimeout(this.#idle);
    this.#port = null;
    this.#greeting = null;
    this.#pending.clear();
  }

  #rest() {
    clearTimeout(this.#idle);
    if (this.#pending.size === 0) this.#idle = setTimeout(() => this.close(), IDLE);
  }
}

export const host = new Host();
