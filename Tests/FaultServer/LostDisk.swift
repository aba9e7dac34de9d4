// Takes the disk from a descriptor for a while, like a failed write-back.

import Foundation

/// Runs `body` while `descriptor` refers to an object that cannot be synced.
/// - Throws: The error of `body`; ``POSIXError`` if the system has no descriptors left.
public func withoutDisk(_ descriptor: Int32, _ body: () throws -> Void) throws {
  // O_PATH, which is not imported: no sync works on such a descriptor.
  let (own, other) = (dup(descriptor), openat(AT_FDCWD, "/", 0o10_000_000))
  defer {
    dup2(own, descriptor)
    close(own)
    close(other)
  }
  guard dup2(other, descriptor) == descriptor else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EBADF) }
  try body()
}
