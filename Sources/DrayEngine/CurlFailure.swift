// What an error of libcurl means to a job.

internal import Curl
internal import DrayCore

extension CurlError {
  /// The failure of a job whose request to `subject` (without secrets) ended with this error.
  func failure(_ subject: String, info: TransferInfo) -> Failure {
    let text = TextSafety.escaped(URLRedaction.redactingURLs(in: message))
    if info.proxyStatus == 407 {
      return Failure(
        .authentication, subject, "the proxy wants other credentials (407 Proxy Authentication Required)",
        advice: AuthenticationChallenge.proxyAdvice(info.proxySchemes), httpStatus: 407, recovery: .keep)
    }
    switch code {
    case .hostNotFound, .proxyNotFound:
      return Failure(
        .network, subject, text, advice: "check the name and the network", recovery: .retry)
    case .untrusted:
      return Failure(
        .tls, subject, "the server's certificate is not trusted: \(text)",
        advice: "give the authority's certificate with --cacert; -k goes on without any check", recovery: .keep)
    case .pinnedKeyDiffers:
      return Failure(
        .tls, subject, "the server has another public key than the one that was pinned",
        advice: "check whom you are talking to; if the key was changed on purpose, pin the new one with --pinnedpubkey",
        recovery: .keep)
    case .clientCertificate:
      return Failure(
        .tls, subject, "the client certificate or its key cannot be used: \(text)",
        advice: "check --cert, --key and --pass; they must be PEM, or one .p12 file", recovery: .keep)
    case .unsupportedProtocol:
      return Failure(
        .protocolViolation, subject, "the server does not speak HTTP: \(text)", advice: "check the port and the scheme",
        recovery: .keep)
    default:
      break
    }
    switch code.category {
    case .network:
      return Failure(
        .network, subject, text, advice: "`dray run` goes on once the network is back", recovery: .retry)
    case .tls:
      return Failure(.tls, subject, text, advice: "check the address, the clock and --cacert", recovery: .keep)
    case .protocolViolation:
      return Failure(
        .protocolViolation, subject, "the server's answer breaks the rules: \(text)",
        advice: "another mirror may do better", recovery: .keep)
    case .usage where info.isConnected, .other where info.isConnected:
      // libcurl has no better word for heads that it cannot take: a line without a colon, one that begins with a blank.
      let what = code == .badArgument ? "a line of its head is no header field" : text
      return Failure(
        .protocolViolation, subject, "the server's answer cannot be understood: \(what)",
        advice: "another mirror may do better", recovery: .keep)
    case .usage:
      return Failure(.usage, subject, text, advice: "check the URL and the options", recovery: .keep)
    case .callback, .other:
      return Failure(.other, subject, text, advice: "`dray retry ID` tries again", recovery: .keep)
    }
  }
}
