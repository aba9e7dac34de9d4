// The steps that the thread of a loop repeats: perform, finish, tick, wait.

internal import CCurl

/// The earliest time at which a transfer of the loop must continue. Only the thread of the loop uses this object.
final class LoopTimers {
  var next = Double.infinity

  func note(_ time: Double?) {
    if let time, time < next { next = time }
  }
}

/// The state of the loop. Only the thread of the loop uses this object.
final class LoopBody {
  /// Orders from other threads: transfers to start, transfers to tick, a limit of streams, the end.
  typealias Orders = (starts: [(TransferID, TransferLoop.Maker)], signals: [TransferID], streams: Int?, stop: Bool)

  /// The seconds between two ticks of all transfers.
  private static let tickInterval = 0.1
  /// If a tick is late by at least this many seconds, the process was stopped or its disk is slow.
  private static let longDelay = 0.5
  /// The number of easy handles kept for reuse. A handle needs some kilobytes of memory in addition to its buffer.
  private static let pooledHandles = 32

  private let multi: MultiHandle
  private var active: [TransferID: ActiveTransfer] = [:]
  private var pool: [EasyHandle] = []
  private var nextTick = 0.0
  private let timers = LoopTimers()

  init(multi: MultiHandle) { self.multi = multi }

  /// Runs until an order to stop arrives.
  func run(_ takeOrders: () -> Orders) {
    while true {
      multi.hasOrders = false
      let orders = takeOrders()
      if let streams = orders.streams { multi.limitStreams(to: streams) }
      for (id, make) in orders.starts { begin(id, make()) }
      if orders.stop { break }
      // After such a delay, the bytes that have arrived are received first, so that transfers do not seem to have
      // stalled.
      if !active.isEmpty, TransferLoop.now() >= nextTick + LoopBody.longDelay {
        multi.receiveAll()
        _ = finishEnded()
      }
      for id in orders.signals { active[id].map { look(at: $0, TransferLoop.now()) } }
      let isTick = lookAfterAll()
      multi.perform()
      if isTick { multi.performAll() }
      if !finishEnded(), !multi.hasOrders { wait() }
    }
    for one in Array(active.values) { end(one, CurlError.aborted) }
  }

  private func begin(_ id: TransferID, _ transfer: any LoopTransfer) {
    do throws(CurlError) {
      let handle: EasyHandle
      if let pooled = pool.popLast() { handle = pooled } else { handle = try EasyHandle() }
      let one = ActiveTransfer(id: id, transfer: transfer, handle: handle, timers: timers, sockets: multi.sockets)
      active[id] = one
      submit(one)
    } catch {
      _ = transfer.finish(error, info: TransferInfo())
    }
  }

  private func submit(_ one: ActiveTransfer) {
    let now = TransferLoop.now()
    let start = one.transfer.startTime(now: now)
    guard start > now else { return submitNow(one) }
    one.submitAt = start
    timers.note(start)
  }

  private func submitNow(_ one: ActiveTransfer) {
    do throws(CurlError) {
      try one.prepare()
      let code = curl_multi_add_handle(multi.raw, one.handle.raw)
      if code != CURLM_OK { throw CurlError(.init(CURLE_FAILED_INIT), String(cString: curl_multi_strerror(code))) }
    } catch {
      conclude(one, error)
    }
  }

  private func end(_ one: ActiveTransfer, _ error: CurlError?) {
    _ = curl_multi_remove_handle(multi.raw, one.handle.raw)
    conclude(one, error)
  }

  private func conclude(_ one: ActiveTransfer, _ error: CurlError?) {
    // Nothing was sent, so this counts as the same request.
    if error != nil, one.needsFreshConnection { return submitNow(one) }
    switch one.transfer.finish(error, info: one.info) {
    case .again:
      submit(one)
    case .againAfter(let seconds):
      one.submitAt = TransferLoop.now() + seconds
      timers.note(one.submitAt)
    case .done:
      active[one.id] = nil
      if pool.count < LoopBody.pooledHandles {
        one.handle.reset()
        pool.append(one.handle)
      }
    }
  }

  private func finishEnded() -> Bool {
    var ended: [(ActiveTransfer, CurlError?)] = []
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi.raw, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
      let result = ccurl_message_result(message)
      var context: UnsafeMutablePointer<CChar>?
      _ = ccurl_getinfo_string(easy, CURLINFO_PRIVATE, &context)
      guard let one = ActiveTransfer.from(context) else { continue }
      ended.append((one, one.handle.error(for: result)))
    }
    for (one, error) in ended { end(one, error) }
    return !ended.isEmpty
  }

  /// Ticks all transfers when it is time, and resumes paused ones whose time has come.
  /// - Returns: Whether it was time for a tick.
  private func lookAfterAll() -> Bool {
    guard !active.isEmpty else { return false }
    let now = TransferLoop.now()
    let isTick = now >= nextTick
    guard isTick || now >= timers.next else { return false }
    timers.next = .infinity
    if isTick { nextTick = now + active.values.reduce(LoopBody.tickInterval) { min($0, $1.transfer.tickInterval) } }
    for one in Array(active.values) {
      if let until = one.pausedUntil, until <= now { proceed(one) }
      if let time = one.submitAt, time <= now {
        one.submitAt = nil
        submit(one)
      }
      guard active[one.id] != nil else { continue }
      if isTick { look(at: one, now) }
      timers.note(one.pausedUntil)
      timers.note(one.submitAt)
    }
    return isTick
  }

  private func proceed(_ one: ActiveTransfer) {
    if let error = one.proceed() { end(one, error) }
  }

  private func look(at one: ActiveTransfer, _ now: Double) {
    switch one.transfer.tick(now: now) {
    case .none: break
    case .proceed: proceed(one)
    case .abort: end(one, CurlError.aborted)
    }
  }

  private func wait() {
    var seconds = 3600.0
    let before = TransferLoop.now()
    if !active.isEmpty { seconds = min(nextTick, timers.next) - before }
    multi.wait(seconds)
    multi.waited += TransferLoop.now() - before
  }
}
