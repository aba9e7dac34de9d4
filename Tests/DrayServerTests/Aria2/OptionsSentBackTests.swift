// Clients that send back a job's options as they received them, without the secrets (P7).

import DrayCore
import Foundation
import Testing

@testable import DrayServer

@Suite struct OptionsSentBackTests {
  private let queue = FakeQueue(slots: 0)

  /// The answer of a method.
  @discardableResult
  private func call(_ method: String, _ parameters: Any...) async throws -> Any {
    let call: [String: Any] = ["id": 1, "method": "aria2.\(method)", "params": parameters]
    let answers = RPCAnswers(context: Aria2Context(queue: queue)) { _ in true }
    let body = await answers.answer(RPCMessage(try JSONSerialization.data(withJSONObject: call))).body
    let answer = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    return try #require(answer["result"], "\(answer)")
  }

  private func add(_ url: String, _ options: [String: Any]) async throws -> (
    gid: String, specification: JobSpecification
  ) {
    let gid = try #require(try await call("addUri", [url], options) as? String)
    return (gid, try await specification(gid))
  }

  private func specification(_ gid: String) async throws -> JobSpecification {
    let id = try #require(await queue.ids(try GID(prefix: gid)).first)
    return try #require(await queue.specification(of: id))
  }

  @Test("~ is the home of the service's user, at each method that takes a directory")
  func homes() async throws {
    let (gid, added) = try await add("http://host/f", ["dir": "~/a"])
    #expect(added.directory == "/HOME/a")
    try await call("changeOption", gid, ["dir": "~/b"])
    #expect(try await specification(gid).directory == "/HOME/b")
    try await call("changeGlobalOption", ["dir": "~"])
    #expect(try await add("http://host/g", [:]).specification.directory == "/HOME")
  }

  private static var options: [String: Any] {
    [
      "http-user": "me", "http-passwd": "pw", "header": ["Cookie: a=1", "X-A: 1"], "out": "f", "split": "4",
      "referer": "http://r/", "seed-ratio": "2.0",
    ]
  }

  @Test("fields that clients never see are kept")
  func all() async throws {
    let job = try await add("http://host/f", Self.options)
    var told = try #require(try await call("getOption", job.gid) as? [String: Any])
    #expect(told["http-passwd"] == nil && told["header"] as? String == "X-A: 1\n")
    // A form's defaults for values that it did not receive.
    told["http-passwd"] = ""
    told["select-file"] = ""
    try await call("changeOption", job.gid, told)
    #expect(try await specification(job.gid) == job.specification)
    told["max-download-limit"] = "1M"
    try await call("changeOption", job.gid, told)
    var wanted = job.specification
    wanted.options.rateLimit = 1 << 20
    #expect(try await specification(job.gid) == wanted)
  }

  @Test("a header hidden from the client is not emptied")
  func header() async throws {
    let job = try await add("http://host/f", ["header": "Cookie: a=1"])
    try await call("changeOption", job.gid, ["header": ""])
    #expect(try await specification(job.gid).request.headers == [HeaderField("Cookie", "a=1")])
    try await call("changeOption", job.gid, ["header": "X-A: 1"])
    #expect(try await specification(job.gid).request.headers == [HeaderField("X-A", "1")])
  }

  @Test("a cleared user is gone; a new user does not inherit the password")
  func users() async throws {
    let job = try await add("http://host/f", Self.options)
    try await call("changeOption", job.gid, ["http-user": "other"])
    #expect(try await specification(job.gid).request.credentials == Credentials(user: "other", password: ""))
    try await call("changeOption", job.gid, ["http-user": ""])
    #expect(try await specification(job.gid).request.credentials == nil)
  }

  @Test("empty fields do not remove the user of a URL")
  func userOfURL() async throws {
    let job = try await add("http://me:pw@host/f", ["http-user": "", "http-passwd": ""])
    #expect(job.specification.request.credentials == Credentials(user: "me", password: "pw"))
  }

  @Test("a job is added again with everything that the client received")
  func again() async throws {
    let job = try await add("http://host/f", Self.options)
    let told = try #require(try await call("getOption", job.gid) as? [String: Any])
    let second = try await add("http://host/f", told)
    #expect(second.specification.options == job.specification.options)
    #expect(second.specification.output == "f" && second.specification.directory == job.specification.directory)
  }
}
