// A connection of a group that compares samples: of a mirror's file, or of bytes that came from mirrors.

internal import Curl
internal import DrayCore

/// Compares samples for a ``ConnectionGroup``.
final class SampleMember: LoopTransfer, SegmentWorker {
  private let group: ConnectionGroup
  var member: GroupMember
  private var comparison: SampleComparison
  /// The time at which the first request started.
  private var openedAt: Double?

  /// - Parameters:
  ///   - places: The samples.
  ///   - number: The index of the source in the group.
  init(_ group: ConnectionGroup, _ purpose: MemberPurpose, _ places: [Segment], at number: Int) {
    self.group = group
    let source = group.sources[number]
    let line = group.lines.forComparison(own: source.line)
    member = GroupMember(purpose: purpose, source: number, line: line)
    let request = line == source.line ? source.request : group.lines.sent(source.request, over: line)
    var task = SampleTask(request, group.part, places)
    (task.digestIsKnown, task.endsAtDifference) = (group.task.digestIsKnown, true)
    (task.refusesIfRange, task.retried) = (source.refusesIfRange, group.task.retried)
    task.answering = source.isOwn ? .only(group.homeURL) : .any
    task.known = SampleReport(
      response: group.record.response, size: group.size, validators: source.validators, offered: group.offered)
    comparison = SampleComparison(task, from: source.url, group.terms)
  }

  var url: RequestURL { comparison.exchange.url }
  var writer: BodyWriter? { nil }
  var socket: Int32? { comparison.exchange.handle?.socket }
  var pace: Pace { comparison.exchange.pace }
  /// The validators in the answer; empty before the answer.
  var validators: Validators { comparison.report?.validators ?? Validators() }

  func bound(to upper: Int64) {}

  func settle() -> Bool { false }

  var tickInterval: Double { group.lookInterval }

  func startTime(now: Double) -> Double { comparison.exchange.startTime(now: now) }

  func prepare(_ handle: EasyHandle) throws(CurlError) {
    openedAt = openedAt ?? TransferLoop.now()
    group.shared.load.move(&member.origin, to: url.origin)
    try comparison.prepare(handle)
    try group.setsApart(handle)
  }

  func receive(header line: UnsafeRawBufferPointer) -> Bool {
    defer { if comparison.isServed, group.sources[member.source].isOwn { group.comparison.isServed = true } }
    return comparison.receive(header: line)
  }

  func receive(body: UnsafeRawBufferPointer) -> BodyVerdict {
    if let verdict = comparison.verdict(on: body) { return verdict }
    return pace.admit(body, now: TransferLoop.now) { piece in
      if member.isDismissed { return .abort }
      if !member.hasAnswered, let openedAt { group.hears(self, after: TransferLoop.now() - openedAt) }
      member.hasAnswered = true
      return comparison.take(piece)
    }
  }

  func tick(now: Double) -> TickVerdict {
    if group.dismisses(self, now: now) { return .abort }
    return comparison.exchange.receiver.patience(now: now) ?? comparison.exchange.tick(now: now)
  }

  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    let isCancelled = group.outside.isCancelled || member.isDismissed
    switch comparison.finish(error, info, isCancelled: isCancelled) {
    case .next(let step): return step
    case .ended(let end):
      let end = meaning(of: end)
      if case .done = end, !isCancelled {
        if member.purpose == .proof { group.counts() } else { group.proves(self) }
      }
      group.leave(self, nil, end)
      return .done
    }
  }

  /// Returns the meaning of the comparison's end for the group.
  private func meaning(of end: SampleEnd) -> SegmentEnd {
    switch end {
    case .cancelled, .unchanged: .done
    case .compared(let report):
      switch report.differing.first {
      case nil: .done
      case let place? where member.purpose == .proof: .refuted(place.lowerBound)
      case _?: .differs(.changed("its bytes differ"))
      }
    case .notServed: .notServed
    case .changed(let reason): .differs(reason)
    case .failed(let failure): failure.kind == .file ? .broken(failure) : .failed(failure)
    }
  }
}
