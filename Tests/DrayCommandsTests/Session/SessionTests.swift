// The display of a run: events and snapshots in; bars, notices and JSON out.

import ArgumentParser
import DrayKit
import DrayWire
import Foundation
import Testing

@testable import DrayCommands
@testable import TerminalUI

@Suite("Session")
struct SessionTests {
  static let failure = Failure(
    .status, "http://h/f", "the server answered 503", advice: "try later", httpStatus: 503)

  /// A refusal with this `Retry-After`.
  private static func refusal(_ seconds: Int64) -> Failure {
    var failure = failure
    failure.retryAfter = seconds
    return failure
  }

  private func url(_ text: String) throws -> RequestURL { try RequestURL.parse(text).url }

  private func response(_ size: Int64?, from: Int64 = 0) throws -> JobEvent.Kind {
    let head = ResponseHead(status: 200, fields: [HeaderField("ETag", "\"v1\"")])
    return .response(
      ResponseRecord(finalURL: try url("http://h/f?token=s3cret"), redirects: [], head: head, time: 0), from: from,
      size: size)
  }

  private func event(_ kind: JobEvent.Kind) -> JobEvent { JobEvent(id: 7, time: 1.5, kind: kind) }

  @Test("a job's course: connecting, active, retrying, active, complete")
  func course() throws {
    var model = SessionModel()
    func state() -> BarState? { model.items.first?.state }
    #expect(model.apply(event(.started(attempt: 1)), now: 0) == nil && state() == .connecting)
    _ = model.apply(event(try response(1000, from: 200)), now: 1)
    #expect(state() == .active && model.items.first?.received == 200 && model.items.first?.size == 1000)
    _ = model.apply(event(.retrying(Self.failure, delay: 2)), now: 2)
    #expect(state() == .retrying && model.items.first?.note?.contains("503") == true)
    _ = model.apply(event(.started(attempt: 2)), now: 4)
    #expect(state() == .connecting && model.items.first?.note == nil)
    let end = model.apply(event(.complete(path: "/d/a b\u{1B}", size: 1000, digest: nil, note: nil)), now: 10)
    #expect(end?.seconds == 10 && end?.transferred == 800 && end?.item.state == .complete)
    #expect(end?.item.name == "a b\\u{1B}" && end?.item.link == "file:///d/a%20b%1B")
    #expect(model.items.isEmpty)
  }

  @Test("a file whose name is a digest has its title from the start to the last line")
  func title() throws {
    var model = SessionModel()
    _ = model.apply(event(.started(attempt: 1, title: "d/config.json\u{1B}")), now: 0)
    #expect(model.items.first?.name == "d/config.json\\u{1B}")
    let end = model.apply(event(.complete(path: "/blobs/0f0f", size: 1, digest: nil, note: nil)), now: 1)
    #expect(end?.item.name == "d/config.json\\u{1B}" && end?.item.link == "file:///blobs/0f0f")
  }

  @Test("sent bytes are shown before received bytes, with separate counts")
  func sending() throws {
    var model = SessionModel()
    _ = model.apply(event(.started(attempt: 1)), now: 0)
    func look(_ phase: JobPhase, received: Int64, size: Int64?, sent: Int64, now: Double) {
      let job = ActiveJob(id: 7, name: "f", phase: phase, received: received, size: size, sent: sent, toSend: 5000)
      model.update(RunnerSnapshot(active: [job]), now: now)
    }
    look(.sending, received: 0, size: nil, sent: 4000, now: 1)
    let sending = try #require(model.items.first)
    #expect(sending.state == .sending && sending.received == 4000 && sending.size == 5000)
    #expect(model.totals().received == 0)
    #expect(EventJSON.movement(sending, time: 1).text.contains("\"event\":\"upload\""))
    look(.receiving, received: 3, size: nil, sent: 5000, now: 2)
    let receiving = try #require(model.items.first)
    #expect(receiving.state == .active && receiving.received == 3 && receiving.size == nil)
    let end = model.apply(event(.completeWithoutFile(note: "204")), now: 3)
    #expect(end?.item.state == .complete && end?.item.received == 0)
    #expect(model.items.isEmpty)
  }

  @Test("a restart begins the counts again")
  func restart() throws {
    var model = SessionModel()
    _ = model.apply(event(.started(attempt: 1)), now: 0)
    _ = model.apply(event(try response(1000, from: 900)), now: 0)
    let found = Seeding.Outcome(reused: 900, size: 1000)
    _ = model.apply(event(.seeded(Seeding(files: ["/old"], outcome: found))), now: 0)
    #expect(model.items.first?.reused != nil)
    _ = model.apply(event(.restarted(.rangesNotServed)), now: 0)
    #expect(model.items.first?.received == 0 && model.start(of: 7) == 0 && model.items.first?.reused == nil)
  }

  @Test("the wait for a retry is counted down, with its reason")
  func countdown() throws {
    var model = SessionModel()
    _ = model.apply(event(.started(attempt: 1)), now: 0)
    _ = model.apply(event(.retrying(Self.failure, delay: 8)), now: 0)
    #expect(model.items.first?.name == "f")
    for (now, note) in [(0.0, "in 8 s: 503"), (2.1, "in 6 s: 503"), (7.9, "now: 503"), (9, "now: 503")] {
      model.update(RunnerSnapshot(queued: 1), now: now)
      #expect(model.items.first?.note == note)
    }
    _ = model.apply(event(.started(attempt: 2)), now: 9)
    model.update(RunnerSnapshot(), now: 9)
    #expect(model.items.first?.note == nil)
  }

  @Test("a job that a snapshot counts as complete is not counted twice until its event comes")
  func ending() throws {
    var model = SessionModel()
    _ = model.apply(event(.started(attempt: 1)), now: 0)
    _ = model.apply(event(try response(1000, from: 0)), now: 0)
    let job = ActiveJob(id: 7, name: "f", phase: .receiving, received: 800, size: 1000)
    model.update(RunnerSnapshot(active: [job]), now: 1)
    #expect(model.totals().count == 1 && model.totals().percent == 80)
    var summary = RunSummary()
    summary.complete = 1
    model.update(RunnerSnapshot(summary: summary, completeBytes: 1000), now: 2)
    #expect(model.totals().count == 1 && model.totals().knownSize == 1000 && model.totals().percent == 100)
    #expect(model.items.count == 1)
    _ = model.apply(event(.complete(path: "/d/f", size: 1000, digest: nil, note: nil)), now: 2)
    #expect(model.totals().count == 1 && model.totals().percent == 100)
  }

  @Test("a transfer of another process has a bar until it ends, and is counted once")
  func elsewhere() {
    var model = SessionModel()
    func look(_ received: Int64, _ now: Double) {
      model.update(RunnerSnapshot(elsewhere: 1), now: now)
      model.updateElsewhere(
        [ActiveJob(id: 7, name: "f", phase: .receiving, received: received, size: 1000)], now: now)
    }
    look(200, 1)
    look(400, 2)
    #expect(model.items.first?.received == 400 && model.items.first?.state == .active && model.elsewhere == 1)
    #expect(model.totals().active == 1 && model.totals().count == 1)
    // The transfer ended in the other process. Its end is reported and belongs to the bar that was shown.
    model.updateElsewhere([], now: 3)
    #expect(model.items.isEmpty && model.elsewhere == 0)
    let end = model.apply(event(.complete(path: "/d/f", size: 1000, digest: nil, note: nil)), now: 5)
    #expect(end?.item.state == .complete && end?.seconds == 4 && end?.transferred == 800)
    // Or the other process released the job, and it continues here.
    look(400, 6)
    model.updateElsewhere([], now: 7)
    _ = model.apply(event(.started(attempt: 2)), now: 8)
    #expect(model.items.first?.state == .connecting && model.elsewhere == 0)
  }

  @Test("events of unknown jobs change nothing")
  func unknown() {
    var model = SessionModel()
    #expect(model.apply(event(.failed(Self.failure)), now: 0) == nil && model.items.isEmpty)
  }

  @Test("notices: the reported events, their levels and their words")
  func notices() throws {
    let table: [(JobEvent.Kind, Notice.Level?, String)] = [
      (.started(attempt: 1), nil, ""), (.interrupted(nil), nil, ""),
      (.restarted(.asked), .notice, "[7] started over: the job is never resumed"),
      (
        .damaged(bytes: 2 << 20), .notice,
        "[7] \(ByteText.size(2 << 20)) of the part file are damaged; they are fetched again"
      ),
      (
        .connectionsLimited(until: 3600), .notice,
        "[7] one connection until \(TimeStamp.moment(3600, now: 0)): several got different versions of the file"
      ),
      (.retrying(Self.failure, delay: 2), .notice, "[7] retrying in 2 s: http://h/f: the server answered 503"),
      (
        .retrying(Self.refusal(60), delay: 60), .notice,
        "[7] retrying at \(TimeStamp.moment(60, now: 0)), as the server asks: http://h/f: the server answered 503; "
          + "`dray resume 7` asks now"
      ),
      (.retrying(Self.refusal(59), delay: 59), .notice, "[7] retrying in 59 s: http://h/f: the server answered 503"),
      (
        .interrupted(Self.refusal(7200)), .failure,
        "[7] http://h/f: the server answered 503 (until \(TimeStamp.moment(7200, now: 0))); try later"
      ),
      (.failed(Self.failure), .failure, "[7] http://h/f: the server answered 503; try later"),
      (.interrupted(Self.failure), .failure, "[7] http://h/f: the server answered 503; try later"),
      (.skipped(path: "/d/f"), .notice, "[7] skipped: /d/f already exists"),
      (.complete(path: "/d/f", size: 1, digest: nil, note: nil), nil, ""),
      (.complete(path: "/d/f", size: 1, digest: nil, note: "started over: x"), nil, ""),
      (
        .complete(path: "/d/f", size: 1, digest: nil, note: "length unverified"), .notice, "[7] /d/f: length unverified"
      ),
    ]
    for (kind, level, text) in table {
      let notice = Notice(event(kind))
      #expect(notice?.level == level && (notice?.text ?? "") == text)
    }
    #expect(table.map { Notice.isInBar($0.0) }.filter(\.self).count == 2)
    #expect(!Notice.isInBar(.retrying(Self.failure, delay: 0)), "another of its URLs is asked")
    let detail = Notice(event(try response(10)))
    #expect(detail?.level == .detail && detail?.text.contains("s3cret") == false)
  }

  @Test("a pipe gets no path unless that is wanted")
  func pipe() throws {
    var style = SessionStyle(quiet: false, environment: [:])
    #expect(!style.sparingPipe(true).explainsPipe, "nothing would be printed")
    style.printsPaths = true
    #expect(style.sparingPipe(false).printsPaths && !style.sparingPipe(false).explainsPipe)
    #expect(!style.sparingPipe(true).printsPaths && style.sparingPipe(true).explainsPipe)
    style.quiet = true
    #expect(!style.sparingPipe(true).printsPaths && !style.sparingPipe(true).explainsPipe)
    let asked = SessionStyle(try DisplayArguments.parse(["--print-path"]), environment: [:])
    #expect(asked.printsPaths)
    #expect(
      !SessionStyle(try DisplayArguments.parse(["--print-path", "--progress", "json"]), environment: [:]).printsPaths)
  }

  @Test(
    "which display is chosen",
    arguments: [
      ([], true, "bars"), ([], false, "plain"), (["--progress", "bars"], false, "plain"),
      (["--progress", "plain"], true, "plain"), (["-q"], true, "none"), (["-q", "--progress", "json"], true, "json"),
      (["--progress", "none"], true, "none"),
    ] as [([String], Bool, String)])
  func style(_ arguments: [String], _ isInteractive: Bool, _ expected: String) throws {
    let options = try DisplayArguments.parse(arguments)
    let style = SessionStyle.resolve(options, TerminalProfile(isInteractive: isInteractive))
    #expect(style.rawValue == expected)
  }
}
