// A hub of Hugging Face (hub.py), and the official client, which judges the files that dray makes.

import Foundation
import TestSupport
import Testing

/// A running hub with its log of requests. It ends with its sandbox.
struct Hub: Sendable {
  /// A request that the hub or its content network answered.
  struct Request: Decodable {
    /// `hub` or `cdn`.
    var server: String
    var method: String
    var path: String
    var status: Int
    /// The bytes of the body that the content network sent.
    var sent: Int
    var authorization: String?

    enum CodingKeys: String, CodingKey {
      case server, method, path, status, sent
      case authorization = "Authorization"
    }
  }

  let url: String
  private let log: String

  init(in sandbox: Sandbox) async throws {
    log = "\(sandbox.root)/streams/hub-\(UUID().uuidString.prefix(8)).jsonl"
    let script = ObjectServer.script("hub.py")
    let program = try sandbox.launch(try toolPath("python3"), ["-B", script, log])
    try await program.wait(for: "the hub", seconds: 60) { program.output.hasSuffix("\n") }
    url = try #require(try JSONDecoder().decode([String: String].self, from: Data(program.output.utf8))["hub"])
  }

  /// The requests so far.
  var requests: [Request] {
    get throws {
      guard let text = try? String(contentsOfFile: log, encoding: .utf8) else { return [] }
      return try text.split(separator: "\n").map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }
  }

  /// The bytes that the content network has sent.
  var sent: Int { get throws { try requests.reduce(0) { $0 + $1.sent } } }

  /// The environment of programs that use the hub.
  func environment(_ sandbox: Sandbox, token: String? = nil) -> [String: String] {
    var environment = ["HF_ENDPOINT": url, "HF_HOME": sandbox.root + "/user/hf"]
    environment["HF_TOKEN"] = token
    return environment
  }

  /// Runs `dray` with the hub in its environment.
  func dray(_ sandbox: Sandbox, _ arguments: String..., token: String? = nil) async throws -> Finished {
    try await sandbox.start(arguments) { $0.environment.merge(environment(sandbox, token: token)) { $1 } }.finish()
  }
}

/// The official client of Hugging Face. `scripts/setup.sh test` installs it from PyPI in a separate place.
enum OfficialHub {
  static let python: String? = {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/root") + "/.cache"
    let path = environment["DRAY_HF"] ?? cache + "/dray-hf/bin/python"
    return access(path, X_OK) == 0 ? path : nil
  }()

  /// Runs a script of the official client; it may ask the hub.
  static func run(_ script: String, _ hub: Hub, _ sandbox: Sandbox) async throws -> Finished {
    let program = try sandbox.launch(try #require(python), ["-B", "-c", script]) {
      $0.environment.merge(hub.environment(sandbox)) { $1 }
      for (name, value) in [
        ("HF_HUB_DISABLE_XET", "1"), ("HF_HUB_DISABLE_TELEMETRY", "1"), ("HF_HUB_DISABLE_PROGRESS_BARS", "1"),
        ("NO_PROXY", "127.0.0.1"),
      ] { $0.environment[name] = value }
    }
    return try await program.finish(seconds: 120)
  }
}

extension Need {
  static let officialHub = Need("huggingface", "scripts/setup.sh test installs it from PyPI") {
    OfficialHub.python != nil
  }
}
