// Quotes a document's text in messages.

/// Quotes and shortens text of a document for a reason. ``DocumentError`` escapes it.
func quote(_ text: some StringProtocol) -> String {
  let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
  return text.unicodeScalars.count > 60 ? "\"\(shown)…\"" : "\"\(shown)\""
}
