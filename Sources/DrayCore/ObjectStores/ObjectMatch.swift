// Decides whether a certain upload made the object at a key.

/// The known facts about the object that an upload makes.
package struct ObjectMatch: Sendable {
  /// The result of comparing the server's facts with the expected facts.
  package enum Verdict: Sendable, Equatable {
    case same
    /// The object differs. The text is a clause that names the difference.
    case other(String)
    /// The ETag proves nothing, so the bytes must be compared. The text is a clause to report if the bytes differ.
    case unproved(String)
  }

  /// The length in bytes.
  package var size: Int64
  /// Whether the object is joined from parts; the form of its ETag shows this.
  package var isOfParts: Bool
  /// The ETag, if it is known in advance.
  package var etag: String?
  /// The checksum of the whole object in base64, if the server keeps one.
  package var whole: (algorithm: DigestAlgorithm, base64: String)?
  /// The ETag in the answer to the request that made the object; `nil` if no answer came.
  package var answered: String?

  /// Creates a comparison.
  package init(
    size: Int64, isOfParts: Bool, etag: String?, whole: (algorithm: DigestAlgorithm, base64: String)? = nil,
    answered: String? = nil
  ) {
    (self.size, self.isOfParts, self.etag) = (size, isOfParts, etag)
    (self.whole, self.answered) = (whole, answered)
  }

  /// Compares the expected object with the object that the server describes.
  package func verdict(on facts: ObjectFacts) -> Verdict {
    guard facts.size == size else { return .other("it has \(facts.size) bytes, expected \(size)") }
    let kept = whole.flatMap { whole in facts.digests.first { $0.algorithm == whole.algorithm } }
    if let kept, kept.base64 != whole?.base64 { return .other("its checksum differs") }
    let shown = TextSafety.escaped(facts.etag)
    let isOfThisKind = isOfParts ? ObjectTag.isOfParts(facts.etag) : ObjectTag.md5(facts.etag) != nil
    if let etag, isOfThisKind, facts.hasPlainTag {
      return ObjectTag.areEqual(etag, facts.etag) ? .same : .other("its ETag is \(shown), not \(etag)")
    }
    if let answered, ObjectTag.areEqual(answered, facts.etag) { return .same }
    return kept != nil ? .same : .unproved("its ETag is \(shown), which is not that of the upload")
  }
}
