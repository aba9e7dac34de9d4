// What the kept bytes of a job are: which URL brought them, and in which form (P2, P16).

/// Where kept bytes come from, and in which form they came. Part of the checkpoint.
public struct Provenance: Sendable, Equatable, Codable {
  /// The URL that answered, after redirects.
  public var url: RequestURL
  /// The content codings of the answer (RFC 9110 §8.4); empty if the bytes are the file's own.
  public var codings: [String]
  /// The media type that the answer named, without parameters, lower case.
  public var mediaType: String?
  /// Whether the bytes came from another job store: they are compared before anything is added to them.
  public var isImported: Bool

  /// Creates a provenance.
  public init(url: RequestURL, codings: [String] = [], mediaType: String? = nil, isImported: Bool = false) {
    (self.url, self.codings, self.mediaType, self.isImported) = (url, codings, mediaType, isImported)
  }

  /// The provenance of what an answer from `url` brings.
  public init(_ head: ResponseHead, from url: RequestURL) {
    self.init(url: url, codings: head.contentCodings, mediaType: head.mediaType?.essence)
  }

  /// Whether an answer from `url` continues these bytes without a comparison of places: it is the resource that brought them.
  /// An entity tag means something for its own URL only (RFC 9110 §8.8.1).
  func isOf(_ url: RequestURL) -> Bool { !isImported && self.url == url }

  /// Whether the answer that brought the bytes called them a web page.
  var isPage: Bool { mediaType.map { MediaType($0).isHTML } ?? false }
}

/// What is done with an answer that would continue kept bytes.
public enum Continuation: Sendable, Equatable {
  /// It continues them.
  case continues
  /// It continues them once these places were compared with what is kept.
  case afterComparison([Segment])
  /// It is of another version.
  case startOver(StartOver)
}

/// Says what an answer with the rest of a file means for the bytes that are kept: a comparison of the recorded provenance, of
/// what was asked, and of the head of the answer.
public struct ContinuationRule: Sendable {
  /// What is kept, and what it is.
  public var recorded: Checkpoint
  /// The kept bytes that the answer repeats, and that are compared in any case.
  public var repeated: Segment
  /// The URL that answered.
  public var answering: RequestURL?
  /// Whether places of the kept bytes were compared with this URL's file already, or a digest will prove the result.
  public var isProved: Bool

  /// Creates the question.
  public init(recorded: Checkpoint, repeated: Segment, answering: RequestURL?, isProved: Bool) {
    (self.recorded, self.repeated) = (recorded, repeated)
    (self.answering, self.isProved) = (answering, isProved)
  }

  /// Decides on the head of a 206 and the length of the whole file that it names.
  public func verdict(on head: ResponseHead, total: Int64?) -> Continuation {
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

  /// The start, the middle and the end of what is kept, as far as they are not repeated anyway (P16).
  static func places(of kept: SegmentSet, besides repeated: Segment) -> [Segment] {
    guard let first = kept.segments.first, let last = kept.segments.last else { return [] }
    let middle = kept.segments[kept.segments.count / 2]
    let center = middle.lowerBound + (Int64(middle.count) - min(Int64(middle.count), Joint.overlap)) / 2
    var wanted = SegmentSet()
    wanted.insert(first.lowerBound..<min(first.upperBound, first.lowerBound + Joint.overlap))
    wanted.insert(center..<min(middle.upperBound, center + Joint.overlap))
    wanted.insert(max(last.lowerBound, last.upperBound - Joint.overlap)..<last.upperBound)
    if !repeated.isEmpty { wanted.remove(repeated) }
    return wanted.segments
  }
}
