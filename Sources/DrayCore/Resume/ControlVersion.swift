// Decides whether a control file describes the server's version of a file, before bytes that were found by it count as
// that version (P2, P16).

/// The times that show whether a control file was made for the server's version of a file. A file may change without
/// its length, and its control file may not have been made again.
package struct ControlVersion: Sendable, Equatable {
  /// The time of the described file according to the control file, in seconds since 1970; `nil` if unknown.
  package var described: Int64?
  /// The time of the control file on its server; `nil` if unknown.
  package var control: Int64?
  /// The time of the server's file; `nil` if unknown.
  package var file: Int64?

  /// The number of bytes at a place that is compared. It is small, so that comparing costs little more than the request.
  static let sample: Int64 = 1 << 10
  /// By how many seconds the two times of a file may differ, because some file systems and programs round them.
  static let rounding: Int64 = 1

  /// Creates the times of a control file and its file.
  package init(described: Int64? = nil, control: Int64? = nil, file: Int64? = nil) {
    (self.described, self.control, self.file) = (described, control, file)
  }

  /// Returns why the control file is not used; `nil` if the times do not speak against it. If it describes the time of
  /// the server's file, its own time does not matter.
  /// - Parameters:
  ///   - mode: With `always`, the user takes the responsibility.
  ///   - isProved: Whether a digest that is not from the control file will prove the result.
  package func refusal(mode: ResumeMode, isProved: Bool) -> SeedRefusal? {
    guard mode != .always, !isProved, let file else { return nil }
    if let described {
      let (distance, isTooLarge) = described.subtractingReportingOverflow(file)
      let isSame = !isTooLarge && distance.magnitude <= UInt64(ControlVersion.rounding)
      return isSame ? nil : .otherTime(described: described, file: file)
    }
    guard let control, control < file else { return nil }
    return .olderControl(control, file: file)
  }

  /// Returns the places of the bytes from seeds that are compared with the server's: the start, the middle and the end.
  package static func samples(of seeded: SegmentSet) -> [Segment] {
    ContinuationRule.places(of: seeded, besides: 0..<0, length: sample)
  }
}
