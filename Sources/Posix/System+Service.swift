// Calls for a background service: its log, its start, its end.

internal import CLinux
internal import Glibc

extension System {
  // MARK: Files

  /// Opens a file for appending; creates it if missing. Does not follow a link.
  public static func openForAppending(_ path: String, mode: UInt32) throws(SystemError) -> Int32 {
    try open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode: mode)
  }

  /// Opens a file for reading and writing; creates it if missing. Does not follow a link.
  public static func openOrCreate(_ path: String, mode: UInt32) throws(SystemError) -> Int32 {
    try open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: mode)
  }

  /// Replaces an existing file. Ignores errors.
  public static func move(_ path: String, to other: String) { _ = rename(path, other) }

  public static func truncate(_ descriptor: Int32, to size: Int64) throws(SystemError) {
    try retrying("ftruncate") { ftruncate(descriptor, off_t(size)) }
  }

  /// Locks an open file if no other process holds a conflicting lock.
  /// - Parameter shared: Whether others may hold a shared lock at the same time.
  public static func tryLock(_ descriptor: Int32, shared: Bool = false) throws(SystemError) -> Bool {
    try lock(descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB)
  }

  // MARK: Time

  /// Returns a moment in local time, by default with its offset: `2026-11-21T04:35:12+0000`.
  /// - Parameter format: As for `strftime`.
  public static func localTime(_ seconds: Int64, _ format: String = "%Y-%m-%dT%H:%M:%S%z") -> String {
    var time = time_t(seconds)
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "\(seconds)" }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Processes

  public static var processID: Int32 { getpid() }

  /// The path of this process's program; `nil` if the system does not provide it.
  public static var programPath: String? { realPath("/proc/self/exe") }

  public static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Sets a variable of the environment. Call this before other threads read the environment.
  public static func setVariable(_ name: String, _ value: String) { setenv(name, value, 1) }

  /// Removes variables from the environment, so that children do not inherit them. Call this before other threads read
  /// the environment.
  public static func unsetVariables(_ names: [String]) { for name in names { unsetenv(name) } }

  /// Sends SIGTERM.
  public static func askToEnd(_ process: Int32) throws(SystemError) { try retrying("kill") { kill(process, SIGTERM) } }

  /// Starts a program that continues after this process ends and the terminal closes. It has its own session, this
  /// process's working directory, and standard input and output from and to `/dev/null`.
  /// - Returns: The process id, and the reading end of a pipe from its standard error.
  public static func startDetached(
    _ path: String, _ arguments: [String], variable: (name: String, value: String)
  ) throws(SystemError) -> (process: Int32, errors: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // POSIX_SPAWN_SETSID, which is missing in the Glibc module.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | 0x80)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    setenv(variable.name, variable.value, 1)
    defer { unsetenv(variable.name) }
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let error = posix_spawn(&child, path, &actions, &attributes, &words, environ)
    close(ends[1])
    guard error == 0 else {
      close(ends[0])
      throw SystemError("posix_spawn", error)
    }
    return (child, ends[0])
  }

  /// Returns the exit status, or 128 plus the signal that ended the child.
  public static func wait(for child: Int32) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  public static func leaveDirectory() { _ = chdir("/") }

  /// Redirects standard error to `/dev/null`. A reader of the former pipe sees its end.
  public static func leaveStandardError() {
    guard let nothing = try? open("/dev/null", O_WRONLY) else { return }
    dup2(nothing, 2)
    close(nothing)
  }
}

extension System {
  public static func openToRead(_ path: String) throws(SystemError) -> Int32 { try open(path, O_RDONLY) }

  public static func pause(_ seconds: Double) { usleep(useconds_t(seconds * 1_000_000)) }
}
