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
}
