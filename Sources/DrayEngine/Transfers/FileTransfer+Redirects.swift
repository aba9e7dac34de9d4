// Follows the redirects of a transfer, with the method and the body that the rules allow.

internal import Curl
internal import DrayCore

extension FileTransfer {
  func follow(_ redirect: AnswerReceiver<Next>.Redirect, _ head: ResponseHead) {
    switch redirect {
    case .followed(let step, let delay):
      observer.transferFollows(step)
      current.heldUntil = TransferLoop.now() + delay
      changeMethod(after: head.status)
    case .refused(let reason):
      let chain = exchange.receiver.chain
      let way = (chain.hops.map(\.url) + [url]).suffix(5).map { URLRedaction.redacted($0.string) }
      fail(
        Failure(
          .protocolViolation, URLRedaction.redacted(plan.request.url.string),
          chain.isLoop ? reason : "\(reason) (after \(way.joined(separator: " → ")))",
          advice: "\(.info) shows the redirects", httpStatus: head.status, recovery: .keep))
    }
  }

  /// Changes the method after a redirect, and decides whether the body is sent again.
  private func changeMethod(after status: Int) {
    let keeping = plan.request.redirects?.keepsMethodAfter ?? []
    // A page with `Refresh` cannot ask the client to send the body again.
    let isRedirect = RedirectPolicy.isRedirect(status)
    let next = isRedirect ? RedirectPolicy.method(after: status, of: current.method, keeping: keeping) : "GET"
    if next != current.method || !isRedirect || status == 303 && !keeping.contains(303) { current.sendsBody = false }
    current.method = next
  }

  /// Requests the job's own URL again, and follows its redirects again.
  /// - Parameter isFresh: Whether to use a new connection, because an answer proved nothing.
  func again(_ ask: Ask, _ reason: StartOver?, isFresh: Bool = false) {
    current.ask = ask
    (current.method, current.sendsBody) = (plan.request.method, true)
    (current.places, current.rest) = ([], nil)
    if isFresh { current.wantsFreshConnection = true }
    version.startOver = reason ?? version.startOver
    exchange.receiver.restart()
  }
}
