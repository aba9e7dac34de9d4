// What a URL leads to, without fetching it.

public import DrayCore
internal import DrayEngine
internal import Foundation

/// What a look at a URL found.
public struct ProbeReport: Sendable {
  /// One redirect that was followed.
  public struct Redirect: Sendable, Equatable {
    /// The status that sent it on.
    public var status: Int
    /// Where it was.
    public var from: RequestURL
    /// Where it went.
    public var to: RequestURL
  }

  /// The redirects, in order.
  public var redirects: [Redirect]
  /// The URL that answered.
  public var finalURL: RequestURL
  /// Its answer.
  public var head: ResponseHead
  /// The address of the server.
  public var address: String
  /// The length of the file in bytes, `nil` where it is unknown.
  public var size: Int64?
  /// The name that the file would get.
  public var name: String
  /// The media type, without parameters.
  public var mediaType: String?
  /// The text encoding.
  public var charset: String?
  /// What identifies this version of the file.
  public var validators: Validators
  /// Whether the server answered a request for a part with a part, or says that it would.
  public var servesRanges: Bool
  /// Whether an interrupted download of it could be resumed safely.
  public var isResumable: Bool { servesRanges && !validators.isWeak && head.contentCodings.isEmpty }
  /// Why, or why not.
  public var resumableReason: String
}

extension DownloadManager {
  /// Looks at a URL: follows redirects by the rules of a transfer, asks for the head only. Needs no job store.
  /// - Throws: when no head came. An error status is a report, not a failure.
  /// - Parameter manager: whose list of hosts that want https is heeded and added to.
  public static func probe(
    _ request: TransferRequest, knowing manager: DownloadManager? = nil
  ) async throws(Failure) -> ProbeReport {
    let engine = try Engine(security: security(of: manager))
    defer { engine.stop() }
    return ProbeReport(try await engine.probe(try S3Access.credentialed(request)))
  }
}

extension ProbeReport {
  init(_ result: ProbeResult) {
    let head = result.head
    redirects = result.redirects.map { Redirect(status: $0.status, from: $0.from, to: $0.to) }
    finalURL = result.finalURL
    self.head = head
    address = result.address
    validators = head.validators
    if head.status == 206, case .range(_, _, let total)? = try? ContentRange.parse(head.all("content-range")) {
      size = total
    } else if head.status == 200, !head.hasTransferEncoding {
      size = (try? ContentLength.parse(head.all("content-length"))) ?? nil
    }
    name = TargetName.choose(ResponseRecord(finalURL: finalURL, redirects: [], head: head, time: 0))
    let type = head.first("content-type")?.split(separator: ";").map { $0.trimmingSpaces() }
    mediaType = type?.first.map { $0.lowercased() }
    charset = type?.dropFirst().first { $0.lowercased().hasPrefix("charset=") }
      .map { $0.dropFirst("charset=".count).trimmingCharacters(in: ["\"", " "]) }
    let accepts = head.all("accept-ranges").joined(separator: ",").lowercased()
    servesRanges = head.status == 206 || accepts.contains("bytes")
    resumableReason =
      switch true {
      case !servesRanges && accepts.contains("none"): "the server says that it serves no ranges"
      case !servesRanges: "the server does not say that it serves ranges"
      case !head.contentCodings.isEmpty: "the server compresses the file"
      case validators.strongETag != nil: "ranges and a strong ETag"
      case validators.strongLastModified != nil: "ranges and a Last-Modified that counts as strong"
      default: "there is no strong ETag or Last-Modified; --resume always compares an overlap instead"
      }
  }
}
