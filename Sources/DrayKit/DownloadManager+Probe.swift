// What a URL leads to, without fetching it.

public import DrayCore
internal import DrayEngine
internal import Foundation

/// What a look at a URL found.
public struct ProbeReport: Sendable {
  /// The answer, with the redirects on the way to it and the connection it came over.
  public var response: ResponseRecord
  /// What it tells of the file.
  public var facts: ResponseFacts
  /// Whether a one-byte GET answered, as the server would not answer a HEAD.
  public var usedRange: Bool
}

extension DownloadManager {
  /// Looks at a URL: follows redirects by the rules of a transfer, asks for the head only. Needs no job store.
  /// - Throws: when no head came. An error status is a report, not a failure.
  /// - Parameters:
  ///   - manager: whose list of hosts that want https is heeded and added to.
  ///   - hosts: what requests to some hosts carry.
  public static func probe(
    _ request: TransferRequest, knowing manager: DownloadManager? = nil, hosts: HostRules = HostRules()
  ) async throws(Failure) -> ProbeReport {
    let engine = try Engine(security: security(of: manager), hosts: hosts)
    defer { engine.stop() }
    let result = try await engine.probe(try S3Access.credentialed(request))
    return ProbeReport(
      response: result.response, facts: ResponseFacts(result.response), usedRange: result.usedRange)
    let cookies = try CookieKeeper(home: manager?.home, store: nil).given(for: request)
    return ProbeReport(try await engine.probe(request, cookies: cookies))
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
