// The dialog that adds jobs.

import { post } from "./api.js";
import { button, byId, h, plain } from "./dom.js";
import * as format from "./format.js";
import { dropped, largestFile, read } from "./sources.js";

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
    this.#urls.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#form.requestSubmit();
    });
    this.#form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#add();
    });
  }

  /** @param {string} [text]  URLs, a list or a Metalink document. */
  open(text = "") {
    if (text) this.#take(text, "dropped text");
    this.#showDirectories();
    this.#describe();
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#urls.focus();
  }

  /** The allowed directories. The last choice is kept. */
  #showDirectories() {
    const { roots, directory } = this.#live.service ?? { roots: [], directory: "" };
    const select = byId("add-directory");
    const chosen = select.value || directory;
    select.replaceChildren(...[...new Set([directory, ...roots])].filter(Boolean).map((root) =>
      h("option", { value: root, selected: root === chosen }, plain(root))));
  }

  /** @param {DataTransfer} transfer */
  async drop(transfer) {
    const names = [...transfer.files].map((file) => file.name);
    const texts = await dropped(transfer);
    this.open();
    texts.forEach((text, index) => this.#take(text, names[index] ?? "dropped text"));
    this.#describe();
  }

  /** @param {HTMLInputElement} input */
  async #choose(input) {
    const file = input.files?.[0];
    if (file && file.size > largestFile) this.#complain(`${plain(file.name)} is too large to be a list`);
    else if (file) this.#take(await file.text(), file.name);
    input.value = "";
    this.#describe();
  }

  /** @param {string} text @param {string} name */
  #take(text, name) {
    const source = read(text);
    if (source.kind === "urls") {
      this.#urls.value = [this.#urls.value.trim(), ...source.urls].filter(Boolean).join("\n");
    } else {
      this.#file = { name: plain(name), text };
    }
  }

  #describe() {
    this.#complain("");
    const { urls } = this.#source();
    this.#fileBox.hidden = this.#file === null;
    if (this.#file) {
      this.#fileBox.replaceChildren(h("span", {}, `The file ${this.#file.name}`), button("Take it out", () => {
        this.#file = null;
        this.#describe();
        this.#urls.focus();
      }));
    }
    this.#submit.textContent = urls.length > 1 && !byId("add-mirrors").checked ? `Add ${format.count(urls.length, "job")}` : "Add";
    byId("add-look").hidden = urls.length !== 1;
    this.#probe.replaceChildren();
  }

  /** Returns the input: documents and URLs. */
  #source() {
    const typed = read(this.#urls.value);
    return { urls: typed.kind === "urls" ? typed.urls : [], typed, file: this.#file ? read(this.#file.text) : null };
  }

  /** Returns the bodies of the requests. */
  #bodies() {
    const { urls, typed, file } = this.#source();
    const where = { directory: this.#directory() };
    const bodies = [];
    for (const source of [file, typed]) {
      if (source?.kind === "metalink") bodies.push({ metalink: source.metalink, ...where });
      if (source?.kind === "list") bodies.push({ list: source.list, ...where });
    }
    /** @type {Object<string, *>} */
    const settings = { ...where, ...this.#settings() };
    // A queue may have a directory of its own.
    if (settings.queue && where.directory === this.#live.service?.directory) delete settings.directory;
    if (urls.length > 0 && byId("add-mirrors").checked) bodies.push({ jobs: [{ url: urls[0], mirrors: urls.slice(1), ...settings }] });
    else if (urls.length > 0) bodies.push({ jobs: urls.map((url) => ({ url, ...settings })) });
    return bodies;
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
      paused: byId("add-paused").checked || undefined,
    };
  }

  async #add() {
    const bodies = this.#bodies();
    if (bodies.length === 0) return this.#complain("Put in a URL, or drop a file");
    if (this.#settings().output && this.#source().urls.length > 1 && !byId("add-mirrors").checked) {
      return this.#complain("A name is for one file: leave it out, or put in one URL");
    }
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
      this.#complain(error.message);
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

  /** Shows the server's answer about the URL, without fetching the file. */
  async #look() {
    this.#probe.replaceChildren("Asking the server…");
    try {
      const info = await post("/probes", { url: this.#source().urls[0] });
      const facts = [
        info.status, info.name, info.size === null ? "size unknown" : format.size(info.size), info.mediaType,
        info.resumable ? "resumable" : `not resumable: ${info.resumableReason}`,
      ];
      this.#probe.replaceChildren(facts.filter(Boolean).map((fact) => plain(String(fact))).join(" · "));
    } catch (error) {
      this.#probe.replaceChildren(plain(error.message));
    }
  }

  /** @param {string} text */
  #complain(text) {
    this.#problem.textContent = text;
    this.#problem.hidden = text === "";
  }
}
