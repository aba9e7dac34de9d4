// Which jobs a list on a terminal shows, and the columns it has.

import DrayKit
import DrayStore
import Foundation
import Testing

@testable import DrayCommands
@testable import TerminalUI

@Suite("Lists on a terminal")
struct ListCutTests {
  private static let now: Double = 1_000_000

  private static func job(
    _ id: JobID, _ state: JobState, endedAgo: Double? = nil, isOneOff: Bool = false, failure: Failure? = nil
  ) throws -> JobSummary {
    let url = try RequestURL.parse("http://h/a-file-\(id).bin?token=s3cret").url
    var specification = JobSpecification(request: TransferRequest(url: url), directory: "/d")
    specification.options.isOneOff = isOneOff
    var job = Job(id: id, uuid: UUID(), specification: specification, addedAt: 0)
    (job.state, job.failure) = (state, failure)
    job.finishedAt = endedAgo.map { now - $0 }
    return JobSummary(job, rank: Double(id), waitsFor: [])
  }

  private static func cut(_ jobs: [JobSummary], keeping history: Double? = nil) -> (ids: [JobID], footer: String?) {
    var cut = ListCut(keepingHistory: history, now: now)
    for job in jobs { cut.take(job) }
    return (cut.jobs.map(\.id).sorted(), cut.footer)
  }

  @Test("unfinished jobs, and the newest of the rest by their end")
  func newest() throws {
    let unfinished = try [JobState.queued, .active, .interrupted, .paused].enumerated().map { index, state in
      try Self.job(JobID(index + 1), state)
    }
    // A higher number means an earlier end.
    let rest = try (100..<130).map { id in
      try Self.job(JobID(id), id % 10 == 5 ? .failed : .complete, endedAgo: Double(id))
    }
    let (ids, footer) = Self.cut(unfinished + rest)
    #expect(ids == [1, 2, 3, 4] + Array(100..<120))
    #expect(footer == "and 9 complete, 1 failed; `dray list --all` shows them")
    #expect(Self.cut(unfinished + rest.reversed()).ids == ids)
    #expect(Self.cut(unfinished + rest.prefix(20)).footer == nil)
    #expect(Self.cut([]).ids.isEmpty)
  }

  @Test("old jobs that a get completed are omitted and counted; all others stay")
  func history() throws {
    let jobs = try [
      Self.job(1, .complete, endedAgo: 500, isOneOff: true), Self.job(2, .complete, endedAgo: 50, isOneOff: true),
      Self.job(3, .complete, endedAgo: 500), Self.job(4, .failed, endedAgo: 500, isOneOff: true),
      Self.job(5, .interrupted, endedAgo: 500, isOneOff: true),
    ]
    let (ids, footer) = Self.cut(jobs, keeping: 100)
    #expect(ids == [2, 3, 4, 5])
    #expect(footer == "and 1 complete; `dray list --all` shows them")
    #expect(Self.cut(jobs).ids == [1, 2, 3, 4, 5])
    #expect(Self.cut(jobs, keeping: 0).ids == [3, 4, 5])
  }

  private static let failure = Failure(
    .status, "http://h/f", "the server does not have the file (404 Not Found)\u{1B}[31m", httpStatus: 404)

  private static func table(width: Int?) throws -> [String] {
    let jobs = try [
      Self.job(1, .complete, endedAgo: 5), Self.job(2, .failed, endedAgo: 5, failure: failure),
      Self.job(3, .active, failure: failure),
    ]
    var text = ""
    let profile = TerminalProfile(isInteractive: width != nil, unicode: true)
    JobTable.write(jobs.map { JobTableRow($0, live: nil, now: now) }, width: width, profile: profile) { text += $0 }
    return text.split(separator: "\n").map(String.init)
  }

  @Test("the table fits its window; an error takes the remaining room", arguments: [40, 63, 64, 80, 100, 200])
  func width(width: Int) throws {
    let lines = try Self.table(width: width)
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
    #expect(lines[0].contains("ERROR") == (width >= 64))
    #expect(lines[0].contains("SIZE") == (width >= 64))
    #expect(lines[0].contains("URL") == (width >= 100))
    #expect(lines[2].contains("failed") && !lines[2].contains("\u{1B}[31m") && !lines.joined().contains("s3cret"))
    #expect(lines[2].contains("the server") == (width >= 64))
    // A window without room for a column has the reason below the table.
    let below = lines.dropFirst(4).joined(separator: " ")
    #expect(below.hasPrefix("[2] the server does not have the file") == (width < 64) && below.isEmpty == (width >= 64))
    #expect(lines[2].contains("(404 Not Found)") == (width >= 200))
    // An active job has no error.
    #expect(!lines[3].contains("the server"))
  }

  @Test("the runner whose attempt failed has a column, even if it is the only one", arguments: [80, 120])
  func runner(width: Int) throws {
    let failures = [Self.failure.of(runner: "node19"), Self.failure]
    for (failure, isNamed) in zip(failures, [true, false]) {
      let row = JobTableRow(try Self.job(1, .failed, endedAgo: 5, failure: failure), live: nil, now: Self.now)
      var text = ""
      JobTable.write([row], width: width, profile: TerminalProfile(isInteractive: true, unicode: true)) { text += $0 }
      #expect(text.contains("RUNNER") == isNamed && text.contains("node19") == isNamed, "\(text)")
    }
  }

  @Test(
    "H16 the row of a job that waits for a hold names the server and the end; a line below the table says everything",
    arguments: [40, 60, 80, 100, 200])
  func hold(width: Int) throws {
    let origin = try RequestURL.parse("http://127.0.0.1:8080/a").url.origin
    let hold = OriginHold(
      origin, until: Self.now + 3600, since: Self.now - 1, job: 1, askedBy: "http://127.0.0.1:8080/a", status: 429)
    let refusal = Failure(.status, "http://127.0.0.1:8080/a", "the server answered 429", httpStatus: 429)
    var waiting = try Self.job(1, .queued, failure: refusal)
    waiting.holdText = String(decoding: try JSONEncoder().encode(hold), as: UTF8.self)
    var other = waiting
    (other.id, other.failureText) = (2, nil)
    let free = try Self.job(3, .queued)

    var text = ""
    let rows = [waiting, other, free].map { JobTableRow($0, live: nil, now: Self.now) }
    JobTable.write(rows, width: width, profile: TerminalProfile(isInteractive: true, unicode: true)) { text += $0 }
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= width }, "\(lines)")
    let time = TimeStamp.moment(hold.until, now: Self.now)
    if width >= 80 {
      #expect(lines[1...2].allSatisfy { $0.contains("until \(time): ") && $0.contains("127.0.0.1") }, "\(lines)")
    }
    #expect(!lines[3].contains("until"))

    // Below 100 columns the reasons of waiting and of failed jobs share a column.
    let failed = JobTableRow(try Self.job(4, .failed, endedAgo: 5, failure: Self.failure), live: nil, now: Self.now)
    text = ""
    JobTable.write(rows + [failed], width: width, profile: TerminalProfile(isInteractive: true, unicode: true)) {
      text += $0
    }
    #expect(text.contains("REASON") == (width == 80) && text.contains("the server do"), "\(text)")
    #expect(text.contains("\n[1, 2] until \(time)") == (width < 64), "\(text)")

    var below = ShownHolds(now: Self.now)
    for job in [waiting, other, free] { below.add(job) }
    #expect(below.lines == [HoldText.status(hold, now: Self.now)])
    var later = ShownHolds(now: hold.until)
    later.add(waiting)
    #expect(later.lines.isEmpty)
  }

  @Test("into a pipe the table is complete")
  func pipe() throws {
    let lines = try Self.table(width: nil)
    #expect(
      lines[0].split(separator: " ").map(String.init) == [
        "ID", "STATE", "DONE", "SIZE", "RATE", "NAME", "ERROR", "URL",
      ])
    #expect(lines[2].contains("the server does not have the file (404 Not Found)\\u{1B}[31m"))
    #expect(!lines.joined().contains("s3cret"))
  }

  @Test("a rate that dray limit overrides is named, with the command that restores it")
  func limit() {
    #expect(
      RunArguments.overridden("08:00,512k 19:00,off", by: "off")
        == "`dray limit off` overrides --max-overall-rate \"08:00,512k 19:00,off\"; `dray limit auto` returns to it")
  }

  @Test(
    "the short form of a digest's source",
    arguments: [
      ("given", nil), ("Repr-Digest", "Repr-Digest"), ("Metalink", "Metalink"),
      ("https://h/d/SHA256SUMS?token=s3cret", "SHA256SUMS"),
    ] as [(String, String?)])
  func sources(source: String, shown: String?) throws {
    let digest = try DigestValue.parse("md5=d41d8cd98f00b204e9800998ecf8427e")
    #expect(Proof(SourcedDigest(digest, DigestSource(rawValue: source))) == Proof("md5", source: shown))
    #expect(Proof(SourcedDigest(digest, .computed)) == nil)
  }
}
