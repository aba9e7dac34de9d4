// The state behind the access rules: sessions and wrong secrets.

internal import Posix
internal import Synchronization
public import WebServer

/// Lets requests in or answers them.
public final class Doorkeeper: Sendable {
  private struct State {
    var sessions = Sessions()
    var attempts = SecretAttempts()
    var tickets = Tickets()
  }

  /// The policy.
  public let policy: AccessPolicy
  private let state = Mutex(State())
  private let clock: @Sendable () -> Double
  private let report: @Sendable (WebRequest) -> Void

  /// Creates a keeper.
  /// - Parameters:
  ///   - clock: Monotonic seconds; `nil` for the system's clock.
  ///   - report: Takes requests with a wrong secret: for each peer at most ten at once, and one more every six seconds.
  public init(
    _ policy: AccessPolicy, clock: (@Sendable () -> Double)? = nil,
    report: @escaping @Sendable (WebRequest) -> Void = { _ in }
  ) {
    (self.policy, self.clock, self.report) = (policy, clock ?? { System.now }, report)
  }

  /// Returns the refusal of a request by its head; `nil` to let it pass. Does not block, so it may be
  /// ``WebServer/Settings/screen``.
  public func refusal(of head: WebRequest) -> WebResponse? {
    let answer: WebResponse
    switch policy.decision(on: head) {
    case .open: return nil
    case .answered(let response): return response
    case .refused(let refusal): answer = refusal.response
    case .secret:
      // Any site can isolate a page, which then has the origin of files. A browser must not answer for its user.
      if head.fields["Origin"] != "null", hasSession(head) { return nil }
      guard let refusal = refusalOfBearer(head) else { return nil }
      answer = refusal.response
    case .token:
      guard let refusal = refusalOfBearer(head) else { return nil }
      answer = refusal.response
    }
    return shared(answer, with: head)
  }

  private func refusalOfBearer(_ head: WebRequest) -> AccessRefusal? {
    do throws(AccessRefusal) {
      guard let secret = BearerToken.of(head.fields) else { throw .missing }
      try check(secret, of: head)
      return nil
    } catch {
      return error
    }
  }

  /// Returns an answer that the requesting page may read, if its origin is permitted.
  public func shared(_ response: WebResponse, with head: WebRequest) -> WebResponse {
    var response = response
    for field in CORSRule.fields(head.fields, named: policy.origins).list { response.fields[field.name] = field.value }
    if response.fields["Access-Control-Allow-Origin"] != nil {
      response.fields["Cross-Origin-Resource-Policy"] = "cross-origin"
    }
    return response
  }

  /// Compares a text, such as the token of a call, with the secret. The right secret is always accepted: all programs
  /// on this machine are one peer, and a program that guesses must not lock out the owner.
  /// - Throws: ``AccessRefusal`` if it is wrong. After many wrong ones from its sender it is
  ///   ``AccessRefusal/slowDown(_:)``, whose answer is delayed.
  public func check(_ text: String, of head: WebRequest) throws(AccessRefusal) {
    guard let secret = policy.secret else { throw .closed }
    if secret.matches(text) { return head.standing.prove() }
    let key = AttemptKey(head, trustsProxy: policy.trustsProxy)
    let now = clock()
    let refusal = state.withLock { state -> AccessRefusal in
      if let wait = state.attempts.wait(key, now: now) { return .slowDown(wait) }
      state.attempts.fail(key, now: now)
      return .wrong
    }
    if refusal == .wrong { report(head) }
    throw refusal
  }

  // MARK: Sessions

  /// Whether a request has the cookie of a session.
  public func hasSession(_ head: WebRequest) -> Bool {
    let now = clock()
    let hasSession = SessionCookie.tokens(head.fields).prefix(4).contains { token in
      state.withLock { $0.sessions.isOpen(token, now: now) }
    }
    if hasSession { head.standing.prove() }
    return hasSession
  }

  /// Creates a ticket that logs in once within an hour; `nil` without a secret.
  public func ticket() -> String? {
    guard policy.secret != nil else { return nil }
    let ticket = Secret.randomText()
    state.withLock { $0.tickets.add(ticket, now: clock()) }
    return ticket
  }

  /// Logs in with the secret or a ticket.
  /// - Returns: The value of `Set-Cookie`.
  /// - Throws: ``AccessRefusal``.
  public func logIn(_ secret: String, _ head: WebRequest) throws(AccessRefusal) -> String {
    let isTicket = state.withLock { $0.tickets.use(secret, now: clock()) }
    if isTicket { head.standing.prove() } else { try check(secret, of: head) }
    let token = Secret.randomText()
    state.withLock { $0.sessions.begin(token, now: clock()) }
    return SessionCookie.setting(token, isSecure: SessionCookie.isSecure(head))
  }

  /// Logs out.
  /// - Returns: The value of `Set-Cookie`.
  public func logOut(_ head: WebRequest) -> String {
    for token in SessionCookie.tokens(head.fields) { state.withLock { $0.sessions.end(token) } }
    return SessionCookie.removal
  }
}

/// Reads the token in `Authorization: Bearer` (RFC 6750 §2.1).
enum BearerToken {
  static func of(_ fields: WebFields) -> String? {
    guard let value = fields["Authorization"] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(decoding: parts[1].utf8.trimmingBlanks, as: UTF8.self)
  }
}
