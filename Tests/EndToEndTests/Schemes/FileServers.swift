// Servers of files that do not speak HTTP: sshd from Debian, and an FTP server that breaks rules.

import FaultServer
import Foundation

/// A server that serves a directory.
struct FileServer: Sendable {
  /// The directory.
  let site: String
  let port: Int
  private let logFile: String

  /// Its log so far.
  var log: String { String(decoding: FileManager.default.contents(atPath: logFile) ?? Data(), as: UTF8.self) }

  /// Adds a file with an old modification time, or with `time`.
  func put(_ name: String, _ content: Content, time: Double = 1_700_000_000) throws {
    let path = "\(site)/\(name)"
    try content.write(toFileAt: path)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: time), .posixPermissions: 0o644], ofItemAtPath: path)
  }

  /// Starts a server in `sandbox` and waits until it listens.
  private init(
    in sandbox: Sandbox, _ name: String, start: (_ directory: String, _ port: Int) throws -> RunningProgram
  ) async throws {
    let directory = "\(sandbox.root)/\(name)-\(UUID().uuidString.prefix(8))"
    site = directory + "/site"
    logFile = directory + "/log"
    try FileManager.default.createDirectory(atPath: site, withIntermediateDirectories: true)
    let port = try LocalPort.free()
    self.port = port
    let running = try start(directory, port)
    try await running.wait(for: "\(name) to listen", seconds: 60) { LocalPort.isListening(port) }
  }

  /// An FTP server that follows `options`; `ftpd.py` explains them.
  static func faulty(in sandbox: Sandbox, _ options: [String: any Sendable] = [:]) async throws -> FileServer {
    let program = try toolPath("python3")
    return try await FileServer(in: sandbox, "ftpd") { directory, port in
      var all: [String: Any] = options
      all.merge(["root": directory + "/site", "log": directory + "/log", "port": port]) { own, _ in own }
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("ftpd.py").path
      let json = String(decoding: try JSONSerialization.data(withJSONObject: all), as: UTF8.self)
      return try sandbox.launch(program, [script, json])
    }
  }

  /// sshd with a new host key; it accepts the user's key. Its sessions get these variables.
  static func sshd(in sandbox: Sandbox, variables: [String: String] = [:]) async throws -> FileServer {
    let program = try toolPath("sshd")
    let folder = "\(sandbox.root)/user/.ssh"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for key in ["\(folder)/id_ed25519", "\(folder)/host"] {
      _ = try await sandbox.tool("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key])
    }
    // The directory of sshd's privilege separation, needed when it runs as root.
    if geteuid() == 0 {
      try FileManager.default.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
    }
    return try await FileServer(in: sandbox, "sshd") { directory, port in
      let lines = [
        "Port \(port)", "ListenAddress 127.0.0.1", "HostKey \(folder)/host", "PidFile none", "UsePAM no",
        "AuthorizedKeysFile \(folder)/id_ed25519.pub", "StrictModes no", "PasswordAuthentication no",
        "PermitRootLogin yes", "LogLevel DEBUG", "AllowUsers \(NSUserName())",
        "Subsystem sftp internal-sftp",
      ]
      let settings = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      let all = lines + (settings.isEmpty ? [] : ["SetEnv \(settings)"])
      let file = directory + "/sshd.conf"
      try Data(all.joined(separator: "\n").appending("\n").utf8).write(to: URL(fileURLWithPath: file))
      return try sandbox.launch(program, ["-D", "-f", file, "-E", directory + "/log"])
    }
  }
}
