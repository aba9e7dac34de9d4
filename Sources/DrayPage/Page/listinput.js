// Keys and clicks in the list.

import { mainAction } from "./actions.js";
import { openMenu } from "./menu.js";

/**
 * Handles the list's events.
 * @param {HTMLElement} body
 * @param {import("./list.js").JobList} list
 * @param {import("./actions.js").Actions} actions
 * @param {{open: (id: number) => void, add: () => void, search: () => void, escape: () => void}} page
 */
export function listenToList(body, list, actions, page) {
  /** The start of a selected range. */
  let anchor = -1;

  body.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const id = idOf(target);
    if (id < 0) return;
    const index = list.indexOf(id);
    list.current = id;
    const action = /** @type {?HTMLElement} */ (target.closest("[data-action]"))?.dataset.action;
    if (action === "more") return openMenu(list.items[index], actions, target, event);
    if (action) return void actions.act(/** @type {*} */ (action), [id]);
    if (target.closest(".handle")) return;
    // The whole cell is the checkbox's target.
    if (target.closest(".c-select") || event.ctrlKey || event.metaKey) {
      const on = target instanceof HTMLInputElement ? target.checked : !list.selected.has(id);
      if (event.shiftKey && anchor >= 0 && on) list.selectRange(list.indexOf(anchor), index);
      else list.select(id, on);
      anchor = id;
      return;
    }
    if (target.closest("a")) event.preventDefault();
    page.open(id);
  });

  body.addEventListener("contextmenu", (event) => {
    const id = idOf(/** @type {HTMLElement} */ (event.target));
    // With Shift, the browser's own menu comes.
    if (id < 0 || event.shiftKey && event.button === 2) return;
    event.preventDefault();
    openMenu(list.items[list.indexOf(id)], actions, /** @type {HTMLElement} */ (event.target), event);
  });

  body.addEventListener("focusin", (event) => {
    const id = idOf(/** @type {HTMLElement} */ (event.target));
    if (id >= 0 && id !== list.current) {
      list.current = id;
      list.draw();
    }
  });

  body.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const id = idOf(target);
    if (id < 0) return;
    const onRow = target.getAttribute("role") === "row";
    if (handled(event, id, onRow)) event.preventDefault();
  });

  /** @param {KeyboardEvent} event @param {number} id @param {boolean} onRow  Otherwise it is on one of the row's buttons. */
  function handled(event, id, onRow) {
    if (event.altKey) return movesJob(event, id);
    if (event.ctrlKey || event.metaKey) return withControl(event);
    return movesFocus(event, id) || (onRow && acts(event, id));
  }

  /** @param {KeyboardEvent} event @param {number} id */
  function movesJob(event, id) {
    if (!list.movable) return false;
    const ids = list.meant(id);
    switch (event.key) {
      case "ArrowUp": actions.moveBy(ids, -1, list.items); break;
      case "ArrowDown": actions.moveBy(ids, 1, list.items); break;
      case "Home": actions.move(ids, { place: "first" }); break;
      case "End": actions.move(ids, { place: "last" }); break;
      default: return false;
    }
    requestAnimationFrame(() => list.goTo(list.indexOf(id)));
    return true;
  }

  /** @param {KeyboardEvent} event */
  function withControl(event) {
    if (event.key !== "a") return false;
    list.selectAll();
    return true;
  }

  /** @param {KeyboardEvent} event @param {number} id */
  function movesFocus(event, id) {
    const from = list.indexOf(id);
    /** @type {Object<string, number>} */
    const to = {
      ArrowUp: from - 1, ArrowDown: from + 1, PageUp: from - list.page, PageDown: from + list.page, Home: 0, End: list.items.length - 1,
    };
    const index = to[event.key];
    if (index === undefined) return false;
    list.goTo(index);
    if (event.shiftKey) list.selectRange(from, list.indexOf(list.current));
    return true;
  }

  /** @param {KeyboardEvent} event @param {number} id */
  function acts(event, id) {
    const ids = list.meant(id);
    const target = /** @type {HTMLElement} */ (event.target);
    switch (event.key === "F10" && event.shiftKey ? "ContextMenu" : event.key) {
      case "Enter": page.open(id); break;
      case " ": list.select(id, !list.selected.has(id)); anchor = id; break;
      case "Delete": case "Backspace": actions.act(event.shiftKey ? "delete" : "remove", ids); break;
      case "p": pauseOrResume(list, actions, id); break;
      case "r": actions.act("retry", ids); break;
      case "ContextMenu": openMenu(list.items[list.indexOf(id)], actions, target, event); break;
      case "n": page.add(); break;
      case "/": page.search(); break;
      case "Escape": page.escape(); break;
      default: return false;
    }
    return true;
  }

}

/**
 * Pauses or resumes the selected jobs if `id` is one of them, otherwise only that job.
 * @param {import("./list.js").JobList} list
 * @param {import("./actions.js").Actions} actions
 * @param {number} id
 */
export function pauseOrResume(list, actions, id) {
  const job = list.items[list.indexOf(id)];
  if (job) actions.act(mainAction(job) === "pause" ? "pause" : "resume", list.meant(id));
}

/** Returns the id of the job whose row contains an element; -1 for none. @param {HTMLElement} element */
export function idOf(element) {
  const row = /** @type {?HTMLElement} */ (element.closest("[data-id]"));
  return row ? Number(row.dataset.id) : -1;
}
