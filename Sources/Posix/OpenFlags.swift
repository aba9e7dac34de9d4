// How a file is opened.

internal import Glibc

/// How a file is opened (`open(2)`). Children never inherit a descriptor.
public struct OpenFlags: OptionSet, Sendable {
  /// The system's bits.
  public let rawValue: Int32
  /// Creates flags from the system's bits.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// For reading, which is also the case without ``writing`` and ``both``.
  public static let reading = OpenFlags(rawValue: O_RDONLY)
  /// For writing only.
  public static let writing = OpenFlags(rawValue: O_WRONLY)
  /// For reading and writing.
  public static let both = OpenFlags(rawValue: O_RDWR)
  /// Creates a missing file.
  public static let create = OpenFlags(rawValue: O_CREAT)
  /// With ``create``: fails if anything has the name, even a link.
  public static let exclusive = OpenFlags(rawValue: O_EXCL)
  /// Writes at the end.
  public static let append = OpenFlags(rawValue: O_APPEND)
  /// Fails if the last component is a link.
  public static let noFollow = OpenFlags(rawValue: O_NOFOLLOW)
  /// Does not wait, neither for the other end of a pipe now nor for bytes later.
  public static let nonBlocking = OpenFlags(rawValue: O_NONBLOCK)
  /// Opens directories only.
  public static let directory = OpenFlags(rawValue: O_DIRECTORY)
  /// A terminal does not become this process's own.
  public static let noTerminal = OpenFlags(rawValue: O_NOCTTY)
  /// For reading and writing a file that is created, and nothing that exists.
  public static let new: OpenFlags = [.both, .create, .exclusive, .noFollow]
}

extension System {
  /// Opens a file (`open(2)`). The path need not be UTF-8.
  /// - Parameter mode: The permissions of a created file, before the umask.
  public static func open(
    _ path: UnsafePointer<CChar>, _ flags: OpenFlags, mode: UInt32 = 0
  ) throws(SystemError) -> Int32 {
    try retrying("open") { Glibc.open(path, flags.rawValue | O_CLOEXEC, mode_t(mode)) }
  }

  /// Opens a file in an open directory (`openat(2)`).
  /// - Parameters:
  ///   - mode: The permissions of a created file, before the umask.
  ///   - call: The name of the call in an error.
  public static func open(
    _ name: String, in directory: Int32, _ flags: OpenFlags, mode: UInt32 = 0, as call: String = "open"
  ) throws(SystemError) -> Int32 {
    try retrying(call) { openat(directory, name, flags.rawValue | O_CLOEXEC, mode_t(mode)) }
  }

  /// Opens the file of a descriptor of this process again, with other flags (proc(5)).
  /// - Throws: Always on a system that cannot do that.
  public static func reopen(_ descriptor: Int32, _ flags: OpenFlags) throws(SystemError) -> Int32 {
    #if DRAY_PORTABLE
    throw SystemError("open", SystemError.noCall)
    #else
    try open("/proc/self/fd/\(descriptor)", flags)
    #endif
  }

  /// Whether bytes can be written to an open descriptor (`fcntl(2)`).
  public static func isWritable(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_RDONLY
  }

  /// Makes reads and writes fail instead of waiting (`O_NONBLOCK`), for all who share the open file.
  public static func stopBlocking(_ descriptor: Int32) {
    let flags = fcntl(descriptor, F_GETFL)
    if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
  }
}
