// The view of the feeds: the known ones, and the entries of one.

import { get, post, request } from "./api.js";
import { button, h, link, plain } from "./dom.js";
import * as format from "./format.js";
import { labelled } from "./labels.js";

/** @typedef {import("./types.js").FeedEntry} FeedEntry */

/** Shows feeds in the view, and queues their files. */
export class FeedsView {
  title = "Feeds";
  #messages;
  #url = h("input", { id: "feed-url", type: "url", required: true, placeholder: "https://example.org/podcast.xml", autocomplete: "off", spellcheck: "false" });
  #match = h("input", { id: "feed-match", autocomplete: "off", spellcheck: "false" });
  #limit = h("input", { id: "feed-limit", type: "number", min: 1, max: 10000, value: 50 });
  #hours = h("input", { id: "feed-hours", type: "number", min: 1, max: 8760, value: 6 });
  #folder = h("input", { id: "feed-folder", autocomplete: "off", spellcheck: "false", placeholder: "the service's own" });
  #subscribed = h("div");
  #known = h("div");
  #entries = h("div");
  #problem = h("p", { class: "problem", role: "alert", hidden: true });

  /** @param {import("./messages.js").Messages} messages */
  constructor(messages) {
    this.#messages = messages;
  }

  /** @param {HTMLElement} view */
  async show(view) {
    const [{ feeds }, { subscriptions }] = await Promise.all([get("/feeds"), get("/subscriptions")]);
    view.append(h("h2", {}, "Feeds"),
      h("p", { class: "hint" }, "Podcasts and releases: RSS and Atom. What was queued once is not queued again."),
      h("form", { class: "fields", onsubmit: (/** @type {Event} */ event) => this.#look(event) },
        h("label", { class: "full" }, "URL of the feed", this.#url),
        h("label", {}, "Only entries that match", this.#match),
        h("label", {}, "Newest entries", this.#limit),
        h("label", {}, "Folder", this.#folder),
        h("label", {}, "Hours between two readings", this.#hours),
        h("div", { class: "buttons full" }, h("button", { type: "submit", class: "primary" }, "Show its entries"),
          button("Subscribe", () => this.#subscribe()),
          h("span", { class: "hint" }, "A subscription queues what the feed adds from now on."))),
      this.#problem, this.#entries, this.#subscribed, this.#known);
    this.#showSubscriptions(subscriptions);
    this.#entries.replaceChildren();
    this.#showKnown(feeds);
  }

  async #subscribe() {
    if (!this.#url.reportValidity()) return;
    await this.#trying(async () => {
      const { url, match } = this.#request();
      const { subscriptions } = await post("/subscriptions", { url, match, hours: Number(this.#hours.value) || 6, directory: this.#folder.value.trim() || null });
      this.#showSubscriptions(subscriptions);
      this.#messages.show("Subscribed: what is new from now on is queued");
    });
  }

  /** @param {import("./types.js").Subscription[]} subscriptions */
  #showSubscriptions(subscriptions) {
    if (subscriptions.length === 0) return this.#subscribed.replaceChildren();
    this.#subscribed.replaceChildren(h("h3", {}, "Subscriptions"), h("ul", { class: "cards" }, ...subscriptions.map((one) => {
      const end = () => this.#trying(async () => {
        this.#showSubscriptions((await request("DELETE", `/subscriptions/${one.id}`)).subscriptions);
        this.#messages.show("The subscription has ended");
      });
      return h("li", {}, h("div", { class: "queue-head" }, h("strong", {}, plain(one.url)), h("span", { class: "space" }),
        button(`End the subscription of ${plain(one.url)}`, end, { icon: "remove", only: true })),
      h("div", { class: "hint" }, [
        one.match === null ? "every entry" : `entries that match ${plain(one.match)}`, `every ${format.count(one.hours, "hour")}`,
        one.directory === null ? "" : `into ${plain(one.directory)}`, `${format.count(one.added, "file")} queued`,
        one.checkedAt === null ? "" : `read ${format.moment(one.checkedAt)}`,
      ].filter(Boolean).join(" · ")),
      one.problem === null ? null : h("div", { class: "problem" }, plain(one.problem)));
    })));
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
        const { jobs } = await post("/feeds", { ...this.#request(), guids, directory: this.#folder.value.trim() || null });
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
      this.#complain(labelled(error.message));
    }
  }

  /** @param {string} text */
  #complain(text) {
    this.#problem.textContent = text;
    this.#problem.hidden = text === "";
  }
}
