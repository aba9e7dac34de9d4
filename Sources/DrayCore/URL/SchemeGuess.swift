/// A URL that was typed without a scheme. The scheme is guessed.
package struct SchemeGuess: Sendable, Equatable {
  /// The URL with its scheme.
  package var text: String
  /// Whether https is only a guess, because the server may offer only http.
  package var isAssumed: Bool

  /// Completes a text that can only be a host, possibly with a path. A name with a dot gets https; `localhost` and
  /// addresses get http.
  /// - Returns: `nil` for a URL with a scheme, and for a text that is no URL.
  package init?(_ typed: String) {
    let text = String(typed.trimmingSpaces())
    guard !text.contains("://"), let host = SchemeGuess.host(of: text) else { return nil }
    let isLocal =
      host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("[") || SchemeGuess.isIPv4(host)
    guard isLocal || SchemeGuess.isName(host) else { return nil }
    self.text = (isLocal ? "http://" : "https://") + text
    isAssumed = !isLocal
  }

  /// Returns the host of such a text, in lowercase; `nil` if it is followed by anything except a port, a path or a
  /// query.
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

  /// Whether the text consists of labels separated by dots, and the last label is not a number.
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
