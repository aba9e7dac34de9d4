// A transfer looks after itself: stalls, gates, what waits too long to be written.

internal import Curl
internal import DrayCore

extension FileTransfer {
  func tick(now: Double) -> TickVerdict {
    if outside.isCancelled { return .abort }
    if let crew, crew.dismisses(self, now: now) { return .abort }
    guard course.isOpen else {
      // What follows is known: it waits for no body for longer than saving the connection is worth.
      return course.hasWaited(until: now) ? .abort : .none
    }
    if case .gated(let writer, let gate) = mode {
      stall.reset()
      switch outside.gate {
      case nil:
        return .none
      case .failure(let failure)?:
        course.cut(.fail(failure))
        return .abort
      case .success?:
        openGate(writer, gate)
        return .proceed
      }
    }
    if case .write(let writer) = mode, let failure = outside.flush(writer, ifDue: now, path: path, keeper) {
      course.cut(.fail(failure))
      return .abort
    }
    if pace.mustAskAgain(now: now) {
      stall.reset()
      return .proceed
    }
    // Until the connection stands, the connect time-out rules; what our own limit holds back is no stall.
    guard handle?.isConnected ?? false, now >= max(heldUntil, pace.heldUntil) else {
      stall.reset()
      return .none
    }
    if stall.isStalled(bytes: bytesSeen, now: now) {
      course.cut(.fail(stall.failure(subject)))
      return .abort
    }
    return .none
  }
}
