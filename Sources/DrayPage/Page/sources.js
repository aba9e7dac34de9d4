// Pasted and dropped input. The service reads it, as it reads what is typed.

/** The maximum length in bytes of a list of downloads. */
export const largestFile = 8 * 1024 * 1024;

/**
 * Returns the input shared with the page: by the fragment `#add=URL` of the bookmarklet and of `web+dray:`, or by the
 * share target's query.
 * @param {URL} location
 * @returns {string} the URLs, one per line; empty for none
 */
export function shared(location) {
  const fromFragment = location.hash.startsWith("#add=") ? decoded(location.hash.slice(5)) : "";
  const fromQuery = ["url", "text", "title"].map((name) => location.searchParams.get(name) ?? "").join(" ");
  const urls = `${fromFragment} ${fromQuery}`.match(/web\+dray:\S+|[a-z][a-z0-9+.-]*:\/\/\S+/gi) ?? [];
  return [...new Set(urls.map(carried))].join("\n");
}

/** Returns the URL in a `web+dray:` URL, whether encoded or not. Other URLs are unchanged. @param {string} url */
function carried(url) {
  const rest = url.replace(/^web\+dray:(\/\/)?/i, "");
  return rest.includes("://") ? rest : decoded(rest);
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the text of dropped or pasted data: of its files, otherwise of its links.
 * @param {DataTransfer} transfer
 * @returns {Promise<string[]>}
 */
export async function dropped(transfer) {
  const files = [...transfer.files];
  if (files.length > 0) return Promise.all(files.filter((file) => file.size <= largestFile).map((file) => file.text()));
  const text = transfer.getData("text/uri-list") || transfer.getData("text/plain");
  return text ? [text] : [];
}
