/// The authentication that a server or proxy requires: `WWW-Authenticate`, `Proxy-Authenticate` (RFC 9110 §11.6.1).
package enum AuthenticationChallenge {
  private static let limit = 6

  /// Returns the schemes that the fields offer, each once, in the server's spelling. The text is not escaped.
  ///
  /// Commas separate challenges as well as the parameters of one. A word followed by `=` is a parameter; any other word
  /// begins a challenge.
  package static func schemes(_ fields: [String]) -> [String] {
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
  package static func proxyNeed(_ schemes: [String]) -> String { "407: the proxy needs a password" + words(schemes) }

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
  package static func proxyAdvice(_ schemes: [String]) -> Advice {
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

extension AuthenticationChallenge {
  /// A challenge with its parameters.
  package struct Item: Sendable, Equatable {
    /// The scheme in lowercase.
    package var scheme: String
    /// The parameters by their names in lowercase. If a name repeats, its first value counts.
    package var parameters: [String: String]

    /// Creates a challenge.
    package init(scheme: String, parameters: [String: String] = [:]) {
      (self.scheme, self.parameters) = (scheme, parameters)
    }
  }

  /// The largest number of elements that are read.
  private static let elementLimit = 100

  /// Returns the challenges of `WWW-Authenticate` fields, in order. A challenge with a token instead of parameters
  /// (RFC 9110 §11.3) has no parameters. The texts are not escaped.
  package static func items(_ fields: [String]) -> [Item] {
    var items: [Item] = []
    for element in fields.lazy.flatMap(ListField.elements).prefix(elementLimit) {
      let word = element.prefix { $0 != " " && $0 != "\t" && $0 != "=" }
      let rest = element[word.endIndex...].trimmingSpaces()
      guard !word.isEmpty else { continue }
      if rest.first == "=" {
        if !items.isEmpty { add(element, to: &items[items.count - 1]) }
      } else {
        items.append(Item(scheme: word.lowercased()))
        add(rest, to: &items[items.count - 1])
      }
    }
    return items
  }

  /// Adds `name=value` or `name="value"`; any other text is ignored.
  private static func add(_ text: Substring, to item: inout Item) {
    guard let mark = text.firstIndex(of: "=") else { return }
    let name = text[..<mark].trimmingSpaces().lowercased()
    let value = text[text.index(after: mark)...].trimmingSpaces()
    guard !name.isEmpty, item.parameters[name] == nil else { return }
    item.parameters[name] = value.first == "\"" ? unquoted(value) : String(value)
  }

  private static func unquoted(_ text: Substring) -> String {
    var value = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if isEscaped {
        value.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        break
      } else {
        value.append(character)
      }
    }
    return value
  }
}
