// Takes over the partial file of another program: the file, what that program recorded about it, and the outcome.

/// A partial file of another program that a job takes over.
public struct Adoption: Sendable, Equatable, Codable {
  private enum CodingKeys: String, CodingKey {
    case path, identity, outcome
    /// The name of this value in stored jobs.
    case control = "claim"
  }

  /// The other program's record of the file.
  public struct ControlFile: Sendable, Equatable, Codable {
    /// The absolute path of the record.
    public var path: String
    /// The length of the whole file.
    public var size: Int64
    /// The bytes that are fetched according to the record.
    public var done: SegmentSet

    /// Creates a record.
    public init(path: String, size: Int64, done: SegmentSet) { (self.path, self.size, self.done) = (path, size, done) }
  }

  /// What became of the file after it was compared with the server's.
  public struct Outcome: Sendable, Equatable, Codable {
    /// The number of bytes that were taken over.
    public var taken: Int64
    /// The number of bytes that were compared with the server's.
    public var compared: Int64
    /// The number of bytes that were dropped because a sample near them differs from the server's.
    public var differing: Int64
    /// The reason why no bytes were taken over, as a clause.
    public var refusal: String?
    /// Whether the other program had not fetched any bytes yet.
    public var wasEmpty: Bool

    /// Creates an outcome.
    public init(
      taken: Int64 = 0, compared: Int64 = 0, differing: Int64 = 0, refusal: String? = nil, wasEmpty: Bool = false
    ) {
      (self.taken, self.compared, self.differing) = (taken, compared, differing)
      (self.refusal, self.wasEmpty) = (refusal, wasEmpty)
    }
  }

  /// The absolute path of the file.
  public var path: String
  /// The identity of the file when the user named it.
  public var identity: FileIdentity
  /// The other program's record of the file, if it keeps one.
  public var control: ControlFile?
  /// What became of the file; `nil` until that is known.
  public var outcome: Outcome?

  /// Creates the adoption of a file.
  public init(path: String, identity: FileIdentity, control: ControlFile? = nil, outcome: Outcome? = nil) {
    (self.path, self.identity, self.control, self.outcome) = (path, identity, control, outcome)
  }

  /// Whether the finished file may replace the partial one. If no bytes were taken over, the partial file may be
  /// another file, or the server's answer may be wrong, so the partial file stays.
  public var mayBeReplaced: Bool { outcome.map { $0.taken > 0 || $0.wasEmpty } ?? true }

  /// The outcome as a sentence without a full stop; `nil` until it is known.
  public var summary: String? {
    guard let outcome else { return nil }
    guard outcome.taken > 0 else {
      if outcome.refusal == AdoptionRefusal.differs.text {
        return "\(path) differs from the server's file; nothing of it is used"
      }
      return "\(path) is not used: \(outcome.refusal ?? "none of its bytes can be verified")"
    }
    let proof =
      outcome.differing > 0
      ? "\(ByteCount.text(outcome.differing)) differ, and are fetched again" : "samples match the server's file"
    return "continuing \(path) with \(ByteCount.text(outcome.taken)); \(proof)"
  }

  /// Returns a note that the other program's control file is no longer needed, if the finished file replaced the
  /// partial one; otherwise `nil`.
  package func leftOver(target: String) -> String? {
    guard let control, target == path, outcome != nil else { return nil }
    return "\(control.path) is left over and can be removed"
  }

  /// Returns the adoption after the user has repeated the request, which may name another file or none. Once bytes were
  /// taken over from the first file, that file remains the adopted one.
  package func renewed(by new: Adoption?) -> Adoption { outcome?.taken ?? 0 > 0 ? self : new ?? self }
}

/// Why no bytes of a file are taken over.
package enum AdoptionRefusal: Sendable, Equatable {
  /// The file is gone, or is not a regular file.
  case gone
  /// The file has changed since the user named it.
  case changed
  /// The job already has bytes.
  case hasBytes
  /// The file contains only zeros, or its record lists no fetched bytes.
  case empty
  /// The server does not serve ranges.
  case notServed
  /// The server refuses to send a part, for this reason.
  case refused(String)
  /// Nothing identifies the server's version, and no digest will prove the result.
  case unidentified
  /// The file is longer than the server's.
  case longer(Int64, than: Int64)
  /// The record is for a file of another length.
  case otherSize(Int64, Int64)
  /// While the samples were requested, the server's file changed, or another server answered.
  case unsteady(StartOver)
  /// All stretches of the file differ from the server's file.
  case differs

  /// The reason as a clause.
  package var text: String {
    switch self {
    case .gone: "it no longer exists"
    case .changed: "it was changed after it was named"
    case .hasBytes: "the job already has bytes"
    case .empty: "nothing of it was fetched yet"
    case .notServed: "the server does not serve parts of the file, so nothing can be compared"
    case .refused(let how): "the server refuses to send a part of the file (\(how)), so nothing can be compared"
    case .unidentified:
      "the server gives no strong ETag or Last-Modified, so the rest may be of another version"
    case .longer(let size, let total): "it has \(size) bytes, more than the server's file, which has \(total)"
    case .otherSize(let recorded, let total):
      "its control file is of a file of \(recorded) bytes, and the server's has \(total)"
    case .unsteady(let how): "while it was compared, \(how.text)"
    case .differs: "its bytes differ from the server's"
    }
  }
}
