// The table of permissions: listeners, names, origins.

import DrayCore
import Posix
import Testing
import WebServer

@testable import DrayServer

@Suite("access rules")
struct AccessRuleTests {
  @Test(
    "an address that others can reach needs a secret",
    arguments: [
      (["localhost:1"], false, true), (["127.0.0.1:1", "/run/s"], false, true), (["[::1]:1"], false, true),
      (["*:1"], false, false), (["localhost:1", "192.0.2.1:1"], false, false), (["[::]:1"], false, false),
      (["*:1"], true, true),
    ] as [([String], Bool, Bool)])
  func listeners(_ texts: [String], _ hasSecret: Bool, _ isAllowed: Bool) throws {
    let addresses = try texts.map { try ListenAddress($0) }
    let failure: Failure?
    do throws(Failure) {
      try ListenerRule.check(addresses, hasSecret: hasSecret)
      failure = nil
    } catch {
      failure = error
    }
    #expect((failure == nil) == isAllowed)
    if let failure { #expect(failure.exitStatus == .usage && failure.advice != nil) }
  }

  @Test(
    "requirements of a door",
    arguments: [
      (ListenerKind.socket, false, ListenerRule.Demand.nothing), (.socket, true, .nothing),
      (.loopback, false, .nothing),
      (.loopback, true, .secret), (.outside, false, .closed), (.outside, true, .secret),
    ])
  func demands(_ listenerKind: ListenerKind, _ hasSecret: Bool, _ demand: ListenerRule.Demand) {
    #expect(ListenerRule.demand(of: listenerKind, hasSecret: hasSecret) == demand)
  }

  @Test(
    "forwarded requests come from outside",
    arguments: ["Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Real-IP", "Via"])
  func forwarded(_ field: String) {
    let head = WebRequest(path: "/", fields: WebFields([WebField(field, "x")]), listenerKind: .socket)
    #expect(ListenerRule.listenerKind(of: head) == .outside)
    #expect(ListenerRule.listenerKind(of: WebRequest(path: "/", listenerKind: .loopback)) == .loopback)
  }

  @Test(
    "host names of requests",
    arguments: [
      ("localhost", true, true), ("LOCALHOST:6800", true, true), ("localhost.", true, true),
      ("127.0.0.1:6800", true, true),
      ("127.9.9.9", true, true), ("[::1]:1", true, true), ("dray.example:443", true, true),
      ("DRAY.example", true, true),
      // A foreign page whose host name resolves to this machine.
      ("evil.example", false, false), ("localhost.evil.example", false, false),
      ("dray.example.evil.example", false, false),
      ("xlocalhost", false, false), ("127.0.0.1.evil.example", false, false), ("evil.example:6800", false, false),
      // Addresses: any from outside, loopback ones at the loopback.
      ("192.0.2.1", false, true), ("[2001:db8::1]:80", false, true), ("0.0.0.0:6800", false, true),
      // IPv4 addresses within IPv6: browsers send no origin there.
      ("[::ffff:127.0.0.1]:6800", false, false), ("[::ffff:7f00:1]", false, false),
      ("[::FFFF:192.0.2.1]", false, false),
      ("[0:0:0:0:0:ffff:7f00:1]:80", false, false), ("[::127.0.0.1]", false, false),
      ("[::ffff:0:127.0.0.1]", false, false),
      ("[::]", false, true),
      // Invalid hosts.
      ("", false, false), (":80", false, false), ("[::1", false, false), ("::1", false, false),
      ("localhost:x", false, false),
      ("localhost:80:80", false, false), ("user@localhost", false, false), ("2130706433", false, false),
    ])
  func names(_ host: String, _ atLoopback: Bool, _ fromOutside: Bool) {
    let names: Set<String> = ["dray.example"]
    #expect(HostRule.allows(host, listenerKind: .loopback, names: names) == atLoopback)
    #expect(HostRule.allows(host, listenerKind: .outside, names: names) == fromOutside)
    // A port that ssh forwards to the socket is one of the loopback.
    #expect(HostRule.allows(host, listenerKind: .socket, names: names) == atLoopback)
  }

  @Test("a mapped address is refused even if it is named")
  func mappedByName() {
    for host in ["[::ffff:127.0.0.1]", "[::ffff:7f00:1]:6800"] {
      #expect(!HostRule.allows(host, listenerKind: .loopback, names: ["[::ffff:127.0.0.1]", "[::ffff:7f00:1]"]))
    }
  }

  @Test(
    "changes that need the secret in the call",
    arguments: [
      ("GET", [:], true), ("HEAD", [:], true), ("GET", ["Origin": "http://localhost"], true),
      ("GET", ["Sec-Fetch-Site": "same-origin"], true), ("GET", ["Upgrade": "websocket"], false),
      ("HEAD", ["Upgrade": "websocket"], true), ("GET", ["Upgrade": "websocket", "Sec-Fetch-Site": "none"], true),
      ("POST", [:], false), ("POST", ["Sec-Fetch-Site": "none"], true), ("PUT", ["Sec-Fetch-Site": "none"], true),
      ("POST", ["Sec-Fetch-Site": "none", "Origin": "moz-extension://1"], false),
      ("POST", ["Sec-Fetch-Site": "same-origin"], false), ("DELETE", [:], false),
    ] as [(String, WebFields, Bool)])
  func changes(_ method: String, _ fields: WebFields, _ needsToken: Bool) {
    let head = WebRequest(method: method, path: "/jsonrpc", fields: fields, listenerKind: .loopback)
    #expect(TokenRule.needsToken(head) == needsToken)
    // At every entrance, with or without a secret; calls that only read are exempt.
    for listenerKind in ListenerKind.allCases {
      let head = WebRequest(method: method, path: "/jsonrpc", fields: fields, listenerKind: listenerKind)
      for secret in [Secret("correct horse battery"), nil] {
        let policy = AccessPolicy(secret: secret)
        #expect(policy.demandsToken(head, changes: true) == (needsToken || policy.demandsSecret(head)))
        #expect(policy.demandsToken(head, changes: false) == policy.demandsSecret(head))
      }
    }
  }

  @Test("a missing name is allowed at the socket only")
  func noName() {
    #expect(ListenerKind.allCases.filter { HostRule.allows(nil, listenerKind: $0, names: []) } == [.socket])
  }

  @Test(
    "pages that may write",
    arguments: [
      // Programs.
      (nil, nil, true), (nil, "none", true), (nil, "same-origin", true),
      // Other sites, with and without Origin.
      (nil, "cross-site", false), (nil, "same-site", false), ("http://evil.example", nil, false),
      ("http://evil.example", "same-origin", false), ("null", nil, false), ("", nil, false), ("file://", nil, false),
      // The server's own pages.
      ("http://localhost:6800", nil, true), ("HTTP://LOCALHOST:6800", nil, true), ("https://localhost:6800", nil, true),
      ("http://localhost:6801", nil, false), ("http://localhost", nil, false),
      ("http://localhost:6800.evil.example", nil, false),
      ("http://evil.example/http://localhost:6800", nil, false), ("http://localhost:6800@evil.example", nil, false),
      ("ftp://localhost:6800", nil, false),
      // Named origins.
      ("https://ok.example", nil, true), ("https://ok.example:443", nil, true), ("http://ok.example", nil, false),
      ("https://ok.example:8443", nil, false), ("https://sub.ok.example", nil, false),
      ("moz-extension://1234-abc", nil, true),
      ("chrome-extension://other", nil, false), ("chrome-extension://abcdef", nil, true),
    ] as [(String?, String?, Bool)])
  func origins(_ origin: String?, _ site: String?, _ isAllowed: Bool) throws {
    let named = try ["https://OK.example", "moz-extension://*", "chrome-extension://abcdef"].map {
      try #require(WebOrigin(allowed: $0))
    }
    var fields: WebFields = ["Host": "localhost:6800"]
    fields["Origin"] = origin
    fields["Sec-Fetch-Site"] = site
    #expect(OriginRule.allows(fields, named: named) == isAllowed)
  }

  @Test("two origins count as none; behind a proxy the default port may be missing")
  func specialOrigins() {
    var fields: WebFields = ["Host": "dray.example", "Origin": "https://dray.example"]
    #expect(OriginRule.allows(fields, named: []))
    fields["Origin"] = "https://dray.example:443"
    #expect(OriginRule.allows(fields, named: []))
    fields["Host"] = "dray.example:443"
    #expect(OriginRule.allows(fields, named: []))
    fields.add("Origin", "https://dray.example")
    #expect(!OriginRule.allows(fields, named: []))
  }

  @Test("pages from files may write only if that is allowed")
  func files() {
    let fields: WebFields = ["Host": "localhost:6800", "Origin": "null"]
    #expect(OriginRule.allows(fields, named: [.file]))
    #expect(OriginRule.foreign(fields, named: [.file]) == "null")
    #expect(OriginRule.foreign(fields, named: []) == nil)
    #expect(!OriginRule.allows(["Host": "null", "Origin": "null"], named: []))
    #expect(!OriginRule.allows(["Host": "localhost", "Origin": "https://evil.example"], named: [.file]))
  }

  @Test(
    "an opaque origin cannot be allowed",
    arguments: ["*", "null", "https://*", "http://*", "https://", "x", "https://a/b", ""])
  func unnamed(_ text: String) {
    #expect(WebOrigin(allowed: text) == nil)
  }

  @Test(
    "which requests may change something",
    arguments: [
      ("GET", "/api/v1/jobs", false), ("HEAD", "/", false), ("OPTIONS", "/api/v1/jobs", false),
      ("POST", "/api/v1/jobs", true),
      ("DELETE", "/api/v1/session", true), ("PATCH", "/x", true), ("get", "/x", true), ("GET", "/jsonrpc", true),
      ("OPTIONS", "/jsonrpc", true), ("GET", "/rpc", true),
    ])
  func writes(_ method: String, _ path: String, _ writes: Bool) {
    #expect(AccessArea.writes(WebRequest(method: method, path: path)) == writes)
    #expect(AccessArea.writes(WebRequest(path: "/api/v1/events", fields: ["Upgrade": "websocket"])))
  }

  @Test(
    "areas",
    arguments: [
      ("/", AccessArea.open), ("/page/app.js", .open), ("/api/v1/session", .open), ("/jsonrpc", .calls),
      ("/rpc", .calls), ("/health", .open), ("/metrics", .guarded), ("/health/", .guarded),
      ("/api/v1/jobs", .guarded), ("/jsonrpc/", .guarded), ("/page", .guarded), ("/PAGE/x", .guarded), ("*", .guarded),
      ("//", .guarded), ("/api/v1/session/../jobs", .guarded), ("/pages/x", .guarded),
    ])
  func areas(_ path: String, _ area: AccessArea) {
    #expect(AccessArea(path: path) == area)
  }
}
