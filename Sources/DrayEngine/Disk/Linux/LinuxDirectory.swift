// Linux calls on open directories that POSIX lacks, without any decisions.

#if !DRAY_PORTABLE
internal import CLinux
internal import Glibc
internal import Posix

/// Calls on an open directory.
enum LinuxDirectory {
  /// Opens a directory below another one, unless a component is a link (`openat2(2)`).
  /// - Returns: `nil` if a component is missing or a link, or if the kernel or a sandbox lacks the call.
  static func open(_ path: String, beneath directory: Int32) -> Int32? {
    // RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH, macros that Swift cannot import.
    let opened = dray_openat2(directory, path, UInt64(O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0x02 | 0x04 | 0x08)
    return opened < 0 ? nil : opened
  }

  /// Whether renames can have flags, which some file systems refuse or ignore.
  static let hasRenameFlags = true

  /// Renames a file, also into another directory, if the new name is free (`renameat2(2)` with RENAME_NOREPLACE).
  /// - Throws: `EEXIST` if the name is taken; an error of ``lacking`` if the file system cannot do this.
  static func renameExclusively(
    _ name: String, in directory: Int32, to other: String, in target: Int32
  ) throws(SystemError) {
    guard renameat2(directory, name, target, other, 1) == 0 else { throw SystemError("rename") }
  }

  /// Exchanges the names of two files atomically (`renameat2(2)` with RENAME_EXCHANGE).
  /// - Throws: An error of ``lacking`` if the file system cannot do this.
  static func exchange(_ one: String, _ other: String, in directory: Int32) throws(SystemError) {
    guard renameat2(directory, one, directory, other, 2) == 0 else { throw SystemError("rename") }
  }

  /// The errors of file systems without such renames.
  static let lacking: Set<Int32> = [EINVAL, ENOSYS, EOPNOTSUPP, EPERM]

  /// Makes everything on the file system of a directory durable (`syncfs(2)`).
  static func syncFileSystem(_ directory: Int32) throws(SystemError) {
    guard syncfs(directory) == 0 else { throw SystemError("syncfs") }
  }

  /// Whether a directory is marked to fold names (FS_CASEFOLD_FL, read by FS_IOC_GETFLAGS).
  static func isMarkedAsFolding(_ directory: Int32) -> Bool {
    var flags: UInt32 = 0
    return ioctl(directory, 0x8008_6601, &flags) == 0 && flags & 0x4000_0000 != 0
  }
}
#endif
