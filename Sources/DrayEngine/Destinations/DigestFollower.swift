// Digests of a file that is still coming: computed behind the bytes, on a thread of their own, so that they are known
// soon after the last byte.

internal import Dispatch
internal import DrayCore
internal import Glibc
internal import Synchronization

/// Follows a file from its beginning as far as it is there without a gap. What comes in its order is hashed from the buffer
/// that it was written from; what does not, and what comes faster than it can be hashed, is read from the file.
final class DigestFollower: Sendable {
  /// Bytes of the file that are left to gather before they are read, and that are read without asking whether to continue.
  private static let step: Int64 = 4 << 20
  /// Bytes of buffers that are worth waking the thread for, and that may wait for it.
  private static let wakeStep = 256 << 10
  static let bufferLimit = 4 << 20
  /// Files up to this length are hashed at their end: they are in memory still, and a thread costs more.
  static let least: Int64 = 8 << 20

  private enum Phase {
    case open
    /// All bytes are there, and the digests are awaited.
    case ending
    /// Nothing is hashed any more.
    case stopped
  }

  /// What is to be hashed next.
  private enum Piece {
    case buffer(GatherBuffer)
    /// Bytes that are on disk.
    case file(Segment)
  }

  private struct State {
    /// As far as bytes are there.
    var present: Int64 = 0
    /// As far as bytes were hashed, or wait in `pieces` to be.
    var queued: Int64 = 0
    var pieces: [Piece] = []
    /// Bytes of the buffers among them, full or not.
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

  /// What only the queue touches.
  private final class Work: @unchecked Sendable {
    var digest: RunningDigest
    var hashed: Int64 = 0
    var error: (any Error)?

    init(_ algorithms: [DigestAlgorithm]) { digest = RunningDigest(algorithms) }

    func update(_ bytes: UnsafeRawBufferPointer) {
      digest.update(bytes)
      hashed += Int64(bytes.count)
    }
  }

  private let state = Mutex(State())
  private let part: any StoredBytes
  private let algorithms: [DigestAlgorithm]
  private let spares: SpareBuffers
  private let work: Work
  /// Where it is hashed; a test holds it up.
  let queue = DispatchQueue(label: "dray.follow", qos: .userInitiated)

  init(_ part: any StoredBytes, _ algorithms: [DigestAlgorithm], _ spares: SpareBuffers = SpareBuffers()) {
    (self.part, self.algorithms, self.spares) = (part, algorithms, spares)
    work = Work(algorithms)
  }

  deinit { stop() }

  /// All bytes up to `position` are there. Returns at once.
  func advance(to position: Int64) {
    change { state in
      state.present = max(state.present, position)
      guard state.present - state.queued >= DigestFollower.step else { return false }
      state.append(state.queued..<state.present)
      return true
    }
  }

  /// An empty buffer like this one, of which the bytes belong at `position`: to continue with once this one was handed over, or
  /// to be given back. `nil` if these bytes are to be read from the file later: they do not follow what is there, or too
  /// many wait.
  func spare(for buffer: GatherBuffer, at position: Int64) -> GatherBuffer? {
    let hasRoom = state.withLock { state in
      state.phase == .open && position == state.queued
        && state.bufferBytes + buffer.size <= DigestFollower.bufferLimit
    }
    return hasRoom ? spares.take(buffer.size) : nil
  }

  /// Accepts a returned spare that was not used.
  func giveBack(_ spare: GatherBuffer) { spares.giveBack(spare) }

  /// Hashes the bytes of a buffer that a spare was given for, once they were written at `position`. Returns at once; the
  /// buffer is not the caller's any more.
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

  /// Changes the state and wakes the thread where it says so.
  private func change(_ body: (inout State) -> Bool) {
    let begins = state.withLock { state in
      guard state.phase == .open, body(&state), !state.isAtWork else { return false }
      state.isAtWork = true
      return true
    }
    if begins { queue.async { [self] in follow() } }
  }

  /// Whether this may continue in the place of `other`, as all bytes that it has seen are among the first `prefix`.
  func serves(_ other: DigestFollower, from prefix: Int64) -> Bool {
    part === other.part && algorithms == other.algorithms
      && state.withLock { $0.phase == .open && max($0.present, $0.queued) <= prefix }
  }

  /// Another one that hashes the same from the start; this one ends.
  func restarted() -> DigestFollower {
    stop()
    return DigestFollower(part, algorithms, spares)
  }

  /// Ends the work: what was hashed is of no use any more.
  func stop() {
    let left = state.withLock { state in
      state.phase = .stopped
      state.bufferBytes = 0
      defer { state.pieces = [] }
      return state.pieces
    }
    for case .buffer(let buffer) in left { spares.giveBack(buffer) }
  }

  /// The digests of the first `size` bytes, all of which are there, in the order of `algorithms`. Blocks.
  /// - Returns: `nil` if other algorithms were followed.
  /// - Throws: ``Failure`` when the file cannot be read; `CancellationError` once `isCancelled` says so.
  func values(_ algorithms: [DigestAlgorithm], size: Int64, isCancelled: () -> Bool) throws -> [DigestValue]? {
    guard algorithms.allSatisfy(self.algorithms.contains) else {
      stop()
      return nil
    }
    state.withLock { state in
      if state.phase == .open { state.phase = .ending }
    }
    // What the thread is at is short: it takes up no more once it sees this. What it leaves can be broken off.
    let values = try queue.sync { () throws -> [DigestValue] in
      defer { stop() }
      while let piece = next(in: .ending) { try hash(piece, isCancelled) }
      if let error = work.error { throw error }
      try FileDigest.read(part, work.hashed..<max(work.hashed, size), isCancelled, work.update)
      return work.digest.values
    }
    return algorithms.compactMap { wanted in values.first { $0.algorithm == wanted } }
  }

  /// Hashes what is there, until nothing is.
  private func follow() {
    do {
      while let piece = next(in: .open) { try hash(piece) { false } }
    } catch {
      work.error = error
      stop()
    }
  }

  /// The next piece, as long as the work is in this phase.
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
