// Uses the mirrors of a file, after samples of their bytes have matched (P2).

internal import DrayCore

extension ConnectionGroup {
  private static let mirrorLimit = 8

  /// Returns the sources of the file: its own URL, once for each line, and its mirrors, each over one of the lines.
  static func sources(
    _ task: TransferPlan, _ response: ResponseRecord, home: RequestURL, _ lines: FileLines, withMirrors: Bool
  ) -> [SegmentSource] {
    let order = lines.order
    let own = order.map { SegmentSource(lines.sent(task.request, over: $0), line: $0, isOwn: true) }
    guard withMirrors else { return own }
    return own
      + mirrors(task, response, home: home).enumerated().map { index, request in
        let line = order[(index + 1) % order.count]
        return SegmentSource(lines.sent(request, over: line), line: line)
      }
  }

  /// Returns the requests for the mirrors that the user gave, and for those that the server names (RFC 6249). A mirror that only the server names must not lead from https to http (P15).
  static func mirrors(
    _ task: TransferPlan, _ response: ResponseRecord, home: RequestURL
  ) -> [TransferRequest] {
    var requests = task.mirrors
    for link in response.head.links.duplicates {
      guard case .url(let url) = RequestURL.resolve(location: link.target, against: home),
        Scheme(url)?.speaksHTTP ?? false,
        url.scheme == "https" || home.scheme == "http"
      else { continue }
      requests.append(task.request.moved(to: url))
    }
    var mirrors: [TransferRequest] = []
    for request in requests where Scheme(request.address)?.speaksHTTP ?? false {
      let isKnown = [home, task.request.url].contains(request.url) || mirrors.contains { $0.url == request.url }
      if !isKnown, mirrors.count < mirrorLimit { mirrors.append(request) }
    }
    return mirrors
  }

  /// Tests an untried mirror, if enough bytes are on disk to compare and enough are missing.
  func tryMirrors(_ now: Double) {
    // Test one mirror at a time, because connections for samples are not included in the number of the file's
    // connections.
    guard plan.remaining >= SegmentRule.least, !sources.contains(where: { $0.standing == .sampled }) else { return }
    let next = sources.indices.first { index in
      sources[index].standing == .untried && now >= sources[index].notBefore
        && !shared.load.isHeld(sources[index].url.origin, now: now)
    }
    guard let next else { return }
    let samples = MirrorSample.segments(of: outside.written)
    guard !samples.isEmpty else { return }
    sources[next].standing = .sampled
    compare(samples, at: next, .trial)
  }

  func proves(_ worker: SampleMember) {
    let source = worker.member.source
    sources[source].standing = .proved
    sources[source].validators = worker.validators
    sources[source].proof = .ofOther(worker.validators, digestIsKnown: task.digestIsKnown)
    sources[source].url = worker.url
  }

  /// Drops a mirror for good, and reports it. The mirror's connections leave the group. Its bytes that were not
  /// compared do not count (P16).
  func leaveMirror(_ source: Int, because reason: String) {
    guard sources[source].standing != .dropped else { return }
    sources[source].standing = .dropped
    observer.transferDrops(mirror: sources[source].request.url, because: reason)
    for worker in members where worker.member.source == source {
      worker.member.isDismissed = true
      worker.member.isRejected = sources[source].proof == .comparison && worker.member.purpose == .fetch
    }
    comparison.isStale = true
    plan.lose(unproved.drop(source))
    recount()
  }
}
