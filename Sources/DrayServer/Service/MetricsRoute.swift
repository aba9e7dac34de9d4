// Answers `/metrics` and `/health`, for monitoring and for programs that start and stop runners.

internal import DrayCore
public import DrayKit
internal import DrayWire
internal import Posix
internal import Synchronization
internal import WebServer

/// Serves the pages for monitoring.
public final class MetricsRoute: Sendable {
  private let manager: DownloadManager
  private let run: @Sendable () async -> RunMetrics?
  private let page = Mutex<(text: String, madeAt: Double)?>(nil)

  /// The seconds for which a page is reused. Several monitors may ask at once.
  private static let life = 1.0
  /// The seconds that a store has to answer before it counts as away.
  private static let patience = 3.0

  /// - Parameter run: Returns the figures of the run in this process; `nil` if none runs now.
  public init(_ manager: DownloadManager, run: @escaping @Sendable () async -> RunMetrics?) {
    (self.manager, self.run) = (manager, run)
  }

  /// Answers a request; `nil` for other paths.
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

  /// The answer for probes: `ok`, or the problem. Probes read only its status. It reveals nothing about the queue.
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

  /// Returns a value, or `nil` if it does not come in time. A call that takes longer continues, and its value is
  /// dropped.
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
