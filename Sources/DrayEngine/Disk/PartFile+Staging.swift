// Moves a complete part file from the directory of unfinished files to its target's directory: by a rename within a
// file system, by a copy between two. A copy has a separate name until it is durable and compared, so that no attempt
// continues from an incomplete copy (P1, P2).

internal import DrayCore
internal import Posix

extension PartFile {
  private static let comparedStep = 1 << 20

  /// Moves the file into another directory; after a copy, the old file is removed. Each step may be repeated after a
  /// crash: as long as the old file exists, the old file is the valid one.
  /// - Parameters:
  ///   - target: The directory.
  ///   - size: The length of the file.
  ///   - store: The job store that owns the file.
  /// - Returns: The file in `target`; `nil` once `isCancelled` is true, in which case the old file is unchanged.
  func staged(
    to target: TargetDirectory, size: Int64, store: String?, isCancelled: () -> Bool
  ) throws(SystemError) -> PartFile? {
    do throws(SystemError) {
      try move(to: target, name, store: store)
      return self
    } catch {
      guard error.code == SystemError.otherFileSystem else { throw error }
    }
    let copyName = PartName.copy(of: name)
    do throws(SystemError) {
      if let copy = try copied(to: target, copyName, size: size, store: store, isCancelled: isCancelled) { return copy }
    } catch {
      // The copy is incomplete and useless. If it cannot be removed now, it is removed with the job.
      try? target.remove(copyName)
      throw error
    }
    try target.remove(copyName)
    return nil
  }

  private func copied(
    to target: TargetDirectory, _ copyName: String, size: Int64, store: String?, isCancelled: () -> Bool
  ) throws(SystemError) -> PartFile? {
    let (name, old) = (name, directory)
    let copy = try PartFile.create(copyName, in: target, store: store)
    copy.putLabel()
    if size > 0 { try copy.reserve(0..<size) }
    // Bytes that are known to be lost must not be copied. Check before and after the copy, because the write-back goes
    // on.
    try checkWriteBack()
    guard try copy.take(SegmentSet(0..<size), from: self, isCancelled: isCancelled) else { return nil }
    try checkWriteBack()
    try copy.truncate(to: size)
    try copy.sync()
    copy.forgetMemory()
    guard let isEqual = try copy.equals(self, size: size, isCancelled: isCancelled) else { return nil }
    guard isEqual else { throw SystemError("copy", SystemError.device) }
    try copy.move(to: target, name, store: store)
    try target.sync()
    // From now on, the copy is the valid file.
    try old.remove(name)
    try old.sync()
    return copy
  }

  /// Compares the first `size` bytes with those of another file. The call blocks the calling thread.
  /// - Returns: `nil` once `isCancelled` is true.
  private func equals(
    _ other: PartFile, size: Int64, isCancelled: () -> Bool
  ) throws(SystemError) -> Bool? {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * PartFile.comparedStep, alignment: 4096)
    defer { memory.deallocate() }
    var position: Int64 = 0
    while position < size {
      if isCancelled() { return nil }
      let wanted = Int(min(Int64(PartFile.comparedStep), size - position))
      let mine = UnsafeMutableRawBufferPointer(rebasing: memory[..<wanted])
      let theirs = UnsafeMutableRawBufferPointer(rebasing: memory[PartFile.comparedStep...].prefix(wanted))
      guard try read(into: mine, at: position) == wanted, try other.read(into: theirs, at: position) == wanted,
        let one = mine.baseAddress, let two = theirs.baseAddress, System.areEqual(one, two, wanted)
      else { return false }
      position += Int64(wanted)
    }
    return true
  }
}
