// The same functions with POSIX calls only, for a build with DRAY_PORTABLE. Calls that only save time report that they
// are not available, as on some file systems of Linux.

#if DRAY_PORTABLE
internal import Glibc
internal import Posix

enum LinuxFile {
  static func writeUncached(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at position: Int64
  ) throws(SystemError) -> Bool { false }

  static func share(_ source: Int32, with target: Int32) -> Bool { false }

  static func copy(_ segment: Range<Int64>, of source: Int32, to target: Int32) throws(SystemError) -> Int64? { nil }

  static func reserve(_ range: Range<Int64>, of descriptor: Int32) throws(SystemError) {}

  static func startWriteBack(_ range: Range<Int64>, of descriptor: Int32) {}

  /// Without this call, only a sync tells whether a write-back failed.
  static func awaitWriteBack(of descriptor: Int32) throws(SystemError) { try System.syncData(descriptor) }

  static func data(from position: Int64, of descriptor: Int32) throws(SystemError) -> (start: Int64, end: Int64?)? {
    throw SystemError("lseek", SystemError.invalid)
  }

  static func replace(_ descriptor: Int32, by other: Int32) throws(SystemError) {
    guard dup2(other, descriptor) >= 0 else { throw SystemError("dup2") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  static func attribute(_ name: String, of descriptor: Int32) -> String? { nil }

  static func setAttribute(_ name: String, _ value: String, of descriptor: Int32) throws(SystemError) {
    throw SystemError("setxattr", SystemError.unsupported)
  }

  static func removeAttribute(_ name: String, of descriptor: Int32) {}
}

enum LinuxDirectory {
  static let hasRenameFlags = false

  static func open(_ path: String, beneath directory: Int32) -> Int32? { nil }

  static func renameExclusively(
    _ name: String, in directory: Int32, to other: String, in target: Int32
  ) throws(SystemError) { throw SystemError("rename", SystemError.unsupported) }

  static func exchange(_ one: String, _ other: String, in directory: Int32) throws(SystemError) {
    throw SystemError("rename", SystemError.unsupported)
  }

  static let lacking: Set<Int32> = [SystemError.unsupported]

  static func syncFileSystem(_ directory: Int32) throws(SystemError) {
    throw SystemError("syncfs", SystemError.noCall)
  }

  static func isMarkedAsFolding(_ directory: Int32) -> Bool { false }
}
#endif
