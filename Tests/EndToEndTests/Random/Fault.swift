// Faults without a false statement in the answers of an episode's servers: cuts, delays, refusals.

import FaultServer
import Foundation

/// A fault of one answer.
enum Fault: String, Sendable, CaseIterable {
  /// The body ends early.
  case cut
  /// The connection ends within the head, or before it.
  case headCut
  /// A temporary error.
  case refused
  /// A permanent error.
  case gone
  /// Interim answers.
  case interim
  /// The head comes late.
  case late
  /// The body waits in its middle.
  case pause
  /// No more bytes come, and the connection stays open.
  case silence
  /// Bytes that belong to no answer follow it.
  case excess
  /// The connection ends after the answer.
  case close
  /// Only the first part of the requested range, as a server may answer.
  case partly
  /// The whole file as an unrequested 206.
  case uninvited

  /// Its weight among the faults.
  func weight(_ question: Question, _ plan: FilePlan) -> Int {
    let isEmpty = question.carried.isEmpty
    switch self {
    // If the end of the connection ends the file, a cut is undetectable.
    case .cut: return isEmpty || question.honest.framing.isClose ? 0 : 12
    case .headCut, .refused, .late, .pause, .close: return 3
    case .gone, .silence: return 1
    case .interim: return 2
    // Within chunks it would be a part of the body.
    case .excess: return question.honest.framing.isLength ? 3 : 0
    case .partly: return question.part.map { $0.count > 1 } ?? false ? 3 : 0
    case .uninvited:
      // The digest of a 206's content says nothing about the file, even if the 206 carries all of it.
      let isUnasked = question.status == 200 && question.request["Range"] == nil
      return isUnasked && !isEmpty && plan.digests != .content ? 1 : 0
    }
  }

  /// Applies the fault to an answer.
  func apply(to answer: inout Answer, _ question: Question, _ dice: inout Dice) {
    let count = Int64(question.carried.count)
    switch self {
    case .cut:
      answer.bodyCut = dice.place(in: count)
      answer.ending = dice.happens(0.5) ? .close : .reset
    case .headCut:
      answer.headCut = dice.happens(0.5) ? 0 : Int(dice.place(in: 120))
      answer.ending = dice.happens(0.5) ? .close : .reset
    case .refused:
      let status = [429, 500, 502, 503, 408][Int(dice.place(in: 5))]
      answer.status = status
      if dice.happens(0.5) { answer.headers.append("Retry-After: 0") }
    case .gone:
      answer.status = [404, 403, 410][Int(dice.place(in: 3))]
    case .interim:
      answer.interim = .init(103, headers: ["Link: </a>"], count: 1 + Int(dice.place(in: 3)))
    case .late:
      answer.latency = Double(dice.place(in: 150)) / 1000
    case .pause:
      answer.holds.append(.stall(after: dice.place(in: max(1, count)), seconds: Double(dice.place(in: 200)) / 1000))
    case .silence:
      answer.holds.append(.stall(after: dice.place(in: max(1, count)), seconds: 60))
    case .excess:
      answer.excess = Int(dice.place(in: 70_000)) + 1
    case .close:
      answer.closes = true
    case .partly:
      answer.rangeLimit = 1 + dice.place(in: count)
    case .uninvited:
      answer.status = 206
    }
  }
}

extension FaultServer.Framing {
  /// Whether the end of the connection ends the body.
  var isClose: Bool { if case .close = self { true } else { false } }

  /// Whether `Content-Length` delimits the body.
  var isLength: Bool { if case .length = self { true } else { false } }
}
