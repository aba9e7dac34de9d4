// The page where links of another page are chosen. Its fragment names the key of the links in the session's storage.

import { addLinks } from "./jobs.js";
import { MOST_LINKS, filtered, outcome, sentence } from "./rules.js";

const byId = (id) => document.getElementById(id);
const key = location.hash.slice(1);
const stored = key.startsWith("links-") ? (await chrome.storage.session.get(key))[key] : null;
const { title, page, links, storeId } = stored ?? { title: "", page: "", links: [], storeId: undefined };
/** The URLs that the user has unchecked. */
const unwanted = new Set();
/** The answers for links that were handed over. */
const answers = new Map();

function shown() {
  return filtered(links, byId("filter").value);
}

function wanted() {
  return shown().filter((link) => !unwanted.has(link.url) && !answers.get(link.url)?.ok);
}

function makeRow(link) {
  const row = document.createElement("li");
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = !unwanted.has(link.url);
  box.addEventListener("change", () => {
    if (box.checked) unwanted.delete(link.url);
    else unwanted.add(link.url);
    count();
  });
  const text = document.createElement("span");
  text.textContent = link.text || new URL(link.url).pathname.split("/").pop() || link.url;
  const url = document.createElement("span");
  url.className = "url quiet";
  url.textContent = link.url;
  label.append(box, text, url);
  const answer = answers.get(link.url);
  if (answer) {
    const result = document.createElement("span");
    result.className = answer.ok ? "url" : "url bad";
    result.textContent = answer.ok ? `Added as job ${answer.number}` : sentence(answer);
    label.append(result);
    box.disabled = answer.ok;
  }
  row.append(label);
  return row;
}

function count() {
  const number = wanted().length;
  const all = byId("all");
  const possible = shown().filter((link) => !answers.get(link.url)?.ok).length;
  all.checked = number > 0 && number === possible;
  all.indeterminate = number > 0 && number < possible;
  byId("count").textContent = number > MOST_LINKS ? `${number} chosen; at most ${MOST_LINKS} at once` : `${number} of ${links.length} chosen`;
  byId("add").disabled = number === 0 || number > MOST_LINKS;
}

function show() {
  byId("links").replaceChildren(...shown().map(makeRow));
  count();
}

byId("title").textContent = stored ? `Links of ${title || page}` : "The list is gone: open it once more from the page";
byId("filter").addEventListener("input", show);
byId("all").addEventListener("change", (event) => {
  for (const link of shown()) {
    if (event.target.checked) unwanted.delete(link.url);
    else unwanted.add(link.url);
  }
  show();
});
byId("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("add").disabled = true;
  const added = await addLinks(wanted(), page, "page", storeId);
  for (const [url, answer] of added) answers.set(url, answer);
  show();
  byId("count").textContent = outcome([...added.values()]);
});
show();
