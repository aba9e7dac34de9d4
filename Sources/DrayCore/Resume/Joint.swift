// Joints: positions where bytes of a new connection follow kept bytes (P18).

/// The proof of a joint. The request begins before the joint, and these bytes are compared before anything of the
/// answer counts. If they differ, the joint moves back, step by step, until it holds.
public enum Joint {
  /// The number of bytes before a joint that are compared.
  public static let overlap: Int64 = 64 << 10
  /// The number of bytes that each step back gives up, counted from the first joint.
  static let steps: [Int64] = [0, 1 << 20, 8 << 20]

  /// Returns the end of the bytes of `run` that still count after its joint moved back `step` times. If none count,
  /// this is the start of the run.
  /// - Parameter unit: The bytes that are kept or given up together.
  public static func end(of run: Segment, after step: Int, unit: Int64 = 1) -> Int64 {
    guard step < steps.count else { return run.lowerBound }
    let end = run.upperBound - steps[max(0, step)]
    return max(run.lowerBound, step > 0 && unit > 1 ? end / unit * unit : end)
  }

  /// Returns the bytes before `joint`, within `run`, to compare; empty if the run begins at the joint.
  public static func compared(before joint: Int64, in run: Segment) -> Segment {
    max(run.lowerBound, joint - overlap)..<max(run.lowerBound, joint)
  }
}
