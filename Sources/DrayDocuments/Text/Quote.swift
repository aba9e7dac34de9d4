// Text of a document in a message.

/// Text of a document as it may stand in a reason: in quotes, shortened. Escaping is ``DocumentError``'s business.
func quote(_ text: some StringProtocol) -> String {
  let shown = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
  return text.unicodeScalars.count > 60 ? "\"\(shown)…\"" : "\"\(shown)\""
}
