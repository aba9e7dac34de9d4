// How a multi handle learns what to do. On Linux, events tell it, at a cost that does not grow with the number of
// transfers. Elsewhere, libcurl polls all of its sockets.

internal import CCurl
internal import Posix

#if DRAY_PORTABLE
extension MultiHandle {
  /// Drives every transfer.
  func perform() {
    var running: Int32 = 0
    _ = curl_multi_perform(raw, &running)
  }

  /// Receives the bytes that have arrived for all transfers.
  func receiveAll() { perform() }

  /// Does nothing, because ``perform()`` drives every transfer.
  func performAll() {}

  /// Waits for work, but at most this many seconds.
  func wait(_ seconds: Double) {
    // Round up; otherwise the loop wakes up early and spins until the deadline.
    let milliseconds = Int32(max(0, min(seconds * 1000, 3_600_000)).rounded(.up))
    var descriptors: Int32 = 0
    _ = curl_multi_poll(raw, nil, 0, milliseconds, &descriptors)
  }

  /// Ends the present wait, or the next one.
  func endWait() { _ = curl_multi_wakeup(raw) }
}
#else
extension MultiHandle {
  /// Drives the transfers that have events.
  func perform() {
    let isLate = !hasWaited
    if isLate { events.wait(0, now: TransferLoop.now()) }
    hasWaited = false
    var running: Int32 = 0
    while let (socket, ready) = events.next() {
      _ = curl_multi_socket_action(raw, socket, MultiHandle.bits(ready), &running)
    }
    // The wake-up came after the loop had taken its orders, and is reported only once.
    if isLate, events.wasWoken { hasOrders = true }
    if events.takeDeadline(now: TransferLoop.now()) { _ = ccurl_multi_timer_action(raw, &running) }
  }

  /// Receives the bytes that have arrived for all transfers.
  func receiveAll() {
    // Each wait starts with the sockets that the previous one had no room for.
    for _ in 0...events.sockets / SocketEvents.capacity { perform() }
  }

  /// Drives every transfer. Some versions of libcurl leave a transfer without a socket or a timer (for example on a
  /// reused FTP connection, before its data connection), or leave bytes in their buffers.
  func performAll() {
    var running: Int32 = 0
    _ = ccurl_multi_socket_all(raw, &running)
  }

  /// Waits for work, but at most this many seconds.
  func wait(_ seconds: Double) {
    events.wait(seconds, now: TransferLoop.now())
    hasWaited = true
  }

  /// Ends the present wait, or the next one.
  func endWait() { events.wake() }

  /// Makes libcurl report its sockets and its timer.
  func reportSockets() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = ccurl_multi_setopt_pointer(raw, CURLMOPT_SOCKETDATA, context)
    _ = ccurl_multi_setopt_pointer(raw, CURLMOPT_TIMERDATA, context)
    _ = ccurl_multi_setopt_socket_callback(raw, MultiHandle.onSocket)
    _ = ccurl_multi_setopt_timer_callback(raw, MultiHandle.onTimer)
  }

  /// Ends the reports.
  func reportNoSockets() {
    _ = ccurl_multi_setopt_socket_callback(raw, nil)
    _ = ccurl_multi_setopt_timer_callback(raw, nil)
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> MultiHandle? {
    context.map { Unmanaged<MultiHandle>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let onSocket: curl_socket_callback = { _, socket, what, context, _ in
    guard let multi = MultiHandle.from(context) else { return 0 }
    var wanted: Readiness = []
    if what == CURL_POLL_IN || what == CURL_POLL_INOUT { wanted.insert(.readable) }
    if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { wanted.insert(.writable) }
    multi.events.want(socket, wanted, isOwn: multi.sockets.has(socket))
    return 0
  }

  private static let onTimer: curl_multi_timer_callback = { _, milliseconds, context in
    MultiHandle.from(context)?.events.setTimer(milliseconds, now: TransferLoop.now())
    return 0
  }

  /// The events as libcurl's flags. 0 makes libcurl poll the socket itself, which it must do after a hang-up: its error
  /// message depends on what it finds.
  private static func bits(_ ready: Readiness) -> Int32 {
    guard ready.isDisjoint(with: .gone) else { return 0 }
    return (ready.contains(.readable) ? CURL_CSELECT_IN : 0) | (ready.contains(.writable) ? CURL_CSELECT_OUT : 0)
  }
}
#endif
