// The authentication that a server or proxy requires: WWW-Authenticate, Proxy-Authenticate.

/// The challenges of an answer (RFC 9110 §11.6.1).
public enum AuthenticationChallenge {
  /// The maximum number of schemes shown.
  private static let limit = 6

  /// Returns the schemes that the fields offer, each once, in the server's spelling. The text is not escaped.
  ///
  /// Commas separate both challenges and their parameters. A word followed by `=` is a parameter; any other word begins
  /// a challenge.
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

  /// Returns `; it offers Digest, Basic`, printable; empty without schemes.
  static func words(_ schemes: [String]) -> String {
    guard !schemes.isEmpty else { return "" }
    let names = schemes.prefix(limit).map { TextSafety.escaped($0.start(40)) }
    return "; it offers \(names.joined(separator: ", "))\(schemes.count > limit ? ", …" : "")"
  }

  /// Returns advice for a 401 that offers these schemes.
  static func advice(_ schemes: [String]) -> Advice {
    switch preferred(schemes) {
    case "bearer": "give a token with \(.bearer)"
    case "digest": "check them, and select the scheme with \(.digest)"
    case "negotiate": "check them, and select the scheme with \(.negotiate)"
    case "ntlm": "check them, and select the scheme with \(.ntlm)"
    default: "give them with \(.user), \(.netrc) or \(.header)"
    }
  }

  /// Returns advice for a 407 that offers these schemes.
  public static func proxyAdvice(_ schemes: [String]) -> Advice {
    switch preferred(schemes) {
    case "digest": "give them with \(.proxyUser) and \(.proxyDigest)"
    case "negotiate": "give them with \(.proxyUser) and \(.proxyNegotiate)"
    case "ntlm": "give them with \(.proxyUser) and \(.proxyNTLM)"
    default: "give them with \(.proxyUser), or in the URL given to \(.proxy)"
    }
  }

  /// Returns the scheme to suggest, among those with an option. Basic comes first, because it is the default and was
  /// already tried.
  private static func preferred(_ schemes: [String]) -> String? {
    let offered = Set(schemes.map { $0.lowercased() })
    return ["basic", "digest", "negotiate", "ntlm", "bearer"].first(where: offered.contains)
  }
}
