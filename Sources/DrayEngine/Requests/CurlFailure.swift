// Translates libcurl's errors into failures of jobs. libcurl's own text is used only if it says more.

internal import Curl
internal import DrayCore
internal import Posix

extension CurlError {
  /// Returns the failure; `subject` must contain no secrets.
  func failure(_ subject: String, info: TransferInfo) -> Failure {
    if info.wasGivenUp { return network(subject, "its connection has been silent for too long") }
    if info.proxyStatus == 407 {
      var needed = Failure(
        .authentication, subject, AuthenticationChallenge.proxyNeed(info.proxySchemes),
        advice: AuthenticationChallenge.proxyAdvice(info.proxySchemes), httpStatus: 407, recovery: .keep)
      needed.offeredSchemes = info.proxySchemes.isEmpty ? nil : info.proxySchemes
      return needed
    }
    if let what = brokenRule(info) { return .brokenAnswer(subject, what) }
    return failureByCode(subject) ?? failureByCategory(subject)
  }

  /// Returns the failure if this machine has none of the interfaces from which the request was to be sent.
  func missingInterface(_ subject: String, among names: [String]) -> Failure? {
    guard code == .interfaceFailed,
      let reason = TransferRequest.problem(
        withInterfaces: names, existing: System.interfacesWithAddress(), hasInterface: System.hasInterface,
        isOwn: LocalPlace.isOwn)
    else { return nil }
    var failure = Failure(
      .network, subject, reason, advice: "choose one with \(.interface)", recovery: .retry)
    failure.obstacle = .missingInterface
    return failure
  }

  /// Returns the obstacle; `nil` if the reason has no effect on retries.
  func obstacle(_ info: TransferInfo) -> Failure.Obstacle? {
    switch code {
    case .hostNotFound: .unresolvedName
    case .couldNotConnect where info.systemError == SystemError.refused: .refusedPort
    default: nil
    }
  }

  /// The text of the error, without secrets and control characters.
  private var text: String { TextSafety.escaped(URLRedaction.redactingURLs(in: message)) }

  /// Returns the rule of the protocol that was violated, as a clause; `nil` for any other error.
  private func brokenRule(_ info: TransferInfo) -> String? {
    switch code {
    case .receiveError where message.lowercased().contains("chunk"):
      // This is not the error for a body that ends between or within chunks.
      return "the chunks of its body are malformed"
    case .receiveError where message.contains("Too large response headers"), .outOfMemory where info.isConnected:
      // At a line of this length, libcurl stops and reports that it is out of memory.
      return "a line of its header fields is longer than \(CurlError.longestLine >> 10) KiB"
    case .badArgument where info.isConnected:
      // libcurl has no better code for a line that has no colon or begins with a space.
      return "a line of its head is not a header field"
    case .unsupportedProtocol:
      return "it is not an answer of HTTP/1.0 or later"
    case .fileSizeExceeded:
      return "its Content-Length is too large"
    case .badEncoding,
      .writeError where info.isConnected && message == code.description:
      // For some errors of brotli, libcurl has neither a better code nor a text.
      return "its body has a coding that was not requested, or an invalid one"
    case .weirdReply where message.hasPrefix("Weird server reply"), .chunkFailed:
      return "it is unintelligible"
    case .weirdReply, .rangeError, .tooManyRedirects, .httpReturnedError:
      return text
    default:
      return nil
    }
  }

  /// The maximum length in bytes of a header line in libcurl (`CURL_MAX_HTTP_HEADER`).
  private static let longestLine = 100 << 10

  /// Returns the failure; `nil` if the category of the error code says enough.
  private func failureByCode(_ subject: String) -> Failure? {
    switch code {
    case .proxyNotFound where message.hasPrefix("Unsupported proxy syntax"):
      return Failure(
        .usage, subject, "the URL of the proxy cannot be read",
        advice: "write @, #, / and ? in its password as %40, %23, %2F, %3F",
        recovery: .keep)
    // libcurl has no code for a SOCKS5 proxy that rejects the password, or requires one (RFC 1929, RFC 1928).
    case .proxyFailed where message.hasPrefix("User was rejected by the SOCKS5"):
      return Failure(
        .authentication, subject, "the SOCKS5 proxy rejected the password", advice: "check it", recovery: .keep)
    case .proxyFailed where message.hasPrefix("No authentication method was acceptable"):
      return Failure(
        .authentication, subject, "the SOCKS5 proxy needs a password", advice: "add \(.proxyUser)", recovery: .keep)
    case .hostNotFound, .proxyNotFound:
      return Failure(.network, subject, text, advice: "check the name and the network", recovery: .retry)
    case .gotNothing:
      return network(subject, "the server closed the connection without an answer")
    case .partialFile:
      return network(subject, "the connection ended before the body did (\(text))")
    case .receiveError where message.contains("unexpected eof"):
      return network(subject, "the TLS connection was closed without notice")
    case .http2 where message.contains("framing layer"), .http2Stream where message.contains("framing layer"):
      return network(subject, "the server broke off the HTTP/2 connection")
    case .rewindFailed:
      return network(
        subject, "the connection ended while the body was sent")
    case .addressRefused:
      let advice: Advice =
        message.hasSuffix(OwnServices.words)
        ? "\(.ownService) lets a request go there" : "its user can fetch it with \(.get)"
      return Failure(.network, subject, text, advice: advice, recovery: .final)
    case .unsendable, .loginDenied:
      return Failure(
        .authentication, subject, "the credentials cannot be used: \(text)",
        advice: "check the user, the password and the scheme", recovery: .keep)
    case .notBuiltIn, .unknownOption:
      return Failure(
        .usage, subject, "this system's libcurl does not support the request: \(text)",
        advice: "\(.version) shows what it supports", recovery: .keep)
    case .outOfMemory:
      return Failure(.other, subject, "out of memory", advice: "\(.retry) tries again", recovery: .keep)
    case .unrecoverablePoll:
      return Failure(.other, subject, text, advice: "\(.retry) tries again", recovery: .keep)
    default:
      return tlsFailure(subject)
    }
  }

  /// The failure for an error of certificates and keys; `nil` for any other error.
  private func tlsFailure(_ subject: String) -> Failure? {
    switch code {
    case .untrusted:
      return Failure(
        .tls, subject, "the server's certificate is not trusted: \(text)",
        advice: "give its authority's certificate with \(.caCertificate)",
        recovery: .keep)
    case .authoritiesMissing:
      return Failure(
        .tls, subject, "the CA certificates cannot be read: \(text)",
        advice: "install ca-certificates or give \(.caCertificate)", recovery: .keep)
    case .pinnedKeyDiffers:
      return Failure(
        .tls, subject, "the server's public key is not the pinned one",
        advice: "ask the server's owner; \(.pinnedKey) pins a new key",
        recovery: .keep)
    case .clientCertificate:
      return Failure(
        .tls, subject, "the client certificate or its key cannot be used: \(text)",
        advice: "check \(.certificate), \(.key) and \(.keyPassword)",
        recovery: .keep)
    default:
      return nil
    }
  }

  /// The host and port that refused the connection, as `[::1]:80`, without control characters; `nil` for any other
  /// error. libcurl says `Failed to connect to HOST port PORT after 0 ms: `, then the system's reason.
  private var refusedPort: String? {
    let words = text.split(separator: " ").map { String($0) }
    guard text.hasSuffix("Connection refused"), let start = words.firstIndex(of: "connect"), words.count > start + 4,
      words[start + 1] == "to", words[start + 3] == "port"
    else { return nil }
    let host = words[start + 2]
    return "\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host):\(words[start + 4])"
  }

  /// Whether the server answered the TLS handshake with another protocol, according to the error texts of OpenSSL and
  /// GnuTLS.
  private var isPlainText: Bool {
    ["wrong version number", "packet length too long", "unexpected TLS packet"].contains { message.contains($0) }
  }

  /// Whether the server closed the connection in the TLS handshake, according to the error texts of OpenSSL and GnuTLS.
  private var isCutHandshake: Bool {
    ["SSL_ERROR_SYSCALL", "unexpected eof while reading", "non-properly terminated"].contains { message.contains($0) }
  }

  private func network(_ subject: String, _ what: String) -> Failure {
    Failure(.network, subject, what, advice: "\(.run) continues once the network is back", recovery: .retry)
  }

  private func failureByCategory(_ subject: String) -> Failure {
    switch code.category {
    case .network:
      return network(subject, refusedPort.map { "\($0) refused the connection" } ?? text)
    case .tls where isPlainText:
      return Failure(
        .tls, subject, "no TLS on this port", advice: subject.hasPrefix("https:") ? "try http://" : "try without TLS",
        recovery: .keep)
    case .tls where isCutHandshake:
      return Failure(
        .tls, subject, "the server closed the connection in the TLS handshake",
        advice: "check whether this port is meant for TLS, and the address", recovery: .keep)
    case .tls:
      return Failure(.tls, subject, text, advice: "check the address", recovery: .keep)
    case .protocolViolation:
      return .brokenAnswer(subject, text)
    case .usage:
      return Failure(.usage, subject, text, advice: "check the URL and the options", recovery: .keep)
    case .callback:
      // A transfer that was stopped normally has its own reason. This text is for all other cases.
      return Failure(.other, subject, "it was stopped", advice: "\(.retry) tries again", recovery: .keep)
    case .other:
      return Failure(.other, subject, text, advice: "\(.retry) tries again", recovery: .keep)
    }
  }
}

extension Failure {
  /// Returns the failure. `what` is a clause, which may contain text from the server.
  static func brokenAnswer(_ subject: String, _ what: String) -> Failure {
    Failure(
      .protocolViolation, subject, "the server's answer violates the protocol: \(TextSafety.escaped(what))",
      advice: "try another mirror", recovery: .keep)
  }
}

extension CurlError.Code {
  fileprivate static let weirdReply = Self(rawValue: 8)
  fileprivate static let proxyFailed = Self(rawValue: 97)
  static let http2 = Self(rawValue: 16)
  static let http2Stream = Self(rawValue: 92)
  fileprivate static let httpReturnedError = Self(rawValue: 22)
  fileprivate static let notBuiltIn = Self(rawValue: 4)
  fileprivate static let outOfMemory = Self(rawValue: 27)
  fileprivate static let rangeError = Self(rawValue: 33)
  fileprivate static let tooManyRedirects = Self(rawValue: 47)
  fileprivate static let unknownOption = Self(rawValue: 48)
  fileprivate static let badEncoding = Self(rawValue: 61)
  fileprivate static let fileSizeExceeded = Self(rawValue: 63)
  fileprivate static let rewindFailed = Self(rawValue: 65)
  fileprivate static let chunkFailed = Self(rawValue: 88)
  fileprivate static let unrecoverablePoll = Self(rawValue: 99)
}

extension LocalPlace {
  /// Whether this machine has it now.
  var isHere: Bool { exists(hasInterface: System.hasInterface, isOwn: LocalPlace.isOwn) }

  /// Whether an address is one of this machine; `nil` for a text that is no address.
  fileprivate static func isOwn(_ text: String) -> Bool? { InternetAddress(text).map(System.isOwnAddress) }
}
