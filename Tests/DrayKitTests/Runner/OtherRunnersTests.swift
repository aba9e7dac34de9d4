// Whether a run waits for the other runners of a fleet: a table of what they show at each look.

import DrayStore
import Foundation
import Testing

@testable import DrayKit

@Suite("other runners of a fleet")
struct OtherRunnersTests {
  /// What a runner shows at one look: the end of its lease and the number of bytes received (`nil` without a board), or
  /// `gone` once its lease is over.
  enum Look {
    case shows(Double, Int64?)
    case gone

    var sign: OtherRunners.Sign {
      guard case .shows(let end, let received) = self else { return OtherRunners.Sign() }
      let board = received.map { received in
        RunnerBoard(entries: [ProgressEntry(job: 1, received: received, size: 9, rate: 1, phase: .receiving)])
      }
      return OtherRunners.Sign(leaseEnd: end, board: board)
    }
  }

  static let rows: [(name: String, looks: [Look], ends: [Bool])] = [
    ("one look proves nothing", [.shows(30, 5)], [false]),
    ("bytes came", [.shows(30, 5), .shows(30, 6)], [false, true]),
    ("the lease was renewed", [.shows(30, 5), .shows(40, 5)], [false, true]),
    ("renewed later", [.shows(30, 5), .shows(30, 5), .shows(40, 5)], [false, false, true]),
    ("nothing until its end", [.shows(30, 5), .shows(30, 5), .shows(30, 5), .gone], [false, false, false, false]),
    ("it lived once, and that is enough", [.shows(30, 5), .shows(30, 6), .shows(30, 6)], [false, true, true]),
    ("it lived, and then its lease ended", [.shows(30, 5), .shows(30, 6), .gone], [false, true, false]),
    // The database's clock was set back, so the lease looks younger than it was.
    ("the clock was set back", [.shows(30, 5), .shows(30, 5), .shows(30, 5)], [false, false, false]),
    ("another runner shortened its lease then", [.shows(30, 5), .shows(12, 5), .shows(12, 5)], [false, false, false]),
    ("renewed by that clock, and again", [.shows(30, 5), .shows(12, 5), .shows(22, 5)], [false, false, true]),
    ("a crash of the database emptied its board", [.shows(30, 5), .shows(30, nil)], [false, false]),
    ("it filled its board again", [.shows(30, 5), .shows(30, nil), .shows(30, 5)], [false, false, true]),
    ("it never showed a board", [.shows(30, nil), .shows(30, nil)], [false, false]),
  ]

  @Test("a run ends once each of the others has shown that it lives", arguments: rows)
  func looks(_ row: (name: String, looks: [Look], ends: [Bool])) {
    let runner = UUID()
    var others = OtherRunners()
    let ends = row.looks.map { others.look([runner: $0.sign], now: 5).isEmpty }
    #expect(ends == row.ends, "\(row.name)")
  }

  @Test("jobs of a dead runner that nobody can free keep no run for ever")
  func patience() {
    var others = OtherRunners()
    let ends = [0, 60, 89, 91].map { others.look([UUID(): OtherRunners.Sign()], now: 100 + $0).isEmpty }
    #expect(ends == [false, false, false, true])
  }

  @Test("each counts by itself, and one that holds nothing any more is not waited for")
  func several() {
    let (one, other) = (UUID(), UUID())
    var others = OtherRunners()
    let looks: [[UUID: OtherRunners.Sign]] = [
      [:], [one: Look.shows(30, 5).sign, other: Look.shows(30, 5).sign],
      [one: Look.shows(30, 6).sign, other: Look.shows(30, 5).sign], [one: Look.shows(30, 6).sign],
    ]
    #expect(looks.map { others.look($0, now: 5) } == [[], [one, other], [other], []])
  }
}
