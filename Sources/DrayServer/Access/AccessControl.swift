// The state that the access rules need: open sessions, and counts of wrong secrets.

internal import Posix
internal import Synchronization
package import WebServer

/// Lets a request pass, or returns the answer that refuses it.
package final class AccessControl: Sendable {
  /// The sessions that outlive this process, and the login tickets that other processes of this user leave for this
  /// one.
  package struct Memory: Sendable {
    /// The sessions as a text, as it was last passed to `keep`.
    package var sessions = ""
    /// Keeps the text of the sessions. The closure must not block.
    package var keep: @Sendable (String) -> Void = { _ in }
    /// Takes away a ticket that another process made, named by the ticket's digest (``Secret/name(of:)``), and returns
    /// the ticket's age in seconds; `nil` if there is no such ticket.
    package var redeem: @Sendable (String) -> Double? = { _ in nil }

    /// Creates a memory that keeps nothing.
    package init() {}
  }

  /// The result of a login: the two halves of a session.
  package struct Login: Sendable {
    /// The first half, as the value of `Set-Cookie`.
    package var cookie: String
    /// The second half: the key that the page sends with each request.
    package var key: String
  }

  private struct State {
    var sessions: Sessions
    var attempts = SecretAttempts()
    var tickets = Tickets()
  }

  package let policy: AccessPolicy
  private let state: Mutex<State>
  private let memory: Memory
  private let clock: @Sendable () -> Double
  /// Returns the seconds since 1970, in which the ages of sessions are kept.
  private let wallClock: @Sendable () -> Double
  private let report: @Sendable (WebRequest) -> Void

  /// - Parameters:
  ///   - memory: The sessions that earlier processes opened.
  ///   - clock: Returns seconds, for all times; `nil` means the clocks of the system.
  ///   - report: Called with requests that have a wrong secret: for each peer at most ten at once, and one more every
  ///     six seconds.
  package init(
    _ policy: AccessPolicy, _ memory: Memory = Memory(), clock: (@Sendable () -> Double)? = nil,
    report: @escaping @Sendable (WebRequest) -> Void = { _ in }
  ) {
    state = Mutex(State(sessions: Sessions(memory.sessions)))
    (self.policy, self.memory, self.clock, self.report) = (policy, memory, clock ?? { System.now }, report)
    wallClock = clock ?? { Double(System.secondsSince1970) }
  }

  /// Returns the refusal of a request, decided from its head; `nil` lets the request pass. This method does not block,
  /// so it can serve as ``WebServer/Settings/screen``.
  package func refusal(of head: WebRequest) -> WebResponse? {
    let answer: WebResponse
    switch policy.decision(on: head) {
    case .open: return nil
    case .answered(let response): return response
    case .refused(let refusal): answer = refusal.response
    case .secret:
      // Any site can isolate one of its pages, which then has the same origin (`null`) as a page from a file. A browser
      // with a session must not grant the user's rights to such a page.
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

  /// Returns `response` with the fields that let the requesting page read it, if that page's origin is permitted.
  package func shared(_ response: WebResponse, with head: WebRequest) -> WebResponse {
    var response = response
    for field in CORSRule.fields(head.fields, named: policy.origins).list { response.fields[field.name] = field.value }
    if response.fields["Access-Control-Allow-Origin"] != nil {
      response.fields["Cross-Origin-Resource-Policy"] = "cross-origin"
    }
    return response
  }

  /// Compares a text, for example the token of a call, with the secret. The right secret is always accepted: all
  /// programs on this machine count as one peer, and a program that guesses must not lock out the owner.
  /// - Throws: ``AccessRefusal`` for a wrong secret. After many wrong secrets from one sender it is
  ///   ``AccessRefusal/slowDown(_:)``, whose answer is delayed.
  package func check(_ text: String, of head: WebRequest) throws(AccessRefusal) {
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

  /// Whether a request's body may be long because its first bytes contain the secret: the first parameter of a call is
  /// `token:SECRET`.
  package func vouches(for request: WebRequest) -> Bool {
    let mark = Array("token:".utf8)
    guard AccessArea(path: request.path) == .calls, let found = request.body.firstRange(of: mark) else { return false }
    let rest = request.body[found.upperBound...].prefix(Secret.longest + 1)
    // The token ends at a quotation mark in JSON, and at `<` in XML.
    let text = rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "<") }
    return (try? check(String(decoding: text, as: UTF8.self), of: request)) != nil
  }

  // MARK: Sessions

  /// Whether a request has both halves of an open session: the cookie and the key.
  package func hasSession(_ head: WebRequest) -> Bool {
    let names = SessionCookie.sessions(of: head, policy.secret)
    guard !names.isEmpty else { return false }
    let now = wallClock()
    let hasSession = changingSessions { sessions in names.contains { sessions.isOpen($0, now: now) } }
    if hasSession { head.standing.prove() }
    return hasSession
  }

  private func changingSessions<Value: Sendable>(_ body: (inout Sessions) -> Value) -> Value {
    state.withLock { state in
      let value = body(&state.sessions)
      // This happens under the lock, so that the sessions are kept in the order of their changes.
      if state.sessions.isUnsaved { memory.keep(state.sessions.text()) }
      return value
    }
  }

  /// Creates a ticket that logs in once within an hour. Returns `nil` if there is no secret.
  package func ticket() -> String? {
    guard policy.secret != nil else { return nil }
    let ticket = Secret.randomText()
    state.withLock { $0.tickets.add(ticket, now: clock()) }
    return ticket
  }

  /// Opens a session for a client that gives the secret or a ticket.
  /// - Throws: ``AccessRefusal`` for a wrong secret, or for a ticket that is no longer valid.
  package func logIn(_ secret: String, _ head: WebRequest) throws(AccessRefusal) -> Login {
    let (now, age) = (clock(), memory.redeem(Secret.name(of: secret)))
    let isTicket = try state.withLock { state throws(AccessRefusal) in
      try state.tickets.use(secret, now: now, madeElsewhere: age)
    }
    if isTicket { head.standing.prove() } else { try check(secret, of: head) }
    let (token, key) = (Secret.randomText(), Secret.randomText())
    guard let name = policy.secret?.name(with: "\(token).\(key)") else { throw .closed }
    let begun = wallClock()
    changingSessions { $0.begin(name, now: begun) }
    return Login(cookie: SessionCookie.setting(token, isSecure: SessionCookie.isSecure(head)), key: key)
  }

  /// Ends the session of a request.
  /// - Returns: The value of `Set-Cookie` that removes the cookie.
  package func logOut(_ head: WebRequest) -> String {
    let names = SessionCookie.sessions(of: head, policy.secret)
    changingSessions { sessions in for name in names { sessions.end(name) } }
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
