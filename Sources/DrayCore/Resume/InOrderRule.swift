// Decides how far a file that is still arriving may be written to a pipe. Written bytes cannot be taken back (P2).

/// The rule for writing a file, in order and each byte once, while it arrives.
public struct InOrderRule: Sendable, Equatable {
  /// The next step.
  public enum Step: Sendable, Equatable {
    /// Too few bytes have arrived.
    case wait
    /// The bytes before this position were written once, and arrived again since. They must be compared first.
    case prove(upTo: Int64)
    /// These bytes are next.
    case write(Segment)
    /// All bytes are written.
    case end
    /// The file is shorter than the bytes already written, so it is a different file.
    case changed
  }

  /// The maximum number of bytes to write at once.
  public static let block: Int64 = 256 << 10

  /// The number of bytes that were written.
  public private(set) var written: Int64 = 0
  private var isDoubted = false

  /// Creates the rule for a file of which nothing was written.
  public init() {}

  /// Records that bytes were given up and will arrive again.
  /// - Parameter position: The position of the first of them.
  public mutating func lose(from position: Int64) {
    if position < written { isDoubted = true }
  }

  /// Records that the bytes that arrived again equal those that were written.
  public mutating func prove() { isDoubted = false }

  /// Records that these bytes were written.
  public mutating func write(_ count: Int) { written += Int64(count) }

  /// Returns the next step while the file arrives. Its last bytes are held back, because a cut answer may end with
  /// bytes that are not the file's (P18).
  /// - Parameter front: The position of the first missing byte; `nil` before the first answer.
  public func step(front: Int64?) -> Step {
    guard let front, front - Joint.overlap >= written, front > Joint.overlap else { return .wait }
    return step(upTo: front - Joint.overlap) ?? .wait
  }

  /// Returns the next step once the whole file was checked.
  public func step(size: Int64) -> Step { size < written ? .changed : step(upTo: size) ?? .end }

  private func step(upTo end: Int64) -> Step? {
    if isDoubted { return .prove(upTo: written) }
    return written < end ? .write(written..<min(end, written + InOrderRule.block)) : nil
  }
}
