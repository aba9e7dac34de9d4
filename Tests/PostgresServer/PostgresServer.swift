// PostgreSQL from Debian for tests: a separate cluster on loopback, which can be stopped at once and started again.

import Foundation
import Synchronization

/// An error while starting or using the server.
public struct PostgresServerError: Error, CustomStringConvertible {
  /// The reason.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// A server in the foreground, as a child process. Its calls block. It ends with ``stop()``, or with this process.
public final class PostgresServer: Sendable {
  private struct State {
    var port: Int
    /// Whether it has run at its port, so that its users know it.
    var isPortKnown = false
    var pid: pid_t?
    var databases = 0
  }

  /// The directory of the cluster, the sockets and the log.
  public let directory: String
  private let programs: PostgresPrograms
  private let state: Mutex<State>

  private static let all = Mutex<[PostgresServer]>([])
  private static let one = Mutex<PostgresServer?>(nil)

  /// The server that the tests of a process share; each takes a database of its own, ``newDatabase()``.
  public static func shared() throws -> PostgresServer {
    try one.withLock { one in
      if let one { return one }
      let server = try PostgresServer()
      one = server
      return server
    }
  }

  /// Creates a cluster and starts its server.
  /// - Parameter settings: Lines of `postgresql.conf`, such as `max_connections = 10`.
  public init(settings: [String] = []) throws {
    programs = try PostgresPrograms.find()
    var template = Array("/tmp/dray-postgres-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw PostgresServerError("cannot make a temporary directory") }
    directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    state = Mutex(State(port: 0))
    // The user of the server may be another one.
    chmod(directory, 0o755)
    for name in ["data", "sockets"] {
      guard mkdir("\(directory)/\(name)", 0o700) == 0 else { throw PostgresServerError("cannot make \(name)") }
      try programs.give("\(directory)/\(name)")
    }
    _ = Self.atExit
    Self.all.withLock { $0.append(self) }
    do {
      // No test checks the durability of this cluster, and initdb would take seconds to sync its files.
      try programs.run(
        "initdb",
        [
          "--no-sync", "-D", directory + "/data", "-U", "dray", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8",
          "--no-instructions",
        ], log: directory + "/initdb.log")
      try write(settings)
      try start()
    } catch {
      stop()
      throw error
    }
  }

  private func write(_ settings: [String]) throws {
    let lines =
      [
        "listen_addresses = '127.0.0.1'", "unix_socket_directories = '\(directory)/sockets'",
        "max_connections = 100", "shared_buffers = 32MB", "log_line_prefix = '%m [%p] %q%a '", "log_timezone = 'UTC'",
        "lc_messages = 'C'", "jit = off",
      ] + settings
    try append(lines.joined(separator: "\n") + "\n", to: "data/postgresql.conf")
    // A user with a password, for tests of authentication.
    try Data(
      "host all locked,secured 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\nlocal all all trust\n".utf8
    )
    .write(to: URL(fileURLWithPath: directory + "/data/pg_hba.conf"))
    try programs.give(directory + "/data/pg_hba.conf")
  }

  private func append(_ text: String, to name: String) throws {
    guard let file = FileHandle(forWritingAtPath: "\(directory)/\(name)") else {
      throw PostgresServerError("cannot write \(name)")
    }
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  /// Whether PostgreSQL is installed.
  public static var isInstalled: Bool { PostgresPrograms.isInstalled }

  // MARK: Running

  /// The port. ``start(on:)`` keeps it unless it is given another one.
  public var port: Int { state.withLock { $0.port } }

  /// Returns a port for ``start(on:)`` that is free now.
  public static func freePort() throws -> Int { try PostgresPrograms.freePort() }

  /// Whether its process runs.
  public var isRunning: Bool { state.withLock { $0.pid != nil } }

  /// Starts the server again, and waits until it takes connections: after a crash, until its recovery is done.
  /// - Parameter port: the port; `nil` is the former one.
  public func start(on port: Int? = nil) throws {
    try state.withLock { state in
      guard state.pid == nil else { return }
      // A few tries, since another program may have taken the port.
      for _ in 0..<5 {
        if let port { state.port = port }
        if state.port == 0 { state.port = try PostgresPrograms.freePort() }
        let pid = try programs.start(
          "postgres", ["-D", directory + "/data", "-p", "\(state.port)"], log: directory + "/log")
        if wait(until: 60, { isReady(state.port) || !Self.isAlive(pid) }), Self.isAlive(pid) {
          (state.pid, state.isPortKnown) = (pid, true)
          return
        }
        Self.end(pid, with: SIGKILL)
        if !state.isPortKnown, port == nil { state.port = 0 }
      }
      throw PostgresServerError("PostgreSQL does not start: \(log.suffix(2000))")
    }
  }

  /// Stops the server at once, as a crash does: nothing is flushed, and the next start recovers from the log.
  public func crash() { end(with: SIGQUIT) }

  /// Shuts the server down: connections end, everything is flushed.
  public func shutDown() { end(with: SIGINT) }

  /// Stops the server and removes its directory.
  public func stop() {
    crash()
    Self.all.withLock { all in all.removeAll { $0 === self } }
    if ProcessInfo.processInfo.environment["DRAY_KEEP"] == nil {
      try? FileManager.default.removeItem(atPath: directory)
    }
  }

  /// Suspends all processes of the server, or lets them go on: a database that accepts connections and answers nothing.
  public func suspend(_ isSuspended: Bool) {
    guard let pid = state.withLock({ $0.pid }) else { return }
    for process in Self.children(of: pid) + [pid] { kill(process, isSuspended ? SIGSTOP : SIGCONT) }
  }

  private func end(with signal: Int32) {
    state.withLock { state in
      guard let pid = state.pid else { return }
      state.pid = nil
      Self.end(pid, with: signal)
    }
  }

  private static func end(_ pid: pid_t, with signal: Int32) {
    kill(pid, signal)
    for _ in 0..<1000 where isAlive(pid) { usleep(10_000) }
    if isAlive(pid) {
      kill(pid, SIGKILL)
      var status: Int32 = 0
      waitpid(pid, &status, 0)
    }
  }

  /// Whether a child runs. Reaps it if not.
  private static func isAlive(_ pid: pid_t) -> Bool {
    var status: Int32 = 0
    return waitpid(pid, &status, WNOHANG) == 0
  }

  private static func children(of pid: pid_t) -> [pid_t] {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)) ?? ""
    return text.split(separator: " ").compactMap { pid_t($0) }
  }

  private func isReady(_ port: Int) -> Bool {
    (try? programs.run("pg_isready", ["-q", "-h", "127.0.0.1", "-p", "\(port)", "-t", "5"])) != nil
  }

  private func wait(until seconds: Double, _ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
      if condition() { return true }
      usleep(20_000)
    }
    return false
  }

  /// Ends all servers with the process.
  private static let atExit: Void = {
    atexit { for server in PostgresServer.all.withLock({ $0 }) { server.stop() } }
  }()

  // MARK: Using

  /// The URI of a database, for the user `dray`.
  public func uri(_ database: String = "postgres", user: String = "dray", port: Int? = nil) -> String {
    "postgresql://\(user)@127.0.0.1:\(port ?? self.port)/\(database)"
  }

  /// Creates an empty database and returns its name.
  public func newDatabase(tablespace: String? = nil) throws -> String {
    let number = state.withLock { state in
      state.databases += 1
      return state.databases
    }
    let name = "test\(number)"
    try psql("CREATE DATABASE \(name) TEMPLATE template0" + (tablespace.map { " TABLESPACE \($0)" } ?? ""))
    return name
  }

  /// Copies a database that may be in use, as a backup that is restored, and returns the name of the copy.
  public func copy(_ database: String) throws -> String {
    let (name, dump) = (try newDatabase(), "\(directory)/copy-\(UUID().uuidString)")
    defer { unlink(dump) }
    try programs.run("pg_dump", ["-d", uri(database)], log: dump)
    // The server's user reads it.
    chmod(dump, 0o644)
    try programs.run("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", uri(name), "-f", dump])
    return name
  }

  /// Runs SQL and returns its rows, with columns separated by `|`.
  @discardableResult
  public func psql(_ sql: String, in database: String = "postgres") throws -> String {
    let output = "\(directory)/psql-\(UUID().uuidString)"
    defer { unlink(output) }
    do {
      try programs.run(
        "psql",
        ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", uri(database) + writable, "-c", sql], log: output)
    } catch {
      throw PostgresServerError("\(sql): \(text(output))")
    }
    return text(output).trimmingCharacters(in: .newlines)
  }

  /// Lets a session write even while others may not.
  private let writable = "?options=-c%20default_transaction_read_only%3Doff"

  /// Changes a setting of the running server, `nil` back to its default, and ends the sessions that use the old one.
  public func set(_ setting: String, to value: String?) throws {
    try psql(value.map { "ALTER SYSTEM SET \(setting) = '\($0)'" } ?? "ALTER SYSTEM RESET \(setting)")
    try psql("SELECT pg_reload_conf()")
    usleep(200_000)
  }

  /// Makes every database read-only for new transactions, or writable again.
  public func setReadOnly(_ isReadOnly: Bool) throws {
    try psql("ALTER ROLE ALL SET default_transaction_read_only = \(isReadOnly ? "on" : "off")")
    try endSessions()
  }

  /// Ends all sessions but this one's.
  public func endSessions() throws {
    try psql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        + "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
  }

  /// The server's log so far.
  public var log: String { text(directory + "/log") }

  private func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }

  /// Has a user own a directory, as the server's own.
  public func give(_ path: String) throws { try programs.give(path) }

  /// The user id of the server.
  public var userID: UInt32 { programs.user ?? geteuid() }
}
