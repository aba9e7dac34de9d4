// Waiting for any number of descriptors at a cost that does not grow with their number (epoll(7)).

#if !DRAY_PORTABLE
internal import CLinux
internal import Glibc

/// A set of descriptors whose events one thread waits for. Any thread may call ``wake()``; all other calls belong to
/// that thread.
public final class ReadinessQueue {
  /// The tag that reports ``wake()``.
  public static let wakeTag = UInt64.max
  private static let wakeEvents = UInt32(EPOLLIN.rawValue) | UInt32(EPOLLET.rawValue)

  private let queue: Int32
  private let bell: Int32
  private let events: UnsafeMutablePointer<epoll_event>
  private let capacity: Int

  /// Creates a queue whose ``wait(_:)`` reports at most `capacity` descriptors.
  public init(capacity: Int) throws(SystemError) {
    queue = try System.retrying("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
    do throws(SystemError) {
      bell = try System.retrying("eventfd") { eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }
    } catch {
      System.close(queue)
      throw error
    }
    self.capacity = capacity
    events = .allocate(capacity: capacity)
    events.initialize(repeating: epoll_event(), count: capacity)
    // Each call of `wake()` is one event, so that nobody has to read the counter.
    var event = epoll_event(events: ReadinessQueue.wakeEvents, data: epoll_data_t(u64: ReadinessQueue.wakeTag))
    try System.retrying("epoll_ctl") { epoll_ctl(queue, EPOLL_CTL_ADD, bell, &event) }
  }

  deinit {
    System.close(bell)
    System.close(queue)
    events.deallocate()
  }

  /// Ends the present wait, or the next one.
  public func wake() {
    var one: UInt64 = 1
    _ = write(bell, &one, 8)
  }

  /// Watches a descriptor, or changes its events and its tag. The call succeeds whether or not the descriptor was
  /// watched before.
  /// - Parameter isNew: Whether the descriptor is probably not watched yet.
  public func watch(_ descriptor: Int32, _ wanted: Readiness, tag: UInt64, isNew: Bool) throws(SystemError) {
    // The bits of poll(2) have the same values.
    let bits = UInt32(UInt16(bitPattern: wanted.rawValue))
    var event = epoll_event(events: bits, data: epoll_data_t(u64: tag))
    let (likely, other) = isNew ? (EPOLL_CTL_ADD, EPOLL_CTL_MOD) : (EPOLL_CTL_MOD, EPOLL_CTL_ADD)
    if epoll_ctl(queue, likely, descriptor, &event) == 0 { return }
    guard errno == EEXIST || errno == ENOENT else { throw SystemError("epoll_ctl", errno) }
    try System.retrying("epoll_ctl") { epoll_ctl(queue, other, descriptor, &event) }
  }

  /// Stops watching a descriptor. Nothing happens if it is not watched.
  public func unwatch(_ descriptor: Int32) {
    var event = epoll_event()
    _ = epoll_ctl(queue, EPOLL_CTL_DEL, descriptor, &event)
  }

  /// Waits for events, at most some milliseconds; a negative number is no limit. A signal ends the wait early.
  /// - Returns: The number of events, which ``subscript(index:)`` returns.
  public func wait(_ milliseconds: Int32) -> Int {
    Int(max(0, epoll_wait(queue, events, Int32(capacity), milliseconds)))
  }

  /// An event of the last wait.
  public subscript(index: Int) -> (tag: UInt64, ready: Readiness) {
    let event = events[index]
    return (event.data.u64, Readiness(rawValue: Int16(truncatingIfNeeded: event.events)))
  }
}
#endif
