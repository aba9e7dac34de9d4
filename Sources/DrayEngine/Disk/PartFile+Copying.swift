// A part file made out of a file that is there: without copying where the file system can share the bytes.

internal import CLinux
public import DrayCore
internal import Foundation
public import Posix

extension PartFile {
  /// Opens a file that was published, to be read; `nil` if there is none, or what is there is no regular file.
  public static func openPublished(_ name: String, in directory: TargetDirectory) throws(SystemError) -> PartFile? {
    guard let file = try open(name, in: directory, O_RDONLY), try file.isRegular() else { return nil }
    return file
  }

  /// Keeps others from doing the same to this file, as long as it is open; `false` if another process does so.
  public func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Copies bytes of `other` to their places. The bytes between them are undefined then. Blocks.
  public func take(_ segments: SegmentSet, from other: PartFile) throws(SystemError) {
    guard !segments.isEmpty else { return }
    if dray_clone(descriptor, other.descriptor) == 0 { return try truncate(to: segments.end) }
    for segment in segments.segments { try copy(segment, from: other) }
  }

  private func copy(_ segment: Segment, from other: PartFile) throws(SystemError) {
    var position = segment.lowerBound
    while position < segment.upperBound {
      var (source, target) = (off_t(position), off_t(position))
      let count = copy_file_range(
        other.descriptor, &source, descriptor, &target, Int(clamping: min(segment.upperBound - position, 1 << 30)), 0)
      if count > 0 {
        position += Int64(count)
      } else if count == 0 || [EXDEV, ENOSYS, EOPNOTSUPP, EINVAL].contains(errno) {
        return try copyByHand(position..<segment.upperBound, from: other)
      } else if errno != EINTR {
        throw SystemError("copy_file_range")
      }
    }
  }

  private func copyByHand(_ segment: Segment, from other: PartFile) throws(SystemError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { memory.deallocate() }
    var position = segment.lowerBound
    while position < segment.upperBound {
      let wanted = min(Int64(memory.count), segment.upperBound - position)
      let count = try other.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[..<Int(wanted)]), at: position)
      guard count > 0 else { throw SystemError("read", EIO) }
      try write(UnsafeRawBufferPointer(rebasing: memory[..<count]), at: position)
      position += Int64(count)
    }
  }
}
