// The timetable of the limit. Pure.

import { two } from "./format.js";

/** @typedef {import("./types.js").TimetableEntry} Entry */

export const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
export const dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
/** The minutes of a day. */
export const wholeDay = 1440;

/** Converts `mon-fri,sun` to indexes of days. An empty text means all days. @param {string} text @returns {number[]} */
export function readDays(text) {
  const chosen = new Set();
  for (const part of (text || "mon-sun").toLowerCase().split(",")) {
    const [first, last = first] = part.trim().split("-").map((name) => days.indexOf(name));
    if (first < 0 || last < 0) continue;
    for (let day = first; ; day = (day + 1) % 7) {
      chosen.add(day);
      if (day === last) break;
    }
  }
  return [...chosen].sort((a, b) => a - b);
}

/** Converts indexes of days to text: `mon-fri,sun`. @param {number[]} chosen */
export function writeDays(chosen) {
  const parts = [];
  for (let start = 0; start < 7; start += 1) {
    if (!chosen.includes(start)) continue;
    let end = start;
    while (chosen.includes(end + 1)) end += 1;
    parts.push(end === start ? days[start] : `${days[start]}-${days[end]}`);
    start = end;
  }
  return parts.join(",");
}

/** Converts `08:30` to minutes since midnight. @param {string} text */
export function minutes(text) {
  const [hours, rest] = text.split(":").map(Number);
  return hours * 60 + rest;
}

/** Converts minutes since midnight to `08:30`. The end of the day is `00:00`. @param {number} minutes */
export function time(minutes) {
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
}

/**
 * Returns the limits of a day. As in the service, the first entry that covers a minute decides.
 * @param {Entry[]} entries
 * @param {number} day
 * @returns {{from: number, to: number, entry: number}[]} spans of the day, in minutes, with the index of the entry
 */
export function spans(entries, day) {
  /** @type {number[]} */
  const owner = new Array(wholeDay).fill(-1);
  entries.forEach((entry, index) => {
    for (const [from, to, start] of covered(entry)) {
      if (!readDays(entry.days).includes((day - start + 7) % 7)) continue;
      for (let minute = from; minute < to; minute += 1) if (owner[minute] < 0) owner[minute] = index;
    }
  });
  const result = [];
  for (let from = 0; from < wholeDay; ) {
    let to = from + 1;
    while (to < wholeDay && owner[to] === owner[from]) to += 1;
    if (owner[from] >= 0) result.push({ from, to, entry: owner[from] });
    from = to;
  }
  return result;
}

/**
 * Returns the minutes of an entry, with the number of days after its own day. An entry may continue past midnight.
 * @param {Entry} entry
 */
function covered(entry) {
  const [from, to] = [minutes(entry.from), minutes(entry.to)];
  if (from < to) return [[from, to, 0]];
  return to === 0 ? [[from, wholeDay, 0]] : [[from, wholeDay, 0], [0, to, 1]];
}

/**
 * Converts a typed rate, such as `500k` or `2 MB/s`, to bytes per second; null for no limit, NaN if it is invalid.
 * @param {?string} text
 */
export function rateOf(text) {
  if (text === null || text.trim() === "" || text.trim() === "off") return null;
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*(?:\/s)?$/i.exec(text.trim());
  const rate = match ? Number(match[1]) * 1024 ** " kmgt".indexOf(match[2].toLowerCase() || " ") : NaN;
  return rate > 0 ? rate : NaN;
}
