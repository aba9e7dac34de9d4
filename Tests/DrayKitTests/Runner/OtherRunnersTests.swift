// Whether a run waits for the other runners of a fleet: a table of what they show at each look.

import DrayStore
import Foundation
import Testing

@testable import DrayKit

@Suite("other runners of a fleet")
struct OtherRunnersTests {
  /// What a runner shows at one look: the age of its lease and the bytes that it has received; `gone` once its lease is
  /// over.
  enum Look {
    case shows(Double, Int64)
    case gone

    var sign: OtherRunners.Sign? {
      guard case .shows(let age, let received) = self else { return nil }
      let entry = ProgressEntry(job: 1, received: received, size: 9, rate: 1, phase: .receiving)
      return OtherRunners.Sign(leaseAge: age, board: RunnerBoard(entries: [entry]))
    }
  }

  static let rows: [(name: String, looks: [Look], ends: [Bool])] = [
    ("one look proves nothing", [.shows(0.1, 5)], [false]),
    ("bytes came", [.shows(3, 5), .shows(4, 6)], [false, true]),
    ("the lease was renewed", [.shows(9, 5), .shows(0.2, 5)], [false, true]),
    ("renewed late, after a young lease", [.shows(0.1, 5), .shows(9, 5), .shows(0.5, 5)], [false, false, true]),
    ("nothing until its end", [.shows(9, 5), .shows(20, 5), .shows(29, 5), .gone], [false, false, false, false]),
    ("it lived once, and that is enough", [.shows(9, 5), .shows(10, 6), .shows(11, 6)], [false, true, true]),
    ("it lived, and then its lease ended", [.shows(9, 5), .shows(10, 6), .gone], [false, true, false]),
  ]

  @Test("a run ends once each of the others has shown that it lives", arguments: rows)
  func looks(_ row: (name: String, looks: [Look], ends: [Bool])) {
    let runner = UUID()
    var others = OtherRunners()
    let ends = row.looks.map { others.look([runner: $0.sign], now: 5) }
    #expect(ends == row.ends, "\(row.name)")
  }

  @Test("jobs of a dead runner that nobody can free keep no run for ever")
  func patience() {
    var others = OtherRunners()
    let ends = [0, 60, 89, 91].map { others.look([UUID(): nil], now: 100 + $0) }
    #expect(ends == [false, false, false, true])
  }

  @Test("each counts by itself, and one that holds nothing any more is not waited for")
  func several() {
    let (one, other) = (UUID(), UUID())
    var others = OtherRunners()
    let looks: [[UUID: OtherRunners.Sign?]] = [
      [:], [one: Look.shows(1, 5).sign, other: Look.shows(1, 5).sign],
      [one: Look.shows(2, 6).sign, other: Look.shows(2, 5).sign], [one: Look.shows(3, 6).sign],
    ]
    let ends = looks.map { others.look($0, now: 5) }
    #expect(ends == [true, false, false, true])
  }
}
