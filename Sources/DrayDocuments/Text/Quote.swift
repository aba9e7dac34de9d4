// Quotes a document's text in messages.

internal import DrayCore

/// Quotes and shortens text of a document for a reason. The secrets of URLs in it are left out (P7). ``DocumentError``
/// escapes it.
func quote(_ text: some StringProtocol) -> String {
  let text = URLRedaction.redactingURLs(in: String(text)).unicodeScalars
  return text.count > 60 ? "\"\(String(text.prefix(60)))…\"" : "\"\(String(text))\""
}
