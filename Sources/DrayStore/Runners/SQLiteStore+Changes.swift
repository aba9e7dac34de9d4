// Observes a store: its records, and which runners live.

extension SQLiteStore {
  /// Calls `handler` at once, and soon after the store changes or a runner starts or ends, in any process: within
  /// milliseconds if the system reports writes, otherwise within a second. Several changes may be reported as one.
  /// - Parameter handler: called on a thread of the monitor; it must not block.
  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    // Releasing the store closes it, so the monitor must not retain it.
    let number = monitor.add(handler, home: directory) { [weak self, directory] in
      guard let self else { return nil }
      return StoreFacts(mark: try? changeMarkBlocking(), runners: Set(LeaseFile.living(in: directory)))
    }
    return ChangeObservation { [monitor] in monitor.remove(number) }
  }
}
