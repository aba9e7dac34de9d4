// kill -9 at some moment of a call: answered calls survive a restart, and the repeated call has the same outcome.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Service: killed in the middle of a call")
struct ServeKillTests {
  /// A call that may be interrupted, by its client's name for it.
  enum Call: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case add = "addUri with a GID"
    case post = "POST /jobs with a key"
    case pause = "pause"
    case remove = "remove"
    case change = "changeOption"

    var testDescription: String { rawValue }
  }

  private static let rounds = 4

  /// One round: a service, the job that calls act on, and the names of added jobs.
  private struct Round {
    let service: Service
    let number: Int
    /// A waiting job.
    let gid: String

    var newGID: String { String(repeating: "\(number)", count: 8) + "c0ffee00" }

    /// Sends the call.
    /// - Returns: The answer; nil without one.
    func send(_ call: Call, to service: Service) async throws -> String? {
      let url = service.sandbox.server.url("/new\(number)")
      switch call {
      case .add: return try await rpc("aria2.addUri", [[url], ["gid": newGID, "pause": "true"]], service)
      case .post:
        let key = ["Idempotency-Key: round-\(number)"]
        let answer = try await service.api("POST", "/jobs", service.adding("/new\(number)", paused: true), key)
        guard answer.status != "000" else { return nil }
        let body = try JSONSerialization.data(withJSONObject: answer.body, options: .sortedKeys)
        return answer.status + String(decoding: body, as: UTF8.self)
      case .pause: return try await rpc("aria2.pause", [gid], service)
      case .remove: return try await rpc("aria2.remove", [gid], service)
      case .change: return try await rpc("aria2.changeOption", [gid, ["max-download-limit": "4096"]], service)
      }
    }

    private func rpc(_ method: String, _ parameters: [Any], _ service: Service) async throws -> String? {
      let call: [String: Any] = ["id": 1, "method": method, "params": parameters]
      let body = String(decoding: try JSONSerialization.data(withJSONObject: call), as: UTF8.self)
      let output = try await service.curl("/jsonrpc", ["--data-binary", body]).output
      guard !output.isEmpty else { return nil }
      let answer = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
      return answer["result"].map { "\($0)" } ?? "!\(answer["error"] ?? "")"
    }
  }

  @Test("answered calls are stored, and a repeated call gets the same answer", arguments: Call.allCases)
  func killed(call: Call) async throws {
    try await Sandbox.use { sandbox in
      // No transfers: a long wait keeps every job in the queue.
      let words = ["-j", "1"]
      var service = try await Service.start(in: sandbox, words)
      let gate = Gate()
      sandbox.server["/held"] = .init(.named("v1", size: 300_000), script: [.held(by: gate, after: 100_000)])
      _ = try await service.add(sandbox.server.url("/held"))
      #expect(await gate.waitForArrivals())
      var dice = Dice(seed: TestSeed.value("DRAY_RANDOM_SEED"))
      for number in 1...Self.rounds {
        let round = Round(
          service: service, number: number, gid: try await service.add(sandbox.server.url("/\(number)")))
        let delay = Duration.microseconds(Int.random(in: 0...40_000, using: &dice))
        let running = service
        async let first = round.send(call, to: running)
        try await Task.sleep(for: delay)
        _ = try await service.program.kill9()
        let answered = try await first
        service = try await Service.start(in: sandbox, words, port: service.port)
        try await expectThere(call, round, answered, service, "killed after \(delay)")
        let again = try await round.send(call, to: service)
        try await expectOutcome(call, round, answered, again, service, "killed after \(delay)")
      }
      try await service.stop()
    }
  }

  /// Checks that changes answered with success persist after the restart.
  private func expectThere(
    _ call: Call, _ round: Round, _ answered: String?, _ service: Service, _ what: Comment
  ) async throws {
    guard let answered, !answered.hasPrefix("!") else { return }
    switch call {
    case .add: #expect(try await service.status(of: round.newGID) == "paused", what)
    case .post: #expect(answered.hasPrefix("201"), what)
    case .pause: #expect(try await service.status(of: round.gid) == "paused", what)
    case .remove: #expect(try await service.call("aria2.tellStatus", [round.gid]) is String, what)
    case .change: try await expectLimit(round, service, what)
    }
  }

  /// Checks that the second call had the requested effect exactly once.
  private func expectOutcome(
    _ call: Call, _ round: Round, _ answered: String?, _ again: String?, _ service: Service, _ what: Comment
  ) async throws {
    let again = try #require(again, what)
    let jobs = try await service.sandbox.jobs()
    let added = jobs.filter { $0.url.hasSuffix("/new\(round.number)") }
    switch call {
    case .add: #expect(again == round.newGID && added.count == 1, what)
    case .post:
      #expect(added.count == 1 && again.hasPrefix("20"), what)
      if let answered { #expect(answered.dropFirst(3) == again.dropFirst(3), what) }
    case .pause: #expect(try await service.status(of: round.gid) == "paused", what)
    case .remove: #expect(!jobs.contains { $0.url.hasSuffix("/\(round.number)") }, what)
    case .change: try await expectLimit(round, service, what)
    }
  }

  private func expectLimit(_ round: Round, _ service: Service, _ what: Comment) async throws {
    let options = try await service.call("aria2.getOption", [round.gid]) as? [String: String]
    #expect(options?["max-download-limit"] == "4096", what)
  }
}
