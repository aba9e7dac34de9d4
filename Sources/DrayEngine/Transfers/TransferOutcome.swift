public import DrayCore

/// The end of a transfer, with the facts to record about it.
public struct TransferOutcome: Sendable {
  public var end: TransferEnd
  /// The answer that brought bytes, or refused them.
  public var response: ResponseRecord?
  /// The kept bytes that were continued; 0 if the whole file was transferred.
  public var resumedFrom: Int64
  /// The bytes in the part file, including bytes of earlier attempts.
  public var reached: Int64
  /// Set if bytes on disk were given up.
  public var startedOver: StartOver?
  /// After redirects.
  public var lastURL: RequestURL
  /// Whether the request may have reached the server.
  public var wasSent = false
  public var cookies: CookieReport?
  /// The server's digests of the file.
  public var offered: [SourcedDigest] = []
  /// Whether the bytes came in several answers. Without other proof, only a digest shows that the answers belong together.
  public var isMixed = false
}
