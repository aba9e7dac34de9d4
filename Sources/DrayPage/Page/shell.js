// Keeps copies of the page's files, so that the page opens while the service is away (worker.js).

/** The name of the copies, as in worker.js. */
const name = "dray-page";
/** The files that the page does not load itself. */
const others = ["/", "/page/hub.js", "/page/icon.svg", "/page/manifest.webmanifest"];

/** Starts the service worker, and keeps the files that were loaded before it. */
export async function keepShell() {
  // Browsers have it only over HTTPS and on this machine.
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/page/worker.js", { scope: "/" });
    await navigator.serviceWorker.ready;
    const copies = await caches.open(name);
    const loaded = performance.getEntriesByType("resource").map((entry) => new URL(entry.name))
      .filter((url) => url.origin === location.origin && url.pathname.startsWith("/page/")).map((url) => url.pathname);
    for (const path of new Set([...others, ...loaded])) if (!(await copies.match(path))) await copies.add(path);
  } catch {
    // The browser keeps nothing, as in a private window, or the service has just gone.
  }
}
