// What the loop waits for: events on libcurl's sockets, libcurl's timer, and a call from another thread.

#if !DRAY_PORTABLE
internal import Posix

/// Waits for events on sockets and for one deadline. Any thread may call ``wake()``; all other calls belong to the
/// loop's thread.
final class SocketEvents {
  /// The maximum number of events per wait. The loop serves its orders and other transfers between two waits.
  static let capacity = 128

  private let queue: ReadinessQueue
  private var table = SocketTable()
  /// The events of the last wait, and the first one that has not been taken.
  private var (count, position) = (0, 0)
  /// The time of libcurl's timer, in the time of `System.now`.
  private(set) var deadline = Double.infinity
  /// Whether ``next()`` has found that ``wake()`` ended the last wait.
  private(set) var wasWoken = false

  init() throws(SystemError) { queue = try ReadinessQueue(capacity: SocketEvents.capacity) }

  /// The number of sockets.
  var sockets: Int { table.count }

  /// Ends the present wait, or the next one.
  func wake() { queue.wake() }

  /// Sets the events to watch on a socket; an empty set stops watching.
  /// - Parameter isOwn: Whether ``forget(_:)`` is called before the socket is closed.
  func want(_ socket: Int32, _ events: Readiness, isOwn: Bool) {
    apply(table.want(socket, events, isOwn: isOwn), to: socket)
  }

  /// Forgets a socket that is about to be closed, or that was opened just now.
  func forget(_ socket: Int32) { apply(table.forget(socket), to: socket) }

  /// Sets the deadline to a number of milliseconds from now; a negative number removes it.
  func setTimer(_ milliseconds: Int, now: Double) {
    deadline = milliseconds < 0 ? .infinity : now + Double(milliseconds) / 1000
  }

  /// Whether the deadline has passed. It is then removed.
  func takeDeadline(now: Double) -> Bool {
    guard deadline <= now else { return false }
    deadline = .infinity
    return true
  }

  /// Waits for an event, for the deadline, or for some seconds, whichever comes first.
  func wait(_ seconds: Double, now: Double) {
    (position, wasWoken) = (0, false)
    // Round up; otherwise the loop wakes up early and spins until the deadline.
    let milliseconds = max(0, min(min(seconds, deadline - now) * 1000, 3_600_000)).rounded(.up)
    count = queue.wait(Int32(milliseconds))
  }

  /// Returns the next event of the last wait; `nil` after the last one.
  func next() -> (socket: Int32, ready: Readiness)? {
    while position < count {
      let event = queue[position]
      position += 1
      guard event.tag != ReadinessQueue.wakeTag else {
        wasWoken = true
        continue
      }
      let (socket, ready, change) = table.take(event.tag, event.ready)
      apply(change, to: socket)
      if let ready { return (socket, ready) }
    }
    return nil
  }

  private func apply(_ change: SocketTable.Change, to socket: Int32) {
    do throws(SystemError) {
      switch change {
      case .none: break
      case .add(let events, let tag): try queue.watch(socket, events, tag: tag, isNew: true)
      case .modify(let events, let tag): try queue.watch(socket, events, tag: tag, isNew: false)
      case .remove: queue.unwatch(socket)
      }
    } catch {
      // The kernel is out of memory; libcurl polls the socket at each tick instead.
      table.fail(socket)
    }
  }
}
#endif
