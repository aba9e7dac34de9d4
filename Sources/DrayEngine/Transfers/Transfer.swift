// A transfer as seen by code outside the loop: its progress, its end and its checkpoint.

internal import Curl
public import DrayCore
internal import Synchronization

public enum LengthProof: Sendable, Equatable {
  /// The length is proved by `Content-Length`, `Content-Range` or the framing.
  case proved
  /// The length is not proved: none was announced, and the connection was closed.
  case unverified
}

public enum TransferEnd: Sendable {
  /// All bytes are in the part file.
  case whole(any PartStorage, size: Int64, LengthProof)
  /// The request succeeded, but its answer has no body, so there is no file (as with 204 to a POST or PUT).
  case answered
  /// The target already has the server's version.
  case upToDate
  case cancelled
  case failed(Failure)
}

/// A number that changes whenever a new checkpoint would differ from the last one.
public struct CheckpointMark: Sendable, Equatable {
  public var bytes: Int64
  /// The number of digests that the server has offered.
  public var digests: Int

  public init(bytes: Int64, digests: Int) { (self.bytes, self.digests) = (bytes, digests) }
}

public final class Transfer: Sendable {
  /// The version of the bytes in the part file; `nil` while no byte may be recorded.
  struct Version {
    var part: any PartStorage
    var size: Int64?
    var validators: Validators
    /// The server's digests of the file.
    var offered: [SourcedDigest] = []
    var provenance: Provenance?
  }

  struct State {
    var version: Version?
    var written = SegmentSet()
    var sums = BlockSums()
    /// The answer whose body has the bytes.
    var answer: ResponseRecord?
    /// The part that contains the bytes.
    var part: (any PartStorage)?
    /// The name and the description of the target; `nil` until they are known.
    var target: (name: String, description: ObjectDescription)?
    /// The range that each connection still has to fetch; empty if there is only one connection.
    var fetching: [Segment] = []
    /// The number of versions so far, by which a checkpoint of an older version is recognised and dropped.
    var generation = 0
    /// Computes the digests of the bytes, if any are needed.
    var follower: DigestFollower?
    var outcome: TransferOutcome?
    var waiter: CheckedContinuation<TransferOutcome, Never>?
    var ended: (@Sendable (TransferOutcome) -> Void)?
    var id: TransferID?
    var gate: Result<Void, Failure>?
    var journal = TransferJournal()
  }

  let state: Mutex<State>
  private let count = Atomic<Int64>(0)
  private let total = Atomic<Int64>(-1)
  private let connectionCount = Atomic<Int>(0)
  private let cancelled = Atomic<Bool>(false)
  private let bodySent = Atomic<Int64>(0)
  private let requestWasSent = Atomic<Bool>(false)
  private let hasEnded = Mutex(false)
  private let loop: TransferLoop
  /// Follows the first missing byte; `nil` if nobody reads the file while it arrives.
  private let front: InOrderProgress?

  init(loop: TransferLoop, front: InOrderProgress? = nil, ended: (@Sendable (TransferOutcome) -> Void)? = nil) {
    (self.loop, self.front) = (loop, front)
    state = Mutex(State(ended: ended))
  }

  // MARK: On any thread

  /// The number of bytes received, including those of earlier attempts.
  public var received: Int64 { count.load(ordering: .relaxed) }

  public var checkpointMark: CheckpointMark {
    CheckpointMark(bytes: received, digests: state.withLock { $0.version?.offered.count ?? 0 })
  }

  public var connections: Int { connectionCount.load(ordering: .relaxed) }

  /// The parts of the file, while several connections fetch it.
  public var parts: FileParts? {
    state.withLock { $0.fetching.count > 1 ? FileParts(done: $0.written, fetching: $0.fetching) : nil }
  }

  /// The length of the file; `nil` if unknown.
  public var size: Int64? {
    let value = total.load(ordering: .relaxed)
    return value < 0 ? nil : value
  }

  /// The answer, once its head has arrived.
  public var answer: ResponseRecord? { state.withLock { $0.answer } }

  /// Tells the part what its target is, as soon as that is known.
  public func willBe(_ name: String, _ description: ObjectDescription) {
    let part = state.withLock { state in
      state.target = (name, description)
      return state.part
    }
    part?.willBe(name, description)
  }

  /// The number of bytes of the request's body that were sent since it last started.
  public var sent: Int64 { bodySent.load(ordering: .relaxed) }

  /// Whether the request may have reached the server.
  public var wasSent: Bool { requestWasSent.load(ordering: .acquiring) }

  /// Whether the transfer has begun to write any version, or has given one up.
  public var hasTouchedPart: Bool { state.withLock { $0.generation > 0 } }

  /// Writes the received bytes, and ends the transfer.
  public func cancel() {
    cancelled.store(true, ordering: .releasing)
    if let id = state.withLock({ $0.id }) { loop.signal(id) }
  }

  /// Waits until the transfer has ended; this may be called only once.
  public func outcome() async -> TransferOutcome {
    await withCheckedContinuation { waiter in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiter = waiter }
        return state.outcome
      }
      if let outcome { waiter.resume(returning: outcome) }
    }
  }

  /// Brings the written bytes to the disk, and returns their checkpoint; `nil` if there is nothing to record. It blocks
  /// the calling thread.
  /// - Throws: An error if bytes were lost. After that, the transfer never records bytes of this part again.
  public func checkpoint() throws(Failure) -> Checkpoint? {
    let (version, generation, written, sums) = state.withLock { ($0.version, $0.generation, $0.written, $0.sums) }
    guard let version, !written.isEmpty else { return nil }
    let durable = try version.part.makeDurable(written)
    // Bytes must be on the disk before they are recorded (P4), and they must not belong to an older version.
    guard !durable.isEmpty, state.withLock({ $0.generation }) == generation else { return nil }
    return Checkpoint(
      segments: durable, sums: durable == written ? sums : sums.restricted(to: durable), size: version.size,
      validators: version.validators, offered: version.offered,
      provenance: version.provenance, upload: version.part.record(of: durable))
  }

  /// Makes ``checkpoint()`` return `nil` from now on, because another attempt is about to write to the part file (P2).
  public func endCheckpoints() {
    state.withLock { state in
      state.version = nil
      state.generation += 1
      state.journal.clear()
    }
  }

  /// Returns the digests of the first `size` bytes of the part file, all of which are there. The digests are in the
  /// order of the algorithms. Most of this was computed while the bytes arrived. It blocks the calling thread.
  /// - Throws: ``Failure`` if the file cannot be read; `CancellationError` once `isCancelled` is true.
  public func digests(
    _ algorithms: [DigestAlgorithm], of part: any StoredBytes, size: Int64, isCancelled: () -> Bool
  ) throws -> [DigestValue] {
    if let values = (part as? any PartStorage)?.hashed(algorithms) { return values }
    if let follower = state.withLock({ $0.follower }),
      let values = try follower.values(algorithms, size: size, isCancelled: isCancelled)
    {
      return values
    }
    return try FileDigest.compute(algorithms, of: part, size: size, isCancelled: isCancelled)
  }

  // MARK: For the loop's side

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  @discardableResult
  func startPart(_ make: @escaping TransferLoop.Maker) -> TransferID { loop.start(make) }

  /// The number of seconds for which the loop has waited so far; the rest of the time it was busy. Only the loop's
  /// thread may read it.
  var waited: Double { loop.waited }

  func didStart(_ id: TransferID) {
    let isOpen = state.withLock { state in
      state.id = id
      return state.gate != nil
    }
    // Before the transfer had a number, nobody could signal it that a gate had opened or that it was cancelled, so this
    // is checked now.
    if isOpen || isCancelled { loop.signal(id) }
  }

  func noteSent(_ value: Int64) { bodySent.store(value, ordering: .relaxed) }
  func noteAnswer(_ answer: ResponseRecord, in part: any PartStorage) {
    let target = state.withLock { state -> (name: String, description: ObjectDescription)? in
      state.answer = answer
      // Keep no file open, unless the part must learn the name of its target before the end.
      guard part.destination.traits.bindsName else { return nil }
      state.part = part
      return state.target
    }
    if let (name, description) = target { part.willBe(name, description) }
  }
  func noteRequest() { requestWasSent.store(true, ordering: .releasing) }
  func setReceived(_ value: Int64) { count.store(value, ordering: .relaxed) }
  func noteReceived(_ more: Int) { count.wrappingAdd(Int64(more), ordering: .relaxed) }
  func noteSize(_ value: Int64?) { total.store(value ?? -1, ordering: .relaxed) }
  /// Forgets the announced length, because it was wrong.
  func forgetSize() {
    state.withLock { $0.version?.size = nil }
    noteSize(nil)
  }
  /// Records written bytes, but ignores bytes that belong to no version.
  func noteWritten(_ segment: Segment, _ sum: CRC32C) {
    let (follower, prefix) = state.withLock { state in
      if state.version != nil {
        state.written.insert(segment)
        state.sums.insert(segment, sum)
        state.journal.note(segment, sum, all: state.sums)
      }
      return (state.follower, state.written.prefix)
    }
    follower?.advance(to: prefix)
    front?.advance(to: prefix)
  }
  func noteConnections(_ value: Int) { connectionCount.store(value, ordering: .relaxed) }
  func noteFetching(_ segments: [Segment]) { state.withLock { $0.fetching = segments } }

  /// Computes the digests, if any are needed.
  var follower: DigestFollower? { state.withLock { $0.follower } }

  /// The written bytes, all of one version.
  var written: SegmentSet { state.withLock { $0.written } }

  var provenance: Provenance? { state.withLock { $0.version?.provenance } }
  /// Returns the ranges of the first `size` bytes that do not count; empty if no byte may be recorded.
  func uncounted(of size: Int64) -> SegmentSet {
    state.withLock { $0.version == nil ? SegmentSet() : $0.written.missing(from: size) }
  }

  public var sums: BlockSums { state.withLock { $0.sums } }

  /// Begins a version; the bytes that `checkpoint` covers belong to it.
  /// - Parameters:
  ///   - algorithms: The digests to compute during the transfer.
  ///   - spares: The buffers for bytes that wait to be hashed.
  func begin(
    _ checkpoint: Checkpoint, in part: any PartStorage, hashing algorithms: [DigestAlgorithm], _ spares: SpareBuffers
  ) {
    let written = checkpoint.segments
    let lacksLength = checkpoint.size == nil && algorithms.contains(where: \.beginsWithLength)
    let isWorthIt =
      !algorithms.isEmpty && !lacksLength && checkpoint.size ?? .max >= DigestFollower.least && part.isReadable
    if !part.isReadable { part.hash(algorithms) }
    let new = isWorthIt ? DigestFollower(part, algorithms, size: checkpoint.size, spares) : nil
    let follower = state.withLock { state -> DigestFollower? in
      // Further bytes of the same version do not cancel a checkpoint in progress: with many short answers, none would
      // ever be recorded.
      let isOther = state.version == nil || state.written != written
      // The store has recorded the bytes from which the first request continues.
      if state.generation == 0 { state.journal.recorded = written }
      if isOther { state.generation += 1 }
      state.version = Version(
        part: part, size: checkpoint.size, validators: checkpoint.validators, offered: checkpoint.offered,
        provenance: checkpoint.provenance)
      state.written = written
      state.sums = checkpoint.sums
      if isOther, state.generation > 1 { state.journal.clear() }
      state.journal.isCurrent = false
      // Do not hash bytes again that were hashed before, because some servers limit the length of a part.
      if let new, let old = state.follower, old.serves(new, from: written.prefix) { return old }
      state.follower?.stop()
      state.follower = new
      return new
    }
    follower?.advance(to: written.prefix)
    if part.isReadable { front?.begin(part, written.prefix) }
    noteSize(checkpoint.size)
    setReceived(written.count)
    if checkpoint.size ?? .max >= JournalRule.least { beginJournal() }
  }

  /// Removes bytes from the current version that contradict their digest.
  /// - Returns: These bytes, and further ones that the storage cannot keep without them.
  @discardableResult
  func takeBack(_ bytes: Segment) -> Segment {
    guard !bytes.isEmpty else { return bytes }
    let segment = state.withLock { $0.version?.part }?.giveUp(bytes) ?? bytes
    let (lost, follower) = state.withLock { state -> (Int64, DigestFollower?) in
      let before = state.written.count
      state.written.remove(segment)
      state.sums.remove(segment)
      state.generation += 1
      state.journal.recorded.remove(segment)
      state.journal.renew(state.sums)
      // A hash cannot forget bytes, so hash from the start.
      state.follower = state.follower?.restarted()
      return (before - state.written.count, state.follower)
    }
    count.wrappingSubtract(lost, ordering: .relaxed)
    front?.lose(from: segment.lowerBound)
    follower?.advance(to: written.prefix)
    return segment
  }

  /// Forbids recording bytes from now on.
  func abandonVersion() {
    state.withLock { state in
      state.version = nil
      state.written = SegmentSet()
      state.sums = BlockSums()
      state.generation += 1
      state.journal.clear()
      state.follower?.stop()
      state.follower = nil
    }
    front?.pause(keeping: 0)
    noteSize(nil)
    setReceived(0)
  }

  /// Whether the old bytes may be overwritten; `nil` until known.
  var gate: Result<Void, Failure>? { state.withLock { $0.gate } }

  func openGate(_ result: Result<Void, Failure>) {
    let id = state.withLock { state in
      state.gate = result
      return state.id
    }
    if let id { loop.signal(id) }
  }

  /// Runs `change`, unless the transfer has ended. After the end, the part file may belong to another attempt (P2).
  func unlessEnded(_ change: () throws(Failure) -> Void) throws(Failure) {
    try hasEnded.withLock { ended throws(Failure) in
      if !ended { try change() }
    }
  }

  func closeGate() { state.withLock { $0.gate = nil } }

  /// Ends a transfer without an outcome, because its owner has the file.
  func end() {
    hasEnded.withLock { $0 = true }
    _ = state.withLock { $0.ended.take() }
  }

  /// Ends the transfer with its outcome; nothing is written afterwards.
  func deliver(_ outcome: TransferOutcome) {
    hasEnded.withLock { $0 = true }
    let isWhole = if case .whole = outcome.end { true } else { false }
    let (waiter, ended) = state.withLock { state in
      if !isWhole { state.follower?.stop() }
      // The trailers may have brought further digests.
      if isWhole { state.version?.offered = outcome.offered }
      // If a callback takes the outcome, keep no copy here, which would keep the part file open.
      if state.ended == nil { state.outcome = outcome }
      return (state.waiter.take(), state.ended.take())
    }
    waiter?.resume(returning: outcome)
    ended?(outcome)
  }
}

extension Transfer: SegmentedFile {}
