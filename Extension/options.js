// The options: rules for what is taken over.

import { HostError, host } from "./host.js";
import { DEFAULTS, MIB, entriesFrom, sentence, settingsFrom } from "./rules.js";

const form = document.getElementById("form");
const byId = (id) => document.getElementById(id);
const LISTS = ["neverHosts", "neverTypes", "alwaysHosts", "alwaysTypes"];
const SWITCHES = ["enabled", "takesUnknownSize", "continuesStopped", "tellsOfSuccess"];

function show(settings) {
  for (const name of SWITCHES) form.elements[name].checked = settings[name];
  for (const name of LISTS) form.elements[name].value = settings[name].join("\n");
  form.elements.key.value = settings.key;
  form.elements.minimum.value = settings.minimumSize / MIB;
}

function read() {
  const settings = { key: form.elements.key.value, minimumSize: Math.round(Number(form.elements.minimum.value) * MIB) };
  for (const name of SWITCHES) settings[name] = form.elements[name].checked;
  for (const name of LISTS) settings[name] = entriesFrom(form.elements[name].value);
  return settingsFrom(settings);
}

async function save(settings) {
  await chrome.storage.local.set({ settings });
  show(settings);
  byId("saved").textContent = "Saved.";
}

async function look() {
  const line = byId("connection");
  try {
    const answer = await host.hello();
    line.textContent = answer.ok ? `Connected to dray ${answer.program}. Files go to ${answer.directory}.` : sentence(answer);
    line.className = answer.ok ? "quiet" : "bad";
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    line.className = "bad";
    line.textContent = `${sentence(error)}.`;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  save(read());
});
form.addEventListener("input", () => {
  byId("saved").textContent = "";
});
byId("reset").addEventListener("click", () => save({ ...DEFAULTS }));
const sites = { origins: ["<all_urls>"] };
byId("allow").addEventListener("click", async () => {
  byId("access").hidden = await chrome.permissions.request(sites);
});

show(settingsFrom((await chrome.storage.local.get("settings")).settings));
byId("access").hidden = await chrome.permissions.contains(sites);
await look();
