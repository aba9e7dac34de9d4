// What a source's program gets on its standard input: one JSON object.

package import DrayCore

package enum ProgramRequest {
  /// The version of the protocol.
  package static let version: Int64 = 1

  /// Asks for the files of a name.
  package static func find(_ name: SourceName) -> [UInt8] {
    text("find", name) { _ in }
  }

  /// Asks for a new URL of one file.
  /// - Parameters:
  ///   - name: The name with the revision.
  ///   - file: The file.
  ///   - url: The URL that has expired. Its secrets are left out.
  ///   - status: The status of the server's refusal.
  package static func renew(
    _ name: SourceName, _ file: SourceReference, url: RequestURL, status: Int
  ) -> [UInt8] {
    text("renew", name) { json in
      json.field("path", file.path)
      json.field("revision", file.revision)
      json.field("url", URLRedaction.withoutSecrets(url.string))
      json.field("status", status)
    }
  }

  private static func text(_ action: String, _ name: SourceName, _ rest: (inout JSONText) -> Void) -> [UInt8] {
    var json = JSONText()
    json.beginObject()
    json.field("version", version)
    json.field("action", action)
    json.field("name", name.text)
    json.field("scheme", name.scheme)
    json.field("rest", name.rest)
    rest(&json)
    json.endObject()
    json.endLine()
    return json.bytes
  }
}
