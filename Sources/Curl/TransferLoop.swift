// The loop thread, which owns the multi handle and all easy handles and drives all transfers.

internal import CCurl
internal import Dispatch
internal import Glibc
internal import Posix
internal import Synchronization

/// The number of a transfer within its loop.
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

  /// Starts the thread.
  /// - Parameter limit: The number of open connections above which none is kept for reuse.
  /// - Throws: ``CurlError`` if there is no memory for a multi handle, or no thread.
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

  /// Returns the monotonic time in seconds. It stands still while the machine sleeps.
  public static func now() -> Double { System.now }

  /// Starts the transfer that `make` creates. After ``stop()``, the transfer is created on the caller's thread and
  /// aborted at once, so that no caller waits forever for its end.
  @discardableResult
  public func start(_ make: @escaping Maker) -> TransferID {
    let (id, isLate, mustWake) = inbox.withLock { inbox in
      inbox.lastID += 1
      guard !inbox.isStopping else { return (inbox.lastID, true, false) }
      defer { inbox.starts.append((inbox.lastID, make)) }
      // The first entry has already woken the loop.
      return (inbox.lastID, false, inbox.isEmpty)
    }
    if isLate { _ = make().finish(.aborted, info: TransferInfo()) }
    if mustWake { multi.wake() }
    return id
  }

  /// The seconds that the loop has spent waiting. Read it on the loop's thread only.
  public var waited: Double { multi.waited }

  /// Makes the loop call the transfer's ``LoopTransfer/tick(now:)`` soon.
  public func signal(_ id: TransferID) {
    let mustWake = inbox.withLock { inbox in
      defer { inbox.signals.append(id) }
      return inbox.isEmpty
    }
    if mustWake { multi.wake() }
  }

  /// Sets the number of streams above which a connection counts as full. It applies before later starts.
  public func limitStreams(to count: Int) {
    let mustWake = inbox.withLock { inbox in
      defer { inbox.streams = count }
      return inbox.isEmpty
    }
    if mustWake { multi.wake() }
  }

  /// Aborts all transfers and ends the thread. Returns once it has ended.
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
  /// The seconds spent waiting. For the loop's thread only.
  var waited = 0.0
  /// Whether orders were given on the loop's own thread. For that thread only.
  var hasOrders = false
  /// The loop's thread, once it runs.
  private let owner = Atomic<UInt>(0)

  init(keeping limit: Int) throws(CurlError) {
    try LibCurl.initialize()
    guard let raw = curl_multi_init() else { throw CurlError(.init(CURLE_OUT_OF_MEMORY)) }
    self.raw = raw
    _ = ccurl_multi_setopt_long(raw, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    // By default libcurl keeps four connections per running transfer and closes the others. With small files few
    // transfers run at a time, and most would need a new connection.
    _ = ccurl_multi_setopt_long(raw, CURLMOPT_MAXCONNECTS, max(1, min(limit, MultiHandle.kept)))
  }

  /// Sets the number of streams above which a connection counts as full (CURLMOPT_MAX_CONCURRENT_STREAMS(3)).
  func limitStreams(to count: Int) {
    _ = ccurl_multi_setopt_long(raw, CURLMOPT_MAX_CONCURRENT_STREAMS, max(1, count))
  }

  /// The number of connections kept open for reuse.
  private static let kept = 128

  deinit { curl_multi_cleanup(raw) }

  /// Wakes up the loop (curl_multi_wakeup(3), the only call allowed on any thread).
  func wake() {
    if owner.load(ordering: .relaxed) == MultiHandle.currentThread {
      hasOrders = true
    } else {
      _ = curl_multi_wakeup(raw)
    }
  }

  func own() { owner.store(MultiHandle.currentThread, ordering: .relaxed) }

  private static var currentThread: UInt { UInt(pthread_self()) }
}
