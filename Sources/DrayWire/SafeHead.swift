// Header fields for display: escaped, and without their secrets (P7, P8).

package import DrayCore

package enum SafeHead {
  /// Endings of the names of fields that contain keys.
  private static let secretEndings = ["token", "secret", "-key", "password", "authorization", "session"]

  /// Whether a field with this lowercase name carries credentials.
  package static func isSecretName(_ name: String) -> Bool {
    name == "cookie" || secretEndings.contains(where: name.hasSuffix)
  }

  /// Returns a field of the user for display. Most of them may be keys.
  package static func request(_ field: HeaderField) -> String {
    if field.value.isEmpty { return "\(field.name): (\(field.isSentEmpty ?? false ? "empty" : "not sent"))" }
    return "\(field.name): \(FieldRule.harmless.contains(field.name.lowercased()) ? field.value : "…")"
  }

  /// Returns a field of a server for display.
  package static func response(_ field: HeaderField) -> HeaderField {
    switch field.name.lowercased() {
    case "set-cookie":
      let name = field.value.prefix { $0 != "=" && $0 != ";" }
      let attributes = field.value.firstIndex(of: ";").map { field.value[$0...] } ?? ""
      return HeaderField(field.name, "\(name)=…\(attributes)")
    case "location", "content-location", "refresh", "link":
      return HeaderField(field.name, URLRedaction.redacted(field.value))
    case let name where secretEndings.contains(where: name.hasSuffix):
      return HeaderField(field.name, "…")
    default:
      return HeaderField(field.name, URLRedaction.redactingURLs(in: field.value))
    }
  }

  /// Returns the status line, or the outcome if the server does not use HTTP.
  package static func statusLine(_ head: ResponseHead) -> String {
    guard head.isHTTP else { return "\(head.version), " + (head.status == 206 ? "the rest" : "the whole file") }
    return "HTTP/\(head.version) \(head.status)" + (head.reason.isEmpty ? "" : " \(head.reason)")
  }
}
