// `dray runners`: rows and JSON.

import DrayKit
import DrayStore
import Foundation
import TerminalUI
import Testing

@testable import DrayCommands

@Suite("dray runners")
struct RunnersTests {
  private static let records: [RunnerRecord] = {
    var one = RunnerRecord(runner: UUID(), name: "north\u{1B}[31m:1", leaseAge: 4)
    (one.jobs, one.rate, one.version, one.since) = (2, 2048, "0.1.0", 1_764_000_000)
    return [one, RunnerRecord(runner: UUID(), leaseAge: 95, isDead: true)]
  }()

  @Test("the failures of each runner have a column, also those of one that has ended")
  func failures() throws {
    var records = Self.records
    (records[0].failed, records[1].failed) = (3, 0)
    records.append(RunnerRecord(runner: UUID(), name: "node19"))
    (records[2].hasEnded, records[2].failed) = (true, 1450)
    var text = ""
    Runners.write(records, now: 1_764_000_100, width: 80, profile: TerminalProfile(isInteractive: true, unicode: true))
    {
      text += $0
    }
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.count == 4 && lines[0].contains("FAILED") && lines[3].contains("ended"), "\(lines)")
    #expect(lines[1].contains("3") && lines[3].contains("1450") && !lines[3].contains("now"), "\(lines)")
    let list = try JSONSerialization.jsonObject(with: Data(Runners.json(records).bytes)) as? [[String: Any]]
    #expect(list?.map { $0["failed"] as? Int } == [3, 0, 1450])
    #expect(list?.last?["runner"] is NSNull && list?.last?["state"] as? String == "ended")
  }

  @Test("each runner has a row that fits the window", arguments: [nil, 50, 80, 120])
  func rows(width: Int?) {
    var text = ""
    let profile = TerminalProfile(isInteractive: width != nil, unicode: true)
    Runners.write(Self.records, now: 1_764_000_100, width: width, profile: profile) { text += $0 }
    let lines = text.split(separator: "\n").map(String.init)
    #expect(!text.contains("FAILED"), "a store of one machine does not know")
    #expect(lines.count == 3 && lines.allSatisfy { DisplayWidth.of($0) <= width ?? .max }, "\(lines)")
    #expect(lines[1].contains("alive") && lines[1].contains("2.0 KiB/s") && lines[1].contains("4 s ago"), "\(lines)")
    #expect(lines[2].contains("dead") && lines[2].contains("1:35 ago"), "\(lines)")
    #expect(!text.contains("\u{1B}[31mm") && !text.contains("north\u{1B}"))
  }

  @Test("the JSON has a null for what a runner has not shown")
  func json() throws {
    let bytes = Data(Runners.json(Self.records).bytes)
    let list = try #require(try JSONSerialization.jsonObject(with: bytes) as? [[String: Any]])
    #expect(list.map { $0["state"] as? String } == ["alive", "dead"])
    #expect(list[0]["jobs"] as? Int == 2 && list[0]["rate"] as? Int == 2048 && list[0]["version"] as? String == "0.1.0")
    #expect(list[1]["name"] is NSNull && list[1]["since"] is NSNull && list[1]["leaseAge"] as? Double == 95)
  }
}
