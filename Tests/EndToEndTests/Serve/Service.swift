// `dray serve` for tests: its start, its calls by curl, its end.

import Foundation
import Testing

/// A running service in a sandbox, on a free port.
struct Service {
  let sandbox: Sandbox
  let program: RunningProgram
  let port: Int
  var secret: String?
  /// Its socket in the file system, instead of the port.
  var socket: String?

  var url: String { "http://127.0.0.1:\(port)" }

  /// Starts `dray serve` with the download directory as its root; without a secret, so every program of this machine
  /// may use it.
  static func start(
    in sandbox: Sandbox, _ arguments: [String] = [], secret: String? = nil, port: Int? = nil,
    _ change: (inout Launch) -> Void = { _ in }
  ) async throws -> Service {
    let port = try port ?? LocalPort.free()
    let isOpen = secret == nil && !arguments.contains("--secret-file")
    let words =
      ["serve", "--listen", "127.0.0.1:\(port)", "--root", sandbox.downloads] + (isOpen ? ["--no-secret"] : [])
      + arguments
    let program = try sandbox.start(words) { launch in
      if let secret { launch.environment["DRAY_SERVE_SECRET"] = secret }
      change(&launch)
    }
    // With a log file, the service prints nothing.
    let isSilent = arguments.contains("--log-file")
    try await program.wait(for: "the service") {
      isSilent ? LocalPort.isListening(port) : program.errors.contains("serves at")
    }
    return Service(sandbox: sandbox, program: program, port: port, secret: secret)
  }

  /// curl's result.
  func curl(_ path: String, _ words: [String] = []) async throws -> Finished {
    let listener = socket.map { ["--unix-socket", $0] } ?? []
    return try await sandbox.tool(
      "curl", ["-sS", "--noproxy", "*", "--max-time", "60"] + listener + words + [url + path])
  }

  /// The status of the answer to a request.
  func status(_ path: String, _ words: [String] = []) async throws -> String {
    try await curl(path, words + ["-o", "/dev/null", "-w", "%{http_code}"]).output
  }

  /// The answer of an aria2 method: its result, or `!` and the message of its error.
  @discardableResult
  func call(_ method: String, _ parameters: [Any] = []) async throws -> Any {
    let token = (method.hasPrefix("system.") ? nil : secret).map { ["token:\($0)"] as [Any] } ?? []
    let call: [String: Any] = ["jsonrpc": "2.0", "id": "1", "method": method, "params": token + parameters]
    let body = String(decoding: try JSONSerialization.data(withJSONObject: call), as: UTF8.self)
    let file = try sandbox.write(body, to: "../streams/call-\(UUID().uuidString)")
    let finished = try await curl("/jsonrpc", ["--data-binary", "@\(file)"])
    let answer = try JSONSerialization.jsonObject(with: Data(finished.output.utf8)) as? [String: Any]
    let object = try #require(answer, "\(finished)")
    if let error = object["error"] as? [String: Any] { return "!\(error["message"] ?? "")" }
    return try #require(object["result"])
  }

  /// Adds a URL; the environment's proxy is not used.
  func add(_ url: String, _ options: [String: String] = [:]) async throws -> String {
    try #require(try await call("aria2.addUri", [[url], options]) as? String)
  }

  /// A member of the status of a job.
  func status(of gid: String, _ key: String = "status") async throws -> String? {
    (try await call("aria2.tellStatus", [gid]) as? [String: Any])?[key] as? String
  }

  /// Ends the service like systemd.
  func stop() async throws {
    program.send(SIGTERM)
    expect(try await program.finish(), exits: 143)
  }
}
