// A listening port with its threads: one accepts, and each connection has one. Every server here stands on it.

import Synchronization

/// Accepts connections on a free port of 127.0.0.1, until it is stopped.
final class Listener: Sendable {
  private struct State {
    /// The descriptors of each tracked connection.
    var open: [Int: [Int32]] = [:]
    var connections = 0
    var isStopping = false
  }

  private let state = Mutex(State())
  private let threads = ThreadGroup()
  private let socket: Socket

  /// The port.
  let port: UInt16

  /// Starts to listen. Connections wait in the backlog until ``start(_:)``.
  init() throws(SocketError) {
    socket = try Socket.listening()
    port = socket.port
  }

  /// Accepts connections, and calls `serve` for each on its own thread.
  func start(_ serve: @escaping @Sendable (consuming Socket) -> Void) {
    threads.spawn { [self] in
      while let connection = socket.accept() {
        // A closure cannot consume what it captures; the box hands the socket over exactly once.
        let box = Handover(connection)
        threads.spawn {
          if let connection = box.take() { serve(connection) }
        }
      }
    }
  }

  /// Calls `body` with a new number for a connection. Until `body` returns, ``cut()`` and ``stop()`` shut down the
  /// connection's `descriptors`.
  ///
  /// The caller closes the descriptors later: otherwise a reused descriptor might be shut down. After ``stop()``, `body` is
  /// not called.
  func track(_ descriptors: Int32..., body: (Int) -> Void) {
    let number = state.withLock { state -> Int? in
      guard !state.isStopping else { return nil }
      state.connections += 1
      state.open[state.connections] = descriptors
      return state.connections
    }
    guard let number else { return }
    body(number)
    state.withLock { _ = $0.open.removeValue(forKey: number) }
  }

  /// The number of connections tracked so far.
  var connections: Int { state.withLock { $0.connections } }

  /// The number of connections that are tracked now.
  var openConnections: Int { state.withLock { $0.open.count } }

  /// Whether ``stop()`` was called.
  var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Shuts down all tracked connections.
  func cut() {
    state.withLock { state in
      for descriptor in state.open.values.joined() { shutDown(descriptor) }
    }
  }

  /// Ends all connections and threads, and waits for them.
  func stop() {
    state.withLock { $0.isStopping = true }
    cut()
    shutDown(socket.descriptor)
    threads.joinAll()
  }
}
