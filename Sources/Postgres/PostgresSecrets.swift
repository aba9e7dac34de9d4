// Hides the passwords of connection strings.

enum PostgresSecrets {
  private static let names: Set<Substring> = ["password", "sslpassword"]
  private static let hiding = "…"

  static func hidden(in text: String) -> String {
    for scheme in ["postgresql://", "postgres://"] where text.hasPrefix(scheme) {
      return scheme + hiddenInURI(text.dropFirst(scheme.count))
    }
    return hiddenInPairs(text[...])
  }

  /// `user:password@hosts/db?password=…`, without the scheme.
  private static func hiddenInURI(_ text: Substring) -> String {
    let at = endOfUser(text)
    let user = text[..<(at ?? text.startIndex)]
    let rest = text[(at ?? text.startIndex)...]
    let query = rest.firstIndex(of: "?") ?? rest.endIndex
    var result = String(user.prefix { $0 != ":" }) + (user.contains(":") ? ":\(hiding)" : "") + rest[..<query]
    guard query < rest.endIndex else { return result }
    let pairs = rest[query...].dropFirst().split(separator: "&", omittingEmptySubsequences: false)
      .map { pair in
        let name = pair.prefix { $0 != "=" }
        return names.contains(name) ? "\(name)=\(hiding)" : String(pair)
      }
    result += "?" + pairs.joined(separator: "&")
    return result
  }

  /// Returns the place of the `@` behind user and password. libpq takes the first one before a `/`. A password with an
  /// unescaped `@` or `/` makes the string invalid, but must not be shown either.
  private static func endOfUser(_ text: Substring) -> Substring.Index? {
    let slash = text.firstIndex(of: "/") ?? text.endIndex
    if let last = text[..<slash].lastIndex(of: "@") { return last }
    let port = text[..<slash].split(separator: ":", omittingEmptySubsequences: false).dropFirst().last ?? ""
    let beforeQuery = text.prefix { $0 != "?" }
    return (port.allSatisfy(\.isNumber) ? beforeQuery : text).lastIndex(of: "@")
  }

  /// `host=h password='p w'`: names and values, where a value is quoted or ends at white space.
  private static func hiddenInPairs(_ text: Substring) -> String {
    var rest = text.drop(while: \.isWhitespace)
    var result: [String] = []
    while !rest.isEmpty {
      let name = rest.prefix { $0 != "=" && !$0.isWhitespace }
      rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
      // The text may be a piece of a password with blanks.
      guard rest.first == "=" else { return (result + [hiding]).joined(separator: " ") }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      let value = rest.prefix(lengthOfValue(rest))
      rest = rest.dropFirst(value.count).drop(while: \.isWhitespace)
      result.append(names.contains(name) ? "\(name)=\(hiding)" : "\(name)=\(value)")
    }
    return result.joined(separator: " ")
  }

  private static func lengthOfValue(_ text: Substring) -> Int {
    let isQuoted = text.first == "'"
    var isEscaped = false
    var length = isQuoted ? 1 : 0
    for character in text.dropFirst(length) {
      if !isEscaped && !isQuoted && character.isWhitespace { return length }
      length += 1
      if !isEscaped && isQuoted && character == "'" { return length }
      isEscaped = !isEscaped && character == "\\"
    }
    return length
  }
}
