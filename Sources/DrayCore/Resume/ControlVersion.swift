// Decides whether a control file describes the server's version of a file, before bytes that were found by it count as
// that version (P2, P16).

/// The times that show whether a control file was made for the server's version of a file. A file may change without
/// its length, and its control file may not have been made again.
///
/// Object stores and releases on GitHub state the time of the upload, which is not the time that the control file
/// describes. Where the times prove nothing, more bytes are compared.
package struct ControlVersion: Sendable, Equatable {
  /// The time of the described file according to the control file, in seconds since 1970; `nil` if unknown.
  package var described: Int64?
  /// The time of the control file on its server; `nil` if unknown.
  package var control: Int64?
  /// Whether the control file came from the origin that has the file, so that their times are comparable.
  package var isBeside: Bool
  /// The time of the server's file; `nil` if unknown.
  package var file: Int64?

  /// The number of bytes at a place that is compared. It is small, so that comparing costs little more than the request.
  static let sample: Int64 = 1 << 10
  /// By how many seconds the two times of a file may differ, because some file systems and programs round them.
  static let rounding: Int64 = 1
  /// The number of places that are compared: if the times agree, and if they prove nothing.
  static let (few, many) = (3, 16)

  /// Creates the times of a control file and its file.
  package init(described: Int64? = nil, control: Int64? = nil, isBeside: Bool = false, file: Int64? = nil) {
    (self.described, self.control, self.isBeside, self.file) = (described, control, isBeside, file)
  }

  /// What becomes of the control file.
  package enum Verdict: Sendable, Equatable {
    /// It is not used.
    case refused(SeedRefusal)
    /// It is used if the bytes at this number of places agree with the server's.
    case compared(places: Int)
  }

  /// Decides by the times. If the control file describes the time of the server's file, its own time does not matter.
  /// - Parameters:
  ///   - mode: With `always`, the user takes the responsibility.
  ///   - isProved: Whether a digest that is not from the control file will prove the result.
  package func verdict(mode: ResumeMode, isProved: Bool) -> Verdict {
    guard !isProved else { return .compared(places: 0) }
    guard mode != .always else { return .compared(places: ControlVersion.few) }
    guard let file else { return .compared(places: ControlVersion.many) }
    if let described {
      let (distance, isTooLarge) = described.subtractingReportingOverflow(file)
      if !isTooLarge, distance.magnitude <= UInt64(ControlVersion.rounding) {
        return .compared(places: ControlVersion.few)
      }
      guard isBeside, let control, control >= file else {
        return .refused(.otherTime(described: described, file: file))
      }
    } else if let control, control < file {
      return .refused(.olderControl(control, file: file))
    }
    return .compared(places: ControlVersion.many)
  }

  /// Returns the places of the bytes from seeds that are compared with the server's. Few places are the start, the
  /// middle and the end; many are spread over all runs of bytes.
  package static func samples(of seeded: SegmentSet, _ count: Int) -> [Segment] {
    guard count > few else { return ContinuationRule.places(of: seeded, besides: 0..<0, length: sample) }
    let all = seeded.segments
    let runs = all.count <= count ? all : (0..<count).map { all[$0 * (all.count - 1) / (count - 1)] }
    var counts = runs.map { _ in 1 }
    for _ in runs.count..<count {
      // The run with the most bytes for each of its places gets a further one.
      let next = runs.indices.max { runs[$0].count / counts[$0] < runs[$1].count / counts[$1] }
      if let next { counts[next] += 1 }
    }
    var wanted = SegmentSet()
    for (index, run) in runs.enumerated() {
      for place in places(of: run, counts[index], isFirst: index == 0, isLast: index == runs.count - 1) {
        wanted.insert(place)
      }
    }
    return wanted.segments
  }

  /// Returns the places in one run. A single place is in the middle, unless the run is the first or the last one.
  private static func places(of run: Segment, _ count: Int, isFirst: Bool, isLast: Bool) -> [Segment] {
    guard count == 1, run.count > sample else { return AdoptionRule.places(of: run, Int64(count), length: sample) }
    let spare = Int64(run.count) - sample
    let lower = run.lowerBound + (isFirst ? 0 : isLast ? spare : spare / 2)
    return [lower..<lower + sample]
  }
}
