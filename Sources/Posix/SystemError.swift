// The error of a system call as a value.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The error of one system call.
public struct SystemError: Error, Sendable, Equatable {
  /// The `errno`.
  public let code: Int32
  /// The call: `write`, `rename`.
  public let call: String

  /// Makes an error.
  public init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = code
  }

  /// Makes an error of the `errno` that the call just left.
  public init(_ call: String) { self.init(call, errno) }

  /// The system's message for it (`strerror`).
  public var text: String { String(cString: strerror(code)) }

  /// `ENOENT`.
  public static let noEntry = ENOENT
  /// `ENOTDIR`.
  public static let noDirectory = ENOTDIR
  /// `EEXIST`.
  public static let exists = EEXIST
  /// `EPIPE`: the reader of a pipe or a socket has gone.
  public static let brokenPipe = EPIPE
}
