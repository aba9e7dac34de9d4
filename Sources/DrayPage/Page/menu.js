// The menu of a row: everything that can be done with its job.

import { actionIcons, actionNames, canDo, copies } from "./actions.js";
import { button, h } from "./dom.js";
import { fileName } from "./names.js";

/** @type {?HTMLElement} */
let menu = null;

/**
 * Opens the menu of a job beside the pointer, or beside an element.
 * @param {import("./types.js").Job} job
 * @param {import("./actions.js").Actions} actions
 * @param {HTMLElement} origin  Gets the focus back.
 * @param {MouseEvent|KeyboardEvent} event
 */
export function openMenu(job, actions, origin, event) {
  menu?.remove();
  const focus = /** @type {?HTMLElement} */ (origin.closest("button, [role=row]"));
  const close = () => {
    opened.remove();
    focus?.focus({ preventScroll: true });
  };
  /** @param {string} name @param {string} icon @param {() => void} action */
  const item = (name, icon, action) => {
    const element = button(name, () => {
      close();
      action();
    }, { icon });
    element.setAttribute("role", "menuitem");
    element.tabIndex = -1;
    return element;
  };
  const names = /** @type {const} */ (["pause", "resume", "now", "retry", "again", "remove", "delete"]);
  const opened = h("div", { class: "row-menu menu-items", role: "menu", popover: "auto", "aria-label": fileName(job) },
    item("Open", "search", () => { location.hash = `#/jobs/${job.id}`; }),
    ...copies(job).map(([name, text]) => item(`Copy the ${name}`, "copy", () => actions.copy(name, text))),
    ...names.filter((name) => canDo(name, job)).map((name) => item(actionNames[name], actionIcons[name], () => actions.act(name, [job.id]))));
  menu = opened;
  opened.addEventListener("toggle", (/** @type {*} */ change) => change.newState === "closed" && opened.remove());
  opened.addEventListener("keydown", (/** @type {KeyboardEvent} */ key) => {
    const items = [...opened.children];
    const at = items.indexOf(/** @type {*} */ (document.activeElement));
    /** @type {Object<string, number>} */
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    if (key.key in to) /** @type {HTMLElement} */ (items.at(to[key.key] % items.length)).focus();
    else if (key.key === "Tab" || key.key === "Escape") close();
    else return;
    key.preventDefault();
    key.stopPropagation();
  });
  document.body.append(opened);
  opened.showPopover();
  // A menu that a key opened has no pointer.
  const box = (focus ?? origin).getBoundingClientRect();
  const [x, y] = event instanceof MouseEvent && (event.clientX || event.clientY) ? [event.clientX, event.clientY] : [box.left + 40, box.bottom];
  const { offsetWidth, offsetHeight } = opened;
  opened.style.transform = `translate(${Math.max(4, Math.min(x, innerWidth - offsetWidth - 8))}px, ${Math.max(4, Math.min(y, innerHeight - offsetHeight - 8))}px)`;
  opened.firstElementChild.focus({ preventScroll: true });
}
