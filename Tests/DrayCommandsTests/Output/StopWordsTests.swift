// The last lines of a run that a signal ended.

import DrayKit
import Foundation
import Testing

@testable import DrayCommands
@testable import TerminalUI

@Suite("After a signal")
struct StopWordsTests {
  private static let mebibyte: Int64 = 1 << 20

  private static func job(
    _ id: JobID, _ received: Int64, of size: Int64?, _ startOver: StartOver? = nil
  ) -> StoppedJob {
    StoppedJob(id: id, name: "file-\(id)", received: received, size: size, startOver: startOver)
  }

  @Test(
    "one job: how much of how much is kept, and what goes on",
    arguments: [
      (31 << 20, 200 << 20, nil, "stopped: 31.0 of 200 MiB kept; run it again to continue"),
      (5 << 10, nil, nil, "stopped: 5.0 KiB kept; run it again to continue"),
      (0, 200 << 20, nil, "stopped; run it again"), (nil, nil, nil, "stopped; run it again"),
      (
        2 << 20, 4 << 20, .unidentified,
        "stopped: 2.0 of 4.0 MiB cannot be continued (no strong ETag or Last-Modified; --resume always continues); "
          + "run it again to start over"
      ),
      (
        2 << 20, nil, .asked,
        "stopped: 2.0 MiB cannot be continued (the job is never resumed); run it again to start over"
      ),
    ] as [(Int64?, Int64?, StartOver?, String)])
  func one(received: Int64?, size: Int64?, startOver: StartOver?, expected: String) {
    let jobs = received.map { [Self.job(1, $0, of: size, startOver)] } ?? []
    #expect(StopWords.line(jobs, .repetition) == expected)
  }

  @Test("a run of the queue goes on by `dray run`")
  func run() {
    #expect(StopWords.line([], .run) == "stopped; `dray run` goes on")
    #expect(StopWords.line([], .run, .maxTransfer) == "--max-transfer is reached; `dray run` goes on")
    let one = Self.job(1, 31 * Self.mebibyte, of: 200 * Self.mebibyte)
    #expect(StopWords.line([one], .run) == "stopped: 31.0 of 200 MiB kept; `dray run` continues")
    #expect(
      StopWords.line([one], .run, unstarted: 7)
        == "stopped: 31.0 of 200 MiB kept, 7 jobs not started; `dray run` continues")
    #expect(StopWords.line([], .repetition, unstarted: 1) == "stopped: 1 job not started; run it again")
    let lost = Self.job(2, 5, of: nil, .asked)
    #expect(
      StopWords.line([lost, lost], .run) == "stopped: 10 B cannot be continued; `dray run` starts over")
    // Only what continues is counted.
    #expect(StopWords.line([one, lost], .run) == "stopped: 31.0 of 200 MiB kept; `dray run` continues")
    #expect(StopWords.line([one, one], .run) == "stopped: 62.0 of 400 MiB kept; `dray run` continues")
  }

  @Test(
    "of an upload only whole parts are kept: said if more was shown",
    arguments: [
      (
        [(31, .of(8 << 20))],
        "stopped: 31.0 of 200 MiB kept in the bucket: only whole parts of 8 MiB can be; run it again to continue"
      ),
      (
        [(31, .growing)],
        "stopped: 31.0 of 200 MiB kept in the bucket: only whole parts can be; run it again to continue"
      ),
      (
        [(31, nil), (31, .of(8 << 20))],
        "stopped: 62.0 of 400 MiB kept, of uploads only whole parts; run it again to continue"
      ),
      (
        [(0, .of(8 << 20))],
        "stopped: nothing is kept in the bucket, only whole parts of 8 MiB can be; run it again"
      ),
      ([(0, .of(8 << 20)), (0, nil)], "stopped; run it again"),
    ] as [([(Int64, StoppedJob.Parts?)], String)])
  func uploads(jobs: [(Int64, StoppedJob.Parts?)], expected: String) {
    let jobs = jobs.map { received, parts in
      StoppedJob(id: 1, name: "f", received: received * Self.mebibyte, size: 200 * Self.mebibyte, upload: parts)
    }
    #expect(StopWords.line(jobs, .repetition) == expected)
  }

  private func table(_ jobs: [StoppedJob], width: Int?) -> [String] {
    var text = ""
    StopWords.writeTable(jobs, width: width, profile: TerminalProfile()) { text += $0 }
    return text.split(separator: "\n").map(String.init)
  }

  @Test("several jobs: a row for each")
  func several() {
    let jobs = [
      Self.job(3, 31 * Self.mebibyte, of: 200 * Self.mebibyte), Self.job(12, 2 * Self.mebibyte, of: nil),
      Self.job(13, 0, of: nil), Self.job(14, Self.mebibyte, of: 2 * Self.mebibyte, .unidentified),
    ]
    #expect(
      table(jobs, width: nil) == [
        "ID          KEPT         DONE  NAME", " 3  31.0/200 MiB         15 %  file-3",
        "12       2.0 MiB               file-12", "13           0 B               file-13",
        "14   1.0/2.0 MiB  starts over  file-14",
      ])
    for width in [1, 10, 20, 40] {
      let lines = table(jobs, width: width)
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= width })
    }
  }

  @Test("many jobs: the first rows, and how many more there are")
  func many() {
    let lines = table((1...30).map { Self.job($0, 1, of: 2) }, width: nil)
    #expect(lines.count == 22 && lines.last == "and 10 more: `dray list` shows them")
  }
}
