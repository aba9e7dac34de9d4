// The dialog that adds jobs.

import { get, post } from "./api.js";
import { button, byId, h, plain } from "./dom.js";
import * as format from "./format.js";
import { labelled } from "./labels.js";
import { dropped, largestFile } from "./sources.js";

/** Milliseconds without a key press after which the links are read. */
const pause = 250;
/** The most links that are looked at. */
const mostLooks = 20;

/** The dialog. */
export class AddDialog {
  #dialog = byId("add");
  #form = byId("add-form");
  #urls = byId("add-urls");
  #problem = byId("add-problem");
  #probe = byId("add-probe");
  #fileBox = byId("add-file");
  #submit = byId("add-submit");
  #messages;
  #live;
  /** A dropped or chosen file, whose text is sent unchanged. @type {?{name: string, text: string}} */
  #file = null;
  /** The links in the text, as the service reads them. @type {string[]} */
  #links = [];
  /** @type {number|undefined} */
  #timer;
  /** The last request and its key. A request repeated after a lost answer must not add a second job. */
  #sent = { body: "", key: "" };

  /** @param {import("./messages.js").Messages} messages @param {import("./live.js").Live} live */
  constructor(messages, live) {
    this.#messages = messages;
    this.#live = live;
    live.addEventListener("status", () => this.#showDirectories());
    byId("add-cancel").addEventListener("click", () => this.#dialog.close());
    // Input that was cancelled does not come back.
    this.#dialog.addEventListener("close", () => this.#reset());
    byId("add-look").addEventListener("click", () => this.#look());
    byId("add-choose").addEventListener("change", (/** @type {*} */ event) => this.#choose(event.target));
    this.#urls.addEventListener("input", () => this.#describe());
    byId("add-mirrors").addEventListener("change", () => this.#showCount(this.#links.length));
    byId("add-directory").addEventListener("change", () => this.#showSpace());
    this.#urls.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#form.requestSubmit();
    });
    this.#form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#add();
    });
  }

  /** @param {string} [text]  Links, a list or a Metalink document. */
  open(text = "") {
    if (text) this.#append(text);
    this.#showDirectories();
    this.#describe();
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#showSpace();
    this.#urls.focus();
  }

  /** The allowed directories. The last choice is kept. */
  #showDirectories() {
    const { roots, directory, schemes } = this.#live.service ?? { roots: [], directory: "", schemes: [] };
    const select = byId("add-directory");
    const chosen = select.value || directory;
    select.replaceChildren(...[...new Set([directory, ...roots])].filter(Boolean).map((root) =>
      h("option", { value: root, selected: root === chosen }, plain(root))));
    byId("add-schemes").textContent = schemes.length > 0 ? `${schemes.join(", ")}. ` : "";
    if (this.#dialog.open) this.#showSpace();
  }

  /** Shows the free space of the chosen directory. */
  async #showSpace() {
    const directory = byId("add-directory").value;
    const { free } = await get(`/space?directory=${encodeURIComponent(directory)}`).catch(() => ({ free: null }));
    if (directory === byId("add-directory").value) byId("add-space").textContent = free === null ? "" : `${format.size(free)} free`;
  }

  /** @param {DataTransfer} transfer */
  async drop(transfer) {
    const names = [...transfer.files].map((file) => file.name);
    const texts = await dropped(transfer);
    this.open();
    texts.forEach((text, index) => (names.length > 0 ? this.#takeFile(text, names[index]) : this.#append(text)));
    this.#describe();
  }

  /** @param {HTMLInputElement} input */
  async #choose(input) {
    const file = input.files?.[0];
    if (file && file.size > largestFile) this.#complain(`${plain(file.name)} is too large to be a list`);
    else if (file) this.#takeFile(await file.text(), file.name);
    input.value = "";
    this.#describe();
  }

  /** @param {string} text */
  #append(text) {
    this.#urls.value = [this.#urls.value.trim(), text.trim()].filter(Boolean).join("\n");
  }

  /** @param {string} text @param {string} name */
  #takeFile(text, name) {
    this.#file = { name: plain(name), text };
  }

  /** Shows what the input is, as far as this is known, and asks the service for the rest. */
  #describe() {
    this.#complain("");
    this.#links = [];
    this.#fileBox.hidden = this.#file === null;
    if (this.#file) {
      this.#fileBox.replaceChildren(h("span", {}, `The file ${this.#file.name}`), button("Take it out", () => {
        this.#file = null;
        this.#describe();
        this.#urls.focus();
      }));
    }
    this.#showCount(null);
    this.#probe.replaceChildren();
    clearTimeout(this.#timer);
    if (this.#urls.value.trim()) this.#timer = setTimeout(() => this.#read(), pause);
  }

  /** Asks the service how it reads the text. */
  async #read() {
    const text = this.#urls.value;
    const isRead = () => text === this.#urls.value && this.#dialog.open;
    try {
      const { kind, count, urls } = await post("/links", { text });
      if (!isRead()) return;
      this.#links = urls;
      this.#showCount(count);
      if (kind !== "links") this.#probe.replaceChildren(kind === "list" ? "This is a list with settings" : "This is a Metalink document");
    } catch (error) {
      // It may not be complete yet, so this is no alert.
      if (isRead() && error.status > 0) this.#probe.replaceChildren(plain(error.message));
    }
  }

  /** @param {?number} count  The number of links; null if it is not known. */
  #showCount(count) {
    this.#submit.textContent = count !== null && count > 1 && !byId("add-mirrors").checked ? `Add ${format.count(count, "job")}` : "Add";
    byId("add-look").hidden = this.#links.length === 0 || this.#links.length > mostLooks;
  }

  /** Returns the bodies of the requests. */
  #bodies() {
    /** @type {Object<string, *>} */
    const settings = { directory: this.#directory(), ...this.#settings() };
    // A queue may have a directory of its own.
    if (settings.queue && settings.directory === this.#live.service?.directory) delete settings.directory;
    return [this.#file?.text ?? "", this.#urls.value].filter((text) => text.trim()).map((text) => ({ text, ...settings }));
  }

  #directory() {
    const folder = byId("add-folder").value.trim().replace(/^\/+/, "");
    const directory = byId("add-directory").value;
    return folder ? `${directory.replace(/\/$/, "")}/${folder}` : directory;
  }

  /** Returns the fields under "More", without empty ones. */
  #settings() {
    const value = (/** @type {string} */ id) => byId(id).value.trim() || undefined;
    const headers = byId("add-headers").value.split("\n").map((/** @type {string} */ line) => line.trim()).filter(Boolean);
    return {
      output: value("add-output"),
      checksum: value("add-checksum"),
      limitRate: value("add-limit"),
      group: value("add-group"),
      queue: value("add-queue"),
      between: value("add-between"),
      priority: Number(byId("add-priority").value) || undefined,
      headers: headers.length > 0 ? headers : undefined,
      user: value("add-user"),
      password: value("add-user") && (byId("add-password").value || undefined),
      paused: byId("add-paused").checked || undefined,
      areMirrors: byId("add-mirrors").checked || undefined,
    };
  }

  async #add() {
    const bodies = this.#bodies();
    if (bodies.length === 0) return this.#complain("Put in a link, or drop a file");
    this.#submit.disabled = true;
    try {
      let [added, existing] = [0, 0];
      for (const body of bodies) {
        const { jobs } = await post("/jobs", body, { "Idempotency-Key": this.#key(JSON.stringify(body)) });
        existing += jobs.filter((/** @type {*} */ job) => job.existing).length;
        added += jobs.length;
      }
      this.#messages.show(`${format.count(added - existing, "job")} added${existing > 0 ? `, ${existing} were there already` : ""}`);
      this.#dialog.close();
    } catch (error) {
      this.#complain(labelled(error.message));
    } finally {
      this.#submit.disabled = false;
    }
  }

  /** @param {string} body */
  #key(body) {
    if (this.#sent.body !== body) {
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      this.#sent = { body, key: [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("") };
    }
    return this.#sent.key;
  }

  #reset() {
    const directory = byId("add-directory").value;
    this.#form.reset();
    byId("add-directory").value = directory;
    this.#file = null;
    this.#sent = { body: "", key: "" };
    this.#complain("");
  }

  /** Shows the servers' answers about the links, without fetching the files, and their sum. */
  async #look() {
    const links = this.#links;
    this.#probe.replaceChildren("Asking…");
    const answers = await Promise.all(links.map((url) => post("/probes", { url }).catch((error) => error)));
    if (links !== this.#links) return;
    const lines = answers.map((info, index) => (info instanceof Error ? [links[index], info.message] : [
      info.status, info.name, info.size === null ? "size unknown" : format.size(info.size), info.mediaType,
      info.resumable ? "resumable" : `not resumable: ${info.resumableReason}`,
    ]).filter(Boolean).map((fact) => plain(String(fact))).join(" · "));
    const sizes = answers.map((info) => info.size ?? null).filter((size) => size !== null);
    if (sizes.length > 1) lines.push(`${format.count(sizes.length, "file")} together: ${format.size(sizes.reduce((sum, size) => sum + size, 0))}`);
    this.#probe.replaceChildren(...lines.map((line) => h("div", {}, line)));
  }

  /** @param {string} text */
  #complain(text) {
    this.#problem.textContent = text;
    this.#problem.hidden = text === "";
  }
}
