// The state behind the access rules: sessions and wrong secrets.

internal import Posix
internal import Synchronization
public import WebServer

/// Lets requests in or answers them.
public final class AccessControl: Sendable {
  /// The sessions that outlive this process, and the tickets that other processes of this user leave for it.
  public struct Memory: Sendable {
    /// The sessions, as last passed to `keep`.
    public var sessions = ""
    /// Keeps the sessions. Must not block.
    public var keep: @Sendable (String) -> Void = { _ in }
    /// Removes a ticket that another process made, named by its digest (``Secret/name(of:)``), and returns its age in
    /// seconds; `nil` if there is none.
    public var redeem: @Sendable (String) -> Double? = { _ in nil }

    /// Creates a memory that keeps nothing.
    public init() {}
  }

  /// A login: the two halves of a session.
  public struct Login: Sendable {
    /// The value of `Set-Cookie`.
    public var cookie: String
    /// The key that the page sends with each request.
    public var key: String
  }

  private struct State {
    var sessions: Sessions
    var attempts = SecretAttempts()
    var tickets = Tickets()
  }

  public let policy: AccessPolicy
  private let state: Mutex<State>
  private let memory: Memory
  private let clock: @Sendable () -> Double
  /// Seconds since 1970, in which sessions are kept.
  private let wallClock: @Sendable () -> Double
  private let report: @Sendable (WebRequest) -> Void

  /// - Parameters:
  ///   - memory: The sessions of earlier processes.
  ///   - clock: Seconds, for all times; `nil` for the system's clocks.
  ///   - report: Takes requests with a wrong secret: for each peer at most ten at once, and one more every six seconds.
  public init(
    _ policy: AccessPolicy, _ memory: Memory = Memory(), clock: (@Sendable () -> Double)? = nil,
    report: @escaping @Sendable (WebRequest) -> Void = { _ in }
  ) {
    state = Mutex(State(sessions: Sessions(memory.sessions)))
    (self.policy, self.memory, self.clock, self.report) = (policy, memory, clock ?? { System.now }, report)
    wallClock = clock ?? { Double(System.secondsSince1970) }
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
  /// - Throws: ``AccessRefusal`` for a wrong secret; after many from one sender ``AccessRefusal/slowDown(_:)``, whose
  ///   answer is delayed.
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

  /// Whether a request's body may be long, because its first bytes have the secret: the first parameter of a call is
  /// `token:SECRET`.
  public func vouches(for request: WebRequest) -> Bool {
    let mark = Array("token:".utf8)
    guard AccessArea(path: request.path) == .calls, let found = request.body.firstRange(of: mark) else { return false }
    let rest = request.body[found.upperBound...].prefix(Secret.longest + 1)
    // The end of a text in JSON, and in XML.
    let text = rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "<") }
    return (try? check(String(decoding: text, as: UTF8.self), of: request)) != nil
  }

  // MARK: Sessions

  /// Whether a request has both halves of a session: its cookie and its key.
  public func hasSession(_ head: WebRequest) -> Bool {
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
      // Under the lock, so that the last state is kept last.
      if state.sessions.isUnsaved { memory.keep(state.sessions.text()) }
      return value
    }
  }

  /// Creates a ticket that logs in once within an hour; `nil` without a secret.
  public func ticket() -> String? {
    guard policy.secret != nil else { return nil }
    let ticket = Secret.randomText()
    state.withLock { $0.tickets.add(ticket, now: clock()) }
    return ticket
  }

  /// Logs in with the secret or a ticket.
  /// - Throws: ``AccessRefusal``.
  public func logIn(_ secret: String, _ head: WebRequest) throws(AccessRefusal) -> Login {
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

  /// Logs out.
  /// - Returns: The value of `Set-Cookie`.
  public func logOut(_ head: WebRequest) -> String {
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
