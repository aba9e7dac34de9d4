// Relays bytes between a client and a real server: counts them, records the requests, and stops at a given byte. Tests
// need not trust a server's log or speed.

import Glibc
import Synchronization

extension FaultServer {
  /// A relay on 127.0.0.1 to a port of this machine. Must be stopped.
  ///
  /// It passes bytes on unchanged. In TLS it only counts them.
  public final class Relay: Sendable {
    private struct State {
      var requests: [SeenRequest] = []
      var down: Int64 = 0
      /// The written bytes among them.
      var passed: Int64 = 0
      /// Bytes that connections have reserved but not yet passed on.
      var taken: Int64 = 0
      var hold: (limit: Int64, gate: Gate)?
    }

    private let state = Mutex(State())
    private let listener: Listener
    private let target: UInt16
    /// Bytes a second to the client of each connection.
    let rate: Int?

    /// The port that it listens on.
    public let port: Int

    /// Listens, and passes on to `target`, to each client at most `rate` bytes a second.
    ///
    /// - Throws: `SocketError` when the system gives no socket.
    public init(to target: Int, rate: Int? = nil) throws {
      self.target = UInt16(target)
      self.rate = rate
      listener = try Listener()
      port = Int(listener.port)
      listener.start { [self] in serve($0) }
    }

    /// Ends all connections and threads, and waits for them.
    public func stop() {
      listener.stop()
    }

    // MARK: Counts

    /// The requests that passed, in the order they came, except those within TLS. Their statuses are unknown.
    public var requests: [SeenRequest] { state.withLock { $0.requests } }

    /// Bytes that passed to clients, heads included, over all connections.
    public var bytesDown: Int64 { state.withLock { $0.down } }

    /// The number of connections passed on so far.
    public var connections: Int { listener.connections }

    /// The number of open connections.
    public var openConnections: Int { listener.openConnections }

    // MARK: Rules

    /// Passes `count` more bytes to clients, over all connections, and then none until the gate is opened. One arrival
    /// at the gate means that these bytes are through.
    public func hold(after count: Int64) -> Gate {
      let gate = Gate()
      state.withLock { $0.hold = ($0.down + count, gate) }
      return gate
    }

    /// Ends all current connections, on both sides.
    public func cut() { listener.cut() }

    private func serve(_ client: consuming Socket) {
      // A connection that cannot be passed on ends at once, like one to a dying server.
      guard let server = Socket.connected(to: target) else { return }
      let connection = RelayedConnection(client: client, server: server, relay: self)
      listener.track(connection.client.descriptor, connection.server.descriptor) { connection.serve(number: $0) }
    }

    // MARK: For its connections

    /// The number of bytes that may be sent to a client now.
    var allowance: Int { state.withLock { Self.allowance($0) } }

    /// Reserves up to 64 KiB of the bytes that may pass; `settle` ends the reservation.
    func take() -> Int {
      state.withLock { state in
        let count = Self.allowance(state)
        state.taken += Int64(count)
        return count
      }
    }

    /// Ends a reservation: `passed` of the reserved bytes pass now.
    func settle(taken: Int, passed: Int) {
      state.withLock { state in
        state.taken -= Int64(taken)
        state.down += Int64(passed)
      }
    }

    /// Counts settled bytes that have been written.
    func arrive(_ count: Int) {
      state.withLock { state in
        state.passed += Int64(count)
        if let hold = state.hold, state.passed >= hold.limit { hold.gate.arrive() }
      }
    }

    private static func allowance(_ state: State) -> Int {
      guard let hold = state.hold, !hold.gate.isOpen else { return 65_536 }
      return Int(min(max(0, hold.limit - state.down - state.taken), 65_536))
    }

    func note(_ request: SeenRequest) { state.withLock { $0.requests.append(request) } }
  }
}

/// One connection of a relay, on a separate thread.
private struct RelayedConnection: ~Copyable, Sendable {
  let client: Socket
  let server: Socket
  let relay: FaultServer.Relay

  /// Passes on until both sides have ended. `number` goes into the record of requests.
  func serve(number: Int) {
    var head: [UInt8]? = []
    var passed = 0
    var start = ContinuousClock.now
    while true {
      var due = relay.rate.map { Double($0) * (start.duration(to: .now) / .seconds(1)) + 16_384 }
      // Unused time is not made up for later.
      if let rate = relay.rate, let credit = due, credit > Double(passed + 65_536) {
        start = .now - .seconds(Double(passed) / Double(rate))
        due = Double(passed) + 16_384
      }
      let allowance = due.map { Double(passed) < $0 } ?? true ? relay.allowance : 0
      var ends = [
        pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: allowance > 0 ? server.descriptor : -1, events: Int16(POLLIN), revents: 0),
      ]
      // Poll soon again while bytes are held: the gate gives no signal.
      guard poll(&ends, 2, allowance > 0 ? 1000 : 10) > 0 else { continue }
      if ends[0].revents != 0 {
        if let bytes = client.read() {
          note(bytes, &head, number: number)
          guard server.write(bytes) else { return client.reset() }
        } else {
          // A client that has left needs nothing more; our clients never close only their own side.
          return
        }
      }
      if ends[1].revents != 0 {
        switch passDown() {
        case .passed(let count): passed += count
        case .clientGone: return
        case .serverEnded: return client.finish()
        }
      }
    }
  }

  /// The result of passing bytes on.
  private enum Step {
    case passed(Int)
    case clientGone
    case serverEnded
  }

  /// Passes on bytes from the server.
  private func passDown() -> Step {
    let taken = relay.take()
    guard taken > 0 else { return .passed(0) }
    guard let bytes = server.read(upTo: taken) else {
      relay.settle(taken: taken, passed: 0)
      return .serverEnded
    }
    // Count before sending: the receiver may read the count at once.
    relay.settle(taken: taken, passed: bytes.count)
    let isThere = client.write(bytes)
    relay.arrive(bytes.count)
    return isThere ? .passed(bytes.count) : .clientGone
  }

  /// Parses heads from the client's bytes, until something is not a head.
  private func note(_ bytes: [UInt8], _ head: inout [UInt8]?, number: Int) {
    guard var text = head else { return }
    text += bytes
    while let end = text.firstRange(of: [13, 10, 13, 10]) {
      guard
        let request = RequestReader.parse(String(decoding: text[..<end.lowerBound], as: UTF8.self), connection: number)
      else {
        head = nil
        return
      }
      relay.note(request)
      text.removeSubrange(..<end.upperBound)
    }
    head = text.count < 65_536 ? text : nil
  }
}
