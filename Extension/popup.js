// The window of the toolbar's button: what dray is doing, looked at every second while it is open.

import { HostError, host } from "./host.js";
import { chooseLinks } from "./menus.js";
import { dismissProblems, lastProblem } from "./notices.js";
import { OFFER, letBrowserFetch } from "./takeover.js";
import { actionsFor, jobText, sentence, settingsFrom } from "./rules.js";

const byId = (id) => document.getElementById(id);
const LABELS = { pause: "Pause", resume: "Resume", retry: "Retry", remove: "Remove" };
const INTERVAL = 1_000; // milliseconds
/** The rows by the id of their job. They are changed in place, so that the focus stays where it is. */
const rows = new Map();

/** What went wrong with the last look, and with the last button. */
const problems = { look: "", action: "" };

async function ask(message, kind) {
  let answer;
  try {
    answer = await host.request(message);
    problems[kind] = answer.ok ? "" : sentence(answer);
  } catch (error) {
    // The list goes on after any error.
    if (!(error instanceof HostError)) console.error(error);
    problems[kind] = `${sentence(error)}.`;
  }
  setText(byId("problem"), problems.look || problems.action);
  return answer?.ok ? answer : null;
}

function makeRow(job) {
  const row = document.createElement("li");
  row.className = "job";
  const part = (tag, name) => {
    const element = document.createElement(tag);
    element.className = name;
    return element;
  };
  const name = part("div", "name");
  const bar = document.createElement("progress");
  const line = part("div", "row");
  const text = part("span", "text quiet grow");
  const buttons = part("span", "buttons row");
  line.append(text, buttons);
  row.append(name, bar, line);
  byId("jobs").append(row);
  const made = { row, name, bar, text, buttons, state: null };
  rows.set(job.job, made);
  return made;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function show(job) {
  const made = rows.get(job.job) ?? makeRow(job);
  setText(made.name, job.name);
  made.name.title = job.name;
  made.bar.setAttribute("aria-label", job.name);
  made.bar.hidden = job.state === "complete" || job.state === "failed";
  if (job.size > 0) {
    made.bar.max = job.size;
    made.bar.value = job.bytes;
  } else if (job.state === "active") {
    made.bar.removeAttribute("value");
  } else {
    made.bar.value = 0;
  }
  setText(made.text, jobText(job));
  made.text.classList.toggle("bad", job.state === "failed");
  if (made.state !== job.state) {
    made.state = job.state;
    showButtons(made, job);
  }
  return made.row;
}

function showButtons(made, job) {
  const focused = made.buttons.contains(document.activeElement);
  made.buttons.replaceChildren(...actionsFor(job.state).map((action) => makeButton(action, job)));
  if (focused) made.buttons.firstElementChild?.focus();
}

function makeButton(action, job) {
  const button = document.createElement("button");
  button.textContent = LABELS[action];
  button.setAttribute("aria-label", `${LABELS[action]} ${job.name}`);
  button.addEventListener("click", async () => {
    // The bytes of an unfinished download are gone then, so it takes two clicks.
    if (action === "remove" && job.state !== "complete" && !button.dataset.sure) {
      button.dataset.sure = "yes";
      button.textContent = "Really remove";
      button.setAttribute("aria-label", `Really remove ${job.name}`);
      return;
    }
    // `disabled` would take the focus away.
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    await ask({ type: action, job: job.job }, "action");
    await look();
    button.ariaDisabled = "false";
  });
  return button;
}

async function look() {
  const answer = await ask({ type: "list" }, "look");
  if (answer === null) return;
  const jobs = answer.jobs ?? [];
  const shown = jobs.map(show);
  const known = new Set(jobs.map((job) => job.job));
  for (const [id, made] of rows) {
    if (known.has(id)) continue;
    made.row.remove();
    rows.delete(id);
  }
  // The same order as dray's. Rows that stand right stay untouched, with their focus.
  shown.forEach((row, at) => {
    if (byId("jobs").children[at] !== row) byId("jobs").insertBefore(row, byId("jobs").children[at] ?? null);
  });
  byId("empty").hidden = jobs.length > 0;
}

async function showProblem() {
  const notice = await lastProblem();
  byId("notice").hidden = notice === null;
  byId("notice-title").textContent = notice?.title ?? "";
  byId("notice-text").textContent = notice?.message ?? "";
  byId("offer").hidden = !notice?.id.startsWith(OFFER);
  byId("offer").onclick = async () => {
    if (await letBrowserFetch(notice.id.slice(OFFER.length))) await dismissProblems();
    await showProblem();
  };
}

async function begin() {
  const settings = settingsFrom((await chrome.storage.local.get("settings")).settings);
  byId("enabled").checked = settings.enabled;
  byId("enabled").addEventListener("change", async (event) => {
    const now = settingsFrom((await chrome.storage.local.get("settings")).settings);
    await chrome.storage.local.set({ settings: { ...now, enabled: event.target.checked } });
  });
  byId("options").addEventListener("click", () => chrome.runtime.openOptionsPage());
  byId("links").addEventListener("click", async () => {
    const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
    if (tab) await chooseLinks(tab);
    window.close();
  });
  const sites = { origins: ["<all_urls>"] };
  byId("access").hidden = await chrome.permissions.contains(sites);
  byId("allow").addEventListener("click", async () => {
    byId("access").hidden = await chrome.permissions.request(sites);
  });
  byId("dismiss").addEventListener("click", async () => {
    await dismissProblems();
    await showProblem();
  });
  await showProblem();
  for (;;) {
    await look();
    const greeting = await host.hello().catch(() => null);
    byId("about").textContent = greeting?.ok ? `dray ${greeting.program}` : "";
    byId("about").title = greeting?.ok ? `Files go to ${greeting.directory}` : "";
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  }
}

begin();
