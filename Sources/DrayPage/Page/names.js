// The names of jobs on the page.

import { plain } from "./dom.js";

/** @typedef {import("./types.js").Job} Job */

/** The name of each job's file. A changed job is a new object. @type {WeakMap<Job, string>} */
const fileNames = new WeakMap();

/**
 * Returns the name of a job's file: its target's, otherwise the last component of its URL.
 * @param {Job} job
 * @returns {string}
 */
export function fileName(job) {
  let name = fileNames.get(job);
  if (name === undefined) {
    name = derivedName(job);
    fileNames.set(job, name);
  }
  return name;
}

/** @param {Job} job */
function derivedName(job) {
  if (job.title) return plain(job.title);
  if (job.target) return plain(job.target.slice(job.target.lastIndexOf("/") + 1));
  const url = parsed(job.finalURL ?? job.url);
  const last = url?.pathname.split("/").filter(Boolean).pop();
  return plain(last ? decoded(last) : url?.host || job.url);
}

/** Returns the host that a job fetches from. @param {Job} job */
export function host(job) {
  return plain(parsed(job.url)?.host ?? "");
}

/** @param {string} url */
function parsed(url) {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
