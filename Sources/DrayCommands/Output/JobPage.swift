// `dray show`: everything about one job as text.

internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import TerminalUI
internal import Threads

struct JobPage {
  let details: JobDetails
  /// Whether the header fields of redirects are shown as well.
  var isVerbose = false
  var runner: String?
  /// The number of columns in the window; `nil` leaves lines whole.
  var columns: Int?

  private var job: Job { details.job }
  private var facts: JobFacts { details.facts }

  var text: String {
    var page = Sections(columns: columns)
    addJob(&page)
    addRequest(&page)
    addResponse(&page)
    addUpload(&page)
    page.section("Segments")
    for segment in job.checkpoint.segments.segments {
      // The last byte of each range is part of it, as in Content-Range.
      page.add(
        "",
        "bytes \(segment.lowerBound)-\(segment.upperBound - 1) (\(ByteText.size(segment.upperBound - segment.lowerBound)))"
      )
    }
    page.section("Attempts")
    for (index, attempt) in details.attempts.enumerated() {
      page.add("\(index + 1)", JobPage.line(attempt))
    }
    page.section("Digests")
    page.add("expected", job.specification.options.binding.first.map(JobPage.line))
    for offered in job.checkpoint.offered { page.add("offered", JobPage.line(offered)) }
    page.add("of the file", job.knownDigest.map(JobPage.line))
    if let failure = job.failure {
      page.section("Failure")
      page.add("kind", "\(failure.kind.rawValue) (exit status \(failure.exitStatus.rawValue))")
      page.add("HTTP status", failure.httpStatus.map { "\($0)" })
      page.add("what", "\(failure.subject): \(failure.reason)")
      page.add("what to do", failure.advice?.text(.commandLine))
    }
    return page.finished()
  }

  private func addJob(_ page: inout Sections) {
    page.section("Job \(facts.id)")
    page.add("state", facts.state.rawValue)
    page.add(
      "target",
      facts.target ?? (facts.state == .complete ? "none" : "\(job.specification.directory) (the server names the file)")
    )
    page.add(
      "from",
      job.specification.options.source.map { source in
        source.path.isEmpty ? source.shownExactName : "\(source.shownExactName): \(source.path)"
      })
    page.add("called", facts.title)
    page.add("part file", facts.partFile)
    let size = facts.size.map { "\($0) bytes (\(ByteText.size($0)))" }
    page.add("size", size ?? "unknown")
    page.add("received", "\(facts.received) bytes (\(ByteText.size(facts.received)))")
    page.add("rate", facts.rate.map(ByteText.rate))
    page.add("priority", "\(facts.priority)")
    page.add("queue", facts.queue)
    let rules = (job.specification.options.lateRules ?? []).map(\.place)
    page.add("rules", rules.isEmpty ? nil : "\(rules.joined(separator: ", ")): the server's answer decides")
    page.add("asked for in", job.specification.options.askedDirectory)
    page.add("added", TimeStamp.text(facts.addedAt))
    page.add("finished", facts.finishedAt.map(TimeStamp.text))
    page.add("not before", facts.notBefore.map(TimeStamp.text))
    page.add("on hold", facts.hold.map { HoldText.text($0, now: WallClock.now()) })
    page.add("starts", facts.startAt.map(TimeStamp.text))
    page.add("between", facts.between)
    page.add("waits", facts.waits.flatMap(JobPage.wait))
    page.add("labels", facts.labels.isEmpty ? nil : facts.labels.map(\.text).joined(separator: ", "))
    page.add("runner", runner.map(TextSafety.escaped))
    page.add("waits for", facts.after.isEmpty ? nil : JobWait.names(facts.after))
    page.add("note", facts.note)
    page.add("uuid", facts.uuid)
  }

  /// Returns a reason why the job waits, if no other line of the page shows it; otherwise `nil`.
  private static func wait(_ reason: WaitReason) -> String? {
    switch reason {
    case .queue, .queueRoom, .window, .origin, .lease: JobWait.text(reason, now: WallClock.now())
    case .prerequisites, .start, .hold, .retry, .longWait, .disk: nil
    }
  }

  private func addRequest(_ page: inout Sections) {
    let request = job.specification.request
    let options = job.specification.options
    page.section("Request")
    page.add(request.method, facts.url)
    page.add("body", request.body.map { "\($0.length) bytes\($0.contentType.map { ", " + $0 } ?? "")" })
    for field in request.headers { page.add("field", SafeHead.request(field)) }
    page.add("user agent", request.userAgent)
    if request.cache?.ifChanged != nil { page.add("cache", "fetched only if changed") }
    if request.cache?.noCache ?? false { page.add("cache", "caches must revalidate with the server") }
    if options.keepsArrivalTime ?? false { page.add("time", "time of arrival") }
    if options.recordsOrigin ?? false { page.add("attribute", "user.xdg.origin.url") }
    page.add("unfinished in", options.partDirectory)
    page.add("referer", request.referer.map(ShownURL.text))
    page.add("cookie", request.cookie.map { _ in "…" })
    page.add("user", request.credentials.map { "\($0.user):…" } ?? request.netrcUser)
    page.add("S3", request.signature.map { S3Text.text($0, request.credentials) })
    addObject(&page)
    page.add("TLS for ftp", request.schemes?.tls?.rawValue)
    page.add("host key", request.schemes?.hostKey.map { "SHA256:\($0)" })
    addAuthentication(request.authentication, to: &page)
    page.add("cookie files", request.cookies?.files?.joined(separator: ", "))
    page.add("cookie jar", request.cookies?.jar)
    if let taken = request.cookies?.taken { page.add("cookies of a browser or pipe", "\(taken.count)") }
    page.add("netrc", request.netrcFile)
    page.add("proxy", request.proxy.map { $0.isEmpty ? "none" : URLRedaction.redacted($0) })
    page.add("CA file", request.caFile ?? request.signature?.caBundle)
    if request.isInsecure { page.add("certificates", "not checked (-k)") }
    if request.addressFamily != .any { page.add("addresses", request.addressFamily.rawValue) }
    page.add("rate limit", options.rateLimit.map { ByteText.rate(Double($0)) })
    page.add("time limit", options.maxTime.map { "\(TimeText.elapsed($0)) for an attempt" })
    page.add("size limit", options.maxSize.map { "\($0) bytes" })
    page.add("connections", "at most \(job.specification.mostConnections)")
    page.add("retries", "\(options.retries)")
    page.add("adopts", options.adopts?.path)
    page.add("adopted", options.adopts?.summary)
    for file in options.seeding?.files ?? [] { page.add("seed", file) }
    page.add("zsync", options.seeding?.control.map { ShownURL.text($0) })
    page.add("seeds", options.seeding?.summary.map { Advice.line($0, options.seeding?.outcome?.advice) })
    for mirror in details.mirrors { page.add("mirror", mirror) }
    page.add("expected size", options.expectedSize.map { "\($0) bytes" })
    page.add("expected type", options.expectedType?.description)
    page.add("allowed types", options.allowedTypes?.map(\.description).joined(separator: ", "))
    page.add("digests looked for", options.verify.map(\.rawValue))
    page.add("minisign key", options.verifyKey)
    page.add("pieces", options.pieces.map { "\($0.hashes.count) of \($0.length) bytes, \($0.algorithm.rawValue)" })
    page.add("on conflict", options.onConflict.rawValue)
    page.add("resume", options.resume.rawValue)
  }

  private func addResponse(_ page: inout Sections) {
    guard let response = job.response else { return }
    let answer = ResponseText(
      response: response, facts: ResponseFacts(response), isVerbose: isVerbose, finalURL: facts.finalURL)
    page.section("Response")
    page.add("time", TimeStamp.text(response.time))
    answer.addWay(to: &page)
    answer.addFile(to: &page)
    answer.addHead(to: &page)
    let validators = job.checkpoint.validators
    guard validators != Validators() else { return }
    page.section("Validators")
    page.add("ETag", validators.etag)
    page.add("Last-Modified", validators.lastModified)
    page.add("strength", validators.isWeak ? "weak" : "strong")
  }

  static func line(_ digest: SourcedDigest) -> String { "\(digest.digest) (\(digest.source.rawValue))" }

  private static func line(_ attempt: AttemptRecord) -> String {
    var parts = [TimeStamp.text(attempt.startedAt), attempt.outcome]
    let taken = attempt.endedAt - attempt.startedAt
    parts.append("after " + (taken < 1 ? "less than 1 s" : TimeText.elapsed(taken)))
    if let first = attempt.firstByte, let last = attempt.lastByte, last > first {
      parts.append("bytes \(first)-\(last - 1)")
    }
    if let runner = attempt.runner { parts.append("by \(TextSafety.escaped(runner))") }
    return parts.joined(separator: ", ") + (attempt.message.map { ": \($0)" } ?? "")
  }
}
