// `dray queue set`: the values of its options, and the settings that they change.

import ArgumentParser
import DrayCore
import Testing

@testable import DrayCommands

@Suite("The settings of a queue")
struct QueueSetTests {
  private func settings(_ words: [String], from before: QueueSettings = QueueSettings()) throws -> QueueSettings {
    var settings = before
    let command = try QueueSet.parse(["films"] + words)
    let change = try command.change(.fixed())
    change(&settings)
    return settings
  }

  @Test("options change what they name, and off takes it back")
  func values() throws {
    var wanted = QueueSettings()
    wanted.jobs = 2
    wanted.rate = "08:00,512k 19:00,off"
    wanted.between = "01:00-07:00"
    wanted.quota = QueueQuota(bytes: 10 << 30, period: .day)
    wanted.directory = "/base/dir"
    let made = try settings([
      "--jobs", "2", "--rate", "08:00,512k 19:00,off", "--between", "1:00-7:00", "--quota", "10G/day", "--directory",
      "dir",
    ])
    #expect(made == wanted)
    wanted.isPaused = true
    let same = try settings([], from: wanted)
    #expect(same == wanted)
    let words = ["--jobs", "off", "--rate", "off", "--between", "off", "--quota", "off", "--directory", "off"]
    var none = try settings(words, from: wanted)
    none.isPaused = false
    #expect(none == QueueSettings())
    #expect(
      QueueText.settings(wanted).hasPrefix(
        "2 at once, rate 08:00,512k 19:00,off, between 01:00-07:00, quota 10.0 GiB/day, in /base/dir"))
    #expect(QueueText.settings(QueueSettings()) == "no limits")
  }

  @Test(
    "invalid values are refused, with the option",
    arguments: [
      ("--jobs", "0"), ("--jobs", "x"), ("--rate", "0"), ("--rate", "fast"), ("--between", "night"), ("--quota", "10G"),
      ("--quota", "0/day"), ("--directory", ""), ("--directory", "file"),
    ])
  func refused(option: String, value: String) {
    let failure = #expect(throws: Failure.self) { try settings([option, value]) }
    #expect(failure?.subject == option)
  }
}
