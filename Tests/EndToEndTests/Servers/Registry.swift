// A registry whose tokens live for a short time (registry.py), and Debian's.

import Foundation
import TestSupport
import Testing

/// A running registry with its log of requests. It ends with its sandbox.
struct Registry: Sendable {
  struct Request: Decodable {
    var method: String
    var path: String
    var status: Int
    /// The bytes of the body.
    var sent: Int
  }

  /// Host and port, as in the names of its images.
  let host: String
  private let log: String

  /// - Parameters:
  ///   - life: The life of a token in seconds.
  ///   - pause: The seconds before each blob.
  init(in sandbox: Sandbox, life: Int = 60, pause: Double = 0) async throws {
    log = "\(sandbox.root)/streams/registry-\(UUID().uuidString.prefix(8)).jsonl"
    let arguments = ["-B", ObjectServer.script("registry.py"), log, "\(life)", "\(pause)"]
    let program = try sandbox.launch(try toolPath("python3"), arguments)
    try await program.wait(for: "the registry", seconds: 60) { program.output.hasSuffix("\n") }
    host = program.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The requests so far.
  var requests: [Request] {
    get throws {
      guard let text = try? String(contentsOfFile: log, encoding: .utf8) else { return [] }
      return try text.split(separator: "\n").map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }
  }

  /// The bytes of blobs that were sent.
  var sent: Int {
    get throws { try requests.filter { $0.path.contains("/blobs/") && $0.status < 300 }.reduce(0) { $0 + $1.sent } }
  }

  /// Runs `dray` with an account in the file of podman and skopeo.
  func dray(_ sandbox: Sandbox, _ arguments: String..., account: String = "\"auth\": \"YW5uOnMzY3JldA==\"") async throws
    -> Finished
  {
    let file = "\(sandbox.root)/user/auth.json"
    try "{\"auths\": {\"\(host)\": {\(account)}}}".write(toFile: file, atomically: true, encoding: .utf8)
    return try await sandbox.start(arguments) { $0.environment["REGISTRY_AUTH_FILE"] = file }.finish(seconds: 60)
  }
}

/// Debian's registry with an empty store.
struct DebianRegistry: Sendable {
  let host: String

  init(in sandbox: Sandbox) async throws {
    let (port, root) = (try LocalPort.free(), "\(sandbox.root)/streams/debian-registry")
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    let text = """
      version: 0.1
      storage: {filesystem: {rootdirectory: \(root)/data}}
      http: {addr: "127.0.0.1:\(port)"}
      log: {level: error}
      """
    try text.write(toFile: root + "/config.yml", atomically: true, encoding: .utf8)
    let running = try sandbox.launch(try toolPath("docker-registry"), ["serve", root + "/config.yml"])
    try await running.wait(for: "docker-registry", seconds: 60) { LocalPort.isListening(port) }
    host = "127.0.0.1:\(port)"
  }
}
