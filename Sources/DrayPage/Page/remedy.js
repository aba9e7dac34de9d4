// Advice about a job that is not progressing.

import { plain } from "./dom.js";

/**
 * @typedef {object} Remedy
 * @property {string} text      The meaning and the remedy.
 * @property {boolean} newLink  Whether another URL may help.
 * @property {boolean} [password]  Whether a user name and a password may help.
 */

/** The remedies by message. @type {[RegExp, string][]} */
const special = [
  [/: the digest is /, "The bytes do not match the checksum, and were thrown away. Check the checksum, or use another link."],
  [/: it is a web page/, "The server sent a page, perhaps to log in. See in a browser what it asks for, and give the job a working link."],
  [/: the transfer took longer/, "The time limit of the job has ended this attempt. Resume it to go on."],
];
/** The remedies by kind of failure. @type {Object<string, string>} */
const texts = {
  network: "The server could not be reached, or the connection broke. Resume it once the network is back.",
  tls: "The server's certificate was not accepted. Check the address; a fresh link may lead to a server that is in order.",
  authentication: "The server wants a user name and a password, or refused those it was given.",
  file: "The file could not be written. Look at the space, the permissions, and whether the name is taken.",
  protocol: "The server broke the rules of its protocol. Another link or a mirror may do better.",
};

/** @param {import("./types.js").Job} job @returns {?Remedy} */
export function remedy(job) {
  if (!job.error || (job.state !== "failed" && job.state !== "interrupted")) return null;
  const { code, httpStatus, message } = job.error;
  const kept = job.state === "interrupted" && job.received > 0 ? " The bytes received so far are kept." : "";
  if (httpStatus === 401) {
    return { text: `The server asks for a user name and a password, or the link has expired.${kept}`, newLink: true, password: true };
  }
  if (httpStatus !== null && [403, 404, 407, 410].includes(httpStatus)) {
    const gone = httpStatus === 404 || httpStatus === 410;
    const text = gone ? "The file is not at this address. If it moved, give the job its new link." : "The link may have expired. Give the job a fresh one.";
    return { text: text + kept, newLink: true };
  }
  if (httpStatus !== null) return { text: `The server has a problem of its own (${httpStatus}). Try again later.${kept}`, newLink: true };
  const text = special.find(([pattern]) => pattern.test(message))?.[1] ?? texts[code] ?? `${plain(message.split("; ")[1] ?? "Try again")}.`;
  return { text: text + kept, newLink: code !== "file" };
}
