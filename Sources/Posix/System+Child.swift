internal import CLinux
internal import Glibc

/// A program to start as a child of this process.
public struct ChildStart: Sendable {
  /// Begins with the program's name.
  public var words: [String]
  /// `nil` to find the program by `PATH`.
  public var path: String?
  /// `nil` for this process's. A relative ``path`` begins at the working directory.
  public var directory: String?
  /// In addition to the environment of this process.
  public var variables: [String: String] = [:]
  /// Whether the child gets the environment of this process. Otherwise it gets only ``variables``.
  public var inheritsEnvironment = true
  /// The names of this process's variables that the child does not get.
  public var hidden: [String] = []
  /// The descriptors of the child's standard input, output and error; `nil` for this process's.
  public var input: Int32?
  public var output: Int32?
  public var error: Int32?
  public var group = Group.ofThis

  public enum Group: Sendable {
    /// The group of this process.
    case ofThis
    /// A new group. A Ctrl-C at the terminal does not reach the child, and a signal to the group also reaches the
    /// child's children.
    case own
    /// A new group in a new session, without a terminal. Signals that are ignored here stay ignored, as for `nohup`.
    case ofNewSession
  }

  /// Creates a start with all else as in this process.
  public init(_ words: [String], path: String? = nil) { (self.words, self.path) = (words, path) }
}

extension System {
  /// Starts a program without a shell. The child inherits no descriptors except its standard input, output and error.
  /// - Returns: The process id, for ``wait(for:)``.
  public static func start(_ child: ChildStart) throws(SystemError) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // Signals ignored here would be ignored in the child, too.
    let reset = child.group == .ofNewSession ? [SIGPIPE] : [SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT]
    for number in reset { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group: Int32 =
      switch child.group {
      case .ofThis: 0
      case .own: Int32(POSIX_SPAWN_SETPGROUP)
      // POSIX_SPAWN_SETSID, which is missing in the Glibc module.
      case .ofNewSession: 0x80
      }
    posix_spawnattr_setflags(&attributes, Int16(Int32(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | group))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [child.input, child.output, child.error].enumerated() {
      if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number)) }
    }
    #if DRAY_PORTABLE
    for open in 3..<Int32(min(descriptorLimit ?? 1024, 1024)) where fcntl(open, F_GETFD) == 0 {
      posix_spawn_file_actions_addclose(&actions, open)
    }
    #else
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    #endif
    if let directory = child.directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }
    var words = child.words.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var variables = child.inheritsEnvironment ? environment(without: child.hidden + child.variables.keys) : [nil]
    let added = child.variables.map { strdup("\($0.key)=\($0.value)") }
    defer { for variable in added { free(variable) } }
    variables.insert(contentsOf: added, at: 0)
    var process: pid_t = 0
    let error =
      if let path = child.path { posix_spawn(&process, path, &actions, &attributes, &words, &variables) } else {
        posix_spawnp(&process, child.words.first ?? "", &actions, &attributes, &words, &variables)
      }
    guard error == 0 else { throw SystemError("posix_spawn", error) }
    return process
  }

  /// Runs a program that uses the terminal, and waits for its end. Keyboard interrupts go to the program only.
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
    var program = ChildStart(arguments, path: path)
    if output != 1 { program.output = output }
    let before = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
    defer {
      _ = signal(SIGINT, before.0)
      _ = signal(SIGQUIT, before.1)
    }
    let child = try start(program)
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

  /// Starts a program, found by `PATH`, that reads its standard input until the end. The program leads its own process
  /// group, and its output is discarded.
  /// - Parameters:
  ///   - words: The arguments, with the program's name first.
  ///   - hidden: The names of variables that the program does not get.
  /// - Returns: The process id, and the writing end of a pipe to its standard input. The input ends when the pipe is
  ///   closed, or with this process.
  public static func startReader(
    _ words: [String], without hidden: [String] = []
  ) throws(SystemError) -> (process: Int32, input: Int32) {
    let nothing = try open("/dev/null", .writing)
    defer { close(nothing) }
    let pipe = try pipe()
    defer { close(pipe.reader) }
    var program = ChildStart(words)
    (program.hidden, program.group) = (hidden, .own)
    (program.input, program.output, program.error) = (pipe.reader, nothing, nothing)
    do throws(SystemError) { return (try start(program), pipe.writer) } catch {
      close(pipe.writer)
      throw error
    }
  }

  /// Creates a pipe that no child inherits, not even one that another thread starts at the same moment.
  public static func pipe() throws(SystemError) -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError("pipe") }
    return (ends[0], ends[1])
  }

  /// Sends a signal to a process group; `0` only asks.
  /// - Returns: Whether the group has a process.
  @discardableResult public static func signalGroup(_ group: Int32, _ number: Int32) -> Bool {
    kill(-group, number) == 0
  }

  /// `nil` ends the list.
  static func environment(without hidden: [String] = []) -> [UnsafeMutablePointer<CChar>?] {
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

  /// Returns the exit status, or 128 plus the signal that ended the child.
  public static func wait(for child: Int32) -> Int32 {
    switch end(of: child) {
    case .exited(let status): status
    case .signalled(let number): 128 + number
    }
  }

  public enum ChildEnd: Sendable, Equatable {
    case exited(Int32)
    case signalled(Int32)
  }

  public static func end(of child: Int32) -> ChildEnd {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signalled(status & 0x7F)
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
