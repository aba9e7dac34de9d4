// Secrets, sessions and pages of other origins, as `AccessControl` decides.

import Posix
import Synchronization
import Testing
import WebServer

@testable import DrayServer

@Suite("the doorkeeper")
struct AccessControlTests {
  private static let secret = "correct horse battery"

  /// A clock that is set by hand.
  private final class Clock: Sendable {
    private let time = Mutex(1000.0)
    var now: Double {
      get { time.withLock { $0 } }
      set { time.withLock { $0 = newValue } }
    }
  }

  private func keeper(
    secret: String? = secret, names: Set<String> = [], origins: [String] = [], trustsProxy: Bool = false,
    _ clock: Clock = Clock()
  ) throws -> AccessControl {
    let origins = try origins.map { try #require(WebOrigin(allowed: $0)) }
    let secret = try secret.map { try #require(Secret($0)) }
    return AccessControl(
      AccessPolicy(secret: secret, names: names, origins: origins, trustsProxy: trustsProxy), clock: { clock.now })
  }

  private func request(
    _ method: String = "GET", _ path: String = "/api/v1/jobs", _ fields: WebFields = [:],
    listenerKind: ListenerKind = .loopback,
    from: String = "127.0.0.1"
  ) -> WebRequest {
    var fields = fields
    if fields["Host"] == nil { fields["Host"] = "localhost" }
    let peer = InternetAddress(from, port: 5).map { WebPeer.internet($0) } ?? .local
    return WebRequest(method: method, path: path, fields: fields, peer: peer, listenerKind: listenerKind)
  }

  /// Returns the fields that a page sends after a login: both halves of the session.
  private func fields(_ login: AccessControl.Login, _ others: WebFields = [:]) -> WebFields {
    var fields = others
    (fields["Cookie"], fields["Dray-Key"]) = (String(login.cookie.prefix { $0 != ";" }), login.key)
    return fields
  }

  @Test(
    "permissions",
    arguments: [
      // With a secret: 200 here means that it passes.
      (true, ListenerKind.loopback, "GET", "/api/v1/jobs", [:], 401), (true, .loopback, "GET", "/", [:], 200),
      (true, .loopback, "POST", "/api/v1/session", [:], 200), (true, .loopback, "POST", "/jsonrpc", [:], 200),
      (true, .loopback, "GET", "/api/v1/jobs", ["Authorization": "Bearer \(secret)"], 200),
      (true, .loopback, "GET", "/api/v1/jobs", ["authorization": "bearer  \(secret)"], 200),
      (true, .loopback, "GET", "/api/v1/jobs", ["Authorization": "Bearer wrong"], 401),
      (true, .loopback, "GET", "/api/v1/jobs", ["Authorization": "Basic \(secret)"], 401),
      (true, .loopback, "GET", "/api/v1/jobs", ["Authorization": "Bearer"], 401),
      (true, .loopback, "GET", "/api/v1/jobs", ["Cookie": "dray=guess"], 401),
      (true, .outside, "GET", "/api/v1/jobs", [:], 401), (true, .socket, "GET", "/api/v1/jobs", [:], 200),
      (true, .socket, "GET", "/api/v1/jobs", ["X-Forwarded-For": "192.0.2.1"], 401),
      // Without a secret: only the owner's machine.
      (false, .loopback, "POST", "/api/v1/jobs", [:], 200), (false, .socket, "POST", "/api/v1/jobs", [:], 200),
      (false, .outside, "GET", "/api/v1/jobs", [:], 403), (false, .outside, "GET", "/", [:], 403),
      (false, .outside, "POST", "/jsonrpc", [:], 403),
      (false, .loopback, "GET", "/api/v1/jobs", ["X-Forwarded-For": "192.0.2.1"], 403),
      (false, .socket, "POST", "/jsonrpc", ["Via": "1.1 proxy"], 403),
      // With any secret: names and origins.
      (false, .loopback, "GET", "/", ["Host": "evil.example"], 421),
      (true, .loopback, "GET", "/api/v1/jobs", ["Host": "evil.example", "Authorization": "Bearer \(secret)"], 421),
      (true, .outside, "POST", "/jsonrpc", ["Host": "evil.example"], 421),
      (false, .loopback, "POST", "/api/v1/jobs", ["Origin": "http://evil.example"], 403),
      (false, .loopback, "POST", "/jsonrpc", ["Origin": "http://evil.example"], 403),
      (false, .loopback, "GET", "/jsonrpc", ["Sec-Fetch-Site": "cross-site"], 403),
      (false, .loopback, "POST", "/api/v1/jobs", ["Sec-Fetch-Site": "none"], 403),
      (true, .loopback, "POST", "/api/v1/jobs", ["Sec-Fetch-Site": "none"], 401),
      (
        true, .loopback, "POST", "/api/v1/jobs", ["Sec-Fetch-Site": "none", "Authorization": "Bearer \(secret)"], 200
      ),
      (false, .loopback, "GET", "/api/v1/jobs", ["Sec-Fetch-Site": "none"], 200),
      (true, .loopback, "GET", "/", ["Host": "[::ffff:127.0.0.1]:6800"], 421),
      (false, .loopback, "GET", "/jsonrpc", ["Upgrade": "websocket", "Origin": "http://evil.example"], 403),
      (false, .loopback, "GET", "/api/v1/events", ["Upgrade": "websocket", "Origin": "null"], 403),
      (false, .socket, "POST", "/api/v1/jobs", ["Origin": "http://evil.example"], 403),
      // A page with a foreign name, through a port that ssh forwards to the socket.
      (true, .socket, "GET", "/api/v1/jobs", ["Host": "evil.example:6800"], 421),
      (false, .socket, "POST", "/jsonrpc", ["Host": "evil.example:6800", "Origin": "http://evil.example:6800"], 421),
      (false, .loopback, "POST", "/api/v1/jobs", ["Origin": "http://localhost"], 200),
      (true, .loopback, "POST", "/api/v1/session", ["Origin": "http://evil.example"], 403),
    ] as [(Bool, ListenerKind, String, String, WebFields, Int)])
  func table(
    _ hasSecret: Bool, _ listenerKind: ListenerKind, _ method: String, _ path: String, _ fields: WebFields,
    _ status: Int
  ) throws {
    let keeper = try keeper(secret: hasSecret ? Self.secret : nil)
    #expect((keeper.refusal(of: request(method, path, fields, listenerKind: listenerKind))?.status ?? 200) == status)
  }

  @Test("a session: login, cookie and key, logout, end after a week without use")
  func sessions() throws {
    let clock = Clock()
    let keeper = try keeper(clock)
    let login = try keeper.logIn(Self.secret, request("POST", "/api/v1/session"))
    #expect(
      login.cookie.contains("; Path=/; HttpOnly; SameSite=Strict; Max-Age=604800") && !login.cookie.contains("Secure"))
    let cookie = String(login.cookie.prefix { $0 != ";" })
    let asked = request(fields: ["Cookie": "a=b; \(cookie) ;c", "Dray-Key": login.key])
    #expect(keeper.refusal(of: asked) == nil)
    clock.now += 600_000
    #expect(keeper.refusal(of: asked) == nil)
    clock.now += 600_000
    #expect(keeper.refusal(of: asked) == nil)
    // A page of another origin does not get the cookie (SameSite), and could not write with it either.
    let written = request("POST", "/api/v1/jobs", fields(login, ["Origin": "http://evil.example"]))
    #expect(keeper.refusal(of: written)?.status == 403)
    // A session is no token.
    let typed = request("POST", "/api/v1/jobs", fields(login, ["Sec-Fetch-Site": "none"]))
    #expect(keeper.refusal(of: typed)?.status == 401)
    #expect(keeper.logOut(asked).contains("Max-Age=0"))
    #expect(keeper.refusal(of: asked)?.status == 401)
    let again = try keeper.logIn(Self.secret, asked)
    clock.now += 604_801
    #expect(keeper.refusal(of: request(fields: fields(again)))?.status == 401)
  }

  @Test("a server at another port gets the cookie, and opens nothing with it")
  func halves() throws {
    let keeper = try keeper()
    let login = try keeper.logIn(Self.secret, request("POST", "/api/v1/session"))
    let other = try keeper.logIn(Self.secret, request("POST", "/api/v1/session"))
    let cookie = String(login.cookie.prefix { $0 != ";" })
    func status(_ method: String, _ path: String, _ query: String? = nil, _ fields: WebFields) -> Int {
      var head = request(method, path, fields)
      head.query = query
      return keeper.refusal(of: head)?.status ?? 200
    }
    for key in [nil, "", other.key, "guess"] {
      var fields: WebFields = ["Cookie": cookie]
      fields["Dray-Key"] = key
      #expect(status("GET", "/api/v1/jobs", nil, fields) == 401)
      #expect(status("POST", "/api/v1/jobs", nil, fields) == 401)
      #expect(status("DELETE", "/api/v1/session", nil, fields) == 200)
    }
    #expect(status("GET", "/api/v1/jobs", nil, ["Dray-Key": login.key]) == 401)
    // The stream of events has the key in its query, and nothing else has.
    #expect(status("GET", "/api/v1/events", "cursor=1-2&key=\(login.key)", ["Cookie": cookie]) == 200)
    #expect(status("GET", "/api/v1/events", "key=\(other.key)", ["Cookie": cookie]) == 401)
    #expect(status("GET", "/api/v1/jobs", "key=\(login.key)", ["Cookie": cookie]) == 401)
    #expect(status("GET", "/api/v1/jobs", nil, fields(login)) == 200)
  }

  @Test("a session outlives the service by digests, and ends with the secret")
  func memory() throws {
    let kept = Mutex("")
    var memory = AccessControl.Memory()
    memory.keep = { text in kept.withLock { $0 = text } }
    func keeper(_ secret: String = Self.secret) -> AccessControl {
      memory.sessions = kept.withLock(\.self)
      return AccessControl(AccessPolicy(secret: Secret(secret)), memory, clock: { 1000 })
    }
    let login = try keeper().logIn(Self.secret, request("POST", "/api/v1/session"))
    let text = kept.withLock(\.self)
    #expect(text.hasSuffix(" 1000\n") && !text.contains(login.key))
    let asked = request(fields: fields(login))
    #expect(keeper().refusal(of: asked) == nil)
    #expect(keeper("another secret!").refusal(of: asked)?.status == 401)
    _ = keeper().logOut(asked)
    #expect(kept.withLock(\.self) == "")
    #expect(keeper().refusal(of: asked)?.status == 401)
  }

  @Test("behind a proxy with TLS the cookie is for https only")
  func secureCookie() throws {
    let head = request("POST", "/api/v1/session", ["X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"])
    #expect(try keeper().logIn(Self.secret, head).cookie.hasSuffix("; Secure"))
  }

  @Test("after ten wrong secrets further wrong ones are delayed; the right one always gets in at once")
  func slowDown() throws {
    let clock = Clock()
    let keeper = try keeper(clock)
    let bad = request(fields: ["Authorization": "Bearer wrong"], from: "192.0.2.1")
    let good = request(fields: ["Authorization": "Bearer \(Self.secret)"], from: "192.0.2.1")
    for _ in 0..<100 { #expect(keeper.refusal(of: good) == nil) }
    for _ in 0..<10 { #expect(keeper.refusal(of: bad)?.status == 401) }
    let refusal = keeper.refusal(of: bad)
    #expect(refusal?.status == 429 && refusal?.fields["Retry-After"] == "6" && refusal?.delay == 1)
    for _ in 0..<100 {
      #expect(keeper.refusal(of: good) == nil)
      #expect(keeper.refusal(of: bad)?.status == 429)
    }
    let other = request(fields: ["Authorization": "Bearer \(Self.secret)"], from: "192.0.2.2")
    #expect(keeper.refusal(of: other) == nil)
    clock.now += 6
    #expect(
      keeper.refusal(of: good) == nil && keeper.refusal(of: bad)?.status == 401
        && keeper.refusal(of: bad)?.status == 429)
    clock.now += 60
    let statuses = (0..<12).map { _ in keeper.refusal(of: bad)?.status }
    #expect(statuses == Array(repeating: 401, count: 10) + [429, 429])
  }

  @Test("logins and tokens of calls count, too; a logged-in client is not slowed down")
  func sharedCount() throws {
    let keeper = try keeper()
    let head = request("POST", "/api/v1/session")
    let login = try keeper.logIn(Self.secret, head)
    for _ in 0..<5 { #expect(throws: AccessRefusal.wrong) { _ = try keeper.logIn("wrong", head) } }
    for _ in 0..<5 { #expect(throws: AccessRefusal.wrong) { try keeper.check("wrong", of: head) } }
    #expect { try keeper.check("wrong", of: head) } throws: { ($0 as? AccessRefusal)?.status == 429 }
    try keeper.check(Self.secret, of: head)
    _ = try keeper.logIn(Self.secret, head)
    #expect(keeper.refusal(of: request(fields: fields(login))) == nil)
  }

  @Test(
    "the client that a wrong secret counts against",
    arguments: [
      ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true), ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
      ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
    ])
  func keys(_ one: String, _ other: String, _ isSame: Bool) {
    let keys = [one, other].map { AttemptKey(request(from: $0), trustsProxy: false) }
    #expect((keys[0] == keys[1]) == isSame)
  }

  @Test("only a trusted proxy names the client, and only its own entry counts")
  func proxies() {
    func key(_ value: String, trusts: Bool, listenerKind: ListenerKind = .loopback) -> AttemptKey {
      AttemptKey(
        request(fields: ["X-Forwarded-For": value], listenerKind: listenerKind, from: "127.0.0.1"), trustsProxy: trusts)
    }
    let proxy = AttemptKey(request(from: "127.0.0.1"), trustsProxy: true)
    let client = AttemptKey(request(from: "192.0.2.7"), trustsProxy: true)
    #expect(key("192.0.2.7", trusts: false) == proxy)
    #expect(key("192.0.2.7", trusts: true) == client && key("10.0.0.1, 192.0.2.7", trusts: true) == client)
    #expect(key("192.0.2.7", trusts: true, listenerKind: .outside) == proxy && key("nonsense", trusts: true) == proxy)
  }

  @Test("wrong secrets are reported, ten at once and one every six seconds; right ones are not")
  func reports() throws {
    let clock = Clock()
    let told = Mutex(0)
    let policy = AccessPolicy(secret: Secret(Self.secret))
    let keeper = AccessControl(policy, clock: { clock.now }) { _ in told.withLock { $0 += 1 } }
    for _ in 0..<20 { #expect(throws: AccessRefusal.self) { try keeper.check("wrong", of: request()) } }
    try keeper.check(Self.secret, of: request())
    #expect(told.withLock(\.self) == 10)
    clock.now += 6
    for _ in 0..<3 { #expect(throws: AccessRefusal.self) { _ = try keeper.logIn("wrong", request()) } }
    #expect(told.withLock(\.self) == 11)
  }

  @Test("a client with the secret or a session is known from then on")
  func standings() throws {
    let keeper = try keeper()
    let wrong = request(fields: ["Authorization": "Bearer wrong"])
    _ = keeper.refusal(of: wrong)
    #expect(!wrong.standing.isProved)
    let right = request(fields: ["Authorization": "Bearer \(Self.secret)"])
    _ = keeper.refusal(of: right)
    let head = request("POST", "/api/v1/session")
    let kept = request(fields: fields(try keeper.logIn(Self.secret, head)))
    _ = keeper.refusal(of: kept)
    #expect(right.standing.isProved && head.standing.isProved && kept.standing.isProved)
  }

  @Test("a ticket logs in once, within an hour, says so afterwards, and is no secret")
  func tickets() throws {
    let clock = Clock()
    let keeper = try keeper(clock)
    let head = request("POST", "/api/v1/session")
    let ticket = try #require(keeper.ticket())
    #expect(throws: AccessRefusal.wrong) { try keeper.check(ticket, of: head) }
    let login = try keeper.logIn(ticket, head)
    #expect(keeper.refusal(of: request(fields: fields(login))) == nil)
    #expect(throws: AccessRefusal.usedLink) { _ = try keeper.logIn(ticket, head) }
    let late = try #require(keeper.ticket())
    clock.now += 3601
    #expect(throws: AccessRefusal.lateLink) { _ = try keeper.logIn(late, head) }
    let first = try #require(keeper.ticket())
    for _ in 0..<Tickets.most { _ = keeper.ticket() }
    #expect(throws: AccessRefusal.wrong) { _ = try keeper.logIn(first, head) }
    #expect(try self.keeper(secret: nil).ticket() == nil)
  }

  @Test("a ticket of another process logs in once", arguments: [(5.0, true), (3600, false)])
  func ticketsOfOthers(age: Double, isValid: Bool) throws {
    let left = Mutex(["ticket": age])
    var memory = AccessControl.Memory()
    memory.redeem = { name in
      left.withLock { $0.removeValue(forKey: name == Secret.name(of: "ticket") ? "ticket" : name) }
    }
    let keeper = AccessControl(AccessPolicy(secret: Secret(Self.secret)), memory)
    let head = request("POST", "/api/v1/session")
    #expect(throws: AccessRefusal.wrong) { _ = try keeper.logIn("guess", head) }
    if isValid { #expect(try !keeper.logIn("ticket", head).key.isEmpty) }
    #expect(throws: isValid ? AccessRefusal.usedLink : .lateLink) { _ = try keeper.logIn("ticket", head) }
  }

  @Test(
    "the beginning of a body that shows the secret",
    arguments: [
      ("/jsonrpc", #"{"method":"aria2.addUri","params":["token:SECRET",["http"#, true), ("/jsonrpc", "{}", false),
      ("/jsonrpc", #"[{"params":["token:wrong"]},{"params":["token:SECRET"]}]"#, false),
      ("/rpc", "<value><string>token:SECRET</string></value>", true), ("/rpc", "token:SECRETmore<", false),
      ("/api/v1/session", #"{"secret":"token:SECRET"}"#, false), ("/jsonrpc", "token:SECRET", true),
    ])
  func beginnings(path: String, text: String, vouches: Bool) throws {
    var head = request("POST", path)
    head.body = Array(text.replacing("SECRET", with: Self.secret).utf8)
    #expect(try keeper().vouches(for: head) == vouches && head.standing.isProved == vouches)
  }

  @Test("memory of clients is bounded")
  func bounded() {
    var attempts = SecretAttempts()
    let last = AttemptKey(request(from: "10.9.9.9"), trustsProxy: false)
    for number in 0..<5000 {
      attempts.fail(
        AttemptKey(request(from: "10.0.\(number / 250).\(number % 250)"), trustsProxy: false), now: Double(number))
    }
    for _ in 0..<10 { attempts.fail(last, now: 5000) }
    #expect(attempts.count <= SecretAttempts.mostPeers && attempts.wait(last, now: 5000) != nil)
    var sessions = Sessions()
    for number in 0..<1000 { sessions.begin("\(number)", now: Double(number)) }
    #expect(
      sessions.isOpen("999", now: 1000) && sessions.isOpen("936", now: 1000) && !sessions.isOpen("935", now: 1000))
  }

  @Test("other origins read nothing unless they are named; then without cookies")
  func sharing() throws {
    let preflight: WebFields = [
      "Origin": "https://ok.example", "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Private-Network": "true",
    ]
    let strict = try keeper()
    #expect(
      strict.refusal(of: request("OPTIONS", "/api/v1/jobs", preflight))?.fields["Access-Control-Allow-Origin"] == nil)
    let keeper = try keeper(origins: ["https://ok.example"])
    let answer = try #require(keeper.refusal(of: request("OPTIONS", "/jsonrpc", preflight)))
    #expect(answer.status == 204 && answer.fields["Access-Control-Allow-Origin"] == "https://ok.example")
    #expect(
      answer.fields["Access-Control-Allow-Private-Network"] == "true"
        && answer.fields["Access-Control-Allow-Credentials"] == nil)
    // The page may read that it is refused.
    let refused = try #require(keeper.refusal(of: request(fields: ["Origin": "https://ok.example"])))
    #expect(refused.status == 401 && refused.fields["Access-Control-Allow-Origin"] == "https://ok.example")
    #expect(refused.fields["Vary"] == "Origin")
    let other = keeper.shared(WebResponse(200), with: request(fields: ["Origin": "https://evil.example"]))
    #expect(other.fields["Access-Control-Allow-Origin"] == nil && other.fields["Vary"] == "Origin")
  }

  @Test("a page from a file needs the secret itself: a session is not enough")
  func filePages() throws {
    let keeper = AccessControl(AccessPolicy(secret: Secret(Self.secret), origins: [.file]))
    let login = try keeper.logIn(Self.secret, request("POST", "/api/v1/session"))
    #expect(keeper.refusal(of: request(fields: fields(login))) == nil)
    #expect(keeper.refusal(of: request(fields: fields(login, ["Origin": "null"])))?.status == 401)
    let answer = keeper.refusal(of: request(fields: ["Authorization": "Bearer \(Self.secret)", "Origin": "null"]))
    #expect(answer == nil)
    let shared = keeper.shared(WebResponse(200), with: request(fields: ["Origin": "null"]))
    #expect(shared.fields["Access-Control-Allow-Origin"] == "null")
  }

  @Test("refusals are JSON like all errors, with advice")
  func errors() throws {
    let refusal = try #require(try keeper().refusal(of: request()))
    guard case .bytes(let bytes) = refusal.content else {
      Issue.record("no body")
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix(#"{"error":{"code":"unauthorized","message":"#) && text.contains(#""advice":"#))
    #expect(refusal.fields["WWW-Authenticate"] == "Bearer")
  }

  private func request(fields: WebFields, listenerKind: ListenerKind = .loopback, from: String = "127.0.0.1")
    -> WebRequest
  {
    request("GET", "/api/v1/jobs", fields, listenerKind: listenerKind, from: from)
  }
}
