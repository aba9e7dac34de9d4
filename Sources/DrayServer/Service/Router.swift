// Passes each request to the route that answers it.

internal import DrayCore
internal import Logging
internal import WebServer

/// The routes of the service, which a request reaches only after the access check.
struct Router: Sendable {
  /// Answers requests from memory, before the routes are tried.
  let known: @Sendable (WebRequest) -> WebReply?
  let routes: [WebService.Route]
  let keeper: AccessControl
  let log: Logger
  /// The log for lines that any client can cause.
  let counted: CountedLog

  init(
    known: @escaping @Sendable (WebRequest) -> WebReply? = { _ in nil }, routes: [WebService.Route],
    keeper: AccessControl, log: Logger
  ) {
    (self.known, self.routes, self.keeper, self.log, counted) = (known, routes, keeper, log, CountedLog(log))
  }

  /// Returns the refusal of a request, decided from its head alone, on the server's thread.
  func refusal(of head: WebRequest) -> WebResponse? {
    guard let response = keeper.refusal(of: head) else { return CodedBody.refusal(of: head) }
    // Requests with a wrong secret have already been logged.
    if response.status >= 400, ![401, 429].contains(response.status) || head.fields["Authorization"] == nil {
      let hint = RefusalHint.text(of: head, keeper.policy).map { ": \($0)" } ?? ""
      counted.write(
        "refused with \(response.status)", .warning, "\(Router.name(head)): refused with \(response.status)\(hint)")
    }
    return response
  }

  /// Answers a request on the server's thread if that needs no waiting, otherwise in a task.
  func reply(_ request: WebRequest) -> WebReply {
    switch known(request) {
    case .now(let response): .now(finished(response, request))
    case .later(let work): .later { finished(await work(), request) }
    case nil: .later { await answer(request) }
    }
  }

  func answer(_ request: WebRequest) async -> WebResponse {
    for room in routes {
      guard let response = await room(request) else { continue }
      return finished(response, request)
    }
    let body = #"{"error":{"code":"not-found","message":"There is nothing at this path.","advice":"see /"}}"#
    let missing = WebResponse(404, ["Content-Type": "application/json"], Array(body.utf8))
    return keeper.shared(missing, with: request)
  }

  /// Logs the request, and returns the answer as it is sent.
  private func finished(_ response: WebResponse, _ request: WebRequest) -> WebResponse {
    let isKnown = keeper.policy.secret == nil || request.listenerKind == .socket || request.standing.isProved
    if isKnown {
      log.debug("\(Router.name(request)): \(response.status)")
    } else {
      counted.write("requests without the secret", .debug, "\(Router.name(request)): \(response.status)")
    }
    return keeper.shared(response, with: request)
  }

  /// Returns how a log names a request: without its query, which may contain a token or a link.
  static func name(_ head: WebRequest) -> String { "\(head.peer) \(head.method) \(head.path)" }
}
