// The words for a job's wait and a hold.

import DrayKit
import DrayStore
import Foundation
import Testing

@testable import DrayCommands
@testable import TerminalUI

@Suite("Waits in words")
struct JobWaitTests {
  private static let now = 500.0
  private static let text = #"{"origin":"http://h:81","until":2000,"since":100,"job":4,"status":429}"#
  private static let reason = "until \(TimeStamp.moment(2000, now: now)): h:81 answered 429 Too Many Requests to job 4"

  private static func job(_ state: JobState, _ change: (inout JobSummary) -> Void = { _ in }) throws -> JobSummary {
    let url = try RequestURL.parse("http://h:81/f").url
    var job = Job(
      id: 7, uuid: UUID(), specification: JobSpecification(request: TransferRequest(url: url), directory: "/d"),
      addedAt: 0)
    job.state = state
    var summary = JobSummary(job, rank: 7, waitsFor: [])
    change(&summary)
    return summary
  }

  @Test("a hold precedes a retry, a start time or other jobs precede both; expired waits are not shown")
  func order() throws {
    func words(_ state: JobState, at now: Double = Self.now, _ change: (inout JobSummary) -> Void) throws -> String? {
      JobWait.text(try Self.job(state, change), now: now)
    }
    let held = try words(.queued) { ($0.holdText, $0.notBefore) = (Self.text, 900) }
    #expect(held == Self.reason)
    let over = try words(.queued, at: 2000) { ($0.holdText, $0.notBefore) = (Self.text, 1900) }
    #expect(over == nil)
    let retried = try words(.queued) { $0.notBefore = 900 }
    #expect(retried == "retry at \(TimeStamp.moment(900, now: Self.now))")
    let planned = try words(.queued) { ($0.holdText, $0.startAt) = (Self.text, 900) }
    let window = try TransferWindow.parse("00:00-00:00:01")
    let opening = try #require(window.nextChange(after: Self.now, zone: .current))
    let outside = try words(.queued) { $0.windowText = "00:00-00:00:01" }
    #expect(outside == "waits until \(TimeStamp.moment(opening, now: Self.now))")
    let inside = try words(.queued) { $0.windowText = "Mon-Sun" }
    #expect(inside == nil)
    #expect(planned == "starts \(TimeStamp.moment(900, now: Self.now))")
    let after = try words(.queued) { ($0.holdText, $0.waitsFor) = (Self.text, [3, 4]) }
    #expect(after == "waits for 3, 4")
    let paused = try words(.paused) { $0.holdText = Self.text }
    #expect(paused == nil)
  }

  @Test("a job of a closed queue says why it waits, unless something else holds it up longer")
  func closedQueue() throws {
    var closed = DownloadManager.QueueReport(name: "films", gate: .paused)
    var queues = QueueText.waits([closed, DownloadManager.QueueReport(name: "books")], now: Self.now)
    let waiting = try Self.job(.queued) { $0.queue = "films" }
    #expect(JobWait.text(waiting, now: Self.now, queues: queues) == "queue films is paused")
    let other = try Self.job(.queued) { $0.queue = "books" }
    #expect(JobWait.text(other, now: Self.now, queues: queues) == nil)
    let active = try Self.job(.active) { $0.queue = "films" }
    #expect(JobWait.text(active, now: Self.now, queues: queues) == nil)
    let planned = try Self.job(.queued) { ($0.queue, $0.startAt) = ("films", 900) }
    #expect(JobWait.text(planned, now: Self.now, queues: queues)?.hasPrefix("starts") == true)
    closed.gate = .spent(until: 900)
    queues = QueueText.waits([closed], now: Self.now)
    let until = TimeStamp.moment(900, now: Self.now)
    #expect(JobWait.text(waiting, now: Self.now, queues: queues) == "queue films: quota used up until \(until)")
    closed.gate = .closed(until: 900)
    queues = QueueText.waits([closed], now: Self.now)
    #expect(JobWait.text(waiting, now: Self.now, queues: queues) == "queue films is closed until \(until)")
  }

  @Test("a job whose server refused more says so while there are as many as it accepts", arguments: [1, 3])
  func refused(limit: Int) throws {
    let origin = "http://h:81"
    func text(active: Int) throws -> String? {
      let context = WaitContext(
        now: Self.now, origins: (limit: .max, active: [origin: active]), refused: [origin: limit])
      return JobWait.text(try Self.job(.queued), now: Self.now, queues: context)
    }
    let number = limit == 1 ? "one" : "3"
    #expect(try text(active: limit) == "waits for http://h:81: \(number) at a time, as it refused more")
    #expect(try text(active: limit - 1) == nil)
  }

  @Test(
    "a stopped job says when it may continue; a finished one nothing, although it ignored a hold that is still in force"
  )
  func others() throws {
    let stopped = try Self.job(.interrupted) { $0.notBefore = 900 }
    #expect(JobWait.text(stopped, now: Self.now) == "not before \(TimeStamp.moment(900, now: Self.now))")
    let done = try Self.job(.complete) { $0.passText = Self.text }
    #expect(JobWait.text(done, now: Self.now) == nil)
    #expect(JobWait.text(try Self.job(.complete), now: Self.now) == nil)
  }

  @Test("the lines of a run")
  func lines() throws {
    let hold = try #require(try Self.job(.queued) { $0.holdText = Self.text }.hold)
    let one = HoldText.line(HeldJobs(hold: hold, count: 1, first: 7), now: Self.now)
    #expect(one == "[7] waits \(Self.reason); `dray resume 7` asks now")
    let many = HoldText.line(HeldJobs(hold: hold, count: 3, first: 7), now: Self.now)
    #expect(many == "3 jobs wait \(Self.reason); `dray limit --no-hold h:81` asks now")
    let asking = HoldText.asking(HeldJobs(hold: hold, count: 1, first: 7), now: Self.now)
    #expect(asking.hasPrefix("h:81 answered 429 Too Many Requests to job 4, on hold until "))
    #expect(asking.hasSuffix("; asking once now for [7]"))
  }
}
