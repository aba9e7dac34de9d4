// A transfer looks after itself: stalls, gates, what waits too long to be written.

internal import Curl
internal import DrayCore

extension FileTransfer {
  func tick(now: Double) -> TickVerdict {
    if outside.isCancelled { return .abort }
    if let crew, crew.dismisses(self, now: now) { return .abort }
    if let verdict = intake.patience(now: now) { return verdict }
    if case .gated(let writer, let gate) = answer.mode {
      stall.reset()
      switch outside.gate {
      case nil:
        return .none
      case .failure(let failure)?:
        intake.cut(.fail(failure))
        return .abort
      case .success?:
        openGate(writer, gate)
        return .proceed
      }
    }
    if case .write(let writer) = answer.mode, let failure = outside.flush(writer, ifDue: now, keeper) {
      intake.cut(.fail(failure))
      return .abort
    }
    if pace.mustAskAgain(now: now) {
      stall.reset()
      return .proceed
    }
    // Until the connection stands, the connect timeout rules; what our own limit holds back is not a stall.
    guard handle?.isConnected ?? false, now >= max(hop.heldUntil, pace.heldUntil) else {
      stall.reset()
      return .none
    }
    if stall.isStalled(bytes: bytesSeen, now: now) {
      intake.cut(.fail(stall.failure(subject)))
      return .abort
    }
    return .none
  }
}
