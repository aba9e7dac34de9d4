// What is asked for when a job starts or goes on: the first half of the resume ladder (DESIGN §5).

/// The part of the file that a request asks for, and under which condition.
public enum Ask: Sendable, Equatable {
  /// The whole file, without `Range`.
  case whole
  /// The whole file, if it is another version than the one that is here.
  case changed(CacheCondition)
  /// All from a position on: `Range: bytes=from-`.
  case rest(from: Int64, Condition)

  /// What makes sure that the rest is of the same version.
  public enum Condition: Sendable, Equatable {
    /// `If-Range` with this validator (RFC 9110 §13.1.5).
    case ifRange(String)
    /// `If-Match` with this entity tag (RFC 9110 §13.1.1): for servers that answer 200 to an `If-Range`.
    case ifMatch(String)
    /// No condition: the first bytes of the answer, this many, repeat what is on disk and are compared with it.
    case overlap(Int64)
  }

  /// The position that the answer is to start at.
  public var lower: Int64 {
    switch self {
    case .whole, .changed: 0
    case .rest(let from, _): from
    }
  }

  /// The fields that ask for it.
  public var fields: [HeaderField] {
    switch self {
    case .whole: []
    case .changed(let condition): condition.fields
    case .rest(let from, .ifRange(let validator)):
      [HeaderField("Range", "bytes=\(from)-"), HeaderField("If-Range", validator)]
    case .rest(let from, .ifMatch(let etag)):
      [HeaderField("Range", "bytes=\(from)-"), HeaderField("If-Match", etag)]
    case .rest(let from, .overlap):
      [HeaderField("Range", "bytes=\(from)-")]
    }
  }
}

/// Why the bytes on disk are not built upon.
public enum StartOver: Sendable, Equatable {
  /// The server has another version of the file.
  case changed(String)
  /// The server sends the whole file whatever is asked for.
  case rangesNotServed
  /// Nothing identifies the version that the bytes are of.
  case unidentified
  /// The user asked for it.
  case asked
  /// The answer to a range request broke the rules.
  case badAnswer(String)
  /// The digest of the resumed file was not the expected one.
  case digestMismatch
  /// The part file is not there, or is not what the record says.
  case partFileLost

  /// The reason as a clause.
  public var text: String {
    switch self {
    case .changed(let how): "the file changed on the server (\(how))"
    case .rangesNotServed: "the server sent the whole file instead of the rest"
    case .unidentified:
      "the server gives no strong ETag or Last-Modified, so nothing proves that the rest would fit"
        + " (--resume always compares an overlap instead)"
    case .asked: "--resume never"
    case .badAnswer(let what): "the server's answer to the request for the rest cannot be used (\(what))"
    case .digestMismatch: "the resumed file does not have the expected digest"
    case .partFileLost: "the part file is gone or was changed by somebody else"
    }
  }
}

extension Ask {
  /// Bytes that are fetched again and compared where nothing identifies the version.
  public static let overlapLength: Int64 = 64 << 10

  /// What a job is to ask for first, from what it has. A reason stands beside ``whole`` where bytes are given up.
  /// - Parameters:
  ///   - checkpoint: what is on disk for certain, and present.
  ///   - mode: the user's choice.
  ///   - digestIsKnown: whether a digest will prove the result.
  public static func first(for checkpoint: Checkpoint, mode: ResumeMode, digestIsKnown: Bool) -> (Ask, StartOver?) {
    let position = checkpoint.segments.prefix
    guard position > 0 else { return (.whole, nil) }
    guard mode != .never else { return (.whole, .asked) }
    let validators = checkpoint.validators
    if let etag = validators.strongETag { return (.rest(from: position, .ifRange(etag)), nil) }
    if let date = validators.strongLastModified { return (.rest(from: position, .ifRange(date)), nil) }
    guard mode == .always || digestIsKnown else { return (.whole, .unidentified) }
    let overlap = min(position, overlapLength)
    return (.rest(from: position - overlap, .overlap(overlap)), nil)
  }
}
