// The place where bytes are added behind bytes of another connection or another time, and how it is proved (P18).

/// The proof of a joint: the request begins before it, and these bytes are compared before anything of the answer counts.
/// Where they differ the joint moves back, step by step, until it holds.
public enum Joint {
  /// Bytes before a joint that are compared.
  public static let overlap: Int64 = 64 << 10
  /// How many bytes are given up at each step back, counted from the first joint.
  static let steps: [Int64] = [0, 1 << 20, 8 << 20]

  /// The end of what is believed of `run` after the joint at its end moved back `step` times; the start of the run where
  /// nothing of it is.
  public static func end(of run: Segment, after step: Int) -> Int64 {
    guard step < steps.count else { return run.lowerBound }
    return max(run.lowerBound, run.upperBound - steps[max(0, step)])
  }

  /// The bytes before `joint` that are compared, within `run`; empty where the run begins there.
  public static func compared(before joint: Int64, in run: Segment) -> Segment {
    max(run.lowerBound, joint - overlap)..<max(run.lowerBound, joint)
  }
}
