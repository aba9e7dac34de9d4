// Moves jobs in the list by their handles. Pointer events make this work for fingers and mice.

import { h } from "./dom.js";
import { idOf } from "./listinput.js";
import { isWaiting } from "./queue.js";

/** The distance from an edge at which the list scrolls, and its speed, in pixels. */
const [edge, speed] = [36, 12];

/**
 * @param {HTMLElement} viewport
 * @param {HTMLElement} body
 * @param {import("./list.js").JobList} list
 * @param {import("./actions.js").Actions} actions
 */
export function listenToDrags(viewport, body, list, actions) {
  const line = h("div", { class: "drop-line", "aria-hidden": "true" });

  body.addEventListener("pointerdown", (event) => {
    const handle = /** @type {HTMLElement} */ (event.target).closest(".handle");
    if (!handle || event.button !== 0 || !list.movable) return;
    const id = idOf(/** @type {HTMLElement} */ (handle));
    if (!isWaiting(list.items[list.indexOf(id)])) return;
    event.preventDefault();
    drag(list.meant(id), event);
  });

  /** @param {number[]} ids @param {PointerEvent} start */
  function drag(ids, start) {
    let y = start.clientY;
    /** @type {?{before?: number, after?: number}} */
    let place = null;
    let going = true;
    const ending = new AbortController();
    const { signal } = ending;

    const frame = () => {
      if (!going) return;
      const bounds = viewport.getBoundingClientRect();
      if (y < bounds.top + edge) viewport.scrollTop -= speed;
      if (y > bounds.bottom - edge) viewport.scrollTop += speed;
      place = show(y - body.getBoundingClientRect().top);
      requestAnimationFrame(frame);
    };
    /** @param {boolean} drops */
    const end = (drops) => {
      going = false;
      ending.abort();
      line.remove();
      document.body.classList.remove("dragging");
      if (drops && place) actions.move(ids, place);
    };
    addEventListener("pointermove", (event) => { y = event.clientY; }, { signal });
    addEventListener("pointerup", (event) => {
      y = event.clientY;
      place = show(y - body.getBoundingClientRect().top);
      end(true);
    }, { signal });
    addEventListener("pointercancel", () => end(false), { signal });
    addEventListener("keydown", (event) => event.key === "Escape" && end(false), { signal });
    document.body.classList.add("dragging");
    body.append(line);
    frame();
  }

  /** Shows the place for a job dropped at a height, and returns it. @param {number} y */
  function show(y) {
    const gap = Math.max(0, Math.min(list.items.length, Math.round(y / list.rowHeight)));
    const [above, below] = [list.items[gap - 1], list.items[gap]];
    const place = below && isWaiting(below) ? { before: below.id } : above && isWaiting(above) ? { after: above.id } : null;
    line.hidden = place === null;
    line.style.transform = `translateY(${gap * list.rowHeight - 1}px)`;
    return place;
  }
}
