// Login sessions, and tickets that log in once.

/// Sessions by the digests of their tokens, so that reading this memory does not permit a login.
struct Sessions: Sendable {
  /// The lifetime of a session in seconds after its last use.
  static let lifetime = 7 * 86_400.0
  /// The maximum number of sessions. A new one replaces the least recently used one.
  static let most = 64

  private var used: [[UInt8]: Double] = [:]

  /// Starts a session.
  /// - Parameter token: An unguessable text.
  mutating func begin(_ token: String, now: Double) {
    used = used.filter { now - $0.value < Self.lifetime }
    if used.count >= Self.most, let oldest = used.min(by: { $0.value < $1.value }) { used[oldest.key] = nil }
    used[Secret.digest(of: token)] = now
  }

  /// Whether a token belongs to a session. This counts as a use.
  mutating func isOpen(_ token: String, now: Double) -> Bool {
    let digest = Secret.digest(of: token)
    guard let last = used[digest], now - last < Self.lifetime else { return false }
    used[digest] = now
    return true
  }

  /// Ends a session.
  mutating func end(_ token: String) { used[Secret.digest(of: token)] = nil }
}

/// Tickets that log in once, by their digests.
struct Tickets: Sendable {
  /// The lifetime of a ticket in seconds.
  static let lifetime = 3600.0
  /// The maximum number of tickets. A new one replaces the oldest.
  static let most = 8

  private var made: [(digest: [UInt8], at: Double)] = []

  /// Makes a ticket valid.
  mutating func add(_ ticket: String, now: Double) {
    made = Array(made.filter { now - $0.at < Self.lifetime }.suffix(Self.most - 1))
    made.append((Secret.digest(of: ticket), now))
  }

  /// Redeems a ticket.
  /// - Returns: Whether it was valid. It is invalid afterwards.
  mutating func use(_ text: String, now: Double) -> Bool {
    let digest = Secret.digest(of: text)
    guard let place = made.firstIndex(where: { Secret.areEqual($0.digest, digest) }) else { return false }
    let at = made.remove(at: place).at
    return now - at < Self.lifetime
  }
}
