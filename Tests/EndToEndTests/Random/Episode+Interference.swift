// What was added to the episodes later, drawn from dice of its own so that the others stay as they were: answers that
// something in between cuts and fills up, mirrors that refuse, a first server that says to come back later.
//
// DRAY_RANDOM_PADDED=1 has half of all answers cut and filled up.

import FaultServer
import Foundation

extension Episode {
  private static let isPadded = ProcessInfo.processInfo.environment["DRAY_RANDOM_PADDED"] != nil

  mutating func drawMore() {
    guard client != .leftover else { return }
    var dice = Dice(seed: seed ^ 0x9AD_0B57)
    for index in files.indices {
      let pads = dice.happens(0.2) ? [0.1, 0.3, 0.6][Int(dice.place(in: 3))] : 0
      files[index].pads = Self.isPadded ? 0.5 : pads
      guard client == .mirrored, dice.happens(0.4) else { continue }
      for host in files[index].places.indices.dropFirst() where dice.happens(0.7) {
        files[index].places[host].refusesFrom = 4 + Int(dice.place(in: 3))
      }
      let first = 1 + Int(dice.place(in: 3))
      files[index].places[0].hold = first..<first + Int(dice.place(in: 8))
    }
  }
}

extension PlacePlan {
  /// The refusal of the request of this number, if it is refused. Samples are still served: they prove nothing of what is
  /// refused.
  func refusal(of number: Int, _ question: Question, _ dice: inout Dice) -> Answer? {
    if hold.contains(number) {
      return .status(503, headers: dice.happens(0.5) ? ["Retry-After: \(dice.place(in: 2))"] : [])
    }
    guard let refusesFrom, number >= refusesFrom, question.carried.count > 64 << 10 else { return nil }
    return .status(dice.happens(0.5) ? 403 : 404)
  }
}

extension Question {
  /// Whether a cut of its answer shows.
  var showsCuts: Bool { (status == 200 || status == 206) && !honest.framing.isClose && carried.count > 2 }

  /// The answer, cut, with garbage in the place of some of what is missing. An answer that is filled up to the end that it
  /// announced would show nowhere.
  func padded(_ dice: inout Dice) -> Answer {
    let count = Int64(carried.count)
    let cut = dice.place(in: count - 1)
    let most = Int64(1) << (1 + dice.place(in: 23))
    return honest.with { answer in
      answer.bodyCut = cut
      answer.padding = Int(min(count - cut - 1, 1 + dice.place(in: most)))
      answer.ending = dice.happens(0.7) ? .close : .reset
    }
  }
}
