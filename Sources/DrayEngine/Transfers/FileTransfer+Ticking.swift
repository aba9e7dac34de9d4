// A transfer looks after itself: stalls, gates, what waits too long to be written.

internal import Curl
internal import DrayCore

extension FileTransfer {
  func tick(now: Double) -> TickVerdict {
    if outside.isCancelled { return .abort }
    if let crew, crew.dismisses(self, now: now) { return .abort }
    if let verdict = exchange.intake.patience(now: now) { return verdict }
    if case .gated(let writer, let gate) = answer.mode {
      exchange.rests()
      switch outside.gate {
      case nil:
        return .none
      case .failure(let failure)?:
        exchange.intake.cut(.fail(failure))
        return .abort
      case .success?:
        openGate(writer, gate)
        return .proceed
      }
    }
    if case .write(let writer) = answer.mode, let failure = outside.flush(writer, ifDue: now, keeper) {
      exchange.intake.cut(.fail(failure))
      return .abort
    }
    return exchange.tick(now: now, from: hop.heldUntil)
  }
}
