// Finds the data of a file, as far as its file system reports holes.

internal import DrayCore
internal import Posix

extension PartFile {
  func dataSegments(in range: Segment) -> [Segment] {
    var found: [Segment] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let next: (start: Int64, end: Int64?)?
      do throws(SystemError) { next = try LinuxFile.data(from: position, of: descriptor) } catch {
        // For the rest, the holes will show as zeros when the file is read.
        return found + [position..<range.upperBound]
      }
      guard let (lower, hole) = next else { return found }
      let upper = min(hole ?? range.upperBound, range.upperBound)
      guard lower < upper else { break }
      found.append(lower..<upper)
      position = upper
    }
    return found
  }
}
