// The loop thread: it owns the multi handle and every easy handle, and drives all transfers.

internal import CCurl
internal import Dispatch
internal import Glibc
internal import Posix
internal import Synchronization

/// The number of a transfer within its loop.
public typealias TransferID = UInt64

/// One thread that drives any number of transfers with a libcurl multi handle (libcurl-multi(3)).
///
/// Transfers are made on the loop's thread and live there, so they need no locks; the outside talks to the loop
/// with ``start(_:)``, ``signal(_:)`` and ``stop()``, from any thread.
public final class TransferLoop: Sendable {
  /// What makes a transfer, called on the loop's thread.
  public typealias Maker = @Sendable () -> any LoopTransfer

  private struct Inbox {
    var starts: [(TransferID, Maker)] = []
    var signals: [TransferID] = []
    var lastID: TransferID = 0
    var isStopping = false

    var isEmpty: Bool { starts.isEmpty && signals.isEmpty }
  }

  private let inbox = Mutex(Inbox())
  private let multi: MultiHandle
  private let ended = DispatchSemaphore(value: 0)

  /// Starts the thread.
  /// - Parameter limit: connections that are open at most while some are kept for later.
  /// - Throws: ``CurlError`` when there is no memory for a multi handle, or no thread.
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

  /// Seconds of a clock that only goes forward, and stands still while the machine sleeps.
  public static func now() -> Double { System.now }

  /// Starts the transfer that `make` makes. After ``stop()`` it is made on the caller's thread, only to get the report that it
  /// was aborted: no caller waits for an end that does not come.
  @discardableResult
  public func start(_ make: @escaping Maker) -> TransferID {
    let (id, isLate, mustWake) = inbox.withLock { inbox in
      inbox.lastID += 1
      guard !inbox.isStopping else { return (inbox.lastID, true, false) }
      defer { inbox.starts.append((inbox.lastID, make)) }
      // The first entry woke the loop already.
      return (inbox.lastID, false, inbox.isEmpty)
    }
    if isLate { _ = make().finish(.aborted, info: TransferInfo()) }
    if mustWake { multi.wake() }
    return id
  }

  /// Seconds that the loop has spent waiting. To be read on its thread only.
  public var waited: Double { multi.waited }

  /// Makes the loop call the transfer's ``LoopTransfer/tick(now:)`` soon.
  public func signal(_ id: TransferID) {
    let mustWake = inbox.withLock { inbox in
      defer { inbox.signals.append(id) }
      return inbox.isEmpty
    }
    if mustWake { multi.wake() }
  }

  /// Ends all transfers as aborted, then the thread; returns when it has ended.
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
      }
      return (inbox.starts, inbox.signals, inbox.isStopping)
    }
  }
}

/// The multi handle. Threads other than the loop's may call ``wake()`` and nothing else.
final class MultiHandle: @unchecked Sendable {
  let raw: UnsafeMutableRawPointer
  /// The sockets of its connections.
  let sockets = ConnectionSockets()
  /// Seconds spent waiting; of the loop's thread only.
  var waited = 0.0
  /// Whether the loop was given orders on its own thread; of that thread only.
  var hasOrders = false
  /// The loop's thread, once it runs.
  private let owner = Atomic<UInt>(0)

  init(keeping limit: Int) throws(CurlError) {
    try LibCurl.initialize()
    guard let raw = curl_multi_init() else { throw CurlError(.init(CURLE_OUT_OF_MEMORY)) }
    self.raw = raw
    _ = ccurl_multi_setopt_long(raw, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    // By default libcurl keeps four for each running transfer, and closes the others: of small files mostly
    // few run, and the next needs a connection each time.
    _ = ccurl_multi_setopt_long(raw, CURLMOPT_MAXCONNECTS, max(1, min(limit, MultiHandle.kept)))
  }

  /// Connections that are kept open for later.
  private static let kept = 128

  deinit { curl_multi_cleanup(raw) }

  /// Wakes the loop (curl_multi_wakeup(3), the one call that any thread may make).
  func wake() {
    if owner.load(ordering: .relaxed) == MultiHandle.currentThread {
      hasOrders = true
    } else {
      _ = curl_multi_wakeup(raw)
    }
  }

  /// Makes the current thread the loop's.
  func own() { owner.store(MultiHandle.currentThread, ordering: .relaxed) }

  private static var currentThread: UInt { UInt(pthread_self()) }
}
