// The thread that owns the multi handle and all easy handles, and drives all transfers.

internal import CCurl
internal import Dispatch
internal import Glibc
internal import Posix
internal import Synchronization

/// The number of a transfer, which is unique within its loop.
public typealias TransferID = UInt64

/// A thread that drives any number of transfers with a libcurl multi handle (libcurl-multi(3)).
///
/// Transfers are created on the loop's thread and stay there, so they need no locks. Other threads use ``start(_:)``,
/// ``signal(_:)`` and ``stop()``.
public final class TransferLoop: Sendable {
  /// A closure that creates a transfer. It is called on the loop's thread.
  public typealias Maker = @Sendable () -> any LoopTransfer

  private struct Inbox {
    var starts: [(TransferID, Maker)] = []
    var signals: [TransferID] = []
    var streams: Int?
    var lastID: TransferID = 0
    var isStopping = false

    var isEmpty: Bool { starts.isEmpty && signals.isEmpty && streams == nil }
  }

  private let inbox = Mutex(Inbox())
  private let multi: MultiHandle
  private let ended = DispatchSemaphore(value: 0)

  /// Creates a loop, and starts its thread.
  /// - Parameter limit: If more connections than this are open, none is kept for reuse.
  /// - Throws: ``CurlError`` if there is no memory for a multi handle, or if no thread can be started.
  public init(keeping limit: Int = .max) throws(CurlError) {
    multi = try MultiHandle(keeping: limit)
    do throws(SystemError) {
      try System.startThread("dray.loop", stackSize: 1 << 20) { [self] in
        multi.own()
        LoopBody(multi: multi).run { takeInbox() }
        ended.signal()
      }
    } catch {
      throw CurlError(.init(CURLE_OUT_OF_MEMORY))
    }
  }

  /// Returns the monotonic time in seconds. This clock stops while the machine sleeps.
  public static func now() -> Double { System.now }

  /// Starts the transfer that `make` creates. After ``stop()``, the transfer is created on the caller's thread and
  /// aborted at once, so that no caller waits forever for its end.
  @discardableResult
  public func start(_ make: @escaping Maker) -> TransferID {
    let (id, isLate, mustWake) = inbox.withLock { inbox in
      inbox.lastID += 1
      guard !inbox.isStopping else { return (inbox.lastID, true, false) }
      defer { inbox.starts.append((inbox.lastID, make)) }
      // Only the first entry in the inbox has to wake the loop.
      return (inbox.lastID, false, inbox.isEmpty)
    }
    if isLate { _ = make().finish(.aborted, info: TransferInfo()) }
    if mustWake { multi.wake() }
    return id
  }

  /// The number of seconds that the loop has spent waiting. Only the loop's thread may read it.
  public var waited: Double { multi.waited }

  /// Makes the loop call the transfer's ``LoopTransfer/tick(now:)`` soon.
  public func signal(_ id: TransferID) {
    let mustWake = inbox.withLock { inbox in
      defer { inbox.signals.append(id) }
      return inbox.isEmpty
    }
    if mustWake { multi.wake() }
  }

  /// Sets the number of streams above which a connection counts as full. It applies to transfers that are started
  /// later.
  public func limitStreams(to count: Int) {
    let mustWake = inbox.withLock { inbox in
      defer { inbox.streams = count }
      return inbox.isEmpty
    }
    if mustWake { multi.wake() }
  }

  /// Aborts all transfers and ends the thread. The method returns once the thread has ended.
  public func stop() {
    let first = inbox.withLock { inbox in
      defer { inbox.isStopping = true }
      return !inbox.isStopping
    }
    guard first else { return }
    multi.wake()
    ended.wait()
  }

  private func takeInbox() -> LoopBody.Orders {
    inbox.withLock { inbox in
      defer {
        inbox.starts.removeAll(keepingCapacity: true)
        inbox.signals.removeAll(keepingCapacity: true)
        inbox.streams = nil
      }
      return (inbox.starts, inbox.signals, inbox.streams, inbox.isStopping)
    }
  }
}

/// The multi handle. Threads other than the loop's may call only ``wake()``.
final class MultiHandle: @unchecked Sendable {
  let raw: UnsafeMutableRawPointer
  let sockets = ConnectionSockets()
  /// The number of seconds spent waiting. Only the loop's thread uses it.
  var waited = 0.0
  /// Whether orders have arrived that the loop must take before it waits. Only the loop's thread uses it.
  var hasOrders = false
  #if !DRAY_PORTABLE
  let events: SocketEvents
  /// Whether events were waited for since the last ``perform()``. Only the loop's thread uses it.
  var hasWaited = false
  #endif
  /// The thread of the loop; 0 before it runs.
  private let owner = Atomic<UInt>(0)

  init(keeping limit: Int) throws(CurlError) {
    try LibCurl.initialize()
    guard let raw = curl_multi_init() else { throw CurlError(.init(CURLE_OUT_OF_MEMORY)) }
    self.raw = raw
    #if !DRAY_PORTABLE
    do throws(SystemError) { events = try SocketEvents() } catch {
      curl_multi_cleanup(raw)
      throw CurlError(.init(CURLE_OUT_OF_MEMORY))
    }
    sockets.forget = { [events] in events.forget($0) }
    reportSockets()
    #endif
    _ = ccurl_multi_setopt_long(raw, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    // By default, libcurl keeps four connections for each running transfer, and closes all others. While small files
    // are fetched, few transfers run at the same time, so most of them would need a new connection.
    _ = ccurl_multi_setopt_long(raw, CURLMOPT_MAXCONNECTS, max(1, min(limit, MultiHandle.kept)))
  }

  /// Sets the number of streams above which a connection counts as full (CURLMOPT_MAX_CONCURRENT_STREAMS(3)).
  func limitStreams(to count: Int) {
    _ = ccurl_multi_setopt_long(raw, CURLMOPT_MAX_CONCURRENT_STREAMS, max(1, count))
  }

  /// The number of connections kept open for reuse.
  private static let kept = 128

  deinit {
    #if !DRAY_PORTABLE
    // The callbacks would use this object.
    reportNoSockets()
    #endif
    curl_multi_cleanup(raw)
  }

  /// Wakes up the loop. This is the only call that is allowed on any thread.
  func wake() {
    if owner.load(ordering: .relaxed) == MultiHandle.currentThread {
      hasOrders = true
    } else {
      endWait()
    }
  }

  func own() { owner.store(MultiHandle.currentThread, ordering: .relaxed) }

  private static var currentThread: UInt { UInt(pthread_self()) }
}
