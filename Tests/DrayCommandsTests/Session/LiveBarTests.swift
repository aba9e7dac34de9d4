// The bar of a job is the same in a run, in `dray watch` and in its full screen.

import DrayKit
import DrayStore
import Foundation
import Testing

@testable import DrayCommands
@testable import TerminalUI

@Suite("The bar of a job")
struct LiveBarTests {
  /// A moment of a job: its phase, bytes and size, bytes sent, and the rate of its board.
  typealias Moment = (phase: ProgressEntry.Phase, bytes: Int64, size: Int64?, rate: Double)

  static let course: [Moment] = [
    (.connecting, 0, nil, 0), (.sending, 10, 100, 5), (.sending, 90, 100, 50), (.receiving, 0, nil, 7),
    (.receiving, 500, 1000, 300), (.receiving, 900, 1000, 350), (.verifying, 1000, 1000, 0),
    (.publishing, 1000, 1000, 0),
  ]

  @Test("a run, dray watch and its full screen show the same bar at each moment")
  func sameEverywhere() throws {
    let url = try RequestURL.parse("http://host.example:8080/d/f.iso?token=s3cret").url
    let specification = JobSpecification(request: TransferRequest(url: url), directory: "/d", output: "f.iso")
    var job = Job(id: 7, uuid: UUID(), specification: specification, addedAt: 1)
    job.state = .active
    var (run, bars, screen) = (SessionModel(), RunnerBars(), WatchJobs())
    _ = run.apply(JobEvent(id: 7, time: 0, kind: .started(attempt: 1)), now: 0)
    _ = screen.take(WatchNews(records: [JobSummary(job, rank: 1, waitsFor: [])]), now: 0)
    for (index, moment) in Self.course.enumerated() {
      let now = Double(index)
      let entry = ProgressEntry(
        job: 7, received: moment.bytes, size: moment.size, rate: moment.rate, phase: moment.phase)
      let isSending = moment.phase == .sending
      var active = ActiveJob(
        id: 7, name: "f.iso", phase: try #require(JobPhase(rawValue: moment.phase.rawValue)),
        received: isSending ? 0 : moment.bytes, size: isSending ? nil : moment.size,
        sent: isSending ? moment.bytes : 100, toSend: 100)
      (active.rate, active.host) = (moment.rate, url.origin.host)
      run.update(RunnerSnapshot(active: [active]), now: now)
      _ = bars.take([7: entry], now: now, new: bars.new(in: [7: entry]).isEmpty ? [] : [job])
      _ = screen.take(WatchNews(progress: [7: entry]), now: now)
      var ran = try #require(run.items.first)
      // Only a run knows the start of the job.
      #expect(ran.elapsed == now)
      ran.elapsed = nil
      #expect(ran == bars.items.first, "\(moment)")
      #expect(ran == screen.item(7, now: now), "\(moment)")
    }
  }

  @Test("the runner's rate is shown; without one, that of the counts, apart for sending and receiving")
  func rates() throws {
    var (bar, own) = (LiveBar(7, name: "f"), LiveBar(7, name: "f"))
    func look(_ phase: ProgressEntry.Phase, _ bytes: Int64, _ now: Double) -> [Double?] {
      let given = JobLook(ProgressEntry(job: 7, received: bytes, size: 4000, rate: 9, phase: phase))
      bar.take(given, now: now)
      var missing = given
      missing.rate = nil
      own.take(missing, now: now)
      return [bar.item.rate, own.item.rate]
    }
    let rates = [
      look(.connecting, 0, 0), look(.sending, 0, 1), look(.sending, 1000, 2), look(.receiving, 0, 3),
      look(.receiving, 2000, 4), look(.verifying, 4000, 5),
    ]
    #expect(rates.map { $0[0] } == [nil, 9, 9, 9, 9, nil])
    let counted = rates.map { $0[1] }
    #expect(counted == [nil, nil, 1000, nil, 2000, nil])
  }
}
