// Requests to the service, and its errors as values.

const root = "/api/v1";

/** The name of the session's key in the storage of this origin. */
const keyName = "dray-key";
/** The key where there is no storage: in a worker, and in a browser that keeps nothing. */
let memory = "";

/**
 * Returns the key that the service gave at the login. Only pages of this origin have it, while the cookie goes to every
 * port of the host; so each request has both.
 */
export function sessionKey() {
  try {
    return localStorage.getItem(keyName) ?? memory;
  } catch {
    return memory;
  }
}

/** Keeps the key of a session. @param {string} key */
export function keepKey(key) {
  memory = key;
  try {
    localStorage.setItem(keyName, key);
  } catch {
    // The key is lost with the page.
  }
}

/** The failure of a request. */
export class ServiceError extends Error {
  /**
   * @param {number} status  0 if there was no answer.
   * @param {string} code
   * @param {string} message
   * @param {string} [advice]
   */
  constructor(status, code, message, advice) {
    super(advice ? `${message}; ${advice}` : message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Sends a request. A write has the media type JSON, which a form of another site cannot send.
 * @param {string} method
 * @param {string} path  Below the root of the API.
 * @param {*} [body]
 * @param {Object<string, string>} [headers]
 * @returns {Promise<*>} the answer's JSON; null without one
 * @throws {ServiceError}
 */
export async function request(method, path, body, headers = {}) {
  const writes = method !== "GET";
  const key = sessionKey();
  const own = { ...(key && { "Dray-Key": key }), ...(writes && { "Content-Type": "application/json" }) };
  let response;
  try {
    response = await fetch(root + path, {
      method,
      headers: { ...own, ...headers },
      body: writes ? JSON.stringify(body ?? {}) : undefined,
      credentials: "same-origin",
      cache: "no-store",
    });
  } catch {
    throw new ServiceError(0, "unreachable", "The service does not answer");
  }
  const text = await response.text().catch(() => "");
  const answer = parsed(text);
  if (response.ok) return answer;
  const error = answer?.error;
  throw new ServiceError(
    response.status, error?.code ?? "unavailable", error?.message ?? `The service answered ${response.status}`, error?.advice);
}

/** @param {string} text */
function parsed(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** @param {string} path */
export const get = (path) => request("GET", path);
/** @param {string} path @param {*} [body] @param {Object<string, string>} [headers] */
export const post = (path, body, headers) => request("POST", path, body, headers);

/** Returns the URL of the event stream, starting at `cursor`; empty for now. @param {string} cursor */
export function eventsURL(cursor) {
  // An EventSource sends no fields of its own.
  const key = sessionKey();
  const query = new URLSearchParams({ ...(cursor && { cursor }), ...(key && { key }) }).toString();
  return query === "" ? `${root}/events` : `${root}/events?${query}`;
}
