// A real server as a plain process of a sandbox, in the foreground, on free ports: never the machine's service.

import FaultServer
import Foundation
import Synchronization
import Testing

/// A running server. It ends with its sandbox.
final class RealServer: Sendable {
  let kind: ServerKind
  /// The server behind a caching server.
  let origin: RealServer?
  private let setup: ServerSetup
  private let start: ServerStart
  private let sandbox: Sandbox
  private let process: Mutex<RunningProgram?> = Mutex(nil)

  /// The directory that is served.
  var site: String { setup.site }
  /// The server's own directory, without the served files.
  var directory: String { setup.directory }
  /// The port in ``url(_:)``.
  var port: Int { setup.tls == nil ? setup.port : setup.securePort }
  /// The port without TLS.
  var plainPort: Int { setup.port }

  /// The port of a forward proxy.
  var forwardPort: Int { setup.securePort }

  /// The URL of `path`: over TLS if the server has it.
  func url(_ path: String) -> String { "\(setup.tls == nil ? kind.scheme : "https")://127.0.0.1:\(port)\(path)" }

  /// The URL of `path` under this machine's name, with a given scheme.
  func namedURL(_ path: String, scheme: String) -> String { "\(scheme)://localhost:\(port)\(path)" }

  /// Starts a server of `kind` in `sandbox`, with TLS if `certificates` are given, and waits until it answers.
  /// - Parameters:
  ///   - kind: The server and its configuration.
  ///   - certificates: The source of its certificate, of the kind `certificate`.
  ///   - clients: The authority of required client certificates.
  ///   - rate: Bytes a second of each connection, in nginx's form (`5m`); only nginx supports it.
  ///   - elsewhere: The destination of `/to/elsewhere`, without the path.
  /// - Throws: `HarnessError` if it is not installed or does not start.
  init(
    _ kind: ServerKind, in sandbox: Sandbox, certificates: Certificates? = nil,
    certificate: Certificates.Kind = .good, clients: String? = nil, rate: String? = nil, elsewhere: String? = nil
  ) async throws {
    let program = try toolPath(kind.program)
    let directory = "\(sandbox.root)/\(kind.name)-\(UUID().uuidString.prefix(8))"
    self.kind = kind
    self.sandbox = sandbox
    if let behind = kind.origin() {
      origin = try await RealServer(behind, in: sandbox, elsewhere: elsewhere)
    } else {
      origin = nil
    }
    let site = origin?.site ?? directory + "/site"
    for path in [directory, site] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    // Some servers, started as root, switch to another user, who needs access.
    for path in [sandbox.root, directory, site] { chmod(path, 0o755) }
    for attempt in 1... {
      let setup = ServerSetup(
        directory: directory, site: site, port: try LocalPort.free(), securePort: try LocalPort.free(),
        tls: certificates.map { ($0.certificate(certificate), $0.key(certificate)) }, clients: clients, rate: rate,
        elsewhere: elsewhere, originPort: origin?.setup.port)
      let start = try kind.prepare(setup)
      let running = try sandbox.launch(program, start.arguments) { $0.environment.merge(start.environment) { $1 } }
      do {
        try await Self.wait(for: running, setup)
        self.setup = setup
        self.start = start
        process.withLock { $0 = running }
        return
      } catch  where attempt < 5 {
        try await running.kill9()
      }
    }
    throw HarnessError("\(kind.name) does not start")
  }

  private static func wait(for running: RunningProgram, _ setup: ServerSetup) async throws {
    try await running.wait(for: "\(running.command) to listen", seconds: 60) {
      LocalPort.isListening(setup.port) && (setup.tls == nil || LocalPort.isListening(setup.securePort))
    }
  }

  /// Kills the server at once, like a crash.
  func kill() async throws {
    try await process.withLock { $0 }?.kill9()
  }

  /// Starts the server again, at the same ports, after ``kill()``.
  func restart() async throws {
    let running = try sandbox.launch(try toolPath(kind.program), start.arguments) { [start] launch in
      launch.environment.merge(start.environment) { $1 }
    }
    try await Self.wait(for: running, setup)
    process.withLock { $0 = running }
  }

  // MARK: Its files

  /// An old time, which any server treats as settled. Seconds since 1970.
  static let longAgo = 1_700_000_000.0

  /// Puts a file with the modification time `time` there atomically, like `mv`.
  func put(_ name: String, _ content: Content, time: Double = longAgo) throws {
    let path = "\(site)/\(name)"
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    let new = "\(path).new-\(UUID().uuidString)"
    try content.write(toFileAt: new)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: time), .posixPermissions: 0o644], ofItemAtPath: new)
    guard rename(new, path) == 0 else { throw HarnessError("cannot put \(path)") }
  }

  /// The server's own log, if it has one.
  var log: String {
    String(decoding: FileManager.default.contents(atPath: directory + "/log") ?? Data(), as: UTF8.self)
  }
}
