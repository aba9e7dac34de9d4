// A part file that goes to another directory: renamed on one file system, else copied, and removed when the job store knows.

internal import CLinux
public import DrayCore
internal import Glibc
public import Posix

/// The part file of a job and the two directories of its move. Each step may be repeated.
public struct MovedPart: Sendable {
  private let name: String
  private let from: TargetDirectory
  private let to: TargetDirectory

  /// - Parameter name: the name of the part file.
  public init(_ name: String, from: TargetDirectory, to: TargetDirectory) {
    (self.name, self.from, self.to) = (name, from, to)
  }

  /// Brings the file, or what is claimed of it, into the new directory, durably. Where it had to be copied it is in both then.
  /// - Parameters:
  ///   - segments: the bytes that are claimed.
  ///   - store: the job store that it belongs to, for the label of a copy.
  public func bring(_ segments: SegmentSet, store: String) throws(SystemError) {
    if renameat2(from.descriptor, name, to.descriptor, name, 1) == 0 { return try syncBoth() }
    switch errno {
    case EXDEV: return try copy(segments, store: store)
    // No exclusive renames here: nothing has the name there, which was looked at before, and which no other job uses.
    case EINVAL, ENOSYS, EOPNOTSUPP, EPERM:
      guard renameat(from.descriptor, name, to.descriptor, name) == 0 else {
        guard errno == EXDEV else { throw SystemError("rename") }
        return try copy(segments, store: store)
      }
      try syncBoth()
    default: throw SystemError("rename")
    }
  }

  /// Removes what is left in the old directory after a copy; nothing where the file was renamed.
  public func removeOld() throws(SystemError) { try remove(from) }

  /// Takes the file back to the old directory.
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

  /// The new directory first: a power cut leaves the file at least one of its names.
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
      // Half of a copy is nothing; what cannot be removed now is removed with the move.
      try? remove(to)
      throw error
    }
  }
}

extension TargetDirectory {
  /// Whether this is the same directory as another, by whichever paths.
  public func isSame(as other: TargetDirectory) -> Bool {
    var (here, there) = (stat(), stat())
    return fstat(descriptor, &here) == 0 && fstat(other.descriptor, &there) == 0 && here.st_ino == there.st_ino
      && here.st_dev == there.st_dev
  }
}
