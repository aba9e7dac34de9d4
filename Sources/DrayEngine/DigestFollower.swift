// Digests of a file that is still coming: computed behind the bytes, on a thread of their own, so that they are known
// soon after the last byte.

internal import DrayCore
internal import Foundation
internal import Synchronization

/// Follows a file from its beginning as far as it is there without a gap.
final class DigestFollower: Sendable {
  /// Bytes that are left to gather before the thread is woken.
  private static let step: Int64 = 4 << 20
  /// Files up to this length are hashed at their end: they are in memory still, and a thread costs more.
  static let least: Int64 = 8 << 20

  private struct State {
    /// As far as bytes are there, and as far as they were hashed or are being.
    var present: Int64 = 0
    var taken: Int64 = 0
    var isAtWork = false
    var isStopped = false
  }

  /// What only the queue touches.
  private final class Work: @unchecked Sendable {
    var digest: RunningDigest
    var hashed: Int64 = 0
    var error: (any Error)?

    init(_ algorithms: [DigestAlgorithm]) { digest = RunningDigest(algorithms) }
  }

  private let state = Mutex(State())
  private let part: PartFile
  private let algorithms: [DigestAlgorithm]
  private let work: Work
  private let queue = DispatchQueue(label: "dray.follow", qos: .userInitiated)

  init(_ part: PartFile, _ algorithms: [DigestAlgorithm]) {
    (self.part, self.algorithms) = (part, algorithms)
    work = Work(algorithms)
  }

  /// All bytes up to `position` are there. Returns at once.
  func advance(to position: Int64) {
    let begins = state.withLock { state in
      state.present = max(state.present, position)
      guard !state.isAtWork, !state.isStopped, state.present - state.taken >= DigestFollower.step else { return false }
      state.isAtWork = true
      return true
    }
    if begins { queue.async { [self] in follow() } }
  }

  /// Whether this may go on in the place of `other`, as all bytes that it has seen are among the first `prefix`.
  func serves(_ other: DigestFollower, from prefix: Int64) -> Bool {
    part === other.part && algorithms == other.algorithms
      && state.withLock { !$0.isStopped && $0.present <= prefix }
  }

  /// Ends the work: what was hashed is of no use any more.
  func stop() { state.withLock { $0.isStopped = true } }

  /// The digests of the first `size` bytes, all of which are there, in the order of `algorithms`. Blocks.
  /// - Returns: `nil` where other algorithms were followed.
  /// - Throws: ``SystemError`` when the file cannot be read; `CancellationError` once `isCancelled` says so.
  func values(_ algorithms: [DigestAlgorithm], size: Int64, isCancelled: () -> Bool) throws -> [DigestValue]? {
    guard algorithms.allSatisfy(self.algorithms.contains) else { return nil }
    // What the thread is at is short: it takes up no more once it sees this.
    stop()
    let values = try queue.sync { () throws -> [DigestValue] in
      if let error = work.error { throw error }
      try FileDigest.read(part, work.hashed..<max(work.hashed, size), isCancelled) {
        work.digest.update($0)
        work.hashed += Int64($0.count)
      }
      return work.digest.values
    }
    return algorithms.compactMap { wanted in values.first { $0.algorithm == wanted } }
  }

  /// Hashes what is there, until nothing is.
  private func follow() {
    while let upper = next() {
      guard work.error == nil else { return }
      do {
        try FileDigest.read(part, work.hashed..<upper, { false }) { work.digest.update($0) }
        work.hashed = upper
      } catch {
        work.error = error
      }
    }
  }

  private func next() -> Int64? {
    state.withLock { state in
      guard !state.isStopped, state.present > state.taken else {
        state.isAtWork = false
        return nil
      }
      // In pieces, so that whoever wants the end need not wait for long.
      state.taken = min(state.present, state.taken + DigestFollower.step)
      return state.taken
    }
  }
}
