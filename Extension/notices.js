// Notifications of the desktop. The last ones are kept for the popup, because many desktops hide notifications.

let last = 0;

/** Changes the kept notices. The background and the popup do it one after another: each reads what the one before has written. */
async function change(body) {
  await navigator.locks.request("notices", async () => {
    const { notices } = await chrome.storage.session.get("notices");
    await chrome.storage.session.set({ notices: body(notices ?? []) });
  });
}

/**
 * Shows a notification.
 * @param isProblem Whether the popup shows it until the user dismisses it.
 * @param id A notification with the same id is replaced.
 */
export async function tell(title, message, { isProblem = false, id = null } = {}) {
  last += 1;
  const shown = id ?? `dray-${Date.now()}-${last}`;
  // The notification comes even if the browser's storage is full.
  await change((notices) => [...notices, { id: shown, title, message, isProblem }].slice(-20)).catch((error) => console.error(error));
  const options = { type: "basic", iconUrl: chrome.runtime.getURL("icons/icon128.png"), title, message };
  // A desktop may show none. The popup has it all the same.
  await chrome.notifications.create(shown, options).catch(() => {});
}

/** The last problem that was not dismissed. */
export async function lastProblem() {
  const { notices } = await chrome.storage.session.get("notices");
  return (notices ?? []).filter((notice) => notice.isProblem).pop() ?? null;
}

export async function dismissProblems() {
  await change((notices) => notices.filter((notice) => !notice.isProblem));
}
