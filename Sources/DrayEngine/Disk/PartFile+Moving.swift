// Moves a part file to another directory: renames it within a file system, otherwise copies it, and removes the old
// file once the job store has recorded the move.

internal import CLinux
public import DrayCore
internal import Glibc
public import Posix

/// Moves a job's part file between two directories. Each step may be repeated.
public struct MovedPart: Sendable {
  private let name: String
  private let from: TargetDirectory
  private let to: TargetDirectory

  public init(_ name: String, from: TargetDirectory, to: TargetDirectory) {
    (self.name, self.from, self.to) = (name, from, to)
  }

  /// Brings the file, or its claimed bytes, into the new directory, durably. After a copy both directories have it.
  /// - Parameters:
  ///   - segments: The claimed bytes.
  ///   - store: The job store that owns the file, for the label of a copy.
  public func bring(_ segments: SegmentSet, store: String) throws(SystemError) {
    if renameat2(from.descriptor, name, to.descriptor, name, 1) == 0 { return try syncBoth() }
    switch errno {
    case EXDEV: return try copy(segments, store: store)
    // This file system has no exclusive renames. The name was checked to be free, and no other job uses it.
    case EINVAL, ENOSYS, EOPNOTSUPP, EPERM:
      guard renameat(from.descriptor, name, to.descriptor, name) == 0 else {
        guard errno == EXDEV else { throw SystemError("rename") }
        return try copy(segments, store: store)
      }
      try syncBoth()
    default: throw SystemError("rename")
    }
  }

  /// Removes the old file after a copy. Does nothing after a rename.
  public func removeOld() throws(SystemError) { try remove(from) }

  public func takeBack() throws(SystemError) {
    if from.exists(name) { return try remove(to) }
    guard renameat2(to.descriptor, name, from.descriptor, name, 1) == 0 || errno == ENOENT || errno == EEXIST else {
      let error = SystemError("rename")
      guard [EINVAL, ENOSYS, EOPNOTSUPP, EPERM].contains(error.code) else { throw error }
      guard renameat(to.descriptor, name, from.descriptor, name) == 0 else { throw SystemError("rename") }
      return try syncBoth()
    }
    try syncBoth()
  }

  /// Syncs the new directory first, so that a power cut leaves the file at least one of its names.
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
    guard let old = try PartFile.open(name, in: from, store: store) else { throw SystemError("open", ENOENT) }
    do throws(SystemError) {
      let new = try PartFile.create(name, in: to, store: store)
      try new.take(segments, from: old)
      new.putLabel()
      try new.sync()
      try to.sync()
    } catch {
      // Half a copy is useless. If this removal fails, ``removeOld()`` or the end of the move removes it.
      try? remove(to)
      throw error
    }
  }
}

extension TargetDirectory {
  /// By device and inode, not by path.
  public func isSame(as other: TargetDirectory) -> Bool {
    var (here, there) = (stat(), stat())
    return fstat(descriptor, &here) == 0 && fstat(other.descriptor, &there) == 0 && here.st_ino == there.st_ino
      && here.st_dev == there.st_dev
  }
}
