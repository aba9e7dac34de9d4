// Orders from other threads to the loop.

internal import Dispatch
internal import Posix
internal import Synchronization

/// The number of a connection.
typealias ConnectionID = UInt64

/// An order to the loop.
enum LoopOrder: Sendable {
  /// Send the program's answer to a request.
  case answer(ConnectionID, WebResponse)
  /// Look at a connection with a message in its outbox, or with room in its box.
  case look(ConnectionID)
  /// Run a part of a task on the loop's thread.
  case job(UnownedJob)
  /// Stop. Open connections are closed after `grace` seconds. `done` is called at the end.
  case stop(grace: Double, done: @Sendable () -> Void)
}

/// A list of orders, and the socket that wakes the loop.
final class LoopOrders: Sendable {
  private struct State {
    var orders: [LoopOrder] = []
    /// Whether the loop waits and must be woken.
    var isAsleep = false
    var isOver = false
  }

  private let state = Mutex(State())
  private let writing: Int32
  /// The descriptor that is readable after a wake-up.
  let reading: Int32

  init() throws(SystemError) { (reading, writing) = try System.pair() }

  deinit {
    System.close(reading)
    System.close(writing)
  }

  /// Adds an order.
  func post(_ order: LoopOrder) {
    let (mustWake, isLate) = state.withLock { state -> (Bool, Bool) in
      guard !state.isOver else { return (false, true) }
      state.orders.append(order)
      defer { state.isAsleep = false }
      return (state.isAsleep, false)
    }
    if isLate { carryOutLate(order) }
    guard mustWake else { return }
    // A full buffer already has a byte that wakes the loop.
    _ = try? withUnsafeBytes(of: UInt8(1)) { byte in try System.send(byte, to: writing) }
  }

  /// Carries out an order after the loop has ended: nobody is answered, but tasks continue to their end.
  private func carryOutLate(_ order: LoopOrder) {
    switch order {
    case .answer, .look: break
    case .job(let job): DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    case .stop(_, let done): done()
    }
  }

  /// Takes all orders.
  /// - Parameter isLast: Whether the loop ends.
  func take(isLast: Bool = false) -> [LoopOrder] {
    state.withLock { state in
      defer { state.orders = [] }
      state.isOver = isLast
      return state.orders
    }
  }

  /// Records that the loop is about to wait.
  /// - Returns: `false` if there are orders.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.orders.isEmpty
      return state.isAsleep
    }
  }

  /// Records that the loop has waited.
  func wakeUp(_ wasWoken: Bool, _ scratch: UnsafeMutableRawBufferPointer) {
    state.withLock { $0.isAsleep = false }
    if wasWoken { _ = try? System.receive(reading, into: scratch) }
  }
}

/// Runs tasks on the loop's thread. So a request that is answered from memory needs no other thread. Calls that block
/// run elsewhere and return here.
extension LoopOrders: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { post(.job(UnownedJob(job))) }
}
