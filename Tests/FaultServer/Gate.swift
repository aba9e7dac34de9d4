// A gate at which answers wait, so that a test acts at an exact byte and never guesses a time.

import Synchronization

extension FaultServer {
  /// Holds answers until it is opened; stays open then.
  public final class Gate: Sendable {
    private struct State {
      var arrivals = 0
      var isOpen = false
    }

    private let state = Mutex(State())

    /// A closed gate.
    public init() {}

    /// The number of answers that reached the gate, open or not.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    /// Whether answers pass.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Releases waiting answers and all later ones.
    public func open() { state.withLock { $0.isOpen = true } }

    /// Waits at most `seconds` until `count` answers have reached the gate; `false` after a timeout.
    public func waitForArrivals(_ count: Int = 1, seconds: Double = 120) async -> Bool {
      await poll(seconds: seconds) { self.arrivals >= count }
    }

    func arrive() { state.withLock { $0.arrivals += 1 } }
  }
}

/// Checks `condition` every few milliseconds, for at most `seconds`; false on timeout.
func poll(seconds: Double, _ condition: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
  while !condition() {
    guard ContinuousClock.now < deadline, !Task.isCancelled else { return condition() }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return true
}
