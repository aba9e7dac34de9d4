// Observing a store: its records, and which runners live.

extension SQLiteStore {
  /// Calls `handler` at once, and soon after anything in the store has changed or a runner has come or gone, in this process or
  /// another: within milliseconds where the system reports writes, else within a second. Several changes may be reported
  /// as one.
  /// - Parameter handler: called on a thread of the monitor; it must not block.
  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    // Releasing the store closes it: the monitor must not keep it open.
    let number = monitor.add(handler, home: directory) { [weak self, directory] in
      guard let self else { return nil }
      return StoreFacts(mark: try? changeMarkBlocking(), runners: Set(LeaseFile.living(in: directory)))
    }
    return ChangeObservation { [monitor] in monitor.remove(number) }
  }
}
