// Redirects of a transfer on the loop thread: followed with the method and the body that the rules leave.

internal import Curl
internal import DrayCore

extension FileTransfer {
  /// What a redirect makes of the next request.
  func follow(_ redirect: AnswerIntake<Next>.Redirect, _ head: ResponseHead) {
    switch redirect {
    case .followed(let step, let delay):
      observer.transferFollows(step)
      hop.heldUntil = TransferLoop.now() + delay
      changeMethod(after: head.status)
    case .refused(let reason):
      let chain = (exchange.intake.chain.hops.map(\.url) + [url]).suffix(5).map { URLRedaction.redacted($0.string) }
      fail(
        Failure(
          .protocolViolation, URLRedaction.redacted(plan.request.url.string),
          "\(reason) (after \(chain.joined(separator: " → ")))",
          advice: "\(.info) shows the chain; use the file's final URL", httpStatus: head.status,
          recovery: .keep))
    }
  }

  /// Decides with which method a redirect is followed, and whether the body goes along.
  private func changeMethod(after status: Int) {
    let keeping = plan.request.redirects?.keepsMethodAfter ?? []
    // A `Refresh` has no way to say that anything is sent again.
    let isRedirect = RedirectPolicy.isRedirect(status)
    let next = isRedirect ? RedirectPolicy.method(after: status, of: hop.method, keeping: keeping) : "GET"
    if next != hop.method || !isRedirect || status == 303 && !keeping.contains(303) { hop.sendsBody = false }
    hop.method = next
  }

  /// Asks once more, from the job's own URL: redirects are followed again.
  /// - Parameter isFresh: whether it must use a new connection, after an answer that proved nothing.
  func again(_ ask: Ask, _ reason: StartOver?, isFresh: Bool = false) {
    hop.ask = ask
    (hop.method, hop.sendsBody) = (plan.request.method, true)
    (hop.places, hop.rest) = ([], nil)
    if isFresh { hop.wantsFreshConnection = true }
    version.startOver = reason ?? version.startOver
    exchange.intake.restart()
  }
}
