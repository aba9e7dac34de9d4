// Alternative services (RFC 7838): which origins can also be reached over HTTP/3.

/// An origin's offer of HTTP/3 in `Alt-Svc`.
package struct AltSvc: Sendable, Equatable {
  /// The seconds for which the offer holds, counted from the answer; 0 if the origin offers no HTTP/3, or no longer
  /// does.
  package var maxAge: Int64

  /// Creates an offer.
  package init(maxAge: Int64) { self.maxAge = maxAge }

  /// The seconds for which an offer holds if it names no time (RFC 7838 §3.1).
  static let usualAge: Int64 = 86400

  /// Reads the field in an answer from a host and port: `clear`, or a list of alternatives in order of preference. The
  /// first alternative with HTTP/3 counts. Alternatives on another host or port are skipped, because a request that
  /// falls back to TCP would then reach the wrong server.
  /// - Returns: `nil` if the field is invalid.
  package static func parse(_ value: String, host: String, port: Int) -> AltSvc? {
    if value.trimmingSpaces() == "clear" { return AltSvc(maxAge: 0) }
    var isValid = false
    for element in ListField.elements(value) {
      let parts = parameters(element)
      guard let (name, authority) = parts.first, let (altHost, altPort) = address(authority) else { continue }
      isValid = true
      guard name == "h3", altHost.isEmpty || altHost.lowercased() == host.lowercased(), altPort == port else {
        continue
      }
      let age = parts.dropFirst().first { $0.name.lowercased() == "ma" }.map { text in
        guard !text.value.isEmpty, text.value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return usualAge }
        return Int64(text.value) ?? .max
      }
      return AltSvc(maxAge: age ?? usualAge)
    }
    return isValid ? AltSvc(maxAge: 0) : nil
  }

  /// Returns the offer in an answer from `url`. Only https counts (§2.1).
  package static func offered(by head: ResponseHead, from url: RequestURL) -> AltSvc? {
    let fields = head.all("alt-svc")
    guard url.scheme == "https", !fields.isEmpty else { return nil }
    return parse(fields.joined(separator: ","), host: url.host, port: url.origin.port)
  }

  /// Splits the parameters of an element, which are separated by semicolons and may be quoted.
  private static func parameters(_ element: Substring) -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    var (part, isQuoted) = ("", false)
    func end() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      part = ""
      guard pair.count == 2 else { return }
      found.append((String(pair[0].trimmingSpaces()), pair[1].trimmingSpaces().filter { $0 != "\"" }))
    }
    for character in element {
      if character == "\"" { isQuoted.toggle() }
      if character == ";", !isQuoted { end() } else { part.append(character) }
    }
    end()
    return found
  }

  /// Reads the host and port of an `alt-authority` (§3); an empty host means the origin's.
  private static func address(_ text: String) -> (host: String, port: Int)? {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (1...65535).contains(port)
    else { return nil }
    return (String(text[..<colon]), port)
  }
}

/// An origin that can be reached over HTTP/3.
package struct AltSvcEntry: Sendable, Equatable {
  /// The origin as text, in the form of ``Origin``.
  package var origin: String
  /// The time of expiry, in seconds since 1970.
  package var expiresAt: Double

  /// Creates an entry.
  package init(origin: String, expiresAt: Double) { (self.origin, self.expiresAt) = (origin, expiresAt) }
}

/// The origins that can be reached over HTTP/3.
package struct AltSvcList: Sendable, Equatable {
  /// The maximum time to remember an origin, in seconds: 30 days.
  package static let longest: Double = 30 * 86400
  static let most = 1024

  private var entries: [String: AltSvcEntry] = [:]

  /// Creates a list.
  package init(_ entries: some Sequence<AltSvcEntry> = []) {
    for entry in entries { self.entries[entry.origin] = entry }
  }

  /// Adds an origin's offer.
  /// - Returns: The entry if it is new or changed; `nil` otherwise. An entry that has expired means that the origin was
  ///   removed from the list.
  package mutating func learn(_ offer: AltSvc, of origin: String, now: Double) -> AltSvcEntry? {
    let entry = AltSvcEntry(origin: origin, expiresAt: now + min(Double(offer.maxAge), AltSvcList.longest))
    let old = entries[origin]
    if offer.maxAge == 0 {
      entries[origin] = nil
      return old == nil ? nil : entry
    }
    // The expiry moves with each answer, so a later expiry is reported at most once an hour.
    if let old, abs(old.expiresAt - entry.expiresAt) < 3600 { return nil }
    if old == nil, entries.count >= AltSvcList.most { entries = entries.filter { $0.value.expiresAt > now } }
    guard old != nil || entries.count < AltSvcList.most else { return nil }
    entries[origin] = entry
    return entry
  }

  /// Whether an origin can be reached over HTTP/3.
  package func holds(for origin: String, now: Double) -> Bool { entries[origin].map { $0.expiresAt > now } ?? false }
}
