// Sizes, rates and times as short texts, in the words of the command line.

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/** @param {number} bytes */
function unitOf(bytes) {
  let unit = 0;
  while (unit < units.length - 1 && bytes >= 1024 ** (unit + 1)) unit += 1;
  return unit;
}

/** Rounds down, so that nothing looks complete too early. @param {number} bytes @param {number} unit */
function inUnit(bytes, unit) {
  const tenths = Math.floor((Math.max(0, bytes) * 10) / 1024 ** unit);
  return unit === 0 || tenths >= 1000 ? String(Math.floor(tenths / 10)) : (tenths / 10).toFixed(1);
}

/** `12.3 MiB` @param {number} bytes */
export function size(bytes) {
  const unit = unitOf(bytes);
  return `${inUnit(bytes, unit)} ${units[unit]}`;
}

/** `12.3/300 MiB`, `9.1 MiB/1.4 GiB` @param {number} received @param {?number} total */
export function pair(received, total) {
  if (total === null) return size(received);
  const unit = unitOf(Math.max(received, total));
  const start = received === 0 || unitOf(received) === unit ? inUnit(received, unit) : size(received);
  return `${start}/${inUnit(total, unit)} ${units[unit]}`;
}

/** `2.1 MiB/s` @param {number} bytesPerSecond */
export function rate(bytesPerSecond) {
  return `${size(bytesPerSecond)}/s`;
}

/** Returns whole percent, rounded down; null if the size is unknown. @param {number} received @param {?number} total */
export function percent(received, total) {
  if (total === null) return null;
  return total === 0 ? 100 : Math.max(0, Math.min(100, Math.floor((received * 100) / total)));
}

/**
 * Returns the remaining time, in coarser steps the longer it is: `9 s`, `1:05`, `12 min`, `2 h 05`, `3 d`; empty if
 * unknown.
 * @param {number} seconds
 */
export function remaining(seconds) {
  if (!Number.isFinite(seconds) || seconds > 99 * 86400) return "";
  const whole = Math.max(1, Math.ceil(seconds));
  const upTo = (/** @type {number} */ step) => Math.ceil(whole / step) * step;
  if (whole <= 30) return `${whole} s`;
  if (whole <= 600) return upTo(5) < 60 ? `${upTo(5)} s` : clock(upTo(5));
  if (whole < 3600) return `${upTo(60) / 60} min`;
  if (whole < 36000) return `${Math.floor(upTo(300) / 3600)} h ${two((upTo(300) % 3600) / 60)}`;
  return whole < 172800 ? `${upTo(3600) / 3600} h` : `${upTo(86400) / 86400} d`;
}

/** Returns elapsed time: `26 s`, `1:04`, `2 h 05`. @param {number} seconds */
export function elapsed(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 1) return "less than 1 s";
  if (whole < 60) return `${whole} s`;
  return whole < 3600 ? clock(whole) : `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))}`;
}

/** @param {number} seconds */
function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

/** @param {number} number */
export function two(number) {
  return String(number).padStart(2, "0");
}

/**
 * Returns a time in the reader's own zone. The date is omitted for today.
 * @param {number} moment
 * @param {boolean} [full]
 */
export function moment(moment, full = false) {
  const date = new Date(moment * 1000);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (full) return `${day(date)} ${time}:${two(date.getSeconds())}`;
  return date.toDateString() === new Date().toDateString() ? time : `${day(date)} ${time}`;
}

/** @param {Date} date */
function day(date) {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `1 job`, `2 jobs`, `10,000 jobs` @param {number} number @param {string} noun */
export function count(number, noun) {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** `10,000` @param {number} number */
export function grouped(number) {
  return number.toLocaleString("en");
}
