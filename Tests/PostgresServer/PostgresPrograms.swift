// The programs of PostgreSQL, and how they are started.

import Foundation
import Synchronization

/// The programs of the newest PostgreSQL on this machine. The server refuses to run as root, so root starts it as
/// another user.
struct PostgresPrograms: Sendable {
  let directory: String
  /// The user of the server, if this process is root.
  let user: uid_t?
  private let group: gid_t

  /// Whether the programs are here.
  static var isInstalled: Bool { (try? find()) != nil }

  static func find() throws -> PostgresPrograms {
    let root = "/usr/lib/postgresql"
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [])
      .sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let needed = ["initdb", "postgres", "pg_isready", "psql"]
    let found = (versions + path).first { place in
      needed.allSatisfy { FileManager.default.isExecutableFile(atPath: "\(place)/\($0)") }
    }
    guard let found else { throw PostgresServerError("PostgreSQL is not installed: scripts/setup.sh test installs it") }
    guard geteuid() == 0 else { return PostgresPrograms(directory: found, user: nil, group: getegid()) }
    guard let entry = getpwnam("postgres") ?? getpwnam("nobody") else {
      throw PostgresServerError("no user for PostgreSQL")
    }
    return PostgresPrograms(directory: found, user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
  }

  /// Gives a file or directory to the user of the server.
  func give(_ path: String) throws {
    guard let user else { return }
    guard chown(path, user, group) == 0 else { throw PostgresServerError("cannot chown \(path)") }
  }

  /// Runs a program to its end.
  /// - Throws: if it fails, or takes more than two minutes.
  func run(_ name: String, _ arguments: [String], log: String = "/dev/null") throws {
    let pid = try start(name, arguments, log: log)
    var status: Int32 = 0
    for _ in 0..<24_000 {
      let ended = waitpid(pid, &status, WNOHANG)
      guard ended == 0 else {
        if ended == pid, status == 0 { return }
        throw PostgresServerError(
          "\(name) failed: \(String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self))")
      }
      usleep(5000)
    }
    kill(pid, SIGKILL)
    waitpid(pid, &status, 0)
    throw PostgresServerError("\(name) does not end")
  }

  /// Starts a program in a new session, without any descriptor of this process: a test that waits for the end of a pipe
  /// would wait for the server.
  func start(_ name: String, _ arguments: [String], log: String) throws -> pid_t {
    var words = [name.hasPrefix("/") ? name : "\(directory)/\(name)"] + arguments
    if let user {
      words = ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "--"] + words
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    _ = Self.closeFrom?(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    // A Ctrl-C in the terminal of the tests must not reach the server first.
    let newSession = 0x80
    posix_spawnattr_setflags(&attributes, Int16(Int(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | newSession))
    // The user's own PG… variables must not lead elsewhere.
    let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC", "PGCONNECT_TIMEOUT=10"]
    var pid = pid_t()
    let program = words[0]
    let code = Self.withStrings(words) { words in
      Self.withStrings(environment) { posix_spawn(&pid, program, &actions, &attributes, words, $0) }
    }
    guard code == 0 else { throw PostgresServerError("cannot start \(name): \(String(cString: strerror(code)))") }
    return pid
  }

  /// `posix_spawn_file_actions_addclosefrom_np`, which is not imported.
  private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast(
      $0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
  }

  private static func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }

  /// Below the range from which the system assigns ports, and above that of other tests' servers.
  private static let nextPort = Mutex(Int.random(in: 10_000..<19_000))

  static func freePort() throws -> Int {
    for _ in 0..<1000 {
      let port = nextPort.withLock { next in
        next = next + 1 < 19_000 ? next + 1 : 10_000
        return next
      }
      if isFree(port) { return port }
    }
    throw PostgresServerError("no port is free")
  }

  private static func isFree(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
