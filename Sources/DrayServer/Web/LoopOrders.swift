// What other threads have for the loop.

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
  /// Stop: after so many seconds whatever is still open is closed. The function is called at the end.
  case stop(grace: Double, done: @Sendable () -> Void)
}

/// A list of orders and the socket that wakes the loop.
final class LoopOrders: Sendable {
  private struct State {
    var orders: [LoopOrder] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let writing: Int32
  /// Readable while there are orders.
  let reading: Int32

  init() throws(SystemError) { (reading, writing) = try System.pair() }

  deinit {
    System.close(reading)
    System.close(writing)
  }

  /// Adds an order; one that comes after the end of the loop is forgotten, but for `stop`, which is done then.
  func post(_ order: LoopOrder) {
    let (mustWake, isLate) = state.withLock { state -> (Bool, Bool) in
      guard !state.isOver else { return (false, true) }
      state.orders.append(order)
      return (state.orders.count == 1, false)
    }
    if mustWake {
      // A full buffer has a byte in it that wakes the loop as well.
      _ = try? withUnsafeBytes(of: UInt8(1)) { byte in try System.send(byte, to: writing) }
    }
    if isLate, case .stop(_, let done) = order { done() }
  }

  /// Takes all orders.
  /// - Parameter isLast: whether the loop ends.
  func take(isLast: Bool = false) -> [LoopOrder] {
    state.withLock { state in
      defer { state.orders.removeAll(keepingCapacity: true) }
      state.isOver = isLast
      return state.orders
    }
  }

  /// Empties the socket.
  func calm(_ scratch: UnsafeMutableRawBufferPointer) { _ = try? System.receive(reading, into: scratch) }
}
