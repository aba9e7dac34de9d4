// A private network for one test, which can fail and recover.

import FaultServer
import Foundation
import TestSupport
import Testing

/// A network namespace whose only device is the loopback, with a server (`origin.py`) in it. Ends with its sandbox.
struct Network {
  /// Whether this machine can have one.
  static let isPossible =
    geteuid() == 0 && ["unshare", "nsenter", "ip"].allSatisfy { (try? toolPath($0)) != nil }
    && system("unshare -n -m true 2>/dev/null") == 0

  private let sandbox: Sandbox
  /// The server, which owns the namespaces.
  let origin: RunningProgram

  /// - Parameters:
  ///   - addresses: Additional addresses of the loopback.
  ///   - names: Lines of `/etc/hosts`.
  init(
    in sandbox: Sandbox, serving content: Content, addresses: [String], names: [String] = []
  ) async throws {
    self.sandbox = sandbox
    try content.write(toFileAt: sandbox.root + "/streams/content")
    try sandbox.write((["127.0.0.1 localhost"] + names).joined(separator: "\n") + "\n", to: "../streams/hosts")
    let lines =
      ["set -e", "ip link set lo up", "mount --bind \(sandbox.root)/streams/hosts /etc/hosts"]
      + addresses.map { "ip address add \($0)/32 dev lo" }
      + ["exec python3 \(Service.script("origin.py")) \(sandbox.root)/streams/content"]
    origin = try sandbox.launch(toolPath("unshare"), ["-n", "-m", "bash", "-c", lines.joined(separator: "\n")])
    let origin = origin
    try await origin.wait(for: "the server") { origin.output.contains("ready") }
  }

  /// The received requests: the host name, the path, the range.
  var requests: [String] { origin.output.split(separator: "\n").dropFirst().map(String.init) }

  /// Releases `/half`.
  func open() throws { try sandbox.write("", to: "../streams/content.open") }

  /// The arguments that enter the namespaces.
  private var entering: [String] { ["-t", "\(origin.pid)", "-n", "-m"] }

  /// Runs `ip`.
  func ip(_ words: String) async throws {
    let arguments = [try toolPath("ip")] + words.split(separator: " ").map(String.init)
    expect(try await sandbox.tool("nsenter", entering + arguments), exits: 0)
  }

  /// Starts a service in the network. Its listener is a socket in the file system, which belongs to no network.
  func service(_ arguments: [String] = [], environment: [String: String] = [:]) async throws -> Service {
    let socket = sandbox.root + "/unix"
    let words = [try programPath(), "serve", "--listen", "unix:\(socket)", "--root", sandbox.downloads]
    let program = try sandbox.launch(toolPath("nsenter"), entering + words + arguments) { launch in
      launch.environment.merge(environment) { $1 }
    }
    try await program.wait(for: "the service") { program.errors.contains("serves at") }
    return Service(sandbox: sandbox, program: program, port: 80, socket: socket)
  }
}

extension Need {
  static let network = Need("namespaces", "a network namespace takes root, unshare, nsenter and ip") {
    Network.isPossible
  }
}
