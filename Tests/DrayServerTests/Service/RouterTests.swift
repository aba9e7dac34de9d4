// Which door a request is for, and what who is not let in is told.

import DrayPage
import Foundation
import Logging
import Synchronization
import Testing

@testable import DrayServer

@Suite struct RouterTests {
  private func router(_ policy: AccessPolicy = AccessPolicy()) throws -> Router {
    let rooms: [WebService.Room] = [
      { $0.path == "/a" ? .text(200, "a") : nil }, { _ in nil }, { PageFile.answer($0) },
    ]
    return Router(rooms: rooms, keeper: Doorkeeper(policy), log: try ServiceLog.logger(.terminal, level: .error))
  }

  @Test(arguments: [("/a", 200), ("/", 200), ("/b", 404), ("/page/main.js", 200), ("//", 404)])
  func rooms(path: String, status: Int) async throws {
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

  @Test func namedOriginsMayReadTheAnswer() async throws {
    let origin = try #require(WebOrigin(allowed: "https://front.example"))
    let router = try router(AccessPolicy(origins: [origin]))
    let fields: WebFields = ["Origin": "https://front.example", "Host": "localhost"]
    let answer = await router.answer(WebRequest(path: "/a", fields: fields, door: .loopback))
    #expect(answer.fields["Access-Control-Allow-Origin"] == "https://front.example")
    let other: WebFields = ["Origin": "https://evil.example", "Host": "localhost"]
    #expect(router.refusal(of: WebRequest(method: "POST", path: "/a", fields: other, door: .loopback))?.status == 403)
  }
}
