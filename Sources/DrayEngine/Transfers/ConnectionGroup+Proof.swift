// Compares bytes from mirrors without a strong validator with the file's own server before the bytes count. If any of
// these bytes differ, all unproved bytes of that mirror are dropped (P16).

internal import Curl
internal import DrayCore

extension ConnectionGroup {
  /// Returns the receiver for bytes of a source that do not count yet; `nil` if the source's bytes count at once.
  func keeper(of source: Int) -> Transfer.Keeper? {
    guard sources[source].proof == .comparison else { return nil }
    return { [unowned self] extent in
      // Ignore further bytes of a mirror that was dropped.
      if sources[source].standing == .proved { unproved.note(extent, of: source) }
    }
  }

  /// Compares the mirrors' bytes with samples from the file's own server: from time to time, and once all other bytes
  /// have arrived.
  func compareUnproved(_ now: Double) {
    let own = ownSource
    let isHeld = shared.load.isHeld(sources[own].url.origin, now: now)
    guard !isHeld, !members.contains(where: { $0.member.purpose == .proof }) else { return }
    // Once all other bytes have arrived, do not wait, unless comparisons have failed repeatedly.
    guard now >= comparison.notBefore || plan.isWhole && comparison.failures < MirrorComparison.patience else { return }
    // If the server refused another connection, wait until it serves none of this file's connections.
    let isRefused = comparison.failures > 0 || !sources[own].servesRanges
    if isRefused, plan.pieces.contains(where: { $0.source == own }) { return }
    var places: [Segment] = []
    if !unproved.isEmpty {
      places = unproved.begin()
    } else if sources.contains(where: isToBeCompared) {
      // Before any mirror is used, make sure that comparisons are possible.
      places = Array(MirrorSample.segments(of: outside.written).prefix(1))
    }
    guard !places.isEmpty else { return }
    comparison.isStale = false
    compare(places, at: own, .proof)
  }

  /// The file's own URL over the line for comparisons.
  private var ownSource: Int {
    let line = lines.forComparison(own: sources[0].line)
    return sources.firstIndex { $0.isOwn && $0.line == line } ?? 0
  }

  /// Whether a mirror must wait until it is known that comparisons are possible.
  func isToBeCompared(_ source: SegmentSource) -> Bool {
    source.standing == .proved && source.proof == .comparison && !comparison.isServed
  }

  /// Records that the compared bytes all match.
  func counts() {
    (comparison.failures, comparison.notBefore) = (0, TransferLoop.now() + MirrorComparison.interval)
    for extent in unproved.prove() { outside.noteWritten(extent.segment, extent.sum) }
  }

  func applyComparison(_ end: SegmentEnd, of worker: any SegmentWorker, now: Double) {
    guard ending == nil else { return }
    switch end {
    case .done where !worker.member.isDismissed:
      return
    case .refuted(let position):
      comparison.notBefore = now
      let source = unproved.source(of: position)
      unproved.putBack()
      if let source {
        leaveMirror(source, because: "it differs: its bytes are not the same")
      } else if !comparison.isStale {
        ending = .restart(.changed("its bytes differ"))
      }
    case .differs, .broken:
      apply(end, of: worker, progress: 0, now: now)
      cannotCompare(now, isFinal: true)
    case .failed(let failure):
      record.lastFailure = failure
      if let wait = failure.retryAfter {
        let own = worker.member.source
        sources[own].askedUntil = max(sources[own].askedUntil, now + Double(wait))
        shared.load.hold(sources[own].url.origin, until: sources[own].askedUntil)
      }
      cannotCompare(now, isFinal: failure.recovery != .retry)
    case .done, .short:
      cannotCompare(now, isFinal: false)
    case .notServed, .conditionRefused, .wrong, .parted:
      cannotCompare(now, isFinal: true)
    }
  }

  /// Records that a comparison was not possible, so that the bytes in question do not count.
  private func cannotCompare(_ now: Double, isFinal: Bool) {
    unproved.putBack()
    comparison.failures += 1
    comparison.notBefore = now + 0.5 * Double(1 << min(comparison.failures, 6))
    let own = ownSource
    let isAlone = !plan.pieces.contains { $0.source == own }
    guard isFinal || isAlone && comparison.failures >= MirrorComparison.patience else { return }
    for source in sources.indices where sources[source].standing == .proved && sources[source].proof == .comparison {
      leaveMirror(
        source, because: "it has no ETag, and its bytes cannot be compared")
    }
  }

  /// Returns the number of bytes on disk from this position on that count, up to the first gap.
  func provedLength(from position: Int64) -> Int64 {
    let written = outside.written.segments.first { $0.contains(position) }
    return written.map { $0.upperBound - position } ?? 0
  }

  /// Updates the counts after bytes were dropped.
  func recount() {
    outside.setReceived(
      members.reduce(plan.done.count) { count, worker in
        guard worker.member.piece != nil, !worker.member.isRejected, let writer = worker.writer else { return count }
        return count + max(0, writer.position - worker.member.lower)
      })
  }
}
