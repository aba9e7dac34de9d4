// A joint: the position where bytes of a new connection follow kept bytes. Proves joints (P18).

/// The proof of a joint: the request begins before it, and these bytes are compared before anything of the answer counts.
/// Where they differ the joint moves back, step by step, until it holds.
public enum Joint {
  /// The number of bytes before a joint that are compared.
  public static let overlap: Int64 = 64 << 10
  /// Bytes that each step back gives up, counted from the first joint.
  static let steps: [Int64] = [0, 1 << 20, 8 << 20]

  /// The end of the believed bytes of `run` after its joint moved back `step` times; the start of the run if none are
  /// believed.
  public static func end(of run: Segment, after step: Int) -> Int64 {
    guard step < steps.count else { return run.lowerBound }
    return max(run.lowerBound, run.upperBound - steps[max(0, step)])
  }

  /// The bytes before `joint`, within `run`, that are compared; empty if the run begins at the joint.
  public static func compared(before joint: Int64, in run: Segment) -> Segment {
    max(run.lowerBound, joint - overlap)..<max(run.lowerBound, joint)
  }
}
