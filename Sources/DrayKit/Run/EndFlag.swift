// A flag for work on other threads.

internal import Synchronization

/// Says to work on any thread that its result is not needed any more. Once set, it stays.
final class EndFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
