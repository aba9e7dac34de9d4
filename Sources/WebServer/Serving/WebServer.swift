// The server: listening sockets, a thread for their clients, and a function that answers.

internal import Dispatch
internal import NIOCore
internal import NIOPosix

/// A server for HTTP/1.1 (RFC 9112) and WebSockets (RFC 6455).
///
/// One thread of SwiftNIO's moves the bytes of all clients, and waits only for sockets. ``Settings/reply`` answers each
/// small request on this thread: at once, or in a separate task, which starts on the thread, too. So an answer from
/// memory needs no other thread. A task with much to compute must switch to another thread first. The next request of a
/// connection is read once the answer was sent.
public final class WebServer: Sendable {
  public struct Settings: Sendable {
    /// Refuses a request by its head, before its body is read; `nil` lets the request pass. Called on the server's
    /// thread; must not block.
    public typealias Screen = @Sendable (_ head: WebRequest) -> WebResponse?
    public typealias Reply = @Sendable (WebRequest) -> WebReply

    public var limits = WebLimits()
    /// The fields of every answer, including the server's own. An answer's fields take precedence.
    public var standing: WebFields = [:]
    /// The text of the field `Date` for seconds since 1970 (RFC 9110 §5.6.7); `nil` for no field.
    public var date: @Sendable (Int64) -> String? = { _ in nil }
    /// Whether clients authenticate (``ClientStanding``). If so, clients that have not done so make room for new ones.
    public var evictsStrangers = false
    /// Whether the first bytes of a body, which the request has, prove that the client may send more than
    /// ``WebLimits/strangerBody`` bytes. Called on the server's thread; must not block.
    public var vouches: @Sendable (WebRequest) -> Bool = { _ in false }
    public var screen: Screen = { _ in nil }
    /// Answers a request. For a small request it is called on the server's thread, and must not block.
    public var reply: Reply
    /// Events for the log. Called on the server's thread; must not block.
    public var report: @Sendable (WebIncident) -> Void = { _ in }

    /// Creates settings of a server that answers every request in a task, unless ``reply`` is set.
    public init(handler: @escaping @Sendable (WebRequest) async -> WebResponse) {
      reply = { request in .later { await handler(request) } }
    }
  }

  private let executor: LoopExecutor
  private let state: NIOLoopBoundBox<ServerLoop?>

  /// Starts serving. The server takes over the listeners.
  public init(_ listeners: [Listener], _ settings: Settings) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let loop = group.next()
    let executor = LoopExecutor(loop)
    let state = NIOLoopBoundBox<ServerLoop?>.makeEmptyBox(eventLoop: loop)
    (self.executor, self.state) = (executor, state)
    executor.post {
      let server = ServerLoop(loop, executor, settings) { done in
        group.shutdownGracefully(queue: .global()) { _ in done() }
      }
      state.value = server
      server.open(listeners)
    }
  }

  /// Stops: accepts no more connections, closes streams and WebSockets, and answers started requests. Returns once
  /// nothing is open.
  /// - Parameter grace: The seconds after which open connections are closed.
  public func stop(grace: Double = 5) async {
    let state = state
    await withCheckedContinuation { waiter in
      let isServing = executor.post { state.value?.stop(grace: grace) { waiter.resume() } }
      if !isServing { waiter.resume() }
    }
  }
}
