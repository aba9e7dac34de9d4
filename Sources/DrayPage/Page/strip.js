// A file as a strip that fills: the bytes on disk, and the source of each active connection.

import { h, plain } from "./dom.js";
import * as format from "./format.js";

/** @typedef {import("./types.js").Parts} Parts */

/** The width of the strip in its own units. Any number of ranges is merged to these units. */
const width = 1000;

/**
 * Draws a strip.
 * @param {Parts} parts
 * @returns {Element[]} the strip, and a legend of the sources
 */
export function strip(parts) {
  const { size, done, fetching } = parts;
  if (!size) return [];
  /** @param {number} position */
  const x = (position) => (Math.min(position, size) / size) * width;
  const svg = h("svg", {
    class: "strip", viewBox: `0 0 ${width} 40`, preserveAspectRatio: "none", role: "img", "aria-label": summary(parts),
  });
  for (const { range: [lower, upper] } of fetching) {
    svg.append(h("rect", { class: "fetching", x: x(lower), y: 0, width: Math.max(2, x(upper) - x(lower)), height: 40 }));
  }
  svg.append(h("path", { class: "done", d: path(done.map(([lower, upper]) => [x(lower), x(upper)])) }));
  for (const { range: [lower] } of fetching) {
    svg.append(h("rect", { class: "head", x: Math.max(0, x(lower) - 1.5), y: 0, width: 3, height: 40 }));
  }
  return fetching.length === 0 ? [svg] : [svg, legend(size, fetching)];
}

/** Returns rectangles as one path. Adjacent rectangles are merged. @param {number[][]} ranges */
function path(ranges) {
  const merged = [];
  for (const [lower, upper] of ranges) {
    const last = merged[merged.length - 1];
    if (last && lower - last[1] < 0.5) last[1] = Math.max(last[1], upper);
    else merged.push([lower, upper]);
  }
  return merged.map(([lower, upper]) => `M${lower.toFixed(1)} 0H${Math.max(lower + 0.5, upper).toFixed(1)}V40H${lower.toFixed(1)}Z`).join("");
}

/** @param {number} size @param {Parts["fetching"]} fetching */
function legend(size, fetching) {
  const list = h("ol", { class: "connections" });
  for (const { range: [lower, upper], source } of fetching) {
    list.append(h("li", {},
      h("span", { class: "at" }, `${format.percent(lower, size)}–${Math.ceil((upper * 100) / size)} %`),
      h("span", {}, source ? plain(source) : `${format.size(upper - lower)} to go`)));
  }
  return list;
}

/** @param {Parts} parts */
function summary({ size, done, fetching }) {
  const there = done.reduce((sum, [lower, upper]) => sum + upper - lower, 0);
  return `${format.percent(there, size)} % of the file is there, ${format.count(fetching.length, "segment")} being fetched`;
}
