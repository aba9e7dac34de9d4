// What mirrors without a validator of their own brought: it is compared with the file's own server before it counts, and
// is dropped, all that is left unproved of that mirror, where it is not the same (P16).

internal import Curl
internal import DrayCore

/// When what mirrors brought is compared.
struct MirrorComparison {
  /// Whether the file's own server was seen to serve parts, so that there is something to compare with.
  var isServed = false
  /// Comparisons in a row that could not be made.
  var failures = 0
  /// None begins before this time.
  var notBefore = 0.0
  /// Whether some of the bytes were given up during the comparison.
  var isStale = false

  /// Seconds between two comparisons: what came since the last one is lost in a crash.
  static let interval = 1.0
  /// Comparisons in a row that may fail.
  static let patience = 3
}

extension SegmentCrew {
  /// Who takes what a source brings, as long as it does not count; `nil` if it counts at once.
  func keeper(of source: Int) -> Transfer.Keeper? {
    guard sources[source].proof == .comparison else { return nil }
    return { [unowned self] extent in
      // What still comes of a dropped one is ignored.
      if sources[source].standing == .proved { unproved.note(extent, of: source) }
    }
  }

  /// Asks the file's own server for samples of the mirrors' bytes, from time to time, and when all else is done.
  func compareUnproved(_ now: Double) {
    let isHeld = shared.load.isHeld(sources[0].url.origin, now: now)
    guard !isHeld, !members.contains(where: { $0.member.purpose == .proof }) else { return }
    // When all else is done, wait only for a server that repeatedly could not be asked.
    guard now >= comparison.notBefore || plan.isWhole && comparison.failures < MirrorComparison.patience else { return }
    // A server that refused another connection is left alone until the one that it serves has ended.
    let isRefused = comparison.failures > 0 || !sources[0].servesRanges
    if isRefused, plan.pieces.contains(where: { $0.source == 0 }) { return }
    var places: [Segment] = []
    if !unproved.isEmpty {
      places = unproved.begin()
    } else if sources.contains(where: isToBeCompared) {
      // Before any mirror may bring something it must be certain that there is something to compare it with.
      places = Array(MirrorSample.segments(of: outside.written).prefix(1))
    }
    guard !places.isEmpty else { return }
    comparison.isStale = false
    compare(places, at: 0, .proof)
  }

  /// Whether a mirror waits to know that its bytes can be compared.
  func isToBeCompared(_ source: SegmentSource) -> Bool {
    source.standing == .proved && source.proof == .comparison && !comparison.isServed
  }

  /// All that was compared is the same.
  func counts() {
    (comparison.failures, comparison.notBefore) = (0, TransferLoop.now() + MirrorComparison.interval)
    for extent in unproved.prove() { outside.noteWritten(extent.segment, extent.sum) }
  }

  /// Applies the end of a comparison.
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
        sources[0].askedUntil = max(sources[0].askedUntil, now + Double(wait))
        shared.load.hold(sources[0].url.origin, until: sources[0].askedUntil)
      }
      cannotCompare(now, isFinal: failure.recovery != .retry)
    case .done, .short:
      cannotCompare(now, isFinal: false)
    case .notServed, .conditionRefused, .wrong, .parted:
      cannotCompare(now, isFinal: true)
    }
  }

  /// What cannot be compared does not count.
  private func cannotCompare(_ now: Double, isFinal: Bool) {
    unproved.putBack()
    comparison.failures += 1
    comparison.notBefore = now + 0.5 * Double(1 << min(comparison.failures, 6))
    let isAlone = !plan.pieces.contains { $0.source == 0 }
    guard isFinal || isAlone && comparison.failures >= MirrorComparison.patience else { return }
    for source in sources.indices where sources[source].standing == .proved && sources[source].proof == .comparison {
      leaveMirror(
        source, because: "it has no ETag, and its bytes cannot be compared")
    }
  }

  /// How many bytes from this position on are here and count.
  func provedLength(from position: Int64) -> Int64 {
    let written = outside.written.segments.first { $0.contains(position) }
    return written.map { $0.upperBound - position } ?? 0
  }

  /// Counts what is here, after some of it was dropped.
  func recount() {
    outside.setReceived(
      members.reduce(plan.done.count) { count, worker in
        guard worker.member.piece != nil, !worker.member.isRejected, let writer = worker.writer else { return count }
        return count + max(0, writer.position - worker.member.lower)
      })
  }
}
