// The thread that serves all clients.

internal import Posix

/// The loop: waits for sockets, orders and deadlines, and lets each connection proceed. All on one thread.
final class WebLoop {
  /// The seconds for which no connection is accepted after a failure to accept one.
  private static let breath = 1.0
  /// The maximum number of connections accepted from a listener at a time, and temporarily above the limit.
  private static let intake = 32

  /// The maximum number of times that orders are taken per turn.
  private static let rounds = 256

  private let context: LoopContext
  private var listeners: [Listener]
  private var connections: [ConnectionID: Connection] = [:]
  private var lastID: ConnectionID = 0
  private var watch = System.Watch()
  private var pausedUntil = 0.0
  private var end: Double?
  private var stopped: [@Sendable () -> Void] = []

  init(_ listeners: [Listener], _ settings: WebServer.Settings, _ orders: LoopOrders) {
    self.listeners = listeners
    context = LoopContext(settings, orders)
  }

  /// Serves until told to stop.
  func run() {
    while !isOver { turn() }
    for connection in connections.values { connection.close(.stopping) }
    // Orders received during shutdown count as late.
    for order in context.orders.take(isLast: true) { context.orders.post(order) }
    for done in stopped { done() }
  }

  private var isOver: Bool { context.isStopping && (connections.isEmpty || System.now >= end ?? 0) }

  /// Waits once, and handles all events.
  private func turn() {
    let order = Array(connections.values)
    context.held = order.reduce(0) { $0 + $1.held }
    context.unsent = order.reduce(0) { $0 + $1.output.count }
    let takesMore = pausedUntil <= System.now
    watch.removeAll()
    watch.add(context.orders.reading, .readable)
    for listener in listeners { watch.add(listener.descriptor, takesMore ? .readable : []) }
    for connection in order { watch.add(connection.socket, connection.wanted) }
    watch.wait(context.orders.fallAsleep() ? patience(order, takesMore: takesMore) : 0)
    context.orders.wakeUp(!watch[0].isEmpty, context.scratch)

    let now = System.now
    let (firstListener, firstConnection) = (1, 1 + listeners.count)
    for (place, connection) in order.enumerated() {
      let readiness = watch[firstConnection + place]
      if !readiness.isEmpty { connection.ready(readiness, now: now) }
    }
    // Handle a request, its answer and the consequences in one turn, within a limit. The answering task may run on
    // this thread, and pass through several actors.
    for _ in 0..<Self.rounds {
      let orders = context.orders.take()
      if orders.isEmpty { break }
      for order in orders { carryOut(order, now: now) }
    }
    for connection in order where connection.deadline.map({ $0 <= now }) ?? false { connection.expire(now: now) }
    for connection in order where connection.isClosed { connections[connection.id] = nil }
    for (place, listener) in listeners.enumerated() where !watch[firstListener + place].isEmpty && takesMore {
      accept(from: listener, now: now)
    }
    if context.isStopping { closeListeners() }
  }

  /// Returns the seconds until the first deadline; `nil` if there is none.
  private func patience(_ connections: [Connection], takesMore: Bool) -> Double? {
    var first = connections.lazy.compactMap(\.deadline).min() ?? .infinity
    if !takesMore { first = min(first, pausedUntil) }
    if let end { first = min(first, end) }
    return first.isFinite ? max(first - System.now, 0) : nil
  }

  private func carryOut(_ order: LoopOrder, now: Double) {
    switch order {
    case .answer(let id, let response): connections[id]?.answer(response, now: now)
    case .look(let id): connections[id]?.look(now: now)
    case .job(let job): job.runSynchronously(on: context.orders.asUnownedTaskExecutor())
    case .stop(let grace, let done):
      stopped.append(done)
      end = min(end ?? .infinity, now + grace)
      context.isStopping = true
      for connection in connections.values { connection.stop(now: now) }
    }
  }

  private func closeListeners() {
    for listener in listeners { listener.close() }
    listeners = []
    connections = connections.filter { !$0.value.isClosed }
  }

  // MARK: New connections

  private func accept(from listener: Listener, now: Double) {
    for _ in 0..<Self.intake where !context.isStopping {
      do throws(SystemError) {
        guard let (descriptor, peer) = try System.accept(listener.descriptor) else { return }
        take(descriptor, peer.map { .internet($0) } ?? .local, listener.door, now: now)
      } catch {
        // Pause, because any error would be reported again at once.
        if System.isOutOfDescriptors(error) { context.settings.report(.outOfDescriptors) }
        pausedUntil = now + Self.breath
        return
      }
    }
  }

  private func take(_ socket: Int32, _ peer: WebPeer, _ door: WebDoor, now: Double) {
    let rivals = connections.values.filter { ($0.door == .socket) == (door == .socket) }
    let limit = door == .socket ? context.limits.localClients : context.limits.clients
    let hasRoom = rivals.count < limit || makeRoom(rivals, now: now)
    if !hasRoom { context.settings.report(.crowded(peer)) }
    // Refused clients need descriptors, too.
    guard hasRoom || rivals.count < limit + Self.intake else { return System.close(socket) }
    lastID += 1
    let connection = Connection(lastID, socket, peer: peer, door: door, context: context, now: now)
    connections[lastID] = connection
    if !hasRoom { connection.refuse(WebRefusal(503, "Too many clients; try again."), now: now) }
  }

  /// Closes a connection: the oldest one whose client has not authenticated, otherwise the one that has been idle
  /// longest.
  /// - Returns: `false` if there is none.
  private func makeRoom(_ rivals: [Connection], now: Double) -> Bool {
    // Clients of the socket need no secret.
    let strangers =
      context.settings.evictsStrangers ? rivals.filter { !$0.standing.isProved && $0.door != .socket } : []
    let dispensable = rivals.filter { $0.isDispensable(now: now) }
    guard
      let chosen = strangers.min(by: { $0.opened < $1.opened }) ?? dispensable.min(by: { $0.since < $1.since })
    else { return false }
    chosen.close(.left)
    connections[chosen.id] = nil
    return true
  }
}

extension Connection {
  /// Stops the connection: closes an idle one, ends a stream, and answers a started request.
  func stop(now: Double) {
    switch phase {
    case .reading where !reader.isMidway: close(.stopping)
    case .streaming(let side): side.outbox.finish(.stopping)
    case .webSocket(let side):
      side.outgoing.outbox.finish(.stopping, last: WebSocketFrame.close(.goingAway, "the server stops"))
      side.box.finish()
    case .answering: answerDelayed(now: now)
    case .reading, .writing, .lingering, .closed: break
    }
    pump(now: now)
  }
}
