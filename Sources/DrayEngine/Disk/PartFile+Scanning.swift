// Finds the data of a file by skipping the holes that its file system reports.

internal import DrayCore
internal import Posix

extension PartFile {
  func dataSegments(in range: Segment) -> [Segment] {
    var found: [Segment] = []
    var position = range.lowerBound
    while position < range.upperBound {
      let next: (start: Int64, end: Int64?)?
      do throws(SystemError) { next = try LinuxFile.data(from: position, of: descriptor) } catch {
        // Treat the rest as data: any holes in it are read as zeros.
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
