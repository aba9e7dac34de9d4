// What other threads have for the loop.

internal import Dispatch
internal import Posix
internal import Synchronization

/// The number of a connection.
typealias ConnectionID = UInt64

/// One thing for the loop to do.
enum LoopOrder: Sendable {
  /// The program's answer to a request.
  case answer(ConnectionID, WebResponse)
  /// Something waits in a connection's outbox, or there is room in its box.
  case look(ConnectionID)
  /// A piece of a task that runs on the loop's thread.
  case job(UnownedJob)
  /// Stop: after so many seconds whatever is still open is closed. The function is called at the end.
  case stop(grace: Double, done: @Sendable () -> Void)
}

/// A list of orders and the socket that wakes the loop.
final class LoopOrders: Sendable {
  private struct State {
    var orders: [LoopOrder] = []
    /// Whether the loop waits, and must be woken.
    var isAsleep = false
    var isOver = false
  }

  private let state = Mutex(State())
  private let writing: Int32
  /// Readable when the loop was woken.
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
    // A full buffer has a byte in it that wakes the loop as well.
    _ = try? withUnsafeBytes(of: UInt8(1)) { byte in try System.send(byte, to: writing) }
  }

  /// Without a loop there is nobody to answer, but tasks go on to their end.
  private func carryOutLate(_ order: LoopOrder) {
    switch order {
    case .answer, .look: break
    case .job(let job): DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    case .stop(_, let done): done()
    }
  }

  /// Takes all orders.
  /// - Parameter isLast: whether the loop ends.
  func take(isLast: Bool = false) -> [LoopOrder] {
    state.withLock { state in
      defer { state.orders = [] }
      state.isOver = isLast
      return state.orders
    }
  }

  /// The loop is about to wait.
  /// - Returns: false if there are orders already.
  func fallAsleep() -> Bool {
    state.withLock { state in
      state.isAsleep = state.orders.isEmpty
      return state.isAsleep
    }
  }

  /// The loop has waited.
  func wakeUp(_ wasWoken: Bool, _ scratch: UnsafeMutableRawBufferPointer) {
    state.withLock { $0.isAsleep = false }
    if wasWoken { _ = try? System.receive(reading, into: scratch) }
  }
}

/// The loop's thread as a place where tasks run. A request that is answered from memory is answered without another thread; whatever
/// waits does so elsewhere, and comes back.
extension LoopOrders: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { post(.job(UnownedJob(job))) }
}
