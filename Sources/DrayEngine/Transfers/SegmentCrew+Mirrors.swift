// Mirrors of a crew: each is asked for samples first, and its bytes are mixed with others only once those were the
// same (P2).

internal import DrayCore

extension SegmentCrew {
  /// Other URLs of one file that are used at most.
  private static let mirrorLimit = 8

  /// The file's own URL and its mirrors: those that were given, and those that the server names (RFC 6249). A mirror that
  /// only the server names is not a way from https to http (P15).
  static func sources(_ task: TransferPlan, _ response: ResponseRecord, home: RequestURL) -> [SegmentSource] {
    var requests = task.mirrors
    for link in response.head.links.duplicates {
      guard case .url(let url) = RequestURL.resolve(location: link.target, against: home),
        Scheme(url)?.speaksHTTP ?? false,
        url.scheme == "https" || home.scheme == "http"
      else { continue }
      requests.append(task.request.moved(to: url))
    }
    var sources = [SegmentSource(task.request)]
    for request in requests where Scheme(request.address)?.speaksHTTP ?? false {
      let isKnown = request.url == home || sources.contains { $0.request.url == request.url }
      if !isKnown, sources.count <= mirrorLimit { sources.append(SegmentSource(request)) }
    }
    return sources
  }

  /// Has mirrors that were not tried yet prove themselves, where enough is here to compare and enough left to gain.
  func tryMirrors(_ now: Double) {
    // One at a time: what is sampled is not counted among the connections of the file.
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

  /// A mirror has the same file, as far as samples show.
  func proves(_ worker: CrewSample) {
    let source = worker.member.source
    sources[source].standing = .proved
    sources[source].validators = worker.validators
    sources[source].proof = .ofOther(worker.validators, digestIsKnown: task.digestIsKnown)
    sources[source].url = worker.url
  }

  /// Drops a mirror for good and reports it: its other connections leave, and none of its uncompared bytes count (P16).
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
