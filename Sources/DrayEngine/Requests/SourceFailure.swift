// Translates libcurl's errors with FTP and SSH servers into failures. If the server sent a message, the message takes
// precedence.

internal import Crypto
internal import Curl
internal import DrayCore
internal import FoundationEssentials

enum FTPFailure {
  static func failure(_ error: CurlError, _ subject: String, replies: FTPReplies, info: TransferInfo) -> Failure {
    switch error.code {
    case .tlsRefused:
      return Failure(
        .tls, subject, "the server does not offer TLS" + word(replies),
        advice: "without \(.sslRequired) the password and the file are not encrypted", recovery: .keep)
    case .loginDenied:
      return FTPRule.failure(replies.refusal ?? FTPReply(530, ""), subject: subject)
    case .fileNotFound, .accessDenied:
      return FTPRule.failure(replies.refusal ?? FTPReply(550, ""), subject: subject)
    default:
      break
    }
    // Only the last reply counts: an earlier refusal may be harmless, for example from a server without MDTM.
    if error.code != .untrusted, error.code.category != .tls, let last = replies.last, last.code >= 400 {
      return FTPRule.failure(last, subject: subject)
    }
    if error.code.category == .other, info.isConnected {
      return Failure(
        .protocolViolation, subject, "the server's answer cannot be understood: \(TextSafety.escaped(error.message))",
        advice: "try another mirror", recovery: .keep)
    }
    return error.failure(subject, info: info)
  }

  private static func word(_ replies: FTPReplies) -> String {
    replies.refusal.map { " (\($0.code) \(TextSafety.escaped($0.text)))" } ?? ""
  }
}

enum SSHFailure {
  static func failure(_ error: CurlError, _ subject: String, key: HostKey?, info: TransferInfo) -> Failure {
    let text = TextSafety.escaped(error.message)
    switch error.code {
    case .untrusted:
      return untrusted(subject, key, text)
    case .loginDenied:
      return Failure(
        .authentication, subject, "the server refuses the login",
        advice: "give a password with \(.user), or a key with \(.key)",
        recovery: .keep)
    case .fileNotFound:
      return Failure(
        .status, subject, "the server does not have the file",
        advice: "check the path: /~/ is the login directory", recovery: .keep)
    case .accessDenied:
      return Failure(
        .status, subject, "the server refuses access to the file", advice: "check the login and the path",
        recovery: .keep)
    case .ssh:
      return Failure(.network, subject, text, advice: "\(.run) continues once the network is back", recovery: .retry)
    default:
      return error.failure(subject, info: info)
    }
  }

  /// Returns the failure for a host key that is not in known_hosts.
  private static func untrusted(_ subject: String, _ key: HostKey?, _ text: String) -> Failure {
    guard let key else {
      return Failure(
        .tls, subject, "the host key is not the expected one: \(text)", advice: "check \(.hostPublicKey)",
        recovery: .keep)
    }
    let print = fingerprint(key.bytes)
    guard key.match == .different else {
      return Failure(
        .tls, subject, "the host key is unknown: SHA256:\(print)",
        advice: "verify it with the server's owner, then use \(.hostPublicKey) \(print),"
          + " or let `ssh` add it to known_hosts; \(.insecure) disables the check", recovery: .keep)
    }
    return Failure(
      .tls, subject,
      "the host key is not the one in known_hosts: SHA256:\(print); someone may be impersonating the server",
      advice: "ask the server's owner; if the key was renewed, `ssh-keygen -R HOST` removes the old one",
      recovery: .keep)
  }

  /// Returns the digest of a key in the form of ssh-keygen(1), without `SHA256:`.
  static func fingerprint(_ key: [UInt8]) -> String {
    let text = Data(SHA256.hash(data: key)).base64EncodedString()
    return String(text.prefix { $0 != "=" })
  }
}
