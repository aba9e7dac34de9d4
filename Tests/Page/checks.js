// The relevant part of axe's checks. Run in the page; returns the problems, one a line.

const problems = [];
const say = (rule, element, what = "") => problems.push(`${rule}: <${element.localName} id="${element.id}" class="${element.getAttribute("class") ?? ""}"> ${what}`.trim());

const visible = (element) => {
  if (element.closest("[hidden], dialog:not([open])")) return false;
  const style = getComputedStyle(element);
  return style.visibility !== "hidden" && style.display !== "none" && element.getClientRects().length > 0;
};
/** Elements behind a dialog do not count. */
const scope = document.querySelector("dialog[open]") ?? document.body;
const all = (selector) => [...scope.querySelectorAll(selector)].filter(visible);
const spoken = (element) => !element.closest("[aria-hidden='true']");

// Names

function nameOf(element) {
  const labelled = element.getAttribute("aria-labelledby");
  if (labelled) return labelled.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
  const label = element.getAttribute("aria-label");
  if (label) return label.trim();
  if (element.labels?.length > 0) return [...element.labels].map((one) => one.textContent).join(" ").trim();
  return /^(input|select|textarea)$/.test(element.localName) ? "" : element.textContent.trim();
}
for (const element of all("button, a[href], input, select, textarea, summary, dialog, [role='img'], [role='progressbar'], [role='grid'], [role='toolbar'], [role='group'], section.jobs, section.pane, section.view, nav").filter(spoken)) {
  if (nameOf(element) === "") say("name", element);
}

// Roles: an owned role is where it belongs, a value is in its range, a reference leads somewhere.

for (const row of all("[role='row']")) if (!row.closest("[role='grid']")) say("row outside of a grid", row);
for (const cell of all("[role='gridcell']")) if (cell.parentElement.getAttribute("role") !== "row") say("cell outside of a row", cell);
for (const row of all("[role='row']")) {
  if (!row.hasAttribute("aria-rowindex") || !row.hasAttribute("aria-selected")) say("row without place or selection", row);
}
for (const bar of all("[role='progressbar'][aria-valuenow]")) {
  const value = Number(bar.getAttribute("aria-valuenow"));
  if (!(value >= 0 && value <= 100)) say("value", bar, String(value));
}
for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls", "for"]) {
  for (const element of document.querySelectorAll(`[${attribute}]`)) {
    for (const id of element.getAttribute(attribute).split(" ")) if (!document.getElementById(id)) say(`${attribute} leads nowhere`, element, id);
  }
}
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) problems.push(`id twice: ${id}`);
for (const element of document.querySelectorAll("[tabindex]")) if (element.tabIndex > 0) say("tabindex above 0", element);
for (const element of all("[aria-hidden='true'] :is(button, a[href], input, select, textarea, [tabindex='0'])")) say("hidden, but takes the focus", element);
for (const element of all("a[href^='javascript:' i]")) if (!element.classList.contains("bookmarklet")) say("javascript link", element);
for (const element of document.querySelectorAll("[style]")) {
  if (!/^(transform|height|left|width)/.test(element.getAttribute("style") || "transform")) say("inline style", element, element.getAttribute("style"));
}

// Landmarks and headings

if (document.querySelectorAll("main").length !== 1) problems.push("landmark: exactly one main");
if (document.querySelectorAll("header.top").length !== 1) problems.push("landmark: exactly one header");
if (!document.documentElement.lang) problems.push("lang: none");
if (document.title === "") problems.push("title: none");
let level = 1;
for (const heading of all("h1, h2, h3, h4")) {
  const own = Number(heading.localName[1]);
  if (own > level + 1) say("heading level skipped", heading);
  level = own;
}

// Contrast: WCAG 2.2, 1.4.3 (text) and 1.4.11 (icons and borders of fields)

const canvas = document.createElement("canvas");
canvas.width = canvas.height = 1;
const paint = canvas.getContext("2d", { willReadFrequently: true });
function rgba(color) {
  paint.clearRect(0, 0, 1, 1);
  paint.fillStyle = color;
  paint.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
function groundOf(element) {
  const layers = [];
  for (let node = element; node; node = node.parentElement) {
    const color = rgba(getComputedStyle(node).backgroundColor);
    layers.push(color);
    if (color[3] === 1) break;
    if (node.localName === "dialog") break;
  }
  return layers.reverse().reduce((below, top) => over(top, below), rgba(getComputedStyle(document.body).backgroundColor));
}
function opacityOf(element) {
  let opacity = 1;
  for (let node = element; node; node = node.parentElement) opacity *= Number(getComputedStyle(node).opacity);
  return opacity;
}
function luminance([r, g, b]) {
  const [x, y, z] = [r, g, b].map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}
function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
const faint = new Set();
function check(element, color, least, what) {
  const ground = groundOf(element);
  const top = rgba(color);
  top[3] *= opacityOf(element);
  const found = contrast(over(top, ground), ground);
  const key = `${what} ${element.localName}.${element.getAttribute("class")}`;
  if (found < least && !faint.has(key)) {
    faint.add(key);
    say(what, element, `${found.toFixed(2)}, not ${least}: "${element.textContent.trim().slice(0, 30)}"`);
  }
}
for (const element of all("*")) {
  const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
  const style = getComputedStyle(element);
  if (own && !element.closest("svg, option") && !element.disabled && !element.closest(".visually-hidden, .sprite")) {
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700);
    check(element, style.color, large ? 3 : 4.5, "contrast of text");
  }
  if (element.localName === "svg" && element.classList.contains("icon") && !element.closest(".handle")) check(element, style.stroke, 3, "contrast of an icon");
  if (/^(input|select|textarea)$/.test(element.localName) && element.type !== "checkbox" && element.type !== "file") check(element.parentElement, style.borderTopColor, 3, "contrast of a border");
  if (element.placeholder) check(element, getComputedStyle(element, "::placeholder").color, 4.5, "contrast of a placeholder");
}
for (const bar of all(".bar")) {
  if (!bar.querySelector(".fill") || bar.closest(".no-bar")) continue;
  const [fill, track] = [rgba(getComputedStyle(bar.querySelector(".fill")).backgroundColor), rgba(getComputedStyle(bar).backgroundColor)];
  if (fill[3] === 1 && contrast(fill, over(track, groundOf(bar.parentElement))) < 3) say("contrast of a bar", bar, contrast(fill, track).toFixed(2));
}

// Targets: WCAG 2.2, 2.5.8

for (const element of all("button, select, input:not([type='checkbox'], .visually-hidden), nav a")) {
  const { width, height } = element.getBoundingClientRect();
  if ((width < 24 || height < 24) && !element.closest(".as-link, .choose") && !element.classList.contains("as-link")) say("target smaller than 24 pixels", element, `${width}×${height}`);
}

// Nothing is cut off sideways

if (document.documentElement.scrollWidth > innerWidth) problems.push(`the page is wider than the window: ${document.documentElement.scrollWidth}`);
for (const element of all("button, input, select, textarea, h2, .row")) {
  const { left, right } = element.getBoundingClientRect();
  if ((left < -1 || right > innerWidth + 1) && !element.closest(".states, .bulk, .visually-hidden") && !element.classList.contains("visually-hidden")) say("out of the window", element);
}
for (const element of all(".view, .pane, dialog[open], .viewport")) {
  if (element.scrollWidth > element.clientWidth + 1) say("wider than its place", element, `${element.scrollWidth} > ${element.clientWidth}`);
}

return problems;
