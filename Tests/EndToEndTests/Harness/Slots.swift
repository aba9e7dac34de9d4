// Limits the number of tests that run at once: each runs several programs, and the machine may have two cores.

/// A counting semaphore for tasks.
actor Slots {
  /// The slots that all tests of this target share.
  static let shared = Slots(8)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  /// Takes a slot, as soon as one is free.
  func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  /// Returns a slot.
  func give() {
    if waiting.isEmpty {
      free += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
