// The view of the feeds: the known ones, and the entries of one.

import { get, post } from "./api.js";
import { h, link, plain } from "./dom.js";
import * as format from "./format.js";

/** @typedef {import("./types.js").FeedEntry} FeedEntry */

/** Shows feeds in the view, and queues their files. */
export class FeedsView {
  title = "Feeds";
  #messages;
  #url = h("input", { id: "feed-url", type: "url", required: true, placeholder: "https://example.org/podcast.xml", autocomplete: "off", spellcheck: "false" });
  #match = h("input", { id: "feed-match", autocomplete: "off", spellcheck: "false" });
  #limit = h("input", { id: "feed-limit", type: "number", min: 1, max: 10000, value: 50 });
  #known = h("div");
  #entries = h("div");
  #problem = h("p", { class: "problem", role: "alert", hidden: true });

  /** @param {import("./messages.js").Messages} messages */
  constructor(messages) {
    this.#messages = messages;
  }

  /** @param {HTMLElement} view */
  async show(view) {
    const { feeds } = await get("/feeds");
    view.append(h("h2", {}, "Feeds"),
      h("p", { class: "hint" }, "Podcasts and releases: RSS and Atom. What was queued once is not queued again."),
      h("form", { class: "fields", onsubmit: (/** @type {Event} */ event) => this.#look(event) },
        h("label", { class: "full" }, "URL of the feed", this.#url),
        h("label", {}, "Only entries that match", this.#match),
        h("label", {}, "Newest entries", this.#limit),
        h("div", { class: "buttons full" }, h("button", { type: "submit", class: "primary" }, "Show its entries"))),
      this.#problem, this.#entries, this.#known);
    this.#entries.replaceChildren();
    this.#showKnown(feeds);
  }

  /** @param {{url: string, title: ?string, entries: number, checkedAt: ?number}[]} feeds */
  #showKnown(feeds) {
    if (feeds.length === 0) return this.#known.replaceChildren();
    this.#known.replaceChildren(h("h3", {}, "Known feeds"), h("ul", { class: "cards" }, ...feeds.map((feed) => {
      const open = () => {
        this.#url.value = feed.url;
        this.#url.form.requestSubmit();
      };
      return h("li", {},
        h("div", {}, h("button", { type: "button", class: "as-link", onclick: open }, plain(feed.title ?? feed.url)), h("div", { class: "hint" }, plain(feed.url))),
        h("div", { class: "hint" }, `${format.count(feed.entries, "file")} queued`,
          feed.checkedAt === null ? "" : `, read ${format.moment(feed.checkedAt)}`));
    })));
  }

  /** @param {Event} event */
  async #look(event) {
    event.preventDefault();
    this.#entries.replaceChildren(h("p", { class: "hint" }, "Reading the feed…"));
    await this.#trying(async () => {
      const { entries } = await post("/feeds", { ...this.#request(), list: true });
      this.#showEntries(entries);
    });
  }

  #request() {
    return { url: this.#url.value.trim(), match: this.#match.value.trim() || undefined, limit: Number(this.#limit.value) || undefined };
  }

  /** @param {FeedEntry[]} entries */
  #showEntries(entries) {
    if (entries.length === 0) return this.#entries.replaceChildren(h("p", { class: "hint" }, "The feed offers no files."));
    const boxes = entries.map((entry) => h("input", { type: "checkbox", checked: !entry.known, disabled: entry.known, value: entry.guid }));
    const submit = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const guids = boxes.filter((box) => box.checked && !box.disabled).map((box) => box.value);
      if (guids.length === 0) return this.#complain("Choose an entry");
      await this.#trying(async () => {
        const { jobs } = await post("/feeds", { ...this.#request(), guids });
        this.#messages.show(`${format.count(jobs.length, "job")} added`);
        for (const box of boxes) if (box.checked) box.disabled = true;
      });
    };
    this.#entries.replaceChildren(h("form", { onsubmit: submit },
      h("h3", {}, "Entries"),
      h("ul", { class: "cards" }, ...entries.map((entry, index) => h("li", {},
        h("label", { class: "check" }, boxes[index], h("span", {}, plain(entry.title || entry.url))),
        h("div", { class: "hint" }, [
          entry.published === null ? "" : format.moment(entry.published),
          entry.length === null ? "" : format.size(entry.length),
          entry.known ? "queued before" : "",
        ].filter(Boolean).join(" · "), " ", link(entry.url))))),
      h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, "Queue what is chosen"))));
  }

  /** @param {() => Promise<void>} work */
  async #trying(work) {
    this.#complain("");
    try {
      await work();
    } catch (error) {
      this.#entries.replaceChildren();
      this.#complain(error.message);
    }
  }

  /** @param {string} text */
  #complain(text) {
    this.#problem.textContent = text;
    this.#problem.hidden = text === "";
  }
}
