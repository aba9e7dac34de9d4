// A server for tests, and its reports.

internal import Synchronization
package import WebServer

/// A server at a free port of 127.0.0.1.
package struct TestServer {
  /// The server.
  package let server: WebServer
  /// Its port.
  package let port: UInt16

  /// Starts a server that answers with the request it got.
  package static func telling(
    limits: (inout WebLimits) -> Void = { _ in }, settings change: (inout WebServer.Settings) -> Void = { _ in }
  ) throws -> TestServer {
    try TestServer(limits: limits, settings: change) { .text(200, "\($0.method) \($0.path) \($0.body.count)") }
  }

  /// Starts a server.
  package init(
    limits: (inout WebLimits) -> Void = { _ in }, settings change: (inout WebServer.Settings) -> Void = { _ in },
    handler: @escaping @Sendable (WebRequest) async -> WebResponse
  ) throws {
    let listeners = try Listener.open(ListenAddress("127.0.0.1:0"))
    guard let first = listeners.first?.port else { throw NoPort() }
    port = first
    var settings = WebServer.Settings(handler: handler)
    limits(&settings.limits)
    change(&settings)
    server = WebServer(listeners, settings)
  }

  /// Runs `body` with a new client on a separate thread.
  package func talk<R: Sendable>(
    receiveBuffer: Int32? = nil, _ body: @escaping @Sendable (TestClient) throws -> R
  ) async throws -> R {
    let port = port
    return try await onThread { try body(try TestClient(port: port, receiveBuffer: receiveBuffer)) }
  }
}

/// The listener has no port.
private struct NoPort: Error {}

/// The reports of a server.
package final class Incidents: Sendable {
  private let list = Mutex<[WebIncident]>([])

  package init() {}

  /// Adds a report.
  @Sendable package func add(_ incident: WebIncident) { list.withLock { $0.append(incident) } }

  /// Waits until something was reported, at most a minute. Call it on a thread that may block.
  package func wait(_ isIt: (WebIncident) -> Bool) {
    waitUntil { list.withLock { $0.contains(where: isIt) } }
  }
}
