// Login sessions, and tickets that log in once.

/// The login sessions. They are named by digests, so that neither this memory nor the file of the sessions permits a
/// login.
struct Sessions: Sendable {
  /// The number of seconds for which a session stays open after its last use.
  static let lifetime = 7 * 86_400.0
  /// The maximum number of sessions. Beyond that number, a new session replaces the one that was used least recently.
  static let most = 64
  /// The number of seconds after which a further use of a session is written to the file.
  static let grain = 3600.0

  private var used: [String: Double] = [:]
  /// Whether the file lacks something that matters after a restart of the service.
  private(set) var isUnsaved = false

  init() {}

  /// Reads the content of the file (``text()``); invalid lines are ignored.
  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      if parts.count == 2, used.count < Sessions.most, let at = Int64(parts[1]) { used[String(parts[0])] = Double(at) }
    }
  }

  mutating func begin(_ digest: String, now: Double) {
    used = used.filter { now - $0.value < Self.lifetime }
    if used.count >= Self.most, let oldest = used.min(by: { $0.value < $1.value }) { used[oldest.key] = nil }
    used[digest] = now
    isUnsaved = true
  }

  /// Whether a session is open. This call itself counts as a use of the session.
  mutating func isOpen(_ digest: String, now: Double) -> Bool {
    guard let last = used[digest], now - last < Self.lifetime else { return false }
    // If the clock was set back, that must not end the session early.
    if abs(now - last) >= Self.grain {
      used[digest] = now
      isUnsaved = true
    }
    return true
  }

  mutating func end(_ digest: String) { if used.removeValue(forKey: digest) != nil { isUnsaved = true } }

  /// Returns the content of the file: a line for each session, with its digest and its last use in seconds since 1970.
  mutating func text() -> String {
    isUnsaved = false
    return used.sorted { $0.value < $1.value }.map { "\($0.key) \(Int64($0.value))\n" }.joined()
  }
}

/// The tickets that log in once, named by their digests.
struct Tickets: Sendable {
  /// The number of seconds for which a ticket is valid.
  static let lifetime = 3600.0
  /// The maximum number of valid tickets, and also of used tickets that are remembered. Beyond that number, a new
  /// ticket replaces the oldest.
  static let most = 8

  private var made: [(digest: String, at: Double)] = []
  /// The tickets that no longer log in, each with the reason.
  private var spent: [(digest: String, refusal: AccessRefusal)] = []

  /// Makes a ticket valid.
  mutating func add(_ ticket: String, now: Double) {
    made = Array(made.suffix(Self.most - 1))
    made.append((Secret.name(of: ticket), now))
  }

  /// Logs in with a ticket, which is invalid from then on.
  /// - Parameter age: The number of seconds since another process made this ticket; `nil` if no other process made it.
  /// - Returns: Whether the text is a ticket.
  /// - Throws: ``AccessRefusal`` for a ticket that was used already or is too old.
  mutating func use(_ text: String, now: Double, madeElsewhere age: Double?) throws(AccessRefusal) -> Bool {
    let digest = Secret.name(of: text)
    if let old = spent.first(where: { $0.digest == digest }) { throw old.refusal }
    let place = made.firstIndex { $0.digest == digest }
    guard let age = place.map({ now - made.remove(at: $0).at }) ?? age else { return false }
    let isLate = age >= Self.lifetime
    spent = Array(spent.suffix(Self.most - 1)) + [(digest, isLate ? .lateLink : .usedLink)]
    if isLate { throw .lateLink }
    return true
  }
}
