// Runs in pages. Reports clicks with the key held that means "not this time": the browser then keeps the download. It reports nothing else.

{
  const FLAGS = { Alt: "altKey", Shift: "shiftKey", Control: "ctrlKey" };
  let flag = "altKey";

  const apply = (settings) => {
    flag = FLAGS[settings?.key ?? "Alt"] ?? null;
  };
  chrome.storage.local.get("settings").then((stored) => apply(stored.settings));
  chrome.storage.onChanged.addListener((changes) => {
    if (changes.settings) apply(changes.settings.newValue);
  });

  const report = (event) => {
    if (!event.isTrusted || flag === null || !event[flag]) return;
    const link = event.composedPath().find((node) => typeof node.href === "string" && node.localName === "a");
    try {
      chrome.runtime.sendMessage({ type: "not-this-time", url: link?.href ?? null }).catch(() => {});
    } catch {
      // The extension was updated or removed after this page was loaded.
    }
  };
  addEventListener("click", report, { capture: true, passive: true });
  addEventListener("auxclick", report, { capture: true, passive: true });
}
