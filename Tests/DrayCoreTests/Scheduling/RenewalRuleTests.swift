// When the source of a job is asked for a new link, and what its answer means.

import Foundation
import Testing

@testable import DrayCore

@Suite("Expired links of sources") struct RenewalRuleTests {
  private static let source = SourceReference(name: "hf:o/m@main", pinned: "hf:o/m@c1", revision: "c1", path: "a.bin")

  private func failure(_ status: Int?, _ recovery: Failure.Recovery = .keep) -> Failure {
    Failure(.status, "http://h/a", "no", httpStatus: status, recovery: recovery)
  }

  @Test(
    "asked once, and again only with new bytes",
    arguments: [
      (401, 0, nil, true), (403, 0, nil, true), (404, 0, nil, true), (410, 500, nil, true), (400, 0, nil, false),
      (407, 0, nil, false), (500, 0, nil, false), (nil, 0, nil, false), (403, 500, 500, false), (403, 501, 500, true),
      (403, 0, 500, false), (403, 0, 0, false),
    ] as [(Int?, Int64, Int64?, Bool)])
  func asks(_ status: Int?, _ kept: Int64, _ last: Int64?, _ expected: Bool) {
    #expect(RenewalRule.asks(failure(status), Self.source, kept: kept, last: last) == expected)
    #expect(!RenewalRule.asks(failure(status), nil, kept: kept, last: last))
    // A used-up rate limit recovers without a new link.
    #expect(!RenewalRule.asks(failure(status, .retry), Self.source, kept: kept, last: last))
  }

  private func job() throws -> Job {
    var specification = JobSpecification(request: TransferRequest(url: try url("http://h/a?sig=1")), directory: "/d")
    specification.request.headers = [HeaderField("X-Own", "1"), HeaderField("Authorization", "Bearer old")]
    specification.options.source = Self.source
    specification.options.expectedSize = 1000
    specification.options.digest = DigestValue(.sha256, bytes: Array(repeating: 1, count: 32))
    return Job(id: 3, uuid: UUID(), specification: specification, addedAt: 1)
  }

  private func offer(_ change: (inout RenewalRule.Offer) -> Void = { _ in }) throws -> RenewalRule.Offer {
    var offer = RenewalRule.Offer(
      revision: "c1", url: try url("http://h/a?sig=2"), size: 1000,
      digest: DigestValue(.sha256, bytes: Array(repeating: 1, count: 32)))
    change(&offer)
    return offer
  }

  private func isRefused(_ verdict: RenewalRule.Verdict, _ part: String) -> Bool {
    if case .refuse(let reason) = verdict { reason.contains(part) } else { false }
  }

  @Test("the same file of the same version, with another link")
  func verdicts() throws {
    let job = try job()
    #expect(RenewalRule.judge(try offer(), for: job) == .take)
    // Facts that the source does not know are not compared.
    #expect(RenewalRule.judge(try offer { ($0.revision, $0.size, $0.digest) = (nil, nil, nil) }, for: job) == .take)
    let md5 = DigestValue(.md5, bytes: Array(repeating: 9, count: 16))
    #expect(RenewalRule.judge(try offer { $0.digest = md5 }, for: job) == .take)
    let old = try url("http://h/a?sig=1")
    #expect(RenewalRule.judge(try offer { $0.url = old }, for: job) == .same)
    #expect(RenewalRule.judge(try offer { ($0.url, $0.hasNewFields) = (old, true) }, for: job) == .take)
    let token = HeaderField("Authorization", "Bearer new")
    #expect(RenewalRule.judge(try offer { ($0.url, $0.headers) = (old, [token]) }, for: job) == .take)
    #expect(isRefused(RenewalRule.judge(try offer { $0.url = nil }, for: job), "any more"))
    #expect(isRefused(RenewalRule.judge(try offer { $0.revision = "c2" }, for: job), "revision c2"))
    #expect(isRefused(RenewalRule.judge(try offer { $0.size = 1001 }, for: job), "1001 bytes"))
    let other = DigestValue(.sha256, bytes: Array(repeating: 2, count: 32))
    #expect(isRefused(RenewalRule.judge(try offer { $0.digest = other }, for: job), "digest"))
  }

  @Test(
    "a refusal that concerns all files is one of the name",
    arguments: [
      (403, nil, .keep, true), (401, nil, .keep, true), (404, nil, .keep, false), (404, "RepoNotFound", .keep, true),
      (404, "RevisionNotFound", .keep, true), (404, "EntryNotFound", .keep, false), (403, "GatedRepo", .keep, true),
      (403, nil, .retry, false), (500, nil, .keep, false),
    ] as [(Int, String?, Failure.Recovery, Bool)])
  func names(_ status: Int, _ code: String?, _ recovery: Failure.Recovery, _ isOfName: Bool) {
    let kind: Failure.Kind = [401, 403].contains(status) ? .authentication : .status
    var failure = Failure(kind, "http://h/a", "\(status)", advice: "own", httpStatus: status, recovery: recovery)
    failure.code = code
    let told = RenewalRule.ofName(failure, Self.source)
    #expect(told.isOfName == (isOfName ? true : nil))
    #expect(told.subject == (isOfName ? Self.source.shownName : "http://h/a"))
    #expect((told.advice == failure.advice) == (!isOfName || code != nil))
  }

  @Test("secrets of the old link stay with its origin")
  func taking() throws {
    var (same, other) = (try job().specification, try job().specification)
    let token = HeaderField("authorization", "Bearer new")
    RenewalRule.take(try offer { $0.headers = [token] }, into: &same)
    #expect(same.request.headers == [HeaderField("X-Own", "1"), token])
    let (cdn, mirror) = (try url("http://cdn/a?sig=2"), try url("http://m/a"))
    RenewalRule.take(try offer { ($0.url, $0.mirrors) = (cdn, [mirror]) }, into: &other)
    #expect(other.request.headers.isEmpty && other.request.url == cdn && other.options.mirrors == [mirror])
    #expect(other.options.source == Self.source && other.options.digest != nil)
  }

  @Test("mirrors of other requests for the same bytes stay, but not older links on the servers of the offer")
  func mirrors() throws {
    var job = try job().specification
    job.output = job.options.digest?.hex
    job.options.source?.arrangements = [.link(path: "x")]
    #expect(job.isNamedByDigest)
    let others = try (0..<20).map { try url("http://m\($0)/a") }
    job.options.mirrors = [try url("http://h/a?sig=0"), try url("http://cdn/a?sig=0")] + others
    let cdn = try url("http://cdn/a?sig=2")
    let offer = try offer { $0.mirrors = [cdn] }
    for _ in 0..<2 {
      RenewalRule.take(offer, into: &job)
      #expect(job.options.mirrors == [cdn] + others.prefix(RenewalRule.mostMirrors - 1))
    }
  }

  @Test(
    "requested again, bytes of another revision, size or digest do not stay (P2)",
    arguments: [
      ("c1", 1000, 1, false), ("c2", 1000, 1, false), (nil, nil, nil, false), ("c2", 1000, nil, true),
      ("c1", 1001, nil, true), ("c1", 1000, 2, true), ("c2", nil, nil, true),
    ] as [(String?, Int64?, UInt8?, Bool)])
  func requested(_ revision: String?, _ size: Int64?, _ digest: UInt8?, _ startsOver: Bool) throws {
    var job = try job()
    job.specification.options.mirrors = [try url("http://m/old")]
    var asked = JobSpecification(request: TransferRequest(url: try url("http://h/a?sig=2")), directory: "/d")
    asked.options.source = SourceReference(name: "hf:o/m@main", revision: revision, path: "a.bin")
    asked.options.expectedSize = size
    asked.options.digest = digest.map { DigestValue(.sha256, bytes: Array(repeating: $0, count: 32)) }
    let (moved, again) = SourceAgainRule.requested(asked, of: job)
    #expect(again == startsOver)
    #expect(moved.request.url == asked.request.url && moved.options.source == asked.options.source)
    // Mirrors of the old link are dropped in any case.
    #expect(moved.options.mirrors == nil)
    let facts = startsOver ? asked.options : job.specification.options
    #expect(moved.options.digest == facts.digest && moved.options.expectedSize == facts.expectedSize)
  }

  @Test("the attempt counts as one that brought a new link")
  func ending() throws {
    let facts = AttemptFacts(
      job: 3, request: try job().specification.request, sending: .yes, progress: .init(kept: 500),
      retry: RetryRecord(used: 2, furthest: 100), policy: RetryPolicy(), mirrors: MirrorChoice(count: 2), jitter: 0)
    let ending = AttemptEnding(.linkRenewed(failure(403), isRetry: false), facts)
    #expect(ending.move == .requeue(after: nil, nil, RetryRecord(used: 2, furthest: 500)))
    #expect(ending.record?.outcome == "link renewed" && ending.mirrors == nil && ending.bytes == .untouched)
  }

  @Test(
    "a link that brought less than 64 KiB uses up a retry (P13)",
    arguments: [
      (0, nil, false), (500, nil, false), (501, 500, true), (500 + 65_535, 500, true), (500 + 65_536, 500, false),
    ] as [(Int64, Int64?, Bool)])
  func dripping(_ kept: Int64, _ last: Int64?, _ expected: Bool) {
    #expect(RenewalRule.isRetry(kept: kept, last: last) == expected)
  }

  @Test("a renewed link that is a retry pauses, and counts up to the limit (P13)", arguments: [0, 4, 5])
  func pausing(_ used: Int) throws {
    let facts = AttemptFacts(
      job: 3, request: try job().specification.request, sending: .yes, progress: .init(kept: 500, reached: 500),
      retry: RetryRecord(used: used, furthest: 499), policy: RetryPolicy(limit: 5), mirrors: MirrorChoice(count: 2),
      jitter: 0)
    let ending = AttemptEnding(.linkRenewed(failure(403), isRetry: true), facts)
    #expect(ending.mirrors == nil && ending.bytes == .untouched)
    if case .requeue(let delay, _, let retry) = ending.move {
      #expect(used < 5 && delay ?? 0 > 0 && retry == RetryRecord(used: used + 1, furthest: 500))
    } else {
      #expect(used == 5)
    }
  }
}
