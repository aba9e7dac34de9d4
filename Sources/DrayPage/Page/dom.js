// Creates elements from values. Text from servers and URLs is always inserted as text: no function accepts markup.

const svgNames = new Set(["svg", "use", "path", "rect", "line", "text", "g"]);

/**
 * Creates an element.
 * @param {string} name
 * @param {Object<string, *>} [attributes]  `on…` are listeners; true sets, false and null omit an attribute.
 * @param {...(Node|string|number|null|undefined)} children
 * @returns {*}
 */
export function h(name, attributes = {}, ...children) {
  const element = svgNames.has(name)
    ? document.createElementNS("http://www.w3.org/2000/svg", name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined) element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** Returns the page's element with an id. @param {string} id @returns {*} */
export function byId(id) {
  return document.getElementById(id);
}

/** Returns an icon of the page's sprite. It is never the only carrier of a meaning. @param {string} name */
export function icon(name) {
  return h("svg", { class: "icon", "aria-hidden": "true" }, h("use", { href: `#i-${name}` }));
}

/**
 * Returns a button. If it has only an icon, `label` is its name and its tooltip.
 * @param {string} label
 * @param {(event: Event) => void} action
 * @param {{icon?: string, only?: boolean, class?: string}} [look]
 */
export function button(label, action, look = {}) {
  const element = h("button", { type: "button", class: look.class, onclick: action });
  if (look.icon) element.append(icon(look.icon));
  if (look.only) {
    element.classList.add("icon-only");
    element.setAttribute("aria-label", label);
    element.title = label;
  } else {
    element.append(label);
  }
  return element;
}

/**
 * Copies a text. Browsers have the interface for it only over HTTPS and on this machine.
 * @param {string} text
 * @returns {Promise<boolean>} whether it worked
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h("textarea", { class: "visually-hidden", readonly: true }, text);
    const focused = /** @type {?HTMLElement} */ (document.activeElement);
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    focused?.focus();
    return done;
  }
}

/**
 * Returns a link if `url` has a safe scheme, otherwise its text. A `javascript:` URL never becomes a link.
 * @param {string} url
 */
export function link(url) {
  if (/^(https?|ftp):\/\//i.test(url)) {
    return h("a", { href: url, rel: "noopener noreferrer", target: "_blank", class: "url" }, plain(url));
  }
  return h("span", { class: "url" }, plain(url));
}

/** Replaces control characters, and those that change the direction of text. @param {string} text */
export function plain(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** Sets a text if it differs. Unchanged text costs no layout. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Fills a bar without changing the width of its pattern. @param {HTMLElement} fill @param {number} percent */
export function setFill(fill, percent) {
  fill.style.transform = `translateX(${percent - 100}%)`;
}

/**
 * Sets or removes an attribute if it differs.
 * @param {Element} element
 * @param {string} name
 * @param {?(string|number)} value
 */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}
