// A flag that stops work on other threads.

internal import Synchronization

/// Tells work on any thread that the result is no longer needed.
final class EndFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool {
    get { value.load(ordering: .acquiring) }
    set { value.store(newValue, ordering: .releasing) }
  }
}
