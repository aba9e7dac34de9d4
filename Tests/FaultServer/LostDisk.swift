// A descriptor without a disk for a while: it looks like a failed write-back.

import Foundation

/// Runs `body` while `descriptor` leads to what cannot be synced.
/// - Throws: what `body` throws; ``POSIXError`` where the system has no descriptors left.
public func withoutDisk(_ descriptor: Int32, _ body: () throws -> Void) throws {
  // O_PATH, which Swift does not see: no sync works by way of such a descriptor.
  let (own, other) = (dup(descriptor), openat(AT_FDCWD, "/", 0o10_000_000))
  defer {
    dup2(own, descriptor)
    close(own)
    close(other)
  }
  guard dup2(other, descriptor) == descriptor else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EBADF) }
  try body()
}
