// The page: combines its parts, and shows the view that the address names.

import { AboutView, showKeys } from "./about.js";
import { Actions } from "./actions.js";
import { AddDialog } from "./add.js";
import { byId, h } from "./dom.js";
import { FeedsView } from "./feeds.js";
import { fileName } from "./names.js";
import { JobPage } from "./jobpage.js";
import { JobsView } from "./jobsview.js";
import { LimitsView } from "./limits.js";
import { LimitSwitch } from "./slow.js";
import { Live } from "./live.js";
import { Login } from "./login.js";
import { Messages } from "./messages.js";
import { Notifications } from "./notify.js";
import { Queue } from "./queue.js";
import { keepShell } from "./shell.js";
import { shared } from "./sources.js";
import { showTotal } from "./total.js";

/** Milliseconds between two totals. Adding up 10,000 jobs more often helps no reader. */
const totalInterval = 250;

const queue = new Queue();
const live = new Live(queue, () => notifications.state === "granted");
const messages = new Messages();
const actions = new Actions(queue, messages);
const adding = new AddDialog(messages, live);
const login = new Login(() => {
  jobs.wantsFocus = true;
  live.connect();
});
const notifications = new Notifications(queue);
const jobs = new JobsView(queue, actions, {
  open: (id) => { location.hash = `#/jobs/${id}`; },
  add: () => adding.open(),
  keys: showKeys,
  escape: closeJob,
});
new LimitSwitch(queue, messages);
const jobPage = new JobPage(byId("pane"), queue, actions, closeJob);
/** @type {Object<string, LimitsView|FeedsView|AboutView>} */
const views = {
  limits: new LimitsView(messages, queue),
  feeds: new FeedsView(messages),
  about: new AboutView(live, notifications, messages),
};

function closeJob() {
  const id = jobs.list.openID;
  if (id < 0) return;
  location.hash = "#/";
  requestAnimationFrame(() => jobs.list.goTo(jobs.list.indexOf(id)));
}

/** Shows the view that the address names: `#/`, `#/jobs/3`, `#/limits`, …. `#add=URL` opens the dialog. */
function route() {
  const links = shared(new URL(location.href));
  if (links || location.hash.startsWith("#add=")) {
    // The link is now in the dialog. Remove it from the history.
    history.replaceState(null, "", "/#/");
    adding.open(links);
  }
  const [, name = "", id = ""] = location.hash.split("/");
  const view = views[name];
  const shown = view ? name : "jobs";
  for (const link of document.querySelectorAll("nav a")) {
    if (/** @type {HTMLElement} */ (link).dataset.view === shown) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  byId("jobs-region").hidden = Boolean(view);
  byId("view").hidden = !view;
  document.body.classList.toggle("has-job", name === "jobs");
  jobs.list.openID = name === "jobs" ? Number(id) : -1;
  if (name === "jobs") jobPage.open(Number(id));
  else jobPage.hide();
  jobs.list.draw();
  if (view) showView(view);
}

/**
 * The view that is completely shown. Input in it must survive an interruption of the service.
 * @type {?LimitsView|FeedsView|AboutView}
 */
let completeView = null;

/** @param {LimitsView|FeedsView|AboutView} view */
async function showView(view) {
  if (live.status === "starting" || live.status === "locked") return;
  const place = byId("view");
  completeView = null;
  place.setAttribute("aria-label", view.title);
  place.replaceChildren();
  try {
    await view.show(place);
    completeView = view;
  } catch (error) {
    place.replaceChildren(h("h2", {}, view.title), h("p", { class: "problem" }, error.message));
  }
}

live.addEventListener("status", () => {
  const away = byId("away");
  away.hidden = live.status !== "away";
  const seen = queue.jobs.size > 0 ? "What you see is how it was; the" : "The";
  away.textContent = live.status === "away" ? `The service does not answer. ${seen} page goes on by itself as soon as it is back.` : "";
  document.body.classList.toggle("is-away", live.status === "away");
  queue.setAway(live.status === "away");
  document.body.classList.toggle("is-asleep", live.isAsleep);
  showTotals();
  if (live.status === "locked") login.open();
  if (live.status === "connected" && !live.isAsleep) {
    keepShell();
    jobs.loaded();
    if (!byId("view").hidden && completeView === null) route();
  }
});

queue.addEventListener("ended", (/** @type {*} */ event) => messages.speak(`${fileName(event.detail)}: ${event.detail.state}`));

/** Shows the totals. The title counts nothing while the numbers are old. */
function showTotals() {
  showTotal(queue, live.status === "away" ? "no answer – dray" : live.isAsleep ? "dray" : null);
}

let totalsAsked = false;
for (const event of ["change", "progress"]) {
  queue.addEventListener(event, () => {
    if (totalsAsked) return;
    totalsAsked = true;
    setTimeout(() => {
      totalsAsked = false;
      showTotals();
    }, totalInterval);
  });
}

byId("add-open").addEventListener("click", () => adding.open());
document.querySelector(".skip")?.addEventListener("click", (event) => {
  // The fragment names views, so prevent the link's own effect.
  event.preventDefault();
  byId(byId("jobs-region").hidden ? "view" : "jobs-region").focus();
});

/** Whether keys and pasted text belong to a field. @param {?EventTarget} target */
function isField(target) {
  return (target instanceof HTMLInputElement && target.type !== "checkbox") || target instanceof HTMLTextAreaElement;
}

/** Shows the drop area and accepts drops, except for text dragged within a text field. */
for (const name of ["dragenter", "dragover"]) {
  addEventListener(name, (/** @type {*} */ event) => {
    if (!event.dataTransfer?.types.some((/** @type {string} */ type) => type === "Files" || type === "text/uri-list")) return;
    event.preventDefault();
    byId("dropping").hidden = false;
  });
}
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) byId("dropping").hidden = true;
});
addEventListener("drop", (event) => {
  byId("dropping").hidden = true;
  if (!event.dataTransfer || event.defaultPrevented || event.target instanceof HTMLTextAreaElement && event.dataTransfer.files.length === 0) return;
  event.preventDefault();
  adding.drop(event.dataTransfer);
});
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !isField(event.target) && messages.undo()) {
    // Prevent the browser from undoing the last input in some field.
    event.preventDefault();
  }
});
addEventListener("keydown", (event) => {
  // The list handles keys on its rows itself.
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (isField(event.target) || event.target instanceof HTMLSelectElement || document.querySelector("dialog[open]")) return;
  if (jobs.key(event.key)) event.preventDefault();
});
addEventListener("paste", (event) => {
  if (isField(event.target) || !event.clipboardData) return;
  adding.drop(event.clipboardData);
});
addEventListener("hashchange", async () => {
  if (await login.follow()) {
    jobs.wantsFocus = true;
    live.connect();
  }
  route();
});
jobs.wantsFocus = await login.follow();
route();
live.connect();
