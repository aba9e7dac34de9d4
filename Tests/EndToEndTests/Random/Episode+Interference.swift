// Later additions to the episodes, with separate dice so that earlier draws stay the same: answers that a proxy cuts
// and pads, mirrors that refuse, a first server that asks for a later retry.
//
// DRAY_RANDOM_PADDED=1 cuts and pads half of all answers.

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
  /// The refusal of the request with this number; nil if it is not refused. Samples are still served: they do not prove
  /// the refused bytes.
  func refusal(of number: Int, _ question: Question, _ dice: inout Dice) -> Answer? {
    if hold.contains(number) {
      return .status(503, headers: dice.happens(0.5) ? ["Retry-After: \(dice.place(in: 2))"] : [])
    }
    guard let refusesFrom, number >= refusesFrom, question.carried.count > 64 << 10 else { return nil }
    return .status(dice.happens(0.5) ? 403 : 404)
  }
}

extension Question {
  /// Whether a cut of the answer is visible.
  var showsCuts: Bool { (status == 200 || status == 206) && !honest.framing.isClose && carried.count > 2 }

  /// The answer, cut, with garbage instead of some of the missing bytes. An answer padded to its announced end would
  /// look complete.
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
