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

  /// Whether nothing has the path: `ENOENT`, `ENOTDIR`.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
  /// Whether the disk or the user's share of it is full: `ENOSPC`, `EDQUOT`.
  public var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

  /// `ENOENT`.
  public static let noEntry = ENOENT
  public static let noDirectory = ENOTDIR
  public static let exists = EEXIST
  /// `EISDIR`.
  public static let isDirectory = EISDIR
  /// `ENOTEMPTY`: a directory has names in it.
  public static let notEmpty = ENOTEMPTY
  /// `ELOOP`: a link is in the way.
  public static let linkInTheWay = ELOOP
  /// `EXDEV`: the other name is on another file system.
  public static let otherFileSystem = EXDEV
  /// `ENAMETOOLONG`.
  public static let nameTooLong = ENAMETOOLONG
  /// `EILSEQ`: the file system cannot write these characters.
  public static let badCharacters = EILSEQ
  /// `EMLINK`: the file has as many names as it can have.
  public static let tooManyLinks = EMLINK
  /// `EPERM`.
  public static let notPermitted = EPERM
  /// `EROFS`: the file system is read-only.
  public static let readOnly = EROFS
  /// `EFBIG`.
  public static let tooLarge = EFBIG
  /// `EOVERFLOW`: a number does not fit.
  public static let overflow = EOVERFLOW
  /// `EBUSY`.
  public static let busy = EBUSY
  /// `ENOTUNIQ`.
  public static let notUnique = ENOTUNIQ
  /// `EIO`: the device failed.
  public static let device = EIO
  /// `ENXIO`: there is no such place, or nobody at the other end of a pipe.
  public static let noPlace = ENXIO
  /// `ENODATA`.
  public static let noData = ENODATA
  /// `EINVAL`.
  public static let invalid = EINVAL
  /// `EOPNOTSUPP`: the file system lacks this.
  public static let unsupported = EOPNOTSUPP
  /// `ENOSYS`: the kernel lacks this call.
  public static let noCall = ENOSYS
  /// `EADDRINUSE`.
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
