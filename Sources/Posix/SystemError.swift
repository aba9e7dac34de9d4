// The error of a system call as a value.

internal import Glibc

public struct SystemError: Error, Sendable, Equatable {
  public let code: Int32
  /// The name of the call: `write`, `rename`.
  public let call: String

  public init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = code
  }

  /// Takes the code from the present `errno`.
  public init(_ call: String) { self.init(call, errno) }

  public var text: String { String(cString: strerror(code)) }

  public static let noEntry = ENOENT
  public static let noDirectory = ENOTDIR
  public static let exists = EEXIST
  public static let addressInUse = EADDRINUSE
  /// `EADDRNOTAVAIL`: the machine does not have the address.
  public static let noAddress = EADDRNOTAVAIL
  /// `EAFNOSUPPORT`: the machine does not have the address family.
  public static let noFamily = EAFNOSUPPORT
  public static let noAccess = EACCES
  /// `ECONNREFUSED`: nobody listens.
  public static let refused = ECONNREFUSED
  public static let tryAgain = EAGAIN
  public static let noSocket = ENOTSOCK
  /// `EPIPE`: the reader of a pipe or a socket is gone.
  public static let brokenPipe = EPIPE
  public static let noRoom = ENOBUFS
}
