// The periodic checks of a transfer: for stalls, for waits that are over, and for bytes that have not been written for
// too long.

internal import Curl
internal import DrayCore

extension FileTransfer {
  func tick(now: Double) -> TickVerdict {
    if outside.isCancelled { return .abort }
    if let group, group.dismisses(self, now: now) { return .abort }
    if let verdict = exchange.receiver.patience(now: now) { return verdict }
    if case .gated(let writer, let gate) = answer.mode {
      exchange.rests()
      switch outside.gate {
      case nil:
        return .none
      case .failure(let failure)?:
        exchange.receiver.cut(.fail(failure))
        return .abort
      case .success?:
        openGate(writer, gate)
        return .proceed
      }
    }
    if case .write(let writer) = answer.mode, let failure = outside.flush(writer, ifDue: now, keeper) {
      exchange.receiver.cut(.fail(failure))
      return .abort
    }
    outside.beginJournal()
    return exchange.tick(now: now, from: current.heldUntil)
  }
}
