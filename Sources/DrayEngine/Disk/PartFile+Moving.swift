// Moves a part file to another directory. Within a file system, the file is renamed. Otherwise it is copied, and the
// old file is removed once the job store has recorded the move.

public import DrayCore
public import Posix

/// A job's part file on its way between two directories. Each step may be repeated.
public struct MovedPart: Sendable {
  private let name: String
  private let from: TargetDirectory
  private let to: TargetDirectory

  public init(_ name: String, from: TargetDirectory, to: TargetDirectory) {
    (self.name, self.from, self.to) = (name, from, to)
  }

  /// Moves or copies the file, or its recorded bytes, durably into the new directory. After a copy, both directories
  /// have the file.
  /// - Parameters:
  ///   - segments: The recorded bytes.
  ///   - store: The job store that owns the file, for the label of a copy.
  public func bring(_ segments: SegmentSet, store: String) throws(SystemError) {
    do throws(SystemError) {
      // This is reached only without exclusive renames: the name was free when it was checked, and no other job uses
      // it.
      try to.receive(name, from: from, as: name)
    } catch {
      guard error.code == SystemError.otherFileSystem else { throw error }
      return try copy(segments, store: store)
    }
    try syncBoth()
  }

  /// Removes the old file after a copy; does nothing after a rename.
  public func removeOld() throws(SystemError) { try remove(from) }

  public func takeBack() throws(SystemError) {
    if from.exists(name) { return try remove(to) }
    do throws(SystemError) {
      try LinuxDirectory.renameExclusively(name, in: to.descriptor, to: name, in: from.descriptor)
    } catch {
      if LinuxDirectory.lacking.contains(error.code) {
        try System.rename(name, in: to.descriptor, to: name, in: from.descriptor)
      } else if error.code != SystemError.noEntry, error.code != SystemError.exists {
        throw error
      }
    }
    try syncBoth()
  }

  /// Syncs the new directory first, so that after a power cut at least one of the directories has the file.
  private func syncBoth() throws(SystemError) {
    try to.sync()
    try from.sync()
  }

  private func remove(_ directory: TargetDirectory) throws(SystemError) {
    guard directory.exists(name) else { return }
    try directory.remove(name)
    try directory.sync()
  }

  private func copy(_ segments: SegmentSet, store: String) throws(SystemError) {
    guard let old = try PartFile.open(name, in: from, store: store) else {
      throw SystemError("open", SystemError.noEntry)
    }
    do throws(SystemError) {
      let new = try PartFile.create(name, in: to, store: store)
      try new.take(segments, from: old)
      new.putLabel()
      try new.sync()
      try to.sync()
    } catch {
      // An incomplete copy is useless. If it cannot be removed, ``removeOld()`` or the end of the move removes it.
      try? remove(to)
      throw error
    }
  }
}

extension TargetDirectory {
  /// Whether both are the same directory, by device and inode, not by path.
  public func isSame(as other: TargetDirectory) -> Bool {
    guard let here = try? System.status(descriptor), let there = try? System.status(other.descriptor) else {
      return false
    }
    return here.isSame(as: there)
  }
}
