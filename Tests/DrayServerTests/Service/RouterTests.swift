// The handler of each request, and the answer to a rejected one.

import DrayPage
import Foundation
import Logging
import Synchronization
import Testing
import WebServer

@testable import DrayServer

@Suite struct RouterTests {
  private func router(_ policy: AccessPolicy = AccessPolicy()) throws -> Router {
    let routes: [WebService.Route] = [
      { $0.path == "/a" ? .text(200, "a") : nil }, { _ in nil }, { PageFile.answer($0) },
    ]
    return Router(routes: routes, keeper: AccessControl(policy), log: try ServiceLog.logger(.terminal, level: .error))
  }

  @Test(arguments: [("/a", 200), ("/", 200), ("/b", 404), ("/page/main.js", 200), ("//", 404)])
  func routes(path: String, status: Int) async throws {
    #expect(try await router().answer(WebRequest(path: path)).status == status)
  }

  @Test func whatIsMissingIsSaidAsByTheAPI() async throws {
    guard case .bytes(let body) = try await router().answer(WebRequest(path: "/b")).content else {
      Issue.record("no body")
      return
    }
    let json = try JSONSerialization.jsonObject(with: Data(body)) as? [String: [String: String]]
    #expect(json?["error"]?["code"] == "not-found")
  }

  @Test(
    arguments: [
      (["Content-Encoding": "gzip", "Content-Length": "9"], 415), (["Content-Encoding": "gzip"], nil),
      (["Content-Encoding": "gzip", "Content-Length": "0"], nil),
      (["Content-Encoding": "Identity, br", "Transfer-Encoding": "chunked"], 415),
      (["Content-Encoding": "Identity", "Transfer-Encoding": "chunked"], nil), (["Content-Length": "9"], nil),
    ] as [([String: String], Int?)])
  func codedBodies(fields: [String: String], status: Int?) throws {
    var all: WebFields = ["Host": "localhost"]
    for (name, value) in fields { all[name] = value }
    let answer = try router().refusal(
      of: WebRequest(method: "POST", path: "/jsonrpc", fields: all, listenerKind: .loopback))
    #expect(answer?.status == status)
  }

  @Test(
    arguments: [
      (["Host": "nas.example:6800"], "--host-name nas.example allows"), (["Host": "0.0.0.0"], "the address 0.0.0.0"),
      (["Host": "[::ffff:127.0.0.1]"], "the address [::ffff:127.0.0.1]"),
      (["Host": "localhost", "Origin": "https://a.example"], "--allow-origin https://a.example allows"),
      (["Host": "localhost", "Origin": "null"], "--allow-file-pages allows"),
      (["Host": "localhost", "Origin": "https://\u{1B}[2J"], "a page of https://"),
      (["Host": "localhost", "Sec-Fetch-Site": "cross-site"], "names no origin"), (["Host": "localhost"], nil),
    ] as [([String: String], String?)])
  func hints(fields: [String: String], part: String?) {
    var all = WebFields()
    for (name, value) in fields { all[name] = value }
    let head = WebRequest(method: "POST", path: "/jsonrpc", fields: all, listenerKind: .loopback)
    let hint = RefusalHint.text(of: head, AccessPolicy())
    #expect(hint?.contains(part ?? "\n") ?? (part == nil), "\(hint ?? "")")
    #expect(hint?.unicodeScalars.contains("\u{1B}") != true)
  }

  @Test func namedOriginsMayReadTheAnswer() async throws {
    let origin = try #require(WebOrigin(allowed: "https://front.example"))
    let router = try router(AccessPolicy(origins: [origin]))
    let fields: WebFields = ["Origin": "https://front.example", "Host": "localhost"]
    let answer = await router.answer(WebRequest(path: "/a", fields: fields, listenerKind: .loopback))
    #expect(answer.fields["Access-Control-Allow-Origin"] == "https://front.example")
    let other: WebFields = ["Origin": "https://evil.example", "Host": "localhost"]
    #expect(
      router.refusal(of: WebRequest(method: "POST", path: "/a", fields: other, listenerKind: .loopback))?.status == 403)
  }
}
