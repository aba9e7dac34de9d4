// The receiver of the events of a transfer.

public import DrayCore

/// The receiver of a transfer's events.
public protocol TransferObserver: Sendable {
  /// Called when a redirect is followed, on the loop's thread. Must return at once.
  func transferFollows(_ redirect: RedirectStep)
  /// Called before the bytes of an answer arrive, on the loop's thread. `size` is the length of the file; `from` is the
  /// number of bytes that the answer continues. Must return at once.
  func transferReceives(_ response: ResponseRecord, from: Int64, size: Int64?)
  /// Called before counted bytes are given up and the counts fall, on the loop's thread. Must return at once.
  func transferRestarts(_ reason: StartOver)
  /// Called before bytes on disk are given up. No byte of another version is written until this returns, so it must
  /// first ensure that no durable record claims the old bytes (P2).
  func transferStartsOver(_ reason: StartOver) async throws(Failure)
  /// Called when some bytes on disk are given up. Nothing replaces them until this returns, so it must first ensure
  /// that no durable record claims more than `checkpoint` (P2). The bytes of `checkpoint` may not be durable in `part`
  /// yet.
  func transferTakesBack(_ checkpoint: Checkpoint, in part: any PartStorage) async throws(Failure)
  /// Called when a mirror is dropped, on the loop's thread. Must return at once.
  func transferDrops(mirror: RequestURL, because reason: String)
}

extension TransferObserver {
  /// Does nothing.
  public func transferRestarts(_ reason: StartOver) {}
  /// Does nothing, because there is no record.
  public func transferTakesBack(_ checkpoint: Checkpoint, in part: any PartStorage) async throws(Failure) {}
  /// Does nothing.
  public func transferDrops(mirror: RequestURL, because reason: String) {}
}

/// A redirect.
public struct RedirectStep: Sendable, Equatable {
  /// The status of the redirect.
  public var status: Int
  /// The redirected URL.
  public var from: RequestURL
  /// The new URL.
  public var to: RequestURL
  /// The head of the answer.
  public var head: ResponseHead
}
