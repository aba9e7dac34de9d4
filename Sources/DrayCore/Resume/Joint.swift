// Joints: positions at which bytes of a new connection follow kept bytes (P18).

/// How a joint is proved to be right. The request begins before the joint, and these repeated bytes must agree with the
/// kept ones before any byte of the answer counts. If they differ, the joint moves back step by step until they agree.
public enum Joint {
  /// How many bytes before a joint are compared, unless connections bring very few bytes.
  public static let overlap: Int64 = 64 << 10
  /// How many bytes are compared if connections bring very few.
  static let least: Int64 = 1 << 10
  /// The divisor for the bytes of the last connection that gives how many bytes the next one may repeat.
  private static let share: Int64 = 8
  /// How many bytes are discarded with each step back, counted from the first joint.
  static let steps: [Int64] = [0, 1 << 20, 8 << 20]

  /// Returns where the usable bytes of `run` end after the joint moved back `step` times; the start of the run if none
  /// are usable.
  /// - Parameter unit: The number of bytes that are kept or discarded together.
  public static func end(of run: Segment, after step: Int, unit: Int64 = 1) -> Int64 {
    guard step < steps.count else { return run.lowerBound }
    let end = run.upperBound - steps[max(0, step)]
    return max(run.lowerBound, step > 0 && unit > 1 ? end / unit * unit : end)
  }

  /// Returns how many bytes to compare after a connection that brought `given` bytes, including repeated ones; `nil` if
  /// unknown. The number is in proportion to these bytes, so that connections that break after a few kilobytes still
  /// bring new bytes.
  public static func overlap(after given: Int64?) -> Int64 {
    min(overlap, max(least, (given ?? .max) / share))
  }

  /// Returns the bytes before `joint`, within `run`, to compare; empty if the run begins at the joint.
  /// - Parameter given: How many bytes the last connection brought; `nil` if unknown.
  public static func compared(before joint: Int64, in run: Segment, after given: Int64? = nil) -> Segment {
    max(run.lowerBound, joint - overlap(after: given))..<max(run.lowerBound, joint)
  }

  /// With this number of new bytes, a connection has made progress in any case.
  public static let newGround: Int64 = 64 << 10

  /// Whether a connection that continued kept bytes made progress. Repeated bytes that agreed with the kept ones count
  /// as received. A connection with less than 1 KiB of new bytes and few repeated ones has made no progress: at one
  /// connection per second, that is slower than a transfer that counts as stalled (P13).
  /// - Parameters:
  ///   - new: The number of new bytes.
  ///   - compared: The number of repeated bytes.
  public static func isProgress(_ new: Int64, compared: Int64) -> Bool {
    new >= least || new > 0 && new + compared >= newGround
  }
}
