// What the end of one connection means for the others of its file.

internal import Curl
internal import DrayCore

extension SegmentCrew {
  /// Applies the end of a connection to the others of its file.
  func apply(_ end: SegmentEnd, of worker: any SegmentWorker, progress: Int64, now: Double) {
    let source = worker.member.source
    switch end {
    case .done:
      break
    case .short where progress >= RetryPolicy.newGround:
      break  // Some servers send only so much at a time.
    case .short:
      let failure = Failure(
        .network, URLRedaction.redacted(sources[source].url.string), "the answer ended early",
        advice: "\(.run) continues from there", recovery: .retry)
      fail(failure, of: worker, now: now)
    case .failed(let failure):
      fail(failure, of: worker, now: now)
    case .conditionRefused where !sources[source].refusesIfRange:
      sources[source].refusesIfRange = true
    case .notServed, .conditionRefused:
      sources[source].servesRanges = false
      if source > 0 { drop(source, because: "it does not support ranges") }
    case .refuted:
      break
    case .differs(let reason):
      if source > 0 {
        reject(source, because: "it differs: \(reason.text)")
      } else if worker.url.origin == home {
        // One answer of another version is one too many: nothing that is here is trusted any more (P2).
        ending = ending ?? .restart(reason)
      } else {
        // Redirects led elsewhere this time: that server's version says nothing about this one's.
        sources[0].servesRanges = false
      }
    case .wrong(let reason, let brought):
      let isElsewhere = source == 0 && worker.url.origin != home
      let counts = sources[source].proof != .comparison
      if source > 0 { reject(source, because: reason) }
      if isElsewhere { sources[0].servesRanges = false }
      if let brought, counts {
        observer.transferRestarts(.wrongPart(reason))
        outside.takeBack(brought)
      } else if source > 0 || isElsewhere {
        // It fetched nothing that counts, and is not asked again.
        return
      }
      ending = ending ?? .prove(reason)
    case .broken(let failure):
      ending = ending ?? .failed(failure)
    }
  }

  func fail(_ failure: Failure, of worker: any SegmentWorker, now: Double) {
    let source = worker.member.source
    // What a mirror has against us is its own affair.
    if source == 0 || record.lastFailure == nil { record.lastFailure = failure }
    if source == 0 { record.lastURL = sources[0].url }
    // A line that broke says nothing about the server.
    if failure.httpStatus == nil { record.isTypical = false }
    sources[source].strike(failure, now: now)
    shared.load.hold(sources[source].url.origin, until: sources[source].askedUntil)
    if sources[source].standing == .sampled { sources[source].standing = .untried }
    if !plan.pieces.isEmpty, worker.member.piece != nil {
      growth.refused(connections: plan.pieces.count, now: now, until: failure.retryAfter.map { now + Double($0) })
    }
    if source > 0 {
      if failure.recovery != .retry || sources[source].strikes >= SegmentSource.patience {
        drop(source, because: failure.reason)
      }
    } else if failure.recovery != .retry {
      // Where redirects led may be good for a while only: the next one follows them again.
      if sources[0].url == sources[0].request.address { sources[0].servesRanges = false }
      sources[0].url = sources[0].request.address
    }
  }

  /// Gives an unowned part back to the connection that fetches what precedes it, and would continue.
  func giveBack(at lower: Int64) {
    guard let free = plan.unowned.segments.first(where: { $0.contains(lower) }),
      let piece = plan.pieces.first(where: { $0.upper == lower && !$0.isClosing }),
      let worker = members.first(where: { $0.member.piece == piece.id }),
      !worker.member.isDismissed, worker.member.carries > lower
    else { return }
    let upper = min(free.upperBound, worker.member.carries)
    plan.extend(piece.id, to: upper)
    worker.bound(to: upper)
  }

  /// Whether the connection for what begins at `position` has not answered yet.
  func isAwaited(_ position: Int64) -> Bool {
    members.contains { $0.member.lower == position && !$0.member.hasAnswered && $0.member.piece != nil }
  }

  /// A failure with what is left of the wait that the server asked for.
  func waiting(_ failure: Failure, _ now: Double) -> Failure {
    let left = Int64((sources[0].askedUntil - now).rounded(.up))
    guard failure.recovery == .retry, left > failure.retryAfter ?? 0 else { return failure }
    var failure = failure
    failure.retryAfter = left
    return failure
  }

  var unfinished: Failure {
    Failure(
      .network, URLRedaction.redacted(record.lastURL.string),
      "the connections ended with \(ByteCount.text(plan.remaining)) missing", advice: "\(.run) continues from there",
      recovery: .retry)
  }
}
