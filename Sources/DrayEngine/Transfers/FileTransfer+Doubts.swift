// Fetches a file in ranges if its server refuses to send it whole, and requests a proof if the end of an answer may
// have been a cut. The decisions about both are in DrayCore: RangedFetch, EndProof.

internal import Curl
internal import DrayCore

extension FileTransfer {
  // MARK: A whole that is refused

  /// Changes the action on an answer, for a server that refuses whole files.
  func ranged(_ action: AnswerAction, _ head: ResponseHead) -> AnswerAction {
    if var ranges = version.ranges {
      let action = current.places.isEmpty ? ranges.next(head.status, asked: current.ask, action) : action
      if let served = ranges.served { shared.connections.learn(range: served, of: plan.request.address.origin) }
      version.ranges = ranges
      // Ranges of another version must not be mixed with the bytes on disk, so only the whole file can replace them
      // (P2).
      if case .askAgain(.whole, _) = action { version.ranges = nil }
      return action
    }
    guard case .stop(let failure) = action,
      plan.isFirstTry,
      RangedFetch.mayRefuseWhole(head.status, to: current.ask, method: current.method, kept: version.recorded.segments)
    else { return action }
    let known = shared.connections.range(at: plan.request.address.origin)
    version.ranges = RangedFetch(after: exchange.receiver.told(failure), known: known)
    return .askAgain(.whole, nil)
  }

  // MARK: An end in doubt

  /// Whether the answer may have ended with a reset. A reset is possible if the length is unknown, because libcurl then
  /// reports a reset like a normal end.
  func mayBeReset(at end: Int64) -> Bool {
    guard let head = exchange.receiver.head, exchange.receiver.source == nil, !plan.digestIsKnown else { return false }
    return ResponseHead.isMultiplexed(head.version) && plan.expected.size != end
  }

  /// Requests the bytes after the end of an answer; returns `nil` if that is unnecessary or impossible.
  /// - Parameter isBroken: Whether the answer ended with an error.
  func askForEnd(_ writer: BodyWriter, isBroken: Bool = false) -> NextStep? {
    let mayAsk = plan.request.isSafe && current.method == plan.request.method && writer.part.isReadable
    let isFree = plan.request.httpVersion == nil
    guard version.end.mustAsk(at: writer.position, mayAsk: mayAsk, isBroken: isBroken, isFree: isFree) else {
      return nil
    }
    (version.recorded.segments, version.recorded.sums) = (outside.written, outside.sums)
    version.mustReleaseRecord = true
    let (ask, reason) = Ask.first(
      for: version.recorded, mode: .always, digestIsKnown: false, given: writer.position)
    // Compressed bytes cannot be continued.
    guard case .rest = ask, reason == nil else { return nil }
    again(ask, nil)
    return .again
  }
}
