// The API of a manager, with a server to fetch from, and a client that needs no socket.

import DrayCore
import DrayKit
import DrayStore
import FaultServer
import Foundation
import Testing
import WebServer

@testable import DrayServer

/// Needed by every test of the API's calls.
final class APIFixture: Sendable {
  let server: FaultServer
  let manager: DownloadManager
  let keeper: AccessControl
  let api: NativeAPI
  private let root: String

  var directory: String { root + "/files" }

  /// The state directory.
  private var home: StateDirectory { StateDirectory(path: root + "/state") }

  static let secret = "correct horse battery"

  private init() async throws {
    root = NSTemporaryDirectory() + "dray-api-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: root + "/files", withIntermediateDirectories: true)
    manager = try await DownloadManager.open(Configuration(home: StateDirectory(path: root + "/state")))
    server = try FaultServer()
    keeper = AccessControl(AccessPolicy(secret: Secret(APIFixture.secret)))
    api = NativeAPI(manager, keeper, APIFixture.settings(root + "/files"))
  }

  /// The API of another run of the service.
  func another() -> NativeAPI { NativeAPI(manager, keeper, APIFixture.settings(directory)) }

  private static func settings(_ directory: String) -> NativeAPI.Settings {
    NativeAPI.Settings(
      rule: OutsideRule(directories: AllowedDirectories([directory])), directory: directory,
      names: Advice.Names(action: { action, _ in action.rawValue }, setting: \.rawValue), started: 1
    ) { list, directory async throws(Failure) in
      String(decoding: list, as: UTF8.self).split(separator: "\n").compactMap { line in
        (try? RequestURL.parse(String(line)).url).map { url in
          ListedJob(JobSpecification(request: TransferRequest(url: url), directory: directory), isPaused: true)
        }
      }
    }
  }

  /// Runs `body` in a new fixture, and takes it down.
  static func use(_ body: (APIFixture) async throws -> Void) async throws {
    let fixture = try await APIFixture()
    defer {
      fixture.server.stop()
      try? FileManager.default.removeItem(atPath: fixture.root)
    }
    try await body(fixture)
  }

  /// Runs `body` while a runner works on the queue.
  func running(_ body: () async throws -> Void) async throws {
    var options = RunOptions()
    options.waitsForMore = true
    let runner = try await manager.makeRunner(.all, options)
    let run = Task { try await runner.run() }
    var problem: (any Error)?
    do { try await body() } catch { problem = error }
    runner.stop()
    _ = try await run.value
    if let problem { throw problem }
  }

  /// The answer to a request: its status and its body.
  func ask(
    _ method: String, _ target: String, _ body: String = "", _ fields: WebFields = [:], of api: NativeAPI? = nil
  ) async throws -> (status: Int, body: [String: Any]) {
    let response = try #require(await answer(method, target, body, fields, of: api))
    guard case .bytes(let bytes) = response.content else { return (response.status, [:]) }
    let object = bytes.isEmpty ? [:] : try JSONSerialization.jsonObject(with: Data(bytes))
    return (response.status, try #require(object as? [String: Any]))
  }

  func answer(
    _ method: String, _ target: String, _ body: String = "", _ fields: WebFields = [:], of api: NativeAPI? = nil
  ) async -> WebResponse? {
    var fields = fields
    if fields["Content-Type"] == nil { fields["Content-Type"] = "application/json" }
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    return await (api ?? self.api).answer(
      WebRequest(
        method: method, path: APIRoutes.root + parts[0], query: parts.count > 1 ? parts[1] : nil, fields: fields,
        body: Array(body.utf8)))
  }

  /// Adds files of the server.
  func add(_ paths: String..., settings: String = "") async throws -> [JobID] {
    let jobs = paths.map { "{\"url\":\"\(server.url($0))\"\(settings)}" }.joined(separator: ",")
    let answer = try await ask("POST", "/jobs", "{\"jobs\":[\(jobs)]}")
    #expect(answer.status == 201, "\(answer.body)")
    let added = try #require(answer.body["jobs"] as? [[String: Any]])
    return try added.map { JobID(try #require($0["id"] as? Int)) }
  }

  /// The value of a field of a job.
  func field(_ name: String, of id: JobID) async throws -> Any? {
    let answer = try await ask("GET", "/jobs/\(id)")
    return answer.status == 200 ? answer.body[name] : nil
  }

  func has(_ id: JobID, _ state: String) async throws -> Bool {
    let deadline = ContinuousClock.now.advanced(by: .seconds(60))
    while try await field("state", of: id) as? String != state {
      guard ContinuousClock.now < deadline else { return false }
      try await Task.sleep(for: .milliseconds(10))
    }
    return true
  }

  /// The numbers of the waiting jobs, in order.
  func queue() async throws -> [JobID] {
    try #require(try await ask("GET", "/queue").body["ids"] as? [Int]).map { JobID($0) }
  }
}
