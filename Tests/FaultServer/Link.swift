// A link between programs and a port, which can be cut like a cable: nothing is lost or refused, nothing arrives.

import Glibc
import Synchronization

extension FaultServer {
  /// A relay on 127.0.0.1 to a port of this machine. Must be stopped.
  ///
  /// While it is cut, no byte passes in either direction and no connection ends, as if a cable were pulled. Bytes sent
  /// during the cut arrive once it is mended, even if their sender has given up since.
  public final class Link: Sendable {
    private struct State {
      var target: UInt16
      var isCut = false
    }

    private let state: Mutex<State>
    private let listener: Listener
    /// Bytes a second to the target of each connection.
    private let rate: Int?

    /// The port that it listens on.
    public let port: Int

    /// Listens, and passes on to `target`, at most `rate` bytes a second of each connection. The rest waits at the
    /// client, as before a slow line.
    ///
    /// - Throws: `SocketError` when the system gives no socket.
    public init(to target: Int, rate: Int? = nil) throws {
      self.rate = rate
      state = Mutex(State(target: UInt16(target)))
      listener = try Listener()
      port = Int(listener.port)
      listener.start { [self] in serve($0) }
    }

    /// Ends all connections and threads, and waits for them.
    public func stop() {
      listener.stop()
    }

    /// Passes nothing on until ``mend()``. New connections are accepted, and wait too.
    public func cut() { state.withLock { $0.isCut = true } }

    /// Passes everything on again.
    public func mend() { state.withLock { $0.isCut = false } }

    /// Passes new connections on to another port.
    public func lead(to target: Int) { state.withLock { $0.target = UInt16(target) } }

    private var isCut: Bool { state.withLock { $0.isCut } }

    private func serve(_ client: consuming Socket) {
      while isCut, !listener.isStopping { usleep(10_000) }
      // As with a server that is not there.
      guard let server = Socket.connected(to: state.withLock({ $0.target })) else { return client.reset() }
      let client = client
      if rate != nil {
        var size: Int32 = 16 << 10
        setsockopt(client.descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
      }
      listener.track(client.descriptor, server.descriptor) { _ in pass(client, server) }
    }

    /// Passes on until one side ends.
    private func pass(_ client: borrowing Socket, _ server: borrowing Socket) {
      while true {
        var ends = [
          pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        if isCut {
          if listener.isStopping { return }
          usleep(10_000)
          continue
        }
        guard poll(&ends, 2, 100) > 0 else { continue }
        // Cut while it waited: received bytes are not passed on.
        if isCut { continue }
        if ends[0].revents != 0 {
          guard let bytes = client.read(), server.write(bytes) else { return }
          if let rate, !server.wait(seconds: Double(bytes.count) / Double(rate)) { return }
        }
        if ends[1].revents != 0 {
          guard let bytes = server.read(), client.write(bytes) else { return }
        }
      }
    }
  }
}
