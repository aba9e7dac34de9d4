// Calls of dray's own API for tests, and clients that stay connected.

import FaultServer
import Foundation
import Testing

extension Service {
  /// The status and the object of a call's answer; the status is `000` without an answer.
  func api(
    _ method: String, _ path: String, _ body: String? = nil, _ fields: [String] = []
  ) async throws -> (status: String, body: [String: Any]) {
    var words = ["-X", method, "-w", "\n%{http_code}", "-H", "Content-Type: application/json"]
    for field in fields { words += ["-H", field] }
    if let body { words += ["--data-binary", body] }
    let output = try await curl("/api/v1" + path, words).output
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.dropLast().joined(separator: "\n")
    let object = text.isEmpty ? [:] : try JSONSerialization.jsonObject(with: Data(text.utf8))
    return (String(lines.last ?? ""), try #require(object as? [String: Any], "\(output)"))
  }

  /// Logs in like the page, and returns the words for curl that send both halves of the session.
  func logIn(_ secret: String) async throws -> [String] {
    let jar = sandbox.root + "/streams/jar-\(UUID().uuidString)"
    let text = try await curl(
      "/api/v1/session", ["-c", jar, "-H", "Content-Type: application/json", "-d", #"{"secret":"\#(secret)"}"#]
    ).output
    let answer = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let key = try #require(answer?["key"] as? String, "\(text)")
    return ["-b", jar, "-H", "Dray-Key: \(key)"]
  }

  /// The status of a call that adds jobs.
  func post(_ body: String, key: String? = nil) async throws -> String {
    try await api("POST", "/jobs", body, key.map { ["Idempotency-Key: \($0)"] } ?? []).status
  }

  /// The body that adds one job.
  func adding(_ path: String, paused: Bool = false) -> String {
    #"{"jobs":[{"url":"\#(sandbox.server.url(path))","paused":\#(paused)}]}"#
  }

  /// Follows the events; they appear in its output.
  func following() throws -> RunningProgram {
    try sandbox.launch(toolPath("curl"), ["-sSN", "--noproxy", "*", url + "/api/v1/events"])
  }

  /// A client on a WebSocket that repeats a request; each answer is a line of its output.
  func asking(_ words: String...) throws -> RunningProgram {
    try sandbox.launch(toolPath("python3"), [Service.script("calls.py"), "\(port)"] + words)
  }

  /// The path of a program next to this file.
  static func script(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name).path
  }
}

extension RunningProgram {
  /// The number of answers that ``Service/asking(_:)`` has received.
  var answers: Int { output.split(separator: "\n").count { $0.contains("\"result\"") } }
}
