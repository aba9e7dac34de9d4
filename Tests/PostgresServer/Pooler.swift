// PgBouncer from Debian in front of a server.

import Foundation

/// A pooler in the foreground, as a child process, until it is released.
public final class Pooler {
  /// How long the pooler keeps a session of the server for a client.
  public enum Mode: String, CaseIterable, Sendable {
    case session
    case transaction
  }

  private static let program = "/usr/sbin/pgbouncer"

  /// Whether it is installed.
  public static var isInstalled: Bool {
    PostgresPrograms.isInstalled && FileManager.default.isExecutableFile(atPath: program)
  }

  /// The port at which it listens.
  public let port: Int
  private let directory: String
  private let pid: pid_t

  /// Starts it, and waits until it takes connections.
  public init(_ mode: Mode, of server: PostgresServer) throws {
    let programs = try PostgresPrograms.find()
    port = try PostgresPrograms.freePort()
    directory = "\(server.directory)/pooler-\(port)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    let users = try server.psql(
      "SELECT string_agg('\"' || rolname || '\" \"\"', chr(10)) FROM pg_roles WHERE rolcanlogin")
    try users.write(toFile: "\(directory)/users", atomically: true, encoding: .utf8)
    try """
    [databases]
    * = host=127.0.0.1 port=\(server.port)
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = \(port)
    unix_socket_dir =
    auth_type = trust
    auth_file = \(directory)/users
    pool_mode = \(mode)
    ignore_startup_parameters = extra_float_digits
    """.write(toFile: "\(directory)/ini", atomically: true, encoding: .utf8)
    let port = self.port
    pid = try programs.start(Pooler.program, ["\(directory)/ini"], log: "\(server.directory)/pooler-\(port).log")
    for _ in 0..<500 {
      if (try? programs.run("pg_isready", ["-q", "-h", "127.0.0.1", "-p", "\(port)", "-t", "5"])) != nil { return }
      usleep(20_000)
    }
    throw PostgresServerError("the pooler does not start")
  }

  deinit {
    kill(pid, SIGTERM)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }
}
