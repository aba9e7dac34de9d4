// Gives a file its name without taking it from another file, as well as the file system can.

internal import CLinux
public import DrayCore
internal import FoundationEssentials
internal import Glibc
public import Posix
internal import Synchronization

public enum Renaming: Sendable, Equatable {
  /// If no file was to be replaced, none was.
  case asWanted
  /// By a check and a rename. If another program created a file in between, that file was replaced.
  case looked
}

extension TargetDirectory {
  /// Without `replacing`, fails with `EEXIST` if the new name is taken.
  @discardableResult
  public func rename(_ old: String, to new: String, replacing: Bool) throws(SystemError) -> Renaming {
    if replacing {
      guard renameat(descriptor, old, descriptor, new) == 0 else { throw SystemError("rename") }
      return .asWanted
    }
    guard renameat2(descriptor, old, descriptor, new, RenameFlag.noReplace) != 0 else { return .asWanted }
    guard RenameFlag.mayBeLacking.contains(errno) else { throw SystemError("rename") }
    // Without RENAME_NOREPLACE, use a second link, which also fails if the name is taken.
    if linkat(descriptor, old, descriptor, new, 0) == 0 {
      guard unlinkat(descriptor, old, 0) == 0 else { throw SystemError("unlink") }
      return .asWanted
    }
    // Some file systems without links return EIO.
    guard RenameFlag.mayBeLacking.contains(errno) || errno == EIO else { throw SystemError("link") }
    // The file system has no hard links either.
    var info = stat()
    guard fstatat(descriptor, new, &info, AT_SYMLINK_NOFOLLOW) != 0 else { throw SystemError("rename", EEXIST) }
    guard errno == ENOENT else { throw SystemError("stat") }
    guard renameat(descriptor, old, descriptor, new) == 0 else { throw SystemError("rename") }
    return .looked
  }

  /// Renames a file over another one, if the other one may be replaced. A file that a program creates there at the last
  /// moment is not lost.
  /// - Parameter mayBe: Whether a file may be replaced.
  /// - Returns: Whether it was replaced; `false` if the name is free or its file may not be replaced.
  public func replace(
    _ old: String, over new: String, if mayBe: (FileIdentity) -> Bool
  ) throws(SystemError) -> Bool {
    guard let found = identity(of: new), mayBe(found) else { return false }
    guard renameat2(descriptor, old, descriptor, new, RenameFlag.exchange) == 0 else {
      if errno == ENOENT { return false }
      guard RenameFlag.mayBeLacking.contains(errno) else { throw SystemError("rename") }
      // Without RENAME_EXCHANGE, the moment between check and rename is unguarded.
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

  /// Takes a file from another directory of the same file system. Fails with `EEXIST` if the name is taken, unless the
  /// file system cannot tell.
  func receive(_ old: String, from other: TargetDirectory, as new: String) throws(SystemError) {
    guard renameat2(other.descriptor, old, descriptor, new, RenameFlag.noReplace) != 0 else { return }
    guard RenameFlag.mayBeLacking.contains(errno) else { throw SystemError("rename") }
    guard renameat(other.descriptor, old, descriptor, new) == 0 else { throw SystemError("rename") }
  }

  /// Exchanges the names of two files atomically.
  public func exchange(_ one: String, _ other: String) throws(SystemError) {
    guard renameat2(descriptor, one, descriptor, other, RenameFlag.exchange) == 0 else { throw SystemError("rename") }
  }

  /// Checks before the first byte of a file whether files can be renamed here. Common file systems are known; others
  /// are tried once per process, with an empty file.
  /// - Throws: The error of the rename.
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
  /// `RENAME_NOREPLACE` of renameat2(2), a macro that Swift cannot import.
  static let noReplace: UInt32 = 1
  static let exchange: UInt32 = 2
  /// Errors of file systems without such renames or hard links.
  static let mayBeLacking: Set<Int32> = [EPERM, EOPNOTSUPP, ENOSYS, EINVAL, EMLINK]
  static let tried = Mutex<Set<FileSystem>>([])
}
