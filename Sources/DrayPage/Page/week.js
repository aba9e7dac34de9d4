// The timetable as a picture of the week, edited with the pointer. The rows of fields beside it offer the same to the
// keyboard.

import { h } from "./dom.js";
import { dayNames, days, minutes, readDays, spans, time, wholeDay, writeDays } from "./timetable.js";

/** @typedef {import("./types.js").TimetableEntry} Entry */

/** The step of a drag, in minutes. */
const step = 15;
/** The pixels at each end of a span that change its length. */
const grip = 8;

/**
 * Draws the week.
 * @param {Entry[]} entries
 * @param {{changed: (entries: Entry[]) => void, label: (entry: Entry) => string}} how
 * @returns {HTMLElement}
 */
export function week(entries, how) {
  const picture = h("div", { class: "week", "aria-hidden": "true" }, hours());
  days.forEach((_, day) => {
    const track = h("div", { class: "track", "data-day": day });
    for (const { from, to, entry } of spans(entries, day)) track.append(block(entries, entry, from, to, how));
    track.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => start(event, track, day));
    picture.append(h("div", { class: "day" }, h("span", { class: "day-name" }, dayNames[day].slice(0, 3)), track));
  });
  return picture;

  /** @param {PointerEvent} event @param {HTMLElement} track @param {number} day */
  function start(event, track, day) {
    if (event.button !== 0) return;
    event.preventDefault();
    const at = minuteAt(track, event.clientX);
    const target = /** @type {HTMLElement} */ (event.target).closest(".span");
    const change = target instanceof HTMLElement ? changing(target, event.clientX, at) : adding(day, at);
    follow(track, change);
  }

  /**
   * Returns a change of the entry under the pointer: of one end, or of the whole entry.
   * @param {HTMLElement} target
   * @param {number} x
   * @param {number} at
   */
  function changing(target, x, at) {
    const index = Number(target.dataset.entry);
    const entry = entries[index];
    const bounds = target.getBoundingClientRect();
    const [from, to] = [minutes(entry.from), minutes(entry.to)];
    const moves = (/** @type {number} */ minute) => {
      const by = minute - at;
      if (x - bounds.left < grip) return { from: time(wrap(from + by)) };
      if (bounds.right - x < grip) return { to: time(wrap(to + by)) };
      return { from: time(wrap(from + by)), to: time(wrap(to + by)) };
    };
    return (/** @type {number} */ minute) => {
      const changed = { ...entry, ...moves(minute) };
      return changed.from === changed.to ? entries : entries.map((other, place) => (place === index ? changed : other));
    };
  }

  /** Returns a new entry on a day. @param {number} day @param {number} at */
  function adding(day, at) {
    return (/** @type {number} */ minute) => {
      const [from, to] = [Math.min(at, minute), Math.max(at, minute)];
      if (from === to) return entries;
      return [{ from: time(from), to: time(to), days: writeDays([day]), rate: entries[0]?.rate ?? "1M" }, ...entries];
    };
  }

  /** @param {HTMLElement} track @param {(minute: number) => Entry[]} change */
  function follow(track, change) {
    const ending = new AbortController();
    let changed = entries;
    addEventListener("pointermove", (event) => {
      changed = change(minuteAt(track, event.clientX));
      preview(changed);
    }, { signal: ending.signal });
    for (const name of ["pointerup", "pointercancel"]) {
      addEventListener(name, () => {
        ending.abort();
        how.changed(name === "pointerup" ? changed : entries);
      }, { signal: ending.signal });
    }
  }

  /** @param {Entry[]} changed */
  function preview(changed) {
    for (const track of picture.querySelectorAll(".track")) {
      const day = Number(track.dataset.day);
      track.replaceChildren(...spans(changed, day).map(({ from, to, entry }) => block(changed, entry, from, to, how)));
    }
  }
}

/** @param {Entry[]} entries @param {number} index @param {number} from @param {number} to @param {{label: (entry: Entry) => string}} how */
function block(entries, index, from, to, how) {
  const element = h("div", { class: `span hue-${index % 5}`, "data-entry": index, title: describe(entries[index], how) },
    h("span", {}, how.label(entries[index])));
  element.style.left = `${(from / wholeDay) * 100}%`;
  element.style.width = `${((to - from) / wholeDay) * 100}%`;
  return element;
}

/** @param {Entry} entry @param {{label: (entry: Entry) => string}} how */
function describe(entry, how) {
  return `${entry.from} to ${entry.to}, ${writeDays(readDays(entry.days))}: ${how.label(entry)}`;
}

function hours() {
  const scale = h("div", { class: "hours" });
  for (let hour = 0; hour <= 24; hour += 3) {
    const mark = h("span", {}, `${hour}`);
    mark.style.left = `${(hour / 24) * 100}%`;
    scale.append(mark);
  }
  return h("div", { class: "day" }, h("span", { class: "day-name" }), scale);
}

/** @param {HTMLElement} track @param {number} x */
function minuteAt(track, x) {
  const { left, width } = track.getBoundingClientRect();
  const minute = Math.round((((x - left) / width) * wholeDay) / step) * step;
  return Math.max(0, Math.min(wholeDay, minute));
}

/** @param {number} minute */
function wrap(minute) {
  return (minute + wholeDay) % wholeDay;
}
