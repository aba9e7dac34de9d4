// HTTP Strict Transport Security (RFC 6797): which hosts must be requested over https only.

/// A host's policy in `Strict-Transport-Security`.
package struct HSTSPolicy: Sendable, Equatable {
  /// The seconds for which the policy holds, counted from the answer; 0 cancels an earlier policy.
  package var maxAge: Int64
  /// Whether the policy also applies to subdomains.
  package var includesSubdomains: Bool

  /// Creates a policy.
  package init(maxAge: Int64, includesSubdomains: Bool) {
    self.maxAge = maxAge
    self.includesSubdomains = includesSubdomains
  }

  /// Reads the field (RFC 6797 §6.1): directives in any order, each at most once. Unknown directives are skipped.
  /// - Returns: `nil` if the field is invalid.
  package static func parse(_ value: String) -> HSTSPolicy? {
    var directives: [String: String] = [:]
    for part in value.split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = pair[0].trimmingSpaces().lowercased()
      guard !name.isEmpty else { continue }
      guard directives[name] == nil else { return nil }
      directives[name] = pair.count > 1 ? String(pair[1].trimmingSpaces()) : ""
    }
    guard var age = directives["max-age"] else { return nil }
    if age.count >= 2, age.hasPrefix("\""), age.hasSuffix("\"") { age = String(age.dropFirst().dropLast()) }
    guard !age.isEmpty, age.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return HSTSPolicy(maxAge: Int64(age) ?? .max, includesSubdomains: directives["includesubdomains"] != nil)
  }

  /// Returns the policy in an answer from `url`. Only https counts. Addresses have no policy (§8.1). If there are
  /// several fields, the first one counts.
  package static func offered(by head: ResponseHead, from url: RequestURL) -> HSTSPolicy? {
    guard url.scheme == "https", !HSTSList.isAddress(url.host) else { return nil }
    return head.first("strict-transport-security").flatMap(HSTSPolicy.parse)
  }
}

/// A host on the list.
package struct HSTSEntry: Sendable, Equatable {
  /// The host, lowercase.
  package var host: String
  /// The time of expiry, in seconds since 1970.
  package var expiresAt: Double
  /// Whether subdomains are included.
  package var includesSubdomains: Bool

  /// Creates an entry.
  package init(host: String, expiresAt: Double, includesSubdomains: Bool) {
    self.host = host
    self.expiresAt = expiresAt
    self.includesSubdomains = includesSubdomains
  }
}

/// The hosts with a policy.
package struct HSTSList: Sendable, Equatable {
  /// The maximum time to remember a host, in seconds: ten years.
  package static let longest: Double = 10 * 365 * 86400

  private var entries: [String: HSTSEntry] = [:]

  /// Creates a list.
  package init(_ entries: some Sequence<HSTSEntry> = []) {
    for entry in entries { self.entries[entry.host] = entry }
  }

  /// Adds a host's policy, or removes the host if the policy cancels an earlier one.
  /// - Returns: The new or changed entry, already expired for a removed host; `nil` if there is nothing to record.
  package mutating func learn(_ policy: HSTSPolicy, host: String, now: Double) -> HSTSEntry? {
    let name = HSTSList.bare(host)
    let expiry = now + min(Double(policy.maxAge), HSTSList.longest)
    let entry = HSTSEntry(host: name, expiresAt: expiry, includesSubdomains: policy.includesSubdomains)
    let old = entries[name]
    if policy.maxAge == 0 {
      entries[name] = nil
      return old == nil ? nil : entry
    }
    // The expiry moves with each answer. A later expiry is reported at most once an hour, so that a thousand small
    // files do not cause a thousand writes.
    if let old, old.includesSubdomains == entry.includesSubdomains, abs(old.expiresAt - expiry) < 3600 { return nil }
    entries[name] = entry
    return entry
  }

  /// Whether a host must be requested over https (§8.2, §8.3).
  package func holds(for host: String, now: Double) -> Bool {
    let name = HSTSList.bare(host)
    guard !HSTSList.isAddress(name) else { return false }
    if let own = entries[name], own.expiresAt > now { return true }
    var rest = Substring(name)
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      if let above = entries[String(rest)], above.expiresAt > now, above.includesSubdomains { return true }
    }
    return false
  }

  /// Returns the URL to request: with https if the list requires that. Port 80 becomes 443; any other explicit port
  /// stays (§8.3).
  package func upgraded(_ url: RequestURL, now: Double) -> RequestURL {
    guard url.scheme == "http", !entries.isEmpty, holds(for: url.host, now: now) else { return url }
    return RequestURL(
      scheme: "https", host: url.host, port: url.port, path: Array(url.path.utf8),
      query: url.query.map { Array($0.utf8) })
  }

  /// Returns the host without a trailing dot.
  private static func bare(_ host: String) -> String { host.hasSuffix(".") ? String(host.dropLast()) : host }

  /// Whether the host is an IPv4 or IPv6 address.
  static func isAddress(_ host: String) -> Bool {
    host.hasPrefix("[")
      || host.split(separator: ".").last?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? true
  }
}
