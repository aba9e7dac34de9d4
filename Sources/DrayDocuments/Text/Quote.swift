// Text of a document in a message.

/// Text of a document for use in a reason: in quotes, shortened. ``DocumentError`` escapes it.
func quote(_ text: some StringProtocol) -> String {
  let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
  return text.unicodeScalars.count > 60 ? "\"\(shown)…\"" : "\"\(shown)\""
}
