// ftp and ftps.

extension Scheme {
  /// FTP (RFC 1738 §3.2).
  package static let ftp = Scheme(
    "ftp", port: 21, .ftp, authors: [.user, .document], listing: .commands,
    [.upload, .credentials, .resume, .tls, .optionalTLS, .proxy],
    Form(file: ftpPath))

  /// FTP with TLS from the start.
  package static let ftps = Scheme(
    "ftps", port: 990, .ftp, authors: [.user, .document], listing: .commands,
    [.upload, .credentials, .resume, .tls, .optionalTLS, .proxy],
    Form(file: ftpPath))

  /// Refuse control characters, which would end the FTP command.
  private static let ftpPath = FilePath(
    refuses: \.isControl, prepare: { (path) throws(URLParseError) in try removeType(&path) })

  /// Removes `;type=i`, which is the default in dray. Refuses other types, because they would change the bytes or
  /// return a list (RFC 1738 §3.2.2).
  private static func removeType(_ path: inout [UInt8]) throws(URLParseError) {
    while true {
      let ending = path.suffix(7).map(\.lowercased)
      guard ending.starts(with: ";type=".utf8), let type = ending.last, ending.count == 7 else { return }
      guard type == UInt8(ascii: "i") else {
        throw URLParseError(
          "it asks for ;type=\(TextSafety.escaped(utf8: [type])): dray fetches files as they are, ;type=i")
      }
      path.removeLast(7)
    }
  }
}
