// The rate of a job over the last minutes, as a graph.

import { h } from "./dom.js";
import * as format from "./format.js";
import { span } from "./history.js";

const [width, height] = [600, 120];

/**
 * Draws a graph.
 * @param {import("./history.js").RateHistory} history
 * @returns {?Element}
 */
export function graph(history) {
  const { samples } = history;
  if (samples.length < 2) return null;
  const end = samples[samples.length - 1].time;
  // Stretch a young job's graph to the full width, but show at least 30 s.
  const shown = Math.max(30, Math.min(span, end - samples[0].time));
  const most = Math.max(...samples.map((sample) => sample.rate), 1);
  const top = ceiling(most);
  const points = samples.map(({ time, rate }) => {
    const x = width - ((end - time) / shown) * width;
    return `${x.toFixed(1)} ${(height - (rate / top) * height).toFixed(1)}`;
  });
  const start = width - ((end - samples[0].time) / shown) * width;
  const now = samples[samples.length - 1].rate;
  const label = `Rate over the last ${format.elapsed(shown)}: now ${format.rate(now)}, at most ${format.rate(most)}`;
  return h("figure", { class: "graph" },
    h("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
      h("path", { class: "grid", d: `M0 .5H${width}M0 ${height / 2}H${width}M0 ${height - 0.5}H${width}` }),
      h("path", { class: "area", d: `M${start.toFixed(1)} ${height}L${points.join("L")}L${width} ${height}Z` }),
      h("path", { class: "curve", d: `M${points.join("L")}` })),
    h("figcaption", { "aria-hidden": "true" },
      h("span", {}, format.rate(top)), h("span", {}, `last ${format.elapsed(shown)}`), h("span", {}, "0")));
}

/** Returns a round number of bytes, not below `rate`. @param {number} rate */
function ceiling(rate) {
  const unit = 1024 ** Math.floor(Math.log(rate) / Math.log(1024));
  const steps = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 50, 60, 80, 100, 150, 200, 300, 400, 500, 600, 800, 1024];
  return unit * (steps.find((step) => step * unit >= rate) ?? 1024);
}
