// A partial file of another program that a job takes over: what was named, and what became of it.

/// A partial file of another program that a job takes over.
public struct Adoption: Sendable, Equatable, Codable {
  /// What the program that made the file has recorded of it.
  public struct Claim: Sendable, Equatable, Codable {
    /// The absolute path of the record.
    public var path: String
    /// The length of the whole file.
    public var size: Int64
    /// The bytes that were fetched.
    public var done: SegmentSet

    /// Makes a claim.
    public init(path: String, size: Int64, done: SegmentSet) { (self.path, self.size, self.done) = (path, size, done) }
  }

  /// What became of it.
  public struct Outcome: Sendable, Equatable, Codable {
    /// Bytes that were taken over.
    public var taken: Int64
    /// Bytes that were compared with the server's.
    public var compared: Int64
    /// Bytes that were not taken over, as some of their stretch differ from the server's.
    public var differing: Int64
    /// Why nothing was taken over, as a clause.
    public var refusal: String?
    /// Whether nothing had been fetched of it.
    public var wasEmpty: Bool

    /// Makes an outcome.
    public init(
      taken: Int64 = 0, compared: Int64 = 0, differing: Int64 = 0, refusal: String? = nil, wasEmpty: Bool = false
    ) {
      (self.taken, self.compared, self.differing) = (taken, compared, differing)
      (self.refusal, self.wasEmpty) = (refusal, wasEmpty)
    }
  }

  /// The absolute path of the file.
  public var path: String
  /// Which file it is, as it was when it was named.
  public var identity: FileIdentity
  /// What its program recorded of it, if it keeps a record.
  public var claim: Claim?
  /// What became of it, once that is known.
  public var outcome: Outcome?

  /// Names a file.
  public init(path: String, identity: FileIdentity, claim: Claim? = nil, outcome: Outcome? = nil) {
    (self.path, self.identity, self.claim, self.outcome) = (path, identity, claim, outcome)
  }

  /// Whether the finished file may take this one's place. One of which nothing was found to be of the server's file may be
  /// something else altogether, or the server's answer may be.
  public var mayBeReplaced: Bool { outcome.map { $0.taken > 0 || $0.wasEmpty } ?? true }

  /// What there is to say of it, as a sentence without a full stop; `nil` as long as nothing is known.
  public var summary: String? {
    guard let outcome else { return nil }
    guard outcome.taken > 0 else { return "\(path) is not adopted: \(outcome.refusal ?? "nothing of it can be used")" }
    var text = "\(ByteCount.text(outcome.taken)) of \(path) are adopted:"
    text += " \(ByteCount.text(outcome.compared)) in samples were compared with the server's"
    if outcome.differing > 0 {
      text += "; \(ByteCount.text(outcome.differing)) differ, and are fetched again"
    }
    return text
  }

  /// What there is to say where the finished file has taken this one's place: its control file is of no more use.
  public func leftOver(target: String) -> String? {
    guard let claim, target == path, outcome != nil else { return nil }
    return "\(claim.path) is left over and can be removed"
  }

  /// What becomes of this one when the same download is asked for again, with another file or none: bytes that are here
  /// came of the first.
  public func renewed(by new: Adoption?) -> Adoption { outcome?.taken ?? 0 > 0 ? self : new ?? self }
}

/// Why nothing of a file is taken over.
public enum AdoptionRefusal: Sendable, Equatable {
  /// It is not there any more, or no regular file.
  case gone
  /// It was changed since it was named.
  case changed
  /// The job has bytes already.
  case hasBytes
  /// There is nothing but zeros, or nothing that its program calls done.
  case empty
  /// The server serves no ranges.
  case notServed
  /// The server refuses the request for a part, in this way.
  case refused(String)
  /// Nothing identifies the server's version, and no digest will prove the result.
  case unidentified
  /// It is longer than the server's file.
  case longer(Int64, than: Int64)
  /// By its program's record it is of a file of another length.
  case otherSize(Int64, Int64)
  /// The server changed the file, or another one answered, between two samples.
  case unsteady(StartOver)
  /// Every stretch differs.
  case differs

  /// The reason as a clause.
  public var text: String {
    switch self {
    case .gone: "it is not there any more"
    case .changed: "it was changed after it was named"
    case .hasBytes: "the job has bytes of its own already"
    case .empty: "nothing of it was fetched yet"
    case .notServed: "the server does not serve parts of the file, so nothing can be compared"
    case .refused(let how): "the server refuses to send a part of the file (\(how)), so nothing can be compared"
    case .unidentified:
      "the server gives no strong ETag or Last-Modified, so the rest may be of another version"
    case .longer(let size, let total): "it has \(size) bytes, more than the server's file, which has \(total)"
    case .otherSize(let claimed, let total):
      "its control file is of a file of \(claimed) bytes, and the server's has \(total)"
    case .unsteady(let how): "while it was compared, \(how.text)"
    case .differs: "its bytes differ from the server's"
    }
  }
}
