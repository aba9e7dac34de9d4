// The receiver of the events of a transfer.

public import DrayCore

public protocol TransferObserver: Sendable {
  /// Where to keep the journal of the written bytes (P21); `nil` for no journal.
  var journal: JournalPlace? { get }
  /// Called on the loop's thread when a redirect is followed. Must return at once.
  func transferFollows(_ redirect: RedirectStep)
  /// Called on the loop's thread before the bytes of an answer arrive. `size` is the length of the file; `from` is the
  /// number of its bytes that are already on disk. Must return at once.
  func transferReceives(_ response: ResponseRecord, from: Int64, size: Int64?)
  /// Called on the loop's thread before counted bytes are given up and the counts decrease. Must return at once.
  func transferRestarts(_ reason: StartOver)
  /// Called before bytes on disk are given up. No byte of another version is written until this call returns. When it
  /// returns, no durable record may cover the old bytes (P2).
  func transferStartsOver(_ reason: StartOver) async throws(Failure)
  /// Called when some bytes on disk are given up. These bytes are not replaced until this call returns. When it
  /// returns, no durable record may cover more than `checkpoint` (P2). The bytes of `checkpoint` itself may not be
  /// durable in `part` yet.
  func transferTakesBack(_ checkpoint: Checkpoint, in part: any PartStorage) async throws(Failure)
  /// Called on the loop's thread when a mirror is dropped. Must return at once.
  func transferDrops(mirror: RequestURL, because reason: String)
  /// Called on the loop's thread when one of several interfaces goes away, with the reason as a clause, or when it is
  /// back, with `nil`. Must return at once.
  func transferChanges(interface: String, problem: String?)
  /// Called on the loop's thread when the file gets one connection until this time, in seconds since 1970, because its
  /// connections got different versions. Must return at once.
  func transferLimitsConnections(until time: Double)
}

extension TransferObserver {
  public var journal: JournalPlace? { nil }
  public func transferRestarts(_ reason: StartOver) {}
  /// Does nothing, because this observer keeps no record.
  public func transferTakesBack(_ checkpoint: Checkpoint, in part: any PartStorage) async throws(Failure) {}
  public func transferDrops(mirror: RequestURL, because reason: String) {}
  public func transferChanges(interface: String, problem: String?) {}
  public func transferLimitsConnections(until time: Double) {}
}

public struct RedirectStep: Sendable, Equatable {
  public var status: Int
  public var from: RequestURL
  public var to: RequestURL
  public var head: ResponseHead
}
