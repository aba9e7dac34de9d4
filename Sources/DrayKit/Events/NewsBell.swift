internal import Dispatch
internal import Synchronization

/// Wakes a reader when there is news: at once, or after a few milliseconds in which more news may arrive. Any thread
/// may ring the bell. A ring that is not urgent is delayed, because waking the reader for each small file would cost as
/// much as transferring the file.
final class NewsBell: Sendable {
  private enum Ring { case none, waiting, rung }

  private let ring = Mutex(Ring.none)
  private let queue = DispatchQueue(label: "dray.news")
  private let wake: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

  private static let delay = DispatchTimeInterval.milliseconds(3)

  /// Sets the closure to call; `nil` removes it.
  func open(_ wake: (@Sendable () -> Void)?) { self.wake.withLock { $0 = wake } }

  func ring(soon: Bool) {
    let before = ring.withLock { ring in
      defer { if soon { ring = .rung } else if ring == .none { ring = .waiting } }
      return ring
    }
    switch (before, soon) {
    case (.none, false): queue.asyncAfter(deadline: .now() + NewsBell.delay) { self.expire() }
    case (.none, true), (.waiting, true): call()
    case (.waiting, false), (.rung, _): break
    }
  }

  /// Call this when the woken reader begins to read, so that later news rings again.
  func begin() { ring.withLock { $0 = .none } }

  private func expire() {
    let isDue = ring.withLock { ring in
      guard ring == .waiting else { return false }
      ring = .rung
      return true
    }
    if isDue { call() }
  }

  private func call() { wake.withLock(\.self)?() }
}
