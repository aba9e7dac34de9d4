// Finds the data of a file, as far as its file system reports holes.

internal import DrayCore
internal import Glibc

extension PartFile {
  func dataSegments(in range: Segment) -> [Segment] {
    var found: [Segment] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let lower = lseek(descriptor, off_t(position), SeekFlag.data)
      // ENXIO means no more data. After any other error, reading zeros will show the holes.
      guard lower >= 0 else { return errno == ENXIO ? found : found + [position..<range.upperBound] }
      let hole = lseek(descriptor, lower, SeekFlag.hole)
      let upper = hole < 0 ? range.upperBound : min(Int64(hole), range.upperBound)
      guard Int64(lower) < upper else { break }
      found.append(Int64(lower)..<upper)
      position = upper
    }
    return found
  }
}

private enum SeekFlag {
  /// `SEEK_DATA` and `SEEK_HOLE` of lseek(2), which Swift cannot import without _GNU_SOURCE.
  static let (data, hole): (Int32, Int32) = (3, 4)
}
