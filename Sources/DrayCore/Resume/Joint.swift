// Joints: positions where bytes of a new connection follow kept bytes (P18).

/// The proof of a joint. The request begins before the joint, and the bytes before the joint are compared before any
/// byte of the answer counts. If they differ, the joint moves back, step by step, until they agree.
public enum Joint {
  /// The number of bytes before a joint to compare, unless connections give very few bytes.
  public static let overlap: Int64 = 64 << 10
  /// Bytes to compare when connections give very few.
  static let least: Int64 = 1 << 10
  /// The next connection may repeat one part in this many of the bytes from the last one.
  private static let share: Int64 = 8
  /// Bytes that each step back gives up, counted from the first joint.
  static let steps: [Int64] = [0, 1 << 20, 8 << 20]

  /// Returns the end of the bytes of `run` that still count after the joint moved back `step` times: the start of the
  /// run if none count.
  /// - Parameter unit: The bytes that are kept or given up together.
  public static func end(of run: Segment, after step: Int, unit: Int64 = 1) -> Int64 {
    guard step < steps.count else { return run.lowerBound }
    let end = run.upperBound - steps[max(0, step)]
    return max(run.lowerBound, step > 0 && unit > 1 ? end / unit * unit : end)
  }

  /// Returns the number of bytes to compare after a connection that gave `given` bytes, including repeated ones; `nil`
  /// if unknown. The number is in proportion, so that connections that break after a few kilobytes still bring new
  /// bytes.
  public static func overlap(after given: Int64?) -> Int64 {
    min(overlap, max(least, (given ?? .max) / share))
  }

  /// Returns the bytes before `joint`, within `run`, to compare; empty if the run begins at the joint.
  /// - Parameter given: The number of bytes from the last connection; `nil` if unknown.
  public static func compared(before joint: Int64, in run: Segment, after given: Int64? = nil) -> Segment {
    max(run.lowerBound, joint - overlap(after: given))..<max(run.lowerBound, joint)
  }

  /// This many new bytes make any connection worth its request.
  public static let newGround: Int64 = 64 << 10

  /// Whether a connection that continued kept bytes made progress. An overlap that agreed counts as received. A
  /// connection that brings less than 1 KiB of new bytes and few repeated ones made none: at one connection a second,
  /// that is slower than a stall (P13).
  /// - Parameters:
  ///   - new: The number of new bytes.
  ///   - compared: The number of repeated bytes.
  public static func isProgress(_ new: Int64, compared: Int64) -> Bool {
    new >= least || new > 0 && new + compared >= newGround
  }
}
