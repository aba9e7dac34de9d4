// An observer that keeps a record, and holds the permission to start over until a test gives it.

import DrayCore
import DrayEngine
import Synchronization

final class Watcher: TransferObserver {
  struct Record {
    var redirects: [RedirectStep] = []
    var answers: [(status: Int, from: Int64, size: Int64?)] = []
    var startsOver: [StartOver] = []
    /// Counts that were about to fall, and why.
    var restarts: [StartOver] = []
    /// The largest checkpoints allowed after a wrong part was taken back.
    var takenBack: [Checkpoint] = []
    /// Restarts and first bytes, in their order.
    var order: [String] = []
    /// Mirrors that were given up, and why.
    var drops: [(mirror: RequestURL, reason: String)] = []
    /// The ends of limits to one connection.
    var limits: [Double] = []
    /// The number of decided requests to start over.
    var decided = 0
  }

  /// The fate of a command to start over.
  enum Permission: Sendable {
    case given
    case refused(Failure)
  }

  private let record = Mutex(Record())
  private let permission: Mutex<Permission?>

  let journal: JournalPlace?

  /// Gives permission at once, or waits for ``decide(_:)``.
  init(holds: Bool = false, journal: JournalPlace? = nil) {
    permission = Mutex(holds ? nil : .given)
    self.journal = journal
  }

  var now: Record { record.withLock { $0 } }

  func decide(_ decision: Permission) { permission.withLock { $0 = decision } }

  /// Waits for the effect of a permission, as far as possible.
  func finished() async -> Bool {
    guard await eventually({ self.now.decided == self.now.startsOver.count }) else { return false }
    // The transfer's side continues in a separate task, whose end is not reported.
    for _ in 0..<50 { try? await Task.sleep(for: .milliseconds(2)) }
    return true
  }

  func transferFollows(_ redirect: RedirectStep) { record.withLock { $0.redirects.append(redirect) } }

  func transferReceives(_ response: ResponseRecord, from: Int64, size: Int64?) {
    record.withLock {
      $0.answers.append((response.head.status, from, size))
      $0.order.append("from \(from)")
    }
  }

  func transferRestarts(_ reason: StartOver) {
    record.withLock {
      $0.restarts.append(reason)
      $0.order.append("restarts")
    }
  }

  func transferTakesBack(_ checkpoint: Checkpoint, in part: any PartStorage) async throws(Failure) {
    record.withLock { $0.takenBack.append(checkpoint) }
    while true {
      switch permission.withLock({ $0 }) {
      case nil: try? await Task.sleep(for: .milliseconds(2))
      case .given?: return
      case .refused(let failure)?: throw failure
      }
    }
  }

  func transferDrops(mirror: RequestURL, because reason: String) {
    record.withLock { $0.drops.append((mirror, reason)) }
  }

  func transferLimitsConnections(until time: Double) { record.withLock { $0.limits.append(time) } }

  func transferStartsOver(_ reason: StartOver) async throws(Failure) {
    record.withLock { $0.startsOver.append(reason) }
    defer { record.withLock { $0.decided += 1 } }
    while true {
      switch permission.withLock({ $0 }) {
      case nil: try? await Task.sleep(for: .milliseconds(2))
      case .given?: return
      case .refused(let failure)?: throw failure
      }
    }
  }
}
