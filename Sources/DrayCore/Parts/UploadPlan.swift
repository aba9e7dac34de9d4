// The parts of a multipart upload: which bytes belong to which part. A part is the smallest piece that an object store
// confirms.

/// Where each part of an upload begins and ends; the numbers of parts begin with 1.
package struct UploadPlan: Sendable, Hashable, Codable {
  /// The minimum size of a part, except for the last one. S3 accepts 5 MiB, but larger parts need fewer requests.
  package static let least: Int64 = 8 << 20
  /// The maximum size of a part that S3 accepts.
  package static let largest: Int64 = 5 << 30
  /// The maximum number of parts that S3 accepts.
  package static let mostParts = 10_000
  /// The number of parts after which the size of further parts doubles, if the file's length is unknown.
  static let growth = 1000

  /// The size of the first parts.
  package let first: Int64
  /// Whether the size doubles after each ``growth`` parts.
  package let grows: Bool

  private init(first: Int64, grows: Bool) { (self.first, self.grows) = (first, grows) }

  /// Creates the plan of a file of this length.
  /// - Returns: `nil` if the file is too long for S3.
  package init?(length: Int64) {
    let needed = max(0, length) / Int64(UploadPlan.mostParts) + (length % Int64(UploadPlan.mostParts) > 0 ? 1 : 0)
    // The size is a whole number of MiB, so that each part ends where a block with a checksum ends.
    let size = max(UploadPlan.least, ((needed + (1 << 20) - 1) >> 20) << 20)
    guard size <= UploadPlan.largest else { return nil }
    self.init(first: size, grows: false)
  }

  /// The plan of a file of unknown length.
  package static let unknownLength = UploadPlan(first: least, grows: true)

  /// The size of each part; `nil` if the size grows.
  package var unit: Int64? { grows ? nil : first }

  /// The number of bytes that all parts together can have.
  package var capacity: Int64 { range(of: UploadPlan.mostParts).upperBound }

  /// Returns the bytes of a part.
  package func range(of number: Int) -> Segment {
    let index = max(0, number - 1)
    guard grows else { return Int64(index) * first..<Int64(index + 1) * first }
    let (step, rest) = (min(index / UploadPlan.growth, 40), Int64(index % UploadPlan.growth))
    let size = min(first << Int64(step), UploadPlan.largest)
    let start = (0..<step).reduce(Int64(0)) {
      $0 + Int64(UploadPlan.growth) * min(first << Int64($1), UploadPlan.largest)
    }
    return start + rest * size..<start + (rest + 1) * size
  }

  /// Returns the number of the part with the byte at `position`; `nil` if that is behind the last possible part.
  package func number(at position: Int64) -> Int? {
    guard position >= 0, position < capacity else { return nil }
    guard grows else { return Int(position / first) + 1 }
    var (start, index) = (Int64(0), 0)
    while true {
      let size = min(first << Int64(index / UploadPlan.growth), UploadPlan.largest)
      let end = start + Int64(UploadPlan.growth) * size
      if position < end { return index + Int((position - start) / size) + 1 }
      (start, index) = (end, index + UploadPlan.growth)
    }
  }

  /// Returns the number of parts of a file of this length. An empty file has one part without bytes.
  package func count(of length: Int64) -> Int { length <= 0 ? 1 : number(at: length - 1) ?? UploadPlan.mostParts + 1 }

  /// Returns the bytes of a part, cut at the length of the file; `nil` for a length that is unknown.
  package func range(of number: Int, in length: Int64?) -> Segment {
    let whole = range(of: number)
    guard let length else { return whole }
    return min(whole.lowerBound, length)..<min(whole.upperBound, max(length, 0))
  }
}
