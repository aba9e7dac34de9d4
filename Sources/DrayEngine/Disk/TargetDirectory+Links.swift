// Symbolic links to published files, and the locks of other programs that make such links.

internal import DrayCore
internal import FoundationEssentials
public import Posix

extension TargetDirectory {
  /// Gives a symbolic link its name in another directory. At any time, either the old or the new link has the name. A
  /// regular file that has the name stays: it is a copy that a program made where links were not possible.
  /// - Parameter text: The way from the other directory to the file.
  /// - Returns: Whether the link was made; `false` if it, or a copy, is there already.
  @discardableResult
  public func publishLink(
    to text: String, as name: String, in other: TargetDirectory
  ) throws(SystemError) -> Bool {
    if let found = try? System.status(name, in: other.descriptor) {
      if found.isRegular { return false }
      guard found.isLink else { throw SystemError("symlink", SystemError.exists) }
      if try System.linkText(name, in: other.descriptor) == text { return false }
    }
    // A program that lists the other directory never sees the temporary name.
    let temporary = ".\(UUID().uuidString).link"
    try System.makeLink(to: text, as: temporary, in: descriptor)
    do throws(SystemError) {
      try System.rename(temporary, in: descriptor, to: name, in: other.descriptor)
    } catch {
      try? remove(temporary)
      throw error
    }
    return true
  }

  /// Moves a file into another directory, and replaces a file that has the name there.
  public func move(_ old: String, to name: String, in other: TargetDirectory) throws(SystemError) {
    try System.rename(old, in: descriptor, to: name, in: other.descriptor)
  }

  /// Opens a file, which is created if it is missing, and locks it (flock).
  /// - Returns: The descriptor; `nil` if another process has the lock. ``unlock(_:)`` releases it.
  public func tryLock(_ name: String) throws(SystemError) -> Int32? {
    let file = try System.open(name, in: descriptor, [.both, .create, .noFollow, .nonBlocking], mode: 0o664)
    do throws(SystemError) {
      if try System.tryLock(file) { return file }
    } catch {
      System.close(file)
      throw error
    }
    System.close(file)
    return nil
  }

  /// Releases a lock.
  public static func unlock(_ file: Int32) { System.unlockAndClose(file) }
}
