// The error of a system call as a value.

import Glibc

/// The error of a system call.
public struct SystemError: Error, Sendable, Equatable {
  /// The `errno`.
  public let code: Int32
  /// The name of the call: `write`, `rename`.
  public let call: String

  /// Creates an error.
  public init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = code
  }

  /// Creates an error from the present `errno`.
  public init(_ call: String) { self.init(call, errno) }

  /// The system's message (`strerror`).
  public var text: String { String(cString: strerror(code)) }

  /// `ENOENT`.
  public static let noEntry = ENOENT
  /// `ENOTDIR`.
  public static let noDirectory = ENOTDIR
  /// `EEXIST`.
  public static let exists = EEXIST
  /// `EADDRINUSE`.
  public static let addressInUse = EADDRINUSE
  /// `EADDRNOTAVAIL`: the machine does not have the address.
  public static let noAddress = EADDRNOTAVAIL
  /// `EAFNOSUPPORT`: the machine does not have the address family.
  public static let noFamily = EAFNOSUPPORT
  /// `EACCES`.
  public static let noAccess = EACCES
  /// `ECONNREFUSED`: nobody listens.
  public static let refused = ECONNREFUSED
  /// `EAGAIN`.
  public static let tryAgain = EAGAIN
  /// `ENOTSOCK`.
  public static let noSocket = ENOTSOCK
  /// `EPIPE`: the reader of a pipe or a socket is gone.
  public static let brokenPipe = EPIPE
  /// `ENOBUFS`.
  public static let noRoom = ENOBUFS
}
