// The first half of the resume ladder: decides with which request a job starts or continues.

/// What is requested of the file, and under what condition.
package enum Ask: Sendable, Equatable {
  /// The whole file, without `Range`.
  case whole
  /// The whole file, if it differs from the local version.
  case changed(CacheCondition)
  /// All bytes from a position on, up to the next bytes on disk: `Range: bytes=from-` or `bytes=from-last`.
  case rest(from: Int64, to: Int64? = nil, Condition)

  /// The condition that ties the requested rest of the file to the version on disk.
  package enum Condition: Sendable, Equatable {
    /// `If-Range` with this validator (RFC 9110 §13.1.5).
    case ifRange(String)
    /// `If-Match` with this entity tag (RFC 9110 §13.1.1): for servers that answer 200 to an `If-Range`.
    case ifMatch(String)
    /// The answer repeats this many bytes that are on disk, so that they can be compared. If there is a validator, the
    /// request contains `If-Range` or `If-Match` as well.
    case overlap(Int64, ifRange: String? = nil, ifMatch: String? = nil)
    /// No condition, because something else, such as a digest of the whole file, decides about the version.
    case unconditional

    /// Creates the condition that ties a range to the version of these validators; `nil` if they do not identify the
    /// version.
    package init?(_ validators: Validators) {
      guard let validator = validators.strongETag ?? validators.strongLastModified else { return nil }
      self = .ifRange(validator)
    }

    /// The header fields that express the condition.
    var fields: [HeaderField] {
      switch self {
      case .ifRange(let validator): [HeaderField("If-Range", validator)]
      case .ifMatch(let etag): [HeaderField("If-Match", etag)]
      case .overlap(_, let ifRange, let ifMatch):
        (ifRange.map { [HeaderField("If-Range", $0)] } ?? []) + (ifMatch.map { [HeaderField("If-Match", $0)] } ?? [])
      case .unconditional: []
      }
    }

    var ifRange: String? {
      switch self {
      case .ifRange(let validator): validator
      case .overlap(_, let validator, _): validator
      case .ifMatch, .unconditional: nil
      }
    }

    /// Whether a validator ties the range to the version.
    var isTied: Bool {
      switch self {
      case .ifRange, .ifMatch, .overlap(_, .some, _), .overlap(_, _, .some): true
      case .overlap(_, nil, nil), .unconditional: false
      }
    }

    /// Returns this condition with `overlap` bytes to compare in addition.
    package func comparing(_ overlap: Int64) -> Condition {
      switch self {
      case .ifRange(let validator): .overlap(overlap, ifRange: validator)
      case .ifMatch(let etag): .overlap(overlap, ifMatch: etag)
      case .overlap(_, let ifRange, let ifMatch): .overlap(overlap, ifRange: ifRange, ifMatch: ifMatch)
      case .unconditional: .overlap(overlap)
      }
    }

    /// Returns this condition with `If-Match` instead of `If-Range`.
    func matching(_ etag: String) -> Condition {
      if case .overlap(let overlap, _, _) = self { .overlap(overlap, ifMatch: etag) } else { .ifMatch(etag) }
    }
  }

  /// The position at which the answer must start.
  package var lower: Int64 {
    switch self {
    case .whole, .changed: 0
    case .rest(let from, _, _): from
    }
  }

  /// Returns this request extended to earlier bytes, which are compared with those on disk; `nil` if there are none.
  /// The answer then proves where its bytes belong.
  /// - Parameter given: How many bytes the last connection brought; `nil` if unknown.
  package func compared(after given: Int64?) -> Ask? {
    guard case .rest(let from, let to, let condition) = self else { return nil }
    if isCompared { return self }
    let overlap = min(from, Joint.overlap(after: given))
    guard overlap > 0 else { return nil }
    return .rest(from: from - overlap, to: to, condition.comparing(overlap))
  }

  /// Returns a request that compares fewer bytes, after an answer that brought only `count` bytes and ended before its
  /// joint; `nil` if fewer are not possible.
  func comparingLess(after count: Int64) -> Ask? {
    guard case .rest(let from, let to, let condition) = self, case .overlap(let overlap, _, _) = condition else {
      return nil
    }
    let less = Joint.overlap(after: count)
    return less < overlap ? .rest(from: from + overlap - less, to: to, condition.comparing(less)) : nil
  }

  /// The bytes on disk that the answer repeats; empty if it repeats none.
  package var repeated: Segment {
    if case .rest(let from, _, .overlap(let overlap, _, _)) = self { from..<from + overlap } else { 0..<0 }
  }

  /// Whether the answer repeats bytes on disk.
  package var isCompared: Bool { if case .rest(_, _, .overlap) = self { true } else { false } }

  /// Whether the requested part ends before the file does.
  package var isBounded: Bool { if case .rest(_, .some, _) = self { true } else { false } }

  /// The header fields of the request.
  package var fields: [HeaderField] {
    switch self {
    case .whole: []
    case .changed(let condition): condition.fields
    case .rest(let from, let to, let condition): [Ask.range(from, to)] + condition.fields
    }
  }

  /// Returns the field for `[from, to)`; its ends are inclusive (RFC 9110 §14.1.2).
  private static func range(_ from: Int64, _ to: Int64?) -> HeaderField {
    HeaderField("Range", "bytes=\(from)-" + (to.map { "\($0 - 1)" } ?? ""))
  }
}

extension Ask {
  /// Returns the first request of a job. It is ``whole``, with a reason, if the bytes on disk are discarded.
  /// - Parameters:
  ///   - checkpoint: The bytes that are recorded and on the disk.
  ///   - mode: What the user chose.
  ///   - digestIsKnown: Whether a digest will prove the result.
  ///   - isUncut: Whether the kept bytes end where an answer ended; if so, the joint needs no proof (P18).
  ///   - given: How many bytes the last connection brought; `nil` if unknown.
  package static func first(
    for checkpoint: Checkpoint, mode: ResumeMode, digestIsKnown: Bool, isUncut: Bool = false, given: Int64? = nil
  ) -> (Ask, StartOver?) {
    guard let gap = checkpoint.segments.firstGap else { return (.whole, nil) }
    guard mode != .never else { return (.whole, .asked) }
    if let codings = checkpoint.provenance?.codings, !codings.isEmpty { return (.whole, .coded(codings)) }
    let (from, to) = (gap.lower, gap.upper)
    let run = checkpoint.segments.segments.last { $0.upperBound == from } ?? from..<from
    // The server's digest of the version on disk also verifies the result.
    let digestIsKnown = digestIsKnown || checkpoint.offered.identifies
    let identity = Condition(checkpoint.validators)
    // If nothing but the overlap proves the version, the overlap is never shortened (P2).
    let isIdentified = identity != nil || digestIsKnown
    let overlap = Int64(Joint.compared(before: from, in: run, after: isIdentified ? given : nil).count)
    if let condition = identity {
      guard overlap > 0, !isUncut else { return (.rest(from: from, to: to, condition), nil) }
      return (.rest(from: from - overlap, to: to, condition.comparing(overlap)), nil)
    }
    guard mode == .always || digestIsKnown else { return (.whole, .unidentified) }
    // Without bytes before the gap there is nothing to compare, so only a digest can prove the result.
    guard overlap > 0 else {
      return digestIsKnown ? (.rest(from: 0, to: to, .unconditional), nil) : (.whole, .unidentified)
    }
    return (.rest(from: from - overlap, to: to, .overlap(overlap)), nil)
  }
}
