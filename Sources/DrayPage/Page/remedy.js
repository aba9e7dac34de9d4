// Advice about a job that is not progressing.

/**
 * @typedef {object} Remedy
 * @property {string} text      The meaning and the remedy.
 * @property {boolean} newLink  Whether another URL may help.
 * @property {boolean} [password]  Whether a user name and a password may help.
 */

/** The remedies by kind of failure. @type {Object<string, string>} */
const texts = {
  network: "The server could not be reached, or the connection broke. Resume it once the network is back.",
  tls: "The server's certificate was not accepted. Check the address; a fresh link may lead to a server that is in order.",
  authentication: "The server wants a user name and a password, or refused those it was given.",
  integrity: "The bytes are not those that the checksum promises. They were thrown away; check the checksum, or use another link.",
  file: "The file could not be written. Look at the space, the permissions, and whether the name is taken.",
  protocol: "The server broke the rules of its protocol. Another link or a mirror may do better.",
};

/** @param {import("./types.js").Job} job @returns {?Remedy} */
export function remedy(job) {
  if (!job.error || (job.state !== "failed" && job.state !== "interrupted")) return null;
  const { code, httpStatus } = job.error;
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
  return { text: (texts[code] ?? "Try again; if it happens again, the message says why.") + kept, newLink: code !== "file" };
}
