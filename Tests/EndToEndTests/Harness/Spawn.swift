// Starts programs with posix_spawn: Foundation's Process shares state between concurrent tests.

import Glibc

/// Where a standard stream of a program leads.
enum Stream: Sendable, Equatable {
  /// Nowhere.
  case null
  /// To a file, read as input and written again as output.
  case file(String)
  /// Closed.
  case closed
}

/// The arguments and settings of a new process.
struct Launch: Sendable {
  var path: String
  var arguments: [String]
  var environment: [String: String]
  var directory: String
  var input = Stream.null
  var output = Stream.null
  var errors = Stream.null
  /// The path of a terminal for all streams, which becomes the controlling one.
  var terminal: String?

  /// Starts the program and returns its process id.
  ///
  /// - Throws: `HarnessError` when it cannot be started.
  func start() throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let terminal {
      // A session leader's first terminal becomes its controlling one.
      posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    } else {
      for (descriptor, stream) in [(0, input), (1, output), (2, errors)] as [(Int32, Stream)] {
        Self.add(stream, as: descriptor, to: &actions)
      }
    }

    // The program must not inherit descriptors that other tests have open.
    _ = closeFrom?(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if terminal != nil { flags |= newSession }
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var pid = pid_t()
    // env changes the directory and becomes the program; the spawn action for that is not imported.
    let code = withStrings(["env", "-C", directory, path] + arguments) { argv in
      withStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
        posix_spawn(&pid, "/usr/bin/env", &actions, &attributes, argv, envp)
      }
    }
    guard code == 0 else { throw HarnessError("cannot start \(path): \(String(cString: strerror(code)))") }
    return pid
  }

  private static func add(
    _ stream: Stream, as descriptor: Int32, to actions: inout posix_spawn_file_actions_t
  ) {
    let flags = descriptor == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
    switch stream {
    case .null: posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    case .file(let path): posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
    case .closed: posix_spawn_file_actions_addclose(&actions, descriptor)
    }
  }
}

/// `posix_spawn_file_actions_addclosefrom_np`, which is not imported.
private let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
  unsafeBitCast(
    $0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
}

/// `POSIX_SPAWN_SETSID`, which is not imported.
private let newSession: Int32 = 0x80

/// Runs `body` with `strings` as a C array that ends with a null pointer.
private func withStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
