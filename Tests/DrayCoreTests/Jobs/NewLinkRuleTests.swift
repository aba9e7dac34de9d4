// Which interrupted job a URL is a new link for.

import Foundation
import Testing

@testable import DrayCore

@Suite struct NewLinkRuleTests {
  private func job() throws -> Job {
    let specification = JobSpecification(
      request: TransferRequest(url: try url("http://old/d/big.iso?sig=1")), directory: "/d")
    var job = Job(id: 3, uuid: UUID(), specification: specification, addedAt: 1)
    (job.state, job.fileName) = (.interrupted, "big.iso")
    job.checkpoint = Checkpoint(
      segments: SegmentSet(0..<500), size: 1000, validators: Validators(etag: "\"v1\"", lastModified: "yesterday"))
    return job
  }

  private func link(_ text: String = "http://new/x/big.iso?sig=2", output: String? = nil) throws -> JobSpecification {
    JobSpecification(request: TransferRequest(url: try url(text)), directory: "/d", output: output)
  }

  @Test("the same target, or the same name")
  func matches() throws {
    let job = try job()
    let table: [(JobSpecification, NewLinkRule.Match?)] = [
      (try link(), .name), (try link("http://new/other"), nil),
      (try link("http://new/other", output: "big.iso"), .target),
      (try link(output: "other"), nil), (try link("http://old/d/big.iso?sig=1"), nil),
    ]
    for (specification, expected) in table { #expect(NewLinkRule.match(specification, job) == expected) }
  }

  @Test("only a stopped job with bytes, of a request that may be repeated, in the same directory")
  func others() throws {
    for change in [
      { $0.state = .queued }, { $0.state = .active }, { $0.state = .failed }, { $0.state = .complete },
      { $0.checkpoint.segments = SegmentSet() }, { $0.specification.request.method = "POST" }, { $0.fileName = nil },
      { $0.specification.directory = "/e" }, { $0.group = GroupLabel(id: 1, name: "g") },
    ] as [(inout Job) -> Void] {
      var job = try job()
      change(&job)
      #expect(NewLinkRule.match(try link(), job) == nil)
    }
    var paused = try job()
    paused.state = .paused
    #expect(NewLinkRule.match(try link(), paused) == .name)
    var sending = try link()
    sending.request.method = "POST"
    #expect(NewLinkRule.match(sending, paused) == nil)
    var elsewhere = try link()
    elsewhere.directory = "/e"
    #expect(NewLinkRule.match(elsewhere, paused) == nil)
  }

  @Test(
    "a name alone says nothing: the length and a validator must be the same",
    arguments: [
      (1000, "\"v1\"", nil, true), (1000, "\"v1\"", "today", true), (1000, "\"other\"", "yesterday", true),
      (1000, nil, "yesterday", true), (1000, "\"other\"", "today", false), (1000, "W/\"v1\"", nil, false),
      (1000, nil, nil, false), (999, "\"v1\"", "yesterday", false), (nil, "\"v1\"", "yesterday", false),
    ] as [(Int64?, String?, String?, Bool)])
  func version(size: Int64?, etag: String?, date: String?, expected: Bool) throws {
    let validators = Validators(etag: etag, lastModified: date)
    #expect(NewLinkRule.isSameVersion(try job().checkpoint, size: size, validators) == expected)
  }

  @Test("jobs that a browser's link could continue: by address, name or size; certain only if the old link was refused")
  func candidates() throws {
    func found(_ link: String, name: String? = nil, size: Int64? = nil, _ change: (inout Job) -> Void) throws -> Bool? {
      var job = try job()
      job.failure = Failure(.status, "http://old/", "403", httpStatus: 403)
      change(&job)
      return NewLinkRule.candidates(for: try url(link), name: name, size: size, among: [job]).first?.isCertain
    }
    let rows: [(String, String?, Int64?, (inout Job) -> Void, Bool?)] = [
      ("http://old/d/big.iso?sig=2", nil, nil, { _ in }, true),
      ("http://old/d/big.iso?sig=2", nil, 1000, { _ in }, true),
      ("http://old/d/big.iso?sig=2", nil, 999, { _ in }, nil), ("http://new/big.iso", nil, 1000, { _ in }, true),
      ("http://new/big.iso", nil, nil, { _ in }, false), ("http://new/x", "big.iso", 1000, { _ in }, true),
      ("http://new/x", nil, 1000, { _ in }, false), ("http://new/x", nil, nil, { _ in }, nil),
      ("http://new/big.iso", nil, 1000, { $0.failure = nil }, false),
      ("http://new/big.iso", nil, 1000, { $0.failure?.httpStatus = 500 }, false),
      ("http://new/big.iso", nil, 1000, { $0.state = .failed }, true),
      ("http://new/big.iso", nil, 1000, { $0.state = .paused }, true),
      ("http://new/big.iso", nil, 1000, { $0.state = .active }, nil),
      ("http://new/big.iso", nil, 1000, { $0.state = .complete }, nil),
      ("http://new/big.iso", nil, 1000, { $0.specification.request.method = "POST" }, nil),
    ]
    for (link, name, size, change, expected) in rows {
      #expect(try found(link, name: name, size: size, change) == expected, "\(link) \(name ?? "") \(size ?? -1)")
    }
  }

  @Test("if several jobs are as likely, none is certain")
  func severalCandidates() throws {
    var jobs = [try job(), try job()]
    for index in jobs.indices {
      jobs[index].id = JobID(index + 1)
      jobs[index].failure = Failure(.status, "http://old/", "403", httpStatus: 403)
    }
    let link = try url("http://old/d/big.iso?sig=3")
    let found = NewLinkRule.candidates(for: link, name: nil, size: nil, among: jobs)
    #expect(found.map(\.job.id) == [2, 1] && !found.contains { $0.isCertain })
  }
}
