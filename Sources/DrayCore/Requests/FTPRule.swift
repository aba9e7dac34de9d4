/// The meaning of an FTP server's negative reply: the kind of failure, the recovery and the message (RFC 959 §4.2.1:
/// 4yz is temporary, 5yz permanent).
package enum FTPRule {
  /// Returns the failure for a reply of 400 or above.
  /// - Parameter subject: The URL, without secrets.
  package static func failure(_ reply: FTPReply, subject: String) -> Failure {
    let word = TextSafety.escaped(reply.text)
    let said = "\(reply.code)" + (word.isEmpty ? "" : " \(word)")
    func failure(
      _ kind: Failure.Kind, _ reason: String, _ advice: Advice, _ recovery: Failure.Recovery = .keep
    ) -> Failure { Failure(kind, subject, "\(reason) (\(said))", advice: advice, recovery: recovery) }

    if isFull(reply) {
      return failure(.status, "the server accepts no more connections", "\(.resume) tries again", .retry)
    }
    switch reply.code {
    case 425, 426:
      return failure(
        .network, "the data connection failed or was cut off", "\(.run) continues from there", .retry)
    case 430, 530, 532:
      return failure(
        .authentication, "the server refuses the login", "add \(.user)")
    case 533, 534, 535, 536, 521, 522:
      return failure(.tls, "the server requires TLS, or another form of it", "try \(.sslRequired), or ftps://")
    case 550:
      return failure(
        .status, "no such file, or no permission to read it",
        "check the path: it starts at the login directory, with %2F at the root")
    case 400..<500:
      return failure(.status, "the server cannot do it now", "\(.resume) tries again", .retry)
    case 500..<505:
      return failure(.protocolViolation, "the server lacks a required command", "try another mirror")
    default:
      return failure(.status, "the server refuses", "check the URL")
    }
  }

  /// Whether the refusal of a login means that the server is full: proftpd, pure-ftpd and other servers send 530
  /// instead of 421 (H19).
  static func isFull(_ reply: FTPReply) -> Bool {
    guard [421, 430, 530, 532].contains(reply.code) else { return false }
    let text = reply.text.lowercased()
    func has(_ words: String...) -> Bool { words.contains { text.firstRange(of: $0) != nil } }
    // A text such as "Too many failed logins" is about the password.
    if has("fail", "attempt", "password", "incorrect", "invalid") { return false }
    if has("server full", "server is full", "server busy", "server is busy", "no more connection", "connection limit") {
      return true
    }
    let isTooMany = has("maximum number", "too many", "no more than", "limit", "max ", "maximum of", "maximum allowed")
    return isTooMany && has("client", "connection", "user", "session", "login", "logged")
  }
}
