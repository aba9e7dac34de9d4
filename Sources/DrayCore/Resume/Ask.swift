// The request when a job starts or continues: the first half of the resume ladder.

/// The part of the file that a request asks for, and under which condition.
public enum Ask: Sendable, Equatable {
  /// The whole file, without `Range`.
  case whole
  /// The whole file, if it is another version than the local one.
  case changed(CacheCondition)
  /// Everything from a position on, up to the next bytes on disk: `Range: bytes=from-` or `bytes=from-last`.
  case rest(from: Int64, to: Int64? = nil, Condition)

  /// What ensures that the rest is of the same version.
  public enum Condition: Sendable, Equatable {
    /// `If-Range` with this validator (RFC 9110 §13.1.5).
    case ifRange(String)
    /// `If-Match` with this entity tag (RFC 9110 §13.1.1): for servers that answer 200 to an `If-Range`.
    case ifMatch(String)
    /// The first bytes of the answer, this many, repeat what is on disk and are compared with it; with an `If-Range` where
    /// there is a validator.
    case overlap(Int64, ifRange: String? = nil)
    /// Nothing does: what else is known of the version decides, or a digest of the whole.
    case unconditional

    /// The condition that ties a range to the version of these validators; `nil` if nothing identifies it.
    public init?(_ validators: Validators) {
      guard let validator = validators.strongETag ?? validators.strongLastModified else { return nil }
      self = .ifRange(validator)
    }

    /// Its fields.
    var fields: [HeaderField] {
      switch self {
      case .ifRange(let validator): [HeaderField("If-Range", validator)]
      case .ifMatch(let etag): [HeaderField("If-Match", etag)]
      case .overlap(_, let validator): validator.map { [HeaderField("If-Range", $0)] } ?? []
      case .unconditional: []
      }
    }
  }

  /// The position that the answer is to start at.
  public var lower: Int64 {
    switch self {
    case .whole, .changed: 0
    case .rest(let from, _, _): from
    }
  }

  /// The same with bytes before it, to be compared with those on disk: what an answer is asked that has to prove where its
  /// bytes belong. `nil` if that was asked for already, or nothing lies before it.
  public var compared: Ask? {
    guard case .rest(let from, let to, let condition) = self else { return nil }
    let overlap = min(from, Ask.overlapLength)
    guard overlap > 0 else { return nil }
    switch condition {
    case .ifRange(let validator), .ifMatch(let validator):
      return .rest(from: from - overlap, to: to, .overlap(overlap, ifRange: validator))
    case .unconditional:
      return .rest(from: from - overlap, to: to, .overlap(overlap))
    case .overlap:
      return nil
    }
  }

  /// Whether it includes bytes that are compared.
  public var isCompared: Bool { if case .rest(_, _, .overlap) = self { true } else { false } }

  /// Whether it ends before the file does.
  public var isBounded: Bool { if case .rest(_, .some, _) = self { true } else { false } }

  /// Its fields.
  public var fields: [HeaderField] {
    switch self {
    case .whole: []
    case .changed(let condition): condition.fields
    case .rest(let from, let to, let condition): [Ask.range(from, to)] + condition.fields
    }
  }

  /// The `Range` field for `[from, to)`, whose ends are inclusive (RFC 9110 §14.1.2).
  private static func range(_ from: Int64, _ to: Int64?) -> HeaderField {
    HeaderField("Range", "bytes=\(from)-" + (to.map { "\($0 - 1)" } ?? ""))
  }
}

extension Ask {
  /// Bytes that are fetched again and compared where nothing identifies the version.
  public static let overlapLength: Int64 = 64 << 10

  /// The first request of a job, from what it has. ``whole`` has a reason if bytes are discarded.
  /// - Parameters:
  ///   - checkpoint: what is durable and present.
  ///   - mode: the user's choice.
  ///   - digestIsKnown: whether a digest will prove the result.
  public static func first(for checkpoint: Checkpoint, mode: ResumeMode, digestIsKnown: Bool) -> (Ask, StartOver?) {
    guard let gap = checkpoint.segments.firstGap else { return (.whole, nil) }
    guard mode != .never else { return (.whole, .asked) }
    let (from, to) = (gap.lower, gap.upper)
    if let condition = Condition(checkpoint.validators) { return (.rest(from: from, to: to, condition), nil) }
    // The server's digest of the version on disk will also verify the result.
    let digestIsKnown = digestIsKnown || checkpoint.offered.identifies
    guard mode == .always || digestIsKnown else { return (.whole, .unidentified) }
    // If nothing precedes the gap nothing can be compared, and only a digest helps.
    guard from > 0 else {
      return digestIsKnown ? (.rest(from: 0, to: to, .unconditional), nil) : (.whole, .unidentified)
    }
    let overlap = min(from, overlapLength)
    return (.rest(from: from - overlap, to: to, .overlap(overlap)), nil)
  }
}
