// Computes the digests of a file during its transfer, on a separate thread, so that they are known soon after the last
// byte.

internal import Dispatch
internal import DrayCore
internal import Synchronization

/// Hashes a file from its start up to the first gap. Bytes that arrive in order are hashed from their write buffer.
/// Bytes that arrive out of order, or faster than they can be hashed, are read from the file later.
final class DigestFollower: Sendable {
  /// The number of bytes to read from the file at once. Reading starts when this many new bytes have arrived. After
  /// each piece, the thread checks whether to stop.
  private static let step: Int64 = 4 << 20
  /// The total size of waiting buffers that wakes up the thread.
  private static let wakeStep = 256 << 10
  static let bufferLimit = 4 << 20
  /// Files up to this length are hashed after the transfer: their bytes are still in memory then, and a thread would
  /// cost more.
  static let least: Int64 = 8 << 20

  private enum Phase {
    case open
    /// All bytes have arrived, and a caller waits for the digests.
    case ending
    case stopped
  }

  private enum Piece {
    case buffer(GatherBuffer)
    /// Bytes that must be read from the file.
    case file(Segment)
  }

  private struct State {
    /// The position up to which all bytes have arrived.
    var present: Int64 = 0
    /// The position up to which bytes are hashed or are in `pieces`.
    var queued: Int64 = 0
    var pieces: [Piece] = []
    /// The total size of the waiting buffers, full or not.
    var bufferBytes = 0
    var isAtWork = false
    var phase = Phase.open

    mutating func append(_ segment: Segment) {
      if case .file(let last)? = pieces.last, last.upperBound == segment.lowerBound {
        pieces[pieces.count - 1] = .file(last.lowerBound..<segment.upperBound)
      } else {
        pieces.append(.file(segment))
      }
      queued = segment.upperBound
    }

    mutating func append(_ buffer: GatherBuffer) {
      pieces.append(.buffer(buffer))
      queued += Int64(buffer.count)
      bufferBytes += buffer.size
    }
  }

  /// State that only the queue uses.
  private final class Work: @unchecked Sendable {
    var digest: RunningDigest
    var hashed: Int64 = 0
    var error: (any Error)?

    init(_ algorithms: [DigestAlgorithm], _ size: Int64?) { digest = RunningDigest(algorithms, size: size) }

    func update(_ bytes: UnsafeRawBufferPointer) {
      digest.update(bytes)
      hashed += Int64(bytes.count)
    }
  }

  private let state = Mutex(State())
  private let part: any StoredBytes
  private let algorithms: [DigestAlgorithm]
  /// The length of the file that some algorithms begin with; `nil` if none does.
  private let size: Int64?
  private let spares: SpareBuffers
  private let work: Work
  /// The queue on which the hashing runs; tests block it.
  let queue = DispatchQueue(label: "dray.follow", qos: .userInitiated)

  /// - Parameter size: The length of the file. If it is unknown, none of the algorithms may begin with it
  ///   (``DigestAlgorithm/beginsWithLength``).
  init(
    _ part: any StoredBytes, _ algorithms: [DigestAlgorithm], size: Int64? = nil,
    _ spares: SpareBuffers = SpareBuffers()
  ) {
    (self.part, self.algorithms, self.spares) = (part, algorithms, spares)
    self.size = algorithms.contains(where: \.beginsWithLength) ? size : nil
    work = Work(algorithms, size)
  }

  deinit { stop() }

  /// Records that all bytes up to `position` have arrived. The call returns at once.
  func advance(to position: Int64) {
    change { state in
      state.present = max(state.present, position)
      guard state.present - state.queued >= DigestFollower.step else { return false }
      state.append(state.queued..<state.present)
      return true
    }
  }

  /// Returns an empty buffer of the same size in exchange for `buffer`, whose bytes belong at `position`. The caller
  /// must then either hand over `buffer` or give back the new one.
  /// - Returns: `nil` if these bytes must be read from the file later, because a gap precedes them or too many bytes
  ///   are waiting.
  func spare(for buffer: GatherBuffer, at position: Int64) -> GatherBuffer? {
    let hasRoom = state.withLock { state in
      state.phase == .open && position == state.queued
        && state.bufferBytes + buffer.size <= DigestFollower.bufferLimit
    }
    return hasRoom ? spares.take(buffer.size) : nil
  }

  func giveBack(_ spare: GatherBuffer) { spares.giveBack(spare) }

  /// Hashes a buffer whose bytes were written at `position`, and takes it over. ``spare(for:at:)`` must have returned
  /// another buffer for it. The call returns at once.
  func take(_ buffer: GatherBuffer, at position: Int64) {
    var isTaken = false
    change { state in
      guard position == state.queued else { return false }
      state.append(buffer)
      isTaken = true
      return state.bufferBytes >= DigestFollower.wakeStep
    }
    if !isTaken { spares.giveBack(buffer) }
  }

  /// Changes the state; wakes up the thread if `body` returns true.
  private func change(_ body: (inout State) -> Bool) {
    let begins = state.withLock { state in
      guard state.phase == .open, body(&state), !state.isAtWork else { return false }
      state.isAtWork = true
      return true
    }
    if begins { queue.async { [self] in follow() } }
  }

  /// Whether this follower can do the work of `other`: it hashes the same part with the same algorithms, and has seen
  /// no bytes beyond `prefix`.
  func serves(_ other: DigestFollower, from prefix: Int64) -> Bool {
    part === other.part && algorithms == other.algorithms && size == other.size
      && state.withLock { $0.phase == .open && max($0.present, $0.queued) <= prefix }
  }

  /// Stops this follower, and returns a new one that hashes from the start.
  func restarted() -> DigestFollower {
    stop()
    return DigestFollower(part, algorithms, size: size, spares)
  }

  func stop() {
    let left = state.withLock { state in
      state.phase = .stopped
      state.bufferBytes = 0
      defer { state.pieces = [] }
      return state.pieces
    }
    for case .buffer(let buffer) in left { spares.giveBack(buffer) }
  }

  /// Returns the digests of the first `size` bytes, which have all arrived, in the order of `algorithms`. The call
  /// blocks the calling thread.
  /// - Returns: `nil` if the follower was created for other algorithms, or for another length that counts.
  /// - Throws: ``Failure`` if the file cannot be read; `CancellationError` once `isCancelled` is true.
  func values(_ algorithms: [DigestAlgorithm], size: Int64, isCancelled: () -> Bool) throws -> [DigestValue]? {
    guard algorithms.allSatisfy(self.algorithms.contains), self.size.map({ $0 == size }) ?? true else {
      stop()
      return nil
    }
    state.withLock { state in
      if state.phase == .open { state.phase = .ending }
    }
    // The follower's thread finishes its present piece, which is short. The rest is hashed on the calling thread, which
    // can be cancelled.
    let values = try queue.sync { () throws -> [DigestValue] in
      defer { stop() }
      while let piece = next(in: .ending) { try hash(piece, isCancelled) }
      if let error = work.error { throw error }
      try FileDigest.read(part, work.hashed..<max(work.hashed, size), isCancelled, work.update)
      return work.digest.values
    }
    return algorithms.compactMap { wanted in values.first { $0.algorithm == wanted } }
  }

  private func follow() {
    do {
      while let piece = next(in: .open) { try hash(piece) { false } }
    } catch {
      work.error = error
      stop()
    }
  }

  private func next(in phase: Phase) -> Piece? {
    state.withLock { state in
      guard state.phase == phase, let first = state.pieces.first else {
        state.isAtWork = false
        return nil
      }
      guard case .file(let range) = first, range.upperBound - range.lowerBound > DigestFollower.step else {
        if case .buffer(let buffer) = first { state.bufferBytes -= buffer.size }
        return state.pieces.removeFirst()
      }
      let middle = range.lowerBound + DigestFollower.step
      state.pieces[0] = .file(middle..<range.upperBound)
      return .file(range.lowerBound..<middle)
    }
  }

  private func hash(_ piece: Piece, _ isCancelled: () -> Bool) throws {
    switch piece {
    case .file(let range):
      try FileDigest.read(part, range, isCancelled, work.update)
    case .buffer(let buffer):
      work.update(buffer.bytes)
      spares.giveBack(buffer)
    }
  }
}
