package import DrayCore

package import struct FoundationEssentials.UUID

/// The lease of one runner. Releasing the object ends the lease, too.
///
/// A lease either lasts as long as the process (``remaining`` is `nil`), or must be renewed before a time by the
/// store's clock. ``LeaseRule`` decides from ``remaining`` when a runner stops its transfers.
package protocol RunnerLease: Sendable {
  /// The UUID of the runner. It does not change when the lease begins again (``LeaseRenewal/begun``).
  var runner: UUID { get }

  /// The seconds until the lease ends unless it is renewed, by this machine's monotonic clock; 0 or less if the lease
  /// may be over; `nil` if the lease lasts as long as the process. The time counts from the sending of the last
  /// successful renewal, so the store never ends the lease earlier. Reading this property never waits.
  var remaining: Double? { get }

  /// The number of times that the lease has begun again (``LeaseRenewal/begun``). The number changes before
  /// ``remaining`` grows.
  var term: Int { get }

  /// - Throws: Kind `store`; with recovery `wait` if the store cannot be reached now.
  func renew() async throws(Failure) -> LeaseRenewal

  /// Shows other processes the progress of the runner's jobs. Call this at most a few times a second. This call is not
  /// durable.
  func show(_ board: RunnerBoard) async throws(Failure)

  /// Ends the lease. After this call, other runners can claim the runner's jobs.
  func release() async
}

extension RunnerLease {
  /// Renews the lease in time until the task is cancelled. If the store cannot be reached, renewing is tried again.
  func keep() async {
    while let remaining, !Task.isCancelled {
      do { try await Task.sleep(for: .seconds(max(0.5, remaining / 3))) } catch { return }
      _ = try? await renew()
    }
  }

  /// Returns whether the lease has lasted without a break since it had this term. If so, the runner still owns its
  /// jobs.
  package func lasts(since term: Int) -> Bool {
    // Compare the term last: if the lease ended and began again after the first comparison, the term differs.
    (remaining ?? 1) > 0 && self.term == term
  }

  package var remaining: Double? { nil }
  package var term: Int { 0 }
  package func renew() async throws(Failure) -> LeaseRenewal { .kept }
}
