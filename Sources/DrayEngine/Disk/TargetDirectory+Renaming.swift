// Gives a file its name without taking the name from another file, as far as the file system can ensure that.

public import DrayCore
internal import FoundationEssentials
public import Posix
internal import Synchronization

public enum Renaming: Sendable, Equatable {
  /// The file has the name. If nothing was to be replaced, nothing was replaced.
  case asWanted
  /// The file has the name, after a check and a rename. A file that another program created between the two was
  /// replaced.
  case looked
}

extension TargetDirectory {
  /// Renames a file; without `replacing`, fails with `EEXIST` if the new name is taken.
  @discardableResult
  public func rename(_ old: String, to new: String, replacing: Bool) throws(SystemError) -> Renaming {
    if !replacing, let renaming = try renameToFreeName(old, new) { return renaming }
    try System.rename(old, in: descriptor, to: new, in: descriptor)
    return replacing ? .asWanted : .looked
  }

  /// Renames a file if the new name is free: by an exclusive rename, or by a hard link and the removal of the old name.
  /// - Returns: `nil` if the name is free but the file system supports neither way.
  private func renameToFreeName(_ old: String, _ new: String) throws(SystemError) -> Renaming? {
    do throws(SystemError) {
      try LinuxDirectory.renameExclusively(old, in: descriptor, to: new, in: descriptor)
      return .asWanted
    } catch {
      guard RenameRule.mayBeLacking.contains(error.code) else { throw error }
    }
    // A link fails if the name is taken.
    do throws(SystemError) {
      try System.link(old, to: new, in: descriptor)
    } catch {
      // Some file systems without links return EIO.
      guard RenameRule.mayBeLacking.contains(error.code) || error.code == SystemError.device else { throw error }
      do throws(SystemError) { _ = try System.status(new, in: descriptor) } catch {
        guard error.code == SystemError.noEntry else { throw error }
        return nil
      }
      throw SystemError("rename", SystemError.exists)
    }
    try System.unlink(old, in: descriptor)
    return .asWanted
  }

  /// Renames a file over another one, if the other may be replaced. If a program creates a file with this name at the
  /// last moment, that file is not lost.
  /// - Parameter mayBe: Returns whether an existing file may be replaced.
  /// - Returns: Whether a file was replaced; `false` if the name is free, or if the existing file may not be replaced.
  public func replace(
    _ old: String, over new: String, if mayBe: (FileIdentity) -> Bool
  ) throws(SystemError) -> Bool {
    guard let found = identity(of: new), mayBe(found) else { return false }
    do throws(SystemError) { try exchange(old, new) } catch {
      if error.code == SystemError.noEntry { return false }
      guard RenameRule.mayBeLacking.contains(error.code) else { throw error }
      // Without RENAME_EXCHANGE, this replaces any file that is created between the check and the rename.
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

  /// Moves a file here from another directory of the same file system. Fails with `EEXIST` if the name is taken, as far
  /// as the file system can tell.
  func receive(_ old: String, from other: TargetDirectory, as new: String) throws(SystemError) {
    do throws(SystemError) {
      try LinuxDirectory.renameExclusively(old, in: other.descriptor, to: new, in: descriptor)
    } catch {
      guard RenameRule.mayBeLacking.contains(error.code) else { throw error }
      try System.rename(old, in: other.descriptor, to: new, in: descriptor)
    }
  }

  /// Exchanges the names of two files atomically.
  public func exchange(_ one: String, _ other: String) throws(SystemError) {
    try LinuxDirectory.exchange(one, other, in: descriptor)
  }

  /// Checks whether files can be renamed in this directory; called before the first byte of a file. For common file
  /// systems, the answer is known; other file systems are tried once in each process, with an empty file.
  /// - Throws: The error of the rename.
  public func checkRenaming() throws(SystemError) {
    guard !fileSystem.renamesExclusively else { return }
    try RenameRule.tried.withLock { tried throws(SystemError) in
      guard !tried.contains(fileSystem) else { return }
      let names = (0..<2).map { _ in ".\(UUID().uuidString).part" }
      System.close(try System.open(names[0], in: descriptor, .new, mode: 0o600))
      do throws(SystemError) { try rename(names[0], to: names[1], replacing: false) } catch {
        for name in names { try? remove(name) }
        throw error
      }
      try remove(names[1])
      tried.insert(fileSystem)
    }
  }
}

private enum RenameRule {
  /// The errors of file systems that lack exclusive renames, exchanges, or hard links.
  static let mayBeLacking: Set<Int32> = LinuxDirectory.lacking.union([SystemError.tooManyLinks])
  /// The file systems on which renames were tried.
  static let tried = Mutex<Set<FileSystem>>([])
}
