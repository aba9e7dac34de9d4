// URLs that are typed without a scheme: which one is meant.

/// A URL that was typed without a scheme.
public struct SchemeGuess: Sendable, Equatable {
  /// The URL with its scheme.
  public var text: String
  /// Whether https is meant only because nothing else was said: http may be what the server has.
  public var isAssumed: Bool

  /// Completes what can only be a host with a path: a name with a dot gets https, `localhost` and addresses get http.
  /// - Returns: `nil` for a URL that has a scheme, and for what is not a URL.
  public init?(_ typed: String) {
    let text = String(typed.trimmingSpaces())
    guard !text.contains("://"), let host = SchemeGuess.host(of: text) else { return nil }
    let isLocal =
      host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("[") || SchemeGuess.isIPv4(host)
    guard isLocal || SchemeGuess.isName(host) else { return nil }
    self.text = (isLocal ? "http://" : "https://") + text
    isAssumed = !isLocal
  }

  /// The host in lower case, where what follows it is a port, a path, a query, or nothing.
  private static func host(of text: String) -> String? {
    let authority = text.prefix { !"/?#".contains($0) }
    let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    if place.hasPrefix("[") {
      guard let end = place.firstIndex(of: "]") else { return nil }
      return isPort(place[place.index(after: end)...]) ? place[...end].lowercased() : nil
    }
    let end = place.firstIndex(of: ":") ?? place.endIndex
    return isPort(place[end...]) && end > place.startIndex ? place[..<end].lowercased() : nil
  }

  private static func isPort(_ text: Substring) -> Bool {
    text.isEmpty || text.first == ":" && (1...5).contains(text.count - 1) && text.dropFirst().utf8.allSatisfy(\.isDigit)
  }

  private static func isIPv4(_ host: String) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy(\.isDigit) }
  }

  /// Labels with dots between them, the last of which is not a number: `example.org`.
  private static func isName(_ host: String) -> Bool {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, let last = labels.last, last.count > 1 else { return false }
    return !last.utf8.allSatisfy(\.isDigit)
      && labels.allSatisfy { label in
        !label.isEmpty && label.first != "-"
          && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
      }
  }
}
