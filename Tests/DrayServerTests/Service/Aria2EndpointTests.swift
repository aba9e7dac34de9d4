// Calls to aria2's interface that change something (P19): tokens, methods, scripts.

import DrayCore
import DrayKit
import Foundation
import Testing
import WebServer

@testable import DrayServer

@Suite struct Aria2EndpointTests {
  private static let secret = "correct horse battery"
  private static let add = #"[["http://127.0.0.1:9/f"],{"pause":"true"}]"#

  private func listenerKind(_ fixture: Aria2Fixture, secret: String?) throws -> Aria2Endpoint {
    let policy = AccessPolicy(secret: try secret.map { try #require(Secret($0)) })
    return Aria2Endpoint(
      context: Aria2Context(queue: fixture.queue), keeper: AccessControl(policy),
      notices: Aria2Notices(fixture.manager), quick: 1000
    )
  }

  private func query(_ method: String, _ parameters: String, token: String? = nil, more: String = "") -> String {
    let said = token.map { "[\"token:\($0)\"," + parameters.dropFirst() } ?? parameters
    let coded = Data(said.utf8).base64EncodedString().replacing("+", with: "%2B").replacing("=", with: "%3D")
    return "method=\(method)&id=1&params=\(coded)\(more)"
  }

  private func batch() -> String {
    let calls = #"[{"id":1,"method":"aria2.addUri","params":\#(Self.add)}]"#
    return "params=" + Data(calls.utf8).base64EncodedString().replacing("+", with: "%2B").replacing("=", with: "%3D")
  }

  private func text(_ response: WebResponse?) -> String {
    guard case .bytes(let bytes)? = response?.content else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [nil, secret] as [String?], ["GET", "HEAD"])
  func nothingChangesWithoutAToken(secret: String?, method: String) async throws {
    try await Aria2Fixture.use { fixture in
      let listenerKind = try listenerKind(fixture, secret: secret)
      let nested = #"[[{"methodName":"aria2.addUri","params":\#(Self.add)}]]"#
      let queries = [
        query("aria2.addUri", Self.add), query("aria2.addUri", Self.add, more: "&jsoncallback=f"),
        query("aria2.addUri", Self.add, token: "wrong"), query("system.multicall", nested), batch(),
        query("aria2.pauseAll", "[]"), query("aria2.changeGlobalOption", #"[{"max-overall-download-limit":"7K"}]"#),
        query("aria2.shutdown", "[]"),
      ]
      for place in ListenerKind.allCases {
        for query in queries {
          let request = WebRequest(method: method, path: "/jsonrpc", query: query, listenerKind: place)
          #expect(text(await listenerKind.answer(request)).contains("Unauthorized"), "\(query)")
        }
      }
      #expect(try await fixture.gids("tellWaiting").isEmpty)
      #expect(try await fixture.queue.limits().rate == nil)
    }
  }

  @Test func aTokenChanges() async throws {
    try await Aria2Fixture.use { fixture in
      let listenerKind = try listenerKind(fixture, secret: Self.secret)
      for more in ["", "&jsoncallback=f"] {
        let query = query("aria2.addUri", Self.add, token: Self.secret, more: more)
        let request = WebRequest(path: "/jsonrpc", query: query, listenerKind: .loopback)
        #expect(text(await listenerKind.answer(request)).contains("result"))
      }
      #expect(try await fixture.gids("tellWaiting").count == 1)
    }
  }

  @Test func whatOnlyLooksIsReadByGet() async throws {
    try await Aria2Fixture.use { fixture in
      let open = try listenerKind(fixture, secret: nil)
      let plain = WebRequest(path: "/jsonrpc", query: query("aria2.getVersion", "[]"), listenerKind: .loopback)
      #expect(text(await open.answer(plain)).contains("result"))
      // Foreign pages could read a script.
      let script = WebRequest(
        path: "/jsonrpc", query: query("aria2.tellActive", "[]", more: "&jsoncallback=f"), listenerKind: .loopback)
      #expect(text(await open.answer(script)).contains("Unauthorized"))
    }
  }

  @Test(
    arguments: [([:], true), (["Sec-Fetch-Site": "none"], false), (["Sec-Fetch-Site": "same-origin"], true)]
      as [(WebFields, Bool)])
  func posts(fields: WebFields, isCarriedOut: Bool) async throws {
    try await Aria2Fixture.use { fixture in
      let body = #"{"id":1,"method":"aria2.addUri","params":\#(Self.add)}"#
      let request = WebRequest(
        method: "POST", path: "/jsonrpc", fields: fields, body: Array(body.utf8), listenerKind: .loopback)
      let answer = text(await (try listenerKind(fixture, secret: nil)).answer(request))
      #expect(answer.contains("result") == isCarriedOut, "\(answer)")
    }
  }

  @Test func aBatchTriesNotMoreThanTenTokens() async throws {
    try await Aria2Fixture.use { fixture in
      let listenerKind = try listenerKind(fixture, secret: Self.secret)
      let tokens = (0..<20).map { "wrong-\($0)" } + [Self.secret]
      let calls = tokens.map { #"{"id":1,"method":"aria2.getVersion","params":["token:\#($0)"]}"# }
      let body = Array("[\(calls.joined(separator: ","))]".utf8)
      let request = WebRequest(method: "POST", path: "/jsonrpc", body: body, listenerKind: .loopback)
      let answer = await listenerKind.answer(request)
      #expect(!text(answer).contains("result"))
      // The next wrong token is answered late, the right one at once.
      let wrong = WebRequest(
        method: "POST", path: "/jsonrpc", body: Array(calls[0].utf8), listenerKind: .loopback)
      #expect(await listenerKind.answer(wrong)?.delay == AccessRefusal.pause)
      let right = WebRequest(
        method: "POST", path: "/jsonrpc", body: Array((calls.last ?? "").utf8), listenerKind: .loopback)
      let allowed = await listenerKind.answer(right)
      #expect(allowed?.delay == 0 && text(allowed).contains("result"))
    }
  }
}
