// The totals of all jobs: the rate and the bar at the top, and the title of the window.

import { byId, setFill, setText } from "./dom.js";
import * as format from "./format.js";

/** Shows the totals. @param {import("./queue.js").Queue} queue @param {?string} title  Another title than that of the jobs. */
export function showTotal(queue, title) {
  const counts = queue.counts();
  const { received, size, unknown } = queue.totals();
  const percent = size > 0 ? (format.percent(received, size) ?? 0) : 0;
  const busy = counts.active + counts.queued > 0;
  byId("total").hidden = !busy;
  document.title = title ?? counted(counts, percent, size > 0);
  if (!busy) return;
  setText(byId("total-rate"), queue.isAway ? "–" : format.rate(queue.rate));
  const left = !queue.isAway && queue.rate > 0 && size > 0 ? format.remaining((size - received) / queue.rate) : "";
  const text = size > 0 ? format.pair(received, size) : "";
  const more = unknown > 0 && size > 0 ? ` · and ${format.grouped(unknown)} of unknown size` : "";
  setText(byId("total-text"), text + (left && unknown === 0 ? ` · ${left} left` : ""));
  setText(byId("total-unknown"), more);
  byId("total").title = text + more;
  const bar = byId("total-bar");
  bar.setAttribute("aria-valuenow", String(percent));
  setFill(bar.firstElementChild, percent);
}

/** @param {Object<string, number>} counts @param {number} percent @param {boolean} known */
function counted(counts, percent, known) {
  if (counts.active > 0) return `${counts.active} active${known ? `, ${percent} %` : ""} – dray`;
  if (counts.queued > 0) return `${format.grouped(counts.queued)} queued – dray`;
  return counts.failed > 0 ? `${format.grouped(counts.failed)} failed – dray` : "dray";
}
