// The page on which the user says which stopped job a link continues. dray keeps its bytes only if the server's answer agrees with them.

import { HostError, host } from "./host.js";
import { addLink, linkRequest } from "./jobs.js";
import { tell } from "./notices.js";
import { jobText, sentence, shortURL, sizeText } from "./rules.js";

const byId = (id) => document.getElementById(id);
const fields = new URLSearchParams(location.search);
const url = fields.get("url") ?? "";
const page = fields.get("page") ?? "";
/** The container of Firefox whose cookies are sent. */
const store = fields.get("store") || undefined;

async function ask(message) {
  try {
    return await host.request(message);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { ok: false, message: error.message, advice: error.advice };
  }
}

async function done(title, text) {
  byId("problem").textContent = "";
  byId("done").textContent = `${title} ${text}`;
  byId("choice").hidden = true;
  await tell(title, text);
}

async function carryOn(match) {
  const answer = await ask({ type: "relink", job: match.job, ...(await linkRequest(url, page, "link", store)) });
  if (!answer.ok) {
    byId("problem").textContent = sentence(answer);
    return;
  }
  const kept = answer.kept ?? match.bytes;
  await done(`dray continues ${match.name}`, kept > 0 ? `with this link, at ${sizeText(kept)}` : "with this link");
}

function makeRow(match) {
  const row = document.createElement("li");
  row.className = "row";
  const words = document.createElement("div");
  words.className = "grow";
  const name = document.createElement("div");
  name.className = "name";
  name.textContent = match.name;
  const text = document.createElement("div");
  text.className = "quiet";
  text.textContent = jobText(match);
  words.append(name, text);
  const button = document.createElement("button");
  button.className = "main";
  button.textContent = "Continue";
  button.setAttribute("aria-label", `Continue ${match.name}`);
  button.addEventListener("click", () => carryOn(match));
  row.append(words, button);
  return row;
}

byId("url").textContent = url;
byId("new").addEventListener("click", async () => {
  const answer = await addLink(url, page, "link", store);
  if (!answer.ok) {
    byId("problem").textContent = sentence(answer);
    return;
  }
  await done("Added to dray", answer.output || shortURL(url));
});

const answer = await ask({ type: "matches", url });
if (!answer.ok) byId("problem").textContent = sentence(answer);
byId("jobs").replaceChildren(...(answer.matches ?? []).map(makeRow));
byId("none").hidden = !answer.ok || (answer.matches ?? []).length > 0;
byId("jobs").querySelector("button")?.focus();
