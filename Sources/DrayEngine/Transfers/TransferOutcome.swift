public import DrayCore

/// How a transfer ended, with the facts to record about it.
public struct TransferOutcome: Sendable {
  public var end: TransferEnd
  /// The answer that brought bytes or was refused.
  public var response: ResponseRecord?
  /// The number of kept bytes that were continued; 0 if the whole file was transferred.
  public var resumedFrom: Int64
  /// The number of bytes in the part file, including those of earlier attempts.
  public var reached: Int64
  /// Why bytes on disk were given up; `nil` if they were not.
  public var startedOver: StartOver?
  /// The URL of the last request, after redirects.
  public var lastURL: RequestURL
  /// Whether the request may have reached the server.
  public var wasSent = false
  public var cookies: CookieReport?
  /// The server's digests of the file.
  public var offered: [SourcedDigest] = []
  /// Whether the bytes came in several answers. If so, without other proof, only a digest shows that the answers belong
  /// together.
  public var isMixed = false
}
