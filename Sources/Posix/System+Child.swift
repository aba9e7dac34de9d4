// Child programs that use the terminal while they run.

internal import CLinux
internal import Glibc

extension System {
  /// Runs a program and waits for its end. Keyboard interrupts go to the program only.
  /// - Parameters:
  ///   - path: The program's file.
  ///   - arguments: The arguments, with the program's name first.
  ///   - output: The descriptor to use as its standard output.
  ///   - endingWithThis: Whether a SIGTERM for this process goes to the program, too. This process then ends after it.
  ///     Only one such program may run at a time.
  /// - Returns: The exit status, or 128 plus the signal that ended the program.
  public static func run(
    _ path: String, _ arguments: [String], output: Int32 = 1, endingWithThis: Bool = false
  ) throws(SystemError) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    resetSignals(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if output != 1 { posix_spawn_file_actions_adddup2(&actions, output, 1) }
    let before = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
    defer {
      _ = signal(SIGINT, before.0)
      _ = signal(SIGQUIT, before.1)
    }
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let error = posix_spawn(&child, path, &actions, &attributes, &words, environ)
    guard error == 0 else { throw SystemError("posix_spawn", error) }
    guard endingWithThis else { return wait(for: child) }
    endingChild.pointee = child
    // Call only functions that are allowed in a handler (POSIX.1-2017, 2.4.3). Preserve errno.
    let handler = signal(SIGTERM) { number in
      let error = errno
      kill(endingChild.pointee, number)
      errno = error
    }
    defer { _ = signal(SIGTERM, handler) }
    return wait(for: child)
  }

  /// Starts a program, found by `PATH`, that reads its standard input until the end. It has its own process group, so
  /// that a Ctrl-C at the terminal does not reach it; its output is discarded.
  /// - Parameters:
  ///   - arguments: The arguments, with the program's name first.
  ///   - hidden: The names of variables that it does not get.
  /// - Returns: The process id, and the writing end of a pipe to its standard input. The input ends when the pipe is
  ///   closed, or with this process.
  public static func startReader(
    _ program: String, _ arguments: [String], without hidden: [String] = []
  ) throws(SystemError) -> (process: Int32, input: Int32) {
    var ends: [Int32] = [-1, -1]
    guard privatePipe(&ends) == 0 else { throw SystemError("pipe") }
    defer { close(ends[0]) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    resetSignals(&attributes)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var variables = environment(without: hidden)
    var child: pid_t = 0
    let error = posix_spawnp(&child, program, &actions, &attributes, &words, &variables)
    guard error == 0 else {
      close(ends[1])
      throw SystemError("posix_spawn", error)
    }
    return (child, ends[1])
  }

  /// Gives a child the default actions of signals. Signals ignored here would be ignored in the child, too.
  private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
  }

  /// `nil` ends the list.
  private static func environment(without hidden: [String]) -> [UnsafeMutablePointer<CChar>?] {
    let all: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    guard var next = all else { return [nil] }
    let starts = hidden.map { $0 + "=" }
    var kept: [UnsafeMutablePointer<CChar>?] = []
    while let variable = next.pointee {
      if !starts.contains(where: { strncmp(variable, $0, $0.utf8.count) == 0 }) { kept.append(variable) }
      next += 1
    }
    return kept + [nil]
  }

  /// An ended child must not be waited for again.
  public static func hasEnded(_ child: Int32) -> Bool {
    var status: Int32 = 0
    return waitpid(child, &status, WNOHANG) != 0
  }
}

/// The child that gets this process's SIGTERM. A pointer, because debug builds check each access to a variable for
/// exclusivity, which a signal handler may not do.
nonisolated(unsafe) private let endingChild = UnsafeMutablePointer<pid_t>.allocate(capacity: 1)

// MARK: - Differences between systems

/// Creates a pipe that no child inherits, not even one that another thread starts at the same moment.
private func privatePipe(_ ends: inout [Int32]) -> Int32 {
  return pipe2(&ends, O_CLOEXEC)
}
