// Redirects of a transfer on the loop thread: followed with the method and the body that the rules leave (S11).

internal import Curl
internal import DrayCore

extension FileTransfer {
  /// What is done about an answer that sends the request elsewhere; `nil` where it does not.
  func redirect(_ head: ResponseHead) -> RedirectPolicy.Decision? {
    let limit = plan.request.redirects?.limit ?? RedirectPolicy.defaultLimit
    if RedirectPolicy.isRedirect(head.status) {
      let location = head.all("location")
      return RedirectPolicy.decide(from: url, status: head.status, location: location, hop: hops.count, limit: limit)
    }
    guard let refresh = RefreshField.target(of: head, from: url) else { return nil }
    delay = refresh.delay
    return RedirectPolicy.decide(from: url, refresh: refresh.location, hop: hops.count, limit: limit)
  }

  func follow(_ decision: RedirectPolicy.Decision, _ head: ResponseHead) {
    switch decision {
    case .follow(let named):
      let target = security.upgraded(named)
      observer.transferFollows(RedirectStep(status: head.status, from: url, to: target, head: head))
      hops.append(RedirectHop(url: url, head: head))
      url = target
      heldUntil = TransferLoop.now() + delay
      changeMethod(after: head.status)
      settle(.again)
    case .refuse(let reason):
      let chain = (hops.map(\.url) + [url]).suffix(5).map { URLRedaction.redacted($0.string) }
      fail(
        Failure(
          .protocolViolation, URLRedaction.redacted(plan.request.url.string),
          "\(reason) (after \(chain.joined(separator: " → ")))",
          advice: "`dray info` shows the chain; ask for the file's real address", httpStatus: head.status,
          recovery: .keep))
    }
  }

  /// Decides with which method a redirect is followed, and whether the body goes along.
  func changeMethod(after status: Int) {
    let keeping = plan.request.redirects?.keepsMethodAfter ?? []
    // A `Refresh` has no way to say that anything is sent again.
    let isRedirect = RedirectPolicy.isRedirect(status)
    let next = isRedirect ? RedirectPolicy.method(after: status, of: method, keeping: keeping) : "GET"
    if next != method || !isRedirect || status == 303 && !keeping.contains(303) { sendsBody = false }
    method = next
  }

  /// Asks once more, from the job's own URL: redirects are followed anew.
  func again(_ ask: Ask, _ reason: StartOver?) {
    self.ask = ask
    startOver = reason ?? startOver
    url = plan.request.address
    (method, sendsBody) = (plan.request.method, true)
    hops = []
    // An answer that has to prove itself is not to come over the connection of one that could not.
    if ask.isCompared { wantsFreshConnection = true }
    settle(.again)
  }

  /// Whether the rest comes from another server than the beginning did, where that has to be asked for in another way.
  func isElsewhere(_ head: ResponseHead) -> Bool {
    guard head.status == 206, let origin, origin != url.origin,
      let ask = ask.elsewhere(digestIsKnown: plan.digestIsKnown)
    else { return false }
    again(ask, ask == .whole ? .changed("another server has it now") : nil)
    return true
  }
}
