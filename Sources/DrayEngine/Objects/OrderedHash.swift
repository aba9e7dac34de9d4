// Hashes the parts of an upload in order while they are in memory: they cannot be read back before the upload is
// complete.

#if ObjectStores

internal import Dispatch
internal import DrayCore
internal import Synchronization

/// The digests of an upload whose parts come in order.
final class OrderedHash: Sendable {
  /// State that only the queue uses.
  private final class Work: @unchecked Sendable {
    var digest: RunningDigest
    var next = 1

    init(_ algorithms: [DigestAlgorithm]) { digest = RunningDigest(algorithms) }
  }

  let algorithms: [DigestAlgorithm]
  private let queue = DispatchQueue(label: "dray.parts", qos: .userInitiated)
  private let work: Work
  private let broken: Mutex<Bool>

  init(_ algorithms: [DigestAlgorithm], isBroken: Bool) {
    self.algorithms = algorithms
    // The length may become known only at the end. The object is then read back from its server.
    let needsLength = algorithms.contains(where: \.beginsWithLength)
    work = Work(needsLength ? [] : algorithms)
    broken = Mutex(isBroken || needsLength)
  }

  var isBroken: Bool { broken.withLock(\.self) }

  /// Ends hashing, because bytes came out of order or were replaced.
  func stop() { broken.withLock { $0 = true } }

  /// Hashes a part after the parts of all earlier calls. The call returns at once.
  /// - Parameter ended: Called when the bytes are no longer needed.
  func take(_ number: Int, _ buffer: PartBuffer, ended: @escaping @Sendable () -> Void) {
    guard !isBroken else { return ended() }
    queue.async { [self] in
      if !isBroken, work.next == number {
        work.digest.update(buffer.bytes)
        work.next += 1
      } else {
        stop()
      }
      ended()
    }
  }

  /// Returns the digests after all `count` parts; `nil` if one was missing or out of order. The call blocks the calling
  /// thread.
  func values(_ count: Int) -> [DigestValue]? {
    queue.sync { isBroken || work.next != count + 1 ? nil : work.digest.values }
  }
}

#endif
