// Answers `/metrics` and `/health`, which monitoring systems and programs that start and stop runners read.

internal import DrayCore
package import DrayKit
internal import DrayWire
internal import Posix
internal import Synchronization
internal import WebServer

/// Answers the requests of monitoring systems.
package final class MetricsRoute: Sendable {
  private let manager: DownloadManager
  private let run: @Sendable () async -> RunMetrics?
  private let page = Mutex<(text: String, madeAt: Double)?>(nil)

  /// The number of seconds for which a page is reused instead of being made again. Several monitors may ask at the same
  /// time.
  private static let life = 1.0
  /// The number of seconds within which a store must answer; a store that takes longer counts as unavailable.
  private static let patience = 3.0

  /// - Parameter run: Returns the figures of the run in this process; `nil` if no run is active.
  package init(_ manager: DownloadManager, run: @escaping @Sendable () async -> RunMetrics?) {
    (self.manager, self.run) = (manager, run)
  }

  /// Answers a request. Returns `nil` for a path that is not one of these two.
  func answer(_ request: WebRequest) async -> WebResponse? {
    switch request.path {
    case "/metrics", "/health": break
    default: return nil
    }
    guard ["GET", "HEAD"].contains(request.method) else {
      return .text(405, "Only GET is possible here.", ["Allow": "GET, HEAD"])
    }
    return request.path == "/health" ? await health() : await metrics()
  }

  /// Returns the answer for health probes: `ok`, or the problem. Probes read only the status of the answer. The answer
  /// reveals nothing about the queue.
  private func health() async -> WebResponse {
    if await run()?.isSuspended ?? false {
      return MetricsRoute.unavailable("the job store is away; transfers are stopped")
    }
    let answers = await MetricsRoute.inTime { [manager] in (try? await manager.checkStore()) != nil } ?? false
    return answers ? MetricsRoute.fresh(.text(200, "ok")) : MetricsRoute.unavailable("the job store does not answer")
  }

  private func metrics() async -> WebResponse {
    let now = System.now
    if let kept = page.withLock(\.self), now - kept.madeAt < MetricsRoute.life { return MetricsRoute.page(kept.text) }
    let figures = await MetricsRoute.inTime { [manager] in try? await manager.metrics() } ?? nil
    guard let figures else { return MetricsRoute.unavailable("the job store does not answer") }
    let text = MetricsPage.text(figures, await run(), version: DrayVersion.text)
    page.withLock { $0 = (text, now) }
    return MetricsRoute.page(text)
  }

  /// Returns the value of `body`, or `nil` if `body` takes too long. A `body` that takes longer continues to run, and
  /// its value is dropped.
  private static func inTime<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
    let (values, sink) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
    Task { sink.yield(await body()) }
    let timer = Task {
      try? await Task.sleep(for: .seconds(MetricsRoute.patience))
      sink.yield(nil)
    }
    defer { timer.cancel() }
    for await value in values { return value }
    return nil
  }

  private static func page(_ text: String) -> WebResponse {
    fresh(WebResponse(200, ["Content-Type": MetricsText.mediaType], Array(text.utf8)))
  }

  private static func unavailable(_ reason: String) -> WebResponse { fresh(.text(503, reason)) }

  private static func fresh(_ response: WebResponse) -> WebResponse {
    var response = response
    response.fields["Cache-Control"] = "no-store"
    return response
  }
}
