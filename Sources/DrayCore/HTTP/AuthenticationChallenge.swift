/// The authentication that a server or proxy requires: `WWW-Authenticate`, `Proxy-Authenticate` (RFC 9110 §11.6.1).
public enum AuthenticationChallenge {
  private static let limit = 6

  /// Returns the schemes that the fields offer, each once, in the server's spelling. The text is not escaped.
  ///
  /// Commas separate challenges as well as the parameters of one. A word followed by `=` is a parameter; any other word
  /// begins a challenge.
  public static func schemes(_ fields: [String]) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for element in fields.flatMap(ListField.elements) {
      let word = element.prefix { $0 != " " && $0 != "\t" && $0 != "=" }
      guard !word.isEmpty, element[word.endIndex...].trimmingSpaces().first != "=" else { continue }
      if seen.insert(word.lowercased()).inserted { found.append(String(word)) }
    }
    return found
  }

  /// Returns the reason of a 401 that offers these schemes: `401: a password is needed (Digest)`.
  static func need(_ schemes: [String]) -> String {
    preferred(schemes) == "bearer" ? "401: a token is needed" : "401: a password is needed" + words(schemes)
  }

  /// Returns the reason of a 407 that offers these schemes.
  public static func proxyNeed(_ schemes: [String]) -> String { "407: the proxy needs a password" + words(schemes) }

  /// Returns ` (Digest, NTLM)`, printable; empty without schemes, and for Basic, which needs no option.
  private static func words(_ schemes: [String]) -> String {
    guard !schemes.isEmpty, preferred(schemes) != "basic" else { return "" }
    let names = schemes.prefix(limit).map { TextSafety.escaped($0.start(40)) }
    return " (\(names.joined(separator: ", "))\(schemes.count > limit ? ", …" : ""))"
  }

  static func advice(_ schemes: [String]) -> Advice {
    switch preferred(schemes) {
    case "bearer": "add \(.bearer)"
    case "digest": "add \(.user) and \(.digest)"
    case "negotiate": "add \(.user) and \(.negotiate)"
    case "ntlm": "add \(.user) and \(.ntlm)"
    default: "add \(.user)"
    }
  }

  /// Returns advice for a 407 that offers these schemes.
  public static func proxyAdvice(_ schemes: [String]) -> Advice {
    switch preferred(schemes) {
    case "digest": "add \(.proxyUser) and \(.proxyDigest)"
    case "negotiate": "add \(.proxyUser) and \(.proxyNegotiate)"
    case "ntlm": "add \(.proxyUser) and \(.proxyNTLM)"
    default: "add \(.proxyUser)"
    }
  }

  /// Returns the scheme to suggest, among those for which there is an option. Basic comes first, because it is the
  /// default and was already tried.
  private static func preferred(_ schemes: [String]) -> String? {
    let offered = Set(schemes.map { $0.lowercased() })
    return ["basic", "digest", "negotiate", "ntlm", "bearer"].first(where: offered.contains)
  }
}
