// Shows the page while the service is away, as an installed app has to: keeps copies of the page's own files. A service
// worker; it leaves the API alone.

/** The name of the copies, as in shell.js. */
const name = "dray-page";
/** Milliseconds after which a copy is shown. An address in another network does not answer at all. */
const patience = 4000;

addEventListener("install", () => /** @type {*} */ (globalThis).skipWaiting());
addEventListener("activate", (/** @type {*} */ event) => event.waitUntil(/** @type {*} */ (globalThis).clients.claim()));
addEventListener("fetch", (/** @type {*} */ event) => {
  const { origin, pathname } = new URL(event.request.url);
  const isOfPage = origin === location.origin && (pathname === "/" || pathname.startsWith("/page/"));
  if (isOfPage && event.request.method === "GET") event.respondWith(answer(event.request, pathname));
});

/**
 * Returns the service's answer; a copy if there is none.
 * @param {Request} request
 * @param {string} path  The query is not part of it: it is for the page's script.
 * @returns {Promise<Response>}
 */
async function answer(request, path) {
  const copies = await caches.open(name);
  const copy = await copies.match(path);
  const asked = fetch(request).then(async (response) => {
    if (response.ok) await copies.put(path, response.clone());
    return response;
  });
  if (!copy) return asked.catch(() => Response.error());
  return Promise.race([
    asked.catch(() => copy),
    new Promise((resolve) => { setTimeout(() => resolve(copy), patience); }),
  ]);
}
