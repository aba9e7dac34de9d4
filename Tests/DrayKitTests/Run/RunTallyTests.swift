// The tally of a run: each job's last outcome, and no late end of a former attempt.

import DrayCore
import Foundation
import Testing

@testable import DrayKit

@Suite struct RunTallyTests {
  private typealias End = (id: JobID, attempt: Int, outcome: RunTally.Outcome, status: DrayCore.ExitStatus?)
  private struct Row {
    var ends: [End]
    /// Complete, failed, interrupted (with paused and removed).
    var counts: (Int, Int, Int)
    var statuses: Set<DrayCore.ExitStatus>
    /// Whether the last end counts.
    var counted = true
  }

  private static let rows: [Row] = [
    Row(ends: [(1, 1, .complete, nil)], counts: (1, 0, 0), statuses: []),
    Row(
      ends: [(1, 1, .failed, .status), (2, 1, .failed, .network)], counts: (0, 2, 0), statuses: [.status, .network]),
    // Retried during the run, with success.
    Row(ends: [(1, 1, .failed, .status), (1, 2, .complete, nil)], counts: (1, 0, 0), statuses: []),
    Row(
      ends: [(1, 1, .failed, .status), (2, 1, .failed, .status), (1, 2, .complete, nil)], counts: (1, 1, 0),
      statuses: [.status]),
    // Fetched again and failed: the last outcome counts.
    Row(ends: [(1, 1, .complete, nil), (1, 2, .failed, .integrity)], counts: (0, 1, 0), statuses: [.integrity]),
    // The end of an attempt that had lost the job comes late.
    Row(ends: [(1, 2, .complete, nil), (1, 1, .interrupted, .store)], counts: (1, 0, 0), statuses: [], counted: false),
    Row(
      ends: [(1, 2, .failed, .status), (1, 1, .complete, nil)], counts: (0, 1, 0), statuses: [.status], counted: false),
    Row(ends: [(1, 1, .interrupted, nil), (1, 1, .complete, nil)], counts: (1, 0, 0), statuses: []),
    Row(ends: [(1, 1, .paused, .other), (2, 1, .removed, nil)], counts: (0, 0, 2), statuses: [.other]),
    Row(ends: [(1, 1, .skipped, nil)], counts: (0, 0, 0), statuses: []),
  ]

  @Test(arguments: RunTallyTests.rows.indices)
  func outcomes(index: Int) {
    let row = Self.rows[index]
    var tally = RunTally()
    var counted = true
    for end in row.ends { counted = tally.close(end.id, attempt: end.attempt, end.outcome, end.status) }
    let summary = tally.summary
    #expect((summary.complete, summary.failed, summary.interrupted) == row.counts)
    #expect(summary.statuses == row.statuses && counted == row.counted)
    #expect(tally.ended == Set(row.ends.map(\.id)))
  }

  @Test("statuses that belong to no end stay")
  func others() {
    var tally = RunTally()
    tally.add(.other)
    tally.addComplete()
    _ = tally.close(1, attempt: 1, .failed, .other)
    _ = tally.close(1, attempt: 2, .complete)
    #expect(tally.summary.statuses == [.other] && tally.summary.complete == 2)
  }

  @Test("received bytes are counted once, and again after a start from nothing")
  func meter() throws {
    let meter = RunMeter()
    let specification = JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("http://h/f").url), directory: "/d")
    let job = Job(id: 1, uuid: UUID(), specification: specification, addedAt: 0)
    for (received, expected) in [(100, 0), (150, 50), (150, 50), (20, 50), (60, 90)] as [(Int64, Int64)] {
      meter.note(1, "http://h", received: received, kept: 100)
      #expect(meter.metrics.total.received == expected)
    }
    meter.ended(job, .complete(path: "/d/f", size: 80, digest: nil, note: nil), size: 80)
    #expect(meter.metrics.total.received == 110 && meter.metrics.total.complete == 1)
    meter.ended(job, .retrying(Failure(.network, "h", "gone"), delay: 1))
    #expect(meter.metrics.origins["http://h"]?.retries == 1)
  }
}
