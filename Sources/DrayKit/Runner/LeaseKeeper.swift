// Renews the lease of a run, and suspends the run before the lease ends (P20). Does nothing for leases that last as long
// as the process.

internal import DrayEngine
internal import DrayStore
internal import Threads

/// The keeper of a run's lease.
@RunActor
final class LeaseKeeper: RunPart {
  private nonisolated let intake: Intake
  private var rule = LeaseRule()
  /// Whether a renewal is under way. It may wait as long as the store does, so the lease is checked in the meantime.
  private var isRenewing = false
  private var failures = 0
  /// The result of the last renewal during a suspension.
  private var answer: Result<LeaseRenewal, Failure>?
  /// The time of the next try after a failed one, by a monotonic clock.
  private var nextTry = 0.0
  /// Allows writes again.
  private let openFence: @Sendable () -> Void

  /// Seconds between two checks of the lease.
  private static let interval = 0.25

  nonisolated var tools: RunTools { intake.tools }
  nonisolated var signal: RunSignal { intake.signal }

  /// - Parameter openFence: allows writes again, after a suspension.
  init(_ intake: Intake, openFence: @escaping @Sendable () -> Void) {
    (self.intake, self.openFence) = (intake, openFence)
  }

  /// Keeps the lease until cancelled.
  func run() async {
    guard lease.remaining != nil else { return }
    while !Task.isCancelled {
      // While the run is suspended, `comeBack` renews.
      if !signal.isSuspended {
        switch rule.decide(remaining: lease.remaining) {
        case .holds: break
        case .isDue: beginRenewal()
        case .mustStop:
          signal.suspend(away("it cannot be reached: transfers stop now, and go on by themselves once it is back"))
          beginRenewal()
        }
      }
      try? await Task.sleep(for: .seconds(LeaseKeeper.interval))
    }
  }

  /// Waits until the lease is valid again, and ends the suspension.
  /// - Returns: `false` if the run ends instead.
  func comeBack() async -> Bool {
    var tries = 0
    intake.attempts.ledger.meter.suspended()
    while !isStopping {
      guard let answer = await renewed() else { return false }
      switch answer {
      case .success:
        failures = 0
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

  /// Renews the lease; `nil` if the run is stopped first. The store may let the call wait for long.
  private func renewed() async -> Result<LeaseRenewal, Failure>? {
    answer = nil
    Task {
      do throws(Failure) { self.answer = .success(try await lease.renew()) } catch { self.answer = .failure(error) }
    }
    while answer == nil, !isStopping { try? await Task.sleep(for: .seconds(LeaseKeeper.interval / 5)) }
    return answer
  }

  /// Sleeps, but not longer than until the run is stopped.
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
        self.failures = 0
        if renewal == .begun { signal.suspend(away("the lease of this run was over; other runners may have its jobs")) }
      } catch {
        self.failures += 1
        self.nextTry = SteadyClock.now() + LeaseRule.pause(afterFailures: self.failures)
        // Retry only if the store cannot be reached: any other failure would repeat.
        if !error.isStoreAway { signal.fail(error) }
      }
      self.isRenewing = false
    }
  }

  private func away(_ reason: String) -> Failure { Failure(.store, store.path, reason, recovery: .wait) }
}
