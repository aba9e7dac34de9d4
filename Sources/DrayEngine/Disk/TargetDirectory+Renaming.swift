// Giving a file its name without taking one from another, as well as the file system can.

internal import CLinux
public import DrayCore
internal import FoundationEssentials
internal import Glibc
public import Posix
internal import Synchronization

/// How a name was given.
public enum Renaming: Sendable, Equatable {
  /// As it was wanted: if nothing was to be replaced, nothing can have been.
  case asWanted
  /// The file system could only look first and rename then: what another program put there in that moment was replaced.
  case looked
}

extension TargetDirectory {
  /// Gives a file another name in this directory; without `replacing`, fails with `EEXIST` if there is anything.
  @discardableResult
  public func rename(_ old: String, to new: String, replacing: Bool) throws(SystemError) -> Renaming {
    if replacing {
      guard renameat(descriptor, old, descriptor, new) == 0 else { throw SystemError("rename") }
      return .asWanted
    }
    guard renameat2(descriptor, old, descriptor, new, RenameFlag.noReplace) != 0 else { return .asWanted }
    guard RenameFlag.mayBeLacking.contains(errno) else { throw SystemError("rename") }
    // A file system without RENAME_NOREPLACE: a second link fails just so if the name is taken.
    if linkat(descriptor, old, descriptor, new, 0) == 0 {
      guard unlinkat(descriptor, old, 0) == 0 else { throw SystemError("unlink") }
      return .asWanted
    }
    // Some file systems without links return EIO.
    guard RenameFlag.mayBeLacking.contains(errno) || errno == EIO else { throw SystemError("link") }
    // One without hard links, too.
    var info = stat()
    guard fstatat(descriptor, new, &info, AT_SYMLINK_NOFOLLOW) != 0 else { throw SystemError("rename", EEXIST) }
    guard errno == ENOENT else { throw SystemError("stat") }
    guard renameat(descriptor, old, descriptor, new) == 0 else { throw SystemError("rename") }
    return .looked
  }

  /// Renames a file over another one, if that may be replaced. A file that a program puts there at the last moment is
  /// not lost.
  /// - Parameter mayBe: whether a file may be replaced.
  /// - Returns: whether it was done; `false` if the name is free or not a replaceable file's.
  public func replace(
    _ old: String, over new: String, if mayBe: (FileIdentity) -> Bool
  ) throws(SystemError) -> Bool {
    guard let found = identity(of: new), mayBe(found) else { return false }
    guard renameat2(descriptor, old, descriptor, new, RenameFlag.exchange) == 0 else {
      if errno == ENOENT { return false }
      guard RenameFlag.mayBeLacking.contains(errno) else { throw SystemError("rename") }
      // A file system without RENAME_EXCHANGE: the moment between check and rename cannot be guarded.
      try rename(old, to: new, replacing: true)
      return true
    }
    if let replaced = identity(of: old), mayBe(replaced) {
      try remove(old)
      return true
    }
    try exchange(old, new)
    return false
  }

  /// Exchanges the names of two files atomically.
  public func exchange(_ one: String, _ other: String) throws(SystemError) {
    guard renameat2(descriptor, one, descriptor, other, RenameFlag.exchange) == 0 else { throw SystemError("rename") }
  }

  /// Finds out whether files can be given names here, before the first byte of one comes. Of the usual file systems that is
  /// known; of another it is tried once a process, with an empty file.
  /// - Throws: the error with which it cannot be done.
  public func checkRenaming() throws(SystemError) {
    guard !fileSystem.renamesExclusively else { return }
    try RenameFlag.tried.withLock { tried throws(SystemError) in
      guard !tried.contains(fileSystem) else { return }
      let names = (0..<2).map { _ in ".\(UUID().uuidString).part" }
      let file = openat(descriptor, names[0], O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw SystemError("open") }
      close(file)
      do throws(SystemError) { try rename(names[0], to: names[1], replacing: false) } catch {
        for name in names { try? remove(name) }
        throw error
      }
      try remove(names[1])
      tried.insert(fileSystem)
    }
  }
}

private enum RenameFlag {
  /// `RENAME_NOREPLACE` of renameat2(2), a macro that Swift does not see.
  static let noReplace: UInt32 = 1
  /// `RENAME_EXCHANGE`, likewise.
  static let exchange: UInt32 = 2
  /// What file systems answer that know no such rename, or no hard links.
  static let mayBeLacking: Set<Int32> = [EPERM, EOPNOTSUPP, ENOSYS, EINVAL, EMLINK]
  /// The file systems on which it was tried.
  static let tried = Mutex<Set<FileSystem>>([])
}
