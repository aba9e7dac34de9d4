// The state of a server: its listening sockets, its clients, and its end. Confined to the thread of its event loop.

internal import NIOCore
internal import NIOPosix
internal import Posix

/// Groups of clients. The bytes of each are counted separately, so that clients of one kind cannot use up the memory of
/// another.
enum Purse: Int, CaseIterable {
  /// Clients of sockets in the file system.
  case local
  /// Clients that have authenticated, or need not.
  case known
  /// Other clients. They are many, and each may have little (``WebLimits/strangerBody``).
  case stranger
}

/// Numbers of bytes, one for each group of clients.
struct HeldBytes {
  private var counts = [Int](repeating: 0, count: Purse.allCases.count)

  subscript(purse: Purse) -> Int {
    get { counts[purse.rawValue] }
    set { counts[purse.rawValue] = newValue }
  }
}

final class ServerLoop {
  /// The maximum number of connections accepted at a time, and temporarily above the limit.
  private static let accepts = 32

  let loop: any EventLoop
  let executor: LoopExecutor
  let settings: WebServer.Settings
  /// Whether the server is stopping. Connections are then not kept.
  private(set) var isStopping = false
  /// The number of bytes of requests in memory.
  var held = HeldBytes()

  private var connections: [ObjectIdentifier: Connection] = [:]
  private var listeners: [Listener] = []
  private var channels: [any Channel] = []
  private var stopped: [@Sendable () -> Void] = []
  /// The argument is called after the shutdown.
  private let shutDown: (@escaping @Sendable () -> Void) -> Void
  private var isOver = false
  private var dated: (seconds: Int64, text: String?) = (-1, nil)
  /// The standing fields in the form in which they are sent.
  private let standing: [WebField]

  init(
    _ loop: any EventLoop, _ executor: LoopExecutor, _ settings: WebServer.Settings,
    shutDown: @escaping (@escaping @Sendable () -> Void) -> Void
  ) {
    (self.loop, self.executor, self.settings, self.shutDown) = (loop, executor, settings, shutDown)
    standing = settings.standing.list.map { WebField($0.name, $0.value.onOneLine) }
  }

  var limits: WebLimits { settings.limits }
  /// In the loop's seconds.
  var now: Double { Double(loop.now.uptimeNanoseconds) / 1e9 }
  var unsent: Int { connections.values.reduce(0) { $0 + $1.output.waiting } }

  /// Returns the fields of an answer with the date and the standing fields, and with each value on one line. The
  /// answer's own fields take precedence.
  func completed(_ fields: WebFields) -> [(String, String)] {
    var all: [(String, String)] = []
    all.reserveCapacity(fields.list.count + standing.count + 4)
    let now = System.secondsSince1970
    if now != dated.seconds { dated = (now, settings.date(now)?.onOneLine) }
    if let date = dated.text { all.append(("Date", date)) }
    for field in fields.list { all.append((field.name, field.value.onOneLine)) }
    for field in standing where fields[field.name] == nil { all.append((field.name, field.value)) }
    return all
  }

  // MARK: New connections

  /// Accepts clients from listening sockets, and closes the sockets at the end.
  func open(_ listeners: [Listener]) {
    self.listeners = listeners
    let here = NIOLoopBound(self, eventLoop: loop)
    for listener in listeners {
      // Accepted sockets inherit TCP_NODELAY, which the bootstrap sets.
      ServerBootstrap(group: loop)
        .serverChannelOption(.maxMessagesPerRead, value: UInt(Self.accepts))
        .serverChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(AcceptPause(here.value.settings))
          }
        }
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelOption(.writeBufferWaterMark, value: .init(low: 32 << 10, high: 64 << 10))
        .childChannelOption(
          .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1 << 10, initial: 2 << 10, maximum: 32 << 10)
        )
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try here.value.admit(channel, listenerKind: listener.listenerKind) }
        }
        .withBoundSocket(listener.descriptor)
        .whenSuccess { here.value.opened($0) }
    }
  }

  private func opened(_ channel: any Channel) {
    if isStopping { channel.close(promise: nil) } else { channels.append(channel) }
  }

  /// Takes a client, or refuses it if the server is full.
  private func admit(_ channel: any Channel, listenerKind: ListenerKind) throws {
    // Child processes would inherit the sockets that SwiftNIO accepts.
    try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
      System.adopt(socket)
    }
    let peer = WebPeer(channel.remoteAddress)
    let rivals = connections.values.filter { ($0.listenerKind == .socket) == (listenerKind == .socket) }
    let limit = listenerKind == .socket ? limits.localClients : limits.clients
    let hasRoom = rivals.count < limit || makeRoom(rivals)
    if !hasRoom { settings.report(.crowded(peer)) }
    // Refused clients need descriptors, too.
    guard !isStopping, hasRoom || rivals.count < limit + Self.accepts else { return channel.close(promise: nil) }
    let connection = Connection(
      self, peer: peer, listenerKind: listenerKind,
      refusal: hasRoom ? nil : WebRefusal(503, "Too many clients; try again."))
    connections[ObjectIdentifier(connection)] = connection
    try connection.install(channel.pipeline.syncOperations)
  }

  /// Closes a connection: the oldest one whose client has not authenticated, otherwise the one that has been idle
  /// longest. Returns `false` if there is none.
  private func makeRoom(_ rivals: [Connection]) -> Bool {
    // Clients of the socket need no secret.
    let strangers =
      settings.evictsStrangers ? rivals.filter { !$0.standing.isProved && $0.listenerKind != .socket } : []
    let now = now
    let dispensable = rivals.filter { $0.isDispensable(now: now) }
    guard
      let chosen = strangers.min(by: { $0.opened < $1.opened }) ?? dispensable.min(by: { $0.since < $1.since })
    else { return false }
    chosen.close(.left)
    return true
  }

  func remove(_ connection: Connection) {
    guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
    endIfDone()
  }

  // MARK: The end

  /// Open connections are closed after `grace` seconds. `done` is called at the end.
  func stop(grace: Double, done: @escaping @Sendable () -> Void) {
    stopped.append(done)
    if !isStopping {
      isStopping = true
      for listener in listeners { listener.removeFile() }
      for channel in channels { channel.close(promise: nil) }
      for connection in connections.values { connection.stop() }
    }
    guard grace > 0 else { return closeAll() }
    let deadline = NIODeadline.now() + .nanoseconds(Int64(min(grace, 1e9) * 1e9))
    loop.assumeIsolated().scheduleTask(deadline: deadline) { self.closeAll() }
    endIfDone()
  }

  private func closeAll() {
    for connection in connections.values { connection.close(.stopping) }
    endIfDone()
  }

  private func endIfDone() {
    guard isStopping, connections.isEmpty, !isOver else { return }
    isOver = true
    executor.end()
    let stopped = stopped
    shutDown { for done in stopped { done() } }
  }
}

extension WebPeer {
  init(_ address: SocketAddress?) {
    let internet = address?.ipAddress.flatMap { InternetAddress($0, port: UInt16(address?.port ?? 0)) }
    self = internet.map { .internet($0) } ?? .local
  }
}
