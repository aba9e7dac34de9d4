// A transfer seen from outside of the loop: its progress, its end, its checkpoint.

internal import Curl
public import DrayCore
internal import Synchronization

/// How the length of a body was proved.
public enum LengthProof: Sendable, Equatable {
  /// By `Content-Length`, `Content-Range` or the framing.
  case proved
  /// By nothing: no length, and the connection closed.
  case unverified
}

/// How an attempt ended.
public enum TransferEnd: Sendable {
  /// All bytes are in the part file.
  case whole(any PartStorage, size: Int64, LengthProof)
  /// It was done, and the answer has no body: there is no file (204 and the like, to a POST or PUT).
  case answered
  /// The target is of the version that the server has.
  case upToDate
  /// It was cancelled.
  case cancelled
  /// It failed.
  case failed(Failure)
}

/// What an attempt came to.
public struct TransferOutcome: Sendable {
  /// How it ended.
  public var end: TransferEnd
  /// The answer that brought bytes, or the one that refused them.
  public var response: ResponseRecord?
  /// Bytes that were here already and were continued from; 0 if all of the file came.
  public var resumedFrom: Int64
  /// Bytes of the file that are in the part file, those of earlier attempts included.
  public var reached: Int64
  /// Why bytes on disk were given up, where they were.
  public var startedOver: StartOver?
  /// The URL that was asked last, after redirects.
  public var lastURL: RequestURL
  /// Whether the request may have reached the server.
  public var wasSent = false
  /// What became of its cookies, if any.
  public var cookies: CookieReport?
  /// What its server says that the file hashes to.
  public var offered: [SourcedDigest] = []
  /// Whether its bytes came in several answers: only a digest proves that they fit where nothing else does.
  public var isMixed = false
}

/// The receiver of a transfer's events.
public protocol TransferObserver: Sendable {
  /// A redirect is followed. Called on the loop's thread: must return at once.
  func transferFollows(_ redirect: RedirectStep)
  /// Bytes are about to come, of a file of `size` bytes in all, of which `from` are here. Called on the loop's thread:
  /// must return at once.
  func transferReceives(_ response: ResponseRecord, from: Int64, size: Int64?)
  /// Bytes that were counted are given up: the counts fall next. Called on the loop's thread: must return at once.
  func transferRestarts(_ reason: StartOver)
  /// Bytes on disk are about to be given up. Not one byte of another version is written until this returns, so it must
  /// first make sure that no durable record claims the old ones (P2).
  func transferStartsOver(_ reason: StartOver) async throws(Failure)
  /// Some bytes on disk are given up. Nothing is written in their place until this returns, so it must first make sure
  /// that no durable record claims more than `checkpoint` (P2). What that claims need not be durable in `part` yet.
  func transferTakesBack(_ checkpoint: Checkpoint, in part: any PartStorage) async throws(Failure)
  /// A mirror is not used any more. Called on the loop's thread: must return at once.
  func transferDrops(mirror: RequestURL, because reason: String)
}

extension TransferObserver {
  /// Does nothing.
  public func transferRestarts(_ reason: StartOver) {}
  /// Nothing is recorded of it.
  public func transferTakesBack(_ checkpoint: Checkpoint, in part: any PartStorage) async throws(Failure) {}
  /// Does nothing.
  public func transferDrops(mirror: RequestURL, because reason: String) {}
}

/// One redirect.
public struct RedirectStep: Sendable, Equatable {
  /// The status that sent it on.
  public var status: Int
  /// Where it was.
  public var from: RequestURL
  /// Where it goes.
  public var to: RequestURL
  /// What it said.
  public var head: ResponseHead
}

/// A running transfer.
public final class Transfer: Sendable {
  /// Which version the bytes in the part file are of; absent while there is none that may be claimed.
  struct Version {
    var part: any PartStorage
    var size: Int64?
    var validators: Validators
    /// What its server says that it hashes to.
    var offered: [SourcedDigest] = []
    /// Where they come from.
    var provenance: Provenance?
  }

  private struct State {
    var version: Version?
    /// What was written of the version.
    var written = SegmentSet()
    /// What its bytes sum to.
    var sums = BlockSums()
    /// The answer that brings bytes.
    var answer: ResponseRecord?
    /// What each of several connections has still to bring.
    var fetching: [Segment] = []
    /// Counts the versions, so that a checkpoint which was overtaken by a new one is dropped.
    var generation = 0
    /// Hashes what was written, where a digest is wanted.
    var follower: DigestFollower?
    var outcome: TransferOutcome?
    var waiter: CheckedContinuation<TransferOutcome, Never>?
    var ended: (@Sendable (TransferOutcome) -> Void)?
    var id: TransferID?
    var gate: Result<Void, Failure>?
  }

  private let state: Mutex<State>
  private let count = Atomic<Int64>(0)
  private let total = Atomic<Int64>(-1)
  private let connectionCount = Atomic<Int>(0)
  private let cancelled = Atomic<Bool>(false)
  private let bodySent = Atomic<Int64>(0)
  private let requestWasSent = Atomic<Bool>(false)
  private let hasEnded = Mutex(false)
  private let loop: TransferLoop

  /// - Parameter ended: called at the end.
  init(loop: TransferLoop, ended: (@Sendable (TransferOutcome) -> Void)? = nil) {
    self.loop = loop
    state = Mutex(State(ended: ended))
  }

  // MARK: For everybody

  /// Bytes of the file that were received, those of earlier attempts included.
  public var received: Int64 { count.load(ordering: .relaxed) }

  /// Connections that fetch it at present.
  public var connections: Int { connectionCount.load(ordering: .relaxed) }

  /// Which parts are there and which are being fetched, while several connections fetch them.
  public var parts: FileParts? {
    state.withLock { $0.fetching.count > 1 ? FileParts(done: $0.written, fetching: $0.fetching) : nil }
  }

  /// The length of the file, `nil` if unknown.
  public var size: Int64? {
    let value = total.load(ordering: .relaxed)
    return value < 0 ? nil : value
  }

  /// The answer that brings bytes, once its head is here.
  public var answer: ResponseRecord? { state.withLock { $0.answer } }

  /// Bytes of the request's body that were sent, since its last beginning.
  public var sent: Int64 { bodySent.load(ordering: .relaxed) }

  /// Whether the request may have reached the server.
  public var wasSent: Bool { requestWasSent.load(ordering: .acquiring) }

  /// Whether it changed what the part file holds: it began to write a version, or gave one up.
  public var hasTouchedPart: Bool { state.withLock { $0.generation > 0 } }

  /// Ends the transfer; what was received is written first.
  public func cancel() {
    cancelled.store(true, ordering: .releasing)
    if let id = state.withLock({ $0.id }) { loop.signal(id) }
  }

  /// Waits for the end. May be asked once.
  public func outcome() async -> TransferOutcome {
    await withCheckedContinuation { waiter in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiter = waiter }
        return state.outcome
      }
      if let outcome { waiter.resume(returning: outcome) }
    }
  }

  /// Makes what was written so far durable, and returns what that is; `nil` if there is nothing to claim. Blocks.
  /// - Throws: when bytes were lost; then it never claims anything of this part again.
  public func checkpoint() throws(Failure) -> Checkpoint? {
    let (version, generation, written, sums) = state.withLock { ($0.version, $0.generation, $0.written, $0.sums) }
    guard let version, !written.isEmpty else { return nil }
    let durable = try version.part.makeDurable(written)
    // The order of the promise: the bytes are durable before they are claimed (P4), and none of an older version.
    guard !durable.isEmpty, state.withLock({ $0.generation }) == generation else { return nil }
    return Checkpoint(
      segments: durable, sums: durable == written ? sums : sums.restricted(to: durable), size: version.size,
      validators: version.validators, offered: version.offered,
      provenance: version.provenance)
  }

  /// Claims nothing of its part file from now on, as that is to be another's to write (P2): ``checkpoint()`` is `nil`.
  public func forgetClaims() {
    state.withLock { state in
      state.version = nil
      state.generation += 1
    }
  }

  /// The digests of the first `size` bytes of its part file, which all are there, in the order of the algorithms. Most
  /// of the work was done while they came. Blocks.
  /// - Throws: ``Failure`` when it cannot be read; `CancellationError` once `isCancelled` says so.
  public func digests(
    _ algorithms: [DigestAlgorithm], of part: any StoredBytes, size: Int64, isCancelled: () -> Bool
  ) throws -> [DigestValue] {
    if let follower = state.withLock({ $0.follower }),
      let values = try follower.values(algorithms, size: size, isCancelled: isCancelled)
    {
      return values
    }
    return try FileDigest.compute(algorithms, of: part, size: size, isCancelled: isCancelled)
  }

  // MARK: For the loop's side

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Starts one more transfer on the loop: a part of this one.
  @discardableResult
  func startPart(_ make: @escaping TransferLoop.Maker) -> TransferID { loop.start(make) }

  /// Seconds that the loop has waited for others so far: what it did not wait it was at work. On the loop's thread only.
  var waited: Double { loop.waited }

  func didStart(_ id: TransferID) {
    let isOpen = state.withLock { state in
      state.id = id
      return state.gate != nil
    }
    // Neither could signal a transfer that had no number yet.
    if isOpen || isCancelled { loop.signal(id) }
  }

  func noteSent(_ value: Int64) { bodySent.store(value, ordering: .relaxed) }
  func noteAnswer(_ answer: ResponseRecord) { state.withLock { $0.answer = answer } }
  func noteRequest() { requestWasSent.store(true, ordering: .releasing) }
  func setReceived(_ value: Int64) { count.store(value, ordering: .relaxed) }
  func noteReceived(_ more: Int) { count.wrappingAdd(Int64(more), ordering: .relaxed) }
  func noteSize(_ value: Int64?) { total.store(value ?? -1, ordering: .relaxed) }
  /// The announced length was wrong.
  func forgetSize() {
    state.withLock { $0.version?.size = nil }
    noteSize(nil)
  }
  /// Records bytes on disk and their checksum, if there is a version that they belong to.
  func noteWritten(_ segment: Segment, _ sum: CRC32C) {
    let (follower, prefix) = state.withLock { state in
      if state.version != nil {
        state.written.insert(segment)
        state.sums.insert(segment, sum)
      }
      return (state.follower, state.written.prefix)
    }
    follower?.advance(to: prefix)
  }
  func noteConnections(_ value: Int) { connectionCount.store(value, ordering: .relaxed) }
  func noteFetching(_ segments: [Segment]) { state.withLock { $0.fetching = segments } }

  /// Who hashes what is written, where a digest is wanted.
  var follower: DigestFollower? { state.withLock { $0.follower } }

  /// What was written so far, all of one version.
  var written: SegmentSet { state.withLock { $0.written } }

  /// Where they come from.
  var provenance: Provenance? { state.withLock { $0.version?.provenance } }
  /// The bytes of the first `size` that do not count; empty if nothing may be claimed.
  func uncounted(of size: Int64) -> SegmentSet {
    state.withLock { $0.version == nil ? SegmentSet() : $0.written.missing(from: size) }
  }

  /// What the bytes sum to that were written so far.
  public var sums: BlockSums { state.withLock { $0.sums } }

  /// From now on the bytes that `checkpoint` claims of the part file are of its version.
  /// - Parameters:
  ///   - algorithms: the digests that are computed while it comes.
  ///   - spares: the buffers for what waits to be hashed.
  func begin(
    _ checkpoint: Checkpoint, in part: any PartStorage, hashing algorithms: [DigestAlgorithm], _ spares: SpareBuffers
  ) {
    let written = checkpoint.segments
    let isWorthIt = !algorithms.isEmpty && checkpoint.size ?? .max >= DigestFollower.least
    let new = isWorthIt ? DigestFollower(part, algorithms, spares) : nil
    let follower = state.withLock { state -> DigestFollower? in
      state.version = Version(
        part: part, size: checkpoint.size, validators: checkpoint.validators, offered: checkpoint.offered,
        provenance: checkpoint.provenance)
      state.written = written
      state.sums = checkpoint.sums
      state.generation += 1
      // Some servers send only so much at a time: what was hashed of the same bytes is not hashed again.
      if let new, let old = state.follower, old.serves(new, from: written.prefix) { return old }
      state.follower?.stop()
      state.follower = new
      return new
    }
    follower?.advance(to: written.prefix)
    noteSize(checkpoint.size)
    setReceived(written.count)
  }

  /// Removes bytes of the present version from the set: they contradict their digest.
  func takeBack(_ segment: Segment) {
    guard !segment.isEmpty else { return }
    let (lost, follower) = state.withLock { state -> (Int64, DigestFollower?) in
      let before = state.written.count
      state.written.remove(segment)
      state.sums.remove(segment)
      state.generation += 1
      // What was hashed of them cannot be taken back: it is hashed from the start.
      state.follower = state.follower?.restarted()
      return (before - state.written.count, state.follower)
    }
    count.wrappingSubtract(lost, ordering: .relaxed)
    follower?.advance(to: written.prefix)
  }

  /// From now on nothing may be claimed.
  func abandonVersion() {
    state.withLock { state in
      state.version = nil
      state.written = SegmentSet()
      state.sums = BlockSums()
      state.generation += 1
      state.follower?.stop()
      state.follower = nil
    }
    noteSize(nil)
    setReceived(0)
  }

  /// Whether the old bytes may be overwritten: `nil` until it is decided.
  var gate: Result<Void, Failure>? { state.withLock { $0.gate } }

  func openGate(_ result: Result<Void, Failure>) {
    let id = state.withLock { state in
      state.gate = result
      return state.id
    }
    if let id { loop.signal(id) }
  }

  /// Runs `change`, unless the transfer has ended: from then on the part file may be another's to write (P2).
  func unlessEnded(_ change: () throws(Failure) -> Void) throws(Failure) {
    try hasEnded.withLock { ended throws(Failure) in
      if !ended { try change() }
    }
  }

  func closeGate() { state.withLock { $0.gate = nil } }

  /// Hands the outcome to who waits for it; nothing is written from then on.
  func deliver(_ outcome: TransferOutcome) {
    hasEnded.withLock { $0 = true }
    let isWhole = if case .whole = outcome.end { true } else { false }
    let (waiter, ended) = state.withLock { state in
      if !isWhole { state.follower?.stop() }
      // The receiver needs no copy here, and the part file must be closed when it is no longer needed.
      if state.ended == nil { state.outcome = outcome }
      return (state.waiter.take(), state.ended.take())
    }
    waiter?.resume(returning: outcome)
    ended?(outcome)
  }
}
