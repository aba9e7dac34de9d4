// The server: listening sockets, a thread for their clients, and a function that answers.

public import DrayCore
internal import Posix

/// A server for HTTP/1.1 (RFC 9112) and WebSockets (RFC 6455).
///
/// One thread, `dray.web`, moves the bytes of all clients; it waits only for sockets. `handler` answers each request in
/// a separate task. The next request of a connection is read once the answer was sent. The task of a small request
/// starts on that thread, so that an answer from memory needs no other. A handler with much to compute must switch to
/// another thread first.
public final class WebServer: Sendable {
  /// The settings of a server.
  public struct Settings: Sendable {
    /// A closure that refuses a request by its head, before its body is read; it returns `nil` to let the request pass.
    /// It is called on the server's thread and must not block.
    public typealias Screen = @Sendable (_ head: WebRequest) -> WebResponse?
    /// A closure that answers a request.
    public typealias Handler = @Sendable (WebRequest) async -> WebResponse

    /// The limits on clients.
    public var limits = WebLimits()
    /// The fields of every answer, including the server's own. An answer's fields take precedence.
    public var standing: WebFields = [:]
    /// Whether clients authenticate (``ClientStanding``). If so, unauthenticated clients make room for new ones.
    public var evictsStrangers = false
    /// Refuses requests early.
    public var screen: Screen = { _ in nil }
    /// Answers requests.
    public var handler: Handler
    /// Takes events of connections. It is called on the server's thread and must not block.
    public var report: @Sendable (WebIncident) -> Void = { _ in }

    /// Creates settings.
    public init(handler: @escaping Handler) { self.handler = handler }
  }

  private let orders: LoopOrders

  /// Starts serving. The server takes over the listeners.
  /// - Throws: ``Failure`` if the system has no thread or descriptor left.
  public init(_ listeners: [Listener], _ settings: Settings) throws(Failure) {
    do throws(SystemError) {
      orders = try LoopOrders()
      let orders = orders
      try System.startThread("dray.web", stackSize: 512 << 10) { WebLoop(listeners, settings, orders).run() }
    } catch {
      for listener in listeners { listener.close() }
      throw Failure(.other, "the server", error.text)
    }
  }

  /// Stops: accepts no more connections, closes streams and WebSockets, and answers started requests. Returns once
  /// nothing is open.
  /// - Parameter grace: The seconds after which open connections are closed.
  public func stop(grace: Double = 5) async {
    await withCheckedContinuation { waiter in orders.post(.stop(grace: grace) { waiter.resume() }) }
  }
}
