// Finds out the abilities of a directory's file system by trying them.

internal import CLinux
public import DrayCore
internal import FoundationEssentials
internal import Glibc
public import Posix

extension TargetDirectory {
  /// Tries the abilities with temporary files.
  /// - Throws: An error if no file can be created.
  public func tryOut() throws(SystemError) -> DirectoryAbilities {
    let names = (0..<3).map { _ in ".\(UUID().uuidString).part" }
    let file = openat(descriptor, names[0], O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SystemError("create") }
    defer {
      close(file)
      for name in names { unlinkat(descriptor, name, 0) }
    }
    let length = 4 << 20
    var status = stat()
    let hasHoles =
      pwrite(file, "x", 1, off_t(length - 1)) == 1 && fstat(file, &status) == 0
      && Int(status.st_blocks) * 512 < length / 2
    let hasLinks = linkat(descriptor, names[0], descriptor, names[1], 0) == 0
    if !hasLinks {
      let other = openat(descriptor, names[1], O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      if other >= 0 { close(other) }
    }
    // The rename must fail if the new name is taken, and succeed if that name is free.
    let refuses = renameat2(descriptor, names[0], descriptor, names[1], 1) != 0 && errno == EEXIST
    let renames = renameat2(descriptor, names[0], descriptor, names[2], 1) == 0
    return DirectoryAbilities(
      freeSpace: freeSpace, hasLinks: hasLinks, renamesExclusively: refuses && renames, hasHoles: hasHoles,
      canBeSynced: fileSystem.canBeSynced)
  }
}
