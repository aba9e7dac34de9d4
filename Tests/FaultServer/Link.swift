// A link between programs and a port, which can be cut like a cable: nothing is lost or refused, nothing arrives.

import Glibc
import Synchronization

extension FaultServer {
  /// A relay on 127.0.0.1 to a port of this machine. Must be stopped.
  ///
  /// While it is cut, no byte passes in either direction and no connection ends, as if a cable were pulled. What was sent
  /// meanwhile arrives once it is mended, also what its sender has given up since.
  public final class Link: Sendable {
    private struct State {
      var target: UInt16
      var isCut = false
      var isStopping = false
      var open: [Int: (Int32, Int32)] = [:]
      var connections = 0
    }

    private let state: Mutex<State>
    private let threads = ThreadGroup()
    private let listener: Socket

    /// The port that it listens on.
    public let port: Int

    /// Listens, and passes on to `target`.
    ///
    /// - Throws: `SocketError` when the system gives no socket.
    public init(to target: Int) throws {
      state = Mutex(State(target: UInt16(target)))
      listener = try Socket.listening()
      port = Int(listener.port)
      threads.spawn { [self] in acceptAll() }
    }

    /// Ends all connections and threads, and waits for them.
    public func stop() {
      state.withLock { state in
        state.isStopping = true
        for ends in state.open.values {
          shutDown(ends.0)
          shutDown(ends.1)
        }
      }
      shutDown(listener.descriptor)
      threads.joinAll()
    }

    /// Passes nothing on until ``mend()``. New connections are accepted, and wait too.
    public func cut() { state.withLock { $0.isCut = true } }

    /// Passes everything on again.
    public func mend() { state.withLock { $0.isCut = false } }

    /// Passes new connections on to another port.
    public func lead(to target: Int) { state.withLock { $0.target = UInt16(target) } }

    private var isCut: Bool { state.withLock { $0.isCut } }
    private var isStopping: Bool { state.withLock { $0.isStopping } }

    private func acceptAll() {
      while let client = listener.accept() {
        let box = Handover(client)
        threads.spawn { [self] in
          guard let client = box.take() else { return }
          while isCut, !isStopping { usleep(10_000) }
          // As with a server that is not there.
          guard let server = Socket.connected(to: state.withLock({ $0.target })) else { return client.reset() }
          let ends = (client.descriptor, server.descriptor)
          let number = state.withLock { state -> Int? in
            guard !state.isStopping else { return nil }
            state.connections += 1
            state.open[state.connections] = ends
            return state.connections
          }
          guard let number else { return }
          pass(client, server)
          // Before the descriptors are closed, so that stop() never shuts down a reused descriptor.
          state.withLock { _ = $0.open.removeValue(forKey: number) }
        }
      }
    }

    /// Passes on until one side ends.
    private func pass(_ client: borrowing Socket, _ server: borrowing Socket) {
      while true {
        var ends = [
          pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        if isCut {
          if isStopping { return }
          usleep(10_000)
          continue
        }
        guard poll(&ends, 2, 100) > 0 else { continue }
        // Cut while it waited: what has come stays where it is.
        if isCut { continue }
        if ends[0].revents != 0 {
          guard let bytes = client.read(), server.write(bytes) else { return }
        }
        if ends[1].revents != 0 {
          guard let bytes = server.read(), client.write(bytes) else { return }
        }
      }
    }
  }
}
