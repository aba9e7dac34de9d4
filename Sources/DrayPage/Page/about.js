// The view of everything besides the jobs: the service, notifications, ways to send a link to this page, the keys.

import { request } from "./api.js";
import { button, h, plain } from "./dom.js";
import * as format from "./format.js";

/** The keys of the list. */
const keys = [
  ["↑ ↓ Page Home End", "go through the jobs"], ["Enter", "open a job"], ["Escape", "close it"],
  ["Space, Shift ↑ ↓, Ctrl A", "select"], ["Alt ↑ ↓, Alt Home End", "move in the queue"], ["P", "pause or resume"],
  ["R", "retry"], ["Delete", "remove"], ["Shift Delete", "remove and delete the file"], ["Ctrl Z", "undo a removal"],
  ["Shift F10", "what else can be done"], ["N", "add jobs"], ["/", "search"], ["?", "show these keys"],
];

/** Returns the keys as a list. */
function keyList() {
  return h("dl", { class: "keys" }, ...keys.flatMap(([key, does]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, does)]));
}

/** Shows the keys in a dialog, which Escape closes. */
export function showKeys() {
  const dialog = h("dialog", { "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
    h("form", { method: "dialog" }, h("h2", { id: "keys-title" }, "Keys"), keyList(),
      h("div", { class: "buttons" }, h("span", { class: "space" }), h("button", {}, "Close"))));
  document.body.append(dialog);
  dialog.showModal();
}

/** Shows this information in the view. */
export class AboutView {
  title = "About";
  #live;
  #notifications;
  #messages;

  /**
   * @param {import("./live.js").Live} live
   * @param {import("./notify.js").Notifications} notifications
   * @param {import("./messages.js").Messages} messages
   */
  constructor(live, notifications, messages) {
    this.#live = live;
    this.#notifications = notifications;
    this.#messages = messages;
  }

  /** @param {HTMLElement} view */
  async show(view) {
    view.append(h("h2", {}, "About"), this.#service(), this.#notification(view), this.#links(),
      h("section", {}, h("h3", {}, "Keys in the list of jobs"), keyList()));
  }

  #service() {
    const service = this.#live.service;
    if (!service) return null;
    const leave = async () => {
      await request("DELETE", "/session").catch((error) => this.#messages.show(error.message, { problem: true }));
      location.reload();
    };
    return h("section", {}, h("h3", {}, "The service"),
      h("dl", {},
        h("dt", {}, "version"), h("dd", {}, `dray ${plain(service.version)}`),
        h("dt", {}, "started"), h("dd", {}, format.moment(service.started, true)),
        h("dt", {}, "directories"), h("dd", {}, ...service.roots.map((root) => h("div", { class: "mono" }, plain(root))))),
      h("h3", {}, "What holds for new jobs"),
      h("p", { class: "hint" }, "From the configuration of this machine's user, and dray's own defaults. A job can have others."),
      h("dl", {}, ...service.settings.flatMap(({ name, value }) => [h("dt", {}, name), h("dd", {}, plain(value))])),
      service.secretNeeded ? h("div", { class: "buttons" }, button("Log out", leave)) : null);
  }

  /** @param {HTMLElement} view */
  #notification(view) {
    const { state } = this.#notifications;
    const ask = async () => {
      await this.#notifications.ask();
      view.replaceChildren();
      this.show(view);
    };
    const texts = {
      granted: "This page tells you when a job is complete or has failed while you look elsewhere.",
      denied: "Notifications are blocked for this page: the browser's settings change that.",
      default: "The page can tell you when a job is complete or has failed.",
      missing: "This browser shows notifications only over HTTPS or on this machine.",
    };
    return h("section", {}, h("h3", {}, "Notifications"), h("p", {}, texts[state]),
      state === "default" ? h("div", { class: "buttons" }, button("Allow notifications", ask)) : null);
  }

  #links() {
    // The page's own text, in its only `javascript:` link. The browser runs it from the bookmarks only, not here.
    const code = `javascript:void open(${JSON.stringify(`${location.origin}/#add=`)}+encodeURIComponent(location.href))`;
    const hint = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#messages.show("Drag this to your bookmarks bar");
    };
    const register = () => {
      try {
        navigator.registerProtocolHandler("web+dray", `${location.origin}/#add=%s`);
      } catch (error) {
        this.#messages.show(error.message, { problem: true });
      }
    };
    return h("section", {}, h("h3", {}, "Sending links here"),
      h("p", {}, "Drag this to your bookmarks: it sends the page that you are looking at. ",
        h("a", { href: code, class: "bookmarklet", onclick: hint }, "Add to dray")),
      h("p", {}, "Installed as an app, the page also takes links that other apps share."),
      "registerProtocolHandler" in navigator
        ? h("div", { class: "buttons" }, button("Open web+dray: links here", register)) : null);
  }
}
