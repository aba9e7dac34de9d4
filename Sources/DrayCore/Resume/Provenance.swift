// Describes where the kept bytes of a job come from, and in which form they are (P2, P16).

/// The source and the form of kept bytes, as part of the checkpoint.
public struct Provenance: Sendable, Equatable, Codable {
  /// The URL that answered, after redirects.
  public var url: RequestURL
  /// The content codings of the answer (RFC 9110 §8.4); empty if the bytes are not coded.
  public var codings: [String]
  /// The media type in the answer, lowercase and without parameters.
  public var mediaType: String?
  /// Whether the bytes came from another job store. Such bytes are compared before they are continued.
  public var isImported: Bool

  /// Creates a provenance.
  public init(url: RequestURL, codings: [String] = [], mediaType: String? = nil, isImported: Bool = false) {
    (self.url, self.codings, self.mediaType, self.isImported) = (url, codings, mediaType, isImported)
  }

  /// The provenance of an answer from `url`.
  public init(_ head: ResponseHead, from url: RequestURL) {
    self.init(url: url, codings: head.contentCodings, mediaType: head.mediaType?.essence)
  }

  /// Whether an answer from `url` continues these bytes without a comparison. That is true only for the URL that sent
  /// these bytes, because an entity tag is valid only for its own URL (RFC 9110 §8.8.1).
  func isOf(_ url: RequestURL) -> Bool { !isImported && self.url == url }

  /// Whether the answer was labelled as a web page.
  var isPage: Bool { mediaType.map { MediaType($0).isHTML } ?? false }
}

/// Whether an answer can continue kept bytes.
package enum Continuation: Sendable, Equatable {
  /// The answer continues the kept bytes.
  case continues
  /// The answer continues the kept bytes if these places match.
  case afterComparison([Segment])
  /// The answer is of another version.
  case startOver(StartOver)
}

/// Decides whether an answer with the rest of a file continues the kept bytes. The recorded provenance, the request and
/// the head of the answer are compared.
package struct ContinuationRule: Sendable {
  /// The record of the kept bytes.
  package var recorded: Checkpoint
  /// The kept bytes that the answer repeats. They are compared in any case.
  package var repeated: Segment
  /// The URL that answered.
  package var answering: RequestURL?
  /// Whether the kept bytes were already compared with this URL's file, or a digest will prove the result.
  package var isProved: Bool

  /// Creates the rule for one answer.
  package init(recorded: Checkpoint, repeated: Segment, answering: RequestURL?, isProved: Bool) {
    (self.recorded, self.repeated) = (recorded, repeated)
    (self.answering, self.isProved) = (answering, isProved)
  }

  /// Decides from the head of a 206. `total` is the length of the whole file in the `Content-Range`.
  package func verdict(on head: ResponseHead, total: Int64?) -> Continuation {
    guard recorded.validators.agree(with: head.validators) else {
      return .startOver(.changed(recorded.validators.difference(from: head.validators) ?? "status \(head.status)"))
    }
    if let other = recorded.offered.difference(from: head.offeredDigests) { return .startOver(.changed(other)) }
    if let size = recorded.size, let total, total != size {
      return .startOver(.changed("its length was \(size) bytes and is \(total)"))
    }
    if let codings = recorded.provenance?.codings, codings != head.contentCodings {
      func words(_ codings: [String]) -> String { codings.isEmpty ? "none" : codings.joined(separator: ", ") }
      return .startOver(.changed("its compression was \(words(codings)) and is \(words(head.contentCodings))"))
    }
    guard !isProved, let answering, recorded.provenance?.isOf(answering) != true else { return .continues }
    let places = ContinuationRule.places(of: recorded.segments, besides: repeated)
    return places.isEmpty ? .continues : .afterComparison(places)
  }

  /// Returns the start, the middle and the end of the kept bytes, without the bytes that the answer repeats (P16).
  /// - Parameter length: The number of bytes at each place.
  static func places(of kept: SegmentSet, besides repeated: Segment, length: Int64 = Joint.overlap) -> [Segment] {
    guard let first = kept.segments.first, let last = kept.segments.last else { return [] }
    let middle = kept.segments[kept.segments.count / 2]
    let center = middle.lowerBound + (Int64(middle.count) - min(Int64(middle.count), length)) / 2
    var wanted = SegmentSet()
    wanted.insert(first.lowerBound..<min(first.upperBound, first.lowerBound + length))
    wanted.insert(center..<min(middle.upperBound, center + length))
    wanted.insert(max(last.lowerBound, last.upperBound - length)..<last.upperBound)
    if !repeated.isEmpty { wanted.remove(repeated) }
    return wanted.segments
  }
}
