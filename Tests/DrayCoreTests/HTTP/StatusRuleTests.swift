// The meaning of a status without a file: H2, H6, H7, H8 and R20 of the cases.

import Testing

@testable import DrayCore

@Suite struct StatusRuleTests {
  @Test(
    arguments: [
      (401, .authentication, .keep), (403, .authentication, .keep), (407, .authentication, .keep),
      (404, .status, .keep), (410, .status, .keep), (400, .status, .keep), (416, .status, .keep), (451, .status, .keep),
      (408, .status, .retry), (425, .status, .retry), (429, .status, .retry), (500, .status, .retry),
      (502, .status, .retry), (503, .status, .retry), (504, .status, .retry), (599, .status, .retry),
      (101, .protocolViolation, .keep), (204, .protocolViolation, .keep), (205, .protocolViolation, .keep),
      (304, .protocolViolation, .keep), (300, .protocolViolation, .keep), (99, .protocolViolation, .keep),
      (0, .protocolViolation, .keep), (600, .protocolViolation, .keep), (999, .protocolViolation, .keep),
    ] as [(Int, Failure.Kind, Failure.Recovery)])
  func kinds(status: Int, kind: Failure.Kind, recovery: Failure.Recovery) {
    let failure = StatusRule.failure(ResponseHead(status), subject: "http://h/f", now: 0)
    #expect(failure.kind == kind)
    #expect(failure.recovery == recovery)
    #expect(failure.httpStatus == status)
    #expect(failure.message(.plain).hasPrefix("http://h/f: "))
    #expect(failure.reason.contains("\(status)"))
    #expect(failure.advice != nil)
  }

  @Test(arguments: [
    (401, "401: a password is needed; add user name and password"), (407, "407: the proxy needs a password; add"),
    (403, "403 Forbidden; get a new link"), (404, "404 Not Found; check the URL"), (410, "410 Gone; check the URL"),
  ])
  func theMessageSaysWhat(status: Int, word: String) {
    #expect(StatusRule.failure(ResponseHead(status), subject: "u", now: 0).message(.plain).contains(word))
  }

  @Test(
    "what the user counts as temporary is retried, and its Retry-After is observed",
    arguments: [
      ("403", 403, true), ("403", 404, false), ("4xx", 404, true), ("4XX", 499, true), ("4xx", 500, false),
      ("5xx", 403, false), ("451", 451, true), ("401", 401, true),
    ])
  func retried(pattern: String, status: Int, isRetried: Bool) throws {
    let patterns = [try #require(StatusPattern(pattern))]
    let head = ResponseHead(status, ["Retry-After: 7"])
    let failure = StatusRule.failure(head, subject: "u", now: 0, retried: patterns)
    let usual = StatusRule.failure(head, subject: "u", now: 0)
    #expect((failure.recovery == .retry) == (isRetried || usual.recovery == .retry))
    #expect((failure.retryAfter == 7) == (isRetried || usual.recovery == .retry))
    #expect((failure.kind, failure.reason) == (usual.kind, usual.reason))
    let mayRefuse = StatusRule.mayRefuseRange(status, isLastTry: false, retried: patterns)
    #expect(mayRefuse == (isRetried ? false : StatusRule.mayRefuseRange(status, isLastTry: false)))
  }

  @Test(
    "only errors can be retried",
    arguments: ["", "200", "206", "304", "399", "600", "3xx", "xx", "4x", "4xxx", "+403", "0403", "403 ", "all"])
  func noPattern(text: String) { #expect(StatusPattern(text) == nil) }

  @Test(
    "a job adds its user and what is kept",
    arguments: [
      (401, "ann:pw", 0, "401: the password for ann was rejected; check it"),
      (401, "ann:pw", 2048, "401: the password for ann was rejected; link expired? another URL for the job (2.0 KiB"),
      (401, "ann:", 0, "401: a password is needed"), (401, nil, 0, "401: a password is needed"),
      (401, "a-token-that-looks-like-a-name:x", 0, "401: the password was rejected; check it"),
      (401, "ghp_16C7e42F292c6912:x", 0, "401: the password was rejected"),
      (401, "annabella.smithers:x", 0, "401: the password for annabella.smithers was rejected"),
      (401, "ann.smith90@example.org:x", 0, "401: the password for ann.smith90@example.org was rejected"),
      (403, nil, 0, "403 Forbidden; get a new link"), (403, nil, 1024, "403 Forbidden; link expired? another URL"),
      (404, nil, 1024, "404 Not Found; moved? another URL for the job (1.0 KiB are kept)"),
      (410, nil, 1024, "410 Gone; moved?"), (407, nil, 1024, "407: the proxy needs a password; add"),
      (429, nil, 1024, "the server answered 429 Too Many Requests; resuming the job"),
    ] as [(Int, String?, Int64, String)])
  func told(status: Int, user: String?, kept: Int64, words: String) throws {
    var request = TransferRequest(url: try RequestURL.parse("http://h/f").url)
    let parts = user?.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
    if let parts { request.credentials = Credentials(user: parts[0], password: parts[1]) }
    let answered = StatusRule.failure(ResponseHead(status), subject: "u", now: 0)
    let told = StatusRule.told(answered, request: request, kept: kept).message(.plain)
    #expect(told.hasPrefix("u: \(words)"), "\(told)")
  }

  /// A proxy's password is called wrong where it was sent.
  @Test(
    arguments: [
      ("Basic", nil, "ann:pw", "407: the proxy rejected the password for ann; check it"),
      ("Basic", nil, "ann:", "407: the proxy needs a password; add"),
      ("Basic", nil, nil, "407: the proxy needs a password"),
      ("Digest", nil, "ann:pw", "407: the proxy needs a password (Digest); add"),
      ("Digest", .digest, "ann:pw", "407: the proxy rejected the password for ann"),
      ("NTLM", .any, "ann:pw", "407: the proxy rejected the password for ann"),
    ] as [(String, AuthenticationOptions.Scheme?, String?, String)])
  func toldOfProxy(offered: String, scheme: AuthenticationOptions.Scheme?, user: String?, words: String) {
    let proxy = user.map { "http://\($0)@p:3128" } ?? "http://p:3128"
    let credentials = ProxyName.credentials(proxy, scheme: "http", environment: [:])
    let answered = StatusRule.failure(ResponseHead(407, "Proxy-Authenticate: \(offered) realm=a"), subject: "u", now: 0)
    let told = StatusRule.toldOfProxy(answered, credentials, scheme).message(.plain)
    #expect(told.hasPrefix("u: \(words)"), "\(told)")
    #expect(
      StatusRule.toldOfProxy(StatusRule.failure(ResponseHead(401), subject: "u", now: 0), credentials, nil).httpStatus
        == 401)
  }

  @Test(
    arguments: [
      ("http://ann:p%40s%3As@p:1", [:], "ann|p@s:s"), ("p:1", [:], nil), (nil, ["https_proxy": "ann:x:y@p"], "ann|x:y"),
      ("", ["https_proxy": "ann:x@p"], nil), ("http://ann@p", [:], "ann|"),
    ] as [(String?, [String: String], String?)])
  func credentialsOfProxies(own: String?, environment: [String: String], both: String?) {
    let found = ProxyName.credentials(own, scheme: "https", environment: environment)
    #expect(found.map { "\($0.user)|\($0.password)" } == both)
  }

  /// A raw character that ends the user's name or password is named, and how it is written.
  @Test(
    arguments: [
      ("http://ann:p@ss@p:1", "a raw @", "%40"), ("ann:p#ss@p:1", "a raw #", "%23"),
      ("socks5://a/b:c@p", "a raw /", "%2F"),
      ("http://ann:p?s@p", "a raw ?", "%3F"), ("http://ann:p%40ss@p:1", nil, ""), ("p:3128", nil, ""), ("a@p", nil, ""),
    ] as [(String, String?, String)])
  func rawCharactersInProxies(text: String, named: String?, written: String) {
    do throws(SettingProblem) {
      let address = try ProxyAddress.parse(text)
      #expect(named == nil && address.hasSuffix(text))
    } catch {
      let isNamed = named.map { error.reason.contains($0) } ?? false
      #expect(isNamed && error.reason.contains(written), "\(error.reason)")
    }
  }

  @Test("keys that are refused are no expired link, however much is kept")
  func keys() throws {
    let request = TransferRequest(url: try RequestURL.parse("s3://bucket/f").url)
    let refused = S3Address.failure(ResponseHead(403), asked: AWSSignature(), isSigned: true, subject: "u")
    let failure = try #require(refused)
    #expect(StatusRule.told(failure, request: request, kept: 1024) == failure)
  }

  @Test("a password is not called rejected where its scheme was not tried")
  func untried() throws {
    var request = TransferRequest(url: try RequestURL.parse("http://h/f").url)
    request.credentials = Credentials(user: "ann", password: "pw")
    let head = ResponseHead(401, ["WWW-Authenticate: Digest realm=a"])
    let answered = StatusRule.failure(head, subject: "u", now: 0)
    #expect(answered.reason == "401: a password is needed (Digest)")
    #expect(StatusRule.told(answered, request: request, kept: 0) == answered)
  }

  @Test("a password is called rejected where one of the schemes offered was tried", arguments: ["basic", "digest"])
  func tried(scheme: String) throws {
    var request = TransferRequest(url: try RequestURL.parse("http://h/f").url)
    request.credentials = Credentials(user: "ann", password: "pw")
    var options = AuthenticationOptions()
    options.scheme = AuthenticationOptions.Scheme(rawValue: scheme)
    request.authentication = options
    let head = ResponseHead(401, ["WWW-Authenticate: Basic realm=a", "WWW-Authenticate: Digest realm=a"])
    let answered = StatusRule.failure(head, subject: "u", now: 0)
    #expect(StatusRule.told(answered, request: request, kept: 0).reason == "401: the password for ann was rejected")
  }

  @Test(
    arguments: [
      (503, "7", 7), (429, "Sun, 06 Nov 1994 08:49:37 GMT", 10), (503, "soon", nil), (404, "7", nil), (503, nil, nil),
    ] as [(Int, String?, Int64?)])
  func theServersWaitIsTaken(status: Int, value: String?, expected: Int64?) {
    let head = ResponseHead(status, value.map { ["Retry-After: \($0)"] } ?? [])
    #expect(StatusRule.failure(head, subject: "u", now: 784_111_767).retryAfter == expected)
  }

  @Test(arguments: [
    (301, "301 Moved Permanently", Failure.Recovery.keep), (403, "403 Forbidden", .keep),
    (405, "405 Method Not Allowed", .keep),
    (429, "429 Too Many Requests", .retry), (502, "502 Bad Gateway", .retry), (503, "503 Service Unavailable", .retry),
  ])
  func aProxyThatRefuses(status: Int, name: String, recovery: Failure.Recovery) {
    let failure = StatusRule.tunnelRefusal(status, proxy: "p:3128", subject: "https://h/")
    #expect(failure?.reason == "the proxy p:3128 refuses a connection (\(name))")
    #expect(failure?.recovery == recovery && failure?.httpStatus == status && failure?.kind == .status)
  }

  @Test(
    arguments: [
      (503, "7", 7), (429, "Sun, 06 Nov 1994 08:49:37 GMT", 10), (503, "soon", nil), (403, "7", nil), (503, nil, nil),
    ] as [(Int, String?, Int64?)])
  func theProxysWaitIsTaken(status: Int, value: String?, expected: Int64?) {
    let failure = StatusRule.tunnelRefusal(
      status, proxy: "p:3128", subject: "https://h/", wait: value, now: 784_111_767)
    #expect(failure?.retryAfter == expected && failure?.waitAskedBy == (expected == nil ? nil : "p:3128"))
  }

  @Test(arguments: [0, 100, 200, 407])
  func aProxyThatDoesNot(status: Int) {
    #expect(StatusRule.tunnelRefusal(status, proxy: nil, subject: "https://h/") == nil)
  }

  @Test(
    arguments: [
      ("http://p:3128", "https", [:], "p:3128"), ("p", "https", [:], "p"), ("http://ann:pw@p:1/x", "https", [:], "p:1"),
      ("", "https", ["https_proxy": "http://q"], nil), (nil, "https", [:], nil),
      (nil, "https", ["https_proxy": "http://q:1/"], "q:1"), (nil, "https", ["HTTPS_PROXY": "q:2"], "q:2"),
      (nil, "http", ["HTTP_PROXY": "q"], nil), (nil, "http", ["http_proxy": "q"], "q"),
      (nil, "ftp", ["all_proxy": "socks5://q:9"], "q:9"), (nil, "https", ["https_proxy": "", "ALL_PROXY": "q"], "q"),
    ] as [(String?, String, [String: String], String?)])
  func proxyNames(own: String?, scheme: String, environment: [String: String], name: String?) {
    #expect(ProxyName.shown(own, scheme: scheme, environment: environment) == name)
  }
}
