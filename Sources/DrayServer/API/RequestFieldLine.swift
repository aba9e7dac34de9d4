// Header fields as clients of the API give them: `Name: value`.

internal import DrayCore

/// Lines of `headers`.
enum RequestFieldLine {
  /// Fields that frame the message or ask for ranges: they are dray's own to decide. `Host` is the URL's.
  private static let own: Set<String> = [
    "range", "if-range", "if-match", "accept-encoding", "content-length", "transfer-encoding", "connection", "te",
    "trailer", "upgrade", "host", "proxy-authorization",
  ]

  /// Reads the fields of a job.
  /// - Throws: what is wrong, without the value, which may be a secret.
  static func fields(_ lines: [String], of shown: String) throws(APIFailure) -> [HeaderField] {
    var fields: [HeaderField] = []
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else {
        throw .bad("\(shown): a header field has no colon", advice: "write it like Name: value")
      }
      let name = String(line[..<colon])
      guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenPart) else {
        throw .bad("\(shown): headers: \"\(TextSafety.escaped(name.start(80)))\" is not a name of a field")
      }
      guard !own.contains(name.lowercased()) else {
        throw .bad("\(shown): dray sets \(name) itself", advice: "omit it")
      }
      let value = line[line.index(after: colon)...]
      guard value.utf8.allSatisfy(\.isFieldPart) else {
        throw .bad("\(shown): the value of \(name) has a control character in it")
      }
      fields.append(HeaderField(name, String(decoding: value.utf8.trimmingBlanks, as: UTF8.self)))
    }
    return fields
  }
}
