// A manager with its runner, a server, and a client of aria2's kind in front of it.

import DrayCore
import DrayKit
import DrayStore
import FaultServer
import Foundation
import Testing

@testable import DrayServer

/// Needed by every test of the service.
final class Aria2Fixture: Sendable {
  let server: FaultServer
  let manager: DownloadManager
  let queue: ManagerQueue
  private let answers: RPCAnswers
  private let root: String

  var directory: String { root + "/files" }

  private init() async throws {
    root = NSTemporaryDirectory() + "dray-aria2-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root + "/files", withIntermediateDirectories: true)
    manager = try await DownloadManager.open(Configuration(home: StateDirectory(path: root + "/state")))
    server = try FaultServer()
    let rule = OutsideRule(directories: AllowedDirectories([root + "/files"]), grants: [.proxy])
    queue = ManagerQueue(manager, directory: root + "/files", rule: rule) {}
    answers = RPCAnswers(context: Aria2Context(queue: queue, grants: .proxy)) { _ in true }
  }

  /// Runs `body` in a new fixture, and takes it down.
  static func use(_ body: (Aria2Fixture) async throws -> Void) async throws {
    let fixture = try await Aria2Fixture()
    defer {
      fixture.server.stop()
      try? FileManager.default.removeItem(atPath: fixture.root)
    }
    try await body(fixture)
  }

  /// Runs `body` while a runner works on the queue, with one job at once.
  func running(_ body: () async throws -> Void) async throws {
    var options = RunOptions()
    (options.waitsForMore, options.maxConcurrent) = (true, 1)
    let runner = try await manager.makeRunner(.all, options)
    let run = Task { try await runner.run() }
    var problem: (any Error)?
    do { try await body() } catch { problem = error }
    runner.stop()
    _ = try await run.value
    if let problem { throw problem }
  }

  /// The answer of a method: its result, or `!` and the message of its error.
  @discardableResult
  func call(_ method: String, _ parameters: String = "") async throws -> Any {
    let text = #"{"id":1,"method":"aria2.\#(method)","params":[\#(parameters)]}"#
    let body = await answers.answer(RPCMessage(text.utf8)).body
    let answer = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    if let error = answer["error"] as? [String: Any] { return "!\(error["message"] ?? "")" }
    return try #require(answer["result"])
  }

  /// The same as a text.
  func text(_ method: String, _ parameters: String = "") async throws -> String {
    try #require(try await call(method, parameters) as? String)
  }

  /// Adds the file at `path`, without asking the environment for a proxy.
  func add(_ path: String, _ options: String = "", position: Int? = nil) async throws -> String {
    let all = #""all-proxy":""\#(options.isEmpty ? "" : "," + options)"#
    return try await text("addUri", #"["\#(server.url(path))"],{\#(all)}"# + (position.map { ",\($0)" } ?? ""))
  }

  /// A member of the status of a job.
  func status(_ gid: String, _ key: String = "status") async throws -> String? {
    (try await call("tellStatus", #""\#(gid)""#) as? [String: Any])?[key] as? String
  }

  /// The GIDs of a list.
  func gids(_ method: String, _ window: String = "0,99,") async throws -> [String] {
    try #require(try await call(method, #"\#(window)["gid"]"#) as? [[String: String]]).compactMap { $0["gid"] }
  }

  func has(_ gid: String, _ value: String, of key: String = "status") async throws -> Bool {
    let deadline = ContinuousClock.now.advanced(by: .seconds(60))
    while try await status(gid, key) != value {
      guard ContinuousClock.now < deadline else { return false }
      try await Task.sleep(for: .milliseconds(10))
    }
    return true
  }
}
