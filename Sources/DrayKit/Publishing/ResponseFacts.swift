// Derives from an answer the facts about a file that people want to know: size, name, type, and whether it can be
// resumed.

public import DrayCore

/// The facts about a file that an answer states.
public struct ResponseFacts: Sendable {
  /// The length of the file in bytes; `nil` if unknown.
  public var size: Int64?
  /// The name that the file would get.
  public var name: String
  /// The media type, without parameters.
  public var mediaType: String?
  /// The text encoding.
  public var charset: String?
  /// The validators of this version of the file.
  public var validators: Validators
  /// Whether the server answered a request for a range with a range, or announces that it serves ranges.
  public var servesRanges: Bool
  /// Whether an interrupted download could be resumed safely.
  public var isResumable: Bool
  /// The reason why an interrupted download could, or could not, be resumed safely.
  public var resumableReason: String
  /// The links to copies and descriptions of the file (RFC 6249).
  public var links: [Link]

  /// A link to a resource about the file.
  public struct Link: Sendable, Equatable {
    /// The relation: `duplicate` or `describedby`.
    public var relation: String
    /// The URL of the target; a relative URL is already resolved.
    public var url: String
    /// The media type of the target.
    public var mediaType: String?
    /// The priority of a copy; 1 is the best.
    public var priority: Int?
  }

  /// Derives the facts from `response`.
  package init(_ response: ResponseRecord) {
    let head = response.head
    validators = head.validators
    if head.status == 206, case .range(_, _, let total)? = try? ContentRange.parse(head.all("content-range")) {
      size = total
    } else if head.status == 200, !head.hasTransferEncoding {
      size = (try? ContentLength.parse(head.all("content-length"))) ?? nil
    }
    name = TargetName.choose(response)
    mediaType = head.mediaType?.essence
    charset = head.mediaType?.charset
    let accepts = head.all("accept-ranges").joined(separator: ",").lowercased()
    servesRanges = head.status == 206 || accepts.contains("bytes")
    isResumable = servesRanges && !validators.isWeak && head.contentCodings.isEmpty
    resumableReason =
      switch true {
      case !servesRanges && accepts.contains("none"): "the server says that it does not support ranges"
      case !servesRanges: "the server does not say that it supports ranges"
      case !head.contentCodings.isEmpty: "the server compresses the file"
      case validators.strongETag != nil: "ranges and a strong ETag"
      case validators.strongLastModified != nil: "ranges and a strong Last-Modified"
      default: "no strong ETag or Last-Modified"
      }
    let all = head.links
    links =
      all.duplicates.map { Link($0, "duplicate", response.finalURL) }
      + all.filter(\.isDescription).map { Link($0, "describedby", response.finalURL) }
  }
}

extension ResponseFacts.Link {
  fileprivate init(_ link: WebLink, _ relation: String, _ base: RequestURL) {
    self.relation = relation
    if case .url(let resolved) = RequestURL.resolve(location: link.target, against: base) {
      url = resolved.string
    } else {
      url = link.target
    }
    mediaType = link.mediaType
    priority = link.priority
  }
}
