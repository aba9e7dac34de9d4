// Creates a part file from an existing file; the two files share their bytes if the file system supports that.

public import DrayCore
public import Posix

extension PartFile {
  /// Opens a published file; `nil` if it is missing or not regular.
  public static func openPublished(_ name: String, in directory: TargetDirectory) throws(SystemError) -> PartFile? {
    guard let file = try open(name, in: directory, .reading), try file.isRegular() else { return nil }
    return file
  }

  public func start(_ limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(clamping: max(0, min(Int64(limit), try identity().size))))
    let count: Result<Int, SystemError> = bytes.withUnsafeMutableBytes { buffer in
      do throws(SystemError) { return .success(try read(into: buffer, at: 0)) } catch { return .failure(error) }
    }
    bytes.removeLast(bytes.count - (try count.get()))
    return bytes
  }

  /// The number of bytes to copy between two checks for cancellation.
  private static let copyStep: Int64 = 64 << 20

  /// Copies segments of `other` to the same positions. Afterwards, the bytes between the segments are undefined. The
  /// call blocks the calling thread.
  /// - Returns: `false` once `isCancelled` is true.
  @discardableResult
  public func take(
    _ segments: SegmentSet, from other: PartFile, isCancelled: () -> Bool = { false }
  ) throws(SystemError) -> Bool {
    guard !segments.isEmpty else { return true }
    if LinuxFile.share(other.descriptor, with: descriptor) {
      try truncate(to: segments.end)
      return true
    }
    for segment in segments.segments {
      var lower = segment.lowerBound
      while lower < segment.upperBound {
        if isCancelled() { return false }
        let upper = min(lower + PartFile.copyStep, segment.upperBound)
        try copy(lower..<upper, from: other)
        lower = upper
      }
    }
    return true
  }

  /// Copies the bytes of a part file durably to a new file with another name and inode. If this job store is a copy or a
  /// backup, the old file may belong to the original store.
  /// - Returns: `nil` if `isCancelled` became true, and then no new file remains; `false` if the old file does not exist.
  static func copy(
    _ name: String, to new: String, _ segments: SegmentSet, in directory: TargetDirectory, store: String?,
    isCancelled: () -> Bool
  ) throws(SystemError) -> Bool? {
    guard let old = try open(name, in: directory, .reading), try old.isRegular() else { return false }
    let copy = try create(new, in: directory, store: store)
    do throws(SystemError) {
      let present = segments.clamped(to: 0..<(try old.identity().size))
      guard try copy.take(present, from: old, isCancelled: isCancelled) else {
        try directory.remove(new)
        return nil
      }
      copy.putLabel()
      try copy.sync()
      try directory.sync()
    } catch {
      // An incomplete copy is useless. If it cannot be removed, the next copy replaces it.
      try? directory.remove(new)
      throw error
    }
    return true
  }

  private func copy(_ segment: Segment, from other: PartFile) throws(SystemError) {
    var position = segment.lowerBound
    while position < segment.upperBound {
      let rest = position..<segment.upperBound
      guard let count = try LinuxFile.copy(rest, of: other.descriptor, to: descriptor) else {
        return try copyByHand(rest, from: other)
      }
      position += count
    }
  }

  private func copyByHand(_ segment: Segment, from other: PartFile) throws(SystemError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { memory.deallocate() }
    var position = segment.lowerBound
    while position < segment.upperBound {
      let wanted = min(Int64(memory.count), segment.upperBound - position)
      let count = try other.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[..<Int(wanted)]), at: position)
      guard count > 0 else { throw SystemError("read", SystemError.device) }
      try write(UnsafeRawBufferPointer(rebasing: memory[..<count]), at: position)
      position += Int64(count)
    }
  }
}
