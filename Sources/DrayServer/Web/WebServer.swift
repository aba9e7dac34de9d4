// The server: sockets that listen, a thread that serves their clients, and one function that answers.

public import DrayCore
internal import Posix

/// A server of HTTP/1.1 (RFC 9112) and WebSockets (RFC 6455).
///
/// One thread, `dray.web`, moves the bytes of all clients; it waits for nothing but sockets. Each request is answered in a task of its
/// own, by `handler`; the next one of the same connection is read when its answer has been sent. The task of a small request begins on
/// that thread, so that what is answered from memory needs no other; a handler that has much to compute goes elsewhere first.
public final class WebServer: Sendable {
  /// What a server is made of.
  public struct Settings: Sendable {
    /// Refuses a request by its head, before its body is read; nil lets it pass. It is called on the server's thread, and must not wait.
    public typealias Screen = @Sendable (_ head: WebRequest) -> WebResponse?
    /// Answers a request.
    public typealias Handler = @Sendable (WebRequest) async -> WebResponse

    /// How much clients may have.
    public var limits = WebLimits()
    /// Fields of every answer, also of those that the server makes itself; an answer's own take precedence.
    public var standing: WebFields = [:]
    /// Whether clients authenticate (``ClientStanding``): then those that have not make room for new ones.
    public var evictsStrangers = false
    /// Refuses requests early.
    public var screen: Screen = { _ in nil }
    /// Answers requests.
    public var handler: Handler
    /// Is told what happened to connections. It is called on the server's thread, and must not wait.
    public var report: @Sendable (WebIncident) -> Void = { _ in }

    /// Makes settings.
    public init(handler: @escaping Handler) { self.handler = handler }
  }

  private let orders: LoopOrders

  /// Starts to serve. The listeners are the server's from now on.
  /// - Throws: ``Failure`` where the system has no thread or no descriptor left.
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

  /// Ends: no more connections are taken, streams and WebSockets are closed, requests that have begun are answered. Returns when
  /// nothing is open any more.
  /// - Parameter grace: seconds until what is still open is closed all the same.
  public func stop(grace: Double = 5) async {
    await withCheckedContinuation { waiter in orders.post(.stop(grace: grace) { waiter.resume() }) }
  }
}
