// Observes the records of a store, and which runners are alive.

extension SQLiteStore {
  /// Reports changes within milliseconds if the system reports writes, otherwise within a second.
  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    // The monitor must not retain the store, because releasing the store closes it.
    let number = monitor.add(handler, home: directory) { [weak self, directory] in
      guard let self else { return nil }
      return StoreFacts(mark: try? changeMarkBlocking(), runners: Set(LeaseFile.living(in: directory)))
    }
    return ChangeObservation { [monitor] in monitor.remove(number) }
  }
}
