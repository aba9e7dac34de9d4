// A flag for work on other threads.

internal import Synchronization

/// Says to work on any thread that its result is not needed any more.
final class EndFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool {
    get { value.load(ordering: .acquiring) }
    set { value.store(newValue, ordering: .releasing) }
  }
}
