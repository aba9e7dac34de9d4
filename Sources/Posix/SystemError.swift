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
  /// `EADDRINUSE`.
  public static let addressInUse = EADDRINUSE
  /// `EADDRNOTAVAIL`: the machine does not have that address.
  public static let noAddress = EADDRNOTAVAIL
  /// `EAFNOSUPPORT`: the machine does not have that family of addresses.
  public static let noFamily = EAFNOSUPPORT
  /// `EACCES`.
  public static let noAccess = EACCES
  /// `ECONNREFUSED`: nobody listens.
  public static let refused = ECONNREFUSED
  /// `EAGAIN`.
  public static let tryAgain = EAGAIN
  /// `ENOTSOCK`.
  public static let noSocket = ENOTSOCK
  /// `EPIPE`: the reader of a pipe or a socket has gone.
  public static let brokenPipe = EPIPE
}
