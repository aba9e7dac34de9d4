// An HTTP/1.1 server on raw sockets that misbehaves on purpose. Tests set a resource for each path and an answer for
// each request, and read the received requests afterwards.

import Synchronization

/// A server on 127.0.0.1 with its own port and threads.
///
/// By default it follows the rules of RFC 9110 and 9112: ranges, conditions, HEAD, persistent connections.
///
/// ```swift
/// let server = try FaultServer()
/// defer { server.stop() }
/// server["/file"] = .init(.named("v1", size: 1 << 20), script: [.cut(after: 1000), .normal])
/// // … fetch server.url("/file") …
/// server.requests("/file").last?["Range"]  // "bytes=1000-"
/// ```
public final class FaultServer: Sendable {
  private struct State {
    var resources: [String: Resource] = [:]
    var log: [(key: String, request: SeenRequest)] = []
    /// The places in the log of answers that are being sent.
    var underWay: Set<Int> = []

    /// Records where a new request splits the answers that are being sent.
    mutating func split(_ key: String, at position: Int64) {
      for ticket in underWay where log[ticket].key == key {
        let range = log[ticket].request.range
        guard range.lowerBound < position, position < range.upperBound else { continue }
        log[ticket].request.split = min(log[ticket].request.split ?? .max, position)
      }
    }
  }

  private let state = Mutex(State())
  private let listener: Listener

  /// The port it listens on.
  public let port: UInt16

  /// Starts to listen.
  ///
  /// - Throws: `SocketError` when the system gives no socket.
  public init() throws {
    listener = try Listener()
    port = listener.port
    listener.start { [self] in serve($0) }
  }

  /// Ends all connections and threads, and waits for them. Every server must be stopped.
  public func stop() {
    listener.stop()
  }

  // MARK: The site

  /// `http://127.0.0.1:PORT` followed by `path`, which is taken verbatim.
  public func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// The resource at `path`: a path without query, or the `host:port` of a CONNECT. Other paths get 404.
  public subscript(path: String) -> Resource? {
    get { state.withLock { $0.resources[path] } }
    set { state.withLock { $0.resources[path] = newValue } }
  }

  /// Changes the resource at `path`, between two requests. Does nothing if there is none.
  public func update(_ path: String, _ change: (inout Resource) -> Void) {
    state.withLock { state in
      if var resource = state.resources[path] {
        change(&resource)
        state.resources[path] = resource
      }
    }
  }

  // MARK: The log

  /// The requests for `path` in order, with the current state of their answers.
  public func requests(_ path: String) -> [SeenRequest] {
    state.withLock { state in state.log.filter { $0.key == path }.map(\.request) }
  }

  /// All requests in the order they came.
  public var requests: [SeenRequest] { state.withLock { $0.log.map(\.request) } }

  /// Bytes of bodies that were sent for `path`, over all requests.
  public func bytesSent(_ path: String) -> Int64 { requests(path).reduce(0) { $0 + $1.bodySent } }

  /// Bytes of bodies that were sent for `path` and belonged to their connection, over all requests after the first
  /// `count`: ``SeenRequest/bodyKept``.
  public func bytesKept(_ path: String, after count: Int = 0) -> Int64 {
    requests(path).dropFirst(count).reduce(0) { $0 + $1.bodyKept }
  }

  /// The number of connections accepted so far.
  public var connections: Int { listener.connections }

  /// Waits until `count` requests for `path` have arrived, at most `seconds`; false on timeout.
  public func waitForRequests(_ path: String, count: Int, seconds: Double = 120) async -> Bool {
    await poll(seconds: seconds) { self.requests(path).count >= count }
  }

  /// Waits until `count` bytes of bodies were sent for `path`, at most `seconds`; false on timeout.
  public func waitForBytes(_ path: String, count: Int64, seconds: Double = 120) async -> Bool {
    await poll(seconds: seconds) { self.bytesSent(path) >= count }
  }

  // MARK: Serving

  private func serve(_ socket: consuming Socket) {
    let connection = Connection(socket: socket, server: self)
    listener.track(connection.socket.descriptor) { connection.serve(number: $0) }
  }

  /// Records `request` and decides its answer.
  func admit(_ request: SeenRequest) -> (ticket: Int, response: Response) {
    state.withLock { state in
      let key = request.method == "CONNECT" ? request.target : request.path
      let response: Response
      if var resource = state.resources[key] {
        let answer = resource.nextAnswer(to: request)
        if let version = answer.version { resource.version = version }
        state.resources[key] = resource
        response = Response(to: request, resource: resource, answer: answer)
      } else {
        let nothing = Resource(Version(.fixed([])))
        response = Response(to: request, resource: nothing, answer: .status(404))
      }
      var request = request
      (request.status, request.range) = (response.status, response.served)
      if !request.range.isEmpty { state.split(key, at: request.range.lowerBound) }
      state.log.append((key, request))
      state.underWay.insert(state.log.count - 1)
      return (state.log.count - 1, response)
    }
  }

  /// Records that an answer ended.
  func noteEnd(ticket: Int) {
    state.withLock { state in
      state.underWay.remove(ticket)
      state.log[ticket].request.isBeingSent = false
    }
  }

  /// Adds to the record of an answer's body.
  func note(sent count: Int, ticket: Int) {
    state.withLock { $0.log[ticket].request.bodySent += Int64(count) }
  }
}
