// Renews the lease of a run, and suspends the run before the lease ends (P20). A lease that lasts as long as the
// process needs no renewal.

internal import DrayEngine
internal import DrayStore
internal import Threads

@RunActor
final class LeaseKeeper: RunPart {
  private nonisolated let claimer: JobClaimer
  private var rule = LeaseRule()
  /// Whether a renewal is in progress. A renewal may take long, so the lease is checked while it is in progress.
  private var isRenewing = false
  private var failures = 0
  /// The failure of the last renewal; `nil` if it succeeded.
  private var trouble: Failure?
  /// The result of the last renewal while the run is suspended.
  private var answer: Result<LeaseRenewal, Failure>?
  /// The time at which the last suspension ended, on a monotonic clock, and the number of suspensions that ended in
  /// vain, because the next one followed soon.
  private var returned = (at: -Double.infinity, inVain: 0)
  /// The time of the next try after a failure, on a monotonic clock.
  private var nextTry = 0.0
  /// Opens the fence, which has stopped all writes.
  private let openFence: @Sendable () -> Void

  /// The seconds between two checks of the lease.
  private static let interval = 0.25
  /// If the next suspension comes within this many seconds, it counts as following soon.
  private static let soon = 2.0

  nonisolated var tools: RunTools { claimer.tools }
  nonisolated var signal: RunSignal { claimer.signal }

  /// - Parameter openFence: Allows writes again after a suspension.
  init(_ claimer: JobClaimer, openFence: @escaping @Sendable () -> Void) {
    (self.claimer, self.openFence) = (claimer, openFence)
  }

  func run() async {
    guard lease.remaining != nil else { return }
    while !Task.isCancelled {
      // While the run is suspended, `comeBack` renews the lease.
      if !signal.isSuspended {
        switch rule.decide(remaining: lease.remaining) {
        case .holds: break
        case .isDue: beginRenewal()
        case .mustStop:
          signal.suspend(.transfersStop(store.path, after: trouble))
          beginRenewal()
        }
      }
      try? await Task.sleep(for: .seconds(LeaseKeeper.interval))
    }
  }

  /// Waits until the lease is valid again, and then ends the suspension.
  /// - Returns: `false` if the run ends instead.
  func comeBack() async -> Bool {
    var tries = 0
    claimer.registry.ledger.meter.suspended()
    // A store that accepts renewals may still refuse all other writes, for example because its disk is full.
    returned.inVain = SteadyClock.now() - returned.at < LeaseKeeper.soon ? returned.inVain + 1 : 0
    if returned.inVain > 0 { await pause(LeaseRule.pause(afterFailures: returned.inVain)) }
    while !isStopping {
      guard let answer = await renewed() else { return false }
      switch answer {
      case .success:
        (failures, trouble) = (0, nil)
        returned.at = SteadyClock.now()
        openFence()
        signal.goOn()
        return true
      case .failure(let failure) where failure.isStoreAway:
        tries += 1
        await pause(LeaseRule.pause(afterFailures: tries))
      case .failure(let failure):
        signal.fail(failure)
        return false
      }
    }
    return false
  }

  /// Renews the lease; returns `nil` if the run is stopped before that. The call may have to wait long for the store.
  private func renewed() async -> Result<LeaseRenewal, Failure>? {
    answer = nil
    Task {
      do throws(Failure) { self.answer = .success(try await lease.renew()) } catch { self.answer = .failure(error) }
    }
    while answer == nil, !isStopping { try? await Task.sleep(for: .seconds(LeaseKeeper.interval / 5)) }
    return answer
  }

  /// Sleeps until the time has passed, or until the run is stopped.
  private func pause(_ seconds: Double) async {
    let end = SteadyClock.now() + seconds
    while !isStopping, SteadyClock.now() < end { try? await Task.sleep(for: .seconds(LeaseKeeper.interval)) }
  }

  private func beginRenewal() {
    guard !isRenewing, SteadyClock.now() >= nextTry else { return }
    isRenewing = true
    Task {
      do throws(Failure) {
        let renewal = try await lease.renew()
        (self.failures, self.trouble) = (0, nil)
        if renewal == .begun { signal.suspend(away("the lease of this run was over; other runners may have its jobs")) }
      } catch {
        self.failures += 1
        self.trouble = error
        self.nextTry = SteadyClock.now() + LeaseRule.pause(afterFailures: self.failures)
        // Renew again only if the store could not be reached, because any other failure would come again.
        if !error.isStoreAway { signal.fail(error) }
      }
      self.isRenewing = false
    }
  }

  private func away(_ reason: String) -> Failure { Failure(.store, store.path, reason, recovery: .wait) }
}

extension Failure {
  /// The failure of a run whose lease is about to end.
  /// - Parameter trouble: The failure of the last renewal; `nil` if the store has not answered.
  static func transfersStop(_ store: String, after trouble: Failure?) -> Failure {
    // libpq's reasons may have more lines, with hints about other cases.
    let reason = trouble.flatMap { $0.reason.split(separator: "\n").first } ?? "it does not answer"
    return Failure(
      .store, store, "\(reason); transfers stop now, and go on by themselves once that is over",
      advice: trouble?.advice, recovery: .wait)
  }
}
