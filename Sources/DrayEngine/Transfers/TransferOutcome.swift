public import DrayCore

/// The result of a transfer, with the facts to record about it.
public struct TransferOutcome: Sendable {
  public var end: TransferEnd
  /// The answer that delivered bytes or was refused.
  public var response: ResponseRecord?
  /// The number of kept bytes that were continued; 0 if the whole file was transferred.
  public var resumedFrom: Int64
  /// The number of bytes in the part file, including those of earlier attempts.
  public var reached: Int64
  /// Why bytes on disk were given up; `nil` if none were.
  public var startedOver: StartOver?
  /// The URL of the last request, after redirects.
  public var lastURL: RequestURL
  /// Whether the request may have reached the server.
  public var wasSent = false
  public var cookies: CookieReport?
  /// The digests of the file that the server offered.
  public var offered: [SourcedDigest] = []
  /// Whether the bytes came in several answers. If so, and if nothing else proves the version, only a digest can show
  /// that the answers belong together.
  public var isMixed = false
  /// Whether the bytes of ``TransferPlan/proved`` are among the bytes; `false` if the file was begun anew.
  public var hasSeeds = false
}

/// The facts for the outcome of the transfer, and for later transfers.
struct GroupRecord {
  var response: ResponseRecord
  var resumedFrom: Int64
  var isMixed = false
  var startedOver: StartOver?
  var lastURL: RequestURL
  /// The cookies that were set by redirects to the file, as lines in the Netscape format.
  var cookieLines: [String]
  var cookies: CookieReport?
  /// The last failure of a connection that ended before it was complete. A failure of the file's own server takes
  /// precedence.
  var lastFailure: Failure?
  /// What was contradictory in an answer of the file's own server.
  var wrongPart: String?
  /// The digests in the trailers of the first answer.
  var late: [SourcedDigest] = []
  /// Whether what was found out about the server also applies to its other files.
  var isTypical = true
}
